"""Looking through what is known: filters, counts and words, over entries told in short."""

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Stage as Stages
from learnt.flows.knowledge.browse import Filters, known, shown
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.standing import stage_by_hand
from tests.flows.stage import ELSEWHERE, HERE, Stage

FLAKY = "The checkout test fails with a timeout on the slow runner"


@pytest.fixture
def stage() -> Stage:
    """A stage on which two facts and a solution are known here, and one thing elsewhere."""
    stage = Stage()
    stage.learn("orders.paid_at is in UTC", actor=Actor.HUMAN)
    stage.learn("A refund above 200 needs approval", kind="business_rule", actor=Actor.HUMAN)
    stage.outside.clock.ms += 60_000  # type: ignore[attr-defined]  # a fixed clock
    stage.remember()
    stage.remember("The griffin will not start", "Feed it first", folder=ELSEWHERE)
    return stage


def _found(on: Stage, **asked: object) -> list[str]:
    heads = known(on.outside, HERE, Filters(**asked)).heads  # type: ignore[arg-type]  # by name
    return [hit.note.said for hit in shown(on.outside, HERE, (head.id for head in heads))]


def test_what_a_project_sees_is_listed_newest_first(stage: Stage) -> None:
    """And what other projects know when that is asked for."""
    newest = _found(stage)[0]

    assert newest.startswith("Stripe webhook") and 3 == len(_found(stage))
    assert 4 == len(_found(stage, everywhere=True))


def test_filters_leave_what_is_meant(stage: Stage) -> None:
    """By kind, stage and trust, each alone and together; a name that nobody has finds nothing."""
    candidate = stage.remember(
        FLAKY, "Raise the start timeout in conftest.py", actor=Actor.AGENT
    ).entry

    assert ["orders.paid_at is in UTC"] == _found(stage, kind="schema", stage="validated")
    assert [] == _found(stage, kind="business_rule", stage="candidate")
    assert [candidate] == [
        h.id for h in known(stage.outside, HERE, Filters(trust="UNPROVEN")).heads
    ]
    assert [] == _found(stage, kind="<b>")


def test_counts_are_of_all_that_is_there(stage: Stage) -> None:
    """Whatever is filtered: so that one sees where to look next."""
    told = known(stage.outside, HERE, Filters(kind="schema"))

    assert 3 == told.all
    assert {"schema": 1, "business_rule": 1, "solution": 1} == told.counts["kind"]
    assert {"TRUST": 3} == told.counts["trust"]


def test_words_find_the_nearest_among_what_fits(stage: Stage) -> None:
    """As `recall` finds it, in other projects only when that is asked for."""
    assert ["orders.paid_at is in UTC"] == _found(stage, words="when were orders paid")
    assert [] == _found(stage, words="griffin") == _found(stage, words="orders", kind="solution")
    assert ["The griffin will not start: Feed it first"] == _found(
        stage, words="griffin", everywhere=True
    )


def test_an_entry_that_changed_is_told_anew(stage: Stage) -> None:
    """What is kept between two looks is never what it was: words, stages and new entries count."""
    before = known(stage.outside, HERE, Filters(trust="TRUST")).heads
    entry = before[0].id
    for _ in range(2):
        word = Word(result="failure", actor=Actor.HUMAN, weight=1_500)
        tell(stage.outside, entry, word)

    assert entry not in _trusted(stage)
    assert len(before) - 1 == len(_trusted(stage))
    stage_by_hand(stage.outside, before[1].id, Actor.HUMAN, Stages.RETIRED)
    assert before[1].id not in _trusted(stage)
    stage.learn("The gateway listens on 8443", actor=Actor.HUMAN)
    assert len(before) - 1 == len(_trusted(stage))


def _trusted(stage: Stage) -> list[EntryId]:
    return [head.id for head in known(stage.outside, HERE, Filters(trust="TRUST")).heads]


def test_trust_is_what_the_entry_itself_says(stage: Stage) -> None:
    """In short and in full they agree, also of what is in dispute with something that weighs."""
    one = stage.learn(
        "Booking status 7 means that the guest never arrived", actor=Actor.HUMAN
    ).entry
    other = stage.learn("Booking status 7 means the room is under repair", actor=Actor.HUMAN).entry
    stage.relate(other, one)
    stage.outside.clock.ms += 90 * 86_400_000  # type: ignore[attr-defined]  # a fixed clock
    heads = {head.id: head for head in known(stage.outside, HERE, Filters()).heads}

    for hit in shown(stage.outside, HERE, heads):
        assert hit.note.trust == heads[hit.note.id].trust
        assert bool(hit.note.rivals) == heads[hit.note.id].disputed
    disputed = known(stage.outside, HERE, Filters(disputed=True))
    assert {one, other} == {head.id for head in disputed.heads}
    assert {"yes": 2} == disputed.counts["disputed"]
