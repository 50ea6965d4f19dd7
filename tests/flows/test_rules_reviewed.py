"""A person's old notes that read as standing rules are asked about once, all of them together."""

import pytest

from learnt.core.events import Actor, Origin
from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage as Stages
from learnt.errors import Conflict, Refused, UsageError
from learnt.flows.governance.explain import explain
from learnt.flows.governance.review import ReviewItem, queue, still_waits, waits
from learnt.flows.governance.review_choices import ReviewAnswer, ReviewDone, choose, undo
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.rewording import reword
from learnt.flows.knowledge.standing import stage_by_hand
from tests.flows.proposing import PERSON
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.flows.test_disputes import AGENT, keep
from tests.flows.test_what_waits import VAGUE

LINT, PIN = "Always run make lint before you push", "We pin SQLAlchemy below 2.1"
PORT = "The staging gateway listens on port 8443"
DEEDS = (
    "oil bolts, paint vans, sweep floors, weigh parcels, wash bottles, count coins, sort letters, "
    "press shirts, bake bread, mow lawns, feed pigeons, trim hedges, tune pianos, wax skis, "
    "stack logs, fold maps, grind coffee, peel apples, knit scarves, iron sheets, dust lamps"
).split(", ")
ACCEPT, REJECT = ReviewAnswer(ReviewChoice.ACCEPT), ReviewAnswer(ReviewChoice.REJECT)


def rules_item(stage: Stage) -> ReviewItem:
    """The one item of notes that read as rules."""
    (item,) = (item for item in queue(stage.outside, HERE) if item.sort is ReviewSort.RULES)
    return item


def decided(stage: Stage, answer: ReviewAnswer) -> ReviewDone:
    """What a person decides on the notes that read as rules."""
    return choose(stage.outside, rules_item(stage), answer, PERSON, HERE)


def texts(item: ReviewItem) -> set[str]:
    """What the notes of an item say."""
    return {part.text for part in item.parts}


def test_the_notes_are_listed_whole_as_one_item() -> None:
    """Those whose words lay something down, and weaken no guard; they wait as one thing."""
    stage = Stage()
    for text in (LINT, PIN, PORT, "Always commit with --no-verify"):
        keep(stage, text)

    item = rules_item(stage)

    assert {LINT, PIN} == texts(item)
    assert "2 note(s) of yours read as standing rules" == item.subject
    assert (ReviewChoice.ACCEPT, ReviewChoice.REJECT) == item.choices
    assert {"rules": 1} == waits(stage.outside, HERE)
    assert [] == queue(stage.outside, ELSEWHERE)


def test_it_stands_before_what_was_kept_as_it_stands_and_behind_the_rest() -> None:
    """Rules are asked about last but one."""
    stage = Stage()
    for text in (VAGUE, LINT):
        keep(stage, text)
    stage.learn("orders.status 4 means refunded")
    stage.prompt(VAGUE)

    sorts = [item.sort for item in queue(stage.outside, HERE)]

    assert [ReviewSort.CANDIDATE, ReviewSort.RULES, ReviewSort.AS_IT_STANDS] == sorts


def test_accepted_they_are_rules_and_keep_all_else() -> None:
    """Text, trust and history stay; taken back they are exactly what they were."""
    stage = Stage()
    names = [keep(stage, text) for text in (LINT, PIN)]
    before = [stage.entry(name) for name in names]

    done = decided(stage, ACCEPT)

    assert "2 of 2 notes are rules now" == done.said
    for was, name in zip(before, names, strict=True):
        now = stage.entry(name)
        assert ("rule", was.text, was.standing) == (now.kind, now.text, now.standing)
        assert (was.remembered_ms, was.reused, was.corrected) == (
            now.remembered_ms, now.reused, now.corrected
        )  # fmt: skip
        assert "its kind is rule" == explain(stage.outside, name).events[-1].said
    assert [] == queue(stage.outside, HERE)
    undo(stage.outside, done, PERSON)
    assert before == [stage.entry(name) for name in names]
    assert {LINT, PIN} == texts(rules_item(stage))


