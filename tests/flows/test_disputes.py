"""What may not hold together is shown as such on both sides, until a person says what holds."""

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.knowledge.gates import Admit
from learnt.core.knowledge.relating import RelateOutcome
from learnt.errors import Conflict, NotFound, Refused
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.publish import as_folder
from learnt.flows.knowledge.relating import (
    argue,
    disputes,
    settle,
    settle_by_citations,
    settle_by_evidence,
)
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.ask import advice, ask
from tests.flows.stage import HERE, Stage
from tests.support.in_memory_files import InMemoryCitedFiles

TEN, MORE = "The upload limit is 10 MB", "The upload limit is 25 MB"
PERSON, AGENT = Decider(actor=Actor.HUMAN), Decider(actor=Actor.AGENT)
PAIRS: list[tuple[str, str]] = [
    (TEN, MORE),
    ("status 7 means the guest never arrived", "status 7 means the room is under repair"),
    ("The default branch is develop", "The default branch is main"),
    ("上传上限是 10 MB", "上传上限是 25 MB"),
    ("t_booking.amount is DECIMAL(10,2) in euros", "t_booking.amount is an INT in cents"),
    ("We deploy to production on Thursdays", "Deployments to production happen on Tuesdays"),
    ("status 7 = guest never arrived", "status 7 = room under repair"),
    ("errors are reported to Sentry", "errors are reported to Datadog"),
]


def keep(
    stage: Stage,
    text: str,
    actor: Actor = Actor.HUMAN,
    folder: str | None = HERE,
    cites: tuple[str, ...] = (),
) -> EntryId:
    """A fact that somebody keeps; admitted beside what is there."""
    what = Draft(text=text, kind="business_rule")
    offer = Offer(what=what, actor=actor, folder=folder, insisted=True, cites=cites)
    outcome = capture(stage.outside, offer)
    assert isinstance(outcome.decision, Admit), outcome
    return outcome.entry


def both(stage: Stage, texts: tuple[str, str] = (TEN, MORE)) -> tuple[EntryId, EntryId]:
    """Two facts in dispute: an agent said that they contradict each other."""
    older, newer = (keep(stage, text) for text in texts)
    assert RelateOutcome.DISPUTED is stage.relate(newer, older).outcome
    return older, newer


def trusts(stage: Stage, question: str) -> dict[EntryId, str]:
    """How far each entry that is found may be trusted."""
    hits = ask(stage.outside, question, folder=HERE, actor=Actor.HUMAN, most=5)
    return {hit.note.id: hit.note.trust for hit in hits}


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_sides_are_never_trusted_together(first: str, second: str) -> None:
    """Each is to be verified, and names the other; nothing may be answered from them."""
    stage = Stage()
    older, newer = both(stage, (first, second))

    assert {older: "VERIFY", newer: "VERIFY"} == trusts(stage, first)
    hits = ask(stage.outside, first, folder=HERE, actor=Actor.HUMAN, most=5)
    assert {(second,), (first,)} == {tuple(r.text for r in hit.note.rivals) for hit in hits}
    assert "answer" != advice(hits)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_rules_alone_put_nothing_in_dispute(first: str, second: str) -> None:
    """However much two sentences seem to contradict each other: each is as trusted as before."""
    stage = Stage()
    older, newer = keep(stage, first), keep(stage, second)

    assert {older: "TRUST", newer: "TRUST"} == trusts(stage, first)
    assert [] == disputes(stage.outside, HERE)


def test_a_prompt_is_shown_the_dispute() -> None:
    """With the other side's handle and words, and what to do."""
    stage = Stage()
    older, newer = both(stage)

    text = stage.prompt("What is the upload limit in MB?")

    assert f"\n{handle(older)} VERIFY" in text and f"\n{handle(newer)} VERIFY" in text
    assert f'in dispute with [{handle(newer)}] "{MORE}": ask the user which one holds' in text


@pytest.mark.parametrize(
    ("first", "second", "question"),
    [
        (TEN, MORE, "What is the upload limit?"),
        ("logs are kept for 30 days", "logs are kept for 90 days", "how long are logs kept?"),
        ("deploys happen on Thursdays", "deploys happen on Tuesdays", "when do deploys happen?"),
    ],
)
def test_a_dispute_takes_no_side_from_the_prompt_that_it_answers(
    first: str, second: str, question: str
) -> None:
    """What one side alone would have been given for, both are: neither is the other's rival."""
    stage = Stage()
    older = keep(stage, first)
    alone = handle(older) in stage.prompt(question, session="s1")
    newer = keep(stage, second)
    stage.relate(newer, older)

    text = stage.prompt(question, session="s2")

    assert alone and handle(older) in text and handle(newer) in text, text


def test_a_person_settles_for_one_side() -> None:
    """It is trusted again, the other is gone, and the story tells."""
    stage = Stage()
    older, newer = both(stage)

    assert f"{newer} holds; {older} is retired" == settle(stage.outside, newer, older, PERSON)

    assert {newer: "TRUST"} == trusts(stage, TEN)
    assert Stages.RETIRED is stage.entry(older).stage and newer == stage.entry(older).into
    assert [] == disputes(stage.outside, HERE)


def test_both_sides_may_hold() -> None:
    """Then both are trusted, and the dispute does not come back."""
    stage = Stage()
    older, newer = both(stage)

    settle(stage.outside, older, newer, PERSON, both=True)

    assert {older: "TRUST", newer: "TRUST"} == trusts(stage, TEN)
    assert [] == disputes(stage.outside, HERE)


