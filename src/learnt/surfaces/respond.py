"""One hook's frame to one answer: shared by the worker and `learnt hook --inline`."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace

from learnt.core.safety import excerpt
from learnt.core.sessions.observations import STOPS, Observation
from learnt.errors import Conflict, LedgerBusy
from learnt.flows.recall.retract import retract
from learnt.flows.sessions.answer import answer, call_of, observation_of, told_apart
from learnt.flows.sessions.completing import completed
from learnt.flows.sessions.episodes import session_of
from learnt.flows.sessions.prompts import EXCERPT
from learnt.formats.wire import Frame
from learnt.ports import Outside, Spool


def respond(outside: Outside, frame: Frame, expired: Callable[[], bool]) -> bytes:
    """What the hook is to print. A ledger that is busy for too long costs the recall, no more.

    Whatever goes wrong, the observation waits in the spool, as it would had no worker answered;
    what is worse than a busy ledger is then raised.
    """
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    if frame.event in STOPS and outside.spool.waiting(1):
        # It is known from its copy, should the hook leave one, by what came before both.
        keep(outside.spool, observation, prompt)
        return b""
    with suppress(LedgerBusy, Conflict), ExitStack() as unanswered:
        unanswered.callback(keep, outside.spool, observation, prompt)
        observation, call = completed(outside, observation, call_of(frame))
        output = answer(outside, observation, prompt, expired, call)
        unanswered.pop_all()
        return output
    return b""


def keep(spool: Spool, observation: Observation, prompt: str) -> None:
    """Have a report wait in the spool, with the beginning of its prompt."""
    spool.put(replace(observation, excerpt=excerpt(prompt, EXCERPT)))


def undeliverable(outside: Outside, frame: Frame) -> None:
    """The hook was gone when the answer came: what it would have shown was not shown."""
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    observation = told_apart(outside, completed(outside, observation)[0], prompt)
    with outside.ledger.writing() as writer:
        retract(outside, writer, observation, session_of(outside, observation), "hook gone")
