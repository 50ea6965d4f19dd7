"""A report becomes events: sessions begin and end, episodes close, an answer is taken back.

An episode ends by the next prompt, its session's end, or after a day without a report.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from learnt.core import safety
from learnt.core.events import Actor, Kind, Origin, Where, natural_key, payload_of
from learnt.core.governance.actors import origin_of_prompt
from learnt.core.identifiers import (
    EntryId,
    EventId,
    NaturalKey,
    Subject,
    entry_subject,
    keyed_hash,
    plain_or_hashed,
    session_subject,
)
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.objections import Objection
from learnt.core.payloads.entry_events import EntryFeedback, NotDelivered, Recalled, Staged
from learnt.core.payloads.session_events import (
    EpisodeClosed,
    SessionEnded,
    SessionLinked,
    SessionStarted,
)
from learnt.core.recall.asking import should_recall
from learnt.core.records import Record, member, text_of, whole
from learnt.core.sessions.observations import (
    LATE,
    NO_RESPONSE,
    OF_EPISODES,
    Observation,
    Observed,
    Response,
)
from learnt.core.sessions.sessions import Session
from learnt.flows.health.closing import WINDOW_MS, Judged, answered_late, close, judge
from learnt.flows.plans import LOOKS, PATIENT_LOOKS, Plan, carry_out, carry_out_each, snapshot
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.sessions.locate import Place, look, where_at
from learnt.flows.stored import append, named, stored
from learnt.formats.agents.transcripts import typed
from learnt.ports import Language, Outside, Reader, Writer

LOOKED_BACK: Final = 3  # recalls of the session
REASON: Final = "a person said that it does not hold"
EXCERPT: Final = 2_000  # characters of a prompt that no worker answered; the hook cuts at the same
_OPENING: Final = frozenset({"UserPromptSubmit", "PostToolBatch"})
_ENDING: Final = frozenset({"UserPromptSubmit", "SessionEnd"})  # reports that end episodes
_PLACED: Final = frozenset({"SessionStart", "SessionEnd"})  # recorded with their folder
_SOURCES: Final = frozenset({"startup", "resume", "clear", "compact", "fork"})


def session_of(outside: Outside, observation: Observation) -> str:
    """The session's name as payloads may hold it; a report without one is a session of its own."""
    name = observation.session or f"anonymous-{observation.id}"
    return plain_or_hashed(outside.ledger.key, name)


def place_of(outside: Outside, observation: Observation) -> Place | None:
    """The folder of a report as the file system has it; None where none was named."""
    return look(outside, observation.folder) if observation.folder else None


def where_of(
    outside: Outside, writer: Writer, observation: Observation, place: Place | None
) -> Where:
    """Where an observation was made: its session by name, its place; a new project is made."""
    key, session = outside.ledger.key, session_of(outside, observation)
    state = stored(writer, Session, session_subject(observation.agent, session))
    return replace(
        where_at(outside, writer, place),
        agent=observation.agent,
        session=session,
        subagent=named(key, observation.subagent),
        epoch=state.epoch if state else 0,
        episode=named(key, observation.episode),
    )


class Prompt(Record):
    """What is to be known of a prompt before it is answered."""

    public: str  # as it may be looked at
    redacted: safety.Clean  # as it may be kept
    origin: Origin
    worth_recall: bool = False  # it is worth a search
    response: Response = NO_RESPONSE  # what it says of what came before it
    objection: Objection | None = None  # a person's word against a note that was shown


def read_prompt(language: Language, actor: Actor, text: str) -> Prompt:
    """Read a prompt once, before anything is written: what may be kept of it, and what it says."""
    public = safety.public(text)
    redacted, is_typed = safety.redact(public), typed(public)
    objection = language.objection(public) if is_typed and actor is Actor.HUMAN else None
    # Of the redacted text: a quote may begin in the middle of a secret.
    response = _response(language, redacted[:EXCERPT]) if is_typed else NO_RESPONSE
    return Prompt(
        public=public,
        redacted=redacted,
        origin=origin_of_prompt(actor, public),
        worth_recall=is_typed and should_recall(public),
        response=replace(response, objects=objection is not None),
        objection=objection,
    )


def read_excerpt(language: Language, text: str) -> Response:
    """What the excerpt of a prompt that waited in the spool says of what came before it."""
    return _response(language, safety.excerpt(text, EXCERPT)) if typed(text) else NO_RESPONSE


def _response(language: Language, text: str) -> Response:
    reply = language.reply(text)
    return Response(verdict=reply.verdict, quote=reply.quote if reply.verdict else "")


class Ending(Record):
    """An episode that is about to end, as it was judged before the ledger is held."""

    first: Observation  # of the reports since it was closed last, if it was
    place: Place | None = None
    # None where nothing was done in it: the agent numbers /exit and /clear like prompts.
    judged: Judged | None = None


