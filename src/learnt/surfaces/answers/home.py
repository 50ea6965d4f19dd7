"""What there is, how episodes came out, and whether what agents are given helps."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec.structs import asdict, replace

from learnt.core.health.effects import BetDecision, Effect
from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Quote, TaskKind, Trouble
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.topics import Maturity, Sign, maturity, signs
from learnt.core.records import UNTOLD, Record
from learnt.flows.governance import listing
from learnt.flows.governance.review import waits
from learnt.flows.governance.survey import Survey, open_questions, survey
from learnt.flows.health.effects import MeasuredEntry, MeasuredSkill, Unmeasured, by_task
from learnt.flows.health.queue import queue
from learnt.flows.health.report import last_episodes
from learnt.flows.recall.contents import OwnNotes, own_notes
from learnt.formats.answers import filled
from learnt.ports import Outside
from learnt.stores.hook_files import edited, kept_aside
from learnt.surfaces.worker_client import Card, ping


class EpisodeAnswer(Record):
    """How an episode came out: `grade` is 0 to 1, None where nothing hard was seen."""

    episode: str
    session: str
    prompt: str
    wall_ms: int
    ended_by: str
    tools: int
    failed: int
    took_ms: int | None
    tokens: int | None
    trouble: str
    cause: str
    grade: float | None
    graded: bool
    evidence: tuple[Quote, ...]
    entries: tuple[EntryId, ...]


def as_episode(closed: Episode) -> EpisodeAnswer:
    """A closed episode, its outcome beside it."""
    outcome = closed.outcome
    grade = None if outcome.grade is None else outcome.grade / MILLION
    own = {"episode": closed.event, "grade": grade, "evidence": outcome.quotes}
    return filled(EpisodeAnswer, closed, outcome, **own)


def in_words(trouble: str, cause: str, grade: float | None) -> str:
    """An outcome in a few words; the grade is 0 to 1.

    >>> in_words("none", "none", None), in_words("test", "skill", 0.75)
    ('no trouble, not graded', 'test (skill), 75%')
    """
    ended = "no trouble" if trouble == Trouble.NONE else f"{trouble} ({cause})"
    return f"{ended}, {'not graded' if grade is None else f'{grade:.0%}'}"


MATURITY_SAID: Final = {
    Maturity.NASCENT: "most of what is worked on gives new knowledge",
    Maturity.GROWING: "what matters is there, less and less comes in",
    Maturity.MATURE: "it changes only where what it is about changes",
}


class HomeStatus(Survey, kw_only=True):
    """What a home holds, how it is used, and what waits for a person.

    `failing` skills are to be improved; of those `in_trial` two texts are compared. `waiting`
    counts what waits for `learnt review` by its sort, `proposals_waiting` the proposals among it;
    `open_questions` wait for `learnt status`. `hook_edited` hook files were edited, are so now or
    were replaced: `learnt doctor` names them.
    """

    home: str
    maturity: Maturity
    signs: tuple[Sign, ...]
    worker: Card | None
    hook_edited: int
    open_questions: int
    proposals_waiting: int
    waiting: Mapping[str, int]
    own: Annotated[OwnNotes, UNTOLD]
    failing: tuple[str, ...]
    in_trial: tuple[str, ...]
    last_episodes: Annotated[tuple[EpisodeAnswer, ...], UNTOLD]


def home_status(outside: Outside, folder: str, home: Path | None = None) -> HomeStatus:
    """The state of a home, as seen from a folder; without `home` nothing of this machine."""
    surveyed, queued = survey(outside, folder), queue(outside)
    return filled(
        HomeStatus,
        surveyed,
        home=str(home or ""),
        maturity=maturity(surveyed.record),
        signs=signs(surveyed.record),
        worker=home and ping(home),
        hook_edited=len([*edited(home), *kept_aside(home)]) if home else 0,
        open_questions=len(open_questions(outside)),
        proposals_waiting=len(listing.waiting(outside)),
        waiting=waits(outside, folder),
        own=own_notes(outside, folder),
        failing=tuple(name for name, entry in queued.items() if entry.due),
        in_trial=tuple(name for name, entry in queued.items() if entry.status == "evaluating"),
        last_episodes=tuple(map(as_episode, last_episodes(outside))),
    )


class ItemEffect(Record):
    """What showing an entry changes, by units: sessions that a coin decided on.

    `open` are units that are not over. No hook shows what is `masked`. In its `effect` `helps`,
    `hurts` and how often it is graded are e-values: 20 and more is evidence.
    """

    entry: EntryId
    about: str
    masked: bool
    open: int
    effect: Effect


class Effects(Record):
    """The entries that a coin decided on, most units first; their effect together by kind of task.

    `skills` are those that had a trial: what the newer text changes. `unmeasured` says what has no
    effect told, and why.

    A kind follows from what was done after the coin fell: it describes, and decides nothing.
    """

    effects: tuple[ItemEffect, ...]
    tasks: Mapping[TaskKind, Effect]
    skills: tuple[MeasuredSkill, ...] = ()
    unmeasured: Unmeasured | None = None


def effects_told(
    measured: Sequence[MeasuredEntry],
    skills: Sequence[MeasuredSkill] = (),
    unmeasured: Unmeasured | None = None,
) -> Effects:
    """What is known of the effects of some entries and skills, as an answer."""
    tasks = {kind: _rounded(known) for kind, known in by_task(measured).items()}
    rounded = tuple(replace(skill, effect=_rounded(skill.effect)) for skill in skills)
    entries = tuple(
        filled(
            ItemEffect, of, entry=of.entry.id, masked=of.entry.masked, effect=_rounded(of.effect)
        )
        for of in measured
    )
    return Effects(entries, tasks, rounded, unmeasured)


def _rounded(known: Effect) -> Effect:
    told = asdict(known).items()
    rounded = {name: round(value, 4) for name, value in told if isinstance(value, float)}
    return filled(Effect, known, **rounded)


_RULINGS = {BetDecision.BETTER: "it helps", BetDecision.WORSE: "it hurts"}


def effect_in_words(known: Effect) -> str:
    """An effect, how sure it is, and what follows, in a line."""
    more = "" if known.more is None else f", about {known.more} more"
    point = "not known" if known.estimate is None else f"{100 * known.estimate:+.0f} points"
    span = f"{100 * known.low:+.0f} to {100 * known.high:+.0f} at 95 %"
    return f"{point} ({span}): {_RULINGS.get(known.ruling, f'undecided{more}')}"


Level = Literal["ok", "warning", "problem"]


class Probe(Record):
    """One finding: `todo` is empty where nothing is to be done."""

    name: str
    level: Level
    said: str
    todo: str = ""
