"""`knowledge log` and `diff`: what became of knowledge between two moments."""

from collections import defaultdict
from datetime import UTC, datetime
from typing import NamedTuple

import click

from learnt.errors import UsageError
from learnt.flows.knowledge import chronicle
from learnt.flows.knowledge.chronicle import Changed, Log
from learnt.formats.injection import moment
from learnt.surfaces.cli.context import Call, command, plain

_DAY_MS = 86_400_000
_MARKS = {
    "admit": "+", "correct": "~", "merge": "=", "reject": "✗", "validated": "★", "retired": "-"
}  # fmt: skip
FROM = click.option("--from", "since", default="", metavar="WHEN", help="From this day or moment.")
TO = click.option("--to", "until", default="", metavar="WHEN", help="To the end of it.")
ALL = click.option("--all", "everything", is_flag=True, help="Of every project.")


def _span(since: str, until: str) -> range:
    start, end = _moment(since)[0] if since else 0, _moment(until)[1] if until else 2**62
    if start >= end:
        raise UsageError(f"{since} is not before {until}: --from comes first.")
    return range(start, end)


def _moment(given: str) -> tuple[int, int]:
    """The first millisecond of a day or moment, and the first one after it."""
    try:
        instant = datetime.fromisoformat(given)
        instant = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
        start = round(instant.timestamp() * 1_000)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{given} is no moment: 2026-11-22, or 2026-11-22T18:00:00+00:00."
        ) from error
    return start, start + (_DAY_MS if len(given) == len("2026-11-22") else 1)


@command(answers=Log, project=True)
@FROM
@TO
@ALL
def log(call: Call, since: str, until: str, *, everything: bool) -> int:
    """What was let in, merged, put right and kept out, by which gate, and what was validated."""
    span, where = _span(since, until), None if everything else call.folder
    decided = call.look(lambda outside: chronicle.log(outside, span, where), Log())
    return call.answer(decided, _say_log)


def _say_log(log: Log) -> None:
    for decision in log.decisions:
        when = click.style(moment(decision.wall_ms), dim=True)
        mark = _MARKS.get(decision.verdict, "?")
        click.echo(f"{when} {mark} {decision.entry}  {plain(decision.said)}")
        if decision.text and decision.verdict != "merge":
            click.secho(f"{'':22}{plain(' '.join(decision.text.split()))}", dim=True)
    if not log.decisions:
        click.echo("Nothing was decided in that time.")
        return
    counts = defaultdict(int, log.counts)
    gates = ", ".join(f"{gate} {count}" for gate, count in sorted(log.rejected_by_gate.items()))
    by_gates = f" (by {gates})" if gates else ""
    click.echo(
        f"{log.offered} offered: {counts['admit']} let in, {counts['correct']} put right, "
        f"{counts['merge']} known already, {counts['reject']} kept out{by_gates}; "
        f"{counts['validated']} validated, {counts['retired']} retired."
    )


class Difference(NamedTuple):
    """The entries whose texts changed in a span of time."""

    changed: tuple[Changed, ...]


@command(answers=Difference, project=True)
@FROM
@TO
@ALL
def diff(call: Call, since: str, until: str, *, everything: bool) -> int:
    """What the entries said before a time, and say after it. Exit 1 where nothing changed."""
    span, where = _span(since, until), None if everything else call.folder
    changed = call.look(lambda outside: chronicle.diff(outside, span, where), [])
    return call.answer(Difference(changed=tuple(changed)), _say_difference, int(not changed))


def _say_difference(difference: Difference) -> None:
    for changed in difference.changed:
        click.secho(changed.entry, bold=True)
        for mark, text, colour in (("-", changed.before, "red"), ("+", changed.after, "green")):
            for line in plain(text or "").splitlines():
                click.secho(f"{mark} {line}", fg=colour)
    if not difference.changed:
        click.echo("Nothing changed in that time.")


COMMANDS = (log, diff)
