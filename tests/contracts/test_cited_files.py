"""Cited files: what the real part and the shipped fake promise alike."""

import os
from pathlib import Path

import pytest

from learnt.ports import Outside
from learnt.stores.plain_files import LARGEST_CITED as LARGEST
from learnt.stores.plain_files import DiskCitedFiles
from tests.support.in_memory_files import InMemoryCitedFiles


@pytest.fixture(params=["on disk", "in memory"])
def outside(request: pytest.FixtureRequest, outside: Outside, in_dictionaries: Outside) -> Outside:
    return outside if request.param == "on disk" else in_dictionaries


class Root:
    """A project's root with files, on the disk or in memory."""

    def __init__(self, outside: Outside, folder: Path) -> None:
        self.port, self.folder = outside.cited_files, folder

    def put(self, path: str, held: bytes = b"text\n", *, beside: bool = False) -> None:
        """A file, below the root or beside it."""
        place = self.folder.parent / path if beside else self.folder / path
        if isinstance(self.port, InMemoryCitedFiles):
            self.port.files[str(place)] = held
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(held)

    def link(self, path: str, to: Path) -> None:
        """A link below the root."""
        if isinstance(self.port, InMemoryCitedFiles):
            self.port.links[str(self.folder / path)] = str(to)
        else:
            self.folder.mkdir(exist_ok=True)
            (self.folder / path).symlink_to(to)

    def read(self, path: str) -> str | None:
        """What the port reads there."""
        return self.port.read(str(self.folder), path)

    def stamp(self, path: str) -> str | None:
        """What the port has as its stamp."""
        return self.port.stamp(str(self.folder), path)

    def alike(self, path: str) -> list[str]:
        """What the port finds alike."""
        return list(self.port.alike(str(self.folder), path))


@pytest.fixture
def root(outside: Outside, tmp_path: Path) -> Root:
    """An empty one."""
    return Root(outside, tmp_path / "root")


def test_a_text_below_the_root_is_read(root: Root) -> None:
    """In whatever bytes: what is no UTF-8 is replaced."""
    root.put("src/a.py", b"a = '\xff'\r\n")
    assert "a = '\ufffd'\r\n" == root.read("src/a.py")


@pytest.mark.parametrize(
    "path", ["none.py", "src", "", "../beside.py", "/etc/hostname", "src/../a.py", "a\x00b", "."]
)
def test_what_is_no_file_below_the_root_is_not_there(root: Root, path: str) -> None:
    """No file, a folder, a way out of the root, no path at all."""
    root.put("src/a.py")
    root.put("a.py")
    root.put("beside.py", beside=True)
    assert None is root.read(path)


@pytest.mark.parametrize("held", [b"\x7fELF\x00\x01", b"a" * (LARGEST + 1)], ids=["binary", "huge"])
def test_what_is_no_plain_text_is_not_there(root: Root, held: bytes) -> None:
    """Bytes that are no text, and more of it than anybody would cite."""
    root.put("a.py", held)
    assert None is root.read("a.py")


def test_a_link_is_followed_within_the_root_alone(root: Root) -> None:
    """A file or a folder that a link names outside of the root is not there."""
    root.put("a.py")
    root.put("beside/b.py", beside=True)
    root.link("inner.py", root.folder / "a.py")
    root.link("outer.py", root.folder.parent / "beside" / "b.py")
    root.link("outer", root.folder.parent / "beside")
    assert "text\n" == root.read("inner.py")
    assert (None, None) == (root.read("outer.py"), root.read("outer/b.py"))


def test_a_stamp_tells_that_a_file_was_written(root: Root) -> None:
    """Even where as much of something else is in it now; what can't be read has none."""
    root.put("a.py", b"one\n")
    root.put("beside.py", beside=True)
    root.link("outer.py", root.folder.parent / "beside.py")
    before = root.stamp("a.py")
    assert before == root.stamp("a.py") is not None
    root.put("a.py", b"two\n")
    assert before != root.stamp("a.py") is not None
    assert [None] * 4 == [root.stamp(p) for p in ("none.py", "../beside.py", "outer.py", "src")]


def test_a_file_that_is_gone_may_be_one_of_its_name_or_suffix(root: Root) -> None:
    """Its name first, then its suffix, the nearest first; itself and what is left out never."""
    for path in ("a/b.py", "b.py", "x/y/b.py", "a/c.py", "x/d.py", "a/b.md",
                 "node_modules/b.py", ".git/b.py"):  # fmt: skip
        root.put(path)
    assert ["b.py", "x/y/b.py", "a/c.py", "x/d.py"] == root.alike("a/b.py")
    assert [] == root.alike("../b.py")


def test_the_look_for_it_is_bounded(tmp_path: Path) -> None:
    """However many files there are, few are looked at; links and their targets are not."""
    for number in range(900):
        (tmp_path / f"{number:03}.py").touch()
    (tmp_path / "zz").mkdir()
    (tmp_path / "zz" / "gone.py").touch()
    (tmp_path / "000link.py").symlink_to(tmp_path / "001.py")
    found = DiskCitedFiles().alike(str(tmp_path), "gone.py")
    assert 24 == len(found)
    assert not {"zz/gone.py", "000link.py"} & set(found)


def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    """One in a cited file's place is no text."""
    os.mkfifo(tmp_path / "a.py")
    assert None is DiskCitedFiles().read(str(tmp_path), "a.py")
