"""Handles that name nothing here, or more than one thing: nothing is opened and nothing related."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.brought import Brought
from learnt.core.knowledge.drafts import Draft
from learnt.errors import LearntError, NotFound, UsageError
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.capture import Offer
from learnt.flows.knowledge.preview import Whither, preview
from learnt.surfaces.agent_calls import Client
from learnt.surfaces.mcp_tools import Recall, Relate, recall, relate
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.support.in_memory import CountedRandom, FixedClock
from tests.support.kept_unseen import capture_many

OLD, NEW = "The gateway listens on port 8443", "Nightly backups keep 14 days"
CLIENT = Client(folder=HERE)


@dataclass(slots=True)
class SameDigits(CountedRandom):
    """Chance that gives each entry the same last digits."""

    def bytes(self, count: int) -> bytes:
        return bytes(3) if count == 3 else CountedRandom.bytes(self, count)


@pytest.fixture
def stage() -> Stage:
    """Entries that were kept at the same moment of some milliseconds have one handle."""
    fresh = Stage()
    return Stage(replace(fresh.outside, random=SameDigits()))


def keep_note(stage: Stage, text: str, folder: str = HERE, later_ms: int = 8) -> EntryId:
    """A note of the person's, kept when no handle was looked at."""
    assert isinstance(stage.outside.clock, FixedClock)
    stage.outside.clock.ms += later_ms
    offer = Offer(what=Draft(text=text, kind="schema"), actor=Actor.HUMAN, folder=folder)
    return capture_many(stage.outside, [offer], gated=False)[0].entry


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


@dataclass(slots=True)
class RarelyOthers(CountedRandom):
    """Chance that gives the same last digits four times, then four times others."""

    def bytes(self, count: int) -> bytes:
        drawn = CountedRandom.bytes(self, count)
        return (self.drawn // 4).to_bytes(3, "big") if count == 3 else drawn


@pytest.mark.parametrize("folder", [HERE, ELSEWHERE])
def test_a_new_note_has_a_handle_of_its_own(folder: str) -> None:
    """Drawn again where a note has it; of any project, since a person may link two."""
    stage = Stage(replace(Stage().outside, random=RarelyOthers()))
    assert isinstance(stage.outside.clock, FixedClock)
    notes = [stage.learn(OLD, actor=Actor.HUMAN).entry]
    for text in (NEW, "Usernames fold case", "Invoices are numbered by year"):
        notes.append(stage.learn(text, actor=Actor.HUMAN, folder=folder).entry)
    stage.outside.clock.ms += 8
    notes.append(stage.learn("The exporter drops empty rows", actor=Actor.HUMAN).entry)

    assert 5 == len({handle(note) for note in notes}) == len({*notes})
    assert [OLD] == open_notes(stage, handle(notes[0]))


def test_what_is_imported_has_handles_of_its_own() -> None:
    """Beside what is here, and among the pieces."""
    stage = Stage(replace(Stage().outside, random=RarelyOthers()))
    own = stage.learn(OLD, actor=Actor.HUMAN).entry
    texts = [f"The queue number{n} of the house keeps {n} messages" for n in range(20)]
    pieces = [Brought(id=text, text=text, kind="schema") for text in texts]

    found = preview(stage.outside, pieces, Whither(folder=HERE))

    ids = [own, *(each.entry for each in found if each.entry)]
    assert 21 == len(ids) == len({handle(each) for each in ids})
