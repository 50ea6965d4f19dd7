"""`knowledge`: facts that fade unless confirmed. In folder mode files are all there is."""

from functools import partial
from typing import Literal

import click

from learnt.errors import UsageError
from learnt.flows.knowledge.feedback import Word
from learnt.surfaces import folder_mode
from learnt.surfaces.answers.memories import Recorded
from learnt.surfaces.cli import harvesting, lifecycle, memory, publishing
from learnt.surfaces.cli.context import EVIDENCE, AnsweringCommand, Call, Id, coloured, command
from learnt.surfaces.cli.lifecycle import ID, tell


class _InOrder(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_InOrder)
def knowledge() -> None:
    """Facts, each with how far it can be trusted: in the ledger, or in Markdown files alone.

    In the ledger: capture, query, confirm, promote, expire, sweep, freshness, disputes, settle,
    relate, unrelate, tidy, harvest, log, diff, publish.
    Folder mode, where files are the truth and nothing else is needed: init, scan, search, inject,
    feedback, reset, invalidate, export. Given an entry's id (e-…), feedback, reset and invalidate
    are about the ledger.
    """


class _InFolder(AnsweringCommand):
    """A command whose words and help are folder mode's own."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(folder_mode.parser(str(self.name), "learnt knowledge").format_help())
        ledger = _IN_LEDGER.get(str(self.name))
        if ledger is not None:
            formatter.write("\nFor an entry of the ledger (--id e-…):\n")
            ledger.format_options(ctx, formatter)


def _in_folder(name: str) -> AnsweringCommand:
    completed = Id("entry").shell_complete if name in _IN_LEDGER else None

    @click.argument("words", nargs=-1, type=click.UNPROCESSED, shell_complete=completed)
    def run(*, words: tuple[str, ...]) -> int:
        if not folder_mode.of_the_ledger([name, *words]):
            return folder_mode.main([name, *words])
        main = partial(_IN_LEDGER[name].main, standalone_mode=False, color=coloured())
        return int(main(list(words), prog_name=f"learnt knowledge {name}"))

    run.__doc__ = folder_mode.parser(name, "learnt knowledge").description
    options = {"ignore_unknown_options": True}
    declared = click.command(name, cls=_InFolder, context_settings=options)(run)
    declared.answers = folder_mode.ANSWERS.get(name)
    if name in _IN_LEDGER:
        declared.answers |= Recorded
    return declared


@command("feedback", answers=Recorded)
@ID
@click.option("--result", required=True, type=click.Choice(["success", "failure"]))
@click.option("--weight", type=float, help="How much it counts, 0.001 to 10.")
@EVIDENCE
def _feedback(call: Call, name: str, result: str, weight: float | None, evidence: str) -> int:
    if weight is not None and not 0.001 <= weight <= 10:
        raise UsageError(f"{weight:g} is no weight: 0.001 to 10. Nothing was recorded.")
    word = Word(
        result="success" if result == "success" else "failure",
        actor=call.who.actor,
        weight=None if weight is None else round(weight * 1_000),
        evidence=evidence,
    )
    return tell(call, name, word)


def _plainly(result: Literal["reset", "invalidate"]) -> AnsweringCommand:
    @command(result, answers=Recorded)
    @ID
    @EVIDENCE
    def run(call: Call, *, name: str, evidence: str) -> int:
        return tell(call, name, Word(result=result, actor=call.who.actor, evidence=evidence))

    return run


_IN_LEDGER = {
    "feedback": _feedback,
    "reset": _plainly("reset"),
    "invalidate": _plainly("invalidate"),
}

for _commands in (
    memory.COMMANDS, lifecycle.COMMANDS, harvesting.COMMANDS, lifecycle.LOG, publishing.COMMANDS
):  # fmt: skip
    for _listed in _commands:
        knowledge.add_command(_listed)
for _name in folder_mode.COMMANDS:
    knowledge.add_command(_in_folder(_name))
