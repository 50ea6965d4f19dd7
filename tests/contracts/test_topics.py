"""Topic files: what their port promises."""

from pathlib import Path

import pytest

from learnt.errors import EnvironmentTrouble, Refused
from learnt.file_ports import Topics
from learnt.stores.topic_files import DiskTopics


@pytest.fixture
def topics() -> Topics:
    """Topic files on disk."""
    return DiskTopics()


def test_a_file_is_made_changed_and_read_to_the_byte(topics: Topics, tmp_path: Path) -> None:
    """Line ends and bytes that are no text included; what was not there was None."""
    path, text = f"{tmp_path}/a/rooms.md", "x\r\ny \udcff\n\n"
    assert topics.read(path) is None
    seen: list[str | None] = []

    def edit(held: str | None) -> str:
        seen.append(held)
        return text

    topics.change(path, edit)
    topics.change(path, edit)
    assert ([None, text], text) == (seen, topics.read(path))


def test_topics_are_listed_without_the_index(topics: Topics, tmp_path: Path) -> None:
    """From the folder on, sorted, through folders below it; other files are none."""
    for name in ("b.md", "a.md", "deep/c.md", "_index.md", "deep/_index.md", "d.txt"):
        topics.change(f"{tmp_path}/{name}", lambda held: "x")
    assert ["a.md", "b.md", "deep/c.md"] == list(topics.files(str(tmp_path)))


def test_an_edit_that_fails_changes_nothing(topics: Topics, tmp_path: Path) -> None:
    """The file is as it was, and may be changed again."""
    path = f"{tmp_path}/a.md"
    topics.change(path, lambda held: "before")

    def fail(held: str | None) -> str:
        raise Refused("no")

    with pytest.raises(Refused):
        topics.change(path, fail)
    assert "before" == topics.read(path)
    topics.change(path, lambda held: "after")


def test_links_and_folders_are_left_alone(tmp_path: Path) -> None:
    """Neither listed, nor written through; a folder of that name is no file."""
    topics, real = DiskTopics(), tmp_path / "real.md"
    real.write_text("mine", "utf-8")
    (tmp_path / "topics").mkdir()
    link = tmp_path / "topics" / "link.md"
    link.symlink_to(real)
    (tmp_path / "topics" / "folder.md").mkdir()
    assert [] == list(topics.files(str(tmp_path / "topics")))
    with pytest.raises(Refused):
        topics.change(str(link), lambda held: "x")
    with pytest.raises((Refused, EnvironmentTrouble)):
        topics.read(str(tmp_path / "topics" / "folder.md"))
    assert "mine" == real.read_text("utf-8")
