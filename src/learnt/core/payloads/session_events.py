"""What is recorded of sessions and projects. Names are as payloads may hold them, paths hashed."""

from typing import Annotated, Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.records import named


class SessionStarted(NamedTuple):
    """A session began, went on, was compacted or cleared; `attended`: a person was there."""

    event: Literal[Kind.SESSION_STARTED] = Kind.SESSION_STARTED
    source: str = ""
    process: str = ""
    attended: bool = False


class SessionLinked(NamedTuple):
    """A session follows from another: it was cleared, or forked."""

    event: Literal[Kind.SESSION_LINKED] = Kind.SESSION_LINKED
    relation: str = ""
    other: str = ""


class SessionEnded(NamedTuple):
    """A session ended."""

    event: Literal[Kind.SESSION_ENDED] = Kind.SESSION_ENDED
    reason: str = ""
    process: str = ""


class HarvestedPart(NamedTuple):
    """A part of a session's transcript was harvested.

    `start`, `until` and `context` are bytes of the file; the last is where the next part begins to
    be read. The verdicts count what became of the lessons.
    """

    event: Literal[Kind.HARVESTED] = Kind.HARVESTED
    start: Annotated[int, named("from")] = 0
    until: int = 0
    context: int | None = None
    turns: int = 0
    lessons: int = 0
    entries: tuple[EntryId, ...] = ()
    admit: int = 0
    merge: int = 0
    correct: int = 0
    reject: int = 0
    refused: int = 0


class ProjectSeen(NamedTuple):
    """A project was seen in a folder, or with a git store, a remote or a root commit, first."""

    event: Literal[Kind.PROJECT_SEEN] = Kind.PROJECT_SEEN
    label: ContentRef | None = None
    path: str = ""
    git: str = ""
    remote: str = ""
    root_commit: str = ""


class ProjectLinked(NamedTuple):
    """A person said that a project is the same as another, or that it is not."""

    other: ProjectId
    event: Literal[Kind.PROJECT_LINKED] = Kind.PROJECT_LINKED
    verdict: Literal["same", "apart"] | None = None
