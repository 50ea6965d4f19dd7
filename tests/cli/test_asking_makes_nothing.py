"""Who only asks makes nothing, and is told what makes it; whose call it is, is told as well."""

from pathlib import Path

import pytest

from tests.support.homes import Home

ASKING = (
    "status", "doctor", "recall", "recall gateway", "review", "why s1", "sessions list",
    "knowledge query gateway", "knowledge freshness", "knowledge sweep", "knowledge disputes",
    "knowledge expire e-065wzsb8000000", "health status", "health queue", "health evaluate",
    "skills list", "skills stats", "evolve list", "evolve stats", "rebuild --verify",
)  # fmt: skip


@pytest.mark.parametrize("words", ASKING)
def test_a_question_before_init_makes_no_home(tmp_path: Path, words: str) -> None:
    """Neither its folder nor anything in the project."""
    home = Home(tmp_path)
    said = home.here(*words.split())

    assert said.exit_code in {0, 1, 3}, said
    assert not home.path.exists()
    assert [] == list(home.project.iterdir())


@pytest.mark.parametrize("words", ["status", "recall", "review"])
def test_it_tells_what_to_do(tmp_path: Path, words: str) -> None:
    """Where the home would be, and the command that begins it; the answer stands as well."""
    home = Home(tmp_path)
    said = home.here(words)

    assert f"There is no home at {home.path} yet" in said.errors
    assert "`learnt init`" in said.errors
    assert said.output


def test_status_tells_of_the_home_that_is_not_there(tmp_path: Path) -> None:
    """By its own name, not by that of what it looked into instead."""
    home = Home(tmp_path)

    assert str(home.path) == home.here("status", "--json").json["home"]


def test_what_waits_for_its_home_is_taken_in(home: Home) -> None:
    """Where the folder is there, a question takes the reports in, as ever."""
    home.stop_turn()
    assert home.spooled()
    home.take_in()


PORT = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"


@pytest.mark.parametrize("words", [("remember", PORT), ("knowledge", "capture", PORT)])
def test_a_pipe_makes_it_an_agents_and_says_so(home: Home, words: tuple[str, ...]) -> None:
    """Behind the command; the fact waits as a candidate."""
    said = home.here(*words, typed="", piped=True)

    assert 0 == said.exit_code, said.errors
    assert "counts as an agent's call, not as yours: its output is no terminal" in said.errors
    assert "candidate" in said.output


@pytest.mark.parametrize("typed", [None, ""])
def test_nothing_is_said_where_it_is_plain(home: Home, typed: str | None) -> None:
    """On a terminal, and without one at either end, as a script has it."""
    assert "counts as" not in home.here("remember", PORT, typed=typed).errors
    assert "counts as" not in home.here("recall", typed="", piped=True).errors


def test_the_place_of_a_backup_is_told(home: Home) -> None:
    """Where `init` changed settings that were there; it holds what they were."""
    settings = home.config / "settings.json"
    settings.write_text('{"model": "opus"}', "utf-8")
    said = home.here("init")

    [line] = [line for line in said.output.splitlines() if "kept in" in line]
    assert '{"model": "opus"}' == Path(line.split("kept in ")[1].rstrip(".")).read_text("utf-8")
    assert "kept in" not in home.here("init").output  # nothing was changed
