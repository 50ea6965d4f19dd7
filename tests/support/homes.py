"""Throw-away homes of Learnt, and the agent's hooks fired at them as Claude Code fires them."""

import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.gates import Admit
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.sessions.answer import respond
from learnt.formats.agents import hook_settings
from learnt.formats.wire import ENVIRONMENT, Frame
from learnt.settings import Settings
from learnt.stores import hook_files
from learnt.stores.home_folder import prepare
from learnt.surfaces import worker_client
from learnt.surfaces.cli.commands import run
from tests.support import forked, forked_worker
from tests.support.answers import Fired, Said
from tests.support.processes import is_running, processes_naming
from tests.support.screens import Keyboard, Screen
from tests.support.terminal import dialogue

LEARNT = forked.LEARNT
RECORDED = Path(__file__).parents[1] / "data" / "claude_code"

PROBLEM = "The gradle build fails with unsupported class file major version 65"
APPROACH = "Export JAVA_HOME so that the wrapper runs on the vendored zulu toolchain"
CAUTION = "The daemon keeps the old toolchain until it is stopped"
PROMPT = "The gradle build fails with unsupported class file major version 65, why is that?"

Payload = Mapping[str, object]
_numbers = itertools.count(1)


def recorded(name: str) -> dict[str, Any]:
    """A payload as the real client sent it."""
    value = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def recorded_names() -> list[str]:
    """The names of all recorded payloads."""
    return sorted(path.stem for path in RECORDED.glob("*.json") if path.stem != "environment")


