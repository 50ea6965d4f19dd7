"""A skill that fails gets a new text by rules, proposed, or applied where its person lets it.

What an agent or a model wrote always waits for a person, and so does the way back.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal

from msgspec.structs import replace

from learnt.core.distil.distilled import DistilledSkill
from learnt.core.events import Actor, Where
from learnt.core.governance.proposals import Evidence, ProposalKind, Status, text_hash
from learnt.core.health.executions import Use
from learnt.core.health.experiences import MONTH_MS
from learnt.core.health.improvement import HEADING, LEAST, caution, in_place
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.identifiers import ProjectId, ProposalId, Subject
from learnt.core.payloads.skill_events import Action, SkillEvent
from learnt.core.records import Record, Row
from learnt.core.safety import clean, excerpt
from learnt.core.skills.history import (
    FIRST,
    SkillHistory,
    added_lines,
    free_number,
    next_number,
    told_number,
)  # fmt: skip
from learnt.core.skills.skills import Skill, SkillLayer, key_of
from learnt.errors import Conflict, LearntError, Refused
from learnt.file_ports import Committed, Repositories, SkillLibrary
from learnt.flows.governance import accept as accepting
from learnt.flows.governance.decisions import Decider, proposal_of, proposals, refuse_others
from learnt.flows.health.evaluate import lacks, settle, used
from learnt.flows.health.incidents import Incident, incidents
from learnt.flows.health.queue import named, queue
from learnt.flows.skills.catalogue import Catalogue, history_of, refuse_brought, subject_of
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import append, legible, text_or_empty, texts_behind
from learnt.formats.draft_md import with_parts
from learnt.formats.front_matter import numbered, read, with_item
from learnt.ports import Outside

if TYPE_CHECKING:
    from learnt.flows.skills.distil_by_model import Asking


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
    """Give a skill the proposed text and commit it. Raises Refused if unfit, Conflict."""
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
    """Complete what is applied automatically: file, then commit; the skills that lack one."""
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
        scope, lines = re.sub(r"[\s()]+", " ", name), "\n".join(added_lines(*texts))
        message = _MESSAGE.format(name=scope, number=number, lines=lines, proposal=owed)
        done = git.commit(path, texts, message, owed)
    else:
        done = Committed(obstacle="edited")
    if done == Committed():
        return  # another program has the repository now: the next run comes back to it
    with outside.ledger.durably_writing() as writer:
        if history_of(writer, subject).owed == owed:
            event = SkillEvent(action="committed", digest=proposal.written, commit=done.commit)
            event = replace(event, obstacle=done.obstacle)
            append(writer, subject, Actor.LEARNT, event)


_MESSAGE = """fix({name}): version {number}

{lines}

By rules, from its executions, as its person lets Learnt do. No hook was run.
`learnt health evaluate` compares it with the text before.

Learnt-Proposal: {proposal}
"""


NOTHING_NEW: Final = (
    "The rules know nothing that was not tried. Your agent can read the failures: "
    "ask it to run the subagent skill-improver for {skill}."
)
STILL_NOTHING: Final = "Nothing failed since you were told, and the rules know nothing more."


class Improvement(Record):
    """What became of a skill that is to be improved, by thirty days of the text in place.

    `compared`: its last text is still looked at. `caution` is the line that goes into it, for so
    many `failures`. `finding` says why nothing was done. `automatic`: a person lets it be applied.
    """

    skill: str
    status: Literal["proposed", "waits", "compared", "nothing"]
    executions: int = 0
    success_rate: float | None = None
    failures: int = 0
    caution: str = ""
    proposal: ProposalId = ProposalId("")
    finding: str = ""
    automatic: bool = False


def improvable(known: Catalogue, name: str) -> Skill | None:
    """The skill of that name, if a text of it may be written; none that a package brought."""
    skill = known.skills.get(key_of(name))
    mine = skill is not None and skill.layer >= SkillLayer.USER and not skill.withheld
    return skill if mine else None


class Past(Row):
    """A skill's history, its uses of thirty days, texts that wait, were tried, were turned down."""

    history: SkillHistory
    recent: list[Use]
    waiting: dict[ProposalId, str]
    before: tuple[str, ...]
    turned_down: tuple[str, ...]


def past_of(outside: Outside, skill: Skill, project: ProjectId | None) -> Past:
    """What the ledger knows of a skill."""
    subject, since = subject_of(outside, skill, project), outside.clock.now_ms() - MONTH_MS
    with outside.ledger.reading() as reader:
        history = history_of(reader, subject)
        rows = (row.skill for row in reader.use_totals())
        named = (ref for ref in rows if key_of(legible(reader, ref)) == key_of(skill.name))
        named_so = replace(history, name=next(named, None))
        every = in_place(used(reader, subject, named_so), history)
        about = [each for each in proposals(reader) if each.about == subject]
        turned_down = [each.draft for each in about if each.status is Status.REJECTED]
        return Past(
            history,
            [use for use in every if use.wall_ms > since],
            {
                each.id: text_or_empty(reader, each.draft)
                for each in about
                if each.status is Status.PENDING and each.draft
            },
            tuple(texts_behind(reader, [version.text for version in history.versions])),
            tuple(texts_behind(reader, turned_down)),
        )


