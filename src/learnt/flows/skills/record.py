"""What a person or a program says of a skill is recorded: a pin, and how a use went."""

from learnt.core.events import Actor
from learnt.core.identifiers import ProjectId
from learnt.core.payloads.skill_events import Action, SkillEvent
from learnt.core.safety import clean
from learnt.core.skills.skills import Skill, key_of
from learnt.errors import NotFound
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.skills.catalogue import Catalogue, history_of, subject_of
from learnt.flows.stored import append
from learnt.ports import Outside


def named_skill(known: Catalogue, name: str) -> Skill:
    """The skill of a name. Raises NotFound, which names those that are alike."""
    if (skill := known.skills.get(key_of(name))) is None:
        from difflib import get_close_matches

        alike = get_close_matches(key_of(name), known.skills, n=3)
        hint = f" Did you mean {', '.join(alike)}?" if alike else ""
        raise NotFound(f"There is no skill {name!r}.{hint} `learnt skills list` has all.")
    return skill


def pin(
    outside: Outside, skill: Skill, project: ProjectId | None, decider: Decider, *, pinned: bool
) -> bool:
    """Have a skill always chosen first, or no longer; False where it was so already.

    Which instructions come first is a person's to say: raises Refused for anybody else.
    """
    refuse_others(decider, f"learnt skills pin {skill.name}{'' if pinned else ' --off'}")
    subject = subject_of(outside, skill, project)
    with outside.ledger.writing() as writer:
        if history_of(writer, subject).pinned == pinned:
            return False
        action: Action = "pinned" if pinned else "unpinned"
        payload = SkillEvent(action=action, name=writer.keep("skill", clean(skill.name)))
        append(writer, subject, decider.actor, payload)
    return True


def grade(
    outside: Outside, skill: Skill, project: ProjectId | None, actor: Actor, *, success: bool
) -> None:
    """Count a use of a skill. No file is touched."""
    subject = subject_of(outside, skill, project)
    with outside.ledger.writing() as writer:
        name = writer.keep("skill", clean(skill.name))
        append(writer, subject, actor, SkillEvent(action="graded", name=name, success=success))
