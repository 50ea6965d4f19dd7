"""`learnt mcp` where things go wrong: a clear answer, nothing lost, and the server goes on."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from learnt.core.identifiers import handle
from learnt.installed import installing
from tests.cli.test_mcp import ROOM, SKILL, proposed
from tests.support.homes import Home, throwaway
from tests.support.mcp_client import Served, parameters, served

HUGE = "x " * 5_000_000


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Home, Served]]:
    """A home and a server that the tests of this file share."""
    with throwaway(tmp_path_factory.mktemp("shared")) as home, served(home) as one:
        yield home, one


@pytest.fixture
def home(shared: tuple[Home, Served]) -> Home:
    """The shared home, emptied: what was kept is gone, as the server notices by itself."""
    shared[0].begin_anew()
    return shared[0]


@pytest.fixture
def server(home: Home, shared: tuple[Home, Served]) -> Served:
    """The shared server, on the emptied home."""
    return shared[1]


def recorded(home: Home) -> int:
    """How many events there are."""
    return int(home.rows("SELECT count(*) FROM events")[0][0])


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "a number for a text": ("recall", {"query": 5}, "query: "),
    "a text for a number": ("recall", {"query": "x", "limit": "five"}, "limit: "),
    "too many": ("recall", {"query": "x", "limit": 11}, "limit: "),
    "nothing": ("recall", {}, "Give handles to open notes, or a query"),
    "both": ("recall", {"query": "x", "handles": ["00000"]}, "Give handles"),
    "an empty text": ("recall_sessions", {"query": ""}, "query: "),
    "what is not known": ("recall", {"query": "x", "project": "p"}, "project: Extra"),
    "a text for a list": ("propose", {"text": ROOM, "entities": "t_room"}, "entities: "),
    "a number in a list": ("propose", {"text": ROOM, "tags": ["a", 5]}, "tags.1: "),
    "another kind": ("propose", {"text": ROOM, "kind": "gossip"}, "kind: "),
    "a word for a switch": ("propose", {"text": ROOM, "everywhere": "yes"}, "everywhere: "),
    "another result": ("feedback", {"id": "e-1", "result": "accept"}, "result: "),
    "an id of another type": ("confirm", {"id": ["e-1"]}, "id: "),
    "a long id": ("why", {"id": "e" * 1_000}, "id: "),
    "what takes nothing": ("status", {"verbose": True}, "verbose: "),
    "a skill without a body": ("propose_skill", {**SKILL, "body": None}, "body: "),
    "a tool that is not there": ("accept", {"id": "skill-1"}, "There is no tool 'accept'"),
}


def test_arguments_are_taken_as_clients_send_them(server: Served) -> None:
    """Null is absent; whole floats, and numbers, switches and lists as text, are what they say."""
    sent: dict[str, Any] = {"text": ROOM, "kind": "schema", "problem": None, "evidence": None}
    kept = server("propose", **sent, entities='["t_room"]', everywhere="false", tags="[]")
    assert not kept.failed, kept.text
    for limit in ("5", 5.0, "5.0", None):
        found = server("recall", query="room_no", limit=limit, handles=None)
        assert not found.failed and "room_no" in found.text, (limit, found.text)
    for limit in (5.5, "1e400", "[" * 100_000, True):
        assert server("recall", query="room_no", limit=limit).failed


def test_wrong_arguments_are_refused_by_name(home: Home, server: Served) -> None:
    """Every field that is wrong is named; nothing is recorded, and the server goes on."""
    proposed(server)
    before = recorded(home)
    for case, (tool, given, said) in WRONG.items():
        found = server(tool, **given)
        assert found.failed and said in found.text, (case, found.text)
        assert 400 > len(found.text), case
    several = server("propose", text=1, kind=2, entities=3, problem=4, approach=5)
    assert "(and 2 more)" in several.text
    assert before == recorded(home)
    assert 1 == len(server("recall", query="t_room")["entries"])


def test_ten_megabytes_are_refused_and_nothing_is_lost(home: Home, server: Served) -> None:
    """As a text, in a list, as a field's name and as a tool's: a short answer, no echo of it."""
    name = proposed(server)
    before = recorded(home)
    for tool, given in (
        ("propose", {"text": HUGE, "kind": "schema"}),
        ("propose", {"problem": HUGE, "approach": HUGE}),
        ("propose", {"text": ROOM, "kind": "schema", "entities": ["t_room"] * 1_000_000}),
        ("propose_skill", {**SKILL, "body": HUGE}),
        ("recall", {"query": HUGE}),
        ("recall", {"query": "t_room", HUGE: 1}),
        ("confirm", {"id": name, "evidence": HUGE}),
        (HUGE, {}),
    ):
        said = server(tool, **given)
        assert said.failed and 400 > len(said.text), said.text[:600]
    assert before == recorded(home)
    assert [handle(name)] == [one["handle"] for one in server("recall", query="t_room")["entries"]]
    assert "" == server.errors


def test_a_damaged_ledger_is_said_in_each_answer(home: Home, server: Served) -> None:
    """The file is left as it is; once it is mended the same server works again."""
    home.remember()
    ledger, kept = home.path / "ledger.db", (home.path / "ledger.db").read_bytes()
    for path in home.path.glob("ledger.db*"):
        path.unlink()
    ledger.write_bytes(b"no database at all" * 1_000)
    for tool, given in (("recall", {"query": "gradle"}), ("status", {})):
        said = server(tool, **given)
        assert said.failed and "ledger.db" in said.text, said.text
    assert ledger.read_bytes().startswith(b"no database")
    ledger.write_bytes(kept)
    assert 1 == len(server("recall", query="gradle build")["entries"])


def test_a_home_that_cannot_be_used_is_said_in_each_answer(home: Home) -> None:
    """A file in its place, or settings that are none: the server stays, and works afterwards."""
    place = home.folder / "elsewhere"
    place.write_text("a file", "utf-8")
    with served(home, "--home", str(place)) as server:
        said = server("propose", text=ROOM, kind="schema")
        assert said.failed and "cannot be used as Learnt's home" in said.text
        place.unlink()
        place.mkdir()
        (place / "config.toml").write_text("[gates", "utf-8")
        said = server("status")
        assert said.failed and "config.toml" in said.text
        (place / "config.toml").unlink()
        proposed(server)


def test_another_home_in_its_place_is_noticed(home: Home, server: Served) -> None:
    """What was erased by hand is not brought back from an open file."""
    proposed(server)
    home.path.rename(home.folder / "gone")
    assert "entries" not in server("status").typed
    proposed(server)
    assert {"candidate": 1} == server("status")["entries"]


@pytest.mark.slow
def test_two_servers_share_a_home(home: Home) -> None:
    """Each sees what the other recorded, and both can write."""
    with served(home) as one, served(home, CLAUDE_CODE_SESSION_ID="other") as other:
        name = proposed(one)
        assert [handle(name)] == [
            e["handle"] for e in other("recall", query="t_room rooms")["entries"]
        ]
        more = [
            server("propose", text=f"t_order_{n}.amount holds cents, not euros", kind="schema")
            for n in range(5)
            for server in (one, other)
        ]
        assert not any(said.failed for said in more)
        assert one("status")["entries"] == other("status")["entries"]
    home.verify()


def test_a_call_that_waits_holds_up_no_other_message(home: Home, server: Served) -> None:
    """While another program holds the ledger all that only looks answers; the call ends later."""
    proposed(server)
    begun = threading.Event()

    def hold() -> None:
        path = home.path / "ledger.db"
        with closing(sqlite3.connect(path, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            begun.set()
            time.sleep(0.7)
            holder.execute("ROLLBACK")

    holding = threading.Thread(target=hold)
    holding.start()
    assert begun.wait(5)
    first, answer = server.during(
        "propose",
        text="t_guest.lock_reason is written by the room service alone",
        kind="schema",
    )
    holding.join()
    assert first
    assert "admit" == answer["verdict"], answer.text


def test_what_learnt_started_itself_records_nothing(home: Home) -> None:
    """An agent below a worker gets a reason instead."""
    with served(home, LEARNT_INSIDE="worker") as server:
        said = server("propose", text=ROOM, kind="schema")
    assert said.failed and "started by Learnt itself" in said.text
    assert not (home.path / "ledger.db").exists()


def spoken(home: Home, *messages: str) -> subprocess.Popen[str]:
    """A server that was sent these lines, without a client between."""
    told = parameters(home)
    process = subprocess.Popen(
        [told.command, *told.args], env=told.env, cwd=home.project, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert process.stdin is not None
    for line in messages:
        process.stdin.write(line + "\n")
    process.stdin.flush()
    return process


PING = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "ping"})


def test_each_line_that_is_no_request_gets_its_error(home: Home) -> None:
    """Broken JSON is a parse error without an id, another shape an invalid request with its own."""
    broken = ["{", "[" * 100_000, "\u0000", HUGE]
    lines = [*broken, "", '{"jsonrpc": 5, "id": "a"}', "[1]", PING]
    with spoken(home, *lines) as process:
        assert process.stdout is not None
        answers = [json.loads(process.stdout.readline()) for _ in range(len(broken) + 3)]
        output, errors = process.communicate(timeout=30)
    wrong = [(one["id"], one["error"]["code"]) for one in answers if "error" in one]
    assert [*[(None, -32700)] * 4, ("a", -32600), (None, -32600)] == wrong
    assert [{}] == [one["result"] for one in answers if one["id"] == 7]
    assert (0, "", "") == (process.returncode, output, errors)


def test_told_to_end_it_ends(home: Home) -> None:
    """By a signal as by the end of its input: with 0, without a word, the ledger whole."""
    home.remember()
    for number in (signal.SIGTERM, signal.SIGINT):
        with spoken(home, PING) as process:
            assert process.stdout is not None and process.stderr is not None
            process.stdout.readline()
            os.kill(process.pid, number)
            assert (0, "") == (process.wait(10), process.stderr.read())
    home.verify()


def test_without_the_sdk_it_says_what_to_install(home: Home) -> None:
    """Exit 5; every other command works."""
    code = "import sys; sys.modules['mcp'] = None; from learnt.surfaces.cli.entry import main; "
    for words, expected in ((["mcp"], 5), (["status"], 0)):
        done = subprocess.run(
            [sys.executable, "-c", f"{code}sys.argv = ['learnt', *{words}]; sys.exit(main())"],
            env=home.environment, cwd=home.project, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert expected == done.returncode, done.stderr
        assert (installing() in done.stderr) is (expected == 5)


def test_no_other_command_loads_the_sdk(home: Home) -> None:
    """It takes a second that nobody else is to wait for."""
    code = (
        "import sys; from learnt.surfaces.cli.commands import run; run(['status']); "
        "run(['mcp', '--help']); print(sorted({'mcp', 'pydantic', 'anyio'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=home.environment, cwd=home.project, capture_output=True,
        text=True, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "[]" == done.stdout.splitlines()[-1]
