"""The ledger's truth: events, their stamps, who acted, natural keys, and old payloads.

A payload holds identifiers, numbers and content references, never free text: text lives in the
contents, from which it can be erased while the event stays.

A hook registered in two places fires twice; a spooled report may be read again. Each kind below
has a tuple that is equal exactly then. The ledger holds its keyed hash and refuses the second.

| happening | tuple |
|---|---|
| prompt answered (recalled or missed) | agent, session, subagent, prompt, digest, skill's call |
| past success imported | skill, its name there |
| reused | entry, agent, session, attempt |
| drawn | entry, version of its text, agent, session |
| not delivered | recall, subject |
| session started | agent, session, source, process, prompt, again |
| session linked | agent, session, relation, other |
| session ended | agent, session, reason, process |
| episode closed | agent, session, prompt, again |
| answered late | episode |
| judged by an agent | entry, session (else the day), what it said, corrections before it |
| proved | entry, tool use, polarity, corrections before it |
| said by a person | entry, prompt and when, corrections before it |
| decided at once | prompt and when, text |
| harvested | agent, session, where in its transcript it began, how far before it was rewritten |
| distilled | agent, session, engine, size of its transcript |
| proposed | proposal, count, distinct, draft, last seen, status before |
| drafted | proposal, which of its drafts |
| edit noticed | proposal, decisions on it so far |
| published | proposal, withdrawals of it so far |
| edit taken in | entry, topic, which edit of it |
| edited by hand | entry, corrections before it |
| miss adopted | session, prompt, when, imports undone before |
| seed queue | what it says of the skill, imports undone before |
| project seen | project, path, store, remote, root commit |
| project linked | project, other, verdict |
| drawn in a trial | skill, when its trial began, which draw of it |
| comparison ended | skill, when it began |
| observation of a tool step | agent, session, subagent, event, first tool use |
| observation of a stop | agent, session, subagent, event, prompt, activity |
| observation of a start | agent, session, subagent, event, source, process, prompt, again |
| observation of an end | agent, session, subagent, event, reason, process |
| observation of no session | agent, session, subagent, event, nothing, nothing, its own id |
| observation of anything else | agent, session, subagent, event, prompt, detail, digest |

`activity` counts what the session did before: a second stop in one episode differs from a double
report of the first by what lies between. `again` is the same for a compaction, and empty else.
`digest` is the keyed hash of a prompt's excerpt: a prompt typed while the agent works carries the
id of the one it is working on.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from learnt.core.identifiers import EventId, NaturalKey, ProjectId, Subject, keyed_hash
from learnt.core.records import JsonObject, Record, decode, encode


class Actor(StrEnum):
    """Who did it: derived from the surroundings, never taken from a claim."""

    HUMAN = "human"
    AGENT = "agent"
    TOOL = "tool"
    MODEL = "model"
    LEARNT = "learnt"


class Origin(StrEnum):
    """Where a text came from."""

    USER = "user"
    TOOL = "tool"
    WEB = "web"
    REPOSITORY = "repository"
    ASSISTANT = "assistant"
    MIXED = "mixed"


class Kind(StrEnum):
    """What can happen, one kind a fact; a payload changes by version."""

    GATED = "gated"
    REMEMBERED = "remembered"
    RECALLED = "recalled"
    MISSED = "missed"
    NOT_DELIVERED = "not_delivered"
    REUSED = "reused"
    SESSION_STARTED = "session_started"
    SESSION_LINKED = "session_linked"
    SESSION_ENDED = "session_ended"
    EPISODE_CLOSED = "episode_closed"
    PROJECT_SEEN = "project_seen"
    PROJECT_LINKED = "project_linked"
    PROJECT_NAMED = "project_named"
    PROJECT_SWITCHED = "project_switched"
    PURGED = "purged"
    PROPOSED = "proposed"
    DECIDED = "decided"
    APPLIED = "applied"
    FEEDBACK = "feedback"
    STAGED = "staged"
    SUSPECTED = "suspected"
    RELATED = "related"
    TIDIED = "tidied"
    CLASSED = "classed"
    HARVESTED = "harvested"
    SKILL = "skill"


class Stamp(Record, order=True):
    """A hybrid logical clock's reading: the only order that folds know.

    `ms` is the largest wall time the home had seen, in milliseconds; `counter` parts events within
    one; `home` (16 hexadecimal digits) parts homes. Whatever the wall clock does, stamps rise.
    """

    ms: int
    counter: int
    home: str


def next_stamp(last: Stamp | None, wall_ms: int, home: str) -> Stamp:
    """The stamp that follows the last one seen; never behind it, even if the clock went back.

    >>> next_stamp(Stamp(50, 3, "a"), 40, "b")
    Stamp(ms=50, counter=4, home='b')
    >>> next_stamp(Stamp(50, 3, "a"), 60, "b")
    Stamp(ms=60, counter=0, home='b')
    """
    if last is None or wall_ms > last.ms:
        return Stamp(wall_ms, 0, home)
    return Stamp(last.ms, last.counter + 1, home)


class Where(Record, kw_only=True):
    """The place of an event: each field None where it is not known or does not apply."""

    project: ProjectId | None = None
    place: str | None = None  # the subfolder of the project, as a content reference
    agent: str | None = None
    session: str | None = None
    subagent: str | None = None
    epoch: int | None = None  # compactions of the session so far
    episode: str | None = None  # the prompt's id


NOWHERE: Final = Where()


class Payload(Protocol):
    """What an event says: a record of `core.payloads`, which names the kind that it belongs to."""

    @property
    def event(self) -> Kind:
        """The kind of event that it belongs to."""


class Sight(Record, kw_only=True):
    """What the process that recorded an event by a human saw of them.

    `by` and the words of `odd` are those of `core.governance.sights`; `traces` are texts, in a
    payload their content references.
    """

    by: str = ""
    odd: str = ""
    traces: tuple[str, ...] = ()


P = TypeVar("P", bound=Payload)


class NewEvent(Record):
    """What a flow decided to record; the ledger gives it an id and a stamp."""

    subject: Subject
    actor: Actor
    payload: Payload
    origin: Origin | None = None
    where: Where = NOWHERE
    natural_key: NaturalKey | None = None


class Event(Record, kw_only=True):
    """One thing that happened. `wall_ms` is for people; `payload` has its kind's last version."""

    id: EventId
    stamp: Stamp
    wall_ms: int
    subject: Subject
    kind: Kind
    version: int
    actor: Actor
    origin: Origin | None
    where: Where
    natural_key: NaturalKey | None
    payload: JsonObject


