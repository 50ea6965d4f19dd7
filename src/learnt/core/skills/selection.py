"""Which skills go into a prompt: pinned ones first, then by role and stage, by text, or by both."""

from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import nsmallest
from typing import Final, Literal, NamedTuple

from learnt.core.skills.skills import Skill, key_of

Strategy = Literal["tag", "semantic", "hybrid"]
WIDER: Final = 3  # hybrid takes so many times more by tags before it looks at the text


class Selection(NamedTuple):
    """The chosen skills, best first, and the pinned names that no skill bears."""

    skills: tuple[Skill, ...]
    missing: tuple[str, ...]


Scores = Callable[[Collection[str] | None], Mapping[str, float]]


def select(
    skills: Mapping[str, Skill],
    pinned: Sequence[str],
    fits: tuple[str, str],
    scores: Scores,
    *,
    k: int,
    strategy: Strategy,
) -> Selection:
    """At most `k` skills for a role and a stage (`fits`).

    `scores` gives, by file, how well the text of skills fits the task, of these files or of all;
    more is better. Skills that are withheld are never chosen. Equal skills follow one another by
    name.
    """
    role, stage = fits
    wanted = {key_of(name): name for name in pinned}
    missing = tuple(name for key, name in wanted.items() if key not in skills)

    semantic = strategy == "semantic"
    fitting = {
        key: skill
        for key, skill in skills.items()
        if (semantic or role in skill.roles or stage in skill.stages) and not skill.withheld
    }
    first = [fitting[key] for key in wanted if key in fitting]
    rest = [skill for key, skill in fitting.items() if key not in wanted]
    if semantic:
        found = scores(None)
        rest = _by_text([skill for skill in rest if skill.file in found], found)
    else:
        most = k if strategy == "tag" else WIDER * k
        rest = nsmallest(most, rest, key=lambda skill: (-skill.usage_count, skill.name))
        if strategy == "hybrid" and rest:
            rest = _by_text(rest, scores({skill.file for skill in rest}))
    return Selection((*first, *rest)[:k], missing)


def _by_text(skills: Sequence[Skill], scores: Mapping[str, float]) -> list[Skill]:
    return sorted(skills, key=lambda skill: (-scores.get(skill.file, 0.0), skill.name))