class Arrival(Record, kw_only=True):
    """An observation on its way into the ledger, and what was looked up for it before."""

    observation: Observation
    session: str  # its name as payloads may hold it
    place: Place | None = None
    response: Response = NO_RESPONSE  # what its prompt says of what came before
    origin: Origin | None = None  # of its prompt
    ending: tuple[Ending, ...] = ()  # the episodes that it ends

    @property
    def subject(self) -> Subject:
        """The subject of its session's events."""
        return session_subject(self.observation.agent, self.session)

    def where(self, outside: Outside, writer: Writer) -> Where:
        """Where it was made; a project not known yet is made."""
        return where_of(outside, writer, self.observation, self.place)


def arrival_of(outside: Outside, observation: Observation, *, placed: bool = True) -> Arrival:
    """An observation on its way, with its session and, where it is `placed`, its place."""
    return Arrival(
        observation=observation,
        session=session_of(outside, observation),
        place=place_of(outside, observation) if placed else None,
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
    placed = observation.event in _PLACED or bool(member(observation.detail, "parent"))
    arrival = replace(arrival_of(outside, observation, placed=placed), response=response)
    if observation.event not in _ENDING:
        with outside.ledger.writing() as writer:
            return take(outside, writer, arrival)

    def planned() -> Plan[bool]:
        with outside.ledger.reading() as reader:
            ending = endings(outside, reader, observation, response, waited=waited)
            rests_on = snapshot(reader, partial(so_far, outside, observation))
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
            for episode in arrival.ending:
                _close(outside, episode, writer)
            if not any(episode.judged for episode in arrival.ending):
                asked = Observed(observation=observation, response=arrival.response)
                answered_late(outside, writer, arrival.subject, asked)
        case "SessionEnd":
            for episode in arrival.ending:
                _close(outside, episode, writer)
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
    # Its first prompt speaks of what the parent did last, and none of the later ones.
    reports = writer.observed(observation.session)
    if first := next((r for r in reports if r.observation.event == "UserPromptSubmit"), None):
        answered_late(outside, writer, session_subject(observation.agent, other), first)


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


def endings(
    outside: Outside, reader: Reader, last: Observation, response: Response, *, waited: bool = False
) -> tuple[Ending, ...]:
    """The episodes that a report ends: all open ones of its session but its own.

    Reads transcripts. `response` is what its prompt says; one that `waited` in the spool ends
    nothing that began after it.
    """
    asked = None
    if last.event == "UserPromptSubmit":
        asked = Observed(observation=last, response=response)
    episodes = _open(reader, last.session)
    if last.episode and asked is None:
        episodes.setdefault(last.episode, []).append(last)
    over = [
        (reports, _every_report(reader, reports[0], last))
        for episode, reports in episodes.items()
        if not (waited and _began_ms(reports) > last.ms)
        and not (asked is not None and episode == last.episode)
    ]
    # It speaks of the episode that began last before it, and of no other that ends here.
    newest = max(over, key=lambda episode: _began_ms(episode[1]), default=None)
    ended_by = "session_end" if asked is None else "prompt"
    return tuple(
        _ending(outside, reader, episode, ended_by, asked if episode is newest else None)
        for episode in over
    )


def _open(reader: Reader, session: str) -> dict[str, list[Observation]]:
    episodes: dict[str, list[Observation]] = {}
    for observed in reader.observed(session, open_only=True):
        if observed.observation.episode:
            episodes.setdefault(observed.observation.episode, []).append(observed.observation)
    return episodes


def _every_report(
    reader: Reader, first: Observation, last: Observation | None = None
) -> list[Observation]:
    """What was reported of an episode, before it was closed and opened again by a late report."""
    every = [
        observed.observation for observed in reader.observed(first.session, episode=first.episode)
    ]
    return [*every, last] if last is not None and last.episode == first.episode else every


def _began_ms(reports: Sequence[Observation]) -> int:
    return min(report.ms for report in reports)


def _ending(
    outside: Outside,
    reader: Reader,
    episode: tuple[Sequence[Observation], Sequence[Observation]],
    ended_by: str,
    asked: Observed | None,
) -> Ending:
    """The ending of an episode, by its reports since it was closed last, and all of them."""
    reports, every = episode
    first = reports[0]
    if not any(report.event in _OPENING for report in reports):
        return Ending(first=first)
    calls = [call for report in every for call in report.calls]
    more = sum(whole(report.detail.get("more")) for report in every)
    closed = EpisodeClosed(
        ended_by=ended_by,
        steps=sum(report.event == "PostToolBatch" for report in every),
        tools=len(calls) + more,
        failed=sum(member(call, "failed") is True for call in calls),
        stops=sum(report.event in {"Stop", "StopFailure"} for report in every),
        began_ms=_began_ms(every),
    )
    where = Where(
        agent=first.agent,
        session=session_of(outside, first),
        episode=named(outside.ledger.key, first.episode),
    )
    judged = judge(outside, reader, where, closed, every, asked)
    return Ending(first=first, place=place_of(outside, first), judged=judged)


def so_far(outside: Outside, last: Observation, reader: Reader) -> tuple[int, EventId | None]:
    """What an episode is judged by: it rises with each report and each event of the session."""
    subject = session_subject(last.agent, session_of(outside, last))
    newest = next(iter(reader.events(subject=subject, newest=1)), None)
    return reader.activity(last.session, OF_EPISODES), newest.id if newest else None


def _close(outside: Outside, ending: Ending, writer: Writer) -> bool:
    """Close an episode; whether anything was done in it."""
    first = ending.first
    if ending.judged is not None:
        subject = session_subject(first.agent, session_of(outside, first))
        close(writer, subject, where_of(outside, writer, first, ending.place), ending.judged)
    writer.close_episode(first.session, first.episode)
    return ending.judged is not None


def close_stale(outside: Outside) -> int:
    """Close the episodes without a report for 24 hours; how many. Raises Conflict."""
    what = "What was reported of a session"
    closed = carry_out_each(outside.ledger, lambda: _stale(outside), what, looks=PATIENT_LOOKS)
    return sum(closed)


def _stale(outside: Outside) -> Iterable[Plan[bool]]:
    before = outside.clock.now_ms() - WINDOW_MS
    plans = []
    with outside.ledger.reading() as reader:
        for session in reader.sessions_observed():
            for reports in _open(reader, session).values():
                if max(report.ms for report in reports) < before:
                    episode = reports, _every_report(reader, reports[0])
                    ending = _ending(outside, reader, episode, "time", None)
                    rests_on = snapshot(reader, partial(so_far, outside, ending.first))
                    plans.append(Plan(rests_on=rests_on, write=partial(_close, outside, ending)))
    return plans


def answered_key(key: bytes, observation: Observation, session: str) -> NaturalKey | None:
    """The key of the answer to a prompt, or a skill's call; None where no prompt was named."""
    if not observation.episode:
        return None
    episode = plain_or_hashed(key, observation.episode)
    asked = (observation.agent, session, observation.subagent, episode, observation.digest)
    return natural_key(key, "prompt answered", *asked, observation.of_skill)


def retract(
    outside: Outside, writer: Writer, observation: Observation, session: str, reason: str
) -> None:
    """Record that an answer was not delivered, once, if there was one at all."""
    key, subject = outside.ledger.key, session_subject(observation.agent, session)
    if "source" in observation.detail:  # a session's start, which has no prompt to be known by
        last = writer.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK)
        recall = next((e for e in last if payload_of(Recalled, e).mode == "start"), None)
    else:
        answered = answered_key(key, observation, session)
        recall = None if answered is None else writer.keyed(answered)
    if recall is None or recall.kind is not Kind.RECALLED:
        return
    once = partial(natural_key, key, "not delivered", recall.id)
    gone, where = NotDelivered(recall=recall.id, reason=reason), recall.where
    answer = payload_of(Recalled, recall)
    of_session = replace(
        gone,
        entries=answer.shown,
        uncounted=answer.counted,
        exemplars=answer.exemplars,
        hinted=answer.hinted,
    )
    if append(writer, subject, Actor.LEARNT, of_session, where=where, key=once("session")):
        for entry in answer.counted:
            append(writer, entry_subject(entry), Actor.LEARNT, gone, where=where, key=once(entry))


