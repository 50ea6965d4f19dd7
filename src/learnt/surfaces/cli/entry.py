"""Where `learnt` starts: a hook goes straight to its work, all else to the command line proper."""

import sys


def main() -> int:
    """Run the words of the command line; the exit code."""
    if sys.argv[1:2] == ["hook"] and "--inline" in sys.argv:
        from learnt.surfaces.inline import main as answer_hook

        return answer_hook(sys.argv[2:])
    from learnt.surfaces.cli.commands import run

    return run(sys.argv[1:])
