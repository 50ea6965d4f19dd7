"""Views: the fold that the ledger, a rebuild and a check all use."""

import inspect
import re

import pytest

from learnt.core import projects, views
from learnt.core.events import Kind
from learnt.core.governance import proposal_fold
from learnt.core.knowledge import entry_fold
from learnt.core.records import JsonObject
from learnt.core.sessions import sessions
from learnt.core.skills import history
from tests.core.happenings import happened

FOLDED: list[tuple[str, Kind, JsonObject, JsonObject]] = [
    (
        "entry:e-1",
        Kind.REUSED,
        {},
        {
            "id": "e-1",
            "stage": "candidate",
            "form": "solution",
            "kind": "solution",
            "actor": "learnt",
            "origin": "assistant",
            "reused": 1,
        },
    ),
    (
        "session:claude-code:s",
        Kind.MISSED,
        {},
        {"agent": "claude-code", "id": "s", "started_ms": 1_000, "last_ms": 1_000, "misses": 1},
    ),
    ("project:p-1", Kind.PROJECT_SEEN, {"path": "h"}, {"id": "p-1", "paths": ["h"]}),
]


@pytest.mark.parametrize(("subject", "kind", "payload", "expected"), FOLDED)
def test_each_subject_has_its_view(
    subject: str, kind: Kind, payload: JsonObject, expected: JsonObject
) -> None:
    """An entry, a session and a project are folded by their own rules."""
    assert expected == views.step(None, happened(subject, kind, payload))


@pytest.mark.parametrize("subject", ["questions", "contents", "entries:e-1", ""])
def test_other_subjects_have_none(subject: str) -> None:
    """What happens beside the three nouns is recorded, not folded."""
    event = happened(subject, Kind.RECALLED)

    assert views.step(None, event) is None
    assert views.step({"id": "x"}, event) is None


@pytest.mark.parametrize("subject", ["entry:e-1", "session:a:s", "project:p-1"])
def test_a_fold_goes_on_where_another_stopped(subject: str) -> None:
    """Folding in two parts, through the stored state, is folding at once."""
    kinds = (Kind.REUSED, Kind.MISSED, Kind.REUSED, Kind.PROJECT_SEEN, Kind.REUSED)
    events = [happened(subject, kind, {"path": "h"}, at=at) for at, kind in enumerate(kinds, 1)]

    at_once = views.fold(events)

    assert at_once is not None
    assert [at_once] * 6 == [views.fold(events[cut:], views.fold(events[:cut])) for cut in range(6)]


def test_no_events_make_no_view() -> None:
    """A subject that nothing happened to has no state."""
    assert views.fold([]) is None


def test_every_kind_of_event_is_folded() -> None:
    """A fold passes over the kinds that it does not name: a new kind is named, or listed here."""
    folds = map(inspect.getsource, (entry_fold, sessions, projects, proposal_fold, history))
    named = {
        name for source in folds for name in re.findall(r"(?:case|is not|\|) Kind\.(\w+)", source)
    }
    assert {"HARVESTED", "TIDIED"} == {kind.name for kind in Kind} - named
