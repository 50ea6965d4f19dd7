"""The payload of any event, by its kind and its subject."""

from collections.abc import Mapping
from typing import Final, get_args

from learnt.core.events import Event, Kind, payload_of
from learnt.core.payloads.distil_events import Distilled, ModelCalled
from learnt.core.payloads.entry_events import (
    BecameSkill,
    Classed,
    EntryFeedback,
    Gated,
    Related,
    Remembered,
    Staged,
    SuspectedPair,
    Tidied,
)
from learnt.core.payloads.episode_events import EpisodeClosed, EpisodeFeedback
from learnt.core.payloads.proposal_events import Applied, Decided, Proposed, TextsPurged
from learnt.core.payloads.recall_events import EntryDecided, Missed, NotDelivered, Recalled, Reused
from learnt.core.payloads.session_events import (
    HarvestedPart,
    ProjectLinked,
    ProjectSeen,
    SessionEnded,
    SessionLinked,
    SessionStarted,
)
from learnt.core.payloads.skill_events import SkillEvent

AnyPayload = (
    Gated | Remembered | EntryFeedback | Staged | Classed | BecameSkill | EntryDecided
    | SuspectedPair | Related | Tidied
    | Recalled | Missed | NotDelivered | Reused
    | SessionStarted | SessionLinked | SessionEnded | EpisodeClosed | EpisodeFeedback
    | HarvestedPart | ProjectSeen | ProjectLinked | Proposed | Decided | Applied | TextsPurged
    | SkillEvent | Distilled | ModelCalled
)  # fmt: skip

# Of some kinds the event of these subjects says something else than another subject's.
OF_SUBJECTS: Final[Mapping[tuple[str, Kind], type[AnyPayload]]] = {
    (prefix, record._field_defaults["event"]): record
    for prefix, record in (
        ("entry", EntryFeedback),
        ("entry", BecameSkill),
        ("entry", EntryDecided),
        ("distilled", Distilled),
        ("model", ModelCalled),
    )
}
RECORDS: Final[Mapping[Kind, type[AnyPayload]]] = {
    record._field_defaults["event"]: record
    for record in get_args(AnyPayload)
    if record not in OF_SUBJECTS.values()
}


def typed(event: Event) -> AnyPayload:
    """An event's payload. Raises Unreadable where it lacks what it can't be without."""
    of_subject = OF_SUBJECTS.get((event.subject.partition(":")[0], event.kind))
    return payload_of(of_subject or RECORDS[event.kind], event)
