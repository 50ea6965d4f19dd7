"""Talking to a home's worker from the command line: is it there, start it, stop it."""

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from learnt.formats.wire import Frame, encode
from learnt.surfaces import hook, hook_slow
from learnt.surfaces.worker import PING, STOP, locked

_PATIENCE = 2.0


@dataclass(frozen=True, slots=True)
class Card:
    """A worker's word on itself."""

    pid: int
    version: str


def _ask(home: Path, event: str) -> Card | None:
    answer = hook.exchange(str(home), encode(Frame(event=event)), deadline=_PATIENCE)
    if isinstance(answer, str):
        return None
    said = json.loads(answer)
    return Card(pid=said["pid"], version=said["version"])


def ping(home: Path) -> Card | None:
    """The home's worker, or None where none answers."""
    return _ask(home, PING) if (home / "run").is_dir() else None


def start(home: Path) -> Card | None:
    """The home's worker, started where none was; None where it does not come up."""
    # Who asks for it need not wait until a hook would try again.
    (home / "run" / "starting").unlink(missing_ok=True)
    hook_slow.start_and_wait(str(home))
    return ping(home)


def stop(home: Path) -> Card | None:
    """Ask the worker to leave, and wait until it has; None where there was none."""
    if not (home / "run").is_dir():
        return None
    card = _ask(home, STOP)
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
