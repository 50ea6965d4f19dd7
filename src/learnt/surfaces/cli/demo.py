"""`learnt demo`: the whole loop in a throw-away home, by the commands and hooks you would use.

Nothing here is staged but the agent: its recorded reports are fed to the very commands that `init`
registered, and what a person types is typed on a pseudo-terminal.
"""

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from learnt.core.governance.actors import AGENT_MARKERS
from learnt.core.identifiers import ENTRY_ID

_PAYLOADS: Final = Path(__file__).parent.parent / "demo_payloads.json"
_START: Final = "import sys; from learnt.surfaces.cli.entry import main; sys.exit(main())"
_PROMPT: Final = "Deploy fails: 'database is locked' while the migration runs. What now?"
_MEMORY: Final = {
    "--problem": "Deploy migration fails with database is locked",
    "--approach": "Stop the queue consumers first: they keep a write transaction open on the same "
    "SQLite file",
    "--caution": "Start them again afterwards, or jobs pile up",
    "--tag": "sqlite",
}
_SAID: Final = "remember: the staging gateway listens on port 8443"
_ASKED: Final = "Which port does the staging gateway listen on?"
_CANARY: Final = "queue consumers"
_READS: Final = 7.0  # seconds before a person types; meanwhile the worker loads what it takes
_PROPOSES: Final = 30.0  # seconds at most, until a session's end was looked at
_ROWS: Final = 1_000  # so that no screen waits for a key


