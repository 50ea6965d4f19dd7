"""An episode is over: what its observations say becomes one event, with its outcome."""

import json
from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Origin, Where, natural_key, payload_of
from learnt.core.health.experiences import trail
from learnt.core.health.outcomes import (
    NOTHING,
    CallEvidence,
    Cause,
    Outcome,
    Quote,
    Reply,
    Trouble,
    Verdict,
    of_use,
    outcome,
    task,
)
from learnt.core.identifiers import ContentRef, EntryId, NaturalKey, Subject, session_subject
from learnt.core.payloads.entry_events import Missed, Recalled
from learnt.core.payloads.session_events import EpisodeClosed, EpisodeFeedback, SkillUse
from learnt.core.payloads.typed import typed
from learnt.core.records import JsonObject, Record, decode, encode, text_of, whole
from learnt.core.safety import clean, redact
from learnt.core.sessions.observations import Observation, Observed
from learnt.flows.stored import append, named, text_behind
from learnt.formats.agents.transcripts import forked_from, interrupted, laid_before, turns
from learnt.ports import Outside, Reader, Writer

TAIL: int = 512 * 1024  # of a transcript: a turn's last records, past the client's own snapshots
END: int = 32 * 1024
WINDOW_MS = 24 * 3_600_000
LOOKED_BACK = 12  # recalls of the session, for those of this episode
_ASKED_BACK = 40  # events of the session, for its prompt
STOPS = frozenset({"Stop", "StopFailure"})


# A skill and the subagent that used it.
_User = tuple[str, str]


def measured(outside: Outside, observation: Observation) -> Observation:
    """A stop with what the transcript tells: its turn's tokens and time, a fork's parent."""
    # The client may report a stop before it wrote it down: a session's end is looked up too.
    if observation.event not in STOPS | {"SessionEnd"} or not observation.transcript:
        return observation
    tail = outside.transcripts.tail(observation.transcript, TAIL)
    detail = dict(observation.detail)
    own = _since(tail, observation.episode) if observation.event in STOPS else []
    turn = {turn.id: turn for turn in turns(own)}.get(observation.episode)
    if turn is not None:
        detail["tokens"] = turn.tokens
        if turn.took_ms is not None:
            detail["took_ms"] = turn.took_ms
    if parent := forked_from(tail, observation.session):
        detail["parent"] = parent
    return replace(observation, detail=detail)


def _since(tail: bytes, episode: str) -> list[bytes]:
    """The lines from the one on that names a prompt first; none where none does."""
    at = tail.find(episode.encode("utf-8", "replace")) if episode else -1
    return tail[tail.rfind(b"\n", 0, at) + 1 :].split(b"\n") if at >= 0 else []


class _Use(Record):
    """A use of a skill as it was judged; its texts are kept when it is recorded."""

    skill: str
    by: str
    launched: bool
    outcome: Outcome
    did: str
    read: str = ""


class Judged(Record):
    """How an episode came out; its texts are kept when it is recorded."""

    closed: EpisodeClosed
    outcome: Outcome
    uses: tuple[_Use, ...]
    origin: Origin | None
    key: NaturalKey


def judge(
    outside: Outside,
    reader: Reader,
    where: Where,
    closed: EpisodeClosed,
    observations: Sequence[Observation],
    asked: Observed | None,
) -> Judged:
    """How an episode ended, by what was `closed` and `asked` next; a user's word on it stands."""
    subject = session_subject(where.agent or "", where.session or "")
    again, before = _before(outside, reader, where)
    reply = _reply(reader, observations, asked, before)
    calls: defaultdict[str, list[tuple[str, CallEvidence]]] = defaultdict(list)  # of each subagent
    for by, call in ((o.subagent, call) for o in observations for call in o.calls):
        tool = named(outside.ledger.key, text_of(call.get("tool")))
        calls[by].append((tool or "", _call(call)))
    own = [*(call for _, call in calls[""]), *_broken_off(observations)]
    stopped = _was_interrupted(outside, observations)
    root = next((redact(o.folder) for o in observations if o.folder), "")

    def use(user: _User, launch: CallEvidence | None) -> _Use:
        """A use of a skill: its episode's outcome, its subagent's own, or that it never began."""
        skill, subagent = user
        by = "user" if launch is None else "subagent" if subagent else "agent"
        if launch is not None and launch.good is False:
            quote = Quote(what="launch", words=launch.quote)
            failed = Outcome(trouble=Trouble.COMMAND, cause=Cause.INPUT, quotes=(quote,))
            return _Use(skill=skill, by=by, launched=False, outcome=failed, did="")
        steps = _steps(observations, skill, subagent, launched=launch is not None)
        done = encode(trail(calls[subagent], root))
        from learnt.flows.health.trial import text_read  # few episodes launch a skill

        return _Use(
            skill=skill,
            by=by,
            launched=True,
            outcome=of_use(steps, reply, interrupted=stopped and not subagent),
            did=json.dumps(done, ensure_ascii=False) if done else "",
            read=text_read(reader, skill, bodies),
        )

    launches = _launches(observations)
    bodies = laid_before(_own_lines(outside, observations)) if launches else []
    prompt, origin = prompt_of(reader, subject, where.episode) if launches else (None, None)
    closed = replace(closed, 
        reply=reply.verdict,
        entries=_shown(reader, subject, where.episode),
        subagents=len({o.subagent for o in observations if o.subagent}),
        took_ms=_took(observations), tokens=_largest(observations, "tokens"),
        again=again, prompt=prompt,
        task=task((call for made in calls.values() for _, call in made), root).value,
    )  # fmt: skip
    return Judged(
        closed=closed,
        outcome=outcome(own, reply, interrupted=stopped),
        uses=tuple(use(user, launch) for user, launch in launches.items()),
        origin=origin,
        key=_key(outside, where, again),
    )


