"""One hook's frame to one answer: shared by the worker and `learnt hook --inline`."""

from collections.abc import Callable
from dataclasses import replace

from learnt.core.safety import excerpt
from learnt.errors import LedgerBusy
from learnt.flows.recall.retract import retract
from learnt.flows.sessions.answer import EXCERPT, answer, observation_of
from learnt.flows.sessions.observe import session_of
from learnt.formats.wire import Frame
from learnt.ports import Outside


def respond(outside: Outside, frame: Frame, expired: Callable[[], bool]) -> bytes:
    """What the hook is to print. A ledger that is busy for too long costs the recall, no more.

    The observation then waits in the spool, as it would had no worker answered.
    """
    observation, prompt = observation_of(outside, frame)
    try:
        return answer(outside, observation, prompt, expired)
    except LedgerBusy:
        outside.spool.put(replace(observation, excerpt=excerpt(prompt, EXCERPT)))
        return b""


def undeliverable(outside: Outside, frame: Frame) -> None:
    """The hook was gone when the answer came: what it would have shown was not shown."""
    observation, _ = observation_of(outside, frame)
    with outside.ledger.writing() as writer:
        retract(outside, writer, observation, session_of(outside, observation), "hook gone")
