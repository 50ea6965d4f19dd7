"""A person orders projects: links one that moved, keeps two apart, turns Learnt off in one."""

import json

import pytest

from learnt.core.events import Actor
from learnt.core.safety import owned
from learnt.errors import NotFound, Refused, UsageError
from learnt.file_ports import Claims
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.projects import link, moved_notice, projects, rename, switch
from learnt.flows.recall.ask import ask
from learnt.flows.sessions.answer import drain, respond
from learnt.flows.sessions.locate import located_at, look
from learnt.formats.wire import Frame
from tests.flows.stage import HERE, PROMPT, Stage

PERSON = Decider(actor=Actor.HUMAN)
FACT = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
MOVED = "/elsewhere/shop"


@pytest.fixture
def stage() -> Stage:
    """A note in one folder, and another folder with the same history and another remote."""
    stage = Stage()
    for folder, remote in ((HERE, "h.example/old"), (MOVED, "h.example/new")):
        claims = Claims(remotes=(remote,), root_commit="abc")
        located_at(stage.outside, look(stage.outside, folder, claims))
    stage.learn(FACT, actor=Actor.HUMAN, session="")
    return stage


def count_events(stage: Stage) -> int:
    with stage.outside.ledger.reading() as reader:
        return sum(1 for _ in reader.events())


def known_texts(stage: Stage, folder: str) -> list[str]:
    hits = ask(stage.outside, "room_no of hotels", folder=folder, actor=Actor.HUMAN, most=5)
    return [hit.note.text for hit in hits]


def test_a_repository_that_moved_is_found_again_by_one_command(stage: Stage) -> None:
    """Its history tells, whatever its remote is called now; a person may take the link back."""
    old = next(row for row in projects(stage.outside, HERE) if row.here)
    assert [] == known_texts(stage, MOVED)
    assert f"`learnt project link {old.id}`" in moved_notice(stage.outside, MOVED)

    link(stage.outside, MOVED, old.id, PERSON, "same")
    assert [FACT] == known_texts(stage, MOVED) and "" == moved_notice(stage.outside, MOVED)
    assert {row.shares_with for row in projects(stage.outside, MOVED)} != {()}

    link(stage.outside, MOVED, old.id, PERSON, "apart")
    assert [] == known_texts(stage, MOVED) and "" == moved_notice(stage.outside, MOVED)


def test_a_split_ends_a_link_that_the_other_side_made(stage: Stage) -> None:
    """Whichever of the two it is called in."""
    rows = {row.here: row.id for row in projects(stage.outside, HERE)}
    link(stage.outside, MOVED, rows[True], PERSON, "same")
    link(stage.outside, HERE, rows[False], PERSON, "apart")
    assert [] == known_texts(stage, MOVED)


def test_a_project_that_is_off_recalls_and_saves_nothing(stage: Stage) -> None:
    """Commands say how to turn it on, and then all is there."""
    switch(stage.outside, HERE, PERSON, off=True)
    with pytest.raises(Refused, match="learnt project on"):
        known_texts(stage, HERE)
    with pytest.raises(Refused, match="learnt project on"):
        stage.learn("t_bill.amount holds cents", actor=Actor.HUMAN, session="")
    switch(stage.outside, HERE, PERSON, off=False)
    assert [FACT] == known_texts(stage, HERE)


def test_hooks_neither_answer_nor_record_where_learnt_is_off(stage: Stage) -> None:
    """Neither the report that a worker answers nor the one that waited in the spool."""
    switch(stage.outside, HERE, PERSON, off=True)
    before = count_events(stage)
    for event in ("SessionStart", "UserPromptSubmit", "Stop"):
        body = json.dumps({"session_id": "s1", "cwd": HERE, "prompt": PROMPT}).encode()
        frame = Frame(event=event, size=len(body), body=body)
        assert b"" == respond(stage.outside, frame, lambda: False)
    said, told = owned(f"remember: {FACT}"), ((FACT, ""),)
    stage.outside.spool.put(stage.observation("UserPromptSubmit", excerpt=said, marked=told))
    drain(stage.outside)
    assert before == count_events(stage) and not stage.outside.spool.waiting(1)
    with stage.outside.ledger.reading() as reader:
        assert [] == list(reader.sessions_observed())


def test_a_name_is_what_its_person_calls_it(stage: Stage) -> None:
    """OLD may be a name, if no other project has it."""
    rename(stage.outside, HERE, "hotel booking", PERSON)
    assert "hotel booking" == projects(stage.outside, HERE)[0].name
    link(stage.outside, MOVED, "hotel booking", PERSON, "same")
    assert [FACT] == known_texts(stage, MOVED)
    rename(stage.outside, MOVED, "hotel booking", PERSON)
    with pytest.raises(UsageError, match="Several projects"):
        link(stage.outside, MOVED, "hotel booking", PERSON, "apart")
    with pytest.raises(NotFound):
        link(stage.outside, MOVED, "no such", PERSON, "same")
    with pytest.raises(UsageError):
        rename(stage.outside, MOVED, "two\nlines", PERSON)


def test_only_a_person_orders_projects(stage: Stage) -> None:
    """An agent is told to ask them."""
    agent = Decider(actor=Actor.AGENT)
    with pytest.raises(Refused, match="Only a person"):
        switch(stage.outside, HERE, agent, off=True)
    with pytest.raises(Refused, match="Only a person"):
        rename(stage.outside, HERE, "x", agent)
    with pytest.raises(Refused, match="Only a person"):
        link(stage.outside, HERE, "x", agent, "same")
