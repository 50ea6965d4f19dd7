"""A command is about to run: the rules that govern it and wait are put before the agent."""

from collections.abc import Callable

from learnt.core.sessions.observations import Observation
from learnt.ports import Outside


def answer_act(
    outside: Outside, observation: Observation, command: str, expired: Callable[[], bool]
) -> str:
    """The text to put before the agent; empty where no rule waits: then nothing is written.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more.
    """
    return ""
