"""Every kind of event has a typed payload, and what is stored of any record is read back."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from learnt.core.events import Kind
from learnt.core.governance.proposals import Proposal
from learnt.core.health.outcomes import CallEvidence
from learnt.core.knowledge.entries import Entry, Standing
from learnt.core.payloads.entry_events import BecameSkill, EntryDecided, EntryFeedback
from learnt.core.payloads.proposal_events import Applied, Decided
from learnt.core.payloads.session_events import EpisodeFeedback
from learnt.core.payloads.typed import OF_SUBJECTS, RECORDS, event_of, typed
from learnt.core.projects import Project
from learnt.core.records import Record, canonical, decode, encode
from learnt.core.sessions.sessions import Session
from learnt.core.skills.history import SkillHistory
from tests.core.happenings import happened

PAYLOADS = [*RECORDS.values(), *OF_SUBJECTS.values()]
STORED = [*PAYLOADS, SkillHistory, Entry, Session, Project, Proposal, Standing, CallEvidence]


def test_each_kind_has_a_payload() -> None:
    """One, or two where an entry's event says something else than another subject's."""
    assert set(Kind) == set(RECORDS)
    assert all(kind is event_of(record) for kind, record in RECORDS.items())
    assert {
        ("entry", Kind.FEEDBACK),
        ("entry", Kind.APPLIED),
        ("entry", Kind.DECIDED),
        ("distilled", Kind.HARVESTED),
        ("model", Kind.HARVESTED),
    } == set(OF_SUBJECTS)


@pytest.mark.parametrize(
    ("subject", "kind", "record"),
    [
        ("entry:e-1", Kind.FEEDBACK, EntryFeedback),
        ("session:a:s", Kind.FEEDBACK, EpisodeFeedback),
        ("entry:e-1", Kind.APPLIED, BecameSkill),
        ("proposal:skill-1", Kind.APPLIED, Applied),
        ("entry:e-1", Kind.DECIDED, EntryDecided),
        ("proposal:skill-1", Kind.DECIDED, Decided),
    ],
)
def test_a_payload_goes_by_kind_and_subject(subject: str, kind: Kind, record: type) -> None:
    """Of three kinds both are needed."""
    assert record is type(typed(happened(subject, kind)))


@pytest.mark.parametrize("record", STORED, ids=lambda record: record.__name__)
def test_any_record_is_read_back_as_it_was_stored(record: type[Record]) -> None:
    """Whatever it holds: equal, and stored again it is the same text."""

    @settings(deadline=None, max_examples=20, derandomize=True)
    @given(st.builds(record, **{f.name: st.from_type(f.type) for f in structs.fields(record)}))
    def holds(made: object) -> None:
        stored = canonical(encode(made))
        again = decode(record, json.loads(stored))
        assert made == again
        assert stored == canonical(encode(again))

    holds()
