"""Skills of ours are looked after: whether they are used at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.identifiers import ProposalId
from learnt.flows.governance.accept import reject
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.listing import shown
from learnt.flows.skills.tend import retire_unused
from learnt.flows.skills.versions import new_text, note_version
from learnt.stores.text_files import DiskDocuments
from tests.flows.shelved import Shelved, shelved
from tests.support.in_memory import FixedClock

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


def tended(shelf: Shelved) -> list[ProposalId]:
    return retire_unused(shelf.opened, Actor.LEARNT)


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
    assert [] == tended(shelf)
    shelf.stage.begin("t20")
    shelf.ended("s0")
    (made,) = tended(shelf)
    texts = shown(shelf.stage.outside, made)
    assert (ProposalKind.RETIRE, True) == (texts.proposal.kind, "queues" in texts.target)
    assert texts.rationale.startswith("never used in 20 sessions since ")
    reject(shelf.stage.outside, made, "", PERSON)
    assert [] == tended(shelf)
