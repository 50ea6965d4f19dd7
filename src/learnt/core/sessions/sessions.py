"""A session between an agent and its user, folded: its context epoch and what was shown in it."""

from dataclasses import dataclass, field, replace

from learnt.core.events import Event, Kind
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.json_values import JsonObject, member, strings, text_of, whole, without_defaults


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What is true of a session now.

    `shown` holds the entries in the agent's context since the last compaction; `counted` how often
    each entry's reuse was counted, `retracted` how often that was taken back. `epoch` counts
    compactions.
    """

    agent: str
    id: str
    source: str = ""
    project: ProjectId | None = None
    epoch: int = 0
    started_ms: int = 0
    last_ms: int = 0
    ended: str = ""
    shown: tuple[EntryId, ...] = ()
    counted: dict[str, int] = field(default_factory=dict)
    retracted: dict[str, int] = field(default_factory=dict)
    recalls: int = 0
    misses: int = 0
    undelivered: int = 0
    episodes: int = 0
    failures: int = 0
    linked_to: str = ""

    def attempt(self, entry: EntryId) -> int | None:
        """The number of this entry's next count in the session, or None if it stands counted."""
        counted, retracted = self.counted.get(entry, 0), self.retracted.get(entry, 0)
        return None if counted > retracted else retracted


def step(session: Session | None, event: Event) -> Session:
    """The session after one more event about it."""
    _, agent, name = event.subject.split(":", 2)
    known = session or Session(agent=agent, id=name, started_ms=event.wall_ms)
    known = replace(known, last_ms=event.wall_ms, project=known.project or event.where.project)
    payload = event.payload
    match event.kind:
        case Kind.SESSION_STARTED:
            return _started(known, payload)
        case Kind.RECALLED:
            return _recalled(known, payload)
        case Kind.MISSED:
            return replace(known, misses=known.misses + 1)
        case Kind.NOT_DELIVERED:
            return _not_delivered(known, payload)
        case Kind.EPISODE_CLOSED:
            if whole(member(payload, "again")):
                return known  # of this one a report came late: it was counted
            failed = known.failures + whole(member(payload, "failed"))
            return replace(known, episodes=known.episodes + 1, failures=failed)
        case Kind.SESSION_LINKED:
            return replace(known, linked_to=text_of(member(payload, "other")))
        case Kind.SESSION_ENDED:
            return replace(known, ended=text_of(member(payload, "reason")) or "ended")
        case Kind.PURGED:
            return Session(agent=agent, id=name, ended="purged")
        case _:
            return known


def _started(session: Session, payload: JsonObject) -> Session:
    source = text_of(member(payload, "source"))
    # What was in the context is gone after a compaction; a resumed session still has it.
    if source in {"compact", "clear"}:
        return replace(session, source=source, epoch=session.epoch + 1, shown=(), ended="")
    return replace(session, source=source, ended="")


def _recalled(session: Session, payload: JsonObject) -> Session:
    if member(payload, "mode") != "hook":
        return session
    shown = tuple(EntryId(e) for e in strings(member(payload, "shown")) if e not in session.shown)
    counted = dict(session.counted)
    for entry in strings(member(payload, "counted")):
        counted[entry] = counted.get(entry, 0) + 1
    return replace(
        session, recalls=session.recalls + 1, shown=(*session.shown, *shown), counted=counted
    )


def _not_delivered(session: Session, payload: JsonObject) -> Session:
    gone = set(strings(member(payload, "entries")))
    retracted = dict(session.retracted)
    for entry in strings(member(payload, "uncounted")):
        retracted[entry] = retracted.get(entry, 0) + 1
    return replace(
        session,
        undelivered=session.undelivered + 1,
        shown=tuple(entry for entry in session.shown if entry not in gone),
        retracted=retracted,
    )


def to_state(session: Session) -> JsonObject:
    """The session as a view stores it: no default is written."""
    state: dict[str, object] = {
        "agent": session.agent,
        "id": session.id,
        "source": session.source,
        "project": session.project,
        "epoch": session.epoch,
        "started_ms": session.started_ms,
        "last_ms": session.last_ms,
        "ended": session.ended,
        "shown": list(session.shown),
        "counted": session.counted,
        "retracted": session.retracted,
        "recalls": session.recalls,
        "misses": session.misses,
        "undelivered": session.undelivered,
        "episodes": session.episodes,
        "failures": session.failures,
        "linked_to": session.linked_to,
    }
    return without_defaults(state, "agent", "id")


def _counts(value: object) -> dict[str, int]:
    return (
        {str(name): whole(count) for name, count in value.items()}
        if isinstance(value, dict)
        else {}
    )


def from_state(state: JsonObject) -> Session:
    """The session that a view's state stands for."""
    project = text_of(state.get("project"))
    return Session(
        agent=text_of(state["agent"]),
        id=text_of(state["id"]),
        source=text_of(state.get("source")),
        project=ProjectId(project) if project else None,
        epoch=whole(state.get("epoch")),
        started_ms=whole(state.get("started_ms")),
        last_ms=whole(state.get("last_ms")),
        ended=text_of(state.get("ended")),
        shown=tuple(EntryId(e) for e in strings(state.get("shown"))),
        counted=_counts(state.get("counted")),
        retracted=_counts(state.get("retracted")),
        recalls=whole(state.get("recalls")),
        misses=whole(state.get("misses")),
        undelivered=whole(state.get("undelivered")),
        episodes=whole(state.get("episodes")),
        failures=whole(state.get("failures")),
        linked_to=text_of(state.get("linked_to")),
    )
