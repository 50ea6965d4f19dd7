"""Skills: how they do, what their texts were, what trials say; and the effects of what is shown."""

from typing import Final

from learnt.core.health.comparison import growth
from learnt.core.skills.skills import key_of
from learnt.errors import NotFound
from learnt.flows.governance.listing import diff
from learnt.flows.health import trial as trials
from learnt.flows.health.effects import most_measured
from learnt.flows.health.evaluate import recorded_comparisons
from learnt.flows.health.report import skills
from learnt.flows.skills.catalogue import subject_of
from learnt.flows.skills.versions import history
from learnt.surfaces.answers.home import effect_in_words, effects_told
from learnt.surfaces.answers.versions import trial_told, version_text, versions_told
from learnt.surfaces.skills_here import open_shelf, skill_answer
from learnt.surfaces.web.knowledge_pages import CHART
from learnt.surfaces.web.pages import Answer, ListPart, Page, Visit, part_of

EFFECTS: Final = 5  # each reads many sessions


def every_skill(visit: Visit) -> ListPart[Answer]:
    """All skills that were used or can be, most executions first."""
    healths = {key_of(health.skill): health for health in skills(visit.outside)}
    with open_shelf(visit.outside, visit.settings, visit.folder) as on:
        there = {key: skill_answer(on, skill) for key, skill in on.known.skills.items()}
    order = [*healths, *sorted(there.keys() - healths.keys())]
    rows: list[Answer] = [
        dict(name=name, skill=there.get(name), health=healths.get(name)) for name in order
    ]
    return part_of(rows, visit.number("part"))


def skill(visit: Visit) -> Answer:
    """A skill with its texts. Raises NotFound for one that is not there and was never used.

    `diff` is between the versions `old` and `new`; the file's is "".
    """
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
        tried = list[Answer]()
        if known is not None:
            subject = subject_of(outside, known, on.project)
            with outside.ledger.reading() as reader:
                every = (*trials.open_trials(reader), *trials.ended_trials(reader, subject))
                for going in (each for each in every if each.subject == subject):
                    looked = trials.look(reader, going)
                    points = growth(looked.counted.uses, going.success, going.level)
                    ended = going.evaluation.verdict or ""
                    tried.append(dict(told=trial_told(looked, name), ended=ended, points=points))
        return dict(
            name=past.name if past else name,
            skill=skill_answer(on, known) if known else None,
            health=healths[0] if healths else None,
            versions=versions_told(past) if past else None,
            old=old,
            new=new,
            diff=change,
            trials=tried,
            comparisons=recorded_comparisons(outside, name),
        )


def effects(visit: Visit) -> Answer:
    """What showing entries changes, most units first, each in words as well."""
    number = visit.number("part")
    found, total = most_measured(visit.outside, (number - 1) * EFFECTS, EFFECTS)
    told = effects_told(found)
    return dict(
        effects=told,
        said=tuple(effect_in_words(each.effect) for each in told.effects),
        part=part_of(range(total), number, EFFECTS),
    )


SKILLS: Final = Page("/skills", "Skills", "Skills", "skills.html", every_skill)
SKILL: Final = Page("/skills/{name}", "Skill", "Skills", "skill.html", skill, vendor=CHART)
MEASURED: Final = Page("/effects", "Effects", "Skills", "effects.html", effects, slow=True)
