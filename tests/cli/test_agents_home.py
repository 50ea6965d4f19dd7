"""`learnt.Home` where things go wrong, and who is taken for whom."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import learnt
from learnt.core.events import Actor, Kind
from learnt.errors import EnvironmentTrouble, NotFound, Refused, UsageError
from tests.support.homes import Home

FACT = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
CHARGED = "t_booking.amount is an INT in cents, also for a no-show"


@pytest.fixture
def program(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[learnt.Home]:
    """A program of the project's, with no agent's marker in its environment."""
    for name in ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    with learnt.Home(home.path, project=home.project) as one:
        yield one


def test_a_program_is_an_agent(home: Home, program: learnt.Home) -> None:
    """Also where no agent's marker says so: what it offers is a candidate, and so it stays."""
    kept = program.remember(FACT, kind="schema")
    for _ in range(3):
        program.confirm(kept.id)
    (entry,) = program.recall(kept.id).entries
    assert ("candidate", "UNPROVEN") == (entry.stage, entry.trust)
    assert {Actor.AGENT} == {step.actor for step in program.why(kept.id).events}
    with pytest.raises(Refused, match="is a check or a person"):
        program.feedback(home.remember(), "invalidate")


def test_each_thread_may_call(program: learnt.Home) -> None:
    """At once: none is refused, and what one kept another finds."""
    said: list[tuple[str, str]] = []

    def keep(fact: str) -> None:
        kept = program.remember(fact)
        said.append((kept.verdict, kept.id))

    facts = (FACT, "The debug port of the billing service is 9229", CHARGED)
    threads = [threading.Thread(target=keep, args=(fact,)) for fact in facts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ["admit"] * 3 == [verdict for verdict, _ in said]
    assert all(program.recall(name).entries for _, name in said)


WRONG = {
    "no question": lambda home: home.recall(" "),
    "no answer": lambda home: home.recall("rooms", most=0),
    "another kind": lambda home: home.remember(FACT, kind="gossip"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_is_a_usage_error(home: Home, program: learnt.Home, case: str) -> None:
    """And nothing was recorded."""
    with pytest.raises(UsageError):
        WRONG[case](program)
    assert not (home.path / "ledger.db").exists() or [] == home.events(Kind.GATED)


def test_ten_megabytes_are_refused(program: learnt.Home) -> None:
    """As a text, in a list and as many texts, before anything looks at them."""
    huge = "room " * 2_000_000
    for call in (
        lambda: program.recall(huge),
        lambda: program.remember(huge, kind="schema"),
        lambda: program.remember(FACT, kind="schema", tags=["x"] * 1_000_000),
        lambda: program.remember_solution("The build fails", "Wait", cautions=[huge]),
    ):
        with pytest.raises(UsageError, match=r"20,000 characters at most.*Nothing was done"):
            call()
    assert 0 == program.status().candidates_here


def test_what_is_nowhere_or_another_projects_is_not_found(home: Home, program: learnt.Home) -> None:
    """By whatever call."""
    elsewhere = home.folder / "elsewhere"
    elsewhere.mkdir()
    with learnt.Home(home.path, project=elsewhere) as other:
        name = other.remember(FACT, kind="schema").id
    for asked in (name, "e-00000000000000"):
        assert () == program.recall(asked).entries
        with pytest.raises(NotFound):
            program.why(asked)
        with pytest.raises(NotFound):
            program.confirm(asked)


def test_what_is_purged_meanwhile_is_gone(home: Home, program: learnt.Home) -> None:
    """Under a program that stays; it goes on, and so it does on a home that was begun again."""
    name = home.remember()
    assert program.recall(name).entries
    assert 0 == home.purge("--entry", name).exit_code
    assert () == program.recall(name).entries
    home.begin_anew()
    assert "admit" == program.remember(FACT, kind="schema").verdict


def test_a_home_that_cannot_be_used_is_said(home: Home, tmp_path: Path) -> None:
    """By the call, not by the name; what stands in its place is left as it is."""
    place = tmp_path / "file"
    place.write_text("mine", "utf-8")
    with learnt.Home(place, project=home.project) as broken:
        with pytest.raises(EnvironmentTrouble, match="cannot be used as Learnt's home"):
            broken.status()
        place.unlink()
        assert 0 == broken.status().entries_here


def test_what_learnt_started_itself_records_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program below a worker gets a reason instead."""
    monkeypatch.setenv("LEARNT_INSIDE", "worker")
    with (
        learnt.Home(home.path, project=home.project) as inside,
        pytest.raises(Refused, match="does not learn from its own work"),
    ):
        inside.remember(FACT, kind="schema")
    assert not (home.path / "ledger.db").exists()
