"""A clock in memory."""

from dataclasses import dataclass


@dataclass(slots=True)
class FixedClock:
    """A clock that stands where it is set."""

    ms: int = 1_700_000_000_000

    def now_ms(self) -> int:
        return self.ms
