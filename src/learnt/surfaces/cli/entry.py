"""Where `learnt` starts: what is called often goes straight to its work, all else to the rest."""

import sys


def main() -> int:
    """Run the words of the command line; the exit code."""
    if sys.argv[1:2] == ["hook"] and "--inline" in sys.argv:
        from learnt.surfaces.inline import main as answer_hook

        return answer_hook(sys.argv[2:])
    if sys.argv[1:2] == ["knowledge"] and sys.argv[2:3]:
        from learnt.surfaces import folder_mode

        words = sys.argv[2:]
        helped = "--help" in words or "-h" in words  # which tells of the ledger's form as well
        if words[0] in folder_mode.COMMANDS and not (helped or folder_mode.of_the_ledger(words)):
            return folder_mode.main(words)
    from learnt.surfaces.cli.commands import run

    return run(sys.argv[1:])
