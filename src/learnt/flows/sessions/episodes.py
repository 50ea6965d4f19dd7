"""An episode ends: by the next prompt, its session's end, or after a day without a report."""

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from learnt.core.events import Where
from learnt.core.identifiers import EventId, plain_or_hashed, session_subject
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.core.records import Record, member, whole
from learnt.core.sessions.observations import OF_EPISODES, Observation, Observed, Response
from learnt.core.sessions.sessions import Session
from learnt.flows.health.closing import WINDOW_MS, Judged, answered_late, close, judge
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


class Ending(Record):
    """An episode that is about to end, as it was judged before the ledger is held."""

    first: Observation  # of the reports since it was closed last, if it was
    place: Place | None
    # None where nothing was done in it: the agent numbers /exit and /clear like prompts.
    judged: Judged | None


class _Over(Record):
    """All reports of an open episode, and those since it was closed last, if it was."""

    open: Sequence[Observation]
    every: Sequence[Observation]

    @property
    def began_ms(self) -> int:
        """When it began: an old one may have been opened again by a late report."""
        return min(report.ms for report in self.every)


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
        _over(reader, reports, last)
        for episode, reports in episodes.items()
        if not (waited and min(report.ms for report in reports) > last.ms)
        and not (asked is not None and episode == last.episode)
    ]
    # It speaks of the episode that began last before it, and of no other that ends here.
    newest = max(over, key=lambda episode: episode.began_ms, default=None)
    ended_by = "session_end" if asked is None else "prompt"
    return tuple(
        _ending(outside, reader, episode, ended_by, asked if episode is newest else None)
        for episode in over
    )


def _open(reader: Reader, session: str) -> dict[str, list[Observation]]:
    episodes: dict[str, list[Observation]] = {}
    for seen in reader.observed(session, open_only=True):
        if seen.observation.episode:
            episodes.setdefault(seen.observation.episode, []).append(seen.observation)
    return episodes


def _over(reader: Reader, reports: Sequence[Observation], last: Observation | None) -> _Over:
    first = reports[0]
    # What was reported after the episode was closed is judged with all that was before.
    stored_reports = reader.observed(first.session, episode=first.episode)
    every = [seen.observation for seen in stored_reports]
    if last is not None and last.episode == first.episode:
        every.append(last)
    return _Over(open=reports, every=every)


def _ending(
    outside: Outside, reader: Reader, over: _Over, ended_by: str, asked: Observed | None
) -> Ending:
    first, every = over.open[0], over.every
    if not any(report.event in _OPENING for report in over.open):
        return Ending(first=first, place=None, judged=None)
    calls = [call for report in every for call in report.calls]
    more = sum(whole(report.detail.get("more")) for report in every)
    closed = EpisodeClosed(
        ended_by=ended_by,
        steps=sum(report.event == "PostToolBatch" for report in every),
        tools=len(calls) + more,
        failed=sum(member(call, "failed") is True for call in calls),
        stops=sum(report.event in {"Stop", "StopFailure"} for report in every),
        began_ms=over.began_ms,
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
    reports = reader.activity(last.session, OF_EPISODES)
    return reports, None if newest is None else newest.id


def close_endings(
    outside: Outside, writer: Writer, ending: Sequence[Ending], asked: Observed | None = None
) -> None:
    """Close these episodes; `asked` is the prompt that ended them, if one did."""
    for episode in ending:
        _close(outside, episode, writer)
    if asked is not None and not any(episode.judged for episode in ending):
        session = session_of(outside, asked.observation)
        answered_late(outside, writer, session_subject(asked.observation.agent, session), asked)


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
                    over = _over(reader, reports, None)
                    ending = _ending(outside, reader, over, "time", None)
                    rests_on = snapshot(reader, partial(so_far, outside, ending.first))
                    write = partial(_close, outside, ending)
                    plans.append(Plan(rests_on=rests_on, write=write))
    return plans
