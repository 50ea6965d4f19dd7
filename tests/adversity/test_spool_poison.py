"""The spool: nothing in it blocks what comes after, nothing in it is taken twice."""

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from learnt.core.events import Kind
from tests.support.cases import first, nested
from tests.support.homes import LEARNT, Home, wait_until

Fault = Callable[[Path], None]
GOOD = {"event": "Stop", "session": "s0", "episode": "p0", "ms": 1}


def _writes(content: bytes) -> Fault:
    return lambda path: _put(path, content)


def _put(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _says(**fields: object) -> Fault:
    return _writes(json.dumps({**GOOD, **fields}).encode())


def _a_directory(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("x", encoding="utf-8")


def _a_loop(path: Path) -> None:
    path.symlink_to(path.name)


def _a_socket(path: Path) -> None:
    back = Path.cwd()
    with socket.socket(socket.AF_UNIX) as bound:
        os.chdir(path.parent)
        bound.bind(path.name)
        os.chdir(back)


UNREADABLE: dict[str, Fault] = {
    "not JSON": _writes(b"{event: Stop"),
    "half a report": _writes(json.dumps(GOOD).encode()[:-7]),
    "empty": _writes(b""),
    "binary": _writes(bytes(range(256))),
    "a list": _writes(b'["Stop"]'),
    "no event": _writes(b"{}"),
    "an event of the wrong type": _says(event=7),
    "huge": _writes(b'{"event": "' + b"x" * (20 << 20) + b'"}'),
    "deep": _writes(b"[" * 500_000),
    "a directory": _a_directory,
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a link to itself": _a_loop,
    "a link to a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a pipe": os.mkfifo,
    "a socket": _a_socket,
}
ODD: dict[str, Fault] = {
    "NaN": _writes(b'{"event": "Stop", "session": "n", "detail": {"a": NaN, "b": 1e999}}'),
    "a huge time": _says(ms=10**30),
    "a huge negative time": _says(ms=-(10**30)),
    "a huge size": _says(size=10**30, session="big"),
    "deep detail": _writes(
        json.dumps({**GOOD, "session": "deep", "detail": {"a": nested(900)}}).encode()
    ),
    "surrogates": _says(session="\ud800", episode="\udfff", cwd="/\udc80"),
    "NULs": _says(event="SessionStart", session="\x00", episode="\x00", cwd="/a\x00b"),
    "wrong types": _says(session=[], episode={}, cwd=3, detail="x", environment=[1], excerpt=None),
    "a folder too long": _says(event="SessionStart", session="long", cwd="/" + "x/" * 40_000),
    "calls of any kind": _says(
        event="PostToolBatch", session="calls", detail={"calls": [None, 1, {"id": []}, {"id": {}}]}
    ),
    "an environment of any kind": _says(
        event="SessionStart",
        session="env",
        environment={"CLAUDE_PROJECT_DIR": "\x00", "CLAUDE_PID": "-1", "a": 1, "\ud800": "\ud800"},
    ),
}
NAMES = [
    "json.json",
    "a b.json",
    "\udcff.json",
    "é新.json",
    "x" * 240 + ".json",
    "-rf.json",
    "'.json",
]


def good_report(home: Home, number: int) -> str:
    """Spool a report as a hook does, with a name that sorts last; its session."""
    session = f"good-{number}"
    said = {**GOOD, "session": session}
    (home.path / "spool" / f"{'f' * 13}-{number:016x}.json").write_text(
        json.dumps(said), encoding="utf-8"
    )
    return session


@pytest.mark.parametrize("by_worker", [True, False], ids=["worker", "command"])
def test_no_file_in_the_spool_blocks_the_ones_after_it(home: Home, by_worker: bool) -> None:
    """Whatever lies in the spool, the reports after it are taken in and it no longer waits."""
    spool = home.path / "spool"
    for kind, make in (UNREADABLE | ODD).items():
        for number in range(2):
            make(spool / f"0-{number}-{kind.replace(' ', '-')}.json")
    for name in NAMES:
        (spool / name).write_text(json.dumps({**GOOD, "session": name[:3]}), encoding="utf-8")
    sessions = [good_report(home, number) for number in range(3)]

    if by_worker:
        home.start_worker()
        home.drained()
    else:
        assert home.cli("status").exit_code == 0  # a process of its own: a pipe might stop it

    assert {one["session"] for one in home.inbox("Stop")} >= set(sessions)
    assert home.spooled() == []
    aside = {path.name for path in (home.path / "aside").iterdir()}
    for kind in UNREADABLE:
        name = kind.replace(" ", "-")
        assert {f"spool-0-{number}-{name}.json" for number in range(2)} <= aside, kind
    home.verify()


@pytest.mark.skipif(sys.platform != "linux", reason="memory can be kept small on Linux only")
def test_a_link_to_an_endless_device_is_not_read(home: Home) -> None:
    """A link to /dev/zero is set aside; with two gigabytes of memory that is no trouble at all."""
    (home.path / "spool" / "0.json").symlink_to("/dev/zero")
    session = good_report(home, 1)
    line = f"ulimit -v 2000000; exec {shlex.quote(str(LEARNT))} status"
    command = ["/bin/sh", "-c", line]
    done = subprocess.run(command, env=home.environment, capture_output=True, timeout=60)

    assert done.returncode == 0, done.stderr[-300:]
    assert home.inbox("Stop", session)


def test_what_can_be_read_of_an_odd_report_is_kept(home: Home) -> None:
    """A report with fields of wrong types is an observation, or set aside whole, never dropped."""
    for kind, make in ODD.items():
        make(home.path / "spool" / f"{kind.replace(' ', '-')}.json")
    home.take_in()

    aside = len(list((home.path / "aside").glob("spool-*")))
    assert len(home.inbox()) + aside == len(ODD)
    assert {"calls", "env", "long"} <= {one["session"] for one in home.inbox()}


def test_a_link_in_the_spool_leaves_what_it_points_at_alone(home: Home, tmp_path: Path) -> None:
    """A link to a file elsewhere goes from the spool unread; the file stays."""
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text(json.dumps(GOOD), encoding="utf-8")
    (home.path / "spool" / "0.json").symlink_to(elsewhere)
    home.take_in()

    assert json.loads(elsewhere.read_text("utf-8")) == GOOD
    assert [] == home.inbox()


def test_two_bad_files_of_one_name_are_both_kept_aside(home: Home) -> None:
    """What was set aside is not overwritten by the next file of its name, nor by a folder."""
    spool, aside = home.path / "spool", home.path / "aside"
    for content in (b"first", b"second"):
        (spool / "x.json").write_bytes(content)
        home.take_in()
    (spool / "x.json").mkdir()
    home.take_in()
    (spool / "x.json").write_bytes(b"third")
    home.take_in()

    kept = {path.read_bytes() for path in aside.iterdir() if path.is_file()}
    assert kept == {b"first", b"second", b"third"}


def test_the_spool_is_drained_though_the_folder_for_bad_files_is_gone(home: Home) -> None:
    """Without `aside` and `backups` the worker still takes in what it can read."""
    home.start_worker()
    for name in ("aside", "backups"):
        shutil.rmtree(home.path / name)
    (home.path / "spool" / "0.json").write_bytes(b"not JSON")
    session = good_report(home, 1)
    home.drained()

    assert home.inbox("Stop", session)


def test_a_spooled_file_seen_again_is_taken_once(home: Home) -> None:
    """A kill between commit and unlink leaves the file: taking it in again doubles nothing."""
    entry = home.remember()
    (home.path / "bin" / "worker.json").unlink()
    home.fire("SessionStart", home.payload("SessionStart", source="startup"))
    home.prompt()
    home.stop_turn()
    home.fire("SessionEnd", home.payload("SessionEnd", reason="other"))
    spool = home.path / "spool"
    kept = {path.name: path.read_bytes() for path in spool.glob("*.json")}
    assert len(kept) == 4

    home.take_in()
    first = (home.inbox(), home.rows("SELECT * FROM events"))
    for name, content in kept.items():
        (spool / name).write_bytes(content)
    for name, content in kept.items():
        # The very same report under another name: a second hook spooled it as well.
        (spool / f"f{name}").write_bytes(content)
    home.take_in()

    assert (home.inbox(), home.rows("SELECT * FROM events")) == first
    assert len(home.events(Kind.SESSION_STARTED)) == len(home.events(Kind.SESSION_ENDED)) == 1
    assert home.reused(entry) == 0
    home.verify()


def test_a_report_that_is_half_written_does_not_count(home: Home) -> None:
    """The hidden file of a hook killed while writing is not taken for a report."""
    (home.path / "spool" / ".0001-half").write_bytes(b'{"event": "Stop"')
    (home.path / "spool" / ".0002-half.json").write_bytes(b'{"event": "Stop"')
    home.take_in()

    assert home.inbox() == []
    assert list((home.path / "aside").iterdir()) == []


@pytest.mark.parametrize("folder", first(1, ["spool", "run", "logs"]))
def test_a_home_that_lost_a_folder_goes_on(home: Home, folder: str) -> None:
    """Tidied away by hand, the folder is rebuilt: reports arrive and a worker comes."""
    home.remember()
    shutil.rmtree(home.path / folder)

    home.prompt(session="first")
    home.fire("SessionStart", home.payload("SessionStart", "second", source="startup"))
    wait_until(lambda: home.worker() is not None, "the worker")
    asked = home.answered(session="second")
    home.drained()

    sessions = [one["session"] for one in home.inbox("UserPromptSubmit")]
    assert sessions == ["first"] + ["second"] * len(asked)


def test_a_damaged_launch_file_costs_no_report(home: Home) -> None:
    """Where the file that says how to start the worker is broken, hooks spool all the same."""
    count = 0
    for content in (b"", b"[]", b"{}", b"7", b'["/no/such/program"]', b"[1, 2]", b'["\\u0000"]'):
        (home.path / "bin" / "worker.json").write_bytes(content)
        for event in ("SessionStart", "UserPromptSubmit"):
            (home.path / "run" / "starting").unlink(missing_ok=True)
            home.fire(event, home.payload(event, f"s{count}", prompt="what now then"))
            count += 1

    assert len(home.spooled()) == count
    home.take_in()
    assert len(home.inbox()) == count


def test_a_launch_mark_from_the_future_does_not_keep_the_worker_away(home: Home) -> None:
    """A mark left by a clock that was years ahead is no reason not to start a worker."""
    mark = home.path / "run" / "starting"
    mark.touch()
    os.utime(mark, (4_000_000_000, 4_000_000_000))

    home.fire("SessionStart", home.payload("SessionStart", source="startup"))

    wait_until(lambda: home.worker() is not None, "the worker")
