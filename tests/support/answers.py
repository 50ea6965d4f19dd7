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
        return str(
            json.loads(self.output).get("hookSpecificOutput", {}).get("additionalContext", "")
        )

    @property
    def notice(self) -> str:
        """The line that it put on the person's screen; empty where it printed none."""
        return str(json.loads(self.output or b"{}").get("systemMessage", ""))


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
