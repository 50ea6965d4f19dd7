"""Whether a disk has room: by having it given, since trying alone tells of quotas and limits."""

import errno
import os
from contextlib import suppress
from pathlib import Path


def reserve(path: Path, size: int) -> None:
    """Have so many bytes given to a file of that name, and remove it. Raises OSError."""
    with suppress(FileNotFoundError):
        path.unlink()
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, 0, size)
            return
        free = os.fstatvfs(descriptor)
        if free.f_bavail * free.f_frsize < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)
        path.unlink()
