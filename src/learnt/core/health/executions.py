"""Episodes as they were closed, and the executions of skills in them, read back from events."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from learnt.core.events import Event, Kind
from learnt.core.health.outcomes import (
    MILLION,
    UNKNOWN,
    Cause,
    Outcome,
    Quote,
    Trouble,
    amended,
)
from learnt.core.identifiers import ContentRef, EntryId, EventId
from learnt.core.json_values import JsonObject, JsonValue, member, strings, text_of, whole

NINETY_FIVE: Final = 1.959963984540054  # the normal quantile of a two-sided 95 % interval
_TROUBLES: Final = {str(trouble): trouble for trouble in Trouble}
_CAUSES: Final = {str(cause): cause for cause in Cause}
# What a reply that came after the episode was closed says in a person's words.
REPLIES: Final = {"praise": "good", "negative": "bad", "correction": "bad", "revert": "bad"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One use of a skill in an episode. `skill` refers to its name; `by`: user, agent, subagent."""

    skill: ContentRef
    by: str
    outcome: Outcome
    launched: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
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


def outcome_payload(outcome: Outcome, quotes: Sequence[JsonObject]) -> JsonObject:
    """The part of a payload that holds an outcome; the quotes as references."""
    return {
        "trouble": outcome.trouble,
        "cause": outcome.cause,
        "grade": outcome.grade,
        "evidence": list(quotes),
    }


def _outcome(payload: JsonValue) -> Outcome:
    trouble, cause = text_of(member(payload, "trouble")), text_of(member(payload, "cause"))
    grade, evidence = member(payload, "grade"), member(payload, "evidence")
    rows: Iterable[JsonValue] = evidence if isinstance(evidence, list) else ()
    return Outcome(
        trouble=_TROUBLES.get(trouble, Trouble.NONE),
        cause=_CAUSES.get(cause, Cause.NONE),
        grade=grade if isinstance(grade, int) else None,
        quotes=tuple(
            Quote(what=text_of(member(row, "what")), words=text_of(member(row, "quote")))
            for row in rows
        ),
    )


def episode_of(event: Event) -> Episode:
    """The episode that one event says was closed."""
    payload = event.payload
    skills = payload.get("skills")
    rows: Iterable[JsonValue] = skills if isinstance(skills, list) else ()
    whole_outcome = _outcome(payload)
    imported = payload.get("ended_by") == "import"
    return Episode(
        event=event.id,
        # A log that names no time says no more than that it was before.
        wall_ms=whole(payload.get("at_ms")) if imported else event.wall_ms,
        session=event.where.session or "",
        prompt=event.where.episode or "",
        ended_by=text_of(payload.get("ended_by")),
        tools=whole(payload.get("tools")),
        failed=whole(payload.get("failed")),
        took_ms=_known(payload.get("took_ms")),
        tokens=_known(payload.get("tokens")),
        outcome=whole_outcome,
        executions=tuple(
            Execution(
                skill=ContentRef(text_of(member(row, "skill"))),
                by=text_of(member(row, "by")),
                launched=member(row, "launched") is not False,
                outcome=_outcome(row) if member(row, "trouble") is not None else whole_outcome,
            )
            for row in rows
        ),
        entries=tuple(map(EntryId, strings(payload.get("entries")))),
        imported=imported,
    )


def _known(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def episodes(events: Iterable[Event]) -> list[Episode]:
    """The closed episodes by their events in order: closed again, the last word counts.

    What was said of one later amends it: a person's own word before a reply, and an agent's only
    where nothing else graded it.
    """
    found: dict[object, Episode] = {}
    names: dict[str, object] = {}
    told: dict[object, dict[str, str]] = {}
    for event in events:
        if event.kind is Kind.EPISODE_CLOSED:
            episode = episode_of(event)
            alone = not (episode.session and episode.prompt)
            name: object = event.id if alone else (episode.session, episode.prompt)
            names[event.id] = name
            found[name] = episode
        elif event.kind is Kind.FEEDBACK:
            known = names.get(text_of(event.payload.get("episode")))
            if known is not None:
                source = text_of(event.payload.get("source"))
                told.setdefault(known, {})[source] = text_of(event.payload.get("verdict"))
    return [_amended(episode, told.get(name, {})) for name, episode in found.items()]


def _amended(episode: Episode, told: dict[str, str]) -> Episode:
    own = told.get("agent", "") if episode.outcome.grade is None else ""
    said = told.get("person") or REPLIES.get(told.get("reply", ""), "") or own
    if not said:
        return episode
    trouble = {"correction": Trouble.CORRECTION, "revert": Trouble.REVERT}.get(
        told.get("reply", "") if "person" not in told else ""
    )
    outcome = amended(episode.outcome, said, trouble)
    # A skill that never began, or worked for a subagent, has an outcome of its own.
    executions = tuple(
        replace(one, outcome=outcome) if one.launched and one.by != "subagent" else one
        for one in episode.executions
    )
    return replace(episode, outcome=outcome, executions=executions)


def blamed(outcome: Outcome) -> bool:
    """Whether a grade is the skill's own: what the surroundings or the user broke is not.

    >>> blamed(Outcome(trouble=Trouble.TEST, cause=Cause.ENVIRONMENT, grade=0))
    False
    """
    return outcome.cause not in {Cause.ENVIRONMENT, Cause.INPUT}


def interval(mean: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a mean of grades between 0 and 1.

    Wilson, JASA 22 (1927): exact counts need not be whole, so that partial grades fit in.

    >>> tuple(round(bound, 3) for bound in interval(0.9, 10))
    (0.596, 0.982)
    >>> interval(0.0, 0)
    (0.0, 1.0)
    """
    if count == 0:
        return 0.0, 1.0
    z2 = NINETY_FIVE**2
    centre = (mean + z2 / (2 * count)) / (1 + z2 / count)
    half = (
        NINETY_FIVE
        * math.sqrt(mean * (1 - mean) / count + z2 / (4 * count * count))
        / (1 + z2 / count)
    )
    return max(0.0, centre - half), min(1.0, centre + half)


def success(outcomes: Iterable[Outcome]) -> tuple[int, float | None]:
    """How many grades are the skill's own, and their mean, 0 to 1; None without any.

    >>> success([Outcome(grade=MILLION), Outcome(grade=0), Outcome()])
    (2, 0.5)
    """
    grades = [one.grade for one in outcomes if one.grade is not None and blamed(one)]
    return len(grades), sum(grades) / (MILLION * len(grades)) if grades else None
