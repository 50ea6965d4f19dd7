"""`evolve`: signals become proposals, and a person decides. Nothing is applied by itself."""

from dataclasses import dataclass
from pathlib import Path

import click

from learnt.core.governance.proposals import Status
from learnt.errors import Conflict, NotFound, Refused
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import decide as deciding
from learnt.flows.governance import decisions, listing
from learnt.flows.governance.analyze import Analysis, Thresholds
from learnt.flows.governance.analyze import analyze as analyze_signals
from learnt.flows.governance.notice import notice
from learnt.formats.answers import filled
from learnt.formats.injection import moment
from learnt.ports import Outside
from learnt.surfaces.cli.call import Call, command
from learnt.surfaces.cli.context import YES, Caller, plain, traces
from learnt.surfaces.cli.proposal_view import (
    Look,
    Shown,
    cut,
    folders_of_skills,
    look,
    say_line,
    say_noticed,
    say_proposal,
    shown,
)

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


@command(within=evolve, answers=listing.Signals)
def stats(call: Call) -> int:
    """The signals recorded so far. Writes nothing."""
    with call.ledger_as_it_is() as outside:
        signals = listing.Signals() if outside is None else listing.signals(outside)
    return call.answer(signals, _say_signals)


def _say_signals(signals: listing.Signals) -> None:
    reuse, misses = signals.reuse, signals.misses
    click.secho("reuse", bold=True)
    click.echo(f"  entries tracked  {reuse.tracked}")
    click.echo(f"  surfaces         {reuse.surfaces}")
    last = "never" if reuse.last_updated_ms is None else moment(reuse.last_updated_ms)
    click.echo(f"  last updated     {last}")
    for entry in reuse.top:
        counted = f"count={entry.count} sessions={entry.sessions}"
        click.echo(f"  • {entry.entry}  {counted}  {cut(entry.problem)}")
    click.secho("misses", bold=True)
    click.echo(f"  total            {misses.total}")
    click.echo(f"  unique prompts   {misses.unique}")
    for cluster in misses.clusters:
        words = plain(", ".join(cluster.words))
        click.echo(f"  • count={cluster.count} distinct={cluster.distinct}  {words}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyzed(Analysis):
    """What was looked at, which proposals came of it, and the new ones in full."""

    proposals: tuple[Shown, ...]


@command(within=evolve, answers=Analyzed, project=True)
@click.option("--reuse-min", type=_LEAST, default=3, show_default=True, help="Times recalled.")
@click.option(
    "--reuse-min-sessions", type=_LEAST, default=2, show_default=True, help="In sessions."
)
@click.option("--miss-min", type=_LEAST, default=3, show_default=True, help="Prompts in a cluster.")
@click.option(
    "--miss-min-distinct", type=_LEAST, default=2, show_default=True, help="Distinct ones."
)
def analyze(
    call: Call, *, reuse_min: int, reuse_min_sessions: int, miss_min: int, miss_min_distinct: int
) -> int:
    """Write proposals for what the signals call for. The same evidence proposes nothing twice."""
    least = Thresholds(
        reuse=reuse_min,
        reuse_sessions=reuse_min_sessions,
        misses=miss_min,
        misses_distinct=miss_min_distinct,
    )
    with call.ledger() as outside:
        noticed = notice(outside, folders_of_skills(call.project))
        analysis = analyze_signals(outside, least, call.who.actor)
        new = (*analysis.new, *noticed.proposed)
        proposals = tuple(shown(outside, name, call.project) for name in new)
    answer = filled(Analyzed, analysis, new=new, proposals=proposals)

    def say(answer: Analyzed) -> None:
        _say_analyzed(answer)
        say_noticed(noticed)

    return call.answer(answer, say)


def _say_analyzed(answer: Analyzed) -> None:
    click.echo(f"reuse entries scanned:  {answer.entries}")
    click.echo(f"miss entries scanned:   {answer.misses}")
    click.echo(f"new proposals:          {len(answer.proposals)}")
    click.echo(f"with more evidence:     {len(answer.grown)}")
    for proposal in answer.proposals:
        say_line(proposal)
    if answer.proposals:
        click.echo("`learnt review` takes you through them.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """Proposals as they are now."""

    proposals: tuple[Shown, ...]


@command("list", within=evolve, answers=Proposals, project=True)
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([str(status) for status in Status]),
    help="Only these; repeatable.",
)
def list_(call: Call, *, statuses: tuple[str, ...]) -> int:
    """The proposals: ⏸ pending, ✓ accepted, ★ applied, ✗ rejected."""
    proposals: list[Shown] = []
    with call.ledger_as_it_is() as outside:
        if outside is not None:
            found = listing.listed(outside, statuses)
            proposals = [look(outside, one, call.project).shown for one in found]
    return call.answer(Proposals(proposals=tuple(proposals)), _say_list)


def _say_list(answer: Proposals) -> None:
    if not answer.proposals:
        click.echo("No proposals. `learnt evolve analyze` looks for some.")
    for proposal in answer.proposals:
        say_line(proposal)


@command(within=evolve, answers=Proposals, project=True)
@click.argument("name", metavar="ID")
@ROOT
def show(call: Call, name: str, *, root: str | None) -> int:
    """One proposal in full: text, diff and evidence."""
    with call.ledger_as_it_is() as outside:
        if outside is None:
            raise NotFound(f"There is no proposal {name}: nothing was recorded yet.")
        looked = look(outside, listing.shown(outside, name), call.project, root)
    return call.answer(Proposals(proposals=(looked.shown,)), lambda _: say_proposal(looked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided(Proposals):
    """A proposal after a decision, and in words what was done."""

    done: str


def _decided(
    call: Call, outside: Outside, name: str, done: list[str], root: str | None = None
) -> int:
    """Print the proposal as it is now, or line by line what was done."""
    answer = Decided(proposals=(shown(outside, name, call.project, root),), done=done[0])

    def say(answer: Decided) -> None:
        click.secho(answer.done, fg="green")
        for line in done[1:]:
            click.echo(f"  {line}")

    return call.answer(answer, say)


@command(within=evolve, answers=Decided, project=True)
@click.argument("name", metavar="ID")
@ROOT
@click.option("--overwrite", is_flag=True, help="Replace a file that is in the way.")
@click.option(
    "--seen", metavar="SEAL", help="What `show` printed: refuse if text or target differ."
)
@YES
def accept(
    call: Call, name: str, *, root: str | None, overwrite: bool, seen: str | None, yes: bool
) -> int:
    """Write a proposal's text to its place. For a person at a terminal alone.

    Shows what it would change and asks; nothing is staged or committed. With --yes it does not
    ask, and wants the seal that `show` printed.
    """
    with call.ledger() as outside:
        found = listing.shown(outside, name)
        if accepting.accepted_before(outside, found.proposal, deciding_caller(call.who)):
            now = found.proposal.status is not Status.APPLIED
            said = "and is applied now." if now else "applied. Nothing was written."
            done = [f"{name} was accepted before{', ' if now else ': '}{said}"]
        else:
            looked = look(outside, found, call.project, root)
            change = looked.possible()
            if not overwrite:
                accepting.refuse_in_the_way(change)
            _compare(change, seen, yes=yes)
            if not (yes or _agreed(looked, change, err=call.as_json)):
                return 1
            done = carry_out(outside, change, call.who, overwrite=overwrite)
        return _decided(call, outside, name, done, root)


def _compare(change: accepting.FileChange, seen: str | None, *, yes: bool) -> None:
    """Refuse what differs from what was seen, and a yes to what nobody says to have seen."""
    again = f"`learnt evolve show {change.proposal.id}`"
    if yes and seen is None:
        raise Refused(f"--yes needs --seen SEAL, which {again} prints. Nothing was written.")
    if seen is not None and seen != change.seal:
        raise Conflict(
            f"The text or {change.path} is not what it was when {seen[:20]!r} was printed. "
            f"Nothing was written; {again} shows it anew."
        )


def _agreed(looked: Look, change: accepting.FileChange, *, err: bool) -> bool:
    say_proposal(looked, err=err)
    question = "Count it as accepted?" if change.adopts else "Write it?"
    agreed = click.confirm(question, default=False, err=err)
    if not agreed:
        click.echo("Nothing was written.", err=err)
    return agreed


def deciding_caller(who: Caller) -> decisions.Decider:
    """Who decides, with the traces of this call."""
    return decisions.Decider(actor=who.actor, traces=traces(), doubt=who.doubt)


def carry_out(
    outside: Outside, change: accepting.FileChange, who: Caller, *, overwrite: bool = False
) -> list[str]:
    """Accept what was shown; what was done, line by line."""
    accepting.accept(outside, change, deciding_caller(who), overwrite=overwrite)
    if change.adopts:
        return [f"★ {change.proposal.id}: {change.path} counts as accepted, as it is"]
    done = [f"★ applied {change.proposal.id}: {change.path}"]
    own = change.path.rpartition("/")[0]
    for link in change.links:
        leads = Path(link).resolve() == Path(own).resolve()
        said = "linked" if leads else "something else is there, not linked"
        done.append(f"{said}: {link}")
    done += [f"not linked: {plain(said)}" for said in change.not_linked]
    return [*done, "Read it, edit it, and commit it yourself where you want it kept."]


@command(within=evolve, answers=Decided)
@click.argument("name", metavar="ID")
@click.option("--note", default="", help="Why; kept with the decision.")
def reject(call: Call, name: str, *, note: str) -> int:
    """Turn a proposal down. It comes back only when its evidence has doubled."""
    with call.ledger() as outside:
        now = deciding.reject(outside, name, note, deciding_caller(call.who))
        done = f"✗ rejected {name}" if now else f"{name} was rejected before."
        return _decided(call, outside, name, [done])


@command(within=evolve, answers=Decided)
@click.argument("name", metavar="ID")
def undo(call: Call, name: str) -> int:
    """Take a decision back. The file becomes what it was, and the proposal waits again."""
    with call.ledger() as outside:
        done = f"⏸ {deciding.undo(outside, name, deciding_caller(call.who))}."
        return _decided(call, outside, name, [done])
