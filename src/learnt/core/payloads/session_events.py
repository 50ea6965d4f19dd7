"""What is recorded of sessions, projects and episodes."""

from typing import Annotated, Literal

from learnt.core.events import Kind
from learnt.core.health.outcomes import UNKNOWN, Outcome, Verdict
from learnt.core.identifiers import ContentRef, EntryId, EventId, ProjectId
from learnt.core.records import INLINE, Record, named


class SessionStarted(Record):
    """A session began, went on, was compacted or cleared; `attended`: a person was there."""

    event: Literal[Kind.SESSION_STARTED] = Kind.SESSION_STARTED
    source: str = ""
    process: str = ""
    attended: bool = False


class SessionLinked(Record):
    """A session follows from another: it was cleared, or forked."""

    event: Literal[Kind.SESSION_LINKED] = Kind.SESSION_LINKED
    relation: str = ""
    other: str = ""


class SessionEnded(Record):
    """A session ended."""

    event: Literal[Kind.SESSION_ENDED] = Kind.SESSION_ENDED
    reason: str = ""
    process: str = ""


class HarvestedPart(Record):
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


class ProjectSeen(Record):
    """A project was seen in a folder, or with a git store, a remote or a root commit, first."""

    event: Literal[Kind.PROJECT_SEEN] = Kind.PROJECT_SEEN
    label: ContentRef | None = None
    path: str = ""
    git: str = ""
    remote: str = ""
    root_commit: str = ""


class ProjectNamed(Record):
    """A person gave a project a name."""

    label: ContentRef | None = None
    event: Literal[Kind.PROJECT_NAMED] = Kind.PROJECT_NAMED


class ProjectSwitched(Record):
    """A person turned Learnt off or on in a project."""

    turned: Literal["off", "on"] = "on"
    event: Literal[Kind.PROJECT_SWITCHED] = Kind.PROJECT_SWITCHED


class ProjectLinked(Record):
    """A person said that a project is the same as another, or that it is not."""

    other: ProjectId
    event: Literal[Kind.PROJECT_LINKED] = Kind.PROJECT_LINKED
    verdict: Literal["same", "apart"] | None = None


class SkillUse(Record):
    """One use of a skill, `by` user, agent or subagent; without an outcome it has its episode's.

    `read` is the digest of the text that its client read, where a trial tells it from another.
    """

    skill: ContentRef
    by: str = ""
    launched: bool = True
    outcome: Annotated[Outcome | None, INLINE] = None
    did: ContentRef | None = None  # the trail of what was done in it
    read: str = ""


class EpisodeClosed(Record):
    """An episode was over: what was done in it, and how it came out.

    `again` counts how often it was closed before; the quotes of its outcome are content references.
    `at_ms` is when it was, where another system's log is all there is of it; `began_ms` when it
    began, 0 where that is not known.
    """

    event: Literal[Kind.EPISODE_CLOSED] = Kind.EPISODE_CLOSED
    ended_by: str = ""
    steps: int = 0
    tools: int = 0
    failed: int = 0
    stops: int = 0
    subagents: int = 0
    outcome: Annotated[Outcome, INLINE] = UNKNOWN
    reply: Verdict = Verdict.NONE
    skills: tuple[SkillUse, ...] = ()
    entries: tuple[EntryId, ...] = ()
    took_ms: int | None = None
    tokens: int | None = None
    again: int = 0
    at_ms: int = 0
    prompt: ContentRef | None = None  # where a skill was used; the event's origin is that of it
    began_ms: int = 0
    task: str = ""  # the kind of task that it was, by what was done


class EpisodeFeedback(Record):
    """Somebody's word on an episode that was closed; `source` is person, agent or reply."""

    event: Literal[Kind.FEEDBACK] = Kind.FEEDBACK
    episode: EventId | None = None
    source: str = ""
    verdict: str = ""
    quote: ContentRef | None = None
    note: ContentRef | None = None