class Improver:
    """Improves the skills that a project sees."""

    def __init__(
        self,
        outside: Outside,
        known: Catalogue,
        library: SkillLibrary,
        project: ProjectId | None,
        asking: "Asking | None" = None,
    ) -> None:
        """`asking` is the model that the user turned on, if any."""
        self._outside, self._known, self._library = outside, known, library
        self._project, self._asking = project, asking

    def due(self) -> list[Skill]:
        """The skills of the user's and the project's that failed so often that it is time."""
        due = (name for name, entry in queue(self._outside).items() if entry.due)
        return [skill for name in due if (skill := improvable(self._known, name))]

    def improve(self, skill: Skill, actor: Actor) -> Improvement:
        """Propose a new text by rules, which add a caution. Raises Refused for an unfit one."""
        outside, subject = self._outside, subject_of(self._outside, skill, self._project)
        settle(outside)
        text = self._library.text(skill.file) or ""
        history, recent, waiting, before, turned_down = past_of(outside, skill, self._project)
        tried = (text, *before, *turned_down)
        failing = incidents(outside, recent)
        lacked = lacks(recent)
        rate = 1 - sum(lacked) / len(lacked) / MILLION if lacked else None
        none = Improvement(skill.name, "nothing", len(recent), rate, automatic=history.automatic)
        if history.evaluation is not None:
            return replace(none, status="compared")
        found = caution((each.failures for each in failing), tried)
        number = _next(text, history)
        new = numbered(with_item(text, HEADING, found.line), number) if found else ""
        for own, draft in waiting.items():
            if draft != new:
                return replace(none, status="waits", proposal=own)
        if found is None:
            said = history.named_ms >= max((each.use.wall_ms for each in failing), default=1)
            if not said and actor is not Actor.LEARNT:
                named(outside, subject, skill.name, actor)
            finding = STILL_NOTHING if said else NOTHING_NEW.format(skill=skill.name)
            none = replace(none, finding=finding)
            return self._asked(skill, text, failing, tried, none, number)
        refuse_threats(outside, new, skill.name)
        evidence = _evidence(
            each.use for each in failing if found.sign in {f.sign for f in each.failures}
        )
        revision = Revision(ProposalKind.NEW_VERSION, new, evidence=evidence)
        own = propose(outside, skill.file, subject, revision, actor, (skill,))
        done = replace(none, status="proposed", proposal=own, failures=found.seen)
        # A command of one session alone waits for a person, whatever he lets rules do.
        known = found.cured != 1
        return replace(done, caution=found.line, automatic=none.automatic and known)

    def _asked(
        self,
        skill: Skill,
        text: str,
        failing: Sequence[Incident],
        tried: Collection[str],
        none: Improvement,
        number: str,
    ) -> Improvement:
        """What a model adds where rules know nothing; it waits, whatever a person lets rules do."""
        failed = [
            each for each in failing if each.failures and each.use.trouble is not Trouble.NONE
        ]
        if self._asking is None or not failed:
            return none
        from learnt.flows.governance.ask_model import was_answered
        from learnt.flows.skills.distil_by_model import malformed
        from learnt.formats.model_replies import Malformed, improvement

        kinds = sorted({failure for each in failed for failure in each.failures})
        told = (caution([[kind]] * LEAST, ()) for kind in kinds)
        cautions = [each.line for each in told if each and any(each.line in old for old in tried)]
        question = improvement(skill.name, text, kinds, cautions)
        if was_answered(self._outside, question):
            again = f"{none.finding} The model that was asked has nothing more to say of it."
            return replace(none, finding=again)
        where = Where(project=self._project)
        draft, _, calls = self._asking.draft(question, "improve", where)
        if isinstance(draft, Malformed):
            return replace(none, finding=f"{none.finding} {malformed(draft, calls)}")
        new = with_parts(text, draft.parts, draft) if isinstance(draft, DistilledSkill) else text
        new = text if new == text else numbered(new, number)
        if new in tried:  # the text as it is among them
            return replace(none, finding=f"{none.finding} The model that was asked added nothing.")
        refuse_threats(self._outside, new, skill.name)
        revision = Revision(
            ProposalKind.NEW_VERSION, new,
            evidence=_evidence(each.use for each in failed), calls=tuple(calls),
        )  # fmt: skip
        subject = subject_of(self._outside, skill, self._project)
        own = propose(self._outside, skill.file, subject, revision, Actor.MODEL, (skill,))
        return replace(none, status="proposed", proposal=own, finding="", automatic=False)


def _next(text: str, history: SkillHistory) -> str:
    """The number of the text that comes after one."""
    last = history.versions[-1].number if history.versions else FIRST
    return free_number(history.versions, next_number(told_number(read(text)) or last))


def _evidence(uses: Iterable[Use]) -> Evidence:
    sessions = [(use.wall_ms, use.session) for use in uses]
    distinct = len({session for _, session in sessions})
    first, last = sessions[0][0], sessions[-1][0]
    return Evidence(count=len(sessions), distinct=distinct, first_ms=first, last_ms=last)
