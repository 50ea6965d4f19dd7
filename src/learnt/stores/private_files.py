"""Small files below the home that nobody else reads, named by a digest of what they are about."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from learnt.stores.atomic import explained, write_atomically


class DiskPrivateFiles:
    """Texts in one folder, mode 0700, each in a file of its own, mode 0600.

    A key is somebody else's word, such as a table's name: it never becomes a part of a path.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> str | None:
        """The text under a key; None where there is none that can be read as text."""
        missing = (FileNotFoundError, NotADirectoryError, UnicodeDecodeError)
        with explained(self._folder, "read"), suppress(*missing):
            return self._path(key).read_text(encoding="utf-8")
        return None

    def write(self, key: str, text: str) -> str:
        """Keep a text under a key, in place of what was there; the file's path."""
        path = self._path(key)
        with explained(self._folder, "written"):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A link put in its place would have the text written elsewhere.
            if path.is_symlink():
                path.unlink()
            write_atomically(path, text)
        return str(path)

    def remove(self, key: str) -> None:
        """Forget what is under a key, if anything."""
        missing = (FileNotFoundError, NotADirectoryError)
        with explained(self._folder, "written"), suppress(*missing):
            self._path(key).unlink()

    def all(self) -> Sequence[str]:
        """Every text that is kept, in no order."""
        texts = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError, UnicodeDecodeError):
                texts.append(path.read_text(encoding="utf-8"))
        return texts

    def _path(self, key: str) -> Path:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{digest[:40]}.json"
