"""Transcripts on the disk: files of the agent's, read and never written."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from learnt.file_ports import Part

STEP = 1 << 20


class DiskTranscripts:
    """The file system. Whatever is no plain file, or can't be read, is an empty transcript."""

    def tail(self, path: str, most: int) -> bytes:
        """The last whole lines, at most so many bytes."""
        with _opened(path) as (descriptor, size):
            start = max(0, size - most)
            held = os.pread(descriptor, most, start) if descriptor >= 0 else b""
        return held.partition(b"\n")[2] if start else held

    def since(self, path: str, start: int, most: int) -> Part:
        """The whole lines from there on, at most so many bytes."""
        with _opened(path) as (descriptor, size):
            if descriptor < 0 or start >= size:
                return Part(start=start, end=start, size=size)
            held = os.pread(descriptor, most, start)
            end = held.rfind(b"\n") + 1
            if end:
                last = start + len(held) >= size
                return Part(data=held[:end], start=start, end=start + end, size=size, last=last)
            if start + len(held) >= size:
                return Part(start=start, end=start, size=size)  # its last line is being written
            after = _after_line(descriptor, start + len(held))
            skipped = after > 0
            return Part(
                start=start, end=after or start, size=size, skipped=skipped, last=not skipped
            )


def _after_line(descriptor: int, position: int) -> int:
    """Where the line that lies there ends; 0 where it does not end yet."""
    while piece := os.pread(descriptor, STEP, position):
        at = piece.find(b"\n")
        if at >= 0:
            return position + at + 1
        position += len(piece)
    return 0


@contextmanager
def _opened(path: str) -> Iterator[tuple[int, int]]:
    """A plain file's descriptor and size; -1 and 0 where there is none."""
    try:
        # Without O_NONBLOCK a pipe put in its place would hold up whoever looks.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        yield -1, 0
        return
    try:
        about = os.fstat(descriptor)
        yield (descriptor, about.st_size) if stat.S_ISREG(about.st_mode) else (-1, 0)
    finally:
        os.close(descriptor)
