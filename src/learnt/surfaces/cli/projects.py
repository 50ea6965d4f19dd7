"""`project`: which folders share a memory, and where Learnt is off."""

from collections.abc import Callable

import click

from learnt.core.records import Record
from learnt.flows.governance import projects
from learnt.flows.governance.projects import ProjectRow
from learnt.ports import Outside
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.screen import table


@click.group()
def project() -> None:
    """Which folders share a memory: list, link, split, name them, turn Learnt off and on."""


class Projects(Record):
    """Every project; `moved` says where this folder looks like one that moved."""

    projects: tuple[ProjectRow, ...]
    moved: str = ""


@command("list", within=project, answers=Projects, project=True)
def list_(call: Call) -> int:
    """Every project with its notes, and with which of the others it shares what it knows."""
    with call.asking() as outside:
        rows = projects.projects(outside, call.folder)
        moved = projects.moved_notice(outside, call.folder)
    return call.answer(Projects(tuple(rows), moved), _say)


def _say(answer: Projects) -> None:
    rows = [
        (
            "here" if row.here else "",
            row.id,
            plain(row.name),
            f"{row.notes} note(s)",
            " ".join(["off"] * row.off + [f"shares with {other}" for other in row.shares_with]),
        )
        for row in answer.projects
    ]
    for line in table(rows) if rows else ["No project was seen yet."]:
        click.echo(line.rstrip())
    if answer.moved:
        click.secho(plain(answer.moved), fg="yellow")


def _done(call: Call, decide: Callable[[Outside], str]) -> int:
    with call.ledger() as outside:
        click.echo(plain(decide(outside)))
    return 0


@command(within=project, project=True)
@click.argument("old")
def link(call: Call, old: str) -> int:
    """Say that this folder is the project OLD, which moved or has a copy: they share all."""
    return _done(call, lambda o: projects.link(o, call.folder, old, call.who.decider, "same"))


@command(within=project, project=True)
@click.argument("old")
def split(call: Call, old: str) -> int:
    """Say that this folder is not the project OLD: they share nothing from now on."""
    return _done(call, lambda o: projects.link(o, call.folder, old, call.who.decider, "apart"))


@command(within=project, project=True)
@click.argument("name")
def rename(call: Call, name: str) -> int:
    """Call this folder's project NAME."""
    return _done(call, lambda o: projects.rename(o, call.folder, name, call.who.decider))


@command(within=project, project=True)
def off(call: Call) -> int:
    """Turn Learnt off in this project: nothing is recalled or saved there."""
    return _done(call, lambda o: projects.switch(o, call.folder, call.who.decider, off=True))


@command(within=project, project=True)
def on(call: Call) -> int:
    """Turn Learnt on in this project again."""
    return _done(call, lambda o: projects.switch(o, call.folder, call.who.decider, off=False))
