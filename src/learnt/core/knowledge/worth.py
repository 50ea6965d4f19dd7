"""Whether a statement is worth keeping: the answer that the gates decide with."""

from dataclasses import dataclass
from typing import Final

from learnt.core.knowledge.junk import WORTHLESS

SORTS: Final = tuple(WORTHLESS)


@dataclass(frozen=True, slots=True)
class Worth:
    """How a statement was judged.

    `junk` is how far it speaks for junk: above 0 an agent's own offer is turned away, above
    VOUCHED (2) one that a tool call or a person vouches for. `sort` is the likeliest sort of junk,
    a name in WORTHLESS. What says nothing at all has the sort "says-nothing" and is junk for
    certain.
    """

    junk: float
    sort: str

    def rejected(self, margin: float = 0.0) -> str:
        """The sort of junk that it is; empty where it is worth keeping.

        `margin` is how far it may speak for junk all the same.

        >>> Worth(0.5, "plan").rejected(), Worth(0.5, "plan").rejected(2.0)
        ('plan', '')
        """
        return self.sort if self.junk > margin else ""


SOUND: Final = Worth(float("-inf"), "")
"""The answer for what is not judged by its wording."""
