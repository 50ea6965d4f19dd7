"""Where `learnt` starts: what is called often goes straight to its work, all else to the rest."""

import sys
from collections.abc import Sequence

from learnt.surfaces.cli import output


def main() -> int:
    """Run the words of the command line; the exit code, also where nothing can be written."""
    words = sys.argv[1:]
    output.unasked()
    hook = words[:1] == ["hook"]  # never fails loudly, whatever becomes of its answer
    if sys.stdout is None:
        if not hook:
            output.say(output.CLOSED)
            return _failed(words)
        output.unheard()
    seen = output.watched()
    code: object = 1
    try:
        code = _run(words)
    except SystemExit as left:
        code = left.code
    except OSError:
        if seen is None or seen.trouble is None:
            raise
    output.flushed()
    if seen is not None and seen.trouble is not None:
        told = output.ended(seen.trouble, quiet=hook)
        return 0 if hook else _failed(words) if told else 1  # 1 is click's, for `| head -1`
    return code if isinstance(code, int) else int(code is not None)


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
    known = words[1] in folder_mode.COMMANDS
    return known and not (helped or folder_mode.of_the_ledger(words[1:]))


def _failed(words: Sequence[str]) -> int:
    """The code for what the machine does not allow; in folder mode any error is 1."""
    return 1 if _of_a_folder(words) else output.CODE
