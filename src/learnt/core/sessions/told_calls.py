"""One tool call as it is told of right after it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToldCall:
    """What a call failed with, or the file that it read or changed, and the text that it changed.

    All empty: nothing is known of it.
    """

    error: str = ""
    path: str = ""
    changed: str = ""
