"""The skills for a task, chosen and put into a block for a prompt."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from learnt.core.skills.selection import Selection, Strategy, select
from learnt.core.skills.skills import Skill
from learnt.file_ports import SkillLibrary
from learnt.flows.skills.catalogue import Catalogue
from learnt.formats import skill_prompt, skill_text

SCORED = 200  # skills at most that get a score by their text
RANKED_BY: Final = "words"  # how a text is compared with skills; no embedder is asked


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
    """The skills that are in the block for the prompt, each whole; pinned names that are missing.

    `left_out` were chosen and do not fit. `ranked_by` is empty where no text was compared.
    """

    skills: tuple[Skill, ...]
    left_out: tuple[Skill, ...]
    block: str
    ranked_by: str
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
    texts = [(skill, library.text(skill.file)) for skill in chosen.skills]
    there = [(skill, text) for skill, text in texts if text is not None]  # not deleted meanwhile
    bodies = [(skill.name, skill_text.read(text, skill.name).body) for skill, text in there]
    fitting = skill_prompt.fitting(bodies, request.budget)
    skills = tuple(skill for skill, _ in there)
    return InjectedSkills(
        skills=skills[: len(fitting)],
        left_out=skills[len(fitting) :],
        block=skill_prompt.joined(fitting),
        ranked_by="" if request.strategy == "tag" else RANKED_BY,
        missing=chosen.missing,
    )
