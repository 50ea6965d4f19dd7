"""`knowledge log` and `diff`: what became of knowledge between two moments."""

from datetime import UTC, date, datetime
from typing import NamedTuple

import click

from learnt.errors import UsageError
from learnt.flows.knowledge import chronicle
from learnt.flows.knowledge.chronicle import Changed, Log, Span
from learnt.formats.injection import moment
from learnt.surfaces.cli.context import Body, Call, command, plain

_DAY_MS = 86_400_000
_MARKS = {
    "admit": "+", "correct": "~", "merge": "=", "reject": "✗", "validated": "★", "retired": "-"
}  # fmt: skip
FROM = click.option("--from", "since", default="", metavar="WHEN", help="From this day or moment.")
TO = click.option("--to", "until", default="", metavar="WHEN", help="To the end of it.")
ALL = click.option("--all", "everything", is_flag=True, help="Of every project.")


def _of_a_span(body: Body) -> Body:
    """The options of a look at a span of time."""
    return FROM(TO(ALL(body)))


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


@command(answers=Log, project=True)
@_of_a_span
def log(call: Call, since: str, until: str, *, everything: bool) -> int:
    """What was let in, merged, put right and kept out, by which gate, and what was validated."""
    span = _span(since, until)
    with call.ledger_as_it_is() as outside:
        where = None if everything else call.folder
        decided = Log() if outside is None else chronicle.log(outside, span, where)
    return call.answer(decided, _say_log)


def _say_log(decided: Log) -> None:
    for one in decided.decisions:
        when = click.style(moment(one.wall_ms), dim=True)
        click.echo(f"{when} {_MARKS.get(one.verdict, '?')} {one.entry}  {plain(one.said)}")
        if one.text and one.verdict != "merge":
            click.secho(f"{'':22}{plain(' '.join(one.text.split()))}", dim=True)
    click.echo(_sum(decided))


def _sum(decided: Log) -> str:
    if not decided.decisions:
        return "Nothing was decided in that time."
    counts = decided.counts
    said = [
        f"{decided.offered} offered: {counts.get('admit', 0)} let in",
        f"{counts.get('correct', 0)} put right",
        f"{counts.get('merge', 0)} known already",
        f"{counts.get('reject', 0)} kept out",
    ]
    rejected = sorted(decided.rejected_by_gate.items())
    gates = ", ".join(f"{gate} {count}" for gate, count in rejected)
    staged = f"{counts.get('validated', 0)} validated, {counts.get('retired', 0)} retired"
    return ", ".join(said) + (f" (by {gates})" if gates else "") + f"; {staged}."


class Difference(NamedTuple):
    """The entries whose texts changed in a span of time."""

    changed: tuple[Changed, ...]


@command(answers=Difference, project=True)
@_of_a_span
def diff(call: Call, since: str, until: str, *, everything: bool) -> int:
    """What the entries said before a time, and say after it. Exit 1 where nothing changed."""
    span = _span(since, until)
    with call.ledger_as_it_is() as outside:
        where = None if everything else call.folder
        changed = [] if outside is None else chronicle.diff(outside, span, where)
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
