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
    outside: Outside, writer: Writer, observation: Observation, session: str, place: Place | None
) -> Where:
    """Where an observation was made: its session by name, its place; a new project is made."""
    key = outside.ledger.key
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
    """An open episode that is about to end: all reports of it, and what was looked up for it.

    `open` are the reports since it was closed last, if it was; `interrupted`: its user stopped it.
    """

    open: tuple[Observation, ...]
    every: tuple[Observation, ...]
    place: Place | None
    interrupted: bool

    @property
    def happened(self) -> bool:
        """Whether anything was done in it: the agent numbers /exit and /clear like prompts."""
        return any(one.event in _OPENING for one in self.open)

    @property
    def began_ms(self) -> int:
        """When it began: an old one may have been opened again by a late report."""
        return min(one.ms for one in self.every)


def endings(
    outside: Outside, reader: Reader, last: Observation, *, waited: bool
) -> tuple[Ending, ...]:
    """The episodes that a report ends: all open ones of its session but the one it belongs to.

    Reads transcripts. `waited` says that the report lay in the spool: it ends nothing that began
    after it, since the session may have gone on. Of what did not wait the order of arrival tells
    more than a clock that may jump.
    """
    asked = last.event == "UserPromptSubmit"
    found = _open(reader, last.session)
    if last.episode and not asked:
        found.setdefault(last.episode, []).append(last)
    return tuple(
        _ending(outside, reader, reports, last)
        for episode, reports in found.items()
        if not (waited and min(one.ms for one in reports) > last.ms)
        and not (asked and episode == last.episode)
    )


def _open(reader: Reader, session: str) -> dict[str, list[Observation]]:
    """The session's observations of open episodes, by episode."""
    found: dict[str, list[Observation]] = {}
    for held in reader.observed(session, open_only=True):
        if held.observation.episode:
            found.setdefault(held.observation.episode, []).append(held.observation)
    return found


def _ending(
    outside: Outside, reader: Reader, reports: Sequence[Observation], last: Observation | None
) -> Ending:
    first = reports[0]
    held = reader.observed(first.session, episode=first.episode)
    # What was reported after the episode was closed is judged with all that was before.
    every = [one.observation for one in held]
    if last is not None and last.episode == first.episode:
        every.append(last)
    happened = any(one.event in _OPENING for one in reports)
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
    newest = max(ending, key=lambda one: one.began_ms, default=None)
    for one in ending:
        _close(outside, writer, one, ended_by, asked if one is newest else None)
    if asked is not None and not any(one.happened for one in ending):
        session = session_of(outside, asked.observation)
        answered_late(outside, writer, session_subject(asked.observation.agent, session), asked)


def _close(
    outside: Outside, writer: Writer, ending: Ending, ended_by: str, asked: Observed | None
) -> None:
    first, every = ending.open[0], ending.every
    if ending.happened:
        calls = [call for one in every for call in one.calls]
        more = sum(whole(one.detail.get("more")) for one in every)
        session = session_of(outside, first)
        where = where_of(outside, writer, first, session, ending.place)
        place = (session_subject(first.agent, session), where)
        closed = EpisodeClosed(
            ended_by=ended_by,
            steps=sum(one.event == "PostToolBatch" for one in every),
            tools=len(calls) + more,
            failed=sum(member(call, "failed") is True for call in calls),
            stops=sum(one.event in {"Stop", "StopFailure"} for one in every),
        )
        close(outside, writer, place, closed, every, asked, interrupted=ending.interrupted)
    writer.close_episode(first.session, first.episode)


def close_stale(outside: Outside) -> int:
    """Close what nothing was reported of for 24 hours; how many episodes that were.

    Raises Conflict where reports of such a session keep coming in.
    """
    what = "What was reported of a session"
    closed = carry_out_each(outside.ledger, lambda: _stale(outside), what, looks=PATIENT_LOOKS)
    return sum(closed)


def _stale(outside: Outside) -> Iterable[Plan[bool]]:
    before = outside.clock.now_ms() - WINDOW_MS
    plans = []
    with outside.ledger.reading() as reader:
        for session in reader.sessions_observed():
            for reports in _open(reader, session).values():
                if max(one.ms for one in reports) < before:
                    ending = _ending(outside, reader, reports, None)
                    rests_on = snapshot(reader, partial(reported, session))
                    write = partial(_close_by_time, outside, ending)
                    plans.append(Plan(rests_on=rests_on, write=write))
    return plans


def _close_by_time(outside: Outside, ending: Ending, writer: Writer) -> bool:
    _close(outside, writer, ending, "time", None)
    return ending.happened
