"""Where `learnt` starts: what is called often goes straight to its work, all else to the rest.

Standard output that cannot be written is noticed where it happens, and told in one line. Standard
input that is closed is empty.
"""

import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_CODE: Final = 5  # as EnvironmentTrouble's, which would take longer to load
_CLOSED: Final = (
    "Standard output is closed. Nothing was done; where no answer is wanted, send it to /dev/null."
)
_CUT: Final = (
    "Standard output cannot be written ({}), so the answer is not whole. What the command had "
    "changed by then is kept; look before you call it again."
)

_TROUBLE: Final = "The system does not allow it ({}). Look at what was done before you try again."


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


def main() -> int:
    """Run the words of the command line; the exit code, also where nothing can be written."""
    words = sys.argv[1:]
    hook = words[:1] == ["hook"]  # never fails loudly, whatever becomes of its answer
    if sys.stdin is None:  # then nobody is at a terminal
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  # until the end
    if sys.stdout is None:
        if not hook:
            return _failed(_CLOSED, words)
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # likewise
    output = _watched()
    code: object = None
    try:
        code = _run(words)
    except SystemExit as left:
        code = left.code
    except OSError as error:
        if not hook and (output is None or output.trouble is None):
            code = _failed(_TROUBLE.format(error), words)
    with suppress(OSError, ValueError):  # what waits is written while its trouble can be told
        sys.stdout.flush()
    if output is None or output.trouble is None:
        return code if isinstance(code, int) else int(code is not None)
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  # what still waits has to go somewhere
        os.dup2(nowhere.fileno(), 1)
    if hook:
        return 0
    if output.trouble.errno == errno.EPIPE:
        return 1  # click's code for `| head -1`, where nobody listens any more
    return _failed(_CUT.format(output.trouble.strerror), words)


def _watched() -> Output | None:
    """Standard output from now on; None where it is no usual file, as within another program."""
    now = sys.stdout
    if not isinstance(now, io.TextIOWrapper):
        return None
    if type(getattr(now.buffer, "raw", now.buffer)) is not io.FileIO:
        return None
    now.flush()
    output = Output(now.fileno(), "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output),
        encoding=now.encoding,
        # What an encoding has no sign for is spelled out, as on standard error.
        errors="backslashreplace" if now.errors == "strict" else now.errors,
        line_buffering=now.line_buffering or now.write_through,
    )
    return output


def _run(words: Sequence[str]) -> int:
    if words[:1] == ["hook"] and "--inline" in words:
        from learnt.surfaces.inline import main as answer_hook

        return answer_hook(words[1:])
    if _of_a_folder(words):
        from learnt.surfaces import folder_mode

        return folder_mode.main(words[1:])
    from learnt.surfaces.cli.commands import run

    return run(words)


def _of_a_folder(words: Sequence[str]) -> bool:
    if words[:1] != ["knowledge"] or not words[1:2]:
        return False
    from learnt.surfaces import folder_mode

    helped = "--help" in words or "-h" in words  # which tells of the ledger's form as well
    in_folder = words[1] in folder_mode.COMMANDS and not folder_mode.of_the_ledger(words[1:])
    return in_folder and not helped


def _failed(text: str, words: Sequence[str]) -> int:
    """Say what the machine does not allow; the code for it: in folder mode any error is 1."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"learnt: {text}\n")
    return 1 if _of_a_folder(words) else _CODE
