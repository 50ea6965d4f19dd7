"""Passwords: in the system's keyring where there is one, else in a file of mode 0600."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from learnt.stores.private_files import DiskPrivateFiles

_SERVICE: Final = "learnt"


class Keyring(Protocol):
    """What is used of the package `keyring`."""

    def get_password(self, service: str, name: str) -> str | None:
        """The password, or None."""

    def set_password(self, service: str, name: str, password: str) -> None:
        """Keep it."""

    def delete_password(self, service: str, name: str) -> None:
        """Forget it."""


def systems_keyring() -> Keyring | None:
    """The system's keyring, if its package is installed and something stands behind it."""
    try:
        package = importlib.import_module("keyring")
        if package.get_keyring().priority < 1:  # the one that fails, or keeps plain text
            return None
    except (ImportError, AttributeError, RuntimeError, OSError):
        return None
    keyring: Keyring = package
    return keyring


class KeptPasswords:
    """Passwords of one home; the keyring is looked for when it is needed.

    A keyring that is locked or breaks (its errors are RuntimeErrors) counts as none: then the file
    is asked. What is kept in one of the two is removed from the other.
    """

    def __init__(self, folder: Path, keyring: Callable[[], Keyring | None]) -> None:
        self._folder, self._files, self._keyring = folder, DiskPrivateFiles(folder), keyring

    def read(self, name: str) -> str | None:
        """The password under a name; None where there is none."""
        kept = self._files.read(name)
        if kept is not None:
            return kept
        keyring = self._keyring()
        try:
            return None if keyring is None else keyring.get_password(_SERVICE, self._label(name))
        except (RuntimeError, OSError):
            return None

    def write(self, name: str, password: str) -> str:
        """Keep a password under a name, in place of another; where it lies, in words."""
        keyring = self._keyring()
        try:
            if keyring is not None:
                keyring.set_password(_SERVICE, self._label(name), password)
                self._files.remove(name)
                return "the system's keyring"
        except (RuntimeError, OSError):
            pass  # locked, or nobody there to unlock it: the file is for that
        return f"the file {self._files.write(name, password)} (mode 0600)"

    def remove(self, name: str) -> None:
        """Forget what is under a name, if anything."""
        self._files.remove(name)
        keyring = self._keyring()
        if keyring is not None and self.read(name) is not None:
            keyring.delete_password(_SERVICE, self._label(name))

    def _label(self, name: str) -> str:
        return f"{self._folder}: {name}"
