"""The command line, as a person and as a program call it."""

import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from learnt.settings import HOME_VARIABLE
from learnt.surfaces import worker_client
from tests.support import forked
from tests.support.answers import Said
from tests.support.cases import first
from tests.support.homes import LEARNT
from tests.support.terminal import dialogue

MEMORY = (
    *("remember", "--problem", "Vitest hangs after the last test"),
    *("--approach", "Close the pg pool in globalTeardown", "--tag", "Vitest"),
)


class Command:
    """The command line with a home and a project of its own."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.project.mkdir()
        self.environment = os.environ | {HOME_VARIABLE: str(self.home)}

    def __call__(self, *words: str, **environment: str) -> Said:
        """What a program gets: no terminal."""
        done = forked.ran(words, env=self.environment | environment, cwd=self.project)
        return Said(
            exit_code=done.returncode, output=done.stdout.decode(), errors=done.stderr.decode()
        )

    def json(self, *words: str) -> Any:
        """The document a command prints."""
        return self(*words, "--json").json

    def typed(self, *words: str, answers: tuple[str, ...] = ()) -> tuple[int, str]:
        """What a person at a terminal gets."""
        with forked.ForkedTerminal(words, env=self.environment, cwd=self.project) as terminal:
            return dialogue(terminal, answers)


@pytest.fixture
def learnt(tmp_path: Path) -> Iterator[Command]:
    """A command line; its worker, if any, is stopped at the end."""
    command = Command(tmp_path)
    yield command
    worker_client.stop(command.home)


def entry_of(output: str) -> str:
    found = re.search(r"e-[0-9a-z]{14}", output)
    assert found is not None, output
    return found[0]


def test_what_a_person_types_counts_at_once(learnt: Command) -> None:
    """On a terminal the entry is validated; asked for, it is found."""
    code, output = learnt.typed(*MEMORY)
    assert (0, True) == (code, "Remembered" in output)

    (found,) = learnt.json("recall", "vitest", "hangs")["entries"]
    assert (entry_of(output), "validated") == (found["id"], found["stage"])
    assert ["vitest"] == found["tags"]


@pytest.mark.parametrize("marker", first(1, ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI"]))
def test_what_an_agent_runs_is_a_candidate_even_on_a_terminal(learnt: Command, marker: str) -> None:
    """The agent's own marker in the environment decides."""
    learnt.environment[marker] = "1"
    _, output = learnt.typed(*MEMORY)

    assert "candidate" in output


def test_what_a_script_runs_is_a_candidate(learnt: Command) -> None:
    """Without a terminal nobody vouches for it."""
    outcome = learnt.json(*MEMORY)

    assert ("admit", "candidate") == (outcome["verdict"], outcome["stage"])


def test_a_refusal_says_why_and_exits_1(learnt: Command) -> None:
    """The gate and its reason are named."""
    done = learnt("remember", "--problem", "it", "--approach", "is what it is")

    assert 1 == done.exit_code
    assert "value" in done.errors
    assert "names no problem" in done.errors


