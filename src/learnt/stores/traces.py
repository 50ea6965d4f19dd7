"""Copies of texts in the home's plain files: spooled reports, logs, backups, what was set aside."""

import json
from pathlib import Path
from typing import Final

from learnt.core.json_values import holds
from learnt.formats.learnings_md import LEARNINGS, PINNED, pinned
from learnt.stores.atomic import write_atomically
from learnt.stores.plain_files import bytes_of

_LARGEST: Final = 1 << 24
_FOLDERS: Final = ("spool", "aside", "logs", "backups")


class FileTraces:
    """The files of a home other than the ledger and the hook."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def erase_with(self, text: str | None) -> list[str]:
        erased = []
        for folder in _FOLDERS:
            for path in sorted((self._home / folder).glob("*")):
                if path.is_file() and (text is None or _in(path, text)):
                    path.unlink(missing_ok=True)
                    erased.append(f"{folder}/{path.name}")
        kept = self._pinned()
        if kept is not None and (text is None or holds(kept, text)):
            (self._home / LEARNINGS).unlink()
            erased.append(LEARNINGS)
        return erased

    def drop_caches(self) -> None:
        """Remove what is made anew when it is asked for, whatever it holds."""
        for path in (self._home / "cache").glob("*"):
            path.unlink(missing_ok=True)
        if (kept := self._pinned()) is not None:
            write_atomically(self._home / LEARNINGS, f"{PINNED}\n{kept}")

    def _pinned(self) -> str | None:
        """What people pinned in the file of learnings; None where there is no such file."""
        kept = bytes_of(self._home / LEARNINGS, _LARGEST)
        return None if kept is None else pinned(kept.decode("utf-8", "replace"))


def _in(path: Path, text: str) -> bool:
    content = path.read_bytes().decode("utf-8", "replace")
    # What was kept inside JSON inside JSON is escaped twice.
    return holds(content, text) or holds(content, json.dumps(text)[1:-1])
