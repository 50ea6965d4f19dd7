"""Which functions of the package called which: runs of this process and of those forked off it."""

import os
import sys
import threading
from collections import defaultdict
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
    """All calls in their order, those of threads and forked processes among them."""

    calls: list[Call] = field(default_factory=list)

    def is_below(self, call: int, other: int) -> bool:
        """Whether a call was made while another one ran, by it or by what it called."""
        above = self.calls[call].below
        while above is not None and above > other:
            above = self.calls[above].below
        return above == other


@contextmanager
def traced(log: Path) -> Iterator[Trace]:
    """Note what is called inside, in this thread and in what it starts; a file keeps it till then.

    A forked process ends without a word to this one: each call is written down as it is made.
    """
    descriptor = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    # A thread that was started inside may still run when this ends, and calls on.
    writing, over = threading.Lock(), threading.Event()

    def note(frame: FrameType, event: str, argument: object) -> None:
        path = frame.f_code.co_filename
        if event in {"call", "return"} and path.startswith(_PACKAGE):
            name = f"{path.removeprefix(_PACKAGE)}: {frame.f_code.co_qualname}"
            runner = f"{os.getpid()}.{threading.get_ident()}"
            with writing:
                if not over.is_set():
                    os.write(descriptor, f"{runner}\t{event}\t{name}\n".encode())

    trace = Trace()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        with writing:
            over.set()
            os.close(descriptor)
        trace.calls += _calls(log.read_text("utf-8").splitlines())


def _calls(lines: list[str]) -> list[Call]:
    calls: list[Call] = []
    running: defaultdict[str, list[int]] = defaultdict(list)
    for line in lines:
        runner, event, name = line.split("\t")
        stack = running[runner]
        if event == "call":
            calls.append(Call(name, stack[-1] if stack else None))
            stack.append(len(calls) - 1)
        elif stack:
            stack.pop()
    return calls
