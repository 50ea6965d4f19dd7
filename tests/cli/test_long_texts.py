"""A text that is longer than the terminal is seen to its end before a person decides on it."""

from pathlib import Path

import pytest

from tests.cli.test_skills_install import place, put
from tests.support.homes import Home
from tests.support.terminal import MORE, dialogue


@pytest.fixture
def source(home: Home) -> str:
    return str(put(home.folder / "elsewhere" / "forms"))


def test_a_long_text_is_shown_by_screens(home: Home, source: str) -> None:
    """Whole, before anything is asked, and by no program that the environment names."""
    put(Path(source), "\n".join(f"Step {number}." for number in range(200)))
    with home.terminal("skills", "install", source, environment={"PAGER": "true"}) as terminal:
        code, output = dialogue(terminal, ["y"])
    assert code == 0 and "Step 0." in output and "Step 199." in output
    assert 4 == output.count(MORE)


def test_what_was_not_seen_to_its_end_is_not_installed(home: Home, source: str) -> None:
    """Nobody is asked about it."""
    put(Path(source), "\n".join(f"Step {number}." for number in range(200)))
    with home.terminal("skills", "install", source) as terminal:
        terminal.wait_until(lambda: terminal.output.endswith(MORE), "the first screen")
        terminal.wait_for_key(after=0)
        terminal.send("q")
        assert 1 == terminal.wait_for_exit(), terminal.output
    assert ("Install" in terminal.output, False) == (False, place(home).exists())
