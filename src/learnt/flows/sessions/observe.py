"""An observation becomes events: sessions begin and end, episodes close, late answers go."""

from dataclasses import replace

from learnt.core.events import Actor, Draft, Kind, Where
from learnt.core.governance.actors import typed
from learnt.core.identifiers import Subject, keyed_hash, plain_or_hashed, session_subject
from learnt.core.json_values import JsonObject, member, text_of, whole
from learnt.core.natural_keys import natural_key
from learnt.core.sessions import sessions
from learnt.core.sessions.observations import LATE, Observation
from learnt.flows.health.observe import WINDOW_MS, answered_late, close, reply_of
from learnt.flows.recall.retract import retract
from learnt.flows.sessions.locate import Place, locate, look
from learnt.ports import Outside, Writer


def session_of(outside: Outside, observation: Observation) -> str:
    """The session's name as payloads may hold it; a report without one is a session of its own."""
    name = observation.session or f"anonymous-{observation.id}"
    return plain_or_hashed(outside.ledger.key, name)


def episode_of(outside: Outside, observation: Observation) -> str:
    """The episode's name as payloads may hold it; empty where the agent named none."""
    if not observation.episode:
        return ""
    return plain_or_hashed(outside.ledger.key, observation.episode)


def digest_of(outside: Outside, excerpt: str) -> str:
    """What tells one prompt from another of the same id: the keyed hash of its excerpt."""
    return keyed_hash(outside.ledger.key, "digest", excerpt) if excerpt else ""


def where_of(
    outside: Outside, writer: Writer, observation: Observation, place: Place | None = None
) -> Where:
    """Where an observation was made; a project not known yet is made.

    `place` is its folder where that was looked at already.
    """
    if place is None and observation.folder:
        place = look(outside, observation.folder)
    session = session_of(outside, observation)
    state = writer.view(session_subject(observation.agent, session))
    located = locate(outside, writer, place) if place else None
    return Where(
        project=located.project if located else None,
        place=writer.keep("place", located.place) if located and located.place else None,
        agent=observation.agent,
        session=session,
        subagent=plain_or_hashed(outside.ledger.key, observation.subagent)
        if observation.subagent
        else None,
        epoch=0 if state is None else sessions.from_state(state).epoch,
        episode=episode_of(outside, observation) or None,
    )


def take(
    outside: Outside, writer: Writer, observation: Observation, *, waited: bool = False
) -> bool:
    """Put an observation into the inbox and record what it means; False where it is known.

    `waited` says that it lay in the spool: what was reported since may have been taken in before.
    """
    if observation.excerpt and not observation.digest:
        digest = digest_of(outside, observation.excerpt)
        observation = replace(observation, digest=digest)
    spooled = observation.excerpt if observation.event == "UserPromptSubmit" else ""
    if spooled and typed(spooled) and (said := reply_of(spooled)):
        observation = replace(observation, detail={**observation.detail, "reply": said})
    activity = writer.activity(observation.session, observation.parted_by)
    key = natural_key(outside.ledger.key, "observation", *observation.key_parts(activity))
    if not writer.observe(observation, key):
        return False
    match observation.event:
        case "SessionStart":
            _session_started(outside, writer, observation, activity)
        case "UserPromptSubmit":
            close_episodes(outside, writer, observation, "prompt", waited=waited)
        case "SessionEnd":
            close_episodes(outside, writer, observation, "session_end", waited=waited)
            _link_fork(outside, writer, observation)
            _session_ended(outside, writer, observation)
        case "Stop" | "StopFailure":
            _link_fork(outside, writer, observation)
        case event if event == LATE:
            retract(outside, writer, observation, session_of(outside, observation), "late")
        case _:
            pass
    return True


def _subject(outside: Outside, observation: Observation) -> Subject:
    return session_subject(observation.agent, session_of(outside, observation))


def _session_started(
    outside: Outside, writer: Writer, observation: Observation, activity: int
) -> None:
    source = text_of(observation.detail.get("source"))
    where = where_of(outside, writer, observation)
    payload: JsonObject = {
        "source": source if source in _SOURCES else "other",
        "process": observation.process if observation.process.isdigit() else "",
        "attended": observation.actor is Actor.HUMAN,
    }
    again = activity if source == "compact" else None
    started = writer.append(
        Draft(
            subject=_subject(outside, observation),
            kind=Kind.SESSION_STARTED,
            actor=Actor.TOOL,
            where=where,
            payload=payload,
            natural_key=natural_key(
                outside.ledger.key,
                "session started",
                observation.agent,
                where.session,
                source,
                observation.process,
                observation.episode,
                again,
            ),
        )
    )
    if started is not None and source == "clear":
        _link_cleared(outside, writer, observation, where)


_OPENING = frozenset({"UserPromptSubmit", "PostToolBatch"})
_SOURCES = frozenset({"startup", "resume", "clear", "compact", "fork"})


def _link_cleared(outside: Outside, writer: Writer, observation: Observation, where: Where) -> None:
    """Tie a session begun by /clear to the one that the same process just left."""
    for ended in writer.events(kind=Kind.SESSION_ENDED, newest=20):
        same = member(ended.payload, "process") == observation.process != ""
        if same and member(ended.payload, "reason") == "clear" and ended.where.session:
            writer.append(
                Draft(
                    subject=_subject(outside, observation),
                    kind=Kind.SESSION_LINKED,
                    actor=Actor.LEARNT,
                    where=where,
                    payload={"relation": "cleared", "other": ended.where.session},
                    natural_key=natural_key(
                        outside.ledger.key,
                        "session linked",
                        observation.agent,
                        where.session,
                        "cleared",
                        ended.where.session,
                    ),
                )
            )
            return


