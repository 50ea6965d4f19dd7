"""A ledger that is locked, damaged or newer: hooks go on, nothing is lost or overwritten."""

import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind
from learnt.core.identifiers import Subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.payloads.session_events import SessionStarted
from learnt.flows.knowledge.capture import Offer
from learnt.flows.stored import append
from learnt.ports import Outside
from learnt.settings import Settings
from tests.support.cases import chosen, first
from tests.support.homes import LEARNT, PROMPT, Home, wait_until
from tests.support.kept_unseen import capture_many

QUICK = 1.5  # seconds: the hook gives up after 0.15; the rest is a busy machine


@contextmanager
def locked(home: Home, *statements: str) -> Iterator[None]:
    """Another program's hold on the ledger."""
    path = home.path / "ledger.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for statement in statements:
            other.execute(statement).fetchall()
        yield


HOLDS = {
    "a writer": ("BEGIN IMMEDIATE", "DELETE FROM inbox"),
    "an exclusive writer": ("BEGIN EXCLUSIVE",),
    "a reader": ("BEGIN", "SELECT count(*) FROM events"),
    "a program that shares with nobody": (
        "PRAGMA locking_mode = EXCLUSIVE",
        "BEGIN IMMEDIATE",
        "DELETE FROM inbox",
    ),
}


def report_all(home: Home, session: str) -> int:
    """One report of each kind that matters; how many. Each must be quick."""
    reports: list[tuple[str, dict[str, object]]] = [
        ("UserPromptSubmit", {"prompt": PROMPT}),
        ("PostToolBatch", {"tool_calls": [{"tool_name": "Bash", "tool_use_id": f"t-{session}"}]}),
        ("Stop", {}),
        ("SubagentStop", {"agent_id": "a1"}),
        ("SessionEnd", {"reason": "other"}),
    ]
    for event, fields in reports:
        fired = home.fire(event, {**home.payload(event, session), **fields})
        assert fired.seconds < QUICK, event
    return len(reports)


def reports_of(home: Home, session: str) -> int:
    """How many reports of a session the ledger holds."""
    return len([one for one in home.inbox(session=session) if one["event"] != "Late"])


@pytest.mark.parametrize(
    ("hold", "running"),
    # The worker's own connection keeps out a program that shares with nobody.
    chosen(
        [*((hold, False) for hold in HOLDS), *((hold, True) for hold in list(HOLDS)[:-1])],
        ("an exclusive writer", False),
        ("a writer", True),
    ),
)
def test_a_locked_ledger_costs_a_hook_nothing(home: Home, hold: str, running: bool) -> None:
    """While another program holds the ledger, hooks end quickly and what they saw waits."""
    home.remember()
    if running:
        home.start_worker()
    with locked(home, *HOLDS[hold]):
        expected = report_all(home, "during")
    home.start_worker()
    home.drained()

    assert reports_of(home, "during") == expected
    home.answered(session="after")
    home.verify()


def test_a_prompt_that_waited_for_the_lock_counts_nothing(home: Home) -> None:
    """An answer that a lock prevented is neither recalled nor reused, later or ever."""
    entry = home.remember()
    home.start_worker()
    with locked(home, "BEGIN IMMEDIATE"):
        assert home.prompt(session="s1").output == b""
    home.drained()
    wait_until(lambda: len(home.inbox("UserPromptSubmit", "s1")) == 1, "the prompt")

    assert (home.events(Kind.RECALLED), home.reused(entry)) == ([], 0)
    home.answered()
    home.drained()
    assert home.reused(entry) == 1


@pytest.mark.slow
def test_a_command_says_that_the_ledger_is_held(home: Home) -> None:
    """The command line waits ten seconds, then says who is to blame, with exit code 5."""
    home.remember()
    with locked(home, "BEGIN IMMEDIATE"):
        said = home.cli("remember", "--problem", "Some odd problem", "--approach", "Some odd way")

    assert said.exit_code == 5
    assert "try again" in said.errors


def test_status_and_doctor_wait_for_nobody_who_writes(home: Home) -> None:
    """They read what is there; what waits in the spool is taken in later, and loses nothing."""
    home.remember()
    home.fire("Stop", home.payload("Stop", "s1"))
    home.close()
    report_all(home, "s2")
    waiting = len(home.spooled())
    with locked(home, "BEGIN IMMEDIATE"):
        for words in (["status"], ["doctor"]):
            said = home.cli(*words)
            assert said.exit_code in {0, 1}, said.errors
        assert waiting and waiting == len(home.spooled())


@pytest.mark.parametrize("hold", ["a writer", "an exclusive writer"])
def test_status_takes_hardly_longer_while_the_ledger_is_held(home: Home, hold: str) -> None:
    """At most 0.6 s more than the same process without a lock: the quickest of as many of each."""
    home.remember()
    home.fire("Stop", home.payload("Stop", "s1"))
    home.close()
    report_all(home, "s2")
    spooled = {path: path.read_bytes() for path in (home.path / "spool").glob("[!.]*.json")}
    free, held = list[float](), list[float]()
    for number in range(8):  # a busy machine has quiet moments
        free.append(seconds_of_status(home))
        for path, content in spooled.items():
            path.write_bytes(content)
        with locked(home, *HOLDS[hold]):
            held.append(seconds_of_status(home))
        assert spooled and len(spooled) == len(home.spooled())  # taking it in waits for the lock
        if number > 1 and min(held) - min(free) < 0.6:
            break
    assert min(held) - min(free) < 0.6, (free, held)