def test_rejected_they_are_never_asked_about_again() -> None:
    """They stay what they were, reworded as well; a later note is asked about alone."""
    stage = Stage()
    name = keep(stage, LINT)
    before = stage.entry(name)

    done = decided(stage, REJECT)
    assert "1 of 1 notes stay as they are" == done.said
    assert before.kind == stage.entry(name).kind and [] == queue(stage.outside, HERE)
    reword(stage.outside, name, Draft(text="Always run make lint and make types"), PERSON)
    assert [] == queue(stage.outside, HERE)
    keep(stage, PIN)

    assert {PIN} == texts(rules_item(stage))


def test_a_rejection_is_taken_back() -> None:
    """Then they are asked about again."""
    stage = Stage()
    keep(stage, LINT)
    undo(stage.outside, decided(stage, REJECT), PERSON)
    assert {LINT} == texts(rules_item(stage))


def as_rule(stage: Stage) -> EntryId:
    fact = Draft(text=LINT, kind="rule")
    return capture(stage.outside, Offer(what=fact, actor=Actor.HUMAN, folder=HERE)).entry


def imported(stage: Stage) -> EntryId:
    fact = Draft(text=LINT, kind="schema")
    told = Offer(what=fact, actor=Actor.HUMAN, came_from=Origin.MIXED, folder=HERE)
    return capture(stage.outside, told).entry


def by_agent(stage: Stage) -> EntryId:
    name = keep(stage, f"{PIN} because the ORM breaks there", Actor.AGENT)
    return stage_by_hand(stage.outside, name, Actor.HUMAN, Stages.VALIDATED).id


def solved(stage: Stage) -> EntryId:
    return stage.remember(LINT, LINT).entry


@pytest.mark.parametrize("kept", [as_rule, imported, by_agent, solved])
def test_what_a_person_did_not_type_as_a_note_is_not_asked_about(kept: object) -> None:
    """A rule already, an import, an agent's note that a person vouched for, a solution."""
    stage = Stage()
    assert callable(kept)
    kept(stage)
    assert ReviewSort.RULES not in {item.sort for item in queue(stage.outside, HERE)}


def test_what_was_decided_meanwhile_stays_as_it_was_decided() -> None:
    """Two terminals: the second decision changes nothing, and says so."""
    stage = Stage()
    name = keep(stage, LINT)
    item = rules_item(stage)
    decided(stage, ACCEPT)
    before = stage.entry(name)

    assert not still_waits(stage.outside, item)
    with pytest.raises(Conflict, match="decided on meanwhile"):
        choose(stage.outside, item, REJECT, PERSON, HERE)
    assert before == stage.entry(name)


def test_a_note_that_changed_since_is_not_taken_back_with_the_rest() -> None:
    """The others are; how many stay is said. More notes than one transaction takes."""
    stage = Stage()
    names = [keep(stage, f"We always {deed}") for deed in DEEDS]
    done = decided(stage, ACCEPT)
    reword(stage.outside, names[0], Draft(text="We always oil the crane"), PERSON)

    assert "1 of it changed since" in undo(stage.outside, done, PERSON)

    assert "rule" == stage.entry(names[0]).kind
    assert {"business_rule"} == {stage.entry(name).kind for name in names[1:]}


def test_only_a_person_decides() -> None:
    """An agent is refused, and nothing else than accept and reject is a choice."""
    stage = Stage()
    keep(stage, LINT)
    item = rules_item(stage)
    with pytest.raises(Refused):
        choose(stage.outside, item, ACCEPT, AGENT, HERE)
    with pytest.raises(UsageError):
        choose(stage.outside, item, ReviewAnswer(ReviewChoice.EDIT), PERSON, HERE)
    assert still_waits(stage.outside, item)
