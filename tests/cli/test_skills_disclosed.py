"""A skill is shown as deep as it is asked for: its text, the list of its files, one of them."""

import os
from pathlib import Path

import pytest

from tests.cli.test_skills_api import put
from tests.support.homes import Home


@pytest.fixture
def folder(home: Home) -> Path:
    """A skill of the project with other files beside its own."""
    folder = put(home.project / ".agents" / "skills", "drains").parent
    (folder / "scripts" / "__pycache__").mkdir(parents=True)
    (folder / "scripts" / "x.py").write_text("print('drained')\n", "utf-8")
    (folder / "scripts" / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    (folder / "logo.png").write_bytes(b"\x89PNG\xff")
    return folder


def listed(home: Home) -> dict[str, int]:
    """The other files of the skill with their sizes."""
    files = home.here("skills", "show", "drains", "--json").json["files"]
    return {file["path"]: file["size"] for file in files}


def test_other_files_are_listed_and_shown_one_by_one(home: Home, folder: Path) -> None:
    """By their paths below its folder; what running a script leaves is none of them."""
    assert {"logo.png": 5, "scripts/x.py": 17} == listed(home)
    assert "17 bytes  --file scripts/x.py" in home.here("skills", "show", "drains").output
    words = ("skills", "show", "drains", "--file", "scripts/x.py")
    assert "print('drained')\n" == home.here(*words).output
    assert "print('drained')\n" == home.here(*words, "--json").json["text"]


def test_nothing_outside_of_its_folder_is_shown(home: Home, folder: Path) -> None:
    """By a path that leads out, an absolute one, a link; a pipe is no file."""
    secret = home.folder / "secret.txt"
    secret.write_text("hidden", "utf-8")
    (folder / "linked.txt").symlink_to(secret)
    (folder / "elsewhere").symlink_to(home.folder)
    (folder / "again.py").symlink_to("scripts/x.py")
    os.mkfifo(folder / "pipe")
    assert {"logo.png", "scripts/x.py", "again.py"} == set(listed(home))
    out = os.path.relpath(secret, folder)
    for path in (out, str(secret), "linked.txt", "elsewhere/secret.txt", "pipe", "scripts"):
        said = home.here("skills", "show", "drains", "--file", path)
        assert 3 == said.exit_code and "hidden" not in said.output
        assert "Its other files: again.py, logo.png, scripts/x.py" in said.errors


def test_what_is_no_text_or_too_large_is_refused(home: Home, folder: Path) -> None:
    """With its size."""
    (folder / "large.txt").write_text("x" * 200_001, "utf-8")
    for path, why in (("logo.png", "no text: 5 bytes"), ("large.txt", "has 200,001 bytes")):
        said = home.here("skills", "show", "drains", "--file", path)
        assert 1 == said.exit_code and why in said.errors


def test_files_of_a_skill_that_was_tampered_with_are_withheld(home: Home, folder: Path) -> None:
    """Whichever of its files was changed."""
    source = folder.rename(home.folder / "drains")
    assert 0 == home.typed("skills", "install", str(source), answers=["y"])[0]
    words = ("skills", "show", "drains", "--file", "scripts/x.py")
    assert 0 == home.here(*words).exit_code
    (folder / "logo.png").write_bytes(b"another")
    said = home.here(*words)
    assert 1 == said.exit_code and "drains is withheld: it differs" in said.errors
