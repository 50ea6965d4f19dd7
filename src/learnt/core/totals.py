"""What very many events, entries and sessions add up to, as a ledger tells it in short."""

from learnt.core.identifiers import ContentRef, EventId, ProjectId
from learnt.core.records import Row


class Happening(Row):
    """An event without its payload, but for what a recall or a miss says in short.

    `shown` and `hinted` count entries. A tuple, since there may be hundreds of thousands.
    """

    subject: str
    session: str
    project: ProjectId | None
    wall_ms: int
    recall: EventId
    prompt: ContentRef | None
    mode: str
    moment: str
    shown: int
    hinted: int


class EntryTotals(Row):
    """How many entries are alike in these respects, how often they were reused, and when they came.

    `live`: they may be found. `corrected`: they were corrected. `masked` so many of them are.
    """

    stage: str
    scope: ProjectId | None
    topic: str
    live: bool
    corrected: bool
    entries: int
    reused: int
    first_ms: int
    last_ms: int
    masked: int


class SessionTotals(Row):
    """All sessions together; `attended` are those with a person at the keyboard."""

    sessions: int
    attended: int
    episodes: int
    recalls: int
    misses: int
    undelivered: int


class PeopleTotals(Row):
    """How many events by humans were seen alike, as `Sight` tells, and the latest of them."""

    by: str
    odd: str
    events: int
    last: EventId
    last_ms: int
