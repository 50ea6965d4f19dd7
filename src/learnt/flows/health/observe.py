"""An episode is over: what its observations say becomes one event, with its outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from learnt.core.events import Actor, Draft, Event, Kind, Where, payload_of
from learnt.core.health.outcomes import Call, Cause, Outcome, Quote, Trouble, outcome
from learnt.core.health.replies import NOTHING, Reply, Verdict
from learnt.core.identifiers import ContentRef, EntryId, NaturalKey, Subject
from learnt.core.json_values import JsonObject, JsonValue, text_of, whole
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.episode_events import EpisodeClosed, EpisodeFeedback, SkillUse
from learnt.core.payloads.recall_events import Recalled
from learnt.core.records import decode
from learnt.core.sessions.observations import Observation, Observed
from learnt.core.sessions.turns import Turn
from learnt.formats.agents.claude_transcript import forked_from, interrupted, turns
from learnt.ports import Outside, Reader, Writer

TAIL: int = 512 * 1024  # of a transcript: a turn's last records, past the client's own snapshots
END: int = 32 * 1024
WINDOW_MS = 24 * 3_600_000
LOOKED_BACK = 12  # recalls of the session, for those of this episode
STOPS = frozenset({"Stop", "StopFailure"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A skill's use: its name, who launched it, in which subagent, and whether that failed."""

    skill: str
    by: str
    subagent: str = ""
    failed: bool = False
    quote: str = ""


def measured(outside: Outside, observation: Observation) -> Observation:
    """A stop with what the transcript tells: its turn's tokens and time, a fork's parent.

    The client may report a stop before it has written it down: a session's end is looked up too.
    """
    if observation.event not in STOPS | {"SessionEnd"} or not observation.transcript:
        return observation
    tail = outside.transcripts.tail(observation.transcript, TAIL)
    told: dict[str, JsonValue] = {}
    turn = _turn(tail, observation.episode) if observation.event in STOPS else None
    if turn is not None:
        told["tokens"] = turn.tokens
        if turn.took_ms is not None:
            told["took_ms"] = turn.took_ms
    parent = forked_from(tail, observation.session)
    if parent:
        told["parent"] = parent
    return replace(observation, detail={**observation.detail, **told}) if told else observation


def _turn(tail: bytes, episode: str) -> Turn | None:
    found = turns(_since(tail, episode))
    return next((turn for turn in reversed(found) if turn.id == episode), None)


def _since(tail: bytes, episode: str) -> list[bytes]:
    """The lines from the one on that names a prompt first; none where none does."""
    at = tail.find(episode.encode("utf-8", "replace")) if episode else -1
    return tail[tail.rfind(b"\n", 0, at) + 1 :].split(b"\n") if at >= 0 else []


def close(
    outside: Outside,
    writer: Writer,
    place: tuple[Subject, Where],
    closed: EpisodeClosed,
    observations: Sequence[Observation],
    asked: Observed | None,
    *,
    interrupted: bool,
) -> Event | None:
    """Record that an episode ended: `closed` says how so far, `asked` is the prompt after it.

    An episode that was closed before, and of which a report came later, is closed once more with
    all of them; what its user said of it stands.
    """
    subject, where = place
    again, before = _before(outside, writer, where)
    reply = _reply(writer, observations, asked, before)
    calls = [(o.subagent, call) for o in observations for call in o.calls]
    own = [_call(call) for subagent, call in calls if not subagent]
    own += _broken_off(observations)
    found = outcome(own, reply, interrupted=interrupted)
    launches = _launches(observations)
    payload = closed._replace(
        outcome=replace(found, quotes=_quotes(writer, found)),
        reply=reply.verdict,
        skills=tuple(_use(writer, one, found, calls, reply) for one in launches),
        entries=_shown(writer, subject, where.episode),
        subagents=len({o.subagent for o in observations if o.subagent}),
        took_ms=_took(observations),
        tokens=_tokens(observations),
        again=again,
    )
    return writer.append(
        Draft(
            subject=subject,
            actor=Actor.LEARNT,
            where=where,
            payload=payload,
            natural_key=_key(outside, where, again),
        )
    )


def _key(outside: Outside, where: Where, again: int) -> NaturalKey:
    return natural_key(
        outside.ledger.key,
        "episode closed",
        where.agent,
        where.session,
        where.episode,
        again or None,
    )


def _before(outside: Outside, reader: Reader, where: Where) -> tuple[int, Event | None]:
    """How often the same episode was closed before, and the last of those events."""
    again, last = 0, None
    while (event := reader.keyed(_key(outside, where, again))) is not None:
        again, last = again + 1, event
    return again, last


def _reply(
    reader: Reader,
    observations: Sequence[Observation],
    asked: Observed | None,
    before: Event | None,
) -> Reply:
    recorded = None if before is None else payload_of(EpisodeClosed, before)
    if recorded is not None and recorded.reply:
        return Reply(recorded.reply, _old_quote(reader, recorded))
    if asked is None or asked.observation.ms - max(o.ms for o in observations) > WINDOW_MS:
        return NOTHING
    return Reply(Verdict.stored(asked.response.verdict), asked.response.quote)


def _old_quote(reader: Reader, recorded: EpisodeClosed) -> str:
    for quote in recorded.outcome.quotes:
        if quote.what.startswith("reply"):
            return reader.text(ContentRef(quote.words)) or ""
    return ""