def _link_fork(outside: Outside, writer: Writer, observation: Observation) -> None:
    """Tie a fork to the session that it began from, which no earlier report names."""
    parent = text_of(observation.detail.get("parent"))
    if not parent:
        return
    subject = _subject(outside, observation)
    other = plain_or_hashed(outside.ledger.key, parent)
    where = where_of(outside, writer, observation)
    linked = writer.append(
        Draft(
            subject=subject,
            kind=Kind.SESSION_LINKED,
            actor=Actor.LEARNT,
            where=where,
            payload={"relation": "forked", "other": other},
            natural_key=natural_key(
                outside.ledger.key,
                "session linked",
                observation.agent,
                where.session,
                "forked",
                other,
            ),
        )
    )
    if linked is None:
        return
    for held in writer.observed(observation.session):
        if held.observation.event == "UserPromptSubmit":
            # Its first prompt speaks of what the parent did last, and none of the later ones.
            answered_late(
                outside, writer, session_subject(observation.agent, other), held.observation
            )
            return


def _session_ended(outside: Outside, writer: Writer, observation: Observation) -> None:
    reason = text_of(observation.detail.get("reason"))
    where = where_of(outside, writer, observation)
    writer.append(
        Draft(
            subject=_subject(outside, observation),
            kind=Kind.SESSION_ENDED,
            actor=Actor.TOOL,
            where=where,
            payload={
                "reason": plain_or_hashed(outside.ledger.key, reason or "other"),
                "process": observation.process if observation.process.isdigit() else "",
            },
            natural_key=natural_key(
                outside.ledger.key,
                "session ended",
                observation.agent,
                where.session,
                reason,
                observation.process,
            ),
        )
    )


def close_episodes(
    outside: Outside, writer: Writer, observation: Observation, ended_by: str, *, waited: bool
) -> None:
    """Close the session's open episodes but the one that the observation itself opens."""
    asked = observation if observation.event == "UserPromptSubmit" else None
    # What waited in the spool closes nothing that began after it: the session may have gone on. Of
    # what did not wait the order of arrival tells more than a clock that may jump.
    waiting = {
        episode: held
        for episode, held in _open(writer, observation.session).items()
        if not (waited and min(one.ms for one in held) > observation.ms)
        and (asked is None or episode != asked.episode)
    }
    # It speaks of the episode that began last before it, and of no other that ends here.
    newest = max(waiting, key=lambda name: _began(writer, waiting[name][0]), default=None)
    closed = [
        _settle(outside, writer, held, ended_by, asked if episode == newest else None)
        for episode, held in waiting.items()
    ]
    if asked is not None and not any(closed):
        answered_late(outside, writer, _subject(outside, asked), asked)


def _began(writer: Writer, one: Observation) -> int:
    """When an episode began: an old one may have been opened again by a late report."""
    every = writer.observed(one.session, episode=one.episode)
    return min(held.observation.ms for held in every)


def close_stale(outside: Outside) -> int:
    """Close what nothing was reported of for 24 hours; how many episodes that were."""
    before = outside.clock.now_ms() - WINDOW_MS
    with outside.ledger.writing() as writer:
        return sum(
            _settle(outside, writer, held, "time", None)
            for session in writer.sessions_observed()
            for held in _open(writer, session).values()
            if max(observation.ms for observation in held) < before
        )


def _open(writer: Writer, session: str) -> dict[str, list[Observation]]:
    """The session's observations of open episodes, by episode."""
    found: dict[str, list[Observation]] = {}
    for held in writer.observed(session, open_only=True):
        if held.observation.episode:
            found.setdefault(held.observation.episode, []).append(held.observation)
    return found


def _settle(
    outside: Outside,
    writer: Writer,
    held: list[Observation],
    ended_by: str,
    asked: Observation | None,
) -> bool:
    """Close one episode; False where nothing happened in it."""
    # The agent numbers /exit, /clear and /compact like prompts: nothing happens in those.
    happened = any(observation.event in _OPENING for observation in held)
    if happened:
        _close(outside, writer, held, ended_by, asked)
    writer.close_episode(held[0].session, held[0].episode)
    return happened


def _close(
    outside: Outside,
    writer: Writer,
    new: list[Observation],
    ended_by: str,
    asked: Observation | None,
) -> None:
    first = new[0]
    # What was reported after the episode was closed is judged with all that was before.
    every = [held.observation for held in writer.observed(first.session, episode=first.episode)]
    calls = [call for observation in every for call in observation.calls]
    more = sum(whole(observation.detail.get("more")) for observation in every)
    drafted = Draft(
        subject=_subject(outside, first),
        kind=Kind.EPISODE_CLOSED,
        actor=Actor.LEARNT,
        where=where_of(outside, writer, first),
        payload={
            "ended_by": ended_by,
            "steps": sum(o.event == "PostToolBatch" for o in every),
            "tools": len(calls) + more,
            "failed": sum(member(call, "failed") is True for call in calls),
            "stops": sum(o.event in {"Stop", "StopFailure"} for o in every),
        },
    )
    close(outside, writer, _subject(outside, first), every, drafted, asked)
