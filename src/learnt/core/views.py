"""Views: what the events of one subject add up to. The ledger and a rebuild use this same fold."""

from collections.abc import Iterable

from learnt.core.events import Event
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.entries import Entry
from learnt.core.projects import Project
from learnt.core.records import decode, encode


def step(state: JsonObject | None, event: Event) -> JsonObject | None:
    """The subject's state after one more event; None for a subject that has no view."""
    # A fold is loaded when it is needed: who only looks pays for none.
    match event.subject.split(":", 1)[0]:
        case "entry":
            from learnt.core.knowledge import entry_fold

            entry = None if state is None else decode(Entry, state)
            return encode(entry_fold.step(entry, event))
        case "session":
            from learnt.core.sessions import session_fold
            from learnt.core.sessions.sessions import Session

            session = None if state is None else decode(Session, state)
            return encode(session_fold.step(session, event))
        case "project":
            from learnt.core import project_fold

            project = None if state is None else decode(Project, state)
            return encode(project_fold.step(project, event))
        case "proposal":
            from learnt.core.governance import proposal_fold
            from learnt.core.governance.proposals import Proposal

            proposal = None if state is None else decode(Proposal, state)
            return encode(proposal_fold.step(proposal, event))
        case _:
            return None


def fold(events: Iterable[Event], state: JsonObject | None = None) -> JsonObject | None:
    """The state after many events, which must come in the order of their stamps."""
    for event in events:
        state = step(state, event)
    return state
