"""Transcripts on the disk: files of the agent's, read and never written."""

import os
import stat


class DiskTranscripts:
    """The file system. Whatever is no plain file, or can't be read, is an empty transcript."""

    def tail(self, path: str, most: int) -> bytes:
        """The last whole lines, at most so many bytes."""
        try:
            # Without O_NONBLOCK a pipe put in its place would hold up whoever looks.
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError):
            return b""
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                return b""
            start = max(0, about.st_size - most)
            held = os.pread(descriptor, most, start)
        except OSError:
            return b""
        finally:
            os.close(descriptor)
        return held.partition(b"\n")[2] if start else held
