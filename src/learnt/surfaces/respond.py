"""One hook's frame to one answer: shared by the worker and `learnt hook --inline`."""

from collections.abc import Callable
from contextlib import ExitStack, suppress

from msgspec.structs import replace

from learnt.core.marked import asks_to_remember, sorted_out
from learnt.core.safety import excerpt
from learnt.core.sessions.observations import STOPS, Observation
from learnt.errors import Conflict, LedgerBusy
from learnt.flows.recall.retract import retract
from learnt.flows.sessions.answer import (
    Untold,
    answer,
    answer_before,
    call_of,
    command_of,
    completed,
    keep_marked,
    observation_of,
    see,
    told_apart,
)
from learnt.flows.sessions.episodes import session_of
from learnt.flows.sessions.prompts import EXCERPT
from learnt.formats.agents.dialects import ACT, STARTS
from learnt.formats.agents.reports import common
from learnt.formats.observations import parse
from learnt.formats.wire import Frame
from learnt.ports import Outside, Spool


def respond(
    outside: Outside, frame: Frame, expired: Callable[[], bool], untold: Untold | None = None
) -> bytes:
    """What the hook is to print. A ledger that is busy for too long costs the recall, no more.

    `untold` is what sessions are still to be told of what they asked to be remembered. Whatever
    goes wrong, the observation waits in the spool, as it would had no worker answered;
    what is worse than a busy ledger is then raised.
    """
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    if frame.event == ACT:  # the step's own report tells that it ran
        command = command_of(frame)
        see(outside, observation, frame, command)
        with suppress(LedgerBusy, Conflict):
            return answer_before(outside, observation, command, expired)
        return b""
    if frame.event in STOPS and outside.spool.waiting(1):
        # It is known from its copy, should the hook leave one, by what came before both.
        keep(outside.spool, observation, prompt)
        return b""
    with suppress(LedgerBusy, Conflict), ExitStack() as unanswered:
        unanswered.callback(keep, outside.spool, observation, prompt)
        observation, call = completed(outside, observation, call_of(frame))
        output = answer(outside, observation, prompt, expired, call, untold)
        unanswered.pop_all()
        return output
    return b""


def keep(spool: Spool, observation: Observation, prompt: str) -> None:
    """Have a report wait in the spool, with the beginning of its prompt and what it marks."""
    marked = tuple(map(tuple, sorted_out(prompt)[0]))
    spool.put(replace(observation, excerpt=excerpt(prompt, EXCERPT), marked=marked))


def left_open(outside: Outside, frame: Frame) -> bool:
    """Whether a prompt asks for something to be remembered: without an answer it may wait still."""
    _, prompt = observation_of(outside.clock, outside.random, frame)
    return bool(prompt) and asks_to_remember(prompt)


def keep_late(outside: Outside, frame: Frame, untold: Untold) -> None:
    """Keep what a prompt asks for that a busy ledger left open; the next prompt is told."""
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    with outside.ledger.told(observation.sight):
        keep_marked(outside, completed(outside, observation)[0], prompt, untold)


def delivered(frame: Frame, untold: Untold) -> None:
    """The hook has the answer, and with it all that its session was still to be told."""
    if frame.event == STARTS:
        return  # it carries none of it
    session = common(frame.agent, frame.event, parse(frame.body)).get("session_id")
    untold.pop(str(session), None)


def undeliverable(outside: Outside, frame: Frame) -> None:
    """The hook was gone when the answer came: what it would have shown was not shown."""
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    observation = told_apart(outside, completed(outside, observation)[0], prompt)
    with outside.ledger.writing() as writer:
        retract(outside, writer, observation, session_of(outside, observation), "hook gone")
