"""The payload of any event, by its kind and its subject."""

from collections.abc import Mapping
from typing import Final, get_args

from learnt.core.events import Event, Kind, payload_of
from learnt.core.payloads import entry_events as entries
from learnt.core.payloads import session_events as sessions
from learnt.core.payloads.entry_events import EntryDecided, Missed, NotDelivered, Recalled, Reused
from learnt.core.payloads.proposal_events import Applied, Decided, Proposed, TextsPurged
from learnt.core.payloads.skill_events import Distilled, ModelCalled, SkillEvent
from learnt.core.records import fields_of

AnyPayload = (
    entries.Gated | entries.Remembered | entries.EntryFeedback | entries.Staged | entries.Classed
    | entries.BecameSkill | entries.SuspectedPair | entries.Related | entries.Tidied | EntryDecided
    | sessions.SessionStarted | sessions.SessionLinked | sessions.SessionEnded
    | sessions.EpisodeClosed | sessions.EpisodeFeedback | sessions.HarvestedPart
    | sessions.ProjectSeen | sessions.ProjectLinked | sessions.ProjectNamed
    | sessions.ProjectSwitched | Recalled | Missed | NotDelivered | Reused
    | Proposed | Decided | Applied | TextsPurged | SkillEvent | Distilled | ModelCalled
)  # fmt: skip


def event_of(record: type[AnyPayload]) -> Kind:
    """The kind of the events that a record is the payload of."""
    kind: Kind = next(default for name, _, default in fields_of(record) if name == "event")
    return kind


# Of some kinds the event of these subjects says something else than another subject's.
OF_SUBJECTS: Final[Mapping[tuple[str, Kind], type[AnyPayload]]] = {
    (prefix, event_of(record)): record
    for prefix, record in (
        ("entry", entries.EntryFeedback),
        ("entry", entries.BecameSkill),
        ("entry", EntryDecided),
        ("distilled", Distilled),
        ("model", ModelCalled),
    )
}
RECORDS: Final[Mapping[Kind, type[AnyPayload]]] = {
    event_of(record): record
    for record in get_args(AnyPayload)
    if record not in OF_SUBJECTS.values()
}


def typed(event: Event) -> AnyPayload:
    """An event's payload. Raises Unreadable where it lacks what it can't be without."""
    of_subject = OF_SUBJECTS.get((event.subject.partition(":")[0], event.kind))
    return payload_of(of_subject or RECORDS[event.kind], event)
