"""What goes with an event by a human: what the process that records it saw of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache

from learnt.core.events import Actor, Draft, Sight
from learnt.core.safety import clean
from learnt.ports import Writer

_cleaned = lru_cache(maxsize=64)(clean)  # the same traces go with event after event


class Witness:
    """Tells what is seen of a person while an event is recorded: by default of this process."""

    def __init__(self, own: Callable[[], Sight]) -> None:
        self._sees = own

    @contextmanager
    def told(self, sight: Sight) -> Iterator[None]:
        """Meanwhile events come of a report that was looked at when it came."""
        before, self._sees = self._sees, lambda: sight
        try:
            yield
        finally:
            self._sees = before

    def of(self, draft: Draft, writer: Writer) -> Sight | None:
        """What goes with a draft, its texts kept; None where it is by no human."""
        if draft.actor is not Actor.HUMAN:
            return None
        sight = self._sees()
        kept = tuple(writer.keep("trace", _cleaned(trace)) for trace in sight.traces)
        return replace(sight, traces=kept)
