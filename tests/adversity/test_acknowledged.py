"""What was acknowledged is on the disk: the system calls of real processes, in their order."""

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.homes import APPROACH, LEARNT, PROBLEM, Home, wait_until

CALLS = "fsync,fdatasync,rename,renameat,renameat2,write,pwrite64,unlink,exit_group"
WRITTEN, SYNCED = r"write\S*\(\d+<.*/ledger\.db-wal>", r"sync\(\d+<.*/ledger\.db-wal>"


def strace(log: Path, *words: str) -> list[str]:
    """A command that notes its calls with the paths of what they touch."""
    told = ("-f", "-y", "-qq", "-s", "300", "-e", f"trace={CALLS}", "-o", str(log))
    return ["strace", *told, *words]


@pytest.fixture(autouse=True)
def traceable(tmp_path: Path) -> None:
    """Skips where strace is not installed, or may not trace."""
    trial = strace(tmp_path / "trial", "true")
    if shutil.which("strace") is None or subprocess.run(trial, check=False).returncode != 0:
        pytest.skip("strace is not installed, or may not trace: what is synced cannot be seen")


def found(log: Path, wanted: str) -> list[int]:
    """The numbers of the lines with a call of that pattern."""
    lines = log.read_text("utf-8", "replace").splitlines()
    return [number for number, line in enumerate(lines) if re.search(wanted, line)]


def in_order(log: Path, *wanted: str) -> bool:
    """Whether each of the calls is there, the last of each before the last of the next."""
    lasts = [max(found(log, each), default=-1) for each in wanted]
    return -1 not in lasts and lasts == sorted(lasts)


def is_synced_before(log: Path, then: str) -> bool:
    """Whether the journal is synced between its last write before a call, and that call."""
    until = found(log, then)[0]
    written = [number for number in found(log, WRITTEN) if number < until]
    synced = [number for number in found(log, SYNCED) if number < until]
    return bool(written) and max(synced, default=-1) > written[-1]


def ran(home: Home, log: Path, *words: str) -> None:
    """Call `learnt` and note its system calls."""
    subprocess.run(
        strace(log, str(LEARNT), *words),
        env=home.environment,
        cwd=home.project,
        check=True,
        stdout=subprocess.PIPE,
    )


@pytest.mark.parametrize("event", ["SessionEnd", "UserPromptSubmit"])
def test_a_spooled_report_is_on_the_disk_before_its_hook_ends(home: Home, event: str) -> None:
    """The file is synced before it gets its name, its name before the hook is over."""
    (home.path / "bin" / "worker.json").unlink()
    log = home.folder / "calls"
    command = strace(log, "/bin/sh", "-c", home.command(event))
    subprocess.run(command, input=b'{"session_id": "s", "prompt": "so"}', check=True)

    assert in_order(
        log,
        r"write\(\d+<.*/spool/\.",
        r"fsync\(\d+<.*/spool/\.",
        r"rename\(.*/spool/\.",
        r"fsync\(\d+</[^>]*/spool>",
        r"exit_group",
    )


ACKNOWLEDGED: dict[str, Sequence[str]] = {
    "remember": ("remember", "--problem", PROBLEM, "--approach", APPROACH),
    "import": ("import", "many.jsonl"),
}


@pytest.mark.parametrize("what", ACKNOWLEDGED)
def test_what_a_command_acknowledges_is_on_the_disk(home: Home, what: str) -> None:
    """The ledger's journal is synced after its last write and before a word is said."""
    log, many = home.folder / "calls", home.project / "many.jsonl"
    many.write_text(json.dumps({"problem": PROBLEM, "approach": APPROACH}), encoding="utf-8")
    ran(home, log, *ACKNOWLEDGED[what])

    assert is_synced_before(log, r"write\(1<")


def test_a_spooled_report_goes_once_the_ledger_holds_it_on_the_disk(home: Home) -> None:
    """No file of the spool is removed before the journal with what it held is synced."""
    (home.path / "bin" / "worker.json").unlink()
    home.fire("Stop", home.payload("Stop"))
    log = home.folder / "calls"
    ran(home, log, "status")

    assert is_synced_before(log, r"unlink\(.*/spool/[^.]")


def test_what_a_worker_was_told_is_on_the_disk_once_no_hook_waits(home: Home) -> None:
    """The answer is not held up: the journal is synced right after it."""
    log = home.folder / "calls"
    command = [sys.executable, "-I", "-m", "learnt.surfaces.worker", "--home", str(home.path)]
    with subprocess.Popen(strace(log, *command), env=home.environment) as worker:
        try:
            wait_until(lambda: home.worker() is not None, "a worker that is traced")
            home.prompt("Why does the parser choke on it again?")
            what = "a journal that is synced after its last write"
            wait_until(lambda: in_order(log, WRITTEN, SYNCED), what)
        finally:
            home.here("worker", "stop")
            worker.send_signal(signal.SIGTERM)
