"""Transcripts on the disk: files of the agent's, read and never written."""

import os

from learnt.file_ports import Part
from learnt.stores.plain_files import opened

STEP = 1 << 20


class DiskTranscripts:
    """The file system. Whatever is no plain file, or can't be read, is an empty transcript."""

    def tail(self, path: str, most: int) -> bytes:
        with opened(path) as (descriptor, size):
            start = max(0, size - most)
            data = os.pread(descriptor, most, start) if descriptor >= 0 else b""
        return data.partition(b"\n")[2] if start else data

    def since(self, path: str, start: int, most: int) -> Part:
        with opened(path) as (descriptor, size):
            if descriptor < 0 or start >= size:
                return Part(start=start, end=start, size=size)
            data = os.pread(descriptor, most, start)
            last = start + len(data) >= size
            if end := data.rfind(b"\n") + 1:
                return Part(data=data[:end], start=start, end=start + end, size=size, last=last)
            # Where nothing follows, its last line is being written.
            after = 0 if last else _after_line(descriptor, start + len(data))
            return Part(
                start=start, end=after or start, size=size, skipped=after > 0, last=not after
            )


def _after_line(descriptor: int, position: int) -> int:
    """Where the line that lies there ends; 0 where it does not end yet."""
    while piece := os.pread(descriptor, STEP, position):
        at = piece.find(b"\n")
        if at >= 0:
            return position + at + 1
        position += len(piece)
    return 0
