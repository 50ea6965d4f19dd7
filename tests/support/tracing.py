"""Which functions of the package called which: a run in this process, as it really went."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import learnt

_PACKAGE = f"{Path(learnt.__file__).parent}/"


class Call(NamedTuple):
    """One call: `path: function` of the package, and the number of the call that it is below."""

    name: str
    below: int | None


@dataclass
class Trace:
    """All calls in their order, those of every thread that began meanwhile among them."""

    calls: list[Call] = field(default_factory=list)
    _running: threading.local = field(default_factory=threading.local)

    def is_below(self, call: int, other: int) -> bool:
        """Whether a call was made while another one ran, by it or by what it called."""
        above = self.calls[call].below
        while above is not None and above > other:
            above = self.calls[above].below
        return above == other

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """Take in what the interpreter tells its profiler."""
        path = frame.f_code.co_filename
        if event not in {"call", "return"} or not path.startswith(_PACKAGE):
            return
        stack: list[int] = self._running.__dict__.setdefault("stack", [])
        if event == "call":
            name = f"{path.removeprefix(_PACKAGE)}: {frame.f_code.co_qualname}"
            self.calls.append(Call(name, stack[-1] if stack else None))
            stack.append(len(self.calls) - 1)
        elif stack:
            stack.pop()


@contextmanager
def traced() -> Iterator[Trace]:
    """Note what is called inside, in this thread and in those that it starts."""
    trace = Trace()
    threading.setprofile(trace.note)
    sys.setprofile(trace.note)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
