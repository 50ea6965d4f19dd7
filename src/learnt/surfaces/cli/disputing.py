"""`knowledge disputes` and `settle`: which entries may not hold together, and which one does."""

from typing import NamedTuple

import click

from learnt.core.identifiers import EntryId
from learnt.errors import UsageError
from learnt.flows.knowledge.disputes import Dispute, disputes, settle
from learnt.formats.injection import day
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.ids import Id


class Disputed(NamedTuple):
    """Two entries that may not hold together, the older one first."""

    older: EntryId
    newer: EntryId
    older_text: str
    newer_text: str


class Disputes(NamedTuple):
    """The disputes that are open, the oldest first."""

    disputes: tuple[Disputed, ...]


class SettledDispute(NamedTuple):
    """What became of a dispute, in words."""

    said: str


@command("disputes", answers=Disputes, project=True)
def list_disputes(call: Call) -> int:
    """Entries that may not hold together: each counts as VERIFY until you say which one holds."""
    found = call.look(lambda outside: disputes(outside, call.folder), [])
    rows = tuple(Disputed(d.older.id, d.newer.id, d.older.said, d.newer.said) for d in found)
    return call.answer(Disputes(rows), lambda _: _say_disputes(found))


def _say_disputes(found: list[Dispute]) -> None:
    for number, each in enumerate(found, 1):
        click.secho(f"\nDispute {number} of {len(found)}: both may not hold", bold=True)
        say_sides(each)
    if found:
        click.echo()
        click.echo("`learnt review` takes you through them; `learnt knowledge settle` does one.")
    else:
        click.echo("Nothing is in dispute.")


@command("settle", answers=SettledDispute)
@click.argument("holds", type=Id("entry"), metavar="ID")
@click.option("--over", type=Id("entry"), help="The entry that does not hold: it is retired.")
@click.option("--both", type=Id("entry"), help="The entry that holds as well.")
def settle_one(call: Call, holds: str, *, over: str | None, both: str | None) -> int:
    """Say which of two disputed entries holds. For a person at a terminal alone."""
    if (over is None) == (both is None):
        raise UsageError("Name the other entry: with --over, or with --both. Nothing was changed.")
    other = EntryId(over or both or "")
    with call.asking() as outside:
        done = settle(outside, EntryId(holds), other, call.who.decider, both=both is not None)
    return call.answer(SettledDispute(done), f"{done}.")


def say_sides(dispute: Dispute) -> None:
    """The two sides, each with whose it is and since when, and what was said for it."""
    sides = ((dispute.older, dispute.for_older), (dispute.newer, dispute.for_newer))
    for number, (note, arguments) in enumerate(sides, 1):
        click.echo(f"  {number}. {plain(note.said)}")
        click.secho(f"     {note.id} · kept {day(note.kept_ms)} {note.kept_by}", dim=True)
        for argument in arguments:
            click.secho(f"     said for it: {plain(argument)}", dim=True)


COMMANDS = (list_disputes, settle_one)
