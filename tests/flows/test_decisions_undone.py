"""Each decision of `review` that wrote no file can be taken back, and the thing waits again."""

from collections.abc import Callable

import pytest

from learnt.core.events import Actor
from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage as Stages
from learnt.errors import Conflict, Refused, UsageError
from learnt.flows.governance.listing import shown
from learnt.flows.governance.purge import Target, purge
from learnt.flows.governance.review import ReviewItem, queue
from learnt.flows.governance.review_choices import ReviewAnswer, ReviewDone, choose, undo
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.relating import argue, disputes
from learnt.flows.recall.ask import ask
from tests.flows.proposing import PERSON, Play
from tests.flows.stage import HERE, Stage
from tests.flows.test_disputes import AGENT, MORE, TEN, both, keep, trusts
from tests.flows.test_what_waits import CANDIDATE, VAGUE, brought
from tests.support.in_memory_files import InMemoryCitedFiles

ACCEPT, BOTH, EDIT = ReviewChoice.ACCEPT, ReviewChoice.BOTH, ReviewChoice.EDIT
MERGE, REJECT = ReviewChoice.MERGE, ReviewChoice.REJECT


def only(stage: Stage) -> ReviewItem:
    """The one thing that waits."""
    (item,) = queue(stage.outside, HERE)
    return item


def decided(stage: Stage, answer: ReviewAnswer) -> ReviewDone:
    """What a person decides on the one thing that waits."""
    return choose(stage.outside, only(stage), answer, PERSON, HERE)


def holds_first(older: EntryId, newer: EntryId) -> ReviewAnswer:
    return ReviewAnswer(ACCEPT, older)


def holds_both(older: EntryId, newer: EntryId) -> ReviewAnswer:
    return ReviewAnswer(BOTH)


def edits_second(older: EntryId, newer: EntryId) -> ReviewAnswer:
    return ReviewAnswer(EDIT, newer, sheet=Draft(text="Premium uploads end at 25 MB"))


def merges(older: EntryId, newer: EntryId) -> ReviewAnswer:
    return ReviewAnswer(
        MERGE, newer, sheet=Draft(text="Uploads end at 10 MB, of premium users at 25")
    )


SETTLING = [holds_first, holds_both, edits_second, merges]


@pytest.mark.parametrize("settling", SETTLING)
def test_a_settled_dispute_is_in_dispute_again(
    settling: Callable[[EntryId, EntryId], ReviewAnswer],
) -> None:
    """Both sides are found, each names the other, and what was said for one stands beside it."""
    stage = Stage()
    older, newer = both(stage)
    stage.begin("s1")
    argue(stage.outside, newer, "limits.py: 25", "s1")
    before = only(stage)

    done = decided(stage, settling(older, newer))
    assert [] == disputes(stage.outside, HERE)
    assert f"{before.id} waits for a decision again" == undo(stage.outside, done, PERSON)

    now = only(stage)
    assert [(p.id, p.text, p.said_for) for p in before.parts] == [
        (p.id, p.text, p.said_for) for p in now.parts
    ]
    assert {older: "VERIFY", newer: "VERIFY"} == trusts(stage, TEN)
    for was in done.before:
        is_now = stage.entry(was.id)
        assert (was.suspects, was.related) == (is_now.suspects, is_now.related)
    assert done.before[0].standing == stage.entry(done.before[0].id).standing


@pytest.mark.parametrize("settling", SETTLING)
def test_a_dispute_is_settled_by_what_a_person_does_with_its_sides(
    settling: Callable[[EntryId, EntryId], ReviewAnswer],
) -> None:
    """One holds, both do, one is corrected, or one takes the other's place."""
    stage = Stage()
    older, newer = both(stage)

    said = decided(stage, settling(older, newer)).said

    assert said and [] == queue(stage.outside, HERE)
    left = {hit.note.text for hit in ask(stage.outside, "upload limit uploads MB", folder=HERE,
                                         actor=Actor.HUMAN, most=5)}  # fmt: skip
    expected: dict[object, set[str]] = {
        holds_first: {TEN},
        holds_both: {TEN, MORE},
        edits_second: {TEN, "Premium uploads end at 25 MB"},
        merges: {"Uploads end at 10 MB, of premium users at 25"},
    }
    assert expected[settling] == left


