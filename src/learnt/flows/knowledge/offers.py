"""An offer of knowledge, and what became of it."""

from dataclasses import dataclass

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Offered
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import Decision, Ruling
from learnt.core.knowledge.relations import Relation
from learnt.core.knowledge.standing import CREDIBILITY


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Where in a conversation an offer was said: each part None where it is not known."""

    session: str | None = None
    position: int | None = None
    speaker: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Knowledge on its way in: whose it is, and where it is to hold.

    `witness` is who vouches for it, a name in CREDIBILITY; empty for whoever acts; `evidence` the
    id of a tool call that shows it. `session` is the agent's, as it named it; `judged` its own
    judgement of entries that the rules are not sure about. A person may have `insisted` on what
    it is worth. `cites` names what in the folder's project it can be seen by.

    Of what Learnt found itself `lesson` is the sort, `episode` the prompt that it was found in,
    `came_from` where its text comes from, and `utterance` names one sentence of a person's.
    """

    what: Offered
    actor: Actor
    folder: str | None = None  # None: everywhere
    quoted: Quoted | None = None
    witness: str = ""
    session: str = ""
    evidence: str = ""
    judged: tuple[tuple[EntryId, Relation], ...] = ()
    insisted: bool = False
    lesson: str = ""
    episode: str = ""
    came_from: Origin | None = None
    utterance: str = ""
    cites: tuple[str, ...] = ()

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
class Outcome:
    """What became of an offer.

    `redacted` names the kinds of secret that were taken out; `upward` the kind of entry that this
    session's facts about the same thing call for next; `counted` is False where it only repeats
    what its witness said before.
    """

    entry: EntryId
    ruling: Ruling
    stage: Stage
    redacted: tuple[str, ...] = ()
    upward: str = ""
    counted: bool = True

    @property
    def decision(self) -> Decision:
        """What the gates decided."""
        return self.ruling.decision
