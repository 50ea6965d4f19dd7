"""Drafts by rules: cures of failures, sequences that were repeated, and what a person laid down.

Told from commands, their signatures, changes of files and a person's own words alone.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, assert_never

from learnt.core.digest import commands
from learnt.core.digest.lessons import Lesson
from learnt.core.digest.remarks import Basis
from learnt.core.digest.telling import trimmed
from learnt.core.distil.drafts import DistilledSkill, Part
from learnt.core.distil.sequences import Repeated, Run, repeated
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Fact, Solution
from learnt.core.tokens import Stem, terms

MOST_STEPS: Final = 8
LONGEST_STEP: Final = 320
LONGEST_DESCRIPTION: Final = 900
_WHEN: Final = {
    "sequence": "To run {}.",
    "fix": "When this fails: {}.",
    "convention": "As a person laid down: {}",
}
_SHARED: Final = 3  # terms that make a convention part of another matter
# Whose word counts for less comes first: a draft is as far trusted as the least of its pieces.
_TRUST: Final = (Origin.WEB, Origin.MIXED, Origin.ASSISTANT, Origin.TOOL, Origin.REPOSITORY)


class Piece(NamedTuple):
    """One thing that a session teaches to do. `about` are the programs or files it is about."""

    kind: Literal["fix", "sequence", "convention"]
    title: str
    about: frozenset[str]
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()
    quote: str = ""
    origin: Origin = Origin.TOOL


def pieces(lessons: Sequence[Lesson], runs: Sequence[Run]) -> list[Piece]:
    """What a session teaches to do, in the order of its turns but for the sequences, at the end."""
    found = [piece for lesson in lessons if (piece := _piece(lesson, runs))]
    return [*found, *map(_sequence, repeated(runs))]


def drafts(found: Iterable[Piece], stem: Stem) -> list[DistilledSkill]:
    """A draft for each matter: pieces about the same programs or files, or of the same words."""
    groups: list[list[Piece]] = []
    late: list[Piece] = []
    for piece in found:
        if piece.kind == "convention":
            late.append(piece)
            continue
        same = [group for group in groups if any(piece.about & each.about for each in group)]
        joined = [piece for group in same for piece in group]
        groups = [group for group in groups if group not in same]
        groups.append([*joined, piece])
    alone: list[Piece] = []
    for piece in late:
        own = set(terms(piece.title, stem))
        near = [(len(own & set(terms(_words(group), stem))), group) for group in groups]
        share, group = max(near, key=lambda pair: pair[0], default=(0, alone))
        (group if share >= _SHARED else alone).append(piece)
    return [_draft(group) for group in [*groups, alone] if group]


def _words(group: Iterable[Piece]) -> str:
    return " ".join(text for piece in group for text in (piece.title, *piece.steps))


def _piece(lesson: Lesson, runs: Sequence[Run]) -> Piece | None:
    match lesson.what:
        case Fact():
            return _convention(lesson, lesson.what) if lesson.typed else None
        case Solution():
            return _fix(lesson, lesson.what, runs) if lesson.hard else None
        case _:
            assert_never(lesson.what)


def _convention(lesson: Lesson, fact: Fact) -> Piece | None:
    if lesson.source is Basis.FACT and not lesson.asked:
        return None  # how things are, and not how they are to be done
    text = trimmed(fact.text, LONGEST_STEP)
    return Piece("convention", text, frozenset(), (text,), quote=text, origin=lesson.origin)


def _fix(lesson: Lesson, solution: Solution, runs: Sequence[Run]) -> Piece | None:
    """A cure: what was done from the last failure to the call that worked."""
    places = {run.id: place for place, run in enumerate(runs)}
    known = [places[id] for id in lesson.failed if id in places]
    if not known or lesson.tool_use not in places:
        return None
    last, worked = max(known), places[lesson.tool_use]
    did = [run for run in runs[last + 1 : worked + 1] if run.good and _does(run)]
    changed = [
        f"In {change.path}: `{trimmed(change.new, 110)}`"
        for change in lesson.changes
        if change.path and change.new
    ]
    ran = (f"Run `{commands.pattern(run.command)}`" for run in did)
    steps = tuple(dict.fromkeys([*changed[-MOST_STEPS // 2 :], *ran]))[:MOST_STEPS]
    about = {name for place in (*known, worked) for name in commands.programs(runs[place].command)}
    return Piece(
        "fix",
        trimmed(solution.problem, LONGEST_STEP),
        frozenset(about),
        steps,
        tuple(trimmed(caution, LONGEST_STEP) for caution in solution.cautions),
        quote=trimmed(f"{runs[last].command}: {runs[last].trouble}", LONGEST_STEP),
        origin=lesson.origin,
    )


def _does(run: Run) -> bool:
    return bool(commands.programs(run.command))


def _sequence(found: Repeated) -> Piece:
    about = dict.fromkeys(name for step in found.steps for name in commands.programs(step))
    return Piece(
        "sequence",
        trimmed(" \u2192 ".join(about), LONGEST_STEP),
        frozenset(about),
        tuple(f"Run `{trimmed(step, LONGEST_STEP)}`" for step in found.steps),
        quote=f"These {len(found.steps)} commands were run {found.times} times and worked.",
    )


def _draft(group: Sequence[Piece]) -> DistilledSkill:
    ordered = sorted(group, key=lambda piece: list(_WHEN).index(piece.kind))
    parts = tuple(
        Part(_WHEN[piece.kind].format(piece.title), piece.steps, piece.pitfalls)
        for piece in ordered
    )
    return DistilledSkill(
        title=ordered[0].title,
        description=trimmed(" ".join(part.when for part in parts), LONGEST_DESCRIPTION),
        parts=parts,
        tags=tuple(sorted({name.split()[0] for piece in ordered for name in piece.about})),
        quotes=tuple(piece.quote for piece in ordered if piece.quote),
        origin=min((piece.origin for piece in ordered), key=_rank),
    )


def _rank(origin: Origin) -> int:
    return _TRUST.index(origin) if origin in _TRUST else len(_TRUST)
