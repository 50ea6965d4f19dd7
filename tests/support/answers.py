"""What a hook or a command that a test ran gave back."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Fired:
    """What one hook did."""

    exit_code: int
    output: bytes
    errors: bytes
    seconds: float

    @property
    def injected(self) -> str:
        """The text it put before the agent; empty where it printed nothing."""
        if not self.output:
            return ""
        said = json.loads(self.output)["hookSpecificOutput"]["additionalContext"]
        assert isinstance(said, str)
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one call of the command line did."""

    exit_code: int
    output: str
    errors: str

    @property
    def json(self) -> dict[str, Any]:
        value = json.loads(self.output)
        assert isinstance(value, dict)
        return value