@pytest.mark.parametrize(
    "answer",
    [
        ReviewAnswer(ACCEPT),
        ReviewAnswer(REJECT),
        ReviewAnswer(EDIT, sheet=Draft(text="It is 4: paid")),
    ],
)
def test_a_candidate_is_a_candidate_again(answer: ReviewAnswer) -> None:
    """Vouched for, retired or written again: with its text, its author and its witnesses."""
    stage = Stage()
    name = keep(stage, CANDIDATE, Actor.AGENT)
    before = stage.entry(name)

    done = decided(stage, answer)
    assert [] == queue(stage.outside, HERE)
    undo(stage.outside, done, PERSON)

    now = stage.entry(name)
    assert (ReviewSort.CANDIDATE, CANDIDATE) == (only(stage).sort, only(stage).subject)
    assert (before.stage, before.actor, before.standing) == (now.stage, now.actor, now.standing)
    assert {name: "UNPROVEN"} == trusts(stage, CANDIDATE)


@pytest.mark.parametrize("choice", [ACCEPT, REJECT])
def test_what_went_stale_is_stale_again(choice: ReviewChoice) -> None:
    """What it cites is looked at as it was before a person said that it holds."""
    stage = Stage()
    assert isinstance(stage.outside.cited_files, InMemoryCitedFiles)
    files = stage.outside.cited_files.files
    files[f"{HERE}/a.py"] = b"limit = 10\n"
    name = keep(stage, "jobs.queue_limit is 10 per worker", cites=("a.py:1",))
    files[f"{HERE}/a.py"] = b"other = 'words'\n"

    done = decided(stage, ReviewAnswer(choice))
    assert [] == queue(stage.outside, HERE)
    undo(stage.outside, done, PERSON)

    assert (name, ReviewSort.STALE) == (only(stage).id, only(stage).sort)


@pytest.mark.parametrize(
    "answer",
    [
        ReviewAnswer(ACCEPT),
        ReviewAnswer(REJECT),
        ReviewAnswer(EDIT, sheet=Draft(text="Port is 8443")),
    ],
)
def test_words_that_are_kept_as_they_stand_are_looked_at_once(answer: ReviewAnswer) -> None:
    """Accepted, written again or dropped they leave the queue; undone they come back."""
    stage = Stage()
    keep(stage, VAGUE)
    done = decided(stage, answer)

    assert [] == queue(stage.outside, HERE)
    undo(stage.outside, done, PERSON)
    assert (ReviewSort.AS_IT_STANDS, VAGUE) == (only(stage).sort, only(stage).subject)


@pytest.mark.parametrize(
    ("choice", "stage_"), [(ACCEPT, Stages.VALIDATED), (REJECT, Stages.RETIRED)]
)
def test_an_import_is_taken_or_dropped_as_a_whole(choice: ReviewChoice, stage_: Stages) -> None:
    """And waits as a whole again; a piece that was decided on before is left out."""
    stage = Stage()
    brought(stage, "The cache lives in redis 7", "Invoices are numbered per year")
    names = [part.id for part in only(stage).parts]

    done = decided(stage, ReviewAnswer(choice))
    assert f"2 of 2 pieces are {stage_}" == done.said
    assert {stage_} == {stage.entry(name).stage for name in names}
    undo(stage.outside, done, PERSON)

    assert names == [part.id for part in only(stage).parts]


def test_a_draft_is_edited_and_waits_on() -> None:
    """With a person's text, which more evidence leaves as it is; undone it is what it was."""
    play = Play()
    name = play.proposed()
    draft = shown(play.outside, name).draft
    done = decided(play, ReviewAnswer(EDIT, text=draft.replace("raw body", "raw bytes")))

    play.recalled("s4", "s5")
    play.analyze()
    now = shown(play.outside, name)
    assert "raw bytes" in now.draft and now.rationale.endswith("; you wrote this text")
    undo(play.outside, done, PERSON)
    assert "raw bytes" not in shown(play.outside, name).draft


