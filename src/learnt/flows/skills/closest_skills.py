"""The skills that fit a text best: by their words, and by meaning where that is turned on."""

from collections.abc import Iterable

from learnt.core.recall.fusion import SKILL_SHARE, of_best, raised
from learnt.core.skills.skills import Skill
from learnt.file_ports import SkillLibrary
from learnt.flows.recall.meaning import meant_question, near
from learnt.flows.recall.vectorise import skill_item
from learnt.flows.skills.inject import RANKED_BY, SCORED
from learnt.ports import Outside


def closest_skills(
    outside: Outside, library: SkillLibrary, skills: Iterable[Skill], text: str, limit: int
) -> tuple[list[tuple[Skill, float]], str]:
    """At most `limit` of these skills with their scores, best first, and how they were ranked."""
    by_file = {skill.file: skill for skill in skills}
    ranked = library.ranked(text, max(SCORED, 10 * limit))
    scores = {file: score for file, score in ranked if file in by_file}
    question = meant_question(outside, text)
    items = {} if question is None else {
        file: skill_item(outside.ledger.key, skill).item for file, skill in by_file.items()
    }  # fmt: skip
    near_by = near(outside, question, (), 0, set(items.values()))
    cosines = {file: near_by[item] for file, item in items.items() if item in near_by}
    if question is not None and cosines:
        scores = raised(of_best(scores), cosines, SKILL_SHARE / question.spread)
    best = [(by_file[file], score) for file, score in scores.items()][:limit]
    return best, f"{RANKED_BY} and meaning" if cosines else RANKED_BY