def seconds_of_status(home: Home) -> float:
    """How long a process of its own takes, with its start."""
    started = time.monotonic()
    subprocess.run(
        [LEARNT, "status"],
        cwd=home.project, env=home.environment, capture_output=True, check=True,
    )  # fmt: skip
    return time.monotonic() - started


def garbage(path: Path) -> None:
    path.write_bytes(b"This is no database. " * 1_000)


def garbage_header(path: Path) -> None:
    path.write_bytes(b"\x00" * 100 + path.read_bytes()[100:])


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 + 77])


def scribbled(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096, 2):
        content[page * 4096 : page * 4096 + 64] = b"\xa5" * 64
    path.write_bytes(content)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


Damage = Callable[[Path], None]
DAMAGES: list[Damage] = [garbage, emptied, garbage_header, truncated, scribbled]


@pytest.fixture(params=chosen(DAMAGES, garbage, scribbled))
def damaged(request: pytest.FixtureRequest, home: Home) -> bytes:
    """A home whose ledger is damaged on disk; its bytes."""
    home.remember()
    texts = [(f"Another problem nr{n}x", f"Another approach nr{n}x") for n in range(20)]
    offers = [
        Offer(what=Draft(problem=problem, approach=approach), actor=Actor.HUMAN)
        for problem, approach in texts
    ]
    with opened(Settings(home=home.path)) as outside:
        capture_many(outside, offers)
    path = home.path / "ledger.db"
    damage: Damage = request.param
    damage(path)
    return path.read_bytes()


def test_hooks_go_on_beside_a_damaged_ledger(home: Home, damaged: bytes) -> None:
    """Hooks exit silently and spool; once the ledger is set aside, a new one takes it all in."""
    expected = report_all(home, "during")
    for words in (("status",), ("recall", "gradle"), ("rebuild", "--verify"), ("why", "s1")):
        said = home.here(*words)
        if said.exit_code == 5:
            assert "learnt doctor --set-aside" in said.errors
        # A command that needs none of the damaged pages may well answer.
        assert said.exit_code == 5 or words[0] != "status", said
    assert (home.path / "ledger.db").read_bytes() == damaged

    said = home.here("doctor", "--set-aside")
    assert "aside" in said.output
    assert home.here("worker", "start").exit_code == 0, "a person need not wait"
    home.drained()

    kept = [path.read_bytes() for path in (home.path / "aside").glob("ledger-*.db")]
    assert kept == [damaged]
    assert reports_of(home, "during") == expected
    home.remember()
    home.answered(session="after")
    home.verify()


@pytest.mark.parametrize("damage", first(2, [garbage, emptied, truncated]))
def test_doctor_finds_a_damaged_ledger(home: Home, damage: Damage) -> None:
    """The ledger is named as the problem, with the command that helps; nothing is changed."""
    home.remember()
    damage(home.path / "ledger.db")
    damaged = (home.path / "ledger.db").read_bytes()
    said = home.cli("doctor", "--json")
    (found,) = [probe for probe in said.json["probes"] if probe["name"] == "ledger"]

    assert said.exit_code == 1
    assert found["level"] == "problem"
    assert "doctor --set-aside" in found["said"] + found["todo"]
    assert (home.path / "ledger.db").read_bytes() == damaged


def test_a_ledger_damaged_under_a_running_worker_loses_no_report(home: Home) -> None:
    """What hooks report after the damage waits in the spool until a sound ledger takes it."""
    home.remember()
    home.start_worker()
    home.stop_turn("before")
    for suffix in ("-wal", "-shm"):
        Path(f"{home.path / 'ledger.db'}{suffix}").write_bytes(b"\xff" * 70_000)
    garbage(home.path / "ledger.db")

    expected = report_all(home, "during")
    home.cli("doctor", "--set-aside")
    home.take_in()

    assert reports_of(home, "during") == expected


@pytest.mark.slow
@pytest.mark.parametrize("damage", first(1, [garbage, emptied, scribbled]))
def test_the_log_of_a_damaged_ledger_does_not_grow(home: Home, damage: Damage) -> None:
    """A worker that can do nothing says so once, not twice a second for half an hour."""
    home.remember()
    damage(home.path / "ledger.db")
    home.prompt()
    wait_until(lambda: bool(home.worker_log()), "a word on the damage")
    time.sleep(1.6)  # three ticks of the worker's

    assert 1 <= home.worker_log().count("\n") <= 2, home.worker_log()


