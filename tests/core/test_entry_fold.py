"""An entry is what its events add up to."""

from dataclasses import replace

import pytest

from learnt.core.events import Actor, Kind, Origin
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.entries import Entry, Source, Stage, from_state, step, to_state
from tests.core.happenings import happened

SUBJECT = "entry:e-1"
REMEMBERED: JsonObject = {
    "form": "fact",
    "kind": "schema",
    "stage": "validated",
    "scope": "p-1",
    "problem": "k.problem",
    "approach": "k.approach",
    "cautions": ["k.c1", "k.c2"],
    "tags": ["k.t"],
    "files": ["k.f"],
    "language": "k.language",
    "fingerprint": "f0",
    "source": {"session": "s", "position": 0, "speaker": "k.speaker", "date": "2026-11-01"},
}
ENTRY = Entry(
    id=EntryId("e-1"),
    stage=Stage.VALIDATED,
    form="fact",
    kind="schema",
    problem=ContentRef("k.problem"),
    approach=ContentRef("k.approach"),
    cautions=(ContentRef("k.c1"), ContentRef("k.c2")),
    tags=(ContentRef("k.t"),),
    files=(ContentRef("k.f"),),
    language=ContentRef("k.language"),
    scope=ProjectId("p-1"),
    fingerprint="f0",
    actor=Actor.HUMAN,
    origin=Origin.USER,
    source=Source(session="s", position=0, speaker=ContentRef("k.speaker"), date="2026-11-01"),
    remembered_ms=1_000,
)


def remembered(payload: JsonObject = REMEMBERED, origin: Origin | None = Origin.USER) -> Entry:
    """The entry after it was remembered."""
    event = happened(SUBJECT, Kind.REMEMBERED, payload, actor=Actor.HUMAN, origin=origin)
    return step(None, event)


def test_remembering_makes_the_entry() -> None:
    """Everything that its payload says, and who said it, when."""
    assert ENTRY == remembered()


def test_remembering_the_least() -> None:
    """What a payload leaves out stays unknown; a text of unknown origin is the assistant's."""
    entry = remembered({"stage": "candidate"}, origin=None)

    expected = Entry(
        id=EntryId("e-1"),
        stage=Stage.CANDIDATE,
        form="",
        kind="",
        actor=Actor.HUMAN,
        origin=Origin.ASSISTANT,
        remembered_ms=1_000,
    )

    assert expected == entry


def test_an_entry_holds_its_references() -> None:
    """All of them, so that a purge finds every text."""
    expected = {"problem", "approach", "c1", "c2", "t", "f", "language", "speaker"}

    assert {f"k.{name}" for name in expected} == set(ENTRY.refs)
    assert len(expected) == len(ENTRY.refs)
    assert () == Entry(id=EntryId("e"), stage=Stage.RETIRED, source=Source()).refs


@pytest.mark.parametrize(
    ("kind", "payload", "expected"),
    [
        (
            Kind.GATED,
            {"verdict": "reject", "gate": "value", "reason": "too-long"},
            replace(ENTRY, stage=Stage.REJECTED, reason="too-long"),
        ),
        (Kind.GATED, {"verdict": "merge"}, replace(ENTRY, confirmations=1)),
        (Kind.GATED, {"verdict": "admit"}, ENTRY),
        (Kind.REUSED, {}, replace(ENTRY, reused=1)),
        (Kind.NOT_DELIVERED, {}, ENTRY),
        (Kind.PURGED, {}, Entry(id=EntryId("e-1"), stage=Stage.RETIRED, reason="purged")),
        (Kind.MISSED, {}, ENTRY),
        (Kind.SESSION_STARTED, {"source": "startup"}, ENTRY),
    ],
)
def test_each_event_does_its_own(kind: Kind, payload: JsonObject, expected: Entry) -> None:
    """And an event that does not concern an entry leaves it as it was."""
    assert expected == step(ENTRY, happened(SUBJECT, kind, payload))


def test_confirmations_and_reuses_add_up() -> None:
    """One each time; what never arrived is taken back."""
    entry: Entry = ENTRY
    for kind in (Kind.REUSED, Kind.REUSED, Kind.NOT_DELIVERED, Kind.REUSED):
        entry = step(entry, happened(SUBJECT, kind))
    for _ in range(3):
        entry = step(entry, happened(SUBJECT, Kind.GATED, {"verdict": "merge"}))

    assert (2, 3) == (entry.reused, entry.confirmations)


def test_a_rejected_draft_keeps_its_reason_alone() -> None:
    """No text of it was ever kept."""
    rejected = step(None, happened(SUBJECT, Kind.GATED, {"verdict": "reject", "reason": "no"}))

    assert Entry(id=EntryId("e-1"), stage=Stage.REJECTED, reason="no") == rejected
    assert () == rejected.refs


def test_a_state_holds_no_default() -> None:
    """Equal entries are equal bytes, and a small one is small."""
    assert {"id": "e-1", "stage": "retired", "form": "solution", "kind": "solution",
            "actor": "learnt", "origin": "assistant"} == to_state(
        Entry(id=EntryId("e-1"), stage=Stage.RETIRED)
    )  # fmt: skip


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        replace(ENTRY, reused=2, confirmations=3, reason="r", source=None, scope=None),
        replace(ENTRY, source=Source(), language=None),
        Entry(id=EntryId("e-1"), stage=Stage.REJECTED, reason="no-problem"),
    ],
)
def test_a_state_gives_its_entry_back(entry: Entry) -> None:
    """Nothing is lost on the way through a view."""
    assert entry == from_state(to_state(entry))
