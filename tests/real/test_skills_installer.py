"""The common installer of skills takes what `knowledge export` makes, linked or copied."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.homes import Home, skip

INSTALLER = Path(__file__).parents[2] / ".tools" / "node_modules" / ".bin" / "skills"


@pytest.mark.parametrize("more", [(), ("--copy",)], ids=["plain", "copy"])
def test_an_exported_skill_is_installed_and_works(home: Home, more: tuple[str, ...]) -> None:
    """Its commands run where the installer put it, and know its facts."""
    if not INSTALLER.exists():
        skip("the skills installer is not here: `make client` fetches it")
    home.here("knowledge", "inject", "--type", "schema", "--content", "状态 3 means repair",
              "--target", "rooms.md", "--entities", "t_room")  # fmt: skip
    home.here("knowledge", "export", str(home.folder / "out"), "--skill", "rooms-db")
    project = home.folder / "elsewhere"
    project.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home.folder / "user"),
        "DISABLE_TELEMETRY": "1",
        "DO_NOT_TRACK": "1",
    }
    words = ["add", str(home.folder / "out" / "rooms-db"), "-y", "-a", "claude-code", *more]
    done = subprocess.run(
        [str(INSTALLER), *words], cwd=project, env=environment, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=90, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    skill = project / ".claude" / "skills" / "rooms-db"
    found = subprocess.run(
        [sys.executable, "-I", "-S", str(skill / "scripts" / "knowledge.py"), "search",
         "--entities", "T_ROOM", "--json"],
        cwd="/", capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert ["状态 3 means repair"] == [one["text"] for one in json.loads(found.stdout)["entries"]]
