"""The command line: one group, its commands by noun in the files beside this one."""

from collections.abc import Sequence

import click

import learnt
from learnt.errors import LearntError
from learnt.surfaces.cli.context import HOME, plain
from learnt.surfaces.cli.demo import demo
from learnt.surfaces.cli.evolve import evolve
from learnt.surfaces.cli.health import health
from learnt.surfaces.cli.memory import import_, recall, remember
from learnt.surfaces.cli.resident import hook, worker
from learnt.surfaces.cli.review import review
from learnt.surfaces.cli.setup import completion, doctor, init, uninstall
from learnt.surfaces.cli.trust import purge, rebuild, status, why


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 ok, 1 finding or refusal, 2 usage, 3 not found, 4 conflict, "
    "5 environment.",
)
@click.version_option(learnt.__version__, prog_name="learnt")
@HOME
def learnt_command(home: str | None) -> None:
    """What your coding agent learnt once, put before it again where it helps.

    Start with `learnt init`, then `learnt remember` what cost you time.
    """


# What the list of commands says of each: a line of a terminal holds no more.
for command, said in {
    init: "Have your agent call Learnt.",
    uninstall: "Take Learnt out of your agent again, exactly.",
    doctor: "Try every part on this machine; what to do about what fails.",
    status: "What is remembered, how it is used, what waits for you.",
    demo: "Show the whole loop in a throw-away home, in ten seconds.",
    why: "The story of an entry, a proposal, a session or an event.",
    recall: "Ask what is remembered; without words, the newest.",
    remember: "Remember a solution: a problem and what worked.",
    import_: "Remember many, from a file or another memory's folder.",
    review: "Decide on what waits: accept, reject, skip, undo, by key.",
    evolve: "What keeps being recalled or missed becomes a proposal.",
    health: "Whether skills work: executions, outcomes, your word.",
    rebuild: "Recompute every view and index from the events.",
    purge: "Erase texts for good, every copy that Learnt made.",
    worker: "The resident process: hooks start it, it leaves by itself.",
    hook: "Answer an agent's hook in one process.",
    completion: "Print a shell's completion script.",
}.items():
    command.short_help = said
    learnt_command.add_command(command)


def run(words: Sequence[str]) -> int:
    """Run one command; the exit code of `design`: errors say what happened, was kept, and to do."""
    try:
        code = learnt_command.main(list(words), prog_name="learnt", standalone_mode=False)
    except LearntError as error:
        click.echo(f"learnt: {plain(str(error))}", err=True)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("learnt: stopped; nothing more was done.", err=True)
        return 1
    return code if isinstance(code, int) else 0
