"""A stage on which proposals are made and decided, with a disk that can fail."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Event
from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import ProposalId, proposal_subject
from learnt.core.records import text_of
from learnt.errors import EnvironmentTrouble
from learnt.flows.governance.accept import Destination, FileChange, accept, plan
from learnt.flows.governance.analyze import Analysis, Thresholds, analyze
from learnt.flows.governance.decisions import Decider, proposal_of
from learnt.flows.governance.listing import shown
from learnt.flows.knowledge.capture import OfferOutcome
from learnt.ports import Outside
from tests.flows.stage import PROMPT, Stage
from tests.flows.test_contents_at_a_start import rule
from tests.support.in_memory_files import InMemoryDocuments

ROOT = "/projects/here/.agents"
LINKS = "/projects/here/.claude/skills"
PLACE = Destination(root=ROOT, links=((LINKS, ""),))
PERSON, AGENT = Decider(actor=Actor.HUMAN), Decider(actor=Actor.AGENT)
SLUG = "stripe-webhook-signature-fails-in-production"
FILE = f"{ROOT}/skills/{SLUG}/SKILL.md"
MISSES = (
    "How do I roll out a feature flag gradually?",
    "Which feature flag percent is safe for a rollout?",
    "Please kill that feature flag everywhere now",
)


def planned(outside: Outside, name: str, where: Destination = PLACE) -> FileChange:
    """What accepting a proposal would write."""
    return plan(outside, shown(outside, name).proposal, where)


@dataclass
class Disk(InMemoryDocuments):
    """A disk that counts what is written, and fails where it is told to."""

    failing: str = ""
    written: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def write(self, path: str, text: str, expected: str) -> None:
        if self.failing == "write":
            raise EnvironmentTrouble("the machine went down")
        super().write(path, text, expected)
        self.written.append(path)
        if self.failing == "after writing":
            raise EnvironmentTrouble("the machine went down")

    def link(self, place: str, to: str) -> bool:
        if self.failing == "link":
            raise EnvironmentTrouble("the machine went down")
        return super().link(place, to)


@dataclass
class Play(Stage):
    """A stage with such a disk."""

    disk: Disk = field(default_factory=Disk)

    def __post_init__(self) -> None:
        self.outside = replace(self.outside, documents=self.disk)

    def remember(self, *words: str, **more: Any) -> OfferOutcome:
        """Offer a solution that says what to do and what to heed: one of which a skill is made."""
        more.setdefault("cautions", ("A proxy may have rewritten it",))
        return super().remember(*words, **more)

    def recalled(self, *sessions: str, prompt: str = PROMPT) -> None:
        """One prompt in each of these sessions that brings something up."""
        for session in sessions:
            assert self.prompt(prompt, session=session)

    def missed(self, *texts: str) -> None:
        """One prompt in a session of its own for each of these texts, that finds nothing."""
        for text in texts:
            assert "" == self.prompt(text, session=f"m{self.reports}")

    def analyze(self, least: Thresholds | None = None) -> Analysis:
        return analyze(self.outside, least or Thresholds(), Actor.HUMAN)

    def proposed(self) -> ProposalId:
        """The one proposal of an entry that three sessions recalled."""
        self.remember()
        self.recalled("s1", "s2", "s3")
        (name,) = self.analyze().new
        return name

    def routed(self) -> ProposalId:
        """The one proposal of three misses."""
        self.missed(*MISSES)
        (name,) = self.analyze().new
        return name

    def ruled(self) -> ProposalId:
        """The one proposal of a rule that bore on three sessions' prompts."""
        rule(self)
        for session in ("s1", "s2", "s3"):
            self.prompt("please run make lint before the push to main", session=session)
        (name,) = self.analyze().new
        return name

    def plan(self, name: ProposalId) -> FileChange:
        return planned(self.outside, name)

    def accept(self, name: ProposalId) -> bool:
        return accept(self.outside, self.plan(name), PERSON)

    def cut(self, name: ProposalId, at: str) -> None:
        """Accept it, and lose the machine at a step of the disk's."""
        change = self.plan(name)
        self.disk.failing = at
        with pytest.raises(EnvironmentTrouble):
            accept(self.outside, change, PERSON)
        self.disk.failing = ""

    def held(self, name: ProposalId) -> Proposal:
        with self.outside.ledger.reading() as reader:
            return proposal_of(reader, name)

    def audit(self, name: ProposalId) -> list[str]:
        """What happened to a proposal, in order."""
        with self.outside.ledger.reading() as reader:
            events: Sequence[Event] = list(reader.events(subject=proposal_subject(name)))
        return [text_of(event.payload.get("verdict")) or event.kind for event in events]
