"""`evolve`: signals become proposals, and a person decides. Nothing is applied by itself."""

from pathlib import Path

import click

from learnt.core.governance.proposals import Status
from learnt.core.json_values import JsonObject
from learnt.errors import Conflict
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import decide as deciding
from learnt.flows.governance import listing
from learnt.flows.governance.analyze import Analysis, Thresholds
from learnt.flows.governance.analyze import analyze as analyze_signals
from learnt.flows.governance.notice import Noticed, notice
from learnt.formats.injection import moment
from learnt.ports import Outside
from learnt.surfaces import agent_files
from learnt.surfaces.cli.context import (
    HOME,
    JSON,
    PROJECT,
    YES,
    Caller,
    caller,
    folder,
    ledger_of,
    plain,
    print_json,
    traces,
)
from learnt.surfaces.cli.proposal_view import cut, place, proposal_json, say_line, say_proposal

ROOT = click.option(
    "--root",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write below this folder (else where your agents look).",
)
_SHORTEST = 8  # digits of a hash
_LEAST = click.IntRange(min=0)


@click.group()
def evolve() -> None:
    """What keeps being recalled, or missed, becomes a proposal; you decide."""


def _skill_folders(project: str) -> list[str]:
    return [str(path) for path in agent_files.skill_folders(Path(folder(project)))]


@evolve.command()
@JSON
@HOME
def stats(*, as_json: bool, home: str | None) -> int:
    """The signals recorded so far. Writes nothing."""
    with ledger_of(caller(home)) as outside:
        found = listing.signals(outside)
    if as_json:
        print_json(_signals_json(found))
        return 0
    click.secho("reuse", bold=True)
    click.echo(f"  entries tracked  {found.tracked}")
    click.echo(f"  surfaces         {found.surfaces}")
    click.echo(f"  last updated     {moment(found.last_ms) if found.last_ms else 'never'}")
    for reuse, problem in found.top:
        counted = f"count={reuse.count} sessions={len(reuse.sessions)}"
        click.echo(f"  • {reuse.entry}  {counted}  {cut(problem)}")
    click.secho("misses", bold=True)
    click.echo(f"  total            {found.misses}")
    click.echo(f"  unique prompts   {found.unique}")
    for one in found.clusters:
        click.echo(f"  • count={one.count} distinct={one.distinct}  {plain(', '.join(one.words))}")
    return 0


def _signals_json(found: listing.Signals) -> JsonObject:
    return {
        "reuse": {
            "tracked": found.tracked,
            "surfaces": found.surfaces,
            "last_updated_ms": found.last_ms or None,
            "top": [
                {
                    "entry": reuse.entry,
                    "count": reuse.count,
                    "sessions": len(reuse.sessions),
                    "projects": len(reuse.projects),
                    "problem": problem,
                }
                for reuse, problem in found.top
            ],
        },
        "misses": {
            "total": found.misses,
            "unique": found.unique,
            "clusters": [
                {"count": c.count, "distinct": c.distinct, "pair": list(c.pair),
                 "words": list(c.words)}
                for c in found.clusters
            ],
        },
    }  # fmt: skip


