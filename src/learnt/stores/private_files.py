"""Small private texts of the home: files that nobody else reads, passwords in a keyring as well."""

import hashlib
import importlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from learnt.stores.atomic import explained, write_atomically
from learnt.stores.plain_files import whole

_SERVICE: Final = "learnt"
_MISSING: Final = (FileNotFoundError, NotADirectoryError)


class DiskPrivateFiles:
    """Texts in files of one folder, for the user alone; no key is a part of a path."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> str | None:
        with explained(self._folder, "read"), suppress(*_MISSING, UnicodeDecodeError):
            return whole(self._path(key)).decode("utf-8")
        return None

    def write(self, key: str, text: str) -> str:
        path = self._path(key)
        with explained(self._folder, "written"):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A link put in its place would have the text written elsewhere.
            if path.is_symlink():
                path.unlink()
            write_atomically(path, text)
        return str(path)

    def remove(self, key: str) -> None:
        with explained(self._folder, "written"), suppress(*_MISSING):
            self._path(key).unlink()

    def all(self) -> Sequence[str]:
        texts = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError, UnicodeDecodeError):
                texts.append(whole(path).decode("utf-8"))
        return texts

    def erase(self, goes: Callable[[str], bool]) -> int:
        count = 0
        with explained(self._folder, "written"):
            # What is half written lies beside, under a name with a point before it.
            for path in self._folder.glob("*") if self._folder.is_dir() else ():
                # What is no plain file, a pipe for one, holds no text.
                held = path.read_bytes() if path.is_file() else b""
                if goes(held.decode("utf-8", "replace")):
                    path.unlink(missing_ok=True)
                    count += 1
        return count

    def _path(self, key: str) -> Path:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{digest[:40]}.json"


def systems_keyring() -> Any:
    """The system's keyring (None: without its package, or anything behind it)."""
    try:
        package = importlib.import_module("keyring")
        if package.get_keyring().priority < 1:  # the one that fails, or keeps plain text
            return None
    except (ImportError, AttributeError, RuntimeError, OSError):
        return None
    return package


class KeptPasswords:
    """Passwords of one home: in the keyring, or where that breaks (RuntimeError) in a file."""

    def __init__(self, folder: Path, keyring: Callable[[], Any]) -> None:
        self._folder, self._files, self._keyring = folder, DiskPrivateFiles(folder), keyring

    def read(self, name: str) -> str | None:
        password = self._files.read(name)
        if password is None and (keyring := self._keyring()) is not None:
            with suppress(RuntimeError, OSError):
                password = keyring.get_password(_SERVICE, self._label(name))
        return password

    def write(self, name: str, password: str) -> str:
        keyring = self._keyring()
        # It may be locked, or nobody there to unlock it: the file is for that.
        with suppress(RuntimeError, OSError):
            if keyring is not None:
                keyring.set_password(_SERVICE, self._label(name), password)
                self._files.remove(name)
                return "the system's keyring"
        return f"the file {self._files.write(name, password)} (mode 0600)"

    def remove(self, name: str) -> None:
        self._files.remove(name)
        keyring = self._keyring()
        if keyring is not None and self.read(name) is not None:
            keyring.delete_password(_SERVICE, self._label(name))

    def _label(self, name: str) -> str:
        return f"{self._folder}: {name}"
