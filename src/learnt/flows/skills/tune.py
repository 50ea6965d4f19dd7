"""Skills of ours are looked after: a better description is proposed, and that the unused retire."""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final, Literal

from learnt.core.events import Actor, Kind
from learnt.core.governance.proposals import OF_SKILLS, Evidence, ProposalKind, Status, reopens
from learnt.core.identifiers import ProjectId, ProposalId
from learnt.core.skills.history import SkillHistory
from learnt.core.skills.replay import AskedPrompt, Example, Tuning, places, tuned
from learnt.core.skills.selection import disused
from learnt.core.skills.skills import Skill, SkillLayer, key_of
from learnt.errors import LearntError
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.decisions import proposals
from learnt.flows.skills.catalogue import Catalogue, history_of, subject_of
from learnt.flows.skills.replay import Ranking, SkillCandidate, asked
from learnt.flows.skills.versions import Revision, propose
from learnt.formats.front_matter import edited
from learnt.ports import Outside

PROMPTS: Final = 1_000  # the last ones, that a description is drawn up from and tried on


def _ours(history: SkillHistory) -> bool:
    """Whether Learnt installed it, or a person accepted a text of it."""
    return bool(history.installed) or any("-" in version.cause for version in history.versions)


class Tender:
    """Looks after the skills that a project sees."""

    def __init__(
        self, outside: Outside, known: Catalogue, library: SkillLibrary, project: ProjectId | None
    ) -> None:
        self._outside, self._known, self._library = outside, known, library
        self._project = project
        with outside.ledger.reading() as reader:
            self._earlier = [p for p in proposals(reader) if p.kind in OF_SKILLS]
            self._histories = {
                skill.name: history_of(reader, subject_of(outside, skill, project))
                for skill in known.skills.values()
                if skill.layer >= SkillLayer.USER and not skill.withheld
            }
        nothing = SkillHistory()  # of what is not the user's, or is withheld
        skills = known.skills.values()
        self.ours = [s for s in skills if _ours(self._histories.get(s.name, nothing))]

    @cached_property
    def _prompts(self) -> Sequence[AskedPrompt]:
        return asked(self._outside, PROMPTS)

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking(self._outside, self._known, self._library)

    def tend(self, actor: Actor) -> list[ProposalId]:
        """Propose what recorded use calls for, of our skills; which proposals are new."""
        made: list[ProposalId] = []
        for skill in self.ours:
            with suppress(LearntError):  # one broken file, or one decided on meanwhile
                tuning = self.tune(skill, actor)
                made += [tuning.proposal] if tuning and tuning.status == "proposed" else []
                retired = self._retire(skill, actor)
                made += [retired] if retired else []
        return made

    def tune(self, skill: Skill, actor: Actor) -> Tuning | None:
        """Propose a better description where held-out prompts show a gain.

        None for a skill that was never wanted. Raises Refused where its file has no front matter.
        """
        key = key_of(skill.name)
        told = [
            p for p in self._prompts if key in p.called or (p.over and key not in p.used - p.well)
        ]
        if not any(key in prompt.called | prompt.well for prompt in told):
            return None
        # Written as a name it says nothing of the task; a name of one word may be just that word.
        spelling = "[-_]".join(map(re.escape, key.split("-")))
        name = re.compile(f"{'/?' if '-' in key else '/'}{spelling}", re.IGNORECASE)
        wanted = [key in prompt.called | prompt.well for prompt in told]
        texts = [name.sub(" ", prompt.text) for prompt in told]
        examples = [Example(t, p.session, w) for t, p, w in zip(texts, told, wanted, strict=True)]
        text = self._library.text(skill.file) or ""

        def offers(description: str, prompts: Sequence[str]) -> list[bool]:
            candidate = SkillCandidate(
                skill.name, edited(text, "description", description), skill.file
            )
            then = self._ranking.then(candidate, places(len(self._known.skills)))
            return [key in then(prompt) for prompt in prompts]

        better = tuned(skill.description, examples, self._outside.stem, offers)
        offered = offers(skill.description, texts)
        tuning = Tuning(
            name=skill.name,
            hits=sum(key in prompt.well for prompt in told),
            misses=sum(key in prompt.called for prompt in told),
            bypasses=sum(o and not w for o, w in zip(offered, wanted, strict=True)),
            status="too-few" if better.lacking else "no-gain",
            **better._asdict(),
        )
        if not better.better:
            return tuning
        sessions = {e.session for e in examples if e.wanted}
        evidence = Evidence(count=sum(wanted), distinct=len(sessions), gain=better.gain)
        revision = Revision(
            ProposalKind.NEW_VERSION,
            edited(text, "description", better.description),
            evidence=evidence,
        )
        proposal, status = self._propose(skill, revision, actor)
        return tuning._replace(proposal=proposal, status=status)

    def _retire(self, skill: Skill, actor: Actor) -> ProposalId | None:
        """Propose that it goes out of use: there long enough, never used, and not pinned."""
        history = self._histories[skill.name]
        came_ms = max((version.ms for version in history.versions), default=0)
        with self._outside.ledger.reading() as reader:
            sessions = {
                start.session
                for start in reader.happenings(Kind.SESSION_STARTED)
                if start.wall_ms > came_ms
                if skill.layer is not SkillLayer.PROJECT or start.project == self._project
            }
        if (
            skill.usage_count
            or history.pinned
            or not disused(self._outside.clock.now_ms() - came_ms, len(sessions))
        ):
            return None
        evidence = Evidence(count=len(sessions), distinct=len(sessions), first_ms=came_ms)
        text = self._library.text(skill.file) or ""
        revision = Revision(ProposalKind.RETIRE, text, evidence=evidence)
        proposal, status = self._propose(skill, revision, actor)
        return proposal if status == "proposed" else None

    def _propose(
        self, skill: Skill, revision: Revision, actor: Actor
    ) -> tuple[ProposalId, Literal["proposed", "waits", "rejected"]]:
        """Propose it, unless something waits for that skill, or a person turned the like down."""
        subject = subject_of(self._outside, skill, self._project)
        for earlier in (p for p in self._earlier if p.about == subject):
            if earlier.status is Status.PENDING and earlier.draft is not None:
                return earlier.id, "waits"
            enough = reopens(earlier, revision.evidence.count)
            if earlier.status is Status.REJECTED and earlier.kind is revision.kind and not enough:
                return earlier.id, "rejected"
        own = propose(self._outside, skill.file, subject, revision, actor, (skill,))
        return own, "proposed"
