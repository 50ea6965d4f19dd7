"""File systems of a test's own."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.homes import skip


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of its own of that size below a folder; the test is skipped without one."""
    point = folder / "disk"
    point.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0700", "tmpfs", str(point)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        why = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        why = str(error)
    if why:
        skip(f"no file system of a test's own can be mounted here: {why}")
    try:
        yield point
    finally:
        subprocess.run(["umount", "-l", str(point)], check=True)
