"""What a shelf of skills promises: whole folders, and a stamp that tells when one changed."""

import os
from pathlib import Path

import pytest

from learnt.stores.skill_shelf import DiskSkillShelf

SHELF = DiskSkillShelf()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A skill of two files and a link."""
    place = tmp_path / "pdf"
    (place / "references").mkdir(parents=True)
    (place / "SKILL.md").write_text("Fill.", "utf-8")
    (place / "references" / "forms.md").write_text("Forms.", "utf-8")
    (place / "more.md").symlink_to("SKILL.md")
    return place


def test_files_are_given_by_their_paths(folder: Path) -> None:
    """A link as where it leads; without what is no part of a skill; None for nothing there."""
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"1")
    expected = {"SKILL.md": b"Fill.", "references/forms.md": b"Forms.", "more.md": b"SKILL.md"}
    assert expected == SHELF.files(str(folder))
    assert SHELF.files(f"{folder}/gone") is None
    assert {} == SHELF.files(f"{folder}/SKILL.md")


def test_the_stamp_is_another_once_a_file_was_written(folder: Path) -> None:
    """In place or again, with as many bytes and an older time; whatever comes or goes too."""
    seen = [SHELF.stamp(str(folder))]
    file = folder / "references" / "forms.md"
    assert seen == [SHELF.stamp(str(folder))]

    def changed() -> bool:
        seen.append(SHELF.stamp(str(folder)))
        return seen[-1] not in seen[:-1]

    written = file.stat()
    file.write_text("Other.", "utf-8")
    os.utime(file, ns=(written.st_atime_ns, written.st_mtime_ns))
    assert changed()
    (folder / "more").write_text("Forms.", "utf-8")
    (folder / "more").replace(file)
    assert changed()
    (folder / "new.md").touch()
    assert changed()
    (folder / "more.md").unlink()
    assert changed()
    assert SHELF.stamp(f"{folder}/gone") is None


def test_what_is_no_part_of_a_skill_is_in_no_stamp(folder: Path) -> None:
    """What running its script leaves."""
    seen = SHELF.stamp(str(folder))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"1")
    assert seen == SHELF.stamp(str(folder))
