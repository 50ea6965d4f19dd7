"""Whether a statement is worth keeping: the answer that the gates decide with."""

from dataclasses import dataclass
from typing import Final

# The sorts of statement that nobody needs weeks later; the language room tells them apart.
WORTHLESS: Final[dict[str, str]] = {
    "says-nothing": "it says nothing: two meaningful words at least",
    "session": "it tells what was done in a session, not what holds afterwards",
    "transient": "it holds only now, and is out of date in some days",
    "general": "it is general knowledge, true of any project",
    "vague": "it is vague: nothing in it can be acted on",
    "plan": "it is a plan or an open question, not a fact",
    "speculation": "it is a guess that nobody verified",
    "output": "it is the raw output of a program, without what it means",
    "praise": "it is courtesy, and says nothing about the project",
    "instruction": "it is an order to whoever reads it, not knowledge",
    "obvious": "it is evident from the names in it",
}
VOUCHED: Final = 2.0  # how far what a tool call or a person vouches for may speak for junk


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
        """The sort of junk that it is; empty where it is worth keeping, or below the `margin`.

        >>> Worth(0.5, "plan").rejected(), Worth(0.5, "plan").rejected(2.0)
        ('plan', '')
        """
        return self.sort if self.junk > margin else ""


SOUND: Final = Worth(float("-inf"), "")
"""The answer for what is not judged by its wording."""
