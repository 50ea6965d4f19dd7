"""An observation becomes events: sessions begin and end, episodes close, late answers go."""

from functools import partial

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Origin, Where, natural_key, payload_of
from learnt.core.identifiers import Subject, keyed_hash, plain_or_hashed, session_subject
from learnt.core.payloads.session_events import SessionEnded, SessionLinked, SessionStarted
from learnt.core.records import Record, member, text_of
from learnt.core.sessions.observations import LATE, NO_RESPONSE, Observation, Observed, Response
from learnt.flows.health.closing import answered_late
from learnt.flows.plans import LOOKS, Plan, carry_out, snapshot
from learnt.flows.recall.retract import retract
from learnt.flows.sessions import episodes
from learnt.flows.sessions.locate import Place
from learnt.flows.sessions.prompts import read_excerpt
from learnt.flows.stored import append
from learnt.ports import Outside, Writer

_ENDING = frozenset({"UserPromptSubmit", "SessionEnd"})  # reports that end episodes
_PLACED = frozenset({"SessionStart", "SessionEnd"})  # reports that are recorded with their folder
_SOURCES = frozenset({"startup", "resume", "clear", "compact", "fork"})


class Arrival(Record, kw_only=True):
    """An observation on its way into the ledger, and what was looked up for it before."""

    observation: Observation
    session: str  # its name as payloads may hold it
    place: Place | None = None
    response: Response = NO_RESPONSE  # what its prompt says of what came before
    origin: Origin | None = None  # of its prompt
    ending: tuple[episodes.Ending, ...] = ()  # the episodes that it ends

    @property
    def subject(self) -> Subject:
        """The subject of its session's events."""
        return session_subject(self.observation.agent, self.session)

    def where(self, outside: Outside, writer: Writer) -> Where:
        """Where it was made; a project not known yet is made."""
        return episodes.where_of(outside, writer, self.observation, self.place)


def arrival_of(outside: Outside, observation: Observation) -> Arrival:
    """An observation on its way, with its session and its place."""
    return Arrival(
        observation=observation,
        session=episodes.session_of(outside, observation),
        place=episodes.place_of(outside, observation),
    )


def digest_of(outside: Outside, excerpt: str) -> str:
    """What tells one prompt from another of the same id: the keyed hash of its excerpt."""
    return keyed_hash(outside.ledger.key, "digest", excerpt) if excerpt else ""


def report(
    outside: Outside,
    observation: Observation,
    *,
    response: Response = NO_RESPONSE,
    waited: bool = False,
    looks: int = LOOKS,
) -> bool:
    """Take in a report; False where it is known. `waited`: it lay in the spool.

    `response` is what its prompt says, where no excerpt tells. Raises Conflict.
    """
    excerpt = observation.excerpt
    if excerpt and not observation.digest:
        observation = replace(observation, digest=digest_of(outside, excerpt))
    if excerpt and observation.event == "UserPromptSubmit":
        response = read_excerpt(outside.language, excerpt)
    placed = observation.event in _PLACED or member(observation.detail, "parent")
    arrival = Arrival(
        observation=observation,
        session=episodes.session_of(outside, observation),
        place=episodes.place_of(outside, observation) if placed else None,
        response=response,
    )
    if observation.event not in _ENDING:
        with outside.ledger.writing() as writer:
            return take(outside, writer, arrival)

    def planned() -> Plan[bool]:
        with outside.ledger.reading() as reader:
            ending = episodes.endings(outside, reader, observation, response, waited=waited)
            rests_on = snapshot(reader, partial(episodes.so_far, outside, observation))
        ended = replace(arrival, ending=ending)
        return Plan(rests_on=rests_on, write=lambda writer: take(outside, writer, ended))

    taken = carry_out(outside.ledger, planned, f"Session {observation.session}", looks=looks)
    if observation.event == "SessionEnd":
        outside.prompts.forget(observation.session)
    return taken


def take(outside: Outside, writer: Writer, arrival: Arrival) -> bool:
    """Put an observation into the inbox and record what it means; False where it is known."""
    observation = arrival.observation
    activity = writer.activity(observation.session, observation.parted_by)
    key = natural_key(outside.ledger.key, "observation", *observation.key_parts(activity))
    if not writer.observe(observation, key, arrival.response):
        return False
    match observation.event:
        case "SessionStart":
            _session_started(outside, writer, arrival, activity)
        case "UserPromptSubmit":
            asked = Observed(observation=observation, response=arrival.response)
            episodes.close_endings(outside, writer, arrival.ending, asked)
        case "SessionEnd":
            episodes.close_endings(outside, writer, arrival.ending)
            _link_fork(outside, writer, arrival)
            _session_ended(outside, writer, arrival)
        case "Stop" | "StopFailure":
            _link_fork(outside, writer, arrival)
        case event if event == LATE:
            retract(outside, writer, observation, arrival.session, "late")
    return True


def _session_started(outside: Outside, writer: Writer, arrival: Arrival, activity: int) -> None:
    observation, where = arrival.observation, arrival.where(outside, writer)
    source, process = text_of(observation.detail.get("source")), observation.process
    payload = SessionStarted(
        source=source if source in _SOURCES else "other",
        process=process if process.isdigit() else "",
        attended=observation.actor is Actor.HUMAN,
    )
    again = activity if source == "compact" else None
    named = (observation.agent, where.session, source, process, observation.episode)
    key = natural_key(outside.ledger.key, "session started", *named, again)
    started = append(writer, arrival.subject, Actor.TOOL, payload, where=where, key=key)
    if started is None or source != "clear":
        return
    # Tie a session begun by /clear to the one that the same process just left.
    for ended in writer.events(kind=Kind.SESSION_ENDED, newest=20):
        end, other = payload_of(SessionEnded, ended), ended.where.session
        if end.process == process != "" and end.reason == "clear" and other:
            _link(outside, writer, arrival, where, "cleared", other)
            return


def _link_fork(outside: Outside, writer: Writer, arrival: Arrival) -> None:
    """Tie a fork to the session that it began from, which no earlier report names."""
    observation = arrival.observation
    parent = text_of(observation.detail.get("parent"))
    if not parent:
        return
    other = plain_or_hashed(outside.ledger.key, parent)
    if not _link(outside, writer, arrival, arrival.where(outside, writer), "forked", other):
        return
    for seen in writer.observed(observation.session):
        if seen.observation.event == "UserPromptSubmit":
            # Its first prompt speaks of what the parent did last, and none of the later ones.
            answered_late(outside, writer, session_subject(observation.agent, other), seen)
            return


def _session_ended(outside: Outside, writer: Writer, arrival: Arrival) -> None:
    reason, process = text_of(arrival.observation.detail.get("reason")), arrival.observation.process
    payload = SessionEnded(
        reason=plain_or_hashed(outside.ledger.key, reason or "other"),
        process=process if process.isdigit() else "",
    )
    where, agent = arrival.where(outside, writer), arrival.observation.agent
    key = natural_key(outside.ledger.key, "session ended", agent, where.session, reason, process)
    append(writer, arrival.subject, Actor.TOOL, payload, where=where, key=key)


def _link(
    outside: Outside, writer: Writer, arrival: Arrival, where: Where, relation: str, other: str
) -> bool:
    payload, agent = SessionLinked(relation=relation, other=other), arrival.observation.agent
    key = natural_key(outside.ledger.key, "session linked", agent, where.session, relation, other)
    return append(writer, arrival.subject, Actor.LEARNT, payload, where=where, key=key) is not None
