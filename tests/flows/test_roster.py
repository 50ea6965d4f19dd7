"""What a start and a command go by is kept between them, and says what the entries say."""

from collections.abc import Callable
from typing import Any

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import entry_subject
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.payloads.entry_events import EntryDecided
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.contents import MANY, Roster, newest, roster_of
from learnt.flows.stored import append
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.flows.test_contents_at_a_start import rule, start


def roster_rows(stage: Stage, *, fresh: bool) -> tuple[Any, ...]:
    """The rules, the picked ones and the notes of all projects, in order."""
    with stage.outside.ledger.reading() as reader:
        roster = Roster() if fresh else roster_of(stage.outside, reader)
        if fresh:
            roster.follow(reader)
        notes = roster.likeliest(lambda _: True, lambda _: False, stage.outside.clock.now_ms())
        lists = (newest(each, lambda _: True) for each in (roster.rules, roster.picked))
        return (*lists, list(notes), roster.count(lambda _: True))


def _masked(stage: Stage) -> None:
    name = stage.remember("The cache is stale", "Clear the cache").entry
    with stage.outside.ledger.writing() as writer:
        append(writer, entry_subject(name), Actor.LEARNT, EntryDecided(action="masked"))


def _used(stage: Stage) -> None:
    stage.remember()
    assert stage.prompt(session="s7")


CHANGES: list[Callable[[Stage], object]] = [
    lambda stage: stage.remember(),
    lambda stage: stage.remember("Port 8080 is taken", "Stop it", folder=ELSEWHERE),
    lambda stage: stage.learn("The gateway listens on port 9443", actor=Actor.HUMAN),
    rule,
    lambda stage: stage_by_hand(stage.outside, rule(stage), Actor.HUMAN, Stages.RETIRED),
    lambda stage: stage_by_hand(
        stage.outside, stage.remember(folder=HERE).entry, Actor.HUMAN, Stages.RETIRED
    ),
    _masked,
    _used,
    lambda stage: start(stage, session="s9"),
]


@pytest.mark.parametrize("change", CHANGES, ids=range(len(CHANGES)))
def test_what_is_kept_is_what_the_entries_say(change: Callable[[Stage], object]) -> None:
    """Whatever happens to an entry between two looks."""
    stage = Stage()
    stage.learn("The exporter drops rows that have no date")
    roster_rows(stage, fresh=False)
    change(stage)

    assert roster_rows(stage, fresh=False) == roster_rows(stage, fresh=True)


def test_many_changes_are_read_all_at_once() -> None:
    """An import between two starts is in the next one."""
    stage = Stage()
    rule(stage)
    roster_rows(stage, fresh=False)
    for number in range(MANY + 1):
        stage.begin(f"many {number}")
    law = rule(stage, "Run make format before you commit")

    kept = roster_rows(stage, fresh=False)
    assert kept == roster_rows(stage, fresh=True) and law in kept[0]
