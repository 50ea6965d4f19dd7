"""What is recorded of episodes: how they came out, and what was said of them later."""

from typing import Annotated, Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.health.outcomes import UNKNOWN, Outcome, Verdict
from learnt.core.identifiers import ContentRef, EntryId, EventId
from learnt.core.records import INLINE


class SkillUse(NamedTuple):
    """One use of a skill, `by` user, agent or subagent; without an outcome it has its episode's."""

    skill: ContentRef
    by: str = ""
    launched: bool = True
    outcome: Annotated[Outcome | None, INLINE] = None
    did: ContentRef | None = None  # the trail of what was done in it


class EpisodeClosed(NamedTuple):
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


class EpisodeFeedback(NamedTuple):
    """Somebody's word on an episode that was closed; `source` is person, agent or reply."""

    event: Literal[Kind.FEEDBACK] = Kind.FEEDBACK
    episode: EventId | None = None
    source: str = ""
    verdict: str = ""
    quote: ContentRef | None = None
    note: ContentRef | None = None