def test_a_process_of_its_own_answers_the_same(learnt: Command) -> None:
    """The program as it is installed: its output and its exit code are those of a forked one."""
    learnt(*MEMORY)
    for words in (("recall", "vitest"), ("recall", "zebra"), ("remember",)):
        done = subprocess.run(
            [str(LEARNT), *words], env=learnt.environment, cwd=learnt.project, text=True,
            capture_output=True, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        own = learnt(*words)
        assert (own.exit_code, own.output, own.errors) == (
            done.returncode, done.stdout, done.stderr
        )  # fmt: skip


def test_exit_codes_tell_what_kind_of_failure(learnt: Command, tmp_path: Path) -> None:
    """1 nothing found or refused, 2 usage, 3 unknown, 5 environment."""
    assert 1 == learnt("recall", "nothing", "here").exit_code
    assert 2 == learnt("remember").exit_code
    assert 3 == learnt("why", "e-00000000000000").exit_code
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    done = learnt("status", "--home", str(blocked))
    assert 5 == done.exit_code
    assert "Nothing was changed" in done.errors


def test_home_is_taken_before_and_after_the_command(learnt: Command, tmp_path: Path) -> None:
    """Both spellings name the same home; the command's own wins."""
    other, third = str(tmp_path / "other"), str(tmp_path / "third")

    assert other == learnt("--home", other, "status", "--json").json["home"]
    both = learnt("--home", other, "status", "--home", third, "--json")
    assert third == both.json["home"]


def test_status_counts_what_there_is(learnt: Command) -> None:
    """Entries by stage, and whether a worker runs."""
    learnt(*MEMORY)
    status = learnt.json("status")

    assert ({"candidate": 1}, None, 1) == (
        status["entries"],
        status["worker"],
        status["entries_here"],
    )


def test_a_view_that_was_tampered_with_is_found_and_mended(learnt: Command) -> None:
    """Verify exits 1 and names it; rebuild restores it from the events."""
    entry = learnt.json(*MEMORY)["id"]
    with sqlite3.connect(learnt.home / "ledger.db") as connection:
        connection.execute("UPDATE views SET state = replace(state, 'candidate', 'validated')")

    done = learnt("rebuild", "--verify")
    assert (1, True) == (done.exit_code, entry in done.output)
    assert 0 == learnt("rebuild").exit_code
    assert 0 == learnt("rebuild", "--verify").exit_code
    assert "candidate" == learnt.json("why", entry)["state"]["stage"]


def test_an_agent_may_not_purge(learnt: Command) -> None:
    """Neither with --yes nor without, marked or not; a person types the phrase that is shown."""
    entry = entry_of(learnt.typed(*MEMORY)[1])

    assert 1 == learnt("purge", "--entry", entry).exit_code
    assert 1 == learnt("purge", "--entry", entry, "--yes", CLAUDECODE="1").exit_code
    for words in (("--entry", entry), ("--everything",)):
        refused = learnt("purge", *words, "--yes")
        assert (1, True) == (refused.exit_code, "its input and output are no" in refused.errors)
    assert 2 == learnt.typed("purge", "--everything", "--yes")[0]
    for answer in ("y", ""):
        code, output = learnt.typed("purge", "--entry", entry, answers=(answer,))
        assert (1, True) == (code, "Type `purge entry`" in output)
    assert 1 == len(learnt.json("recall", "vitest")["entries"])
    assert 0 == learnt.typed("purge", "--entry", entry, answers=("purge entry",))[0]
    assert 1 == learnt("recall", "vitest").exit_code


def test_many_are_imported_through_the_gates(learnt: Command, tmp_path: Path) -> None:
    """Each line is judged; what is no memory is named by its line."""
    rows = [
        {"problem": "Vitest hangs after the last test", "approach": "Close the pg pool"},
        {"problem": "vitest hangs after the last test", "approach": "close the pg pool"},
        {"problem": "it", "approach": "is"},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")

    said = learnt.json("import", str(file))
    assert (1, 1, 0, 1) == (said["new"], said["double"], said["disputed"], said["refused"])
    file.write_text('{"approach": "no problem"}', encoding="utf-8")
    assert 2 == learnt("import", str(file)).exit_code


def test_an_import_keeps_source_coordinates(learnt: Command, tmp_path: Path) -> None:
    """Session, position, speaker and date of a line are in its event; the speaker as a content."""
    row = {
        "problem": "Vitest hangs after the last test",
        "approach": "Close the pg pool",
        "source": {"session": "s1", "position": 4, "speaker": "Ann", "date": "2026-01-02"},
    }
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row), encoding="utf-8")
    learnt("import", str(file))

    entry = learnt.json("recall", "vitest")["entries"][0]["id"]
    source = learnt.json("why", entry)["state"]["source"]
    assert ("s1", 4, "2026-01-02") == (source["session"], source["position"], source["date"])
    assert "Ann" not in json.dumps(source)


def test_inline_and_worker_answer_byte_for_byte_the_same(learnt: Command) -> None:
    """The hook in one process is the same flow: two sessions, two ways, one answer."""
    learnt.typed(*MEMORY)
    learnt("init")
    learnt("worker", "start")

    def payload(session: str) -> bytes:
        prompt = "Vitest hangs after the last test on CI"
        fields = {"session_id": session, "prompt_id": "p", "prompt": prompt}
        return json.dumps(fields | {"cwd": str(learnt.project)}).encode()

    file = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "settings.json"
    settings = json.loads(file.read_text("utf-8"))
    hook = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]

    def relay(session: str) -> bytes:
        command = ["/bin/sh", "-c", hook]
        return subprocess.run(
            command, input=payload(session), capture_output=True, check=True
        ).stdout

    # A hook waits 150 ms: on a busy machine the first of them may be too soon for a new worker.
    relayed = next(filter(None, map(relay, ("s1", "s3", "s4", "s5", "s6"))), b"")
    inline = subprocess.run(
        [str(LEARNT), "hook", "--inline", "UserPromptSubmit", "--home", str(learnt.home)],
        input=payload("s2"),
        capture_output=True,
        check=True,
    )

    assert b"globalTeardown" in relayed
    assert relayed == inline.stdout


@pytest.mark.slow  # it makes a home and starts a worker: `make demo` shows the same
def test_the_demo_plays_to_its_end(learnt: Command) -> None:
    """A miss, a memory, its recall, why, a rebuild, a purge: in a throw-away home."""
    done = learnt("demo")

    assert 0 == done.exit_code, done
    for part in ("adds nothing", "<learnt-recall>", "found by", "byte for byte", "none."):
        assert part in done.output
