"""The language room: answers its questions with the patterns and weights that are shipped."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # each question loads what it needs when it is asked first
    from learnt.core.address import Address
    from learnt.core.digest.remarks import Reading
    from learnt.core.health.outcomes import Reply
    from learnt.core.knowledge.objections import Objection
    from learnt.core.knowledge.worth import Worth

_LATIN: Final = "the port is 8443"
_CHINESE: Final = "\u7aef\u53e3\u662f 8443"


class ShippedLanguage:
    """Reads English and Chinese."""

    def worth(self, text: str) -> "Worth":
        """How far a statement speaks for junk, and of which sort."""
        from learnt.language.worth import worth

        return worth(text)

    def reply(self, prompt: str) -> "Reply":
        """What a prompt says of the work before it."""
        from learnt.language.replies import reply

        return reply(prompt)

    def remarks(self, prompt: str) -> "Reading":
        """What a prompt says, above all for good."""
        from learnt.language.remarks import read

        return read(prompt)

    def own_part(self, prompt: str) -> str:
        """The beginning of a prompt that its author wrote: up to a paste or a quotation."""
        from learnt.language.own_words import own_part

        return own_part(prompt)

    def leaves_open(self, text: str) -> bool:
        """Whether a text asks, supposes, repeats somebody else, or wants something done now."""
        from learnt.language.remarks import leaves_open

        return leaves_open(text)

    def draft_words(self, text: str) -> Mapping[str, str]:
        """What a draft says around a note, in the language that its text is in."""
        from learnt.language.drafting import draft_words

        return draft_words(text)

    def objection(self, prompt: str) -> "Objection | None":
        """That something a prompt was shown does not hold, where it says so."""
        from learnt.language.objections import objection

        return objection(prompt)

    def commands(self, text: str) -> "Address":
        """How far a text commands its reader."""
        from learnt.language.commands import commands

        return commands(text)

    def misleads(self, text: str) -> float:
        """How far a text is like the sentences of attacks: few honest ones are above 0."""
        from learnt.language.threats import misleads

        return misleads(text)

    def lays_down(self, text: str) -> bool:
        """Whether a statement says how work is to be done: a rule."""
        from learnt.language.rules import lays_down

        return lays_down(text)

    def weakens(self, text: str) -> bool:
        """Whether a rule asks to weaken Learnt, permissions or hooks."""
        from learnt.language.rules import weakens

        return weakens(text)

    def acts_in(self, text: str) -> frozenset[str]:
        """The acts that a text is about: commit, push, deploy, install, test, and so on."""
        from learnt.language.rules import acts_in

        return acts_in(text)

    def warm_up(self) -> Iterator[None]:
        """Load what a prompt's questions need, then by small parts what an offer's need as well.

        Each part behind the first step takes some tens of milliseconds: a hook may come meanwhile.
        """
        from learnt.language.replies import warm_up

        warm_up()
        for text in _LATIN, _CHINESE:  # of a note that may be shown: whether it commands its reader
            self.commands(text)
            self.misleads(text)
        yield
        from learnt.core.knowledge.comparing import compare
        from learnt.language.remarks import read

        for text in _LATIN, _CHINESE:
            yield
            read(text)
            yield
            self.worth(text)
        yield
        compare(_LATIN, _CHINESE, str)