def objected(outside: Outside, reader: Reader, session: str, entry: EntryId) -> bool:
    """Whether the person's last prompt of a session objects to what was shown, and this was."""
    reports = reader.observed(session)
    prompts = [observed for observed in reports if observed.observation.event == "UserPromptSubmit"]
    if not prompts or not prompts[-1].response.objects:
        return False
    name = plain_or_hashed(outside.ledger.key, session)
    return entry in shown_last(reader, session_subject(prompts[-1].observation.agent, name))


def shown_last(reader: Reader, subject: Subject) -> dict[EntryId, str]:
    """What was put before the agent last in a session, with its words."""
    words: dict[EntryId, str] = {}
    for event in reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK):
        recall = payload_of(Recalled, event)
        if recall.mode in {"start", "act"}:  # rules, which a prompt did not ask for
            continue
        for name in recall.shown:
            entry = entry_of(reader, name)
            if entry is not None and entry.live:
                note = note_of(reader, entry)
                words[name] = " ".join((note.text, note.problem, *note.entities, *note.tags))
        if words:
            break
    return words


def take_back(writer: Writer, name: EntryId, where: Where) -> None:
    """Take out of use what a prompt objects to: invalid if validated, else retired."""
    entry = entry_of(writer, name)
    if entry is None or not entry.live:
        return
    if entry.stage is Stage.VALIDATED:
        invalid = EntryFeedback(result="invalidate", source="a person's prompt")
        append(writer, entry_subject(name), Actor.HUMAN, invalid, where=where)
    else:
        retired = Staged(stage=Stage.RETIRED, reason=REASON)
        append(writer, entry_subject(name), Actor.HUMAN, retired)
