"""`knowledge log` and `diff`: what became of knowledge between two moments."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import click

from learnt.core.json_values import JsonObject
from learnt.errors import UsageError
from learnt.flows.knowledge import chronicle
from learnt.flows.knowledge.chronicle import Changed, Decision, Span
from learnt.formats.injection import moment
from learnt.surfaces.cli.context import (
    HOME,
    JSON,
    PROJECT,
    caller,
    folder,
    ledger_as_it_is,
    plain,
    print_json,
)

_DAY_MS = 86_400_000
_MARKS = {
    "admit": "+", "correct": "~", "merge": "=", "reject": "✗", "validated": "★", "retired": "-"
}  # fmt: skip
FROM = click.option("--from", "since", default="", metavar="WHEN", help="From this day or moment.")
TO = click.option("--to", "until", default="", metavar="WHEN", help="To the end of it.")
ALL = click.option("--all", "everything", is_flag=True, help="Of every project.")
Run = Callable[..., int]


def _of_a_span(command: Run) -> Run:
    """The options of a look at a span of time."""
    for option in (HOME, JSON, PROJECT, ALL, TO, FROM):
        command = option(command)
    return command


def _span(since: str, until: str) -> Span:
    """A span of days, or of moments in UTC; without an end it goes on."""
    start, end = _moment(since)[0] if since else 0, _moment(until)[1] if until else 2**62
    if start >= end:
        raise UsageError(f"{since} is not before {until}: --from comes first.")
    return Span(start_ms=start, end_ms=end)


def _moment(given: str) -> tuple[int, int]:
    """The first millisecond of a day or moment, and the first one after it."""
    try:
        if len(given) == len("2026-11-22"):
            day = date.fromisoformat(given)
            start = _ms(datetime(day.year, day.month, day.day, tzinfo=UTC))
            return start, start + _DAY_MS
        said = datetime.fromisoformat(given)
        return (at := _ms(said if said.tzinfo else said.replace(tzinfo=UTC))), at + 1
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{given} is no moment: 2026-11-22, or 2026-11-22T18:00:00+00:00."
        ) from error


def _ms(moment_in_time: datetime) -> int:
    return round(moment_in_time.timestamp() * 1_000)


@click.command()
@_of_a_span
def log(
    since: str, until: str, *, everything: bool, project: str, as_json: bool, home: str | None
) -> int:
    """What was let in, merged, put right and kept out, by which gate, and what was validated."""
    span = _span(since, until)
    with ledger_as_it_is(caller(home)) as outside:
        where = None if everything else folder(project)
        found = chronicle.Log() if outside is None else chronicle.log(outside, span, where)
    if as_json:
        print_json({
            "decisions": [_decision_json(one) for one in found.decisions],
            "counts": dict(found.counts),
            "rejected_by_gate": dict(found.rejected),
        })
        return 0
    for one in found.decisions:
        when = click.style(moment(one.wall_ms), dim=True)
        click.echo(f"{when} {_MARKS.get(one.verdict, '?')} {one.entry}  {plain(one.said)}")
        if one.text and one.verdict != "merge":
            click.secho(f"{'':22}{plain(' '.join(one.text.split()))}", dim=True)
    click.echo(_sum(found))
    return 0


def _sum(found: chronicle.Log) -> str:
    if not found.decisions:
        return "Nothing was decided in that time."
    counts = found.counts
    said = [
        f"{found.offered} offered: {counts.get('admit', 0)} let in",
        f"{counts.get('correct', 0)} put right",
        f"{counts.get('merge', 0)} known already",
        f"{counts.get('reject', 0)} kept out",
    ]
    gates = ", ".join(f"{gate} {count}" for gate, count in sorted(found.rejected.items()))
    staged = f"{counts.get('validated', 0)} validated, {counts.get('retired', 0)} retired"
    return ", ".join(said) + (f" (by {gates})" if gates else "") + f"; {staged}."


def _decision_json(one: Decision) -> JsonObject:
    return {
        "wall_ms": one.wall_ms,
        "entry": one.entry,
        "verdict": one.verdict,
        "gate": one.gate or None,
        "said": one.said,
        "text": one.text or None,
    }


@click.command()
@_of_a_span
def diff(
    since: str, until: str, *, everything: bool, project: str, as_json: bool, home: str | None
) -> int:
    """What the entries said before a time, and say after it. Exit 1 where nothing changed."""
    span = _span(since, until)
    with ledger_as_it_is(caller(home)) as outside:
        where = None if everything else folder(project)
        found = [] if outside is None else chronicle.diff(outside, span, where)
    if as_json:
        print_json({"changed": [_changed_json(one) for one in found]})
        return 0 if found else 1
    for one in found:
        click.secho(str(one.entry), bold=True)
        for mark, text, colour in (("-", one.before, "red"), ("+", one.after, "green")):
            for line in plain(text).splitlines():
                click.secho(f"{mark} {line}", fg=colour)
    if not found:
        click.echo("Nothing changed in that time.")
    return 0 if found else 1


def _changed_json(one: Changed) -> JsonObject:
    return {"entry": one.entry, "before": one.before or None, "after": one.after or None}


COMMANDS = (log, diff)