def newer(home: Home, journal: str) -> dict[str, str]:
    """Make the ledger one of a newer Learnt; its files and their hashes."""
    path, work = home.path / "ledger.db", home.folder / "newer.db"
    path.rename(work)
    with closing(sqlite3.connect(work, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 99")
        if journal == "left behind":
            # As a kill leaves it: the journal holds what the file does not.
            shutil.copy(f"{work}-wal", f"{path}-wal")
            shutil.copy(work, path)
            return files_of(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute(f"PRAGMA journal_mode = {journal}").fetchall()
    work.rename(path)
    return files_of(path)


def files_of(path: Path) -> dict[str, str]:
    """The ledger's files that hold something, and their hashes."""
    found = {part.name: part.read_bytes() for part in path.parent.glob(f"{path.name}*")}
    found.pop(f"{path.name}-shm", None)  # an index of the journal, made again by whoever looks
    return {name: sha256(content).hexdigest() for name, content in found.items() if content}


@pytest.mark.parametrize("journal", first(1, ["left behind", "wal", "delete"]))
def test_a_newer_ledger_is_left_byte_for_byte(home: Home, journal: str) -> None:
    """Hooks spool, commands exit 5 and name the upgrade; not a byte of the ledger changes."""
    home.remember()
    before = newer(home, journal)

    expected = report_all(home, "during")
    for words in (
        ("status",),
        ("recall", "gradle"),
        ("rebuild", "--verify"),
        ("purge", "--text", "x"),
    ):
        said = home.here(*words, typed="purge text\n")
        assert said.exit_code == 5, said
        assert "Upgrade Learnt" in said.errors
    said = home.here("doctor", "--set-aside")
    assert "sound" in said.output
    wait_until(lambda: home.worker() is None, "the worker leaves")

    assert files_of(home.path / "ledger.db") == before
    assert len(home.spooled()) == expected


def test_a_worker_leaves_a_ledger_that_became_newer(home: Home) -> None:
    """An upgrade beside a running worker: it writes nothing more, and what it saw waits."""
    home.remember()
    home.start_worker()
    with closing(sqlite3.connect(home.path / "ledger.db")) as connection:
        connection.execute("PRAGMA user_version = 99")
        events = connection.execute("SELECT count(*) FROM events").fetchone()

    expected = report_all(home, "during")
    wait_until(lambda: home.worker() is None, "the worker leaves")

    assert home.rows("SELECT count(*) FROM events") == [events]
    assert len([name for name in home.spooled() if "late" not in name]) >= expected


def test_what_a_killed_process_left_in_the_journal_is_there(home: Home) -> None:
    """After SIGKILL of the worker its answers, events and reports are read from the journal."""
    entry = home.remember()
    pid = home.start_worker()
    home.answered()
    home.drained()
    journal = home.path / "ledger.db-wal"
    os.kill(pid, signal.SIGKILL)
    assert journal.stat().st_size > 0

    status = home.here("status", "--json").json
    assert (status["recalls"], status["reuses"]) == (1, 1)
    assert home.reused(entry) == 1
    home.verify()


def test_a_home_with_signs_in_its_path_keeps_its_sound_ledger(
    home_at: Callable[[Path, str], Home], tmp_path: Path
) -> None:
    """`doctor --set-aside` moves nothing that is sound, whatever the path looks like as a URI."""
    home = home_at(tmp_path, "a?mode=rw b#c d%41e")
    home.remember()
    said = home.here("doctor", "--set-aside")
    assert "sound" in said.output
    assert list((home.path / "aside").iterdir()) == []


@pytest.mark.parametrize("trouble", first(1, ["locked", "damaged", "newer"]))
def test_the_hook_in_one_process_loses_no_report_either(home: Home, trouble: str) -> None:
    """`hook --inline` beside a ledger it cannot use exits silently and spools what it saw."""
    home.remember()
    with ExitStack() as stack:
        if trouble == "damaged":
            garbage(home.path / "ledger.db")
        elif trouble == "newer":
            newer(home, "wal")
        else:
            stack.enter_context(locked(home, "BEGIN IMMEDIATE"))
        words = [str(LEARNT), "hook", "--inline", "UserPromptSubmit", "--home", str(home.path)]
        payload = home.payload("UserPromptSubmit", prompt=PROMPT)
        assert home.fire("UserPromptSubmit", payload, command=shlex.join(words)).output == b""
    assert len(home.spooled()) == 1
    if trouble == "locked":
        home.take_in()
        assert reports_of(home, "s1") == 1


def test_a_command_reads_one_state_until_it_writes(home: Home) -> None:
    """What others write meanwhile is seen once it wrote itself, or after an error."""
    settings = Settings(home=home.path)
    with opened(settings) as one, opened(settings) as other:

        def write(outside: Outside) -> None:
            with outside.ledger.durably_writing() as writer:
                append(writer, Subject("session:a:s"), Actor.TOOL, SessionStarted(source="clear"))

        def seen() -> int:
            with one.ledger.reading() as reader:
                return reader.count(Kind.SESSION_STARTED)

        with one.ledger.one_snapshot():
            before = seen()
            write(other)
            assert before == seen()
            one.ledger.refresh()
            assert before + 1 == seen()
            write(one)
            assert before + 2 == seen()
            with suppress(ValueError), one.ledger.reading():
                raise ValueError
            write(other)
            assert before + 3 == seen()
        write(other)
        assert before + 4 == seen()