def was_interrupted(outside: Outside, observations: Sequence[Observation]) -> bool:
    """Whether an episode's user stopped it: no hook tells, so a turn without a Stop is looked up.

    Reads the transcript: not to be called while the ledger is held.
    """
    if any(o.event in STOPS for o in observations):
        return False
    paths = [o.transcript for o in observations if o.transcript and not o.subagent]
    if not paths:
        return False
    episode = next((o.episode for o in observations if o.episode), "")
    tail = outside.transcripts.tail(paths[-1], TAIL)
    # Of a turn whose beginning is out of sight the end is enough.
    return interrupted(_since(tail, episode) or tail[-END:].split(b"\n")[1:], episode)


def _broken_off(observations: Sequence[Observation]) -> list[Call]:
    """That the model's service ended the turn, if that was its end: no skill's fault."""
    stops = [o for o in observations if o.event in STOPS and not o.subagent]
    if not stops or stops[-1].event != "StopFailure":
        return []
    said = text_of(stops[-1].detail.get("error")) or "unknown"
    return [Call(family="service", good=False, cause="environment", quote=f"broken off: {said}")]


def _call(call: JsonObject) -> Call:
    evidence = call.get("evidence")
    if isinstance(evidence, dict):
        return decode(Call, evidence)
    # A report of an older hook says no more than whether it failed.
    return Call(family=text_of(call.get("tool")), good=call.get("failed") is not True)


def _launches(observations: Sequence[Observation]) -> list[Launch]:
    """The skills that were used, each once for each that launched it."""
    found: dict[tuple[str, str], Launch] = {}
    for observation in observations:
        typed = _typed_skill(observation)
        if typed:
            found.setdefault((typed, ""), Launch(skill=typed, by="user"))
        for call in observation.calls:
            skill = text_of(call.get("skill"))
            if not skill:
                continue
            by = "subagent" if observation.subagent else "agent"
            evidence = _call(call)
            launch = Launch(
                skill=skill,
                by=by,
                subagent=observation.subagent,
                failed=evidence.good is False,
                quote=evidence.quote,
            )
            before = found.get((skill, observation.subagent))
            if before is None or (before.failed and not launch.failed):
                found[skill, observation.subagent] = launch
    return list(found.values())


def _typed_skill(observation: Observation) -> str:
    """The skill or command of a user's or project's own that was typed; empty for the client's."""
    detail = observation.detail
    own = text_of(detail.get("command_source")) not in {"builtin", "mcp", "bundled"}
    slash = text_of(detail.get("expansion_type")) in {"", "slash_command"}
    expanded = observation.event == "UserPromptExpansion" and own and slash
    return text_of(detail.get("command_name")) if expanded else ""


def _use(
    writer: Writer,
    launch: Launch,
    whole_outcome: Outcome,
    calls: Sequence[tuple[str, JsonObject]],
    reply: Reply,
) -> SkillUse:
    """A use of a skill: its episode's outcome, its subagent's own, or that it never began."""
    if launch.failed:
        launching = Quote(what="launch", words=writer.keep("evidence", launch.quote))
        own = Outcome(trouble=Trouble.COMMAND, cause=Cause.INPUT, quotes=(launching,))
    elif launch.subagent:
        own = outcome(
            [_call(call) for subagent, call in calls if subagent == launch.subagent], reply
        )
        own = replace(own, quotes=_quotes(writer, own))
    else:
        own = replace(whole_outcome, quotes=())
    return SkillUse(
        skill=writer.keep("skill", launch.skill),
        by=launch.by,
        launched=not launch.failed,
        outcome=own,
    )


def _quotes(writer: Writer, found: Outcome) -> tuple[Quote, ...]:
    """An outcome's quotes as payloads hold them: their words as content references."""
    return tuple(
        replace(quote, words=writer.keep("evidence", quote.words))
        for quote in found.quotes
        if quote.words
    )


def _shown(reader: Reader, subject: Subject, episode: str | None) -> tuple[EntryId, ...]:
    """The entries that were put before the agent in this episode."""
    recalls = reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK)
    own = (e for e in recalls if episode and e.where.episode == episode)
    return tuple(dict.fromkeys(entry for e in own for entry in payload_of(Recalled, e).shown))


def _took(observations: Sequence[Observation]) -> int | None:
    told = [whole(o.detail.get("took_ms")) for o in observations if "took_ms" in o.detail]
    if told:
        return max(told)
    times = [o.ms for o in observations]
    return max(times) - min(times) if len(times) > 1 else None


def _tokens(observations: Sequence[Observation]) -> int | None:
    told = [whole(o.detail.get("tokens")) for o in observations if "tokens" in o.detail]
    return max(told) if told else None


def answered_late(outside: Outside, writer: Writer, subject: Subject, asked: Observed) -> None:
    """A prompt speaks of an episode that its session's end had closed: that is recorded too."""
    response, prompt = asked.response, asked.observation
    last = next(writer.events(subject=subject, kind=Kind.EPISODE_CLOSED, newest=1), None)
    if not response.verdict or last is None:
        return
    if payload_of(EpisodeClosed, last).ended_by != "session_end":
        return
    if prompt.ms - last.wall_ms > WINDOW_MS or last.where.episode == prompt.episode:
        return
    writer.append(
        Draft(
            subject=subject,
            actor=Actor.LEARNT,
            where=last.where,
            payload=EpisodeFeedback(
                episode=last.id,
                source="reply",
                verdict=response.verdict,
                quote=writer.keep("evidence", response.quote),
            ),
            natural_key=natural_key(outside.ledger.key, "answered late", last.id),
        )
    )
