"""Plain files of others, opened so that nothing put in their place holds up the reader."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_LARGEST: Final = 16 << 20


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


def whole(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a plain file, up to 16 MB.

    Raises OSError where it can't be read, is something else than a plain file, or larger.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST:
            raise OSError(errno.EINVAL, "It is no plain file of less than 16 MB", str(path))
        return file.read()


def bytes_of(path: str | os.PathLike[str], largest: int, flags: int = 0) -> bytes | None:
    """All bytes of a plain file; None where there is none, or one that is larger."""
    with suppress(OSError), opened(path, flags) as (descriptor, size):
        if descriptor >= 0 and size <= largest:
            return os.pread(descriptor, largest + 1, 0)
    return None
