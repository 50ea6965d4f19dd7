"""Standard output that cannot be written: noticed where it happens, and told in one line.

And standard input that is closed: it is empty then.
"""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CODE: Final = 5  # as EnvironmentTrouble's, which would take longer to load
CLOSED: Final = (
    "Standard output is closed. Nothing was done; where no answer is wanted, send it to /dev/null."
)
_CUT: Final = (
    "Standard output cannot be written ({}), so the answer is not whole. What the command had "
    "changed by then is kept; look before you call it again."
)


class Output(io.FileIO):
    """Standard output's file, which remembers what went wrong with it."""

    trouble: OSError | None = None

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write, as far as it goes."""
        try:
            return super().write(data)
        except OSError as error:
            self.trouble = error
            raise


def watched() -> Output | None:
    """Standard output from now on; None where it is no usual file, as within another program."""
    now = sys.stdout
    if not isinstance(now, io.TextIOWrapper):
        return None
    if type(getattr(now.buffer, "raw", now.buffer)) is not io.FileIO:
        return None
    now.flush()
    made = Output(now.fileno(), "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(made),
        encoding=now.encoding,
        errors=now.errors,
        line_buffering=now.line_buffering or now.write_through,
    )
    return made


def unasked() -> None:
    """Have what is read be nothing where standard input is closed: nobody is at a terminal."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  # until the end


def unheard() -> None:
    """Have whatever is said go nowhere."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # until the end


def flushed() -> None:
    """Have what waits be written now, while what goes wrong can still be told."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()


def ended(trouble: OSError, *, quiet: bool) -> bool:
    """Say what went wrong, unless nobody listens any more; whether it is said."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  # what still waits has to go somewhere
        os.dup2(nowhere.fileno(), 1)
    if quiet or trouble.errno == errno.EPIPE:
        return False
    say(_CUT.format(trouble.strerror))
    return True


def say(text: str) -> None:
    """One line on standard error, where there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"learnt: {text}\n")