def test_only_a_person_settles() -> None:
    """And a dispute that is there; of two who settle one, the second is told."""
    stage = Stage()
    older, newer = both(stage)

    with pytest.raises(Refused, match=f"learnt knowledge settle {newer} --over {older}"):
        settle(stage.outside, newer, older, AGENT)
    assert 1 == len(disputes(stage.outside, HERE))
    settle(stage.outside, newer, older, PERSON)
    with pytest.raises(Conflict, match=f"{older} is retired, {newer} is validated"):
        settle(stage.outside, older, newer, PERSON)
    with pytest.raises(NotFound):
        settle(stage.outside, EntryId("e-00000000000000"), newer, PERSON)


def test_an_agents_candidate_shakes_nothing_that_a_person_said() -> None:
    """It names the dispute itself; the person's stays trusted until somebody vouches for it."""
    stage = Stage()
    older = keep(stage, PAIRS[1][0])
    newer = keep(stage, PAIRS[1][1], Actor.AGENT)
    stage.relate(newer, older)

    assert {older: "TRUST", newer: "UNPROVEN"} == trusts(stage, "status 7")
    assert [(older, newer)] == [(d.older.id, d.newer.id) for d in disputes(stage.outside, HERE)]
    stage_by_hand(stage.outside, newer, Actor.HUMAN, Stages.VALIDATED)
    assert {older: "VERIFY", newer: "VERIFY"} == trusts(stage, "status 7")


def test_a_side_that_is_gone_disputes_nothing() -> None:
    """Retired or corrected, it is nobody's rival any more."""
    stage = Stage()
    older, newer = both(stage)
    stage_by_hand(stage.outside, newer, Actor.HUMAN, Stages.RETIRED)

    assert {older: "TRUST"} == trusts(stage, TEN)
    assert [] == disputes(stage.outside, HERE)


def test_an_export_does_not_trust_either() -> None:
    """Its numbers begin below what is trusted."""
    stage = Stage()
    older, newer = both(stage)
    text = "\n".join(as_folder(stage.outside, HERE).values())

    assert f"disputed={newer}" in text and f"disputed={older}" in text
    assert 2 == text.count("C0=0.79")


def test_an_agents_argument_puts_a_dispute_first_and_settles_nothing() -> None:
    """It is shown beside its side, once a session; both sides stay to be verified."""
    stage = Stage()
    both(stage, PAIRS[1])
    older, newer = both(stage)
    stage.begin("s1")

    assert argue(stage.outside, newer, "upload.ts: const LIMIT = 25", "s1")[1]
    assert not argue(stage.outside, newer, "the wiki", "s1")[1]

    first, second = disputes(stage.outside, HERE)
    assert (newer, ("upload.ts: const LIMIT = 25",)) == (first.newer.id, first.for_newer)
    assert () == second.for_older + second.for_newer + first.for_older
    assert {older: "VERIFY", newer: "VERIFY"} == trusts(stage, TEN)
    settle(stage.outside, newer, older, PERSON)
    assert () == stage.entry(newer).arguments
    with pytest.raises(Refused, match="in no dispute"):
        argue(stage.outside, newer, "again", "s2")


def test_a_tools_result_settles_what_no_person_said() -> None:
    """It speaks against the other side; where a person said that, it is an argument."""
    stage = Stage()
    older, newer = (keep(stage, text, Actor.AGENT) for text in PAIRS[1])
    for name in (older, newer):
        stage_by_hand(stage.outside, name, Actor.HUMAN, Stages.VALIDATED)
    stage.relate(newer, older)
    persons = both(stage)

    for shown in (newer, persons[1]):
        settle_by_evidence(stage.outside, shown, "a tool's result")
        settle_by_evidence(stage.outside, shown, "a tool's result")

    assert {older: "VERIFY", newer: "TRUST"} == trusts(stage, PAIRS[1][0])
    (left,) = disputes(stage.outside, HERE)
    assert ("It is shown by a tool's result.",) == left.for_older + left.for_newer


def test_what_code_says_now_settles() -> None:
    """A citation that holds against one whose lines say something else."""
    stage = Stage()
    assert isinstance(stage.outside.cited_files, InMemoryCitedFiles)
    files = stage.outside.cited_files.files
    files[f"{HERE}/upload.py"] = b"LIMIT_OF_UPLOADS = 10\n"
    files[f"{HERE}/limits.py"] = b"UPLOAD_LIMIT = 25\n"
    named = [
        keep(stage, text, Actor.AGENT, cites=(f"{path}:1",))
        for text, path in zip(PAIRS[1], ("upload.py", "limits.py"), strict=True)
    ]
    stage.relate(named[1], named[0])
    settle_by_citations(stage.outside, HERE)
    assert 1 == len(disputes(stage.outside, HERE)), "both hold"
    files[f"{HERE}/upload.py"] = b"import limits\n"

    settle_by_citations(stage.outside, HERE)

    assert {named[0]: "UNPROVEN", named[1]: "UNPROVEN"} == trusts(stage, PAIRS[1][0])
    assert [] == disputes(stage.outside, HERE)


def test_a_purged_side_ends_the_dispute() -> None:
    """What was said for it goes with it."""
    stage = Stage()
    older, newer = both(stage)
    argue(stage.outside, newer, "the old manual, page 4711", "s1")
    (said,) = stage.entry(newer).arguments

    purge(stage.outside, Target(entry=newer), Actor.HUMAN)

    assert {older: "TRUST"} == trusts(stage, TEN)
    assert [] == disputes(stage.outside, HERE)
    with stage.outside.ledger.reading() as reader:
        assert reader.text(said) is None
