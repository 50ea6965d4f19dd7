"""What a person's next prompt says of the episode before it, as the language room reads it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Verdict(StrEnum):
    """What a prompt says of the work before it. The value is the stored form."""

    REVERT = "revert"
    CORRECTION = "correction"
    NEGATIVE = "negative"
    PRAISE = "praise"
    NONE = ""

    @classmethod
    def stored(cls, text: str) -> "Verdict":
        """The verdict of a stored text; none where it is of a version that knew others.

        >>> Verdict.stored("praise").name, Verdict.stored("shrug").name
        ('PRAISE', 'NONE')
        """
        return next((verdict for verdict in cls if verdict.value == text), cls.NONE)

    @property
    def blames(self) -> bool:
        """Whether it says that the work was wrong.

        >>> Verdict.NEGATIVE.blames, Verdict.PRAISE.blames
        (True, False)
        """
        return self in _BLAME


_BLAME: Final = frozenset({Verdict.REVERT, Verdict.CORRECTION, Verdict.NEGATIVE})


@dataclass(frozen=True, slots=True)
class Reply:
    """What a prompt says of what came before it, and the words that say so."""

    verdict: Verdict
    quote: str = ""


NOTHING: Final = Reply(Verdict.NONE)
