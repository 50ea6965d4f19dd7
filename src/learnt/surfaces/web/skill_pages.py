"""Skills: how they do, what their texts were, what trials say; and the effects of what is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from learnt.core.health.comparison import TrialPoint, growth
from learnt.core.skills.skills import key_of
from learnt.errors import NotFound
from learnt.flows.governance.listing import diff
from learnt.flows.health import trial as trials
from learnt.flows.health.effects import most_measured
from learnt.flows.health.evaluate import WindowComparison, recorded_comparisons
from learnt.flows.health.report import SkillHealth, skills
from learnt.flows.skills.catalogue import subject_of
from learnt.flows.skills.versions import history
from learnt.surfaces.answers.home import Effects, effect_in_words, effects_told
from learnt.surfaces.answers.versions import (
    TrialAnswer,
    VersionsAnswer,
    trial_told,
    version_text,
    versions_told,
)
from learnt.surfaces.skills_here import OpenShelf, SkillAnswer, open_shelf, skill_answer
from learnt.surfaces.web.knowledge_pages import CHART
from learnt.surfaces.web.pages import ListPart, Page, Visit, part_of

EFFECTS: Final = 5  # each reads many sessions


class SkillRow(NamedTuple):
    """A skill: what it is, where it is seen from here, and how it did, where it was used."""

    name: str
    skill: SkillAnswer | None
    health: SkillHealth | None


def every_skill(visit: Visit) -> ListPart[SkillRow]:
    """All skills that were used or can be, most executions first."""
    healths = {key_of(health.skill): health for health in skills(visit.outside)}
    with open_shelf(visit.outside, visit.settings, visit.folder) as on:
        there = {key: skill_answer(on, skill) for key, skill in on.known.skills.items()}
    order = [*healths, *sorted(there.keys() - healths.keys())]
    rows = [SkillRow(name, there.get(name), healths.get(name)) for name in order]
    return part_of(rows, visit.number("part"))


class OneTrial(NamedTuple):
    """A trial, how it ended (empty while it goes on), and how its evidence grew."""

    told: TrialAnswer
    ended: str
    points: list[TrialPoint]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSkill:
    """A skill with its texts. `diff` is between the versions `old` and `new`; the file's is ""."""

    name: str
    skill: SkillAnswer | None
    health: SkillHealth | None
    versions: VersionsAnswer | None
    old: str
    new: str
    diff: str
    trials: list[OneTrial]
    comparisons: Sequence[WindowComparison]


def skill(visit: Visit) -> OneSkill:
    """A skill by its name. Raises NotFound for one that is not there and was never used."""
    outside, name = visit.outside, visit.named["name"]
    healths = [each for each in skills(outside) if key_of(each.skill) == key_of(name)]
    with open_shelf(outside, visit.settings, visit.folder) as on:
        known = on.known.skills.get(key_of(name))
        old, new = visit.asked.get("old", ""), visit.asked.get("new", "")
        try:
            past = history(outside, on.library, on.known, name, on.project)
        except NotFound:
            if not healths:
                raise
            past = None
        change = ""
        if past is not None and (old or len(past.own) > 1):
            after = version_text(past, new) if new else past.text or ""
            change = diff(f"{past.name}/SKILL.md", version_text(past, old), after)
        return OneSkill(
            name=past.name if past else name,
            skill=skill_answer(on, known) if known else None,
            health=healths[0] if healths else None,
            versions=versions_told(past) if past else None,
            old=old,
            new=new,
            diff=change,
            trials=_trials(visit, on, name),
            comparisons=recorded_comparisons(outside, name),
        )


def _trials(visit: Visit, on: OpenShelf, name: str) -> list[OneTrial]:
    known = on.known.skills.get(key_of(name))
    if known is None:
        return []
    subject = subject_of(visit.outside, known, on.project)
    with visit.outside.ledger.reading() as reader:
        return [
            OneTrial(
                trial_told(looked, name),
                going.evaluation.verdict or "",
                growth(looked.counted.uses, going.success, going.level),
            )
            for going in (*trials.open_trials(reader), *trials.ended_trials(reader, subject))
            if going.subject == subject
            for looked in [trials.look(reader, going)]
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsList:
    """A page of the entries whose effect is measured, each with it in words."""

    effects: Effects
    said: tuple[str, ...]
    part: ListPart[int]


def effects(visit: Visit) -> EffectsList:
    """What showing entries changes, most units first."""
    number = visit.number("part")
    found, total = most_measured(visit.outside, (number - 1) * EFFECTS, EFFECTS)
    told = effects_told(found)
    return EffectsList(
        effects=told,
        said=tuple(effect_in_words(each.effect) for each in told.effects),
        part=part_of(range(total), number, EFFECTS),
    )


SKILLS: Final = Page("/skills", "Skills", "Skills", "skills.html", every_skill)
SKILL: Final = Page("/skills/{name}", "Skill", "Skills", "skill.html", skill, vendor=CHART)
MEASURED: Final = Page("/effects", "Effects", "Skills", "effects.html", effects, slow=True)
