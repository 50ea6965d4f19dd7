"""Views: what the events of one subject add up to. The ledger and a rebuild use this same fold."""

from collections.abc import Iterable

from learnt.core import projects
from learnt.core.events import Event
from learnt.core.governance import proposals
from learnt.core.json_values import JsonObject
from learnt.core.knowledge import entries
from learnt.core.sessions import sessions


def step(state: JsonObject | None, event: Event) -> JsonObject | None:
    """The subject's state after one more event; None for a subject that has no view."""
    match event.subject.split(":", 1)[0]:
        case "entry":
            entry = None if state is None else entries.from_state(state)
            return entries.to_state(entries.step(entry, event))
        case "session":
            session = None if state is None else sessions.from_state(state)
            return sessions.to_state(sessions.step(session, event))
        case "project":
            project = None if state is None else projects.from_state(state)
            return projects.to_state(projects.step(project, event))
        case "proposal":
            proposal = None if state is None else proposals.from_state(state)
            return proposals.to_state(proposals.step(proposal, event))
        case _:
            return None


def fold(events: Iterable[Event], state: JsonObject | None = None) -> JsonObject | None:
    """The state after many events, which must come in the order of their stamps."""
    for event in events:
        state = step(state, event)
    return state
