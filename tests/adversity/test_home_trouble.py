"""Homes that are missing, full, read-only, somebody's file, or oddly named."""

import json
import os
import resource
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from learnt.core.events import Kind
from tests.support.answers import Fired
from tests.support.cases import first
from tests.support.disks import small_disk
from tests.support.homes import (
    APPROACH,
    PROMPT,
    Home,
    recorded,
    skip,
    throwaway,
    until_told,
    wait_until,
)

PROMPTED = "UserPromptSubmit"
EVENTS = ("SessionStart", PROMPTED, "PostToolBatch", "Stop", "SessionEnd")
NAMES = [
    """it's "quoted" $HOME $(touch x) `touch y` ${z}  two spaces""",
    "a;b&c|d>e<f*g?h[i]\\back %41 #hash ?mark=1 =a,b:c~",
    "-n --home",
    "新しい家-дом-🏠-e\u0301-" + "x" * 120,
]


def fire_all(home: Home, session: str = "s1") -> None:
    """A short session, none of whose hooks may say anything."""
    for event in EVENTS:
        payload = home.payload(event, session, prompt="what now then", source="startup")
        assert home.fire(event, payload).output == b""


@pytest.mark.parametrize("name", first(1, NAMES))
def test_a_home_of_any_name_works(
    home_at: Callable[[Path, str], Home], tmp_path: Path, name: str
) -> None:
    """Init, hooks, worker, doctor and uninstall work whatever the home's path looks like."""
    home = home_at(tmp_path, name)
    assert home.here("init").exit_code == 0
    settings = home.config / "settings.json"
    home.remember()
    home.fire("SessionStart", home.payload("SessionStart", source="startup"))
    wait_until(lambda: home.worker() is not None, "the worker")
    asked = home.answered()
    home.fire("SessionEnd", home.payload("SessionEnd", reason="other"))
    home.drained()
    assert [one["event"] for one in home.inbox() if one["event"] != "Late"] == [
        "SessionStart",
        *[PROMPTED] * len(asked),
        "SessionEnd",
    ]
    probes = home.here("doctor", "--json").json["probes"]
    # That no agent is above these hooks is told, and so.
    bad = [probe["name"] for probe in probes if probe["level"] != "ok"]
    assert bad == ["by people"]

    assert home.here("uninstall").exit_code == 0
    assert not settings.exists()
    assert not any(part.name in {"x", "y"} for part in tmp_path.rglob("*"))


def test_a_home_with_a_path_longer_than_a_socket_may_have_works(
    home_at: Callable[[Path, str], Home], tmp_path: Path
) -> None:
    """Socket paths end at 108 bytes; the home may lie far deeper."""
    home = home_at(tmp_path.joinpath(*["deep-" + "d" * 60] * 4), "home")
    assert len(str(home.path)) > 250
    home.remember()
    home.start_worker()
    home.answered()


def test_a_missing_home_costs_nothing_and_is_not_made(home: Home) -> None:
    """Hooks of a home that was deleted end silently and do not bring it back."""
    shutil.rmtree(home.path)
    fire_all(home)

    assert not home.path.exists()


