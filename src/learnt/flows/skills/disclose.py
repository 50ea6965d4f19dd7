"""Skills for whoever asks: those that fit a text, one as deep as wanted, or a prompt's block."""

from learnt.core.records import Record
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from learnt.core.recall.closeness import SKILL_SHARE, of_best, raised
from learnt.core.skills.selection import Selection, Strategy, select
from learnt.core.skills.skills import Skill, SkillFile
from learnt.errors import NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.recall.meaning import meant_question, near
from learnt.flows.recall.meaning import skill_item, skill_vectors
from learnt.flows.skills.catalogue import Catalogue
from learnt.formats import skill_text
from learnt.ports import Outside

SCORED = 200  # skills at most that get a score by their text
RANKED_BY: Final = "words"  # how a text is compared with skills where no embedder is set


class Request(Record):
    """What is wanted: text, role, stage, `k` skills; `budget` in tokens, None: no limit."""

    text: str
    role: str = ""
    stage: str = ""
    pinned: Sequence[str] = ()
    k: int = 5
    strategy: Strategy = "tag"
    budget: int | None = None


class InjectedSkills(Record):
    """The skills of a prompt's block, those that do not fit, pinned names that are missing."""

    skills: tuple[Skill, ...]
    left_out: tuple[Skill, ...]
    block: str
    ranked_by: str
    missing: tuple[str, ...]


def choose(
    outside: Outside, known: Catalogue, library: SkillLibrary, request: Request
) -> tuple[Selection, str]:
    """The skills for a request, and how they were compared; missing vectors are made."""
    ranked_by = ""

    def scores(files: Collection[str] | None) -> Mapping[str, float]:
        nonlocal ranked_by
        every = [one for one in known.skills.values() if files is None or one.file in files]
        skill_vectors(outside, every, SCORED)
        words = library.ranked(request.text, SCORED, files)
        found, ranked_by = _scored(outside, every, request.text, words)
        return found

    selection = select(
        known.skills,
        request.pinned or known.pinned,
        (request.role, request.stage or request.role),
        scores,
        k=request.k,
        strategy=request.strategy,
    )
    return selection, ranked_by


def inject(
    outside: Outside, known: Catalogue, library: SkillLibrary, request: Request
) -> InjectedSkills:
    """At most `k` skills; those that fit into the budget go into the block."""
    chosen, ranked_by = choose(outside, known, library, request)
    texts = [(skill, library.text(skill.file)) for skill in chosen.skills]
    there = [(skill, text) for skill, text in texts if text is not None]  # not deleted meanwhile
    bodies = [(skill.name, skill_text.read(text, skill.name).body) for skill, text in there]
    fitting = skill_text.fitting(bodies, request.budget)
    skills = tuple(skill for skill, _ in there)
    return InjectedSkills(
        skills=skills[: len(fitting)],
        left_out=skills[len(fitting) :],
        block=skill_text.joined(fitting),
        ranked_by=ranked_by,
        missing=chosen.missing,
    )


def closest_skills(
    outside: Outside, library: SkillLibrary, skills: Iterable[Skill], text: str, limit: int
) -> tuple[list[tuple[Skill, float]], str]:
    """At most `limit` of these skills with their scores, best first, and how they were ranked."""
    by_file = {skill.file: skill for skill in skills}
    words = library.ranked(text, max(SCORED, 10 * limit))
    scores, ranked_by = _scored(outside, by_file.values(), text, words)
    return [(by_file[file], score) for file, score in scores.items()][:limit], ranked_by


def _scored(
    outside: Outside, skills: Iterable[Skill], text: str, words: Iterable[tuple[str, float]]
) -> tuple[Mapping[str, float], str]:
    """How well skills fit a text, best first, and how compared; `words`: by words alone."""
    key = outside.ledger.key
    items = {skill.file: skill_item(key, skill).item for skill in skills}
    scores = {file: score for file, score in words if file in items}
    question = meant_question(outside, text)
    near_by = near(outside, question, (), 0, set(items.values()))
    cosines = {file: near_by[item] for file, item in items.items() if item in near_by}
    if question is None or not cosines:
        return scores, RANKED_BY
    both = raised(of_best(scores), cosines, SKILL_SHARE / question.spread)
    return both, f"{RANKED_BY} and meaning"


LARGEST_SHOWN: Final = 200_000  # bytes of a file; what is larger is for programs


class Disclosed(Record):
    """One text of a skill's folder: `path` is empty for its own; `files` are the others."""

    skill: Skill
    path: str
    text: str
    files: tuple[SkillFile, ...]


def disclosed(library: SkillLibrary, skill: Skill, path: str = "") -> Disclosed:
    """A skill's text, or that of one of its files. Raises NotFound, Refused."""
    files = tuple(library.files(skill.file))
    if not path:
        text = library.text(skill.file)
        if text is None:
            raise NotFound(f"{skill.file} was deleted a moment ago. Nothing was changed.")
        return Disclosed(skill, path, text, files)
    if skill.withheld:
        raise Refused(f"{skill.name} is withheld: {skill.withheld} (`learnt doctor`).")
    size = next((each.size for each in files if each.path == path), 0)
    if size > LARGEST_SHOWN:
        raise Refused(f"{path} has {size:,} bytes; {LARGEST_SHOWN:,} are shown at most.")
    content = library.part(skill.file, path)
    if content is None:
        known = ", ".join(each.path for each in files[:20]) or "none"
        raise NotFound(f"{skill.name} has no file {path!r}. Its other files: {known}.")
    try:
        return Disclosed(skill, path, content.decode("utf-8"), files)
    except UnicodeDecodeError:
        raise Refused(f"{path} is no text: {size:,} bytes.") from None