def test_a_draft_that_lost_its_name_is_refused() -> None:
    """The skill's name is its folder; nothing is kept of such a text."""
    play = Play()
    name = play.proposed()
    before = shown(play.outside, name).draft
    for text in ("", "no front matter", before.replace("name: ", "name: x-")):
        with pytest.raises(Refused):
            decided(play, ReviewAnswer(EDIT, text=text))
    assert before == shown(play.outside, name).draft


def test_a_rejected_proposal_waits_again() -> None:
    """By the same call as all else."""
    play = Play()
    name = play.routed()
    done = decided(play, ReviewAnswer(REJECT, text="not here"))
    assert [] == queue(play.outside, HERE)
    undo(play.outside, done, PERSON)
    assert name == only(play).id


def test_nothing_is_undone_that_somebody_changed_since() -> None:
    """Two terminals: one settles, the other speaks for the side that holds, the first undoes."""
    stage = Stage()
    older, newer = both(stage)
    done = decided(stage, ReviewAnswer(ACCEPT, older))
    tell(stage.outside, older, Word(result="failure", actor=Actor.HUMAN))
    before = stage.entry(older), stage.entry(newer)

    with pytest.raises(Conflict, match="changed since"):
        undo(stage.outside, done, PERSON)

    assert before == (stage.entry(older), stage.entry(newer))


def test_undone_once_is_undone() -> None:
    """A second undo of the same decision changes nothing."""
    stage = Stage()
    older, _ = both(stage)
    done = decided(stage, ReviewAnswer(ACCEPT, older))
    undo(stage.outside, done, PERSON)

    with pytest.raises(Conflict):
        undo(stage.outside, done, PERSON)
    assert 1 == len(disputes(stage.outside, HERE))


def test_a_purged_side_does_not_come_back() -> None:
    """What was erased stays erased, and the other side as it is."""
    stage = Stage()
    older, newer = both(stage)
    done = decided(stage, ReviewAnswer(ACCEPT, older))
    purge(stage.outside, Target(entry=newer), Actor.HUMAN)

    with pytest.raises(Conflict, match="or erased"):
        undo(stage.outside, done, PERSON)

    assert {older: "TRUST"} == trusts(stage, TEN)
    assert (Stages.RETIRED, None) == (stage.entry(newer).stage, stage.entry(newer).about)


def test_the_rest_of_an_import_is_taken_back() -> None:
    """One piece that somebody corrected since stays as it is, and is told."""
    stage = Stage()
    brought(stage, "The cache lives in redis 7", "Invoices are numbered per year")
    done = decided(stage, ReviewAnswer(ACCEPT))
    first, second = (part.id for part in done.item.parts)
    tell(stage.outside, first, Word(result="failure", actor=Actor.HUMAN))

    assert "1 of it changed since" in undo(stage.outside, done, PERSON)

    assert Stages.VALIDATED is stage.entry(first).stage
    assert Stages.CANDIDATE is stage.entry(second).stage


def test_only_a_person_decides_and_undoes() -> None:
    """An agent is refused, and what is no choice of a thing is said to be none."""
    stage = Stage()
    older, _ = both(stage)
    item = only(stage)
    with pytest.raises(Refused):
        choose(stage.outside, item, ReviewAnswer(ACCEPT, older), AGENT, HERE)
    for answer in (ReviewAnswer(REJECT), ReviewAnswer(ACCEPT), ReviewAnswer(EDIT, older)):
        with pytest.raises(UsageError):
            choose(stage.outside, item, answer, PERSON, HERE)
    done = choose(stage.outside, item, ReviewAnswer(ACCEPT, older), PERSON, HERE)
    with pytest.raises(Refused):
        undo(stage.outside, done, AGENT)
    assert [] == disputes(stage.outside, HERE)
