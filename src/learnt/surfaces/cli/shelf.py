"""What the commands on skills share: the skills of a call, and how one is shown."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from learnt.core.skills.replay import PLACES, Shadowing
from learnt.core.skills.skills import Finding, Severity
from learnt.surfaces.cli.context import Call, plain
from learnt.surfaces.cli.screen import fitting
from learnt.surfaces.skills_here import open_shelf

if TYPE_CHECKING:
    from learnt.flows.skills.catalogue import OpenShelf


@contextmanager
def shelf(call: Call, *, asks: bool = False) -> "Iterator[OpenShelf]":
    """The skills of the call's project and of its user; what only `asks` makes no home."""
    begun = call.asking() if asks else call.ledger()
    with begun as outside, open_shelf(outside, call.who.settings, call.folder) as opened:
        yield opened


def readable(content: bytes) -> str:
    """A file as it is shown: its text, or how large it is."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return f"({len(content):,} bytes that are no text)"


_COLOURS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def say_findings(findings: Iterable[Finding], *, err: bool = False) -> None:
    """Findings for people, one a line: path, line, rule, message."""
    for finding in findings:
        colour = _COLOURS[finding.severity]
        where = f"{plain(finding.path)}:{finding.line}"
        rule = click.style(finding.rule, fg=colour)
        click.echo(f"{where}: {rule}: {plain(finding.message)}", err=err)


def say_shadowing(replayed: Shadowing, *, err: bool = False) -> None:
    """What a skill would displace, for people; those that were used are in colour."""
    prompts = replayed.prompts
    if not prompts:
        click.echo("No prompt was recorded yet, so what it displaces is not known.", err=err)
        return
    less = f", for {replayed.leaves} no longer" if replayed.leaves else ""
    line = f"Of the last {prompts} prompts it would be offered for {replayed.enters} more{less}"
    unused = [
        f"{plain(skill.name)} ({skill.pushed_out + skill.off_first})"
        for skill in replayed.displaced
        if not skill.used
    ]
    rest = f", in place of skills unused there: {', '.join(unused)}" if unused else ""
    nothing = "" if replayed.displaced else "; no skill is displaced"
    click.echo(f"{line}{rest or nothing}.", err=err)
    for skill in replayed.displaced:
        if skill.used:
            line = (
                f"It displaces {plain(skill.name)}, used for {skill.used} of these prompts: out of "
                f"the first {PLACES} for {skill.pushed_out}, no longer first for {skill.off_first}."
            )
            click.secho(line, fg="yellow", err=err)
            for example in skill.examples:
                click.echo(f"    prompt: {fitting(plain(' '.join(example.split())), 160)}", err=err)