def wait_until(reached: Callable[[], bool], what: str, *, seconds: float = 30) -> None:
    """Look again and again until it is so; an error names what never came."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            raise AssertionError(f"{seconds} s were not enough: {what}")
        time.sleep(0.01)


class Home:
    """A home below a folder of its own, with a project and an agent that reports to it."""

    def __init__(self, folder: Path, name: str = "home") -> None:
        self.folder, self.path = folder, folder / name
        self.project, self.config = folder / "project", folder / "claude"
        self._forked: set[int] = set()
        for path in (self.project, self.config, folder / "user"):
            path.mkdir(parents=True, exist_ok=True)

    # --- what a user and an agent do -----------------------------------------------------------

    @property
    def environment(self) -> dict[str, str]:
        """A shell's, made from nothing: no agent's marker, and a user's folder of its own."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "user"),
            "LANG": "C.UTF-8",
            "CI": "true",
            "CLAUDE_CONFIG_DIR": str(self.config),
            "LEARNT_HOME": str(self.path),
        }

    @property
    def agents_environment(self) -> dict[str, str]:
        """What Claude Code gives a hook at a person's terminal."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "user"),
            "LANG": "C.UTF-8",
            "CI": "true",
            "CLAUDECODE": "1",
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
            "CLAUDE_PID": "4242",
        }

    def install(self) -> None:
        """Put the hook's files there, as `init` does."""
        prepare(self.path)
        hook_files.install(self.path)

    def begin_anew(self) -> None:
        """Empty the home and the folders around it, and put the hook's files there again.

        The project stays the same folder: what runs may have it as its working folder.
        """
        for folder in (self.folder, self.project, self.config):
            for path in {*folder.iterdir()} - {self.project, self.config}:
                wait_until(partial(_gone, path), f"the end of {path}")
        (self.folder / "user").mkdir()
        self.install()

    def command(self, event: str) -> str:
        return hook_settings.command(hook_files.interpreter(), str(self.path), event)

    def begin(
        self, event: str, environment: Mapping[str, str | None] | None = None, command: str = ""
    ) -> subprocess.Popen[bytes]:
        """Start a hook without feeding it; variables of None are left out."""
        given = {**self.agents_environment, **(environment or {})}
        return subprocess.Popen(
            ["/bin/sh", "-c", command or self.command(event)],
            env={name: value for name, value in given.items() if value is not None},
            cwd=self.project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def fire(
        self,
        event: str,
        payload: Payload | bytes = b"{}",
        *,
        environment: Mapping[str, str | None] | None = None,
        command: str = "",
    ) -> Fired:
        """Fire one hook and wait for it; it must end well and say nothing on standard error."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        started = time.monotonic()
        with self.begin(event, environment, command) as process:
            output, errors = process.communicate(body, timeout=60)
        seconds = time.monotonic() - started
        assert (process.returncode, errors) == (0, b""), f"{event}: {process.returncode} {errors!r}"
        return Fired(exit_code=process.returncode, output=output, errors=errors, seconds=seconds)

    def payload(self, event: str, session: str = "s1", **more: object) -> dict[str, object]:
        """A payload as the client sends it, with a prompt's id of its own."""
        return {
            "session_id": session,
            "transcript_path": str(self.folder / "transcript.jsonl"),
            "cwd": str(self.project),
            "prompt_id": f"p{next(_numbers)}",
            "hook_event_name": event,
            **more,
        }

    def prompt(self, text: str = PROMPT, session: str = "s1", **more: object) -> Fired:
        """A person types a prompt."""
        said = self.payload("UserPromptSubmit", session, prompt=text, **more)
        return self.fire("UserPromptSubmit", said)

    def answered(
        self, text: str = PROMPT, session: str = "s1", awaited: str = APPROACH
    ) -> list[Fired]:
        """A prompt typed again and again until what is awaited is told; all its hooks."""
        return until_told(lambda: self.prompt(text, session), awaited)

    def told(self, text: str = PROMPT, session: str = "s1") -> str:
        """A prompt answered in this very process, as a worker does: what is to be printed."""
        body = json.dumps(self.payload("UserPromptSubmit", session, prompt=text)).encode()
        given = {name: self.agents_environment[name] for name in ENVIRONMENT}
        frame = Frame(event="UserPromptSubmit", size=len(body), environment=given, body=body)
        with opened(Settings(home=self.path)) as outside:
            return respond(outside, frame, lambda: False).decode()

    def stop_turn(self, session: str = "s1") -> Fired:
        """The agent ends its turn: the smallest report there is."""
        return self.fire("Stop", self.payload("Stop", session))

    def cli(
        self, *words: str, stdin: str = "", environment: Mapping[str, str | None] | None = None
    ) -> Said:
        """Run `learnt` without a terminal, in a process forked off this one."""
        given = {**self.environment, **(environment or {})}
        done = forked.ran(
            words,
            env={name: value for name, value in given.items() if value is not None},
            cwd=self.project,
            stdin=stdin.encode("utf-8", "surrogateescape"),
        )
        output, errors = (raw.decode("utf-8", "replace") for raw in (done.stdout, done.stderr))
        assert "Traceback" not in errors, errors
        return Said(exit_code=done.returncode, output=output, errors=errors)

    def purge(self, *words: str) -> Said:
        """A person erases something, in this process: the phrase that is asked for is typed."""
        return self.here("purge", *words, typed=f"purge {words[0].rpartition('-')[2]}\n")

    def here(
        self, *words: str, home: Path | None = None, typed: str | None = None,
        piped: bool = False, editor: str = "",
    ) -> Said:  # fmt: skip
        """Run `learnt` in this process; on a terminal if it is `typed`, unless a pipe is behind."""
        kept, keyboard, errors = dict(os.environ), sys.stdin, StringIO()
        output = StringIO() if typed is None or piped else Screen()
        sys.stdin = keyboard if typed is None else Keyboard(typed)
        given = {**self.environment, "LEARNT_HOME": str(home or self.path), "EDITOR": editor}
        os.environ.clear()
        os.environ.update(given)
        try:
            with chdir(self.project), redirect_stdout(output), redirect_stderr(errors):
                code = run(words)
        finally:
            sys.stdin = keyboard
            os.environ.clear()
            os.environ.update(kept)
        return Said(exit_code=code, output=output.getvalue(), errors=errors.getvalue())

    def typed(self, *words: str, answers: Sequence[str] = ()) -> tuple[int, str]:
        """Run `learnt` as a person does, and answer what it asks; exit code and output."""
        with self.terminal(*words) as terminal:
            return dialogue(terminal, answers)

    def terminal(
        self, *words: str, environment: Mapping[str, str] | None = None
    ) -> forked.ForkedTerminal:
        """`learnt` on a terminal of its own, in a process forked off this one."""
        given = {**self.environment, **(environment or {})}
        return forked.ForkedTerminal(words, env=given, cwd=self.project)

    def accept(self, name: str, *words: str) -> tuple[int, str]:
        """Accept a proposal as a person who looked at it and does not want to be asked."""
        first = [word for word in words if word != "--overwrite"]
        looked = self.here("evolve", "show", name, "--json", *first)
        shown = looked.json["proposals"] if looked.exit_code == 0 else []
        seal = str(shown[0]["seal"] if shown else "unseen")
        return self.typed("evolve", "accept", name, "--yes", "--seen", seal, *words)

    def remember(
        self, problem: str = PROBLEM, approach: str = APPROACH, *, tags: Sequence[str] = ()
    ) -> EntryId:
        """Keep a validated solution for the project, in this process."""
        what = Draft(problem=problem, approach=approach, cautions=(CAUTION,), tags=tuple(tags))
        offer = Offer(what=what, actor=Actor.HUMAN, folder=str(self.project))
        with opened(Settings(home=self.path)) as outside:
            outcome = capture(outside, offer)
        assert isinstance(outcome.decision, Admit), outcome
        return outcome.entry

    # --- the worker ----------------------------------------------------------------------------

    def start_worker(self) -> int:
        """The process id of the home's worker, forked off this process where there was none."""
        (self.path / "run" / "starting").unlink(missing_ok=True)
        process = self.worker() or forked_worker.start(self.path)
        assert process is not None, self.worker_log()
        self._forked.add(process)
        return process

    def worker(self) -> int | None:
        """The process id of the worker, if one answers."""
        card = worker_client.ping(self.path)
        return None if card is None else card.pid

    def worker_log(self) -> str:
        path = self.path / "logs" / "worker.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def processes(self) -> list[int]:
        """Every process that has the home on its command line, and the forked workers."""
        return [*processes_naming(str(self.path)), *filter(is_running, self._forked)]

    def close(self) -> None:
        """End whatever was started for the home."""
        for _ in range(3):
            for process in self.processes():
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(process, 0)
        # One that is no child of this process may still write until it is gone.
        wait_until(lambda: not self.processes(), "the end of what was started for the home")

    # --- what is to be seen afterwards ---------------------------------------------------------

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Look into the ledger without changing it."""
        path = f"{(self.path / 'ledger.db').as_uri()}?mode=ro"
        with closing(sqlite3.connect(path, uri=True, timeout=10)) as connection:
            return connection.execute(query, values).fetchall()

    def inbox(self, event: str | None = None, session: str | None = None) -> list[dict[str, Any]]:
        """The observations that the ledger holds, in the order of arrival."""
        if not (self.path / "ledger.db").exists():
            return []
        held = [json.loads(body) for (body,) in self.rows("SELECT body FROM inbox ORDER BY seq")]
        return [
            one
            for one in held
            if event in {None, one["event"]} and session in {None, one["session"]}
        ]

    def events(self, kind: Kind) -> list[dict[str, Any]]:
        """The payloads of a kind's events, in their order."""
        query = "SELECT payload FROM events WHERE kind = ? ORDER BY ms, counter"
        return [json.loads(payload) for (payload,) in self.rows(query, str(kind))]

    def reused(self, entry: EntryId) -> int:
        """In how many sessions an entry counts as used."""
        state = self.rows("SELECT state FROM views WHERE subject = ?", f"entry:{entry}")[0][0]
        return int(json.loads(state).get("reused", 0))

    def spooled(self) -> list[str]:
        """The names of the files that wait in the spool."""
        folder = self.path / "spool"
        if not folder.is_dir():
            return []
        return sorted(path.name for path in folder.glob("[!.]*.json"))

    def hook_errors(self) -> list[dict[str, Any]]:
        """What hooks wrote down about their own failures."""
        path = self.path / "logs" / "hook-errors.log"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]

    def drained(self, *, seconds: float = 30) -> None:
        """Wait until the worker has emptied the spool; asked who it is, it looks there at once."""

        def is_empty() -> bool:
            return not self.spooled() or (self.worker() is None and not self.spooled())

        wait_until(is_empty, f"spool empty\n{self.worker_log()}", seconds=seconds)

    def take_in(self) -> None:
        """Empty the spool from the command line, as any command does first."""
        said = self.here("status")
        assert said.exit_code == 0, said
        assert not self.spooled()

    def verify(self) -> None:
        """Every view and index must be what the events give."""
        with opened(Settings(home=self.path)) as outside:
            assert list(outside.ledger.verify()) == []


def until_told(ask: Callable[[], Fired], awaited: str = APPROACH) -> list[Fired]:
    """Fire a prompt's hook again until it prints what is awaited; all that were fired.

    A worker that a busy machine keeps from answering in time gives up, which loses nothing.
    """
    fired: list[Fired] = []

    def is_told() -> bool:
        fired.append(ask())
        return awaited in fired[-1].injected

    wait_until(is_told, f"an answer with {awaited!r}", seconds=20)
    return fired


def _gone(path: Path) -> bool:
    """Whether it could be removed: not while a program that runs writes into it."""
    with suppress(OSError):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return not path.exists()


@contextmanager
def throwaway(folder: Path, name: str = "home") -> Iterator[Home]:
    """A home with the hook's files in it; whatever runs for it is ended afterwards."""
    home = Home(folder, name)
    try:
        home.install()
        yield home
    finally:
        home.close()


def skip(reason: str) -> None:
    """Skip the test, and say so where it is not overlooked."""
    print(reason)  # noqa: T201  # a skip is easily overlooked
    pytest.skip(reason)
