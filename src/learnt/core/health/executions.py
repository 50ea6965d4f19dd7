"""Episodes as they were closed, and the executions of skills in them, read back from events."""

import math
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.health.outcomes import UNKNOWN, Cause, Outcome, Trouble, amended
from learnt.core.identifiers import ContentRef, EntryId, EventId, ProjectId, Subject
from learnt.core.payloads.session_events import EpisodeClosed, EpisodeFeedback
from learnt.core.records import Record, Row, shared

NINETY_FIVE: Final = 1.959963984540054  # the normal quantile of a two-sided 95 % interval
# What a reply that came after the episode was closed says in a person's words.
REPLIES: Final = {"praise": "good", "negative": "bad", "correction": "bad", "revert": "bad"}


class Execution(Record):
    """One use of a skill in an episode. `skill` refers to its name; `by`: user, agent, subagent."""

    skill: ContentRef
    by: str
    outcome: Outcome
    launched: bool = True


class Episode(Record):
    """A closed episode. `took_ms` and `tokens` are None where they are not known.

    The quotes of its outcome are content references. `imported` says that another system's log is
    all there is of it.
    """

    event: EventId
    wall_ms: int
    session: str = ""
    prompt: str = ""
    ended_by: str = ""
    tools: int = 0
    failed: int = 0
    took_ms: int | None = None
    tokens: int | None = None
    outcome: Outcome = UNKNOWN
    executions: tuple[Execution, ...] = ()
    entries: tuple[EntryId, ...] = ()
    imported: bool = False
    project: ProjectId | None = None
    task: str = ""


class Use(Row):
    """One execution of a skill in short, as a table of the ledger holds it for sums over many.

    `trouble` and `cause` are an outcome's, `grade` is in millionths, None where nothing hard was
    seen. `episode` names its episode in its session: the prompt's id, or the closing event's.
    """

    skill: ContentRef
    wall_ms: int
    event: EventId
    session: Subject
    episode: str
    by: str
    launched: bool
    trouble: Trouble
    cause: Cause
    grade: int | None
    took_ms: int | None
    tokens: int | None
    imported: bool

    @property
    def own_grade(self) -> int | None:
        """The grade in millionths where it is the skill's own; else None."""
        return None if self.cause in OTHERS else self.grade


OTHERS: Final = frozenset({Cause.ENVIRONMENT, Cause.INPUT})  # causes that are no skill's


class UseTotals(Row):
    """All executions of a skill together; `own_grades` is the sum of those that are its own.

    Of those that `failed` some are excused: the `environment` or the `given` input is to blame.
    """

    skill: ContentRef
    executions: int
    graded: int
    own_grades: int
    imported: int
    failed: int = 0
    environment: int = 0
    given: int = 0

    @property
    def failures(self) -> str:
        """How many failed, and what excuses some of them; empty where none did.

        >>> UseTotals(ContentRef("r"), 33, 18, 0, 0, 15, 12, 3).failures
        '15 of 33 failed: 12 environment, 3 input'
        """
        causes = ((self.environment, Cause.ENVIRONMENT), (self.given, Cause.INPUT))
        excused = ", ".join(f"{count} {cause.value}" for count, cause in causes if count)
        told = f"{self.failed} of {self.executions} failed"
        return f"{told}: {excused}" if excused else told if self.failed else ""


def uses(events: Iterable[Event]) -> list[Use]:
    """The executions in the episodes that some events close, as what was said since amends them."""
    events = list(events)
    subjects = {event.id: event.subject for event in events}
    return [
        Use(
            skill=execution.skill,
            session=subjects[episode.event],
            episode=episode.prompt if episode.session and episode.prompt else episode.event,
            by=execution.by,
            launched=execution.launched,
            **shared(execution.outcome, "trouble cause grade"),
            **shared(episode, "wall_ms event took_ms tokens imported"),
        )
        for episode in episodes(events)
        for execution in episode.executions
    ]


def episode_of(event: Event) -> Episode:
    """The episode that one event says was closed."""
    closed = payload_of(EpisodeClosed, event)
    imported = closed.ended_by == "import"
    return Episode(
        event=event.id,
        # A log that names no time says no more than that it was before.
        wall_ms=closed.at_ms if imported else event.wall_ms,
        session=event.where.session or "",
        prompt=event.where.episode or "",
        executions=tuple(
            Execution(**shared(use, "skill by launched"), outcome=use.outcome or closed.outcome)
            for use in closed.skills
        ),
        imported=imported,
        project=event.where.project,
        **shared(closed, "ended_by tools failed took_ms tokens outcome entries task"),
    )


def episodes(events: Iterable[Event]) -> list[Episode]:
    """The closed episodes by their events in order: closed again, the last word counts.

    What was said of one later amends it: a person's own word before a reply, and an agent's only
    where nothing else graded it.
    """
    closed: dict[object, Episode] = {}
    names: dict[str, object] = {}
    words: dict[object, dict[str, str]] = {}
    for event in events:
        if event.kind is Kind.EPISODE_CLOSED:
            episode = episode_of(event)
            alone = not (episode.session and episode.prompt)
            name: object = event.id if alone else (episode.session, episode.prompt)
            names[event.id] = name
            closed[name] = episode
        elif event.kind is Kind.FEEDBACK:
            word = payload_of(EpisodeFeedback, event)
            if word.verdict and (name := names.get(word.episode or "")) is not None:
                words.setdefault(name, {})[word.source] = word.verdict
    return [_amended(episode, words.get(name, {})) for name, episode in closed.items()]


def _amended(episode: Episode, words: dict[str, str]) -> Episode:
    reply, person = words.get("reply", ""), words.get("person", "")
    own = words.get("agent", "") if episode.outcome.grade is None else ""
    verdict = person or REPLIES.get(reply, "") or own
    if not verdict:
        return episode
    troubles = {"correction": Trouble.CORRECTION, "revert": Trouble.REVERT}
    outcome = amended(episode.outcome, verdict, None if "person" in words else troubles.get(reply))
    # A skill that never began, or worked for a subagent, has an outcome of its own.
    executions = tuple(
        replace(use, outcome=outcome) if use.launched and use.by != "subagent" else use
        for use in episode.executions
    )
    return replace(episode, outcome=outcome, executions=executions)


def interval(mean: float, count: int) -> tuple[float, float]:
    """The 95 % interval (Wilson, JASA 22, 1927) of a mean of grades, which may be partial.

    >>> tuple(round(bound, 3) for bound in interval(0.9, 10))
    (0.596, 0.982)
    >>> interval(0.0, 0)
    (0.0, 1.0)
    """
    if count == 0:
        return 0.0, 1.0
    z2 = NINETY_FIVE**2
    scale = 1 + z2 / count
    centre = (mean + z2 / (2 * count)) / scale
    half = NINETY_FIVE * math.sqrt(mean * (1 - mean) / count + z2 / (4 * count * count)) / scale
    return max(0.0, centre - half), min(1.0, centre + half)
