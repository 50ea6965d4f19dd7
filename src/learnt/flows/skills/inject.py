"""The skills for a task, chosen and put into a block for a prompt."""

from collections.abc import Sequence
from typing import NamedTuple

from learnt.core.skills.selection import Selection, Strategy, select
from learnt.core.skills.skills import Skill
from learnt.file_ports import SkillLibrary
from learnt.flows.skills.catalogue import Catalogue
from learnt.formats import skill_prompt, skill_text

SCORED = 200  # skills at most that get a score by their text


class Request(NamedTuple):
    """What is to be done, by which role, in which stage of a pipeline, and how much is wanted.

    `pinned` names come first; where there are none, those that a person pinned. `budget` is in
    tokens, None for no limit.
    """

    text: str
    role: str = ""
    stage: str = ""
    pinned: Sequence[str] = ()
    k: int = 5
    strategy: Strategy = "tag"
    budget: int | None = None


class InjectedSkills(NamedTuple):
    """The chosen skills, the block that goes into the prompt, and pinned names that are missing."""

    skills: tuple[Skill, ...]
    block: str
    missing: tuple[str, ...]


def choose(known: Catalogue, library: SkillLibrary, request: Request) -> Selection:
    """The skills for a request, pinned ones first."""
    return select(
        known.skills,
        request.pinned or known.pinned,
        (request.role, request.stage or request.role),
        lambda files: dict(library.ranked(request.text, SCORED, files)),
        k=request.k,
        strategy=request.strategy,
    )


def inject(known: Catalogue, library: SkillLibrary, request: Request) -> InjectedSkills:
    """At most `k` skills, of which those go into the block that fit into the budget."""
    chosen = choose(known, library, request)
    bodies = []
    for skill in chosen.skills:
        if (text := library.text(skill.file)) is not None:  # one deleted meanwhile is left out
            bodies.append((skill.name, skill_text.read(text, skill.name).body))
    return InjectedSkills(
        chosen.skills, skill_prompt.render(bodies, request.budget), chosen.missing
    )
