"""A skill that fails gets a new text by rules, which is proposed; nothing that was tried before."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from learnt.core.distil.distilled import DistilledSkill
from learnt.core.events import Actor, Where
from learnt.core.governance.proposals import Evidence, ProposalKind, Status
from learnt.core.health.evaluation import lack
from learnt.core.health.executions import Use
from learnt.core.health.improvement import HEADING, LEAST, Failure, caution
from learnt.core.health.learnings import MONTH_MS
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.health.queue import in_place
from learnt.core.identifiers import ProjectId, ProposalId
from learnt.core.json_values import member, text_of
from learnt.core.skills.skills import Skill, SkillLayer, key_of
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.decisions import proposals
from learnt.flows.health.evaluate import lacks, settle, used
from learnt.flows.health.queue import queue
from learnt.flows.skills.catalogue import Catalogue, history_of, subject_of
from learnt.flows.skills.scanning import refuse_threats
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import legible, text_or_empty, texts_behind
from learnt.formats.distilled_md import with_parts
from learnt.formats.skill_edit import with_item
from learnt.ports import Outside, Reader

if TYPE_CHECKING:
    from learnt.flows.skills.distil_by_model import Asking


class Improvement(NamedTuple):
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
        """Propose a new text by rules: a caution, else words that tell when it is wanted.

        Raises Refused where the scanner finds anything in the text, as it is or would be.
        """
        outside, subject = self._outside, subject_of(self._outside, skill, self._project)
        settle(outside)
        text = self._library.text(skill.file) or ""
        since = outside.clock.now_ms() - MONTH_MS
        with outside.ledger.reading() as reader:
            history = history_of(reader, subject)
            rows = (row.skill for row in reader.use_totals())
            named = (ref for ref in rows if key_of(legible(reader, ref)) == key_of(skill.name))
            named_so = replace(history, name=next(named, None))
            every = in_place(used(reader, subject, named_so), history)
            recent = [use for use in every if use.wall_ms > since]
            failed = [(use, _failure(reader, use)) for use in recent if lack(use)]
            about = [each for each in proposals(reader) if each.about == subject]
            turned_down = (each.draft for each in about if each.status is Status.REJECTED)
            texts = (*(version.text for version in history.versions), *turned_down)
            tried = (text, *texts_behind(reader, texts))
            waiting = {
                each.id: text_or_empty(reader, each.draft)
                for each in about
                if each.status is Status.PENDING and each.draft
            }
        lacked = lacks(recent)
        rate = 1 - sum(lacked) / len(lacked) / MILLION if lacked else None
        none = Improvement(skill.name, "nothing", len(recent), rate, automatic=history.automatic)
        if history.evaluation is not None:
            return none._replace(status="compared")
        found = caution((failure for _, failure in failed), tried)
        new = with_item(text, HEADING, found.line) if found else ""
        for own, draft in waiting.items():
            if draft != new:
                return none._replace(status="waits", proposal=own)
        if found is None:
            from learnt.flows.skills.tune import Tender  # what it replays takes long to load

            tender = Tender(outside, self._known, self._library, self._project)
            tuned = tender.tune(skill, actor)
            if tuned is None or tuned.status != "proposed":
                none = none._replace(finding="The rules know nothing that was not tried.")
                return self._asked(skill, text, failed, tried, none)
            return none._replace(status="proposed", proposal=tuned.proposal)
        refuse_threats(outside, new, skill.name)
        evidence = _evidence(use for use, failure in failed if failure == found.failure)
        revision = Revision(ProposalKind.NEW_VERSION, new, evidence=evidence)
        own = propose(outside, skill.file, subject, revision, actor, (skill,))
        done = none._replace(status="proposed", proposal=own, failures=found.seen)
        return done._replace(caution=found.line)

    def _asked(
        self,
        skill: Skill,
        text: str,
        failed: Sequence[tuple[Use, Failure]],
        tried: Collection[str],
        none: Improvement,
    ) -> Improvement:
        """What a model adds where rules know nothing; it waits, whatever a person lets rules do."""
        if self._asking is None or not failed:
            return none
        from learnt.flows.governance.ask_model import was_answered
        from learnt.flows.skills.distil_by_model import malformed
        from learnt.formats.model_replies import Malformed, improvement

        kinds = sorted({failure for _, failure in failed})
        told = (caution([kind] * LEAST, ()) for kind in kinds)
        cautions = [each.line for each in told if each and any(each.line in old for old in tried)]
        question = improvement(skill.name, text, kinds, cautions)
        if was_answered(self._outside, question):
            again = f"{none.finding} The model that was asked has nothing more to say of it."
            return none._replace(finding=again)
        where = Where(project=self._project)
        draft, _, calls = self._asking.draft(question, "improve", where)
        if isinstance(draft, Malformed):
            return none._replace(finding=f"{none.finding} {malformed(draft, calls)}")
        new = with_parts(text, draft.parts, draft) if isinstance(draft, DistilledSkill) else text
        if new in tried:  # the text as it is among them
            return none._replace(finding=f"{none.finding} The model that was asked added nothing.")
        refuse_threats(self._outside, new, skill.name)
        revision = Revision(
            ProposalKind.NEW_VERSION, new,
            evidence=_evidence(use for use, _ in failed), calls=tuple(calls),
        )  # fmt: skip
        subject = subject_of(self._outside, skill, self._project)
        own = propose(self._outside, skill.file, subject, revision, Actor.MODEL, (skill,))
        return none._replace(status="proposed", proposal=own, finding="", automatic=False)


def _failure(reader: Reader, use: Use) -> Failure:
    """How an execution failed: of a command its program, as long as its report is kept."""
    closing = reader.event(use.event)
    session = closing.where.session if closing else None
    if use.trouble is not Trouble.COMMAND or not session:
        return Failure(use.trouble)
    seen = reader.observed(session, episode=use.episode)
    calls = (member(call, "evidence") for one in seen for call in one.observation.calls)
    bad = [text_of(member(call, "family")) for call in calls if member(call, "good") is False]
    return Failure(use.trouble, bad[-1] if bad else "")


def _evidence(uses: Iterable[Use]) -> Evidence:
    sessions = [(use.wall_ms, use.session) for use in uses]
    distinct = len({session for _, session in sessions})
    first, last = sessions[0][0], sessions[-1][0]
    return Evidence(count=len(sessions), distinct=distinct, first_ms=first, last_ms=last)
