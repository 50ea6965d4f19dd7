"""Handles that name nothing here, or more than one thing: nothing is opened and nothing related."""

from dataclasses import dataclass, replace

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, handle
from learnt.errors import LearntError, NotFound, UsageError
from learnt.flows.governance.purge import purge
from learnt.flows.governance.purge_scope import Target
from learnt.surfaces.agent_calls import Client
from learnt.surfaces.mcp_shapes import Recall, Relate
from learnt.surfaces.mcp_tools import recall, relate
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.support.in_memory import CountedRandom, FixedClock

OLD, NEW = "The gateway listens on port 8443", "Nightly backups keep 14 days"
CLIENT = Client(folder=HERE)


@dataclass(slots=True)
class SameDigits(CountedRandom):
    """Chance that gives each entry the same last digits."""

    def bytes(self, count: int) -> bytes:
        return bytes(3) if count == 3 else CountedRandom.bytes(self, count)


@pytest.fixture
def stage() -> Stage:
    """Entries that are kept at the same moment of some milliseconds have one handle."""
    fresh = Stage()
    return Stage(replace(fresh.outside, random=SameDigits()))


def keep_note(stage: Stage, text: str, folder: str = HERE, later_ms: int = 8) -> EntryId:
    """A note of the person's."""
    assert isinstance(stage.outside.clock, FixedClock)
    stage.outside.clock.ms += later_ms
    return stage.learn(text, actor=Actor.HUMAN, folder=folder).entry


def open_notes(stage: Stage, name: str) -> list[str]:
    """What the tool opens by a handle."""
    found = recall(stage.outside, CLIENT, Recall(query="", handles=[name], limit=3))
    return [each.text for each in found.entries]


def refusal_of(stage: Stage, name: str, other: str) -> LearntError:
    """Why the two are not related."""
    with pytest.raises(LearntError) as why:
        relate(stage.outside, CLIENT, Relate(new=name, old=other, relation="same"))
    return why.value


def test_a_handle_of_two_notes_is_refused_with_both_ids(stage: Stage) -> None:
    """Opening and relating ask for the whole id, which works."""
    one, two = keep_note(stage, OLD), keep_note(stage, NEW)
    third = keep_note(stage, "Usernames fold case", later_ms=1)
    assert handle(one) == handle(two) != handle(third)
    with pytest.raises(UsageError, match=f"{one}.*{two}|{two}.*{one}"):
        open_notes(stage, handle(one))
    why = refusal_of(stage, handle(one), third)
    assert isinstance(why, UsageError) and one in str(why) and two in str(why)
    assert [OLD] == open_notes(stage, one)


def test_a_handle_of_another_project_names_nothing(stage: Stage) -> None:
    """Nor does its id."""
    elsewhere, own = keep_note(stage, OLD, ELSEWHERE), keep_note(stage, NEW, later_ms=1)
    for name in (handle(elsewhere), elsewhere):
        with pytest.raises(NotFound):
            open_notes(stage, name)
        assert isinstance(refusal_of(stage, name, own), NotFound)


def test_a_handle_that_was_purged_names_nothing(stage: Stage) -> None:
    """Its text is gone, and with it the handle."""
    gone, own = keep_note(stage, OLD), keep_note(stage, NEW, later_ms=1)
    assert [OLD] == open_notes(stage, handle(gone))
    purge(stage.outside, Target(entry=gone), Actor.HUMAN)
    with pytest.raises(NotFound):
        open_notes(stage, handle(gone))
    assert isinstance(refusal_of(stage, handle(gone), own), NotFound)
