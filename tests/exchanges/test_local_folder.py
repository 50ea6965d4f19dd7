"""Skills of folders and archives of this machine."""

import os
from pathlib import Path

import pytest

from learnt.errors import EnvironmentTrouble, NotFound, Refused, UsageError
from learnt.exchanges.sources import fetch as fetch_any
from learnt.exchanges.sources import from_folder as fetch
from tests.support.scripted_registry import zipped

TEXT = b"---\nname: a\ndescription: b\n---\nDo.\n"


def put(folder: Path, **files: bytes) -> Path:
    """A folder with these files; `__` in a name is a slash, `_` before `md` a dot."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_md", ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_a_folder_is_taken_with_all_its_files(tmp_path: Path) -> None:
    """But for what git and Python left in it."""
    folder = put(tmp_path / "a", SKILL_md=TEXT, scripts__x=b"1", __pycache____y=b"2")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x", "utf-8")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"x")
    fetched = fetch(folder)
    assert ("a", "local") == (fetched.name, fetched.kind)
    assert {"SKILL.md", "scripts/x"} <= set(fetched.files)
    assert not [path for path in fetched.files if path.startswith((".git", "__pycache__"))]


def test_an_archive_and_a_single_file_are_sources_too(tmp_path: Path) -> None:
    """The skill may lie in a folder of the archive."""
    (tmp_path / "a.zip").write_bytes(zipped({"a/SKILL.md": TEXT, "a/x": b"1"}))
    (tmp_path / "one.md").write_bytes(TEXT)
    assert {"SKILL.md": TEXT, "x": b"1"} == fetch(tmp_path / "a.zip").files
    assert ("one", {"SKILL.md": TEXT}) == fetch(tmp_path / "one.md")[2:4]


def test_of_several_skills_one_must_be_named(tmp_path: Path) -> None:
    """The message has the folders."""
    put(tmp_path / "s", a__SKILL_md=TEXT, b__SKILL_md=TEXT)
    with pytest.raises(Refused, match=r"2 skills.*SOURCE#FOLDER: a, b"):
        fetch(tmp_path / "s")
    assert "b" == fetch_any(f"{tmp_path}/s#b", "").name
    with pytest.raises(NotFound):
        fetch(tmp_path / "s", "c")


def test_links_are_findings(tmp_path: Path) -> None:
    """To files, to folders, and round in a loop: nothing is read through one."""
    folder = put(tmp_path / "a", SKILL_md=TEXT)
    (folder / "secret").symlink_to("/etc/passwd")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    fetched = fetch(folder)
    assert {} == fetched.files
    assert {"secret", "loop", "pipe"} == {finding.path for finding in fetched.findings}


def test_a_hundred_megabytes_are_refused_unread(tmp_path: Path) -> None:
    """As a file of a folder, and as an archive."""
    folder = put(tmp_path / "a", SKILL_md=TEXT)
    for path in (folder / "model.bin", tmp_path / "b.zip"):
        with path.open("wb") as file:
            file.truncate(100_000_000)
    for source in (folder, tmp_path / "b.zip"):
        assert ["too-large"] == [finding.rule for finding in fetch(source).findings]


def test_what_is_not_there_or_no_source_is_said(tmp_path: Path) -> None:
    """Each with what is wrong."""
    with pytest.raises(NotFound, match="no folder, archive"):
        fetch(tmp_path / "gone")
    with pytest.raises(NotFound, match=r"no SKILL\.md"):
        fetch(put(tmp_path / "empty", x=b""))
    with pytest.raises(UsageError, match="no folder, archive"):
        fetch_any("what is this", "")
    with pytest.raises((EnvironmentTrouble, NotFound)):
        fetch(Path("/proc/1/root/x\0y"))
