"""Look, decide, write: what takes long is done before the write lock is taken.

A flow looks at the ledger and at files, decides, and makes a plan of what is to be recorded. Inside
the lock three things happen: a check that what was decided on still holds, the append, the fold.
"""

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

from learnt.core.records import Record
from learnt.errors import Conflict
from learnt.ports import Ledger, Reader, Writer

Seen = TypeVar("Seen", covariant=True)
Result = TypeVar("Result")

LOOKS: Final = 2
PATIENT_LOOKS: Final = 10  # of a job that nobody waits for: it would have to begin again


class Snapshot(Record, Generic[Seen], kw_only=True):
    """What the ledger said when it was looked at: `ask` reads it, and gave `seen` then."""

    ask: Callable[[Reader], Seen]  # once more inside the lock: quick, with a comparable answer
    seen: Seen
    moment: tuple[int, ...]

    def holds(self, reader: Reader) -> bool:
        """Whether the ledger still says the same."""
        return reader.moment() == self.moment or self.ask(reader) == self.seen


def snapshot(reader: Reader, ask: Callable[[Reader], Seen]) -> Snapshot[Seen]:
    """What the ledger says now."""
    return Snapshot(ask=ask, seen=ask(reader), moment=reader.moment())


class Plan(Record, Generic[Result], kw_only=True):
    """What was decided: how it is recorded, and the snapshot that it rests on."""

    rests_on: Snapshot[object]
    write: Callable[[Writer], Result]
    files_hold: Callable[[], bool] = lambda: True  # whether files that were read are the same

    def holds(self, reader: Reader) -> bool:
        """Whether what was decided on is still so."""
        return self.files_hold() and self.rests_on.holds(reader)


def carry_out(
    ledger: Ledger, plan: Callable[[], Plan[Result]], what: str, *, looks: int = LOOKS
) -> Result:
    """Write a plan, made again where what it rests on changed; its result. Raises Conflict."""
    (result,) = carry_out_each(ledger, lambda: (plan(),), what, looks=looks)
    return result


def carry_out_each(
    ledger: Ledger, plans: Callable[[], Iterable[Plan[Result]]], what: str, *, looks: int = LOOKS
) -> list[Result]:
    """Write plans, each in a transaction of its own, anew where some are outdated; the results.

    Raises Conflict where `what` changed before each of so many looks; what was written is kept.
    """
    results: list[Result] = []
    for _ in range(looks):
        outdated = False
        for plan in plans():
            with ledger.writing() as writer:
                if plan.holds(writer):
                    results.append(plan.write(writer))
                else:
                    outdated = True
        if not outdated:
            return results
    recorded = f"{len(results)} change(s) before it were" if results else "Nothing was"
    raise Conflict(
        f"{what} changed while it was looked at, {looks} times over. {recorded} recorded; call "
        "this again."
    )
