"""A session between an agent and its user: its context epoch and what was shown in it."""

from dataclasses import dataclass, field
from typing import ClassVar

from learnt.core.identifiers import EntryId, ProjectId


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What is true of a session now.

    `shown` holds the entries in the agent's context since the last compaction; `counted` how often
    each entry's reuse was counted, `retracted` how often that was taken back. `epoch` counts
    compactions.
    """

    prefix: ClassVar[str] = "session:"  # of the subjects of its events

    agent: str
    id: str
    source: str = ""
    project: ProjectId | None = None
    epoch: int = 0
    started_ms: int = 0
    last_ms: int = 0
    ended: str = ""
    shown: tuple[EntryId, ...] = ()
    counted: dict[str, int] = field(default_factory=dict)
    retracted: dict[str, int] = field(default_factory=dict)
    recalls: int = 0
    misses: int = 0
    undelivered: int = 0
    episodes: int = 0
    failures: int = 0
    linked_to: str = ""

    def attempt(self, entry: EntryId) -> int | None:
        """The number of this entry's next count in the session, or None if it stands counted."""
        counted, retracted = self.counted.get(entry, 0), self.retracted.get(entry, 0)
        return None if counted > retracted else retracted
