"""Skills for whoever asks: those that fit a text, one as deep as wanted, or a prompt's block."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from learnt.core.recall.closeness import SKILL_SHARE, of_best, raised
from learnt.core.records import Record
from learnt.core.skills.selection import Selection, Strategy, select
from learnt.core.skills.skills import Skill, SkillFile
from learnt.errors import NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.recall.meaning import meant_question, near, skill_item, skill_vectors
from learnt.flows.skills.catalogue import OpenShelf
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


class Injection(Record):
    """The names of the skills that the block for the prompt holds whole, and the block.

    `left_out` were chosen too, and did not fit into the budget; `missing` are pinned names that no
    skill bears. `ranked_by` says how the task's text was looked for; empty where it was not.
    """

    strategy: str
    ranked_by: str
    skills: tuple[str, ...]
    left_out: tuple[str, ...]
    missing: tuple[str, ...]
    block: str


def choose(shelf: OpenShelf, request: Request) -> tuple[Selection, str]:
    """The skills for a request, and how they were compared; missing vectors are made."""
    known, ranked_by = shelf.known, ""

    def scores(files: Collection[str] | None) -> Mapping[str, float]:
        nonlocal ranked_by
        every = [one for one in known.skills.values() if files is None or one.file in files]
        skill_vectors(shelf.outside, every, SCORED)
        words = shelf.library.ranked(request.text, SCORED, files)
        scored, ranked_by = _scored(shelf.outside, every, request.text, words)
        return scored

    selection = select(
        known.skills,
        request.pinned or known.pinned,
        (request.role, request.stage or request.role),
        scores,
        k=request.k,
        strategy=request.strategy,
    )
    return selection, ranked_by


def inject(shelf: OpenShelf, request: Request) -> Injection:
    """At most `k` skills; those that fit into the budget go into the block."""
    chosen, ranked_by = choose(shelf, request)
    texts = [(skill.name, shelf.library.text(skill.file)) for skill in chosen.skills]
    bodies = [  # but for what was deleted meanwhile
        (name, skill_text.read(text, name).body) for name, text in texts if text is not None
    ]
    fitting = skill_text.fitting(bodies, request.budget)
    names = tuple(name for name, _ in bodies)
    return Injection(
        strategy=request.strategy,
        ranked_by=ranked_by,
        skills=names[: len(fitting)],
        left_out=names[len(fitting) :],
        missing=chosen.missing,
        block=skill_text.joined(fitting),
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


def disclosed(shelf: OpenShelf, skill: Skill, path: str = "") -> tuple[str, tuple[SkillFile, ...]]:
    """A skill's text, or that of its file `path`, and its other files. Raises NotFound, Refused."""
    files = tuple(shelf.library.files(skill.file))
    if not path:
        return shelf.text(skill), files
    if skill.withheld:
        raise Refused(f"{skill.name} is withheld: {skill.withheld} (`learnt doctor`).")
    size = next((file.size for file in files if file.path == path), 0)
    if size > LARGEST_SHOWN:
        raise Refused(f"{path} has {size:,} bytes; {LARGEST_SHOWN:,} are shown at most.")
    content = shelf.library.part(skill.file, path)
    if content is None:
        known = ", ".join(file.path for file in files[:20]) or "none"
        raise NotFound(f"{skill.name} has no file {path!r}. Its other files: {known}.")
    try:
        return content.decode("utf-8"), files
    except UnicodeDecodeError:
        raise Refused(f"{path} is no text: {size:,} bytes.") from None