def close(writer: Writer, subject: Subject, where: Where, judged: Judged) -> Event | None:
    """Record that an episode ended, as it was judged."""
    payload = replace(
        judged.closed,
        outcome=_stored(writer, judged.outcome),
        skills=tuple(
            SkillUse(
                skill=writer.keep("skill", clean(use.skill)),
                by=use.by,
                launched=use.launched,
                outcome=_stored(writer, use.outcome),
                did=writer.keep("trail", clean(use.did)) if use.did else None,
                read=use.read,
            )
            for use in judged.uses
        ),
    )
    origin, key = judged.origin, judged.key
    return append(writer, subject, Actor.LEARNT, payload, where=where, origin=origin, key=key)


def prompt_of(
    reader: Reader, subject: Subject, episode: str | None
) -> tuple[ContentRef | None, Origin | None]:
    """What an episode was asked for, and whose words that is: what was typed for a skill first."""
    asked = [
        (said.mode == "hook", event.stamp, said.prompt, event.origin)
        for event in reader.events(subject=subject, newest=_ASKED_BACK)
        if episode and event.where.episode == episode
        if isinstance(said := typed(event), Recalled | Missed)
        if said.prompt and said.mode != "explicit"
    ]
    return min(asked)[2:] if asked else (None, None)


def _key(outside: Outside, where: Where, again: int) -> NaturalKey:
    names = where.agent, where.session, where.episode
    return natural_key(outside.ledger.key, "episode closed", *names, again or None)


def _before(outside: Outside, reader: Reader, where: Where) -> tuple[int, Event | None]:
    """How often the same episode was closed before, and the last of those events."""
    again, last = 0, None
    while (event := reader.keyed(_key(outside, where, again))) is not None:
        again, last = again + 1, event
    return again, last


def _reply(
    reader: Reader, reports: Sequence[Observation], asked: Observed | None, before: Event | None
) -> Reply:
    recorded = None if before is None else payload_of(EpisodeClosed, before)
    if recorded is not None and recorded.reply:
        quotes = (q.words for q in recorded.outcome.quotes if q.what.startswith("reply"))
        return Reply(recorded.reply, text_behind(reader, ContentRef(next(quotes, ""))) or "")
    if asked is None or asked.observation.ms - max(o.ms for o in reports) > WINDOW_MS:
        return NOTHING
    return Reply(Verdict.stored(asked.response.verdict), asked.response.quote)


def _was_interrupted(outside: Outside, observations: Sequence[Observation]) -> bool:
    """Whether its user stopped an episode: no hook tells, so a turn without a Stop is looked up."""
    if any(o.event in STOPS for o in observations):
        return False
    episode = next((o.episode for o in observations if o.episode), "")
    return interrupted(_own_lines(outside, observations), episode)


def _own_lines(outside: Outside, observations: Sequence[Observation]) -> list[bytes]:
    """An episode's lines of its transcript; the last ones if its beginning is out of sight."""
    paths = [o.transcript for o in observations if o.transcript and not o.subagent]
    if not paths:
        return []
    episode = next((o.episode for o in observations if o.episode), "")
    tail = outside.transcripts.tail(paths[-1], TAIL)
    return _since(tail, episode) or tail[-END:].split(b"\n")[1:]


