"""What flows ask of whoever reads human sentences."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from learnt.core.address import Address
from learnt.core.digest.remarks import Reading
from learnt.core.health.outcomes import Reply
from learnt.core.knowledge.admission import Worth
from learnt.core.knowledge.objections import Objection


class Language(Protocol):
    """Reads human sentences. The flows ask; `core` decides with the answers."""

    def worth(self, text: str, /) -> Worth:
        """How far a statement looks like junk, and its likeliest sort."""

    def reply(self, prompt: str, /) -> Reply:
        """What a prompt says of the work before it."""

    def remarks(self, prompt: str, /) -> Reading:
        """What a prompt says, above all for good."""

    def own_part(self, prompt: str, /) -> str:
        """The beginning of a prompt that its author wrote: up to a paste or a quotation."""

    def leaves_open(self, text: str, /) -> bool:
        """Whether a text asks, supposes, repeats somebody else, or wants something done now."""

    def draft_words(self, text: str, /) -> Mapping[str, str]:
        """What a draft says around a note, by what it stands for, in the text's language."""

    def objection(self, prompt: str, /) -> Objection | None:
        """That something a prompt was shown does not hold, where it says so."""

    def commands(self, text: str, /) -> Address:
        """How far a text commands its reader."""

    def misleads(self, text: str, /) -> float:
        """How far a text is like the sentences of attacks: few honest ones are above 0."""

    def lays_down(self, text: str, /) -> bool:
        """Whether a statement says how work is to be done: a rule."""

    def weakens(self, text: str, /) -> bool:
        """Whether a rule asks to weaken Learnt, permissions or hooks."""

    def acts_in(self, text: str, /) -> frozenset[str]:
        """The acts that a text is about: commit, push, deploy, install, test, and so on."""

    def warm_up(self) -> Iterator[None]:
        """Load what a prompt's questions need, then by small parts what an offer's need as well."""
