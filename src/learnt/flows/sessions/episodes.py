"""An episode ends: by the next prompt, its session's end, or after a day without a report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from learnt.core.events import Where
from learnt.core.identifiers import plain_or_hashed, session_subject
from learnt.core.json_values import member, whole
from learnt.core.payloads.episode_events import EpisodeClosed
from learnt.core.sessions.observations import OF_EPISODES, Observation, Observed
from learnt.core.sessions.sessions import Session
from learnt.flows.health.observe import WINDOW_MS, answered_late, close, was_interrupted
from learnt.flows.plans import PATIENT_LOOKS, Plan, carry_out_each, snapshot
from learnt.flows.sessions.locate import Place, look, where_at
from learnt.flows.stored import named, stored
from learnt.ports import Outside, Reader, Writer

_OPENING = frozenset({"UserPromptSubmit", "PostToolBatch"})


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """An open episode that is about to end: all reports of it, and what was looked up for it."""

    open: tuple[Observation, ...]  # since it was closed last, if it was
    every: tuple[Observation, ...]
    place: Place | None
    interrupted: bool  # by its user

    @property
    def happened(self) -> bool:
        """Whether anything was done in it: the agent numbers /exit and /clear like prompts."""
        return any(report.event in _OPENING for report in self.open)

    @property
    def began_ms(self) -> int:
        """When it began: an old one may have been opened again by a late report."""
        return min(report.ms for report in self.every)


def endings(
    outside: Outside, reader: Reader, last: Observation, *, waited: bool = False
) -> tuple[Ending, ...]:
    """The episodes that a report ends: all open ones of its session but the one it belongs to.

    Reads transcripts. `waited` says that the report lay in the spool: it ends nothing that began
    after it, since the session may have gone on. Of what did not wait the order of arrival tells
    more than a clock that may jump.
    """
    asked = last.event == "UserPromptSubmit"
    episodes = _open(reader, last.session)
    if last.episode and not asked:
        episodes.setdefault(last.episode, []).append(last)
    return tuple(
        _ending(outside, reader, reports, last)
        for episode, reports in episodes.items()
        if not (waited and min(report.ms for report in reports) > last.ms)
        and not (asked and episode == last.episode)
    )


def _open(reader: Reader, session: str) -> dict[str, list[Observation]]:
    episodes: dict[str, list[Observation]] = {}
    for seen in reader.observed(session, open_only=True):
        if seen.observation.episode:
            episodes.setdefault(seen.observation.episode, []).append(seen.observation)
    return episodes


def _ending(
    outside: Outside, reader: Reader, reports: Sequence[Observation], last: Observation | None
) -> Ending:
    first = reports[0]
    # What was reported after the episode was closed is judged with all that was before.
    stored_reports = reader.observed(first.session, episode=first.episode)
    every = [seen.observation for seen in stored_reports]
    if last is not None and last.episode == first.episode:
        every.append(last)
    happened = any(report.event in _OPENING for report in reports)
    return Ending(
        open=tuple(reports),
        every=tuple(every),
        place=place_of(outside, first) if happened else None,
        interrupted=happened and was_interrupted(outside, every),
    )


def reported(session: str, reader: Reader) -> int:
    """What rises with each report that may belong to an episode of a session."""
    return reader.activity(session, OF_EPISODES)


def close_endings(
    outside: Outside,
    writer: Writer,
    ending: Sequence[Ending],
    ended_by: str,
    asked: Observed | None = None,
) -> None:
    """Close these episodes; `asked` is the prompt that ended them, if one did."""
    # It speaks of the episode that began last before it, and of no other that ends here.
    newest = max(ending, key=lambda episode: episode.began_ms, default=None)
    for episode in ending:
        _close(outside, writer, episode, ended_by, asked if episode is newest else None)
    if asked is not None and not any(episode.happened for episode in ending):
        session = session_of(outside, asked.observation)
        answered_late(outside, writer, session_subject(asked.observation.agent, session), asked)


def _close(
    outside: Outside, writer: Writer, ending: Ending, ended_by: str, asked: Observed | None
) -> None:
    first, every = ending.open[0], ending.every
    if ending.happened:
        calls = [call for report in every for call in report.calls]
        more = sum(whole(report.detail.get("more")) for report in every)
        where = where_of(outside, writer, first, ending.place)
        place = (session_subject(first.agent, session_of(outside, first)), where)
        closed = EpisodeClosed(
            ended_by=ended_by,
            steps=sum(report.event == "PostToolBatch" for report in every),
            tools=len(calls) + more,
            failed=sum(member(call, "failed") is True for call in calls),
            stops=sum(report.event in {"Stop", "StopFailure"} for report in every),
            began_ms=ending.began_ms,
        )
        close(outside, writer, place, closed, every, asked, interrupted=ending.interrupted)
    writer.close_episode(first.session, first.episode)


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
                    ending = _ending(outside, reader, reports, None)
                    rests_on = snapshot(reader, partial(reported, session))
                    write = partial(_close_by_time, outside, ending)
                    plans.append(Plan(rests_on=rests_on, write=write))
    return plans


def _close_by_time(outside: Outside, ending: Ending, writer: Writer) -> bool:
    _close(outside, writer, ending, "time", None)
    return ending.happened