def _broken_off(observations: Sequence[Observation]) -> list[CallEvidence]:
    """That the model's service ended the turn, if that was its end: no skill's fault."""
    stops = [o for o in observations if o.event in STOPS and not o.subagent]
    if not stops or stops[-1].event != "StopFailure":
        return []
    error = text_of(stops[-1].detail.get("error")) or "unknown"
    quote = f"broken off: {error}"
    return [CallEvidence(family="service", good=False, cause="environment", quote=quote)]


def _call(call: JsonObject) -> CallEvidence:
    evidence = call.get("evidence")
    if isinstance(evidence, dict):
        return decode(CallEvidence, evidence)
    # A report of an older hook says no more than whether it failed.
    return CallEvidence(family=text_of(call.get("tool")), good=call.get("failed") is not True)


def _steps(
    observations: Sequence[Observation], skill: str, subagent: str, *, launched: bool
) -> list[CallEvidence]:
    """The calls that followed a skill's launch, in its subagent if it has one."""
    calls = [(c, _call(c)) for o in observations if o.subagent == subagent for c in o.calls]
    names = [text_of(call.get("skill")) for call, _ in calls]
    begun = names.index(skill) + 1 if launched and skill in names else 0
    own = [call for call, name in zip(calls[begun:], names[begun:], strict=True) if not name]
    return [*(call for _, call in own), *([] if subagent else _broken_off(observations))]


def _launches(observations: Sequence[Observation]) -> dict[_User, CallEvidence | None]:
    """The skills that were used, each with the call that launched it; None where it was typed."""
    launches: dict[_User, CallEvidence | None] = {}
    for observation in observations:
        if typed := typed_skill(observation):
            launches.setdefault((typed, ""), None)
        for call in observation.calls:
            if skill := text_of(call.get("skill")):
                launch = _call(call)
                before = launches.setdefault((skill, observation.subagent), launch)
                if before is not None and before.good is False and launch.good is not False:
                    launches[skill, observation.subagent] = launch
    return launches


def typed_skill(observation: Observation) -> str:
    """The skill or command of a user's or project's own that was typed; empty for the client's."""
    detail = observation.detail
    own = text_of(detail.get("command_source")) not in {"builtin", "mcp", "bundled"}
    slash = text_of(detail.get("expansion_type")) in {"", "slash_command"}
    expanded = observation.event == "UserPromptExpansion" and own and slash
    return text_of(detail.get("command_name")) if expanded else ""


def _stored(writer: Writer, ended: Outcome) -> Outcome:
    """An outcome as payloads hold it: the words of its quotes as content references."""
    quotes = (
        replace(quote, words=writer.keep("evidence", clean(quote.words)))
        for quote in ended.quotes
        if quote.words
    )
    return replace(ended, quotes=tuple(quotes))


def _shown(reader: Reader, subject: Subject, episode: str | None) -> tuple[EntryId, ...]:
    recalls = reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK)
    own = (e for e in recalls if episode and e.where.episode == episode)
    return tuple(dict.fromkeys(entry for e in own for entry in payload_of(Recalled, e).shown))


def _took(observations: Sequence[Observation]) -> int | None:
    times = [o.ms for o in observations]
    span_ms = max(times) - min(times) if len(times) > 1 else None
    measured_ms = _largest(observations, "took_ms")
    return span_ms if measured_ms is None else measured_ms


def _largest(observations: Sequence[Observation], name: str) -> int | None:
    return max((whole(o.detail[name]) for o in observations if name in o.detail), default=None)


def answered_late(outside: Outside, writer: Writer, subject: Subject, asked: Observed) -> None:
    """A prompt speaks of an episode that its session's end had closed: that is recorded too."""
    response, prompt = asked.response, asked.observation
    last = next(writer.events(subject=subject, kind=Kind.EPISODE_CLOSED, newest=1), None)
    if not response.verdict or last is None:
        return
    ended_by = payload_of(EpisodeClosed, last).ended_by
    late = prompt.ms - last.wall_ms > WINDOW_MS
    if ended_by != "session_end" or late or last.where.episode == prompt.episode:
        return
    quote = writer.keep("evidence", clean(response.quote))
    payload = EpisodeFeedback(
        episode=last.id, source="reply", verdict=response.verdict, quote=quote
    )
    key = natural_key(outside.ledger.key, "answered late", last.id)
    append(writer, subject, Actor.LEARNT, payload, where=last.where, key=key)
