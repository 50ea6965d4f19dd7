"""The one clock and the one source of chance."""

import os
import time


class SystemClock:
    """The machine's wall clock."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000  # noqa: TID251  # this is the Clock port


class SystemRandom:
    """The operating system's random bytes."""

    def bytes(self, count: int) -> bytes:
        return os.urandom(count)
