"""An offer of knowledge, and what became of it."""

from dataclasses import dataclass

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.brought import Quoted
from learnt.core.knowledge.drafts import Offered
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import Decision, Ruling
from learnt.core.knowledge.standing import CREDIBILITY
from learnt.formats.injection import Rival


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Knowledge on its way in: whose it is, and where it is to hold."""

    what: Offered
    actor: Actor
    folder: str | None = None  # None: everywhere
    quoted: Quoted | None = None
    witness: str = ""  # who vouches for it, a name in CREDIBILITY; empty for whoever acts
    session: str = ""  # the agent's, as it named it
    evidence: str = ""  # the id of a tool call that shows it
    repeats: EntryId | None = None  # by the word of the program that extracted it
    insisted: bool = False  # by a person, on what it is worth
    cites: tuple[str, ...] = ()  # what in the folder's project it can be seen by
    # Of what Learnt found itself:
    lesson: str = ""  # its sort
    episode: str = ""  # the prompt that it was found in
    came_from: Origin | None = None
    utterance: str = ""  # names one prompt of a person's
    at_once: bool = False  # marked to be remembered, and decided while that prompt is answered
    waits: str = ""  # why a person has yet to look at it: it stays a candidate
    picked: bool = False  # an agent picked it, and it was proved that a person typed it

    @property
    def origin(self) -> Origin:
        """A person at a terminal speaks for themselves; any other caller is the agent."""
        if self.came_from is not None:
            return self.came_from
        return Origin.USER if self.actor is Actor.HUMAN else Origin.ASSISTANT

    @property
    def credibility(self) -> int:
        """How far the witness is believed, in thousandths."""
        own = "human" if self.actor is Actor.HUMAN else "agent"
        return CREDIBILITY["tool" if self.evidence else self.witness or own]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferOutcome:
    """What became of an offer."""

    entry: EntryId
    ruling: Ruling
    stage: Stage
    redacted: tuple[str, ...] = ()  # the kinds of secret that were taken out
    upward: str = ""  # the kind of entry that this session's facts on it call for next
    unsure: tuple[Rival, ...] = ()  # notes that it may repeat or contradict
    counted: bool = True  # False where it repeats what its witness said before

    @property
    def decision(self) -> Decision:
        """What the gates decided."""
        return self.ruling.decision