class Demo:
    """A throw-away user with a home, an agent's settings and a project."""

    def __init__(self, scratch: Path) -> None:
        self.home, self.project = scratch / "learnt", scratch / "shop"
        self._settings = scratch / "claude" / "settings.json"
        self.project.mkdir()
        self._settings.parent.mkdir()
        self._payloads: dict[str, Any] = json.loads(_PAYLOADS.read_text("utf-8"))
        self._session = self._prompt = 0
        self._user = {k: v for k, v in os.environ.items() if k not in AGENT_MARKERS} | {
            "HOME": str(scratch),
            "LEARNT_HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self._settings.parent),
            "COLUMNS": "100",
            "CI": "true",  # so that nothing is held back by chance
        }

    def type(self, *words: str, answer: str = "") -> str:
        """What a person at a terminal gets for a command, shown as they would see it."""
        shown = " ".join(f'"{word}"' if " " in word else word for word in words)
        click.secho(f"\n$ learnt {shown}", fg="cyan", bold=True)
        output = _on_terminal(
            [sys.executable, "-I", "-c", _START, *words], self._user, self.project, answer
        )
        click.echo(output.rstrip("\n"))
        return output

    def wait_for(self, proposal: str) -> None:
        """Wait until the worker made a proposal whose name begins so; a person takes longer."""
        command = [sys.executable, "-I", "-c", _START, "evolve", "list", "--status", "pending"]
        until = time.monotonic() + _PROPOSES
        while time.monotonic() < until:
            listed = subprocess.run(
                command, env=self._user, cwd=self.project, capture_output=True, check=False
            )
            if proposal.encode() in listed.stdout:
                break
            time.sleep(0.2)

    def report(self, event: str, **given: str) -> str:
        """What the registered hook prints for an event of the agent's."""
        settings = json.loads(self._settings.read_text("utf-8"))
        command = settings["hooks"][event][0]["hooks"][0]["command"]
        payload = dict(self._payloads[event])
        own = {
            "session_id": f"session-{self._session}",
            "prompt_id": f"prompt-{self._prompt}",
            "transcript_path": str(self.project.parent / "transcript.jsonl"),
            "cwd": str(self.project),
            **given,
        }
        payload |= {name: value for name, value in own.items() if name in payload}
        agent = self._payloads["environment"] | {"CLAUDE_PROJECT_DIR": str(self.project)}
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(payload).encode(),
            env=self._user | agent,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()

    def evolve(self) -> bool:
        """From more recalls to a skill that a person accepted; whether all of it happened."""
        for _ in range(2):
            self.begin()
            self.prompt(_PROMPT, shown=False)
            self.report("SessionEnd")
        self.type("evolve", "stats")
        self.wait_for("skill-")
        self.begin(shown=True)
        skill = re.search(r"skill-[0-9a-f]{10}", self.type("evolve", "list"))
        if skill is None:
            return False
        click.secho("\n  An agent tries it first, without a terminal:", dim=True)
        refused = subprocess.run(
            [sys.executable, "-I", "-c", _START, "evolve", "accept", skill[0], "--yes"],
            env=self._user | {"CLAUDECODE": "1"},
            cwd=self.project,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        click.echo(f"  {refused.stderr.decode().strip()}")
        self.type("evolve", "accept", skill[0], answer="y")
        files = [str(f.relative_to(self.project)) for f in self.project.rglob("SKILL.md")]
        click.echo(f"Skills in the project now: {', '.join(files) or 'none'}.")
        return refused.returncode == 1 and bool(files)

    def begin(self, *, shown: bool = False) -> None:
        """A new session of the agent, and what Learnt shows at its start."""
        self._session += 1
        answer = self.report("SessionStart")
        if not shown:
            return
        _say_given(answer, "\n  (A new session starts. ")
        if ready := json.loads(answer or "{}").get("systemMessage"):
            click.secho(f"  (On your screen: {ready})", dim=True)

    def prompt(self, text: str, *, shown: bool = True) -> None:
        """The person types a prompt to the agent; what Learnt adds to it is shown."""
        self._prompt += 1
        answer = self.report("UserPromptSubmit", prompt=text)
        if not shown:
            return
        click.secho(f"\n> {text}", fg="magenta", bold=True)
        _say_given(answer)


def _say_given(answer: str, before: str = "  (") -> None:
    said = json.loads(answer or "{}")
    context = said.get("hookSpecificOutput", {}).get("additionalContext", "")
    if not context:
        alone = said.get("systemMessage", "Learnt adds nothing")  # a line on the person's screen
        click.secho(f"{before}{alone})", dim=True)
        return
    click.secho(f"{before}Learnt puts before the agent:)", dim=True)
    for line in context.splitlines():
        click.secho(f"  │ {line}", fg="green")


def _on_terminal(command: Sequence[str], env: dict[str, str], folder: Path, answer: str) -> str:
    """The output of a program run on a pseudo-terminal, the answer typed when it asks."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (_ROWS, 300))
    child = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=folder
    )
    os.close(theirs)
    output = b""
    try:
        while part := os.read(ours, 1 << 12):
            output += part
            if answer and output.rstrip().endswith((b"[y/N]:", b"`:")):
                os.write(ours, answer.encode() + b"\n")
                answer = ""
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(ours)
        child.wait()
    return output.decode("utf-8", "replace").replace("\r\n", "\n")


def _chapter(number: int, title: str) -> None:
    click.secho(f"\n── {number}. {title} " + "─" * max(0, 70 - len(title)), bold=True)


@click.command()
def demo() -> int:
    """Show the whole loop in a throw-away home; some twenty seconds, no network."""
    with tempfile.TemporaryDirectory(prefix="learnt-demo-") as scratch:
        stage = Demo(Path(scratch))
        try:
            sound = _play(stage)
        finally:
            stage.type("worker", "stop")
    end = "That was it; the throw-away home is gone. `learnt init` is where it begins for you."
    trouble = "Something did not go as it should: see above."
    click.secho(f"\n{end if sound else trouble}", bold=True)
    return 0 if sound else 1


def _play(stage: Demo) -> bool:
    _chapter(1, "The agent learns to call Learnt")
    stage.type("init", answer="y")
    stage.begin()
    click.secho("\n  (Claude Code starts, and some seconds pass until you type.)", dim=True)
    time.sleep(_READS)
    _chapter(2, "Say a thing once: the next session's agent knows it")
    stage.prompt(_SAID)
    stage.report("SessionEnd")
    stage.begin(shown=True)
    stage.prompt(_ASKED)
    _chapter(3, "A prompt that nothing is known of: a miss, recorded")
    stage.begin()
    stage.prompt(_PROMPT)
    stage.report("PostToolBatch")
    stage.report("Stop")
    _chapter(4, "You found out. Remember it")
    entry = re.search(ENTRY_ID, stage.type("remember", *chain.from_iterable(_MEMORY.items())))
    stage.report("SessionEnd")
    if entry is None:
        return False
    _chapter(5, "Another day, another session, the same trouble")
    stage.begin(shown=True)
    stage.prompt(_PROMPT)
    stage.prompt("The migration deploy says database is locked again")
    _chapter(6, "Why was that there?")
    stage.type("why", entry[0])
    _chapter(7, "It keeps being recalled: it becomes a draft, and you decide")
    evolved = stage.evolve()
    stage.begin()
    click.secho("\n  The note goes on helping until the skill is edited, or used:", dim=True)
    stage.prompt(_PROMPT)
    _chapter(8, "Does it all add up? Every view against the events, byte for byte")
    verified = "byte for byte" in stage.type("rebuild", "--verify")
    _chapter(9, "Forget it, for good")
    stage.type("purge", "--entry", entry[0], answer="purge entry")
    stage.wait_for("version-")
    files = [path for path in stage.home.rglob("*") if path.is_file()]
    left = [path.name for path in files if _CANARY.encode() in path.read_bytes()]
    click.echo(f'Files of the home that still hold "{_CANARY}": {", ".join(left) or "none"}.')
    stage.prompt("Deploy migration: database is locked, once more")
    stage.type("status")
    return evolved and verified and not left
