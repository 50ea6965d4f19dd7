"""Homes whose files are pipes, devices, folders, far too large, edited or gone."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from learnt.settings import CONFIG
from learnt.surfaces import hook_slow
from tests.support.cases import first
from tests.support.homes import APPROACH, LEARNT, Home


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50 << 20)


INSTEAD: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
    "huge": huge,
}


@pytest.mark.parametrize("name", ["ledger.db", "key", CONFIG])
@pytest.mark.parametrize("what", INSTEAD)
def test_what_is_no_file_of_ours_is_told_at_once(home: Home, what: str, name: str) -> None:
    """Soon, exit 5, one line that names it: nothing waits, and nothing is read for ever."""
    home.remember()
    (home.path / name).unlink(missing_ok=True)
    INSTEAD[what](home.path / name)
    started = time.monotonic()
    said = home.cli("recall", "gradle")
    assert time.monotonic() - started < 10, "a hang"
    assert (said.exit_code, str(home.path / name) in said.errors) == (5, True), said
    assert len(said.errors.splitlines()) == 1


@pytest.mark.parametrize("name", ["bin/worker.json", "logs/worker.log", "LEARNINGS.md"])
def test_a_pipe_elsewhere_holds_nobody_up(home: Home, name: str) -> None:
    """A hook and a purge go on."""
    home.remember()
    (home.path / name).unlink(missing_ok=True)
    os.mkfifo(home.path / name)
    assert home.prompt().seconds < 10
    home.purge("--everything")


def test_a_lost_key_is_told_and_no_new_one_is_made(home: Home) -> None:
    """Exit 5 with what to do, doctor says it too; with the key back all is found."""
    home.remember()
    key = home.path / "key"
    kept = key.read_bytes()
    key.unlink()
    for words in (("status",), ("recall", "gradle")):
        said = home.here(*words)
        assert (said.exit_code, "from a backup" in said.errors) == (5, True), said
    told = home.here("doctor")
    assert (1, True) == (told.exit_code, f"{key} is gone" in told.output), told
    assert not key.exists()
    key.write_bytes(kept)
    assert APPROACH in home.here("recall", "gradle class file version").output


@pytest.mark.parametrize("words", first(1, [["/bin/sh", "-c", "touch ran"], ["{}", "-c", "1"]]))
def test_an_edited_worker_command_is_not_run(home: Home, words: list[str]) -> None:
    """The command that a home's file names is compared before it is started; doctor names it."""
    file = home.path / "bin" / "worker.json"
    own = json.loads(file.read_text())
    file.write_text(json.dumps([word.format(own[0]) for word in words]))
    with pytest.raises(ValueError, match="no worker of this home"):
        hook_slow.start_worker(str(home.path))
    assert "edited, or of another version: worker.json" in home.here("doctor").output


def test_few_descriptors_are_told_in_a_line(home: Home) -> None:
    """However few a process may have: the answer, or exit 5 and one line."""
    home.remember()
    codes = []
    for most in (6, 7, 9, 60):
        line = f"ulimit -n {most}; exec {shlex.quote(str(LEARNT))} recall 'gradle class file'"
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            env=home.environment,
            cwd=home.project,
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        assert len(done.stderr.splitlines()) == int(done.returncode != 0), done.stderr.decode()
        codes.append(done.returncode)
    assert (codes[-1], set(codes)) == (0, {0, 5})


def test_what_a_command_makes_is_the_owners_alone(home: Home) -> None:
    """Whatever the umask: folders 0700, files 0600."""
    shutil.rmtree(home.path)
    before = os.umask(0)
    try:
        home.remember()
        home.here("status")
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [home.path, *home.path.rglob("*")]}
    assert [path for path, mode in modes.items() if mode & 0o077] == []
