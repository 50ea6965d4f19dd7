"""Talking to a home's worker from the command line, and where its dashboard runs."""

import json
import os
import time
from pathlib import Path
from typing import NamedTuple

from learnt.formats.wire import Frame, encode
from learnt.surfaces import hook, hook_slow
from learnt.surfaces.listening import locked
from learnt.surfaces.worker import PING, STOP

_PATIENCE = 2.0
_COMING_UP = 20.0  # seconds that a worker may take on a busy machine, or one not yet compiled


class Card(NamedTuple):
    """A worker's word on itself."""

    pid: int
    version: str


def ping(home: Path, event: str = PING) -> Card | None:
    """The home's worker, or None where none answers."""
    if not (home / "run").is_dir():
        return None
    answer = hook.exchange(str(home), encode(Frame(event=event)), deadline=_PATIENCE)
    if isinstance(answer, str):
        return None
    card = json.loads(answer)
    return Card(pid=card["pid"], version=card["version"])


def start(home: Path) -> Card | None:
    """The home's worker, started where none was; None where it does not come up."""
    (home / "run" / "starting").unlink(missing_ok=True)
    card = ping(home)
    if card is not None:
        return card
    try:
        process = hook_slow.start_worker(str(home))
    except (OSError, ValueError):
        return None
    until = time.monotonic() + _COMING_UP
    over = False
    while card is None and not over and time.monotonic() < until:
        # Asked before the look at the answer: what it said before it left still counts.
        over = process is not None and _ended(process) and not _lives(home)
        card = ping(home)
        time.sleep(0.01)
    return card


def _ended(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG) != (0, 0)
    except ChildProcessError:
        return True


def stop(home: Path) -> Card | None:
    """Ask the worker to leave, and wait until it has; None where there was none."""
    card = ping(home, STOP)
    until = time.monotonic() + _PATIENCE
    while card is not None and time.monotonic() < until and _lives(home):
        time.sleep(0.01)
    return card


def _lives(home: Path) -> bool:
    """Whether some worker holds the home's lock; its process id may be a zombie's by now."""
    lock = locked(home)
    if lock is not None:
        os.close(lock)
    return lock is None
