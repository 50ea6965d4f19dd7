"""The skills for a task, chosen and put into a block for a prompt."""

from collections.abc import Sequence
from typing import NamedTuple

from learnt.core.identifiers import ProjectId
from learnt.core.skills.selection import Strategy, select
from learnt.core.skills.skills import Skill
from learnt.file_ports import SkillLibrary
from learnt.flows.skills.catalogue import catalogue
from learnt.formats import skill_prompt, skill_text
from learnt.ports import Outside

SCORED = 200  # skills that get a score by their text; hybrid looks at 3 × k of them at most


class Task(NamedTuple):
    """What is to be done, by which role, in which stage of the caller's pipeline."""

    text: str
    role: str = ""
    stage: str = ""


class Injected(NamedTuple):
    """The chosen skills, the block that goes into the prompt, and pinned names that are missing."""

    skills: tuple[Skill, ...]
    block: str
    missing: tuple[str, ...]


def inject(
    outside: Outside,
    library: SkillLibrary,
    project: ProjectId | None,
    task: Task,
    pinned: Sequence[str] = (),
    *,
    k: int = 5,
    strategy: Strategy = "tag",
    budget: int | None = None,
) -> Injected:
    """At most `k` skills, of which those go into the block that fit into the budget (tokens).

    Without pinned names those count that a person pinned.
    """
    known = catalogue(outside, library, project)
    scores = {} if strategy == "tag" else dict(library.ranked(task.text, SCORED))
    fits = (task.role, task.stage or task.role)
    chosen = select(known.skills, pinned or known.pinned, fits, scores, k=k, strategy=strategy)
    bodies = []
    for skill in chosen.skills:
        if (text := library.text(skill.file)) is not None:  # one deleted meanwhile is left out
            bodies.append((skill.name, skill_text.read(text, skill.name).body))
    return Injected(chosen.skills, skill_prompt.render(bodies, budget), chosen.missing)
