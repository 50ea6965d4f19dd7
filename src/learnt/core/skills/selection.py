"""Which skills go into a prompt: pinned ones first, then by role and stage, by text, or by both."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from learnt.core.skills.skills import Skill, key_of

Strategy = Literal["tag", "semantic", "hybrid"]
WIDER: Final = 3  # hybrid takes so many times more by tags before it looks at the text


class Selection(NamedTuple):
    """The chosen skills, best first, and the pinned names that no skill bears."""

    skills: tuple[Skill, ...]
    missing: tuple[str, ...]


def select(
    skills: Mapping[str, Skill],
    pinned: Sequence[str],
    fits: tuple[str, str],
    scores: Mapping[str, float],
    *,
    k: int,
    strategy: Strategy,
) -> Selection:
    """At most `k` skills for a role and a stage (`fits`).

    `scores` are by file, of the skills whose text has anything to do with the task; more is better.
    Skills that are withheld are never chosen. Equal skills follow one another by name.
    """
    offered = {key: skill for key, skill in skills.items() if not skill.withheld}
    wanted = {key_of(name): name for name in pinned}
    by_tag = {
        key: skill
        for key, skill in offered.items()
        if fits[0] in skill.roles or fits[1] in skill.stages
    }
    fitting = offered if strategy == "semantic" else by_tag
    first = [fitting[key] for key in wanted if key in fitting]
    rest = [skill for key, skill in fitting.items() if key not in wanted]
    by_use = sorted(rest, key=lambda skill: (-skill.usage_count, skill.name))
    match strategy:
        case "tag":
            ranked = by_use
        case "semantic":
            ranked = _by_text([skill for skill in rest if skill.file in scores], scores)
        case "hybrid":
            ranked = _by_text(by_use[: WIDER * k], scores)
    missing = tuple(name for key, name in wanted.items() if key not in skills)
    return Selection((*first, *ranked)[:k], missing)


def _by_text(skills: Sequence[Skill], scores: Mapping[str, float]) -> list[Skill]:
    return sorted(skills, key=lambda skill: (-scores.get(skill.file, 0.0), skill.name))
