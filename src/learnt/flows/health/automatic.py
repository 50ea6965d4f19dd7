"""A skill whose person lets it: a text by rules is applied by itself, and git commits it.

What an agent or a model wrote always waits for a person, and so does the way back.
"""

from contextlib import suppress

from learnt.core.events import Actor
from learnt.core.governance.proposals import Status, text_hash
from learnt.core.identifiers import ProposalId, Subject
from learnt.core.payloads.skill_events import Action, SkillEvent
from learnt.core.safety import clean, excerpt
from learnt.core.skills.history import SkillHistory
from learnt.core.skills.skills import Skill
from learnt.errors import Conflict, LearntError, Refused
from learnt.file_ports import Committed, Repositories
from learnt.flows.governance import accept as accepting
from learnt.flows.governance.decisions import Decider, proposal_of, refuse_others
from learnt.flows.skills.catalogue import history_of, refuse_brought
from learnt.flows.skills.scanning import refuse_threats
from learnt.flows.stored import append, legible, text_or_empty
from learnt.ports import Outside


def allow(outside: Outside, skill: Skill, subject: Subject, decider: Decider, *, on: bool) -> None:
    """Record whether a skill's texts by rules are applied by themselves. A person alone says so."""
    action: Action = "automatic" if on else "manual"
    refuse_others(decider, f"learnt health improve {skill.name} --{action}")
    refuse_brought([skill.file], [skill])
    with outside.ledger.durably_writing() as writer:
        if history_of(writer, subject).automatic != on:
            event = SkillEvent(action=action, name=writer.keep("skill", clean(skill.name)))
            append(writer, subject, decider.actor, event)


def in_the_way(outside: Outside, git: Repositories, skill: Skill) -> str:
    """Why a skill's file gets no text by itself now; empty where nothing stands in the way."""
    text = outside.documents.read(skill.file) or ""
    if git.obstacle(skill.file, text) != "dirty":
        return ""
    return f"{skill.file} is not as git has it, so nothing is applied by itself: commit it first."


def apply(outside: Outside, git: Repositories, skill: Skill, name: ProposalId) -> None:
    """Give a skill the text that the rules proposed, and commit it where git has the file.

    Raises Refused where the file was edited or the scanner finds an error: then it waits; Conflict
    where no person allowed it.
    """
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
    if finding := in_the_way(outside, git, skill):
        raise Refused(finding)
    change = accepting.plan(outside, proposal, accepting.Destination(root="/"), lambda: (skill,))
    refuse_threats(outside, change.after, skill.name)
    subject, there = Subject(proposal.about), outside.documents.read(change.path)
    with outside.ledger.durably_writing() as writer:
        proposal = accepting.refuse_outdated(writer, change, there)
        if proposal.status is not Status.PENDING or not history_of(writer, subject).automatic:
            raise Conflict(f"{name} is not to be applied by itself (any more).")
        accepting.decide(writer, change, Decider(actor=Actor.LEARNT))
        # With it, so that whatever is cut short the next run knows of it.
        owed = SkillEvent(action="committing", cause=name)
        append(writer, subject, Actor.LEARNT, owed)
    accepting.carry_out(outside, change)
    finish(outside, git)


def finish(outside: Outside, git: Repositories) -> list[str]:
    """Complete what is applied by itself: the file where a run was cut short, then the commit.

    The skills of which a commit is owed still.
    """
    left = []
    with outside.ledger.reading() as reader:
        owing = [Subject(view.subject) for view in reader.views(SkillHistory.prefix, '"owed"')]
    for subject in owing:
        with suppress(LearntError):  # no file that can be read: `learnt doctor` says so
            _finish(outside, git, subject)
        with outside.ledger.reading() as reader:
            history = history_of(reader, subject)
            left += [legible(reader, history.name)] if history.owed else []
    return left


def _finish(outside: Outside, git: Repositories, subject: Subject) -> None:
    with outside.ledger.reading() as reader:
        owed = history_of(reader, subject).owed
        proposal = proposal_of(reader, owed)
    if accepting.finish(outside, proposal):
        return  # edited in between: `learnt doctor` says that, too
    with outside.ledger.reading() as reader:
        proposal, history = proposal_of(reader, owed), history_of(reader, subject)
        path = text_or_empty(reader, proposal.path)
        texts = text_or_empty(reader, proposal.before), text_or_empty(reader, proposal.after)
        name = excerpt(legible(reader, history.name), 80)
    if proposal.status is Status.APPLIED and text_hash(texts[1]) == proposal.written == text_hash(
        outside.documents.read(path)
    ):
        number = history.versions[-1].number
        message = _MESSAGE.format(name=" ".join(name.split()), number=number, proposal=owed)
        done = git.commit(path, texts, message, owed)
    else:
        done = Committed(obstacle="edited")
    if done == Committed():
        return  # another program has the repository now: the next run comes back to it
    with outside.ledger.durably_writing() as writer:
        if history_of(writer, subject).owed == owed:
            event = SkillEvent(action="committed", digest=proposal.written, commit=done.commit)
            event = event._replace(obstacle=done.obstacle)
            append(writer, subject, Actor.LEARNT, event)


_MESSAGE = """Improve skill {name}: version {number}

By rules, from its executions, as its person lets Learnt do. No hook was run.
`learnt health evaluate` compares it with the text before.

Learnt-Proposal: {proposal}
"""
