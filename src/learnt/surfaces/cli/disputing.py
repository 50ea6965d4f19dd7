"""`knowledge disputes` and `settle`, and disputes in `review`: a person says what holds."""

from functools import partial
from typing import NamedTuple

import click

from learnt.core.identifiers import EntryId
from learnt.errors import UsageError
from learnt.flows.knowledge.disputes import Dispute, disputes, settle
from learnt.formats.injection import day
from learnt.ports import Outside
from learnt.surfaces.cli.context import Call, Caller, command, plain
from learnt.surfaces.cli.ids import Id
from learnt.surfaces.cli.keys import KeyChoice, asked


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
        say_dispute(each, number, len(found))
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


def review_disputes(outside: Outside, call: Call) -> int | None:
    """Take a person through the open disputes; others are shown them.

    How many are open still; None where the person left.
    """
    found, human = disputes(outside, call.folder), call.who.interactive
    for number, each in enumerate(found, 1):
        say_dispute(each, number, len(found))
        if human and not ask_about(outside, call.who, each):
            return None
    if found and not human:
        click.echo("A person at a terminal says which one holds: `learnt review` there.")
    return len(disputes(outside, call.folder))


def settle_now(outside: Outside, call: Call, entry: EntryId) -> None:
    """Ask about each dispute of an entry that was just kept; skipped ones wait for `review`."""
    found = [d for d in disputes(outside, call.folder) if entry in {d.older.id, d.newer.id}]
    for number, each in enumerate(found, 1):
        say_dispute(each, number, len(found))
        if not ask_about(outside, call.who, each):
            return


def ask_about(outside: Outside, who: Caller, dispute: Dispute) -> bool:
    """Ask which side holds, until an answer leads on; False for leaving."""

    def holds(one: EntryId, other: EntryId, *, both: bool = False) -> None:
        click.echo(f"★ {settle(outside, one, other, who.decider, both=both)}.")

    older, newer = dispute.older.id, dispute.newer.id
    retires = "the other is retired; there is no undo for this"
    answer = asked({
        "1": KeyChoice("Which one holds: 1", f"the first; {retires}", partial(holds, older, newer)),
        "2": KeyChoice("2", f"the second; {retires}", partial(holds, newer, older)),
        "b": KeyChoice(
            "(b)oth", "both; no dispute is left", partial(holds, older, newer, both=True)
        ),
    })
    return answer != "q"


def say_dispute(dispute: Dispute, number: int, total: int) -> None:
    """Under a heading the two sides, each with whose it is and since when."""
    click.secho(f"\nDispute {number} of {total}: both may not hold", bold=True)
    sides = ((dispute.older, dispute.for_older), (dispute.newer, dispute.for_newer))
    for number, (note, arguments) in enumerate(sides, 1):
        click.echo(f"  {number}. {plain(note.said)}")
        click.secho(f"     {note.id} · kept {day(note.kept_ms)} {note.kept_by}", dim=True)
        for argument in arguments:
            click.secho(f"     said for it: {plain(argument)}", dim=True)


COMMANDS = (list_disputes, settle_one)
