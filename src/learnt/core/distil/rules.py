"""Drafts by rules, of what a session showed or of what a program hands over.

Told from commands, their signatures, changes of files and a person's own words alone.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from learnt.core.digest import commands
from learnt.core.digest.telling import Lesson, trimmed
from learnt.core.distil.distilled import RELATED, DistilledSkill, Matter, shared
from learnt.core.distil.evidence import FailedAttempt, Success
from learnt.core.distil.sequences import OPEN, Fix, Repeated, Run, fixes, repeated
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Fact
from learnt.core.tokens import Stem, terms

MOST_STEPS: Final = 8
MOST_FIXES: Final = 40  # of a session, the last
MOST_PITFALLS: Final = 4
MOST_TROUBLES: Final = 2
LONGEST_STEP: Final = 320
LONGEST_CHANGE: Final = 160
LONGEST_DESCRIPTION: Final = 900
_WHEN: Final = {
    "sequence": "When you run {}",
    "fix": "When this fails: {}",
    "convention": "A person said: {}",
}
_GENERAL: Final = re.compile(r"<[a-z]{2,6}>")  # what a pattern leaves open
# When something happened and how long it took: another time it is otherwise.
_PASSING: Final = re.compile(
    r"\b\d{4}[-/]\d\d[-/]\d\d(?:[T ][\d:.,]+Z?)?\s*|\s*\(\d+(?:\.\d+)?m?s\)|\b\d+m ?\d+s\b"
)
# Whose word counts for less comes first: a draft is as far trusted as the least of its pieces.
_TRUST: Final = (Origin.WEB, Origin.MIXED, Origin.ASSISTANT, Origin.TOOL, Origin.REPOSITORY)


class Teaching(NamedTuple):
    """One thing that a session teaches to do. `about` are the programs or files it is about."""

    kind: Literal["fix", "sequence", "convention"]
    title: str
    about: frozenset[str]
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()
    quote: str = ""
    origin: Origin = Origin.TOOL


def pieces(lessons: Sequence[Lesson], runs: Sequence[Run], folder: str = "") -> list[Teaching]:
    """What a session in a folder teaches to do: fixes, sequences, and what a person laid down."""
    laid_down = (_convention(lesson, lesson.what) for lesson in lessons
                 if isinstance(lesson.what, Fact) and lesson.typed)  # fmt: skip
    mended = [_fix(each, folder) for each in fixes(runs) if each.troubles]
    return [*mended[-MOST_FIXES:], *map(_sequence, repeated(runs)), *laid_down]


def drafts(found: Iterable[Teaching], stem: Stem) -> list[DistilledSkill]:
    """A draft for each matter: pieces about the same programs or files, or of the same words."""
    groups: list[list[Teaching]] = []
    late: list[Teaching] = []
    for piece in found:
        if piece.kind == "convention":
            late.append(piece)
            continue
        same = [g for g in groups if any(_alike(piece, each, stem) for each in g)]
        joined = [piece for group in same for piece in group]
        groups = [group for group in groups if group not in same]
        groups.append([*joined, piece])
    for piece in late:
        own = set(terms(piece.title, stem))
        said = [" ".join(t for piece in g for t in (piece.title, *piece.steps)) for g in groups]
        near = [(len(own & {*terms(s, stem)}), g) for s, g in zip(said, groups, strict=True)]
        share, group = max(near, key=lambda pair: pair[0], default=(0, []))
        if share:  # a sentence alone is no skill
            group.append(piece)
    return [_draft(group) for group in groups]


def _alike(piece: Teaching, other: Teaching, stem: Stem) -> bool:
    """Whether two pieces are about the same: a program, or most of what there is to do."""
    told, there = "\n".join(piece.steps), "\n".join(other.steps)
    return bool(piece.about & other.about) or shared(told, there, stem) >= RELATED


def _convention(lesson: Lesson, fact: Fact) -> Teaching:
    """What a person said for good; how things are, and not how they are done, is no skill."""
    text = trimmed(fact.text, LONGEST_STEP)
    return Teaching("convention", text, frozenset(), (), quote=text, origin=lesson.origin)


def _fix(fix: Fix, folder: str) -> Teaching:
    worked = fix.done[-1].command
    names = commands.programs(worked)
    tried = {name for each in fix.failures for name in commands.programs(each.command)}
    program = next((name for name in reversed(names) if name in tried), worked.split()[0])
    trouble = ", then: ".join(_PASSING.sub("", each) for each in fix.troubles[-MOST_TROUBLES:])
    vain: dict[str, str] = {}
    for failure in reversed(fix.failures):
        command = _plain(failure.command)
        vain.setdefault(command, f"`{command}`" + f": {failure.trouble}" * bool(failure.trouble))
    # Of what was written into one file the last helped.
    last = {path: each for each in fix.done for path, _ in each.changes}
    steps = dict.fromkeys(
        step
        for each in fix.done
        for step in _told(each, [pair for pair in each.changes if last[pair[0]] is each], folder)
    )
    return Teaching(
        "fix",
        trimmed(f"{program}: {trouble}", LONGEST_STEP),
        frozenset(tried & set(names)),
        tuple(steps)[-MOST_STEPS:],
        tuple(vain.values())[:MOST_PITFALLS],
        quote=trimmed(f"{fix.failures[-1].command}: {fix.failures[-1].trouble}", LONGEST_STEP),
        origin=Origin.WEB if fix.page else Origin.TOOL,
    )


def _plain(command: str) -> str:
    """A command as a pattern, in which what varies is left open."""
    return trimmed(_GENERAL.sub(OPEN, commands.pattern(command)), LONGEST_STEP)


def _told(run: Run, changes: Iterable[tuple[str, str]], folder: str) -> list[str]:
    """What a call did, as steps to take; where the project lies on a machine is left out."""
    if run.command:
        return [f"Run `{_plain(run.command)}`"]
    paths = ((path.removeprefix(f"{folder}/"), new) for path, new in changes)
    return [f"Change {path}: `{trimmed(new, LONGEST_CHANGE)}`" for path, new in paths if new]


def _sequence(found: Repeated) -> Teaching:
    about = dict.fromkeys(name for step in found.steps for name in commands.programs(step))
    return Teaching(
        "sequence",
        trimmed(" \u2192 ".join(about), LONGEST_STEP),
        frozenset(about),
        tuple(f"Run `{_plain(step)}`" for step in found.steps),
        quote=f"These {len(found.steps)} commands were run {found.times} times and worked.",
        origin=Origin.WEB if found.page else Origin.TOOL,
    )


def _draft(group: Sequence[Teaching]) -> DistilledSkill:
    ordered = sorted(group, key=lambda piece: list(_WHEN).index(piece.kind))
    parts = tuple(
        Matter(_WHEN[piece.kind].format(piece.title), piece.steps, piece.pitfalls)
        for piece in ordered
    )
    return DistilledSkill(
        title=ordered[0].title,
        description=trimmed("Use: " + "; ".join(part.when for part in parts), LONGEST_DESCRIPTION),
        parts=parts,
        tags=tuple(sorted({name.split()[0] for piece in ordered for name in piece.about})),
        quotes=tuple(piece.quote for piece in ordered if piece.quote),
        origin=min((piece.origin for piece in ordered), key=_rank),
    )


def _rank(origin: Origin) -> int:
    return _TRUST.index(origin) if origin in _TRUST else len(_TRUST)


def handed(failures: Sequence[FailedAttempt], successes: Iterable[Success]) -> list[Teaching]:
    """A piece for each subject that failed: what helped, if anything did, and what did not.

    Whose words they are only the program knows: they are taken for an agent's.

    >>> handed([FailedAttempt("lemma-2", "the bound is loose", "Markov")],
    ...        [Success("lemma-2", "Use Bernstein."), Success("lemma-9", "Induct.")])[0].steps
    ('Use Bernstein.',)
    """
    subjects = dict.fromkeys(each.what.strip() for each in failures if each.what.strip())
    helped = [success for success in successes if success.how.strip()]
    return [
        _piece(
            subject,
            [each for each in failures if each.what.strip() == subject],
            [each.how for each in helped if each.what.strip().casefold() == subject.casefold()],
        )
        for subject in subjects
    ]


def _piece(subject: str, failed: Sequence[FailedAttempt], helped: Sequence[str]) -> Teaching:
    pitfalls = (f"{each.tried}: {each.why}" if each.tried else each.why for each in failed)
    return Teaching(
        "fix",
        trimmed(f"{subject}: {failed[0].why}", LONGEST_STEP),
        frozenset({subject}),
        tuple(dict.fromkeys(trimmed(each, LONGEST_STEP) for each in helped))[:MOST_STEPS],
        tuple(dict.fromkeys(trimmed(each, LONGEST_STEP) for each in pitfalls))[:MOST_PITFALLS],
        quote=trimmed(f"{failed[-1].what}: {failed[-1].why}", LONGEST_STEP),
        origin=Origin.ASSISTANT,
    )