def stamped(
    draft: NewEvent, identifier: EventId, stamp: Stamp, wall_ms: int, sight: Sight | None
) -> Event:
    """The event that a draft becomes; of one by a human what was seen stands in the payload."""
    seen: JsonObject = {} if sight is None else {"seen": encode(sight)}
    return Event(
        id=identifier,
        stamp=stamp,
        wall_ms=wall_ms,
        kind=draft.payload.event,
        version=CURRENT_VERSION[draft.payload.event],
        payload={**encode(draft.payload), **seen},
        subject=draft.subject,
        actor=draft.actor,
        origin=draft.origin,
        where=draft.where,
        natural_key=draft.natural_key,
    )


def payload_of(record: type[P], event: Event) -> P:
    """An event's payload. Raises Unreadable where it lacks what it can't be without."""
    return decode(record, event.payload)


def sight_of(event: Event) -> Sight | None:
    """What was seen of the human who did it; None where it is by none, or none was looked at."""
    seen = event.payload.get("seen")
    return decode(Sight, seen) if isinstance(seen, Mapping) else None


CURRENT_VERSION: Final[Mapping[Kind, int]] = {
    **dict.fromkeys(Kind, 1),
    Kind.EPISODE_CLOSED: 2,
    Kind.DECIDED: 2,
}

Upcaster = Callable[[JsonObject], JsonObject]
UPCASTERS: Final[Mapping[tuple[Kind, int], Upcaster]] = {
    # Before outcomes were recorded nothing was graded.
    (Kind.EPISODE_CLOSED, 1): lambda old: {**old, "trouble": "none", "cause": "none"},
    # Traces were those of decisions alone, and handed in.
    (Kind.DECIDED, 1): lambda old: {
        **{name: value for name, value in old.items() if name != "traces"},
        **({"seen": {"traces": old["traces"]}} if old.get("traces") else {}),
    },
}


class UnknownVersion(ValueError):
    """A payload from a newer Learnt, or one whose upcaster is missing."""


def upcast(
    kind: Kind,
    version: int,
    payload: JsonObject,
    upcasters: Mapping[tuple[Kind, int], Upcaster] = UPCASTERS,
    current: Mapping[Kind, int] = CURRENT_VERSION,
) -> JsonObject:
    """The payload as today's version. Raises UnknownVersion for a newer one, or no upcaster.

    >>> up = {(Kind.MISSED, 1): lambda old: {**old, "tokens": 0}}
    >>> upcast(Kind.MISSED, 1, {"prompt": "r"}, up, {Kind.MISSED: 2})
    {'prompt': 'r', 'tokens': 0}
    """
    if version > current[kind]:
        raise UnknownVersion(f"{kind} payload version {version} is newer than this Learnt knows")
    for step in range(version, current[kind]):
        if (kind, step) not in upcasters:
            raise UnknownVersion(f"{kind} payload version {step} has no upcaster")
        payload = upcasters[kind, step](payload)
    return payload


def natural_key(key: bytes, happening: str, *parts: str | int | None) -> NaturalKey:
    """The keyed hash of a happening's tuple; None and the empty string are the same part.

    >>> natural_key(b"k", "reused", "e-1", "s", 0) == natural_key(b"k", "reused", "e-1", "s", 1)
    False
    """
    texts = ("" if part is None else str(part) for part in parts)
    return NaturalKey(keyed_hash(key, "natural key", happening, *texts))
