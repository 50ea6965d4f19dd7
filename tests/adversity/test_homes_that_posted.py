"""A home whose agent posted its reports, as earlier versions could register it, is moved on."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from learnt.formats.agents.claude_code import EVENTS
from learnt.formats.agents.hook_settings import command, is_address, registered
from learnt.stores.hook_files import interpreter
from tests.support.homes import Home

THEIRS = {"type": "http", "url": "http://127.0.0.1:20001/their_hook/Stop"}


def posting(folder: Path, event: str) -> dict[str, Any]:
    """The entry by which an earlier version had an event posted to a home's worker."""
    tag = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
    url = f"http://127.0.0.1:20001/learnt_hook/{tag}/{event}"
    headers = {"Authorization": "Bearer " + "ab" * 32}
    return {"hooks": [{"type": "http", "url": url, "headers": headers, "timeout": 5}]}


@pytest.fixture
def settings(home: Home) -> Path:
    """The user's settings: events posted to this home, to another one, and to somebody else."""
    hooks: dict[str, Any] = {event: [posting(home.path, event)] for event in EVENTS[1:]}
    begins = command(interpreter(), str(home.path), EVENTS[0])
    hooks[EVENTS[0]] = [{"hooks": [{"type": "command", "command": begins, "timeout": 5}]}]
    hooks["Stop"] += [{"hooks": [THEIRS]}, posting(home.folder / "other", "Stop")]
    path = home.config / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"model": "opus", "hooks": hooks}, indent=2), "utf-8")
    (home.path / "http.json").write_text('{"port": 20001, "token": "' + "ab" * 32 + '"}', "utf-8")
    return path


def calls(path: Path) -> list[str]:
    """What calls or is posted to any home of Learnt's."""
    return [line for _, line, _ in registered(json.loads(path.read_bytes()))]


def test_init_moves_a_home_that_posted_back_to_commands(home: Home, settings: Path) -> None:
    """Each event starts a hook again; the token goes, and what is not this home's stays."""
    said = home.here("init", "--agent", "claude")

    assert (said.exit_code, home.here("init", "--agent", "claude").exit_code) == (0, 0)
    posted = [line for line in calls(settings) if is_address(line)]
    assert posted == [posting(home.folder / "other", "Stop")["hooks"][0]["url"]]
    assert len(calls(settings)) == len(EVENTS) + 1
    assert THEIRS["url"] in settings.read_text("utf-8")
    assert not (home.path / "http.json").exists()


def test_uninstall_takes_out_what_posted(home: Home, settings: Path) -> None:
    """With the token; other homes and other programs keep theirs."""
    assert home.here("uninstall").exit_code == 0

    left = json.loads(settings.read_bytes())
    kept = [{"hooks": [THEIRS]}, posting(home.folder / "other", "Stop")]
    assert left == {"model": "opus", "hooks": {"Stop": kept}}
    assert not (home.path / "http.json").exists()


def test_doctor_says_that_posts_are_lost(home: Home, settings: Path) -> None:
    """As a problem, with the file and the command that mends it; afterwards it is content."""

    def probe() -> dict[str, str]:
        probes = home.here("doctor", "--json").json["probes"]
        return next(each for each in probes if each["name"] == "registration")

    text = json.loads(settings.read_bytes())
    text["hooks"]["Stop"] = text["hooks"]["Stop"][:1]
    settings.write_text(json.dumps(text), "utf-8")
    before = probe()
    home.here("init", "--agent", "claude")

    assert (before["level"], probe()["level"]) == ("problem", "ok")
    assert "posts its reports" in before["said"] and str(settings) in before["said"]
    assert "learnt init" in before["todo"]
