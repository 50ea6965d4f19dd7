"""Skills are looked after: their descriptions, and whether they are used at all."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from learnt.core.events import Actor
from learnt.core.governance.proposals import Proposal, ProposalKind
from learnt.core.skills.replay import Tuning
from learnt.core.skills.skills import key_of
from learnt.flows.governance.decide import reject
from learnt.flows.governance.decisions import Decider, proposals
from learnt.flows.governance.listing import shown
from learnt.flows.skills.tune import Tender
from learnt.flows.skills.versions import new_text, note_version
from learnt.stores.text_files import DiskDocuments
from tests.flows.shelved import Shelved, shelved
from tests.support.in_memory import FixedClock

FAILED = "Exit code 1\n3 failed in 1s"
STOPPED = "[Request interrupted by user]"
DAY_MS = 86_400_000
PERSON = Decider(actor=Actor.HUMAN)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelved]:
    with shelved(tmp_path) as made:
        made.stage.outside = replace(made.stage.outside, documents=DiskDocuments())
        made.put("queues", "Frees waiting queues.")
        for name in ("tea", "walls", "letters"):
            made.put(name, f"Cares for {name}.")
        yield made


def accepted(shelf: Shelved, name: str = "queues") -> None:
    """A person accepted a text of it: it is ours."""
    file = shelf.folder / name / "SKILL.md"
    with shelf.stage.outside.ledger.writing() as writer:
        outside, text = shelf.stage.outside, file.read_text("utf-8")
        new = new_text(outside, str(file), text, "skill-0123456789")
        note_version(outside, writer, new, None)


def tender(shelf: Shelved) -> Tender:
    return Tender(shelf.stage.outside, shelf.known, shelf.library, None)


def tune(shelf: Shelved, name: str = "queues") -> Tuning | None:
    return tender(shelf).tune(shelf.known.skills[key_of(name)], Actor.LEARNT)


def worked(shelf: Shelved, sessions: int, first: int = 0) -> None:
    """Sessions in which the skill was used, called by name, and of no use."""
    for number in range(first, first + sessions):
        session = f"s{number}"
        shelf.asked(f"the consumers are in deadlock, case {number}", session, used="queues")
        shelf.asked(f"payments stall in branch {number}", session, result=STOPPED)
        shelf.called("queues", session)
        shelf.asked(f"please brew some tea for floor {number}", session)
        shelf.asked(f"why are the queues at shop {number} so long", session)
        shelf.ended(session)


def waiting(shelf: Shelved) -> list[Proposal]:
    with shelf.stage.outside.ledger.reading() as reader:
        return proposals(reader)


def test_a_better_description_is_proposed_with_its_gain(shelf: Shelved) -> None:
    """By the hits, the calls by name and the offers in vain; nothing is written for it."""
    before = (shelf.folder / "queues" / "SKILL.md").read_text("utf-8")
    worked(shelf, 6)
    tuning = tune(shelf)
    assert tuning is not None and tuning.gain is not None
    assert ("proposed", 6, 6, 6) == (tuning.status, tuning.hits, tuning.misses, tuning.bypasses)
    assert {"deadlock", "stall"} <= set(tuning.words)
    assert (0, 6) == (tuning.gain.found, tuning.gain.found_then)
    (proposal,) = waiting(shelf)
    assert ProposalKind.NEW_VERSION is proposal.kind and tuning.gain == proposal.evidence.gain
    texts = shown(shelf.stage.outside, proposal.id)
    assert f'description: "{tuning.description}"' in texts.draft
    assert "offered for 0 before and 6 after" in texts.rationale
    assert before == (shelf.folder / "queues" / "SKILL.md").read_text("utf-8")


def test_one_waits_at_a_time_and_what_was_turned_down_stays_so(shelf: Shelved) -> None:
    """Until the evidence has doubled; a new word alone brings nothing back."""
    worked(shelf, 6)
    first = tune(shelf)
    worked(shelf, 2, first=6)
    again = tune(shelf)
    assert first and again and ("waits", first.proposal) == (again.status, again.proposal)
    reject(shelf.stage.outside, first.proposal, "no", PERSON)
    once_more = tune(shelf)
    assert once_more and "rejected" == once_more.status
    worked(shelf, 4, first=8)
    doubled = tune(shelf)
    assert doubled and "rejected" != doubled.status


def test_too_little_evidence_says_how_much_is_missing(shelf: Shelved) -> None:
    """And a skill that nobody wanted is passed over."""
    worked(shelf, 1)
    tuning = tune(shelf)
    assert tuning and ("too-few", 6) == (tuning.status, tuning.lacking)
    assert tune(shelf, "tea") is None and [] == waiting(shelf)


def test_a_use_that_was_found_bad_is_no_evidence(shelf: Shelved) -> None:
    """Neither for the skill nor against it."""
    shelf.asked("the consumers are in deadlock", used="queues", result=FAILED)
    shelf.ended()
    assert tune(shelf) is None


def test_a_call_by_name_after_other_work_says_nothing_of_it(shelf: Shelved) -> None:
    """Neither that it was wanted there nor that it was offered in vain: `/commit` follows any."""
    shelf.asked("the queues in deadlock are slow")
    shelf.called("queues")
    shelf.asked("the consumers are in deadlock", used="queues")
    shelf.ended()
    tuning = tune(shelf)
    assert tuning and (1, 0, 0) == (tuning.hits, tuning.misses, tuning.bypasses)


def test_unasked_only_our_skills_are_tended(shelf: Shelved) -> None:
    """Those that Learnt installed, or whose text a person accepted."""
    worked(shelf, 6)
    assert [] == tender(shelf).tend(Actor.LEARNT)
    accepted(shelf)
    (made,) = tender(shelf).tend(Actor.LEARNT)
    assert [made] == [proposal.id for proposal in waiting(shelf)]
    assert [] == tender(shelf).tend(Actor.LEARNT)


def test_a_skill_of_ours_that_is_never_used_is_proposed_for_the_archive(shelf: Shelved) -> None:
    """After 60 days and 20 sessions; not one that was used, and never somebody else's."""
    clock = shelf.stage.outside.clock
    assert isinstance(clock, FixedClock)
    for name in ("queues", "tea"):
        accepted(shelf, name)
    clock.ms += 61 * DAY_MS
    for number in range(19):
        shelf.asked(f"paint floor {number}", f"s{number}", used="" if number else "tea")
        shelf.stage.begin(f"t{number}")
    assert [] == tender(shelf).tend(Actor.LEARNT)
    shelf.stage.begin("t20")
    shelf.ended("s0")
    (made,) = tender(shelf).tend(Actor.LEARNT)
    texts = shown(shelf.stage.outside, made)
    assert (ProposalKind.RETIRE, True) == (texts.proposal.kind, "queues" in texts.target)
    assert texts.rationale.startswith("never used in 20 sessions since ")
    reject(shelf.stage.outside, made, "", PERSON)
    assert [] == tender(shelf).tend(Actor.LEARNT)
