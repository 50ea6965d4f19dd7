"""What is kept for oneself: private files and passwords, the real ones and the fake."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from learnt.core.safety import owned
from learnt.errors import EnvironmentTrouble
from learnt.file_ports import Passwords, PrivateFiles
from learnt.stores.private_files import DiskPrivateFiles, KeptPasswords
from tests.support.in_memory_files import InMemoryPrivateFiles

STRANGE = ["../x", "a`b'c\"", "订单", "a\x00b", "/etc/passwd", "", "x" * 5_000, "\ud800"]
SECRET = "hunter2 of the tests"


class RingInMemory:
    """A keyring, which can be locked."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, name: str) -> str | None:
        self._look()
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, password: str) -> None:
        self._look()
        self.kept[service, name] = password

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]

    def _look(self) -> None:
        if self.locked:
            raise RuntimeError("locked")


@pytest.fixture(params=["disk", "memory"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> PrivateFiles:
    return DiskPrivateFiles(tmp_path / "f") if request.param == "disk" else InMemoryPrivateFiles()


def with_keyring(folder: Path) -> Passwords:
    ring = RingInMemory()
    return KeptPasswords(folder, lambda: ring)


WAYS: dict[str, Callable[[Path], Passwords]] = {
    "file": lambda folder: KeptPasswords(folder, lambda: None),
    "keyring": with_keyring,
    "memory": lambda _: InMemoryPrivateFiles(),
}


@pytest.fixture(params=sorted(WAYS))
def passwords(request: pytest.FixtureRequest, tmp_path: Path) -> Passwords:
    return WAYS[request.param](tmp_path / "p")


def test_a_text_is_kept_under_any_key(files: PrivateFiles, tmp_path: Path) -> None:
    """Also where the key would lead out of the folder as a path."""
    assert (None, []) == (files.read("../x"), list(files.all()))
    for key in STRANGE:
        files.write(key, owned(f"of {key!r} 订单"))
    assert [f"of {key!r} 订单" for key in STRANGE] == [files.read(key) for key in STRANGE]
    assert len(STRANGE) == len(files.all())
    assert {tmp_path / "f"} >= {path for path in tmp_path.iterdir() if path.is_dir()}
    files.write("../x", owned("another"))
    assert "another" == files.read("../x")
    files.remove("../x")
    files.remove("../x")
    assert files.read("../x") is None


def test_a_password_is_kept_until_it_is_replaced_or_removed(passwords: Passwords) -> None:
    """Under each name its own."""
    assert passwords.read("main") is None
    said = passwords.write("main", SECRET)
    passwords.write("other", "of another")
    assert SECRET == passwords.read("main")
    assert SECRET not in said
    passwords.write("main", "newer")
    assert ("newer", "of another") == (passwords.read("main"), passwords.read("other"))
    passwords.remove("main")
    passwords.remove("main")
    assert (None, "of another") == (passwords.read("main"), passwords.read("other"))


def test_files_are_closed_to_others(tmp_path: Path) -> None:
    """The folder and each file in it; a link in a file's place is not written through."""
    files = DiskPrivateFiles(tmp_path / "f")
    place = Path(files.write("k", "v"))
    assert (0o600, 0o700) == tuple(
        stat.S_IMODE(path.stat().st_mode) for path in (place, place.parent)
    )
    place.unlink()
    place.symlink_to(tmp_path / "elsewhere")
    files.write("k", "v")
    assert not (tmp_path / "elsewhere").exists() and "v" == files.read("k")


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "f").write_text("", "utf-8")
    with pytest.raises(EnvironmentTrouble, match="Nothing was changed"):
        DiskPrivateFiles(tmp_path / "f").write("k", "v")


def test_what_the_keyring_keeps_is_in_no_file(tmp_path: Path) -> None:
    """And a locked keyring counts as none."""
    ring = RingInMemory()
    kept = KeptPasswords(tmp_path, lambda: ring)
    assert "the system's keyring" == kept.write("main", SECRET)
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file()]
    ring.locked = True
    assert kept.read("main") is None
    assert "mode 0600" in kept.write("main", SECRET)
    assert SECRET == kept.read("main")
    ring.locked = False
    kept.write("main", "newer")
    assert ("newer", []) == (kept.read("main"), [p for p in tmp_path.rglob("*") if p.is_file()])
