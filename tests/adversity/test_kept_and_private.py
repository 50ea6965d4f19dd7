"""What was written outlives a power cut, and nobody else reads it or speaks to the worker."""

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType

import pytest

from learnt.bootstrap import opened
from learnt.core.sessions.observations import Observation
from learnt.errors import LedgerBusy
from learnt.formats.wire import Frame, encode
from learnt.settings import Settings
from learnt.stores.atomic import write_atomically
from learnt.stores.home_folder import prepare
from learnt.stores.spool import FileSpool
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.surfaces import hook_slow
from learnt.surfaces.worker_client import PING
from tests.support.homes import LEARNT, Home

SEEN = Observation(id="1", ms=7, event="Stop", session="s", cwd="/p", detail={})


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (lambda folder: FileSpool(folder).put(SEEN), "spool/1.json"),
        (lambda folder: hook_slow.put(str(folder / "spool"), "1", b"{}"), "spool/1.json"),
        (lambda folder: write_atomically(folder / "spool" / "kept", "text"), "spool/kept"),
    ],
    ids=["a report that waits", "a report of a hook's", "a file that is replaced"],
)
def test_a_file_is_on_the_disk_before_it_has_its_name_and_its_name_before_it_is_told(
    write: Callable[[Path], None], name: str, tmp_path: Path
) -> None:
    """The disk is told of the text under a passing name, and then of the folder."""
    named: list[bool] = []  # whether it had its name, each time that the disk was told

    def watch(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and called is os.fsync:
            named.append((tmp_path / name).exists())

    (tmp_path / "spool").mkdir()
    sys.setprofile(watch)
    try:
        write(tmp_path)
    finally:
        sys.setprofile(None)

    assert [False, True] == named


def test_a_ledger_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Whatever the shell lets others read of new files, and its journal is as well."""
    (tmp_path / "home").mkdir(mode=0o755)
    before = os.umask(0)
    try:
        with opened(Settings(home=tmp_path / "home")) as outside:
            outside.ledger.settle()
            files = [*(tmp_path / "home").glob("ledger.db*")]
            assert {"ledger.db", "ledger.db-wal"} <= {file.name for file in files}
            assert {0o600} == {file.stat().st_mode & 0o777 for file in files}
    finally:
        os.umask(before)


def test_all_that_a_home_holds_is_for_its_owner_alone(home: Home) -> None:
    """The hook's files, the index of skills and whatever else a day of work leaves there."""
    before = os.umask(0)
    try:
        home.install()
        home.prompt("remember: the staging gateway listens on port 8443")
        home.here("skills", "list")
    finally:
        os.umask(before)

    open_to_others = [path for path in home.path.rglob("*") if path.lstat().st_mode & 0o077]
    assert [] == [path for path in open_to_others if not path.is_symlink()]


def test_an_encoding_without_our_signs_ends_no_command(home: Home) -> None:
    """What it cannot write is spelled out."""
    environment = home.environment | {"PYTHONIOENCODING": "latin-1"}
    command = [str(LEARNT), "doctor"]
    said = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert b"Traceback" not in said.stderr and b"registration" in said.stdout


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o777])
def test_a_home_that_others_may_enter_is_shut(tmp_path: Path, mode: int) -> None:
    """Be they of its group or anybody."""
    prepare(tmp_path / "home")
    for folder in (tmp_path / "home", tmp_path / "home" / "run"):
        folder.chmod(mode)

    prepare(tmp_path / "home")

    for folder in (tmp_path / "home", tmp_path / "home" / "run"):
        assert 0o700 == folder.stat().st_mode & 0o777


def test_a_purge_says_so_where_somebody_reads_what_it_erases(tmp_path: Path) -> None:
    """Until they are done the journal may hold the texts still."""
    with opened(Settings(home=tmp_path / "home"), patience_ms=50) as outside:
        outside.ledger.settle()
        with closing(sqlite3.connect(tmp_path / "home" / FILE_NAME)) as another:
            another.execute("BEGIN")
            another.execute("SELECT count(*) FROM events").fetchone()
            with pytest.raises(LedgerBusy, match="may still hold them"):
                outside.ledger.scrub()
        outside.ledger.scrub()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_the_worker_hears_nobody_else(home: Home) -> None:
    """Not even one who can reach its socket: a prompt of theirs is neither kept nor answered."""
    home.remember()
    home.start_worker()
    heard = [told_by(home, user) for user in (0, 65_534)]

    assert [True, False] == heard


def told_by(home: Home, user: int) -> bool:
    """Whether the worker says who it is to a process of a user's."""
    (home.path / "run").chmod(0o711)
    (home.path / "run" / "worker.sock").chmod(0o666)
    child = os.fork()
    if child == 0:
        code = 2
        try:
            os.chdir(home.path / "run")
            message = encode(Frame(event=PING))
            os.setuid(user)
            with socket.socket(socket.AF_UNIX) as stranger:
                stranger.settimeout(20)
                stranger.connect("worker.sock")
                code = 1
                stranger.sendall(message)
                code = 0 if stranger.recv(100) else 1
        except ConnectionError:  # it was closed before it was heard
            pass
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code < 2, "the socket was not reached"
    return code == 0
