"""What a session's digest asks of the language room."""

from typing import Protocol

from learnt.core.address import Address
from learnt.core.digest.remarks import Around, Reading


class Reads(Protocol):
    """Reads human sentences; `ports.Language` is one."""

    def remarks(self, prompt: str, around: Around) -> Reading:
        """What a prompt says, above all for good."""

    def commands(self, text: str) -> Address:
        """Whether a text commands its reader."""
