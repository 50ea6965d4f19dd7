"""`knowledge`: facts that fade unless confirmed. In folder mode files are all there is."""

from typing import Literal

import click

from learnt.errors import UsageError
from learnt.flows.knowledge.feedback import Word
from learnt.surfaces import folder_mode
from learnt.surfaces.cli import chronicle, harvesting, lifecycle, publishing
from learnt.surfaces.cli.context import EVIDENCE, HOME, JSON, caller


class _InOrder(click.Group):
    """A group that lists its commands as they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in that order."""
        return list(self.commands)


@click.group(cls=_InOrder)
def knowledge() -> None:
    """Facts, each with how far it can be trusted: in the ledger, or in Markdown files alone.

    In the ledger: capture, query, confirm, promote, expire, sweep, freshness, harvest, log, diff,
    publish.
    Folder mode, where files are the truth and nothing else is needed: init, scan, search, inject,
    feedback, reset, invalidate, export. Given an entry's id (e-…), feedback, reset and invalidate
    are about the ledger.
    """


class _InFolder(click.Command):
    """A command whose words and help are folder mode's own."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Folder mode's help, of folder mode's words."""
        formatter.write(folder_mode.parser(str(self.name), "learnt knowledge").format_help())
        ledger = _IN_LEDGER.get(str(self.name))
        if ledger is not None:
            formatter.write("\nFor an entry of the ledger (--id e-…):\n")
            ledger.format_options(ctx, formatter)


def _command(name: str) -> click.Command:
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def run(*, words: tuple[str, ...]) -> int:
        if folder_mode.of_the_ledger([name, *words]):
            said = _IN_LEDGER[name].main(
                list(words), prog_name=f"learnt knowledge {name}", standalone_mode=False
            )
            return int(said)
        return folder_mode.main([name, *words])

    run.__doc__ = folder_mode.parser(name, "learnt knowledge").description
    return click.command(name, cls=_InFolder, context_settings={"ignore_unknown_options": True})(
        run
    )


@click.command()
@click.option("--id", "name", required=True, metavar="ID", help="The entry.")
@click.option("--result", required=True, type=click.Choice(["success", "failure"]))
@click.option("--weight", type=float, help="How much it counts, 0.001 to 10.")
@EVIDENCE
@JSON
@HOME
def _feedback(
    name: str, result: str, weight: float | None, evidence: str, *, as_json: bool, home: str | None
) -> int:
    if weight is not None and not 0.001 <= weight <= 10:
        raise UsageError(f"{weight:g} is no weight: 0.001 to 10. Nothing was recorded.")
    who = caller(home)
    word = Word(
        result="success" if result == "success" else "failure",
        actor=who.actor,
        weight=None if weight is None else round(weight * 1_000),
        evidence=evidence,
        session=who.session,
    )
    return lifecycle.tell(who, name, word, as_json=as_json)


def _plainly(result: Literal["reset", "invalidate"]) -> click.Command:
    @click.option("--id", "name", required=True, metavar="ID", help="The entry.")
    @EVIDENCE
    @JSON
    @HOME
    def run(*, name: str, evidence: str, as_json: bool, home: str | None) -> int:
        who = caller(home)
        word = Word(result=result, actor=who.actor, evidence=evidence, session=who.session)
        return lifecycle.tell(who, name, word, as_json=as_json)

    return click.command(result)(run)


_IN_LEDGER = {
    "feedback": _feedback,
    "reset": _plainly("reset"),
    "invalidate": _plainly("invalidate"),
}

for _listed in (
    *lifecycle.COMMANDS,
    *harvesting.COMMANDS,
    *chronicle.COMMANDS,
    *publishing.COMMANDS,
):
    knowledge.add_command(_listed)
for _name in folder_mode.COMMANDS:
    knowledge.add_command(_command(_name))
