"""The queue between requests: over a full ledger it takes seconds to be drawn up.

It holds until an event says that something else may wait, at most a minute: what fades or changes
on the disk comes without one. What one of its own decisions took out of it is taken out at once.
"""

import time
from collections.abc import Callable
from typing import Final

from learnt.core.events import Kind
from learnt.flows.governance.listing import ProposalTexts, shown
from learnt.flows.governance.review import ReviewItem, queue, still_waits
from learnt.flows.recall.search import entry_of, note_of
from learnt.ports import Ledger, Outside

HOLDS: Final = 60.0  # seconds
# What agents and hooks report all day, and what changes the order alone.
_CHANGES: Final = frozenset(Kind) - {
    Kind.RECALLED, Kind.MISSED, Kind.NOT_DELIVERED, Kind.REUSED, Kind.SESSION_STARTED,
    Kind.SESSION_LINKED, Kind.SESSION_ENDED, Kind.EPISODE_CLOSED, Kind.PROJECT_SEEN, Kind.HARVESTED,
}  # fmt: skip


class KeptQueue:
    """What waits, as it was drawn up last; one thread at a time."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._ledger: Ledger | None = None
        self._items: list[ReviewItem] = []
        self._moment: tuple[int, ...] = ()
        self._until = 0.0

    def items(self, outside: Outside, folder: str) -> list[ReviewItem]:
        """What waits, what is worth most first."""
        with outside.ledger.reading() as reader:
            moment = reader.moment()
            same = self._ledger is outside.ledger and self._now() < self._until
            if same and not reader.touched(self._moment, _CHANGES):
                return self._items
        self._items = queue(outside, folder)
        self._ledger, self._moment, self._until = outside.ledger, moment, self._now() + HOLDS
        return self._items

    def decided(self, outside: Outside, item: ReviewItem) -> None:
        """Take out what was decided on; the rest holds on, each looked at before it is shown."""
        self._items = [
            each for each in self._items if each.id != item.id or still_waits(outside, each)
        ]
        with outside.ledger.reading() as reader:
            self._moment = reader.moment()

    def as_now(self, outside: Outside, item: ReviewItem) -> ReviewItem | None:
        """An item of it as it is now; None where it is another one by now, or waits no more."""
        if not still_waits(outside, item):
            return None
        if isinstance(item.found, ProposalTexts):
            return item._replace(found=shown(outside, item.id))
        with outside.ledger.reading() as reader:
            for part in item.parts:
                entry = entry_of(reader, part.id)
                if entry is None or note_of(reader, entry).said != part.text:
                    return None
        return item

    def forget(self) -> None:
        """Have it drawn up anew."""
        self._ledger = None
