"""A trial on a machine whose clock moves: the ledger's order decides what counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.governance.proposals import text_hash
from learnt.core.identifiers import ProjectId, ProposalId
from learnt.flows.governance.decisions import Decider
from learnt.flows.health import trial as trials
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.system import SystemClock
from tests.cli.test_skill_trials import (
    begins,
    counted,
    ends,
    file,
    has_new,
    played,
    project,
    tried,
)
from tests.support.homes import Home

__all__ = ["file", "project"]  # fixtures

PERSON = Decider(actor=Actor.HUMAN)
DAY = 24
MOVES = {
    "a laptop sleeps for a week": [7 * DAY],
    "a clock jumps a year ahead": [365 * DAY],
    "it is set back a day": [-DAY],
    "it jumps ahead and is put right": [365 * DAY, -365 * DAY],
}


class SetClock:
    """A wall clock that somebody sets."""

    hours = 0

    def now_ms(self) -> int:
        return SystemClock().now_ms() + self.hours * 3_600_000


@pytest.fixture
def clock() -> SetClock:
    """The one clock of the home."""
    return SetClock()


@pytest.fixture
def outside(home: Home, clock: SetClock) -> Iterator[Outside]:
    """The home, whose ledger tells time by that clock."""
    home.here("status")
    with opened(Settings(home=home.path), clock=clock) as opened_home:
        yield opened_home


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("moves", MOVES.values(), ids=MOVES)
def test_each_use_counts_for_the_text_that_was_read(
    home: Home, file: Path, outside: Outside, project: ProjectId, clock: SetClock,
    moves: list[int], *, tells: bool,
) -> None:  # fmt: skip
    """Whether a client tells what it read or not; the clock moves within a session."""
    tried(home, file)
    had = []
    for number in range(12):
        begins(outside, project, f"s{number}")
        had.append(has_new(file))
        if number % 4 == 1 and number // 4 < len(moves):
            clock.hours += moves[number // 4]
        read = text_hash(file.read_text("utf-8")) if tells else ""
        ends(outside, f"s{number}", success=True, read=read)
    assert (12, {}) == counted(outside)
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
        found = trials.counted(reader, going)
    assert 12 == found.drawn, "one for each use, before it"
    assert [(new, 1.0) for new in had] == [tuple(use) for use in found.uses]
    home.verify()


def test_a_second_use_of_a_session_is_of_the_text_that_it_read_first(
    home: Home, file: Path, outside: Outside, project: ProjectId, clock: SetClock
) -> None:
    """A client sends it once; a clock set back in between does not turn their order."""
    tried(home, file)
    begins(outside, project, "long")
    read = text_hash(file.read_text("utf-8"))
    ends(outside, "long", success=True, read=read)
    trials.conclude(outside)
    clock.hours -= DAY
    ends(outside, "long", success=True, prompt="q")
    assert {} == counted(outside)[1]


@pytest.mark.parametrize("hours", [0, -DAY])
def test_a_use_after_the_verdict_does_not_count(
    home: Home, file: Path, outside: Outside, project: ProjectId, clock: SetClock, hours: int
) -> None:
    """Though the clock says that it was before."""
    tried(home, file)
    assert "better" == played(outside, project, file, new_wins=True)[0]
    known = home.here("health", "effect", "--json").json["skills"]
    clock.hours += hours
    for number in range(3):
        begins(outside, project, f"later{number}")
        ends(outside, f"later{number}", success=False)
    assert known == home.here("health", "effect", "--json").json["skills"]


def test_a_use_before_a_person_decides_does_not_count(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """A trial that found the text worse is over, though its person is asked later."""
    tried(home, file)
    assert "worse" == played(outside, project, file, new_wins=False)[0]
    known = home.here("health", "effect", "--json").json["skills"][0]["effect"]
    begins(outside, project, "later")
    ends(outside, "later", success=True)
    assert 0 == home.typed("health", "evaluate", "locks", "--keep")[0]
    assert known == home.here("health", "effect", "--json").json["skills"][0]["effect"]


def test_a_trial_begun_anew_has_its_own_draws_and_the_next_level(
    home: Home, file: Path, outside: Outside, project: ProjectId, clock: SetClock
) -> None:
    """It comes after the one that was stopped, though the clock was set back in between."""
    name = ProposalId(tried(home, file))
    for number in range(3):
        begins(outside, project, f"s{number}")
        ends(outside, f"s{number}", success=True)
    with outside.ledger.reading() as reader:
        (first,) = trials.open_trials(reader)
    trials.stop(outside, first, PERSON)
    clock.hours -= DAY
    trials.begin(outside, name, PERSON)
    begins(outside, project, "again")
    ends(outside, "again", success=False)
    assert (1, {}) == counted(outside)
    with outside.ledger.reading() as reader:
        (second,) = trials.open_trials(reader)
        (stopped,) = trials.ended_trials(reader, second.subject)
        assert [1.0] * 3 == [use.success for use in trials.counted(reader, stopped).uses]
    assert (first.level, True) == (stopped.level, second.level < first.level)
