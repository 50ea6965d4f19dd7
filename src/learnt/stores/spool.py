"""The spool: one file an observation, put there by a rename, gone once the ledger holds it."""

import os
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from learnt.core.records import canonical
from learnt.core.sessions.observations import Observation, from_json
from learnt.formats.observations import lenient
from learnt.stores.atomic import write_atomically
from learnt.stores.plain_files import bytes_of

_SUFFIX: Final = ".json"
LARGEST: Final = 1024 * 1024
MOST_WAITING: Final = 5_000  # as the hook has it: beyond that a report is not kept, and counted
UNKEPT: Final = "logs/unkept"  # a byte for each


def unkept(home: Path) -> int:
    """How many reports were not kept: the spool was full, or Learnt was not installed."""
    path = home / UNKEPT
    return path.stat().st_size if path.is_file() else 0


class FileSpool:
    """The spool folder of a home."""

    def __init__(self, home: Path) -> None:
        self._folder, self._aside = home / "spool", home / "aside"
        self._unkept = home / UNKEPT

    def put(self, observation: Observation) -> None:
        path = self._folder / (observation.id + _SUFFIX)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if sum(1 for _ in os.scandir(self._folder)) >= MOST_WAITING:
            with self._unkept.open("ab") as file:
                file.write(b".")
            return
        write_atomically(path, canonical(asdict(observation)).encode("utf-8", "replace").decode())

    def waiting(self, limit: int) -> list[str]:
        try:
            names = [entry.name for entry in os.scandir(self._folder)]
        except FileNotFoundError:
            return []
        ready = sorted(name for name in names if name.endswith(_SUFFIX) and name[0] != ".")
        return [name.removesuffix(_SUFFIX) for name in ready[:limit]]

    def read(self, name: str) -> Observation | None:
        # A link may lead anywhere.
        data = bytes_of(self._folder / (name + _SUFFIX), LARGEST, os.O_NOFOLLOW)
        return from_json(lenient((data or b"").decode("utf-8", "replace")), name)

    def done(self, name: str) -> None:
        (self._folder / (name + _SUFFIX)).unlink(missing_ok=True)

    def set_aside(self, name: str) -> None:
        path = self._folder / (name + _SUFFIX)
        if not os.path.lexists(path):
            return
        self._aside.mkdir(mode=0o700, exist_ok=True)
        target, number = self._aside / f"spool-{name}{_SUFFIX}", 1
        while os.path.lexists(target):
            number += 1
            target = self._aside / f"spool-{name}-{number}{_SUFFIX}"
        path.rename(target)
