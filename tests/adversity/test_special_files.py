"""Homes whose files are pipes, devices, folders, far too large, edited or gone."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from learnt.settings import CONFIG
from learnt.surfaces import hook_slow
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


@pytest.mark.parametrize("what", ["pipe", "device", "huge"])
def test_what_lies_in_place_of_a_kept_file_is_told_or_purged(home: Home, what: str) -> None:
    """The note of what was installed is told, exit 5; what a domain kept goes with a purge."""
    home.remember()
    note, kept = home.path / "installed.json", home.path / "database" / "connections" / "x.json"
    note.unlink(missing_ok=True)
    kept.parent.mkdir(parents=True)
    INSTEAD[what](note)
    INSTEAD[what](kept)
    for words in (("init",), ("uninstall",)):
        said = home.here(*words)
        assert (said.exit_code, f"{note} cannot be read" in said.errors) == (5, True), said
    assert "Traceback" not in home.here("doctor").errors
    home.purge("--everything")
    assert not os.path.lexists(kept)


def test_a_pipe_as_the_agents_settings_is_told(home: Home) -> None:
    """Nothing is put in its place, and doctor goes on."""
    settings = home.config / "settings.json"
    settings.unlink(missing_ok=True)
    settings.parent.mkdir(exist_ok=True)
    os.mkfifo(settings)
    said = home.here("init")
    assert (said.exit_code, "no plain file" in said.errors) == (5, True), said
    assert stat.S_ISFIFO(settings.stat().st_mode)
    assert "no agent calls Learnt" in home.here("doctor").output


@pytest.mark.parametrize("what", ["pipe", "device", "huge"])
def test_a_log_that_is_no_log_holds_no_doctor_up(home: Home, what: str) -> None:
    """Of a log its end alone is read, and only of a plain file."""
    (home.path / "logs" / "hook-errors.log").unlink(missing_ok=True)
    INSTEAD[what](home.path / "logs" / "hook-errors.log")
    tracemalloc.start()
    try:
        said = home.here("doctor")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "Traceback" not in said.output + said.errors
    assert most < 40 << 20


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


WORKER = ("-I", "-m", "learnt.surfaces.worker", "--home")
COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "another command": lambda _: ["/bin/sh", "-c", "touch ran"],
    "other words": lambda _: [sys.executable, "-c", "1"],
    "another interpreter": lambda home: ["/bin/true", *WORKER, home],
}


@pytest.mark.parametrize("what", COMMANDS)
def test_an_edited_worker_command_is_not_run(home: Home, what: str) -> None:
    """What a home's file names is compared, the interpreter too, before it is started."""
    file = home.path / "bin" / "worker.json"
    file.write_text(json.dumps(COMMANDS[what](str(home.path))))
    with pytest.raises(ValueError, match="no worker of this home"):
        hook_slow.start_worker(str(home.path))
    assert "edited, or of another version: worker.json" in home.here("doctor").output


def test_a_hook_starts_no_interpreter_that_a_file_names(home: Home) -> None:
    """The hook in a home knows the interpreter that installed it, whatever stands in the file."""
    ran, spy = home.folder / "ran", home.folder / "python"
    spy.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(ran))}\n", encoding="utf-8")
    spy.chmod(0o700)
    file = home.path / "bin" / "worker.json"
    file.write_text(json.dumps([str(spy), *WORKER, str(home.path)]), encoding="utf-8")
    home.prompt()
    assert [path.suffix for path in (home.path / "spool").iterdir()] == [".json"]
    assert not ran.exists()


def test_edited_hook_files_are_told_kept_and_replaced(home: Home) -> None:
    """Doctor and status tell it before and after; each worker that starts puts ours back."""
    folder = home.path / "bin"
    slow, strange = folder / "learnt_hook_slow.py", folder / "json.py"
    ours = slow.read_text("utf-8")
    slow.write_text("# edited\n" + ours, encoding="utf-8")
    strange.write_text("# nobody's\n", encoding="utf-8")
    assert "2 of its files were edited" in home.here("status").output
    (line,) = [x for x in home.here("doctor").output.splitlines() if "hook files" in x]
    assert "learnt_hook_slow.py, json.py" in line
    home.here("worker", "stop")
    home.here("worker", "start")

    kept = {path.read_text("utf-8")[:9] for path in (home.path / "aside").glob("hook-*")}
    assert (slow.read_text("utf-8"), strange.exists(), kept) == ((
        ours,
        False,
        {"# edited\n", "# nobody'"},
    ))
    assert "2 of its files were edited" in home.here("status").output
    (line,) = [x for x in home.here("doctor").output.splitlines() if "hook files" in x]
    assert "edited ones were replaced: hook-json.py-" in line
    for path in (home.path / "aside").glob("hook-*"):
        path.unlink()
    assert "were edited" not in home.here("status").output
    assert "as this version has them\n" in home.here("doctor").output


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