def test_a_home_deleted_under_a_hook_is_not_made_again(home: Home) -> None:
    """A hook that waits for its answer while the home goes away does not bring it back."""
    os.kill(home.start_worker(), signal.SIGSTOP)
    running = [home.begin("UserPromptSubmit") for _ in range(3)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write(json.dumps(home.payload(PROMPTED, prompt=PROMPT)).encode())
        process.stdin.close()
    time.sleep(0.08)
    home.path.rename(home.folder / "gone")
    for process in running:
        assert process.wait(10) == 0
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            assert stream.read() == b""
            stream.close()

    assert not home.path.exists()


@pytest.mark.parametrize("what", first(1, ["file", "link to nowhere", "folder under a file"]))
def test_where_the_home_cannot_be_a_folder(home: Home, what: str) -> None:
    """Hooks end silently; a command says what is wrong with which path, without a traceback."""
    shutil.rmtree(home.path)
    if what == "file":
        home.path.write_text("mine", encoding="utf-8")
    elif what == "link to nowhere":
        home.path.symlink_to(home.folder / "nowhere" / "deeper")
    else:
        home.path = home.project / "file" / "home"
        home.path.parent.write_text("mine", encoding="utf-8")
    fire_all(home)
    for words in (("status",), ("init",), ("remember", "--problem", "a b", "--approach", "c d")):
        said = home.here(*words)
        assert said.exit_code == 5, said
        assert str(home.path) in said.errors
        assert "--home" in said.errors
    assert not (home.config / "settings.json").exists()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    with small_disk(tmp_path, 2_048) as point:
        yield point


@pytest.fixture
def on_disk(disk: Path) -> Iterator[Home]:
    """A home on a small file system of its own, with an entry in it; its worker stopped."""
    with throwaway(disk) as home:
        home.remember()
        yield home


def test_a_read_only_home_lets_every_prompt_through(on_disk: Home, disk: Path) -> None:
    """Nothing can be written: hooks end silently, commands exit 5 and say so."""
    remount(disk, "ro")
    fire_all(on_disk)
    for words in (("status",), ("recall", "gradle"), ("purge", "--everything")):
        said = on_disk.here(*words, typed="purge everything\n")
        assert said.exit_code == 5, said
        assert str(on_disk.path) in said.errors
    on_disk.here("doctor")

    remount(disk, "rw")
    on_disk.start_worker()
    on_disk.answered(session="after")
    on_disk.verify()


def remount(point: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", str(point)], check=True)


def fill(disk: Path, *, leave: int = 0) -> Path:
    """Fill the file system but for so many pages; the file to remove."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096) == 4096:
                pass
        except OSError:
            pass
        file.truncate(max(0, file.tell() - leave * 4096))
    return filler


@pytest.mark.parametrize("running", first(1, [True, False]))
def test_a_full_disk_lets_every_prompt_through(on_disk: Home, disk: Path, running: bool) -> None:
    """With no room at all hooks end silently; with room again everything works."""
    on_disk.start_worker() if running else None
    on_disk.prompt("what is the weather like", "before")
    filler = fill(disk)
    fire_all(on_disk, "during")
    for words in (("status",), ("remember", "--problem", "Some odd one", "--approach", "Some way")):
        said = on_disk.here(*words)
        assert said.exit_code in {0, 5}, said
    filler.unlink()

    on_disk.start_worker()
    on_disk.answered(session="after")
    on_disk.drained()
    sessions = [one["session"] for one in on_disk.inbox(PROMPTED)]
    assert "before" in sessions
    assert "after" in sessions
    on_disk.verify()


@pytest.mark.parametrize("pages", first(1, [40, 0, 5, 20, 80, 120, 160, 200, 240]))
def test_a_purge_on_a_nearly_full_disk_says_what_is_so(
    on_disk: Home, disk: Path, pages: int
) -> None:
    """Either no byte of it is left, or nothing was changed, as it says."""
    with closing(sqlite3.connect(on_disk.path / "ledger.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = dump(on_disk)
    filler = fill(disk, leave=pages)
    said = on_disk.purge("--everything")
    filler.unlink()

    assert said.exit_code in {0, 5}, said
    left = [
        p for p in on_disk.path.rglob("*") if p.is_file() and APPROACH.encode() in p.read_bytes()
    ]
    if said.exit_code == 5:
        assert ("Nothing was changed" in said.errors, dump(on_disk)) == (True, before), said
    assert bool(left) == (said.exit_code == 5)
    assert on_disk.purge("--everything").exit_code == 0


def dump(home: Home) -> list[tuple[Any, ...]]:
    return [*home.rows("SELECT id FROM events"), *home.rows("SELECT * FROM contents")]


def test_a_purge_under_a_limit_of_file_sizes_changes_nothing(home: Home) -> None:
    """What a file may not grow to counts like a full disk."""
    home.remember()
    before, limits = dump(home), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, limits[1]))
    try:
        said = home.purge("--everything")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (said.exit_code, "Nothing was changed" in said.errors) == (5, True), said
    assert dump(home) == before


@pytest.mark.parametrize("pages", first(1, [1, 2, 3]))
def test_a_report_for_which_there_is_half_the_room_is_whole_or_absent(
    on_disk: Home, disk: Path, pages: int
) -> None:
    """On a disk with a few kilobytes left no report is kept in part, and no rubbish is left."""
    (on_disk.path / "bin" / "worker.json").unlink()
    (on_disk.path / "logs" / "hook-errors.log").touch()
    filler = fill(disk, leave=pages)
    for number in range(4):
        on_disk.prompt("数据库连接池" * 400, f"s{number}")
    filler.unlink()

    left = [path.name for path in (on_disk.path / "spool").iterdir()]
    assert [name for name in left if name.startswith(".")] == []
    waiting = len(on_disk.spooled())
    on_disk.take_in()
    assert list((on_disk.path / "aside").iterdir()) == []
    assert len(on_disk.inbox(PROMPTED)) == waiting
    if waiting < 4:
        # What could not be kept was written down, as far as there was room.
        assert {error["error"] for error in on_disk.hook_errors()} <= {
            "OSError",
            "FileNotFoundError",
        }


def test_a_working_folder_that_is_gone_is_no_matter(home: Home) -> None:
    """A hook started in a folder that was deleted meanwhile reports like any other."""
    home.remember()
    home.start_worker()
    gone = home.folder / "gone"
    hook = home.command(PROMPTED)
    line = f"mkdir {gone} && cd {gone} && rmdir {gone} && {{ {hook}; }}"

    def asked(session: str) -> Fired:
        return home.fire(PROMPTED, home.payload(PROMPTED, session, prompt=PROMPT), command=line)

    for session in ("s1", "s2"):
        until_told(partial(asked, session))
    home.drained()
    # Each of them once: a recall that came too late is taken back, of the session and the entry.
    late = len(home.events(Kind.NOT_DELIVERED)) // 2
    assert len(home.events(Kind.RECALLED)) - late == 2


def test_a_working_folder_that_may_not_be_read_is_no_matter(home: Home) -> None:
    """A hook started where one may pass but not look around is answered, and reports."""
    home.remember()
    home.start_worker()
    closed = home.folder / "closed"
    closed.mkdir()
    line = f"cd {shlex.quote(str(closed))} && {home.command(PROMPTED)}"
    if os.geteuid() == 0:
        # Root may read everything, unless it gives that up and the folder is another's.
        if shutil.which("setpriv") is None:
            skip("root cannot be kept out of a folder without setpriv")
        os.chown(closed, 65_534, 65_534)
        less = "-dac_override,-dac_read_search"
        words = ["setpriv", f"--bounding-set={less}", f"--inh-caps={less}", "sh", "-c", line]
        line = shlex.join(words)
    closed.chmod(0o711 if os.geteuid() == 0 else 0o311)
    until_told(lambda: home.fire(PROMPTED, home.payload(PROMPTED, prompt=PROMPT), command=line))
    closed.chmod(0o700)

    assert home.hook_errors() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="another user's folder can be made by root only")
def test_a_home_of_another_user_is_refused(home: Home) -> None:
    """A home that belongs to somebody else is not used; the message says whose it is."""
    os.chown(home.path, 65_534, 65_534)
    said = home.cli("status")

    assert said.exit_code == 5
    assert "belongs to user 65534" in said.errors


def test_a_home_that_was_open_to_others_is_closed(home: Home) -> None:
    """Whatever mode folders, key and ledger had, afterwards only the user can look into them."""
    home.remember()
    for path in (home.path, home.path / "run"):
        path.chmod(0o777)
    for path in (home.path / "key", *home.path.glob("ledger.db*")):
        path.chmod(0o644)
    home.start_worker()
    home.prompt()
    home.fire("SessionEnd", recorded("SessionEnd"))
    home.drained()

    assert home.path.stat().st_mode & 0o077 == 0
    closed = {"run", "run/worker.sock", "run/worker.lock", "ledger.db", "key", "logs/worker.log"}
    for name in closed:
        path = home.path / name
        if path.exists():
            assert path.stat().st_mode & 0o077 == 0, name
