"""The door to a text model: a lock file of the home, which a killed process leaves open."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from learnt.errors import Refused
from learnt.stores.atomic import explained

PATIENCE: Final = 60.0  # seconds; a model has as many by default
_PAUSE: Final = 0.05
BUSY: Final = "Another call of a model is still under way. Nothing was sent: try again later."


class FileModelDoor:
    """The lock of a home."""

    def __init__(self, home: Path, *, patience: float = PATIENCE) -> None:
        self._path, self._patience = home / "run" / "model.lock", patience

    @contextmanager
    def passed(self) -> Iterator[None]:
        with explained(self._path, "opened"):
            descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            until = time.monotonic() + self._patience
            while not _taken(descriptor):
                if time.monotonic() > until:
                    raise Refused(BUSY)
                time.sleep(_PAUSE)
            yield
        finally:
            os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
