"""Files of other programs that Learnt edits: read whole, written whole, a backup kept."""

import hashlib
import os
from pathlib import Path

from learnt.errors import EnvironmentTrouble
from learnt.stores.atomic import write_atomically


class DiskTextFile:
    """One text file on disk. Its mode is kept; a link is followed."""

    def __init__(self, path: Path, backups: Path) -> None:
        self._path, self._backups = path, backups

    @property
    def name(self) -> str:
        """Its path."""
        return str(self._path)

    def read(self) -> str | None:
        """All of it, byte for byte as text, or None where there is no file."""
        try:
            with self._path.open(encoding="utf-8", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise EnvironmentTrouble(
                f"{self._path} cannot be read ({error}). It was left as it is."
            ) from error

    def write(self, text: str) -> None:
        """Replace it whole; folders above it are made."""
        try:
            # A link is followed, even one that leads to nothing yet.
            Path(os.path.realpath(self._path)).parent.mkdir(parents=True, exist_ok=True)
            mode = self._path.stat().st_mode & 0o777 if self._path.exists() else 0o600
            write_atomically(self._path, text, mode)
        except OSError as error:
            raise EnvironmentTrouble(
                f"{self._path} cannot be written ({error}). It was left as it is."
            ) from error

    def remove(self) -> None:
        """Remove it, if it is there."""
        Path(os.path.realpath(self._path)).unlink(missing_ok=True)

    def keep_backup(self, text: str) -> str:
        """Keep a text of it in the home's backups; the backup's name, the same for equal texts."""
        spoken = f"{self._path}\n{text}".encode("utf-8", "surrogateescape")
        name = f"{self._path.name}.{hashlib.sha256(spoken).hexdigest()[:16]}"
        path = self._backups / name
        if not path.exists():
            write_atomically(path, text)
        return name

    def backup(self, name: str) -> str | None:
        """A backup's text, or None where it is gone."""
        try:
            with (self._backups / Path(name).name).open(encoding="utf-8", newline="") as f:
                return f.read()
        except OSError:
            return None
