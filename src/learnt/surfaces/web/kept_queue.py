"""The queue between requests: over a full ledger it takes a second to be drawn up.

It holds until an event says that something else may wait, at most a minute: what fades or changes
on the disk comes without one. What one of its own decisions took out of it is taken out at once.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Kind
from learnt.flows.governance.listing import ProposalTexts, shown
from learnt.flows.governance.review import ReviewItem, queue, still_waits
from learnt.flows.recall.search import entry_of, note_of
from learnt.ports import Ledger, Outside

HOLDS, PATIENCE = 60.0, 0.1  # seconds
RESTS: Final = 4  # times as long as it took to draw it up, if that was long
# What agents and hooks report all day, and what changes the order alone.
_CHANGES: Final = frozenset(Kind) - {
    Kind.RECALLED, Kind.MISSED, Kind.NOT_DELIVERED, Kind.REUSED, Kind.SESSION_STARTED,
    Kind.SESSION_LINKED, Kind.SESSION_ENDED, Kind.EPISODE_CLOSED, Kind.PROJECT_SEEN, Kind.HARVESTED,
}  # fmt: skip


class KeptQueue:
    """What waits, as it was drawn up last; for one thread at a time, beside that of `later`.

    With `later`, which has work done in another thread, nobody waits long for a queue that was
    drawn up before: the former one is given, and it is `behind`.
    """

    def __init__(
        self,
        later: Callable[[Callable[[Outside], None]], "Future[None]"] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._later, self._now = later, now
        self._ledger: Ledger | None = None
        self._items: list[ReviewItem] = []
        self._moment: tuple[int, ...] = ()
        self._until = self._rests = 0.0
        self._drawing: Future[None] | None = None
        self._decisions = 0
        self.behind = False

    def items(self, outside: Outside, folder: str) -> list[ReviewItem]:
        """What waits, what is worth most first."""
        known, self.behind = self._ledger is outside.ledger, False
        if known and self._holds(outside):
            return self._items
        draw = partial(self._draw, outside.ledger, folder, self._decisions)
        if not known or self._later is None:
            draw(outside)
            return self._items
        if (self._drawing is None or self._drawing.done()) and self._now() >= self._rests:
            self._drawing = self._later(draw)
        with suppress(TimeoutError):
            if self._drawing is not None:
                self._drawing.result(PATIENCE)
        self.behind = not self._holds(outside)
        return self._items

    def _holds(self, outside: Outside) -> bool:
        with outside.ledger.reading() as reader:
            return self._now() < self._until and not reader.touched(self._moment, _CHANGES)

    def _draw(self, ledger: Ledger, folder: str, decisions: int, outside: Outside) -> None:
        began = self._now()
        with outside.ledger.reading() as reader:
            moment = reader.moment()
        items = queue(outside, folder)
        if (took := self._now() - began) > PATIENCE:  # so that other pages get their turn
            self._rests = self._now() + RESTS * took
        if decisions == self._decisions:  # else it has what was decided meanwhile
            self._items, self._moment = items, moment
            self._ledger, self._until = ledger, self._now() + HOLDS

    def decided(self, outside: Outside, item: ReviewItem) -> None:
        """Take out what was decided on; the rest holds on, each looked at before it is shown."""
        self._items = [
            each for each in self._items if each.id != item.id or still_waits(outside, each)
        ]
        self._decisions += 1
        with outside.ledger.reading() as reader:
            self._moment = reader.moment()

    def as_now(self, outside: Outside, item: ReviewItem) -> ReviewItem | None:
        """An item of it as it is now; None where it is another one by now, or waits no more."""
        if not still_waits(outside, item):
            return None
        if isinstance(item.found, ProposalTexts):
            return replace(item, found=shown(outside, item.id))
        with outside.ledger.reading() as reader:
            for part in item.parts:
                entry = entry_of(reader, part.id)
                if entry is None or note_of(reader, entry).said != part.text:
                    return None
        return item

    def forget(self) -> None:
        """Have it drawn up again."""
        self._ledger = None