@evolve.command()
@click.option("--reuse-min", type=_LEAST, default=3, show_default=True, help="Times recalled.")
@click.option(
    "--reuse-min-sessions", type=_LEAST, default=2, show_default=True, help="In sessions."
)
@click.option("--miss-min", type=_LEAST, default=3, show_default=True, help="Prompts in a cluster.")
@click.option(
    "--miss-min-distinct", type=_LEAST, default=2, show_default=True, help="Distinct ones."
)
@PROJECT
@JSON
@HOME
def analyze(
    *,
    reuse_min: int,
    reuse_min_sessions: int,
    miss_min: int,
    miss_min_distinct: int,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Write proposals for what the signals call for. The same evidence proposes nothing twice."""
    who = caller(home)
    least = Thresholds(
        reuse=reuse_min,
        reuse_sessions=reuse_min_sessions,
        misses=miss_min,
        misses_distinct=miss_min_distinct,
    )
    with ledger_of(who) as outside:
        noticed = notice(outside, _skill_folders(project))
        found = analyze_signals(outside, least, who.actor)
        told = [listing.shown(outside, name) for name in (*found.new, *noticed.proposed)]
        if as_json:
            print_json(_analysis_json(outside, found, noticed, told, project))
            return 0
    click.echo(f"reuse entries scanned:  {found.entries}")
    click.echo(f"miss entries scanned:   {found.misses}")
    click.echo(f"new proposals:          {len(told)}")
    click.echo(f"with more evidence:     {len(found.grown)}")
    for shown in told:
        say_line(shown)
    if told:
        click.echo("`learnt review` takes you through them.")
    _say_noticed(noticed)
    return 0


def _analysis_json(
    outside: Outside,
    found: Analysis,
    noticed: Noticed,
    told: list[listing.Shown],
    project: str,
) -> JsonObject:
    return {
        "entries": found.entries,
        "misses": found.misses,
        "new": [*found.new, *noticed.proposed],
        "grown": list(found.grown),
        "unchanged": list(found.unchanged),
        "proposals": [proposal_json(outside, shown, project, None) for shown in told],
    }


def _say_noticed(noticed: Noticed) -> None:
    for said in noticed.unfinished:
        click.secho(f"unfinished: {plain(said)}", fg="yellow")
    for found in noticed.files:
        if found.ownership != "ours":
            told = f"{found.ownership}: {found.path} ({found.proposal})"
            click.secho(plain(told), fg="yellow")


@evolve.command("list")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([str(status) for status in Status]),
    help="Only these; repeatable.",
)
@PROJECT
@JSON
@HOME
def list_(*, statuses: tuple[str, ...], project: str, as_json: bool, home: str | None) -> int:
    """The proposals: ⏸ pending, ✓ accepted, ★ applied, ✗ rejected."""
    with ledger_of(caller(home)) as outside:
        found = listing.listed(outside, statuses)
        if as_json:
            print_json({
                "proposals": [proposal_json(outside, shown, project, None) for shown in found]
            })
            return 0
    if not found:
        click.echo("No proposals. `learnt evolve analyze` looks for some.")
    for shown in found:
        say_line(shown)
    return 0


@evolve.command()
@click.argument("name", metavar="ID")
@ROOT
@PROJECT
@JSON
@HOME
def show(name: str, *, root: str | None, project: str, as_json: bool, home: str | None) -> int:
    """One proposal in full: text, diff and evidence."""
    with ledger_of(caller(home)) as outside:
        shown = listing.shown(outside, name)
        if as_json:
            print_json({"proposals": [proposal_json(outside, shown, project, root)]})
            return 0
        say_proposal(outside, shown, project, root)
    return 0


@evolve.command()
@click.argument("name", metavar="ID")
@ROOT
@click.option("--overwrite", is_flag=True, help="Replace a file that is in the way.")
@click.option("--base", metavar="HASH", help="Refuse unless the target still has this hash.")
@YES
@PROJECT
@JSON
@HOME
def accept(
    name: str,
    *,
    root: str | None,
    overwrite: bool,
    base: str | None,
    yes: bool,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Write a proposal's text to its place. For a person at a terminal alone.

    Shows what it would change and asks; nothing is staged or committed.
    """
    who = caller(home)
    accepting.refuse_others(who.actor, f"learnt evolve accept {name}")
    with ledger_of(who) as outside:
        shown = listing.shown(outside, name)
        if shown.proposal.status in {Status.ACCEPTED, Status.APPLIED}:
            return _finish(outside, shown, as_json=as_json)
        where = place(outside, shown.proposal, project, root)
        change = accepting.plan(outside, name, where)
        if base is not None and not _same_base(change.base, base):
            raise _changed(change)
        if not (yes or _agreed(outside, shown, project, root)):
            return 1
        carry_out(outside, change, who, overwrite=overwrite, quiet=as_json)
        if as_json:
            after = listing.shown(outside, name)
            print_json({"proposals": [proposal_json(outside, after, project, root)]})
    return 0


def _agreed(outside: Outside, shown: listing.Shown, project: str, root: str | None) -> bool:
    say_proposal(outside, shown, project, root)
    agreed = click.confirm("Write it?", default=False)
    if not agreed:
        click.echo("Nothing was written.")
    return agreed


def _same_base(now: str, given: str) -> bool:
    """Whether the target's hash is the one given; empty or `none` is for no file."""
    if given in {"", "none"}:
        return not now
    return len(given) >= _SHORTEST and now.startswith(given)


def _changed(change: accepting.Change) -> Conflict:
    return Conflict(
        f"{change.path} is not what it was when it was shown ({change.base[:12] or 'none'} now). "
        f"Nothing was written; `learnt evolve show {change.proposal}` shows it anew."
    )


def _finish(outside: Outside, shown: listing.Shown, *, as_json: bool) -> int:
    """What was accepted before: done, or done now after a cut, or not to be done (Conflict)."""
    before = shown.proposal.status
    status = accepting.finish(outside, shown.proposal.id)
    if status != Status.APPLIED:
        raise Conflict(status)
    if as_json:
        print_json({"id": shown.proposal.id, "status": status})
    elif before is Status.APPLIED:
        click.echo(f"{shown.proposal.id} was accepted before: applied. Nothing was written.")
    else:
        click.echo(f"{shown.proposal.id} was accepted before, and is applied now.")
    return 0


def carry_out(
    outside: Outside,
    change: accepting.Change,
    who: Caller,
    *,
    overwrite: bool = False,
    quiet: bool = False,
) -> None:
    """Accept what was shown, and say where it is."""
    by = accepting.Caller(actor=who.actor, traces=traces())
    accepting.accept(outside, change, by, overwrite=overwrite)
    if quiet:
        return
    click.secho(f"★ applied {change.proposal}: {change.path}", fg="green")
    own = change.path.rpartition("/")[0]
    for link in change.links:
        leads = Path(link).resolve() == Path(own).resolve()
        said = "linked" if leads else "something else is there, not linked"
        click.echo(f"  {said}: {link}")
    for said in change.not_linked:
        click.echo(f"  not linked: {plain(said)}")
    click.echo("  Read it, edit it, and commit it yourself where you want it kept.")


@evolve.command()
@click.argument("name", metavar="ID")
@click.option("--note", default="", help="Why; kept with the decision.")
@JSON
@HOME
def reject(name: str, *, note: str, as_json: bool, home: str | None) -> int:
    """Turn a proposal down. It comes back only when its evidence has doubled."""
    who = caller(home)
    by = accepting.Caller(actor=who.actor, traces=traces())
    with ledger_of(who) as outside:
        done = deciding.reject(outside, name, note, by)
    if as_json:
        print_json({"id": name, "status": Status.REJECTED, "changed": done})
    else:
        click.echo(f"✗ rejected {name}" if done else f"{name} was rejected before.")
    return 0


@evolve.command()
@click.argument("name", metavar="ID")
@JSON
@HOME
def undo(name: str, *, as_json: bool, home: str | None) -> int:
    """Take a decision back. The file becomes what it was, and the proposal waits again."""
    who = caller(home)
    by = accepting.Caller(actor=who.actor, traces=traces())
    with ledger_of(who) as outside:
        done = deciding.undo(outside, name, by)
    if as_json:
        print_json({"id": name, "status": Status.PENDING, "done": done})
    else:
        click.echo(f"⏸ {done}.")
    return 0
