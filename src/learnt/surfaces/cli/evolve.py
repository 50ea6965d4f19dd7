"""`evolve`: signals become proposals, and a person decides. Nothing is applied by itself."""

from collections.abc import Iterable
from pathlib import Path

import click

from learnt.core.governance.proposals import Status
from learnt.core.json_values import JsonObject, JsonValue
from learnt.errors import Conflict, NotFound, Refused
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import decide as deciding
from learnt.flows.governance import decisions, listing
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
    ledger_as_it_is,
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
    with ledger_as_it_is(caller(home)) as outside:
        found = listing.Signals() if outside is None else listing.signals(outside)
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
    say_noticed(noticed)
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


def say_noticed(noticed: Noticed) -> None:
    """Print what is unfinished, and the files that are not what was accepted."""
    for said in noticed.unfinished:
        click.secho(f"unfinished: {plain(said)}", fg="yellow")
    for found in noticed.files:
        if found.ownership != "ours":
            told = f"{found.ownership}: {found.path} ({found.proposal})"
            if found.ownership == "gone":
                told += f"; `learnt evolve undo {found.proposal}` closes it"
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
    with ledger_as_it_is(caller(home)) as outside:
        found = [] if outside is None else listing.listed(outside, statuses)
        if as_json:
            _print_proposals(outside, found, project)
            return 0
    if not found:
        click.echo("No proposals. `learnt evolve analyze` looks for some.")
    for shown in found:
        say_line(shown)
    return 0


def _print_proposals(
    outside: Outside | None,
    found: Iterable[listing.Shown],
    project: str,
    root: str | None = None,
    **more: JsonValue,
) -> None:
    told = [] if outside is None else [proposal_json(outside, s, project, root) for s in found]
    print_json({"proposals": told, **more})


@evolve.command()
@click.argument("name", metavar="ID")
@ROOT
@PROJECT
@JSON
@HOME
def show(name: str, *, root: str | None, project: str, as_json: bool, home: str | None) -> int:
    """One proposal in full: text, diff and evidence."""
    with ledger_as_it_is(caller(home)) as outside:
        if outside is None:
            raise NotFound(f"There is no proposal {name}: nothing was recorded yet.")
        shown = listing.shown(outside, name)
        if as_json:
            _print_proposals(outside, [shown], project, root)
            return 0
        say_proposal(outside, shown, project, root)
    return 0


@evolve.command()
@click.argument("name", metavar="ID")
@ROOT
@click.option("--overwrite", is_flag=True, help="Replace a file that is in the way.")
@click.option(
    "--seen", metavar="SEAL", help="What `show` printed: refuse if text or target differ."
)
@YES
@PROJECT
@JSON
@HOME
def accept(
    name: str,
    *,
    root: str | None,
    overwrite: bool,
    seen: str | None,
    yes: bool,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Write a proposal's text to its place. For a person at a terminal alone.

    Shows what it would change and asks; nothing is staged or committed. With --yes it does not
    ask, and wants the seal that `show` printed.
    """
    who = caller(home)
    with ledger_of(who) as outside:
        shown = listing.shown(outside, name)
        decisions.refuse_others(deciding_caller(who), f"learnt evolve accept {name}")
        if shown.proposal.status in {Status.ACCEPTED, Status.APPLIED}:
            said = _finish(outside, shown)
        else:
            accepting.refuse_rejected(shown.proposal)
            where = place(outside, shown.proposal, project, root)
            change = accepting.plan(outside, name, where)
            if not overwrite:
                accepting.refuse_in_the_way(change)
            _compare(change, seen, yes=yes)
            if not (yes or _agreed(outside, shown, change, project, root, err=as_json)):
                return 1
            said = carry_out(outside, change, who, overwrite=overwrite)
        if as_json:
            after = listing.shown(outside, name)
            _print_proposals(outside, [after], project, root, done=said[0])
            return 0
    click.secho(said[0], fg="green")
    for line in said[1:]:
        click.echo(f"  {line}")
    return 0


def _compare(change: accepting.Change, seen: str | None, *, yes: bool) -> None:
    """Refuse what differs from what was seen, and a yes to what nobody says to have seen."""
    again = f"`learnt evolve show {change.proposal}`"
    if yes and seen is None:
        raise Refused(f"--yes needs --seen SEAL, which {again} prints. Nothing was written.")
    if seen is not None and seen != change.seal:
        raise Conflict(
            f"The text or {change.path} is not what it was when {seen[:20]!r} was printed. "
            f"Nothing was written; {again} shows it anew."
        )


def _agreed(
    outside: Outside,
    shown: listing.Shown,
    change: accepting.Change,
    project: str,
    root: str | None,
    *,
    err: bool,
) -> bool:
    say_proposal(outside, shown, project, root, err=err)
    question = "Count it as accepted?" if change.adopts else "Write it?"
    agreed = click.confirm(question, default=False, err=err)
    if not agreed:
        click.echo("Nothing was written.", err=err)
    return agreed


def _finish(outside: Outside, shown: listing.Shown) -> list[str]:
    """What was accepted before: done, or done now after a cut, or not to be done (Conflict)."""
    before = shown.proposal.status
    status = accepting.finish(outside, shown.proposal.id)
    if status != Status.APPLIED:
        raise Conflict(status)
    if before is Status.APPLIED:
        return [f"{shown.proposal.id} was accepted before: applied. Nothing was written."]
    return [f"{shown.proposal.id} was accepted before, and is applied now."]


def deciding_caller(who: Caller) -> decisions.Caller:
    """Who decides, with the traces of this call."""
    return decisions.Caller(actor=who.actor, traces=traces(), doubt=who.doubt)


def carry_out(
    outside: Outside,
    change: accepting.Change,
    who: Caller,
    *,
    overwrite: bool = False,
) -> list[str]:
    """Accept what was shown; what was done, line by line."""
    accepting.accept(outside, change, deciding_caller(who), overwrite=overwrite)
    if change.adopts:
        return [f"★ {change.proposal}: {change.path} counts as accepted, as it is"]
    done = [f"★ applied {change.proposal}: {change.path}"]
    own = change.path.rpartition("/")[0]
    for link in change.links:
        leads = Path(link).resolve() == Path(own).resolve()
        said = "linked" if leads else "something else is there, not linked"
        done.append(f"{said}: {link}")
    done += [f"not linked: {plain(said)}" for said in change.not_linked]
    return [*done, "Read it, edit it, and commit it yourself where you want it kept."]


@evolve.command()
@click.argument("name", metavar="ID")
@click.option("--note", default="", help="Why; kept with the decision.")
@JSON
@HOME
def reject(name: str, *, note: str, as_json: bool, home: str | None) -> int:
    """Turn a proposal down. It comes back only when its evidence has doubled."""
    who = caller(home)
    with ledger_of(who) as outside:
        now = deciding.reject(outside, name, note, deciding_caller(who))
        said = f"✗ rejected {name}" if now else f"{name} was rejected before."
        if as_json:
            _print_proposals(outside, [listing.shown(outside, name)], ".", done=said)
            return 0
    click.echo(said)
    return 0


@evolve.command()
@click.argument("name", metavar="ID")
@JSON
@HOME
def undo(name: str, *, as_json: bool, home: str | None) -> int:
    """Take a decision back. The file becomes what it was, and the proposal waits again."""
    who = caller(home)
    with ledger_of(who) as outside:
        said = f"⏸ {deciding.undo(outside, name, deciding_caller(who))}."
        if as_json:
            _print_proposals(outside, [listing.shown(outside, name)], ".", done=said)
            return 0
    click.echo(said)
    return 0
