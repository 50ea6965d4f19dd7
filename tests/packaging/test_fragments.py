"""The changes that wait in `changelog.d/`: each of a known kind, and told by towncrier."""

import re
import subprocess
import sys
import tomllib
from collections import Counter

import pytest

from tools.release import ROOT

FOLDER = ROOT / "changelog.d"
TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
KINDS = [kind["directory"] for kind in TOLD["type"]]
NAME = re.compile(rf"[\w-]+\.(?:{'|'.join(KINDS)})(?:\.\d+)?\.md")
FRAGMENTS = sorted(path for path in FOLDER.iterdir() if path.name != "README.md")


def test_each_is_of_a_known_kind() -> None:
    """By its name; towncrier passes over what it doesn't know."""
    assert FRAGMENTS
    assert [] == [path.name for path in FRAGMENTS if not NAME.fullmatch(path.name)]
    assert KINDS == ["added", "changed", "removed", "fixed"]


def test_each_is_one_change() -> None:
    """A text, no list, and not what another says as well."""
    texts = {path.name: path.read_text("utf-8").strip() for path in FRAGMENTS}

    assert [] == [name for name, text in texts.items() if not text or text.startswith(("-", "*"))]
    assert [] == [text for text, count in Counter(texts.values()).items() if count > 1]


def test_the_draft_tells_each_under_its_kind() -> None:
    """And no number, which would say nothing to a reader; nothing is changed by it."""
    pytest.importorskip("towncrier", reason="towncrier is not installed: make set-up")
    before = sorted(FOLDER.iterdir())
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    told = re.sub(r"\s+", " ", done.stdout)

    assert (0, before) == (done.returncode, sorted(FOLDER.iterdir()))
    assert re.findall(r"^## (.*)", done.stdout, re.MULTILINE) == [
        kind["name"] for kind in TOLD["type"] if any(kind["directory"] in p.name for p in FRAGMENTS)
    ]
    missed = [
        path.name
        for path in FRAGMENTS
        if re.sub(r"\s+", " ", path.read_text("utf-8").strip()) not in told
    ]
    assert [] == missed
    assert not re.search(r"\(#?\d{3}\)$", done.stdout, re.MULTILINE)
