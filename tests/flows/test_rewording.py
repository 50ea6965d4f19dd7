"""A person writes an entry again, or says that two say the same; nobody else does."""

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.errors import Conflict, NotFound, Refused, UsageError
from learnt.flows.governance.decisions import Decider
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.rewording import reword, sheet_of
from learnt.flows.knowledge.standing import join_by_hand
from learnt.flows.recall.search import entry_of
from tests.flows.stage import Stage

ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
POOL = "db7 listens on 6432, not 5432: a pool"
PERSON, AGENT = Decider(actor=Actor.HUMAN), Decider(actor=Actor.AGENT)
NOBODY = EntryId("e-00000000000000")


def kept(stage: Stage, text: str) -> EntryId:
    """A candidate of an agent's."""
    offer = Offer(what=Draft(text=text, kind="schema"), actor=Actor.AGENT, folder="/work/p")
    return capture(stage.outside, offer).entry


def stages(stage: Stage, *names: EntryId) -> list[str]:
    """How far entries have come."""
    with stage.outside.ledger.reading() as reader:
        return [str(entry.stage) for name in names if (entry := entry_of(reader, name))]


def test_only_a_person_writes_an_entry_anew() -> None:
    """It says what they wrote, and is validated; an agent is refused."""
    stage = Stage()
    name = kept(stage, ROOM)

    with pytest.raises(Refused, match="Only a person"):
        reword(stage.outside, name, Draft(text="other words of it"), AGENT)
    assert Draft(text=ROOM) == sheet_of(stage.outside, name)
    assert "" == reword(stage.outside, name, Draft(text="other words of it"), PERSON)
    assert Draft(text="other words of it") == sheet_of(stage.outside, name)
    assert ["validated"] == stages(stage, name)


@pytest.mark.parametrize(
    "sheet", [Draft(problem="a b", approach="c d"), Draft(text="a", problem="b", approach="c")]
)
def test_a_fact_stays_a_fact(sheet: Draft) -> None:
    """Another shape is refused, and what is there stays."""
    stage = Stage()
    name = kept(stage, ROOM)

    with pytest.raises(UsageError, match="is one sentence"):
        reword(stage.outside, name, sheet, PERSON)
    assert Draft(text=ROOM) == sheet_of(stage.outside, name)


def test_a_text_that_no_agent_may_see_is_not_taken() -> None:
    """The reason is given, and the entry says what it said."""
    stage = Stage()
    name = kept(stage, ROOM)
    why = reword(stage.outside, name, Draft(text="room\u202e_no repeats"), PERSON)

    assert "hidden-text" == why
    assert Draft(text=ROOM) == sheet_of(stage.outside, name)


def test_what_is_gone_is_neither_written_anew_nor_merged() -> None:
    """Nor what never was."""
    stage = Stage()
    name, other = kept(stage, ROOM), kept(stage, POOL)
    join_by_hand(stage.outside, name, other, PERSON)

    with pytest.raises(NotFound):
        reword(stage.outside, name, Draft(text="a b"), PERSON)
    with pytest.raises(Conflict, match="is gone meanwhile"):
        join_by_hand(stage.outside, name, other, PERSON)
    with pytest.raises(Conflict, match="is gone meanwhile"):
        join_by_hand(stage.outside, NOBODY, other, PERSON)


def test_only_a_person_merges() -> None:
    """One takes the other's place, is validated, and its witnesses are those of both."""
    stage = Stage()
    gone, stays = kept(stage, ROOM), kept(stage, POOL)

    with pytest.raises(Refused, match="Only a person"):
        join_by_hand(stage.outside, gone, stays, AGENT)
    assert ["candidate", "candidate"] == stages(stage, gone, stays)
    join_by_hand(stage.outside, gone, stays, PERSON)
    assert ["retired", "validated"] == stages(stage, gone, stays)
    with stage.outside.ledger.reading() as reader:
        entry = entry_of(reader, stays)
    assert entry is not None and 2 == len(entry.standing.confirmations)
