"""Whether a prompt is for a skill or not: how likely the skills' index says that it fits.

    python -m benchmarks.triggers [--root DIR] [--json]

The prompts are their authors' own, for a skill and, nearly as near, not for it. `auc` is the area
under the curve within each skill that has three of both at least, on average; `null_auc` that of
the number of words in the prompt. `balanced_accuracy` and `brier` are those of the likelihood over
all prompts, at a half. Exit code 5 where the set is not there.
"""

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.report import EVALUATION, rows, run
from benchmarks.retrieval import mean, skills_of, there
from benchmarks.skills import real_skills

SET: Final = "skills_triggers"
LEAST: Final = 3  # prompts of each sort, for a curve
Case = tuple[str, bool, float, int]  # a skill, whether it is wanted, how likely, words


def cases(root: Path) -> list[Case]:
    """Each prompt with what is said of its skill, all skills being there."""
    told = []
    with skills_of(real_skills(root)) as (place, library):
        for row in rows(root / "dev" / SET / "queries.jsonl"):
            skill = (row["relevant"] or row["not_relevant"])[0]
            (fit,) = library.fits(row["query"], [str(place.project / skill / "SKILL.md")])
            told.append((skill, bool(row["relevant"]), fit, len(row["query"].split())))
    return told


def area(wanted: Sequence[float], others: Sequence[float]) -> float:
    """How often one that is wanted has more than one that is not; equal ones count half.

    >>> area([2, 1], [1, 0])
    0.875
    """
    pairs = [(high > low) + (high == low) / 2 for high in wanted for low in others]
    return sum(pairs) / len(pairs)


def areas(told: Sequence[Case], column: int) -> list[float]:
    """The area within each skill that has enough prompts of both sorts."""
    by_skill: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for case in told:
        by_skill[case[0]][case[1]].append(float(case[column]))
    both = (sorts for sorts in by_skill.values() if min(map(len, sorts)) >= LEAST)
    return [area(wanted, others) for others, wanted in both]


def measure(told: Sequence[Case]) -> Mapping[str, float | None]:
    """The figures of one prompt at least; areas and accuracy in percent.

    No area where no skill has enough prompts.
    """
    right: dict[bool, list[float]] = defaultdict(list)
    for _, wanted, fit, _ in told:
        right[wanted].append(float((fit >= 0.5) is wanted))
    return {
        "auc": mean(held) if (held := areas(told, 2)) else None,
        "null_auc": mean(held) if (held := areas(told, 3)) else None,
        "balanced_accuracy": mean([sum(held) / len(held) for held in right.values()]),
        "brier": round(sum((fit - wanted) ** 2 for _, wanted, fit, _ in told) / len(told), 3),
    }


def main(*, root: Path = EVALUATION, as_json: bool) -> Mapping[str, object]:
    """Measure where the set is there."""
    told = cases(root) if there(root, SET) else []
    if not told:
        print(f"{SET} or its skills are not in {root}: not measured.", file=sys.stderr)
        sys.exit(5)
    found = measure(told)
    return found if as_json else {"A prompt is for its skill, or not": [found]}


if __name__ == "__main__":
    run(main)
