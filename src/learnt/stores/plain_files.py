"""Plain files of others, opened so that nothing put in their place holds up the reader."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def opened(path: str | os.PathLike[str], flags: int = 0) -> Iterator[tuple[int, int]]:
    """A plain file's descriptor and size; -1 and 0 where there is none."""
    try:
        # Without O_NONBLOCK a pipe put in its place would be waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
    except (OSError, ValueError):
        yield -1, 0
        return
    try:
        about = os.fstat(descriptor)
        yield (descriptor, about.st_size) if stat.S_ISREG(about.st_mode) else (-1, 0)
    finally:
        os.close(descriptor)


def bytes_of(path: str | os.PathLike[str], largest: int, flags: int = 0) -> bytes | None:
    """All bytes of a plain file; None where there is none, or one that is larger."""
    with suppress(OSError), opened(path, flags) as (descriptor, size):
        if descriptor >= 0 and size <= largest:
            return os.pread(descriptor, largest + 1, 0)
    return None
