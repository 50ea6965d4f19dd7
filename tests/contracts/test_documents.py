"""What any documents promise: files below a root, read and written by what they were."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from learnt.core.governance.proposals import text_hash
from learnt.core.safety import owned
from learnt.errors import Conflict, LearntError, Refused
from learnt.file_ports import Documents
from learnt.stores.text_files import DiskDocuments
from tests.support.in_memory_files import InMemoryDocuments

NEW = text_hash(None)
TARGET = "skills/locks/SKILL.md"


@dataclass
class Shelf:
    """Documents, and a folder to keep them in."""

    documents: Documents
    root: str

    def put(self, target: str = TARGET, text: str = "text") -> str:
        """A new file, and its whole path."""
        path = f"{self.root}/{target}"
        self.documents.write(path, owned(text), NEW)
        return path


@pytest.fixture(params=["on disk", "in memory"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    """An empty shelf, each kind of it."""
    if request.param == "in memory":
        return Shelf(InMemoryDocuments(), "/somewhere/root")
    root = tmp_path.resolve() / "root"
    root.mkdir()
    return Shelf(DiskDocuments(), str(root))


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (TARGET, TARGET),
        ("a.md", "a.md"),
        ("..a/b..md", "..a/b..md"),
        ("锁/文件.md", "锁/文件.md"),
    ],
)
def test_a_target_is_a_path_below_the_root(shelf: Shelf, target: str, expected: str) -> None:
    """Whether anything is there or not; looking at it makes nothing."""
    assert f"{shelf.root}/{expected}" == shelf.documents.whole(shelf.root, target)
    assert shelf.documents.read(f"{shelf.root}/{expected}") is None


@pytest.mark.parametrize(
    "target",
    [
        "",
        "..",
        "../a",
        "a/../b",
        "a/..",
        "skills/../../a",
        "/etc/passwd",
        "/",
        "a\x00b",
        "\x00",
        "./a.md",
        "a//b.md",
        "a/",
        "a\nb",
        "a\x1b[2J",
    ],
)
def test_what_is_not_below_the_root_is_refused(shelf: Shelf, target: str) -> None:
    """Whatever leads up, starts elsewhere, or is no name at all."""
    with pytest.raises(Refused):
        shelf.documents.whole(shelf.root, target)


@pytest.mark.parametrize(
    ("there", "target"),
    [
        ("Skills/locks/SKILL.md", TARGET),
        ("skills/Locks/SKILL.md", TARGET),
        ("skills/locks/skill.md", TARGET),
        ("STRASSE/a.md", "straße/a.md"),
    ],
)
def test_a_name_that_differs_by_case_alone_is_refused(
    shelf: Shelf, there: str, target: str
) -> None:
    """On some disks it would be the same file; the same spelling is welcome."""
    shelf.put(there)

    with pytest.raises(Refused):
        shelf.documents.whole(shelf.root, target)
    assert f"{shelf.root}/{there}" == shelf.documents.whole(shelf.root, there)


@pytest.mark.parametrize("place", ["skills", "skills/locks", TARGET])
def test_nothing_is_reached_through_a_link(shelf: Shelf, place: str) -> None:
    """Be it a folder on the way or the file itself."""
    assert shelf.documents.link(f"{shelf.root}/{place}", f"{shelf.root}/elsewhere")

    with pytest.raises(Refused):
        shelf.documents.whole(shelf.root, TARGET)
    assert f"{shelf.root}/other/a.md" == shelf.documents.whole(shelf.root, "other/a.md")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "a\nb\n",
        "a\r\nb\r",
        "锁🙂",
        "\ufefftext",
    ],
)
def test_a_text_is_read_as_it_was_written(shelf: Shelf, text: str) -> None:
    """Byte for byte, line ends and what is no UTF-8 included; folders are made on the way."""
    path = shelf.put(text=text)

    assert text == shelf.documents.read(path)


def test_where_nothing_is_nothing_is_read(shelf: Shelf) -> None:
    """None, which an empty file is not; nor is there a file below a file."""
    path = shelf.put()

    assert shelf.documents.read(f"{shelf.root}/other") is None
    assert shelf.documents.read(f"{path}/below") is None


def test_a_file_is_no_folder(shelf: Shelf) -> None:
    """Nothing is written below it, and it stays."""
    path = shelf.put()
    with pytest.raises(LearntError):
        shelf.documents.write(f"{path}/below", owned("new"), NEW)

    assert "text" == shelf.documents.read(path)


def test_a_folder_and_a_link_are_no_texts(shelf: Shelf) -> None:
    """They are neither read, nor written, nor removed."""
    path = shelf.put()
    folder, link = path.rpartition("/")[0], f"{shelf.root}/link"
    shelf.documents.link(link, folder)
    for place in (folder, link):
        with pytest.raises(Refused):
            shelf.documents.read(place)
        with pytest.raises(Refused):
            shelf.documents.write(place, owned("new"), NEW)
        with pytest.raises(Refused):
            shelf.documents.remove(place, NEW)

    assert "text" == shelf.documents.read(path)


def test_a_file_is_replaced_if_it_is_what_was_seen(shelf: Shelf) -> None:
    """Whole, as often as the last text is known."""
    path = shelf.put()
    shelf.documents.write(path, owned("second, longer"), text_hash("text"))
    shelf.documents.write(path, owned("3"), text_hash("second, longer"))

    assert "3" == shelf.documents.read(path)


@pytest.mark.parametrize("expected", [NEW, text_hash(""), text_hash("other"), text_hash("text\n")])
def test_a_file_that_changed_meanwhile_is_left(shelf: Shelf, expected: str) -> None:
    """Neither replaced nor removed."""
    path = shelf.put()
    with pytest.raises(Conflict):
        shelf.documents.write(path, owned("new"), expected)
    with pytest.raises(Conflict):
        shelf.documents.remove(path, expected)

    assert "text" == shelf.documents.read(path)


def test_a_file_that_is_gone_is_not_written_anew(shelf: Shelf) -> None:
    """What was expected is not there, and nothing is made in its place, not even a folder."""
    path = f"{shelf.root}/{TARGET}"
    with pytest.raises(Conflict):
        shelf.documents.write(path, owned("new"), text_hash("text"))
    with pytest.raises(Conflict):
        shelf.documents.remove(path, text_hash("text"))

    assert shelf.documents.read(path) is None
    assert shelf.documents.link(f"{shelf.root}/skills", f"{shelf.root}/elsewhere")


def test_a_file_is_removed_with_its_empty_folder(shelf: Shelf) -> None:
    """The name is free again, for a link as well."""
    path = shelf.put()
    shelf.documents.remove(path, text_hash("text"))

    assert shelf.documents.read(path) is None
    assert shelf.documents.link(path.rpartition("/")[0], f"{shelf.root}/elsewhere")


def test_a_file_may_be_removed_without_its_folder(shelf: Shelf) -> None:
    """A project that held nothing else stays where it is."""
    path = shelf.put()
    shelf.documents.remove(path, text_hash("text"), folder=False)

    assert shelf.documents.read(path) is None
    shelf.documents.write(path, owned("again"), NEW)
    assert "again" == shelf.documents.read(path)


def test_a_folder_that_holds_more_is_kept(shelf: Shelf) -> None:
    """The files beside it are not ours to remove."""
    path, other = shelf.put(), shelf.put("skills/locks/notes.md", "mine")
    shelf.documents.remove(path, text_hash("text"))

    assert (None, "mine") == (shelf.documents.read(path), shelf.documents.read(other))
    assert not shelf.documents.link(path.rpartition("/")[0], f"{shelf.root}/elsewhere")


def test_what_is_not_there_is_removed_without_a_word(shelf: Shelf) -> None:
    """If nothing was expected to be there."""
    shelf.documents.remove(f"{shelf.root}/{TARGET}", NEW)

    assert shelf.documents.read(f"{shelf.root}/{TARGET}") is None


def test_a_link_is_put_once(shelf: Shelf) -> None:
    """Again is no error; to elsewhere it is not turned."""
    folder, other = (f"{shelf.root}/skills/{name}" for name in ("locks", "other"))
    place = f"{shelf.root}/.claude/skills/locks"

    assert shelf.documents.link(place, folder)
    assert shelf.documents.link(place, folder)
    assert not shelf.documents.link(place, other)
    assert not shelf.documents.unlink(place, other)
    assert shelf.documents.unlink(place, folder)


@pytest.mark.parametrize("there", ["locks", "locks/SKILL.md"])
def test_a_link_takes_nobodys_place(shelf: Shelf, there: str) -> None:
    """A file and a folder of that name stay, and are not unlinked."""
    path, folder = shelf.put(there), f"{shelf.root}/skills/locks"

    assert not shelf.documents.link(f"{shelf.root}/locks", folder)
    assert not shelf.documents.unlink(f"{shelf.root}/locks", folder)
    assert "text" == shelf.documents.read(path)


def test_an_unlinked_place_is_free(shelf: Shelf) -> None:
    """The folder it led to is untouched; a second time there is nothing to take away."""
    path = shelf.put()
    folder, place = path.rpartition("/")[0], f"{shelf.root}/link"
    shelf.documents.link(place, folder)

    assert shelf.documents.unlink(place, folder)
    assert not shelf.documents.unlink(place, folder)
    assert "text" == shelf.documents.read(path)
    assert shelf.documents.link(place, f"{shelf.root}/elsewhere")


def test_files_are_named_one_folder_below(shelf: Shelf) -> None:
    """In order, of that name alone, neither higher nor deeper, through no link."""
    for target in ("b/SKILL.md", "a/SKILL.md", "SKILL.md", "c/d/SKILL.md", "e/other.md"):
        shelf.put(target)
    shelf.documents.link(f"{shelf.root}/linked", f"{shelf.root}/a")
    shelf.documents.link(f"{shelf.root}/e/SKILL.md", f"{shelf.root}/a")

    expected = [f"{shelf.root}/a/SKILL.md", f"{shelf.root}/b/SKILL.md"]
    assert expected == list(shelf.documents.named(shelf.root, "SKILL.md"))


def test_a_root_that_is_not_there_names_nothing(shelf: Shelf) -> None:
    """Nor does a file, and neither is an error."""
    shelf.put("a.md")

    assert [] == list(shelf.documents.named(f"{shelf.root}/missing", "SKILL.md"))
    assert [] == list(shelf.documents.named(f"{shelf.root}/a.md", "SKILL.md"))
