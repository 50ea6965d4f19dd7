"""What `make check` says where the package has more than its ceilings allow."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.ceilings import CEILINGS, PACKAGE, main, measured

SMALL = """\
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
import pydantic
if TYPE_CHECKING:
    import json
@dataclass(frozen=True)
class One:
    def load(self):
        def inner():
            import json
class Two(NamedTuple):
    pass
class Three(pydantic.BaseModel):
    pass
class Four(One):
    pass
"""
MOST = """\
# Whoever raises one says why.
[package]
lines = 16
files = 1
records = 3
late_imports = 1
unclear_names = 0

[core]
lines = 16  # kept
files = 1
records = 3
late_imports = 1
unclear_names = 0
"""
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """The tool on a package of one file that is as large as its ceilings allow."""
    package, ceilings = tmp_path / "learnt", tmp_path / "ceilings.toml"
    (package / "core").mkdir(parents=True)
    (package / "core" / "small.py").write_text(SMALL, encoding="utf-8")
    (package / "core" / "words.txt").write_text("a\n" * 1_000, encoding="utf-8")
    ceilings.write_text(MOST, encoding="utf-8")

    def ran(*words: str) -> tuple[int, str]:
        code = main([*words, "--package", str(package), "--ceilings", str(ceilings)])
        return code, capsys.readouterr().out

    return ran


def test_what_is_at_its_ceilings_is_let_be(run: Run) -> None:
    """Records of three kinds, an import within a function, and no file of data count."""
    assert (0, "") == run()


def test_a_file_above_the_ceiling_fails(run: Run, tmp_path: Path) -> None:
    """With the ring, the number and the ceiling; nothing raises it."""
    file = tmp_path / "learnt" / "core" / "small.py"
    file.write_text(f"{SMALL}def told():\n    from a import b\n", encoding="utf-8")
    above = "18 lines, the ceiling is 16", "2 late imports, the ceiling is 1"
    unclear = "1 unclear names, the ceiling is 0"
    lines = [f"{ring}: {text}" for ring in ("package", "core") for text in (*above, unclear)]

    assert (1, lines) == (run()[0], run()[1].splitlines())
    assert 1 == run("--lower")[0]
    assert MOST == (tmp_path / "ceilings.toml").read_text("utf-8")


def test_a_ring_without_a_ceiling_fails(run: Run, tmp_path: Path) -> None:
    """A new folder is no way around them, nor are files beside the rings' folders."""
    (tmp_path / "learnt" / "rooms").mkdir()
    (tmp_path / "learnt" / "rooms" / "one.py").write_text("", encoding="utf-8")
    (tmp_path / "learnt" / "beside.py").write_text("", encoding="utf-8")
    code, told = run()

    assert 1 == code
    assert "rooms: 1 files, the ceiling is None" in told and "top: 1 files" in told


def test_ceilings_are_lowered_to_what_is_there(run: Run, tmp_path: Path) -> None:
    """Each that is higher; the remarks stay."""
    (tmp_path / "learnt" / "core" / "small.py").write_text("class A:\n    pass\n", "utf-8")
    assert (0, "") == run("--lower")
    text = (tmp_path / "ceilings.toml").read_text("utf-8")

    assert "# Whoever raises one says why.\n[package]\nlines = 2\n" in text
    assert "[core]\nlines = 2  # kept\nfiles = 1\nrecords = 0\nlate_imports = 0\n" in text


def test_every_ring_has_its_ceilings() -> None:
    """All that is measured of the package stands in the file."""
    text = CEILINGS.read_text("utf-8")
    assert [ring for ring in measured(PACKAGE) if f"[{ring}]\n" not in text] == []
