"""The common installer of skills takes what `knowledge export` makes, linked or copied."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.homes import Home, skip

ROOT = Path(__file__).parents[2]
INSTALLER = ROOT / ".tools" / "node_modules" / ".bin" / "skills"


@pytest.mark.slow
def test_the_investigators_skill_is_installed_from_a_clone(home: Home) -> None:
    """By its name alone, as in the seed; its own scripts run where it lies then."""
    if not INSTALLER.exists():
        skip("the skills installer is not here: `make client` fetches it")
    clone = home.folder / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ROOT}", clone], check=True)
    words = ["add", str(clone), "--skill", "db-investigator", "-y", "-a", "claude-code", "--copy"]
    done = _installed(home, words)
    assert done.returncode == 0, done.stdout + done.stderr
    there = home.project / ".claude" / "skills" / "db-investigator"
    own = clone / "skills" / "db-investigator"
    files = [path.relative_to(own) for path in own.rglob("*") if path.is_file()]
    assert all((own / path).read_bytes() == (there / path).read_bytes() for path in files)
    asked = [sys.executable, "-S", str(there / "scripts" / "database.py"), "query", "DROP TABLE t"]
    told = subprocess.run(asked, cwd="/", capture_output=True, text=True, check=False)
    assert "refused" in json.loads(told.stdout)


def _installed(home: Home, words: list[str]) -> "subprocess.CompletedProcess[str]":
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home.folder / "user"),
        "DISABLE_TELEMETRY": "1",
        "DO_NOT_TRACK": "1",
    }
    return subprocess.run(
        [str(INSTALLER), *words], cwd=home.project, env=environment, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=90, check=False,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--copy",)], ids=["plain", "copy"])
def test_an_exported_skill_is_installed_and_works(home: Home, more: tuple[str, ...]) -> None:
    """Its commands run where the installer put it, and know its facts."""
    if not INSTALLER.exists():
        skip("the skills installer is not here: `make client` fetches it")
    home.here("knowledge", "inject", "--type", "schema", "--content", "状态 3 means repair",
              "--target", "rooms.md", "--entities", "t_room")  # fmt: skip
    home.here("knowledge", "export", str(home.folder / "out"), "--skill", "rooms-db")
    words = ["add", str(home.folder / "out" / "rooms-db"), "-y", "-a", "claude-code", *more]
    done = _installed(home, words)
    assert done.returncode == 0, done.stdout + done.stderr
    skill = home.project / ".claude" / "skills" / "rooms-db"
    found = subprocess.run(
        [sys.executable, "-I", "-S", str(skill / "scripts" / "knowledge.py"), "search",
         "--entities", "T_ROOM", "--json"],
        cwd="/", capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert ["状态 3 means repair"] == [one["text"] for one in json.loads(found.stdout)["entries"]]
