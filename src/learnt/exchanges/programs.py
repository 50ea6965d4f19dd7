"""Somebody else's program is run, and ended after a time with all that it started."""

import os
import resource
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from tempfile import TemporaryFile

from learnt.core.records import Record


class Ran(Record):
    """A program's exit code, what it printed, and its errors."""

    code: int
    output: str
    errors: str


def run(
    words: Sequence[str],
    environment: Mapping[str, str],
    seconds: float,
    largest: int,
    said: str = "",
) -> Ran:
    """Run a program whose files are bounded; what it did. Raises OSError, TimeoutExpired."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    # Files, since a child of it may hold a pipe open for ever.
    with TemporaryFile() as given, TemporaryFile() as output, TemporaryFile() as errors:
        given.write(said.encode("utf-8", "replace"))
        given.seek(0)
        process = subprocess.Popen(
            words, stdin=given, stdout=output, stderr=errors, cwd="/", env=environment,
            start_new_session=True, preexec_fn=bounded,
        )  # fmt: skip
        try:
            code = process.wait(seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for file in (output, errors):
            file.seek(0)
        return Ran(code, *(file.read().decode("utf-8", "replace") for file in (output, errors)))
