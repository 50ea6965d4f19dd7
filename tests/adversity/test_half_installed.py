"""Data of the language room that is cut off, missing or of another version: told, nothing lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cases import chosen
from tests.support.homes import PROMPT, Home
from tests.support.installations import Installation

ROOM = "Bookings of t_room are kept for 30 days and then moved to t_room_archive."
OTHER = "Bookings of t_room are kept for 45 days and then moved to t_room_archive."

TURN = ("UserPromptSubmit", "Stop")


def cut(path: Path) -> None:
    """The first half of the file alone."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def newer(path: Path) -> None:
    """The file as a later version writes it."""
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "version": 99}), "utf-8")


DAMAGES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "half of worth.json": ("worth.json", cut),
    "a newer worth.json": ("worth.json", newer),
    "no worth.json": ("worth.json", Path.unlink),
    "newer threats": ("threats.json", newer),
    "half of a language": ("en/contents.txt", cut),
}


# What each kind of file says of a damage, tests/language tells.
@pytest.mark.parametrize("damage", chosen(DAMAGES, "half of worth.json"))
def test_a_half_installed_data_file_is_named(home: Home, tmp_path: Path, damage: str) -> None:
    """The command names it, says what to do and keeps nothing; installed again, it works."""
    installation = Installation(tmp_path / "venv")
    capture = ("knowledge", "capture", "--kind", "business_rule", "--home", str(home.path))
    installation.learnt(*capture, ROOM)
    before = home.rows("SELECT count(*) FROM events")
    file, harm = DAMAGES[damage]
    harm(installation.package / "language" / file)

    done = installation.learnt(*capture, OTHER, check=False)

    assert (5, before) == (done.returncode, home.rows("SELECT count(*) FROM events")), done.stderr
    assert Path(file).parts[0].removesuffix(".json") in done.stderr
    assert "Install Learnt" in done.stderr and "Traceback" not in done.stderr
    installation.put("0.1.1")
    installation.learnt(*capture, OTHER)
    assert before < home.rows("SELECT count(*) FROM events")


def test_a_prompt_goes_through_and_is_kept(home: Home, tmp_path: Path) -> None:
    """The damaged worker breaks no prompt; what it saw is kept for the next."""
    installation = Installation(tmp_path / "venv")
    for file in ("worth.json", "lasting.json", "replies.json", "en/contents.txt"):
        cut(installation.package / "language" / file)
    start = ("worker", "start", "--home", str(home.path))
    assert 5 == installation.learnt(*start, check=False).returncode

    fired = [home.fire(event, home.payload(event, prompt=PROMPT)) for event in TURN]

    assert [0, 0] == [hook.exit_code for hook in fired]
    assert "Install Learnt again" in home.worker_log()
    installation.put("0.1.1")
    installation.learnt(*start)
    home.drained()
    assert list(TURN) == [row["event"] for row in home.inbox() if row["event"] != "Late"]
