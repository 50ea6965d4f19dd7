"""The spool is emptied into the ledger: each file exactly once, none lost on the way."""

from collections.abc import Sequence

from learnt.flows.health.observe import measured
from learnt.flows.sessions.observe import take
from learnt.ports import Outside

BATCH = 20


def drain(outside: Outside, most: int = 10_000) -> int:
    """Take in at most so many waiting observations; how many left the spool.

    A file goes only after the transaction that took it in is on the disk; one that holds no
    observation is set aside.
    """
    taken = 0
    while taken < most:
        names = outside.spool.waiting(min(BATCH, most - taken))
        if not names:
            break
        _batch(outside, names)
        taken += len(names)
    return taken


# What an observation nobody foresaw may raise; anything else is the ledger's and stops the drain.
_NONSENSE = (ValueError, TypeError, KeyError, ArithmeticError, RecursionError)


def _batch(outside: Outside, names: Sequence[str]) -> None:
    try:
        _take_in(outside, names)
    except _NONSENSE:
        # One of them is to blame: alone it is set aside, and the others are not held up by it.
        if len(names) == 1:
            outside.spool.set_aside(names[0])
            return
        for name in names:
            _batch(outside, [name])


def _take_in(outside: Outside, names: Sequence[str]) -> None:
    unreadable = []
    with outside.ledger.durably_writing() as writer:
        for name in names:
            observation = outside.spool.read(name)
            if observation is None:
                unreadable.append(name)
            else:
                take(outside, writer, measured(outside, observation), waited=True)
    for name in names:
        if name in unreadable:
            outside.spool.set_aside(name)
        else:
            outside.spool.done(name)
