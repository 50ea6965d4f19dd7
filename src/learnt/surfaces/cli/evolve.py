"""`evolve` and `review`: signals become proposals, and a person decides on each."""

from functools import partial
from pathlib import Path

import click

from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.identifiers import ProposalId
from learnt.core.records import Record
from learnt.errors import Conflict, NotFound, Refused
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import decide as deciding
from learnt.flows.governance import listing
from learnt.flows.governance.analyze import Analysis, Thresholds
from learnt.flows.governance.analyze import analyze as analyze_signals
from learnt.flows.governance.notice import Noticed, notice
from learnt.formats.answers import filled
from learnt.formats.injection import moment
from learnt.ports import Outside
from learnt.surfaces.agent_files import skill_folders
from learnt.surfaces.cli import proposal_view
from learnt.surfaces.cli.context import YES, Call, Caller, Id, command, plain
from learnt.surfaces.cli.screen import cut
from learnt.surfaces.cli.shelf import shelf

ROOT = click.option(
    "--root",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write below this folder (else where your agents look).",
)
_least = partial(click.option, type=click.IntRange(min=0), show_default=True)


@click.group()
def evolve() -> None:
    """What keeps being recalled, or missed, becomes a proposal; you decide."""


@command(within=evolve, answers=listing.Signals)
def stats(call: Call) -> int:
    """The signals recorded so far. Writes nothing."""
    return call.answer(call.look(listing.signals, listing.Signals()), _say_signals)


def _say_signals(signals: listing.Signals) -> None:
    reuse, misses = signals.reuse, signals.misses
    click.secho("reuse", bold=True)
    last = "never" if reuse.last_updated_ms is None else moment(reuse.last_updated_ms)
    click.echo(f"  entries tracked  {reuse.tracked}")
    click.echo(f"  surfaces         {reuse.surfaces}")
    click.echo(f"  last updated     {last}")
    for entry in reuse.top:
        counted = f"count={entry.count} sessions={entry.sessions}"
        click.echo(f"  • {entry.entry}  {counted}  {cut(entry.problem, 60)}")
    click.secho("misses", bold=True)
    click.echo(f"  total            {misses.total}")
    click.echo(f"  unique prompts   {misses.unique}")
    for cluster in misses.clusters:
        words = plain(", ".join(cluster.words))
        click.echo(f"  • count={cluster.count} distinct={cluster.distinct}  {words}")


class Analyzed(Analysis, kw_only=True):
    """What was looked at, which proposals came of it, and the new ones in full."""

    proposals: tuple[proposal_view.Shown, ...]


@command(within=evolve, answers=Analyzed, project=True)
@_least("--reuse-min", "reuse", default=3, help="Times recalled.")
@_least("--reuse-min-sessions", "reuse_sessions", default=2, help="In sessions.")
@_least("--miss-min", "misses", default=3, help="Prompts in a cluster.")
@_least("--miss-min-distinct", "misses_distinct", default=2, help="Distinct ones.")
def analyze(call: Call, **least: int) -> int:
    """Write proposals for what the signals call for. The same evidence proposes nothing twice.

    Of skills that Learnt installed or wrote too: that the unused retire.
    """
    from learnt.flows.skills.tend import retire_unused

    with shelf(call) as on:
        outside = on.outside
        noticed = notice(outside, skill_folders(call.project))
        analysis = analyze_signals(outside, Thresholds(**least), call.who.actor)
        tended = retire_unused(outside, on.known, on.library, on.project, call.who.actor)
        new = (*analysis.new, *noticed.proposed, *tended)
        proposals = tuple(proposal_view.shown(call, outside, name) for name in new)
    answer = filled(Analyzed, analysis, new=new, proposals=proposals)
    return call.answer(answer, lambda answer: _say_analyzed(answer, noticed))


def _say_analyzed(answer: Analyzed, noticed: Noticed) -> None:
    click.echo(f"reuse entries scanned:  {answer.entries}")
    click.echo(f"miss entries scanned:   {answer.misses}")
    click.echo(f"new proposals:          {len(answer.proposals)}")
    click.echo(f"with more evidence:     {len(answer.grown)}")
    for proposal in answer.proposals:
        proposal_view.say_line(proposal)
    if answer.proposals:
        click.echo("`learnt review` takes you through them.")
    proposal_view.say_noticed(noticed)


class Proposals(Record, kw_only=True):
    """Proposals as they are now."""

    proposals: tuple[proposal_view.Shown, ...]


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

    def every(outside: Outside) -> list[proposal_view.Shown]:
        listed = listing.listed(outside, statuses)
        return [proposal_view.look(call, outside, proposal).shown for proposal in listed]

    return call.answer(Proposals(proposals=tuple(call.look(every, []))), _say_list)


def _say_list(answer: Proposals) -> None:
    if not answer.proposals:
        click.echo("No proposals. `learnt evolve analyze` looks for some.")
    for proposal in answer.proposals:
        proposal_view.say_line(proposal)


@command(within=evolve, answers=Proposals, project=True)
@click.argument("name", type=Id("proposal"), metavar="ID")
@ROOT
def show(call: Call, name: str, *, root: str | None) -> int:
    """One proposal in full: text, diff and evidence."""
    looked = call.look(
        lambda outside: looked_at(call, outside, listing.shown(outside, name), root), None
    )
    if looked is None:
        raise NotFound(f"There is no proposal {name}: nothing was recorded yet.")
    answer = Proposals(proposals=(looked.shown,))
    return call.answer(answer, lambda _: proposal_view.say_proposal(looked))


def looked_at(
    call: Call, outside: Outside, proposal: listing.ProposalTexts, root: str | None = None
) -> proposal_view.Look:
    """A proposal as a person decides on it: with what its skill would displace."""
    looked = proposal_view.look(call, outside, proposal, root)
    return proposal_view.replayed(call, outside, looked, proposal.proposal)


class DecidedProposal(Proposals, kw_only=True):
    """A proposal after a decision, and in words what was done."""

    done: str


def _decided(
    call: Call, outside: Outside, name: str, done: list[str], root: str | None = None
) -> int:
    answer = DecidedProposal(
        proposals=(proposal_view.shown(call, outside, name, root),), done=done[0]
    )
    lines = [click.style(done[0], fg="green"), *(f"  {line}" for line in done[1:])]
    return call.answer(answer, lambda _: click.echo("\n".join(lines)))


@command(within=evolve, answers=DecidedProposal, project=True)
@click.argument("name", type=Id("proposal"), metavar="ID")
@ROOT
@click.option("--overwrite", is_flag=True, help="Replace a file that is in the way.")
@click.option(
    "--seen", metavar="SEAL", help="What `show` printed: refuse if text or target differ."
)
@click.option(
    "--trial",
    is_flag=True,
    help="Compare a skill's new text with the old one: a coin gives each new session one of them.",
)
@YES
def accept(
    call: Call,
    name: str,
    *,
    root: str | None,
    overwrite: bool,
    seen: str | None,
    trial: bool,
    yes: bool,
) -> int:
    """Write a proposal's text to its place. For a person at a terminal alone.

    Shows what it would change and asks; nothing is staged or committed. With --yes it does not
    ask, and wants the seal that `show` printed.
    """
    with call.asking() as outside:
        proposal = listing.shown(outside, name)
        if accepting.accepted_before(outside, proposal.proposal, call.who.decider):
            before = proposal.proposal.status is Status.APPLIED
            state = ": applied. Nothing was written." if before else ", and is applied now."
            done = [f"{name} was accepted before{state}"]
        else:
            if not yes:
                proposal_view.choose_file(call, proposal.proposal.kind)
            looked = proposal_view.look(call, outside, proposal, root)
            change = looked.possible()
            if not overwrite:
                accepting.refuse_in_the_way(change)
            _compare(change, seen, yes=yes)
            if not yes:
                looked = proposal_view.replayed(call, outside, looked, proposal.proposal)
                seen_all = proposal_view.say_proposal(looked, err=call.as_json, asks=True)
                question = "Count it as accepted?" if change.adopts else "Write it?"
                if not (seen_all and click.confirm(question, default=False, err=call.as_json)):
                    click.echo("Nothing was written.", err=call.as_json)
                    return 1
                outside.ledger.refresh()
            if trial:
                refuse_trial(outside, change, yes=yes)
            done = carry_out(outside, change, call.who, overwrite=overwrite)
        if trial:
            done.append(begin_trial(outside, name, call.who))
        return _decided(call, outside, name, done, root)


def begin_trial(outside: Outside, name: str, who: Caller) -> str:
    """Have an accepted text tried; what was begun, in a line."""
    from learnt.flows.health.trial import begin

    skill = begin(outside, ProposalId(name), who.decider)
    return f"A trial begins: `learnt skills trial {plain(skill)}` shows how it goes."


def refuse_trial(outside: Outside, change: accepting.FileChange, *, yes: bool) -> None:
    """Raises Refused for what is no skill's text, or git tracks unless the person agrees."""
    if change.proposal.kind is not ProposalKind.NEW_VERSION:
        raise Refused("Only another text of a skill can be tried. Nothing was written.")
    if not outside.folders.tracks(change.path):
        return
    told = f"git tracks {change.path}: each swap will show as a change of it."
    if yes or not click.confirm(f"{told} Go on?", default=False):
        raise Refused(f"{told} Nothing was written; without --trial it is written once.")


def _compare(change: accepting.FileChange, seen: str | None, *, yes: bool) -> None:
    """Refuse what differs from what was seen, and a yes to what nobody says to have seen."""
    again = f"`learnt evolve show {change.proposal.id}`"
    if yes and seen is None:
        raise Refused(f"--yes needs --seen SEAL, which {again} prints. Nothing was written.")
    if seen is not None and seen != change.seal:
        raise Conflict(
            f"The text or {change.path} is not what it was when {seen[:20]!r} was printed. "
            f"Nothing was written; {again} shows it."
        )


def carry_out(
    outside: Outside, change: accepting.FileChange, who: Caller, *, overwrite: bool = False
) -> list[str]:
    """Accept what was shown; what was done, line by line."""
    accepting.accept(outside, change, who.decider, overwrite=overwrite)
    if change.adopts:
        return [f"★ {change.proposal.id}: {change.path} counts as accepted, as it is"]
    done = [f"★ applied {change.proposal.id}: {change.path}"]
    own = change.path.rpartition("/")[0]
    for link in change.links:
        leads = Path(link).resolve() == Path(own).resolve()
        done.append(f"{'linked' if leads else 'something else is there, not linked'}: {link}")
    done += [f"not linked: {plain(why)}" for why in change.not_linked]
    return [*done, "Read it, edit it, and commit it yourself where you want it kept."]


@command(within=evolve, answers=DecidedProposal)
@click.argument("name", type=Id("proposal"), metavar="ID")
@click.option("--note", default="", help="Why; kept with the decision.")
def reject(call: Call, name: str, *, note: str) -> int:
    """Turn a proposal down. It comes back only when its evidence has doubled."""
    with call.asking() as outside:
        now = deciding.reject(outside, name, note, call.who.decider)
        done = f"✗ rejected {name}" if now else f"{name} was rejected before."
        return _decided(call, outside, name, [done])


@command(within=evolve, answers=DecidedProposal)
@click.argument("name", type=Id("proposal"), metavar="ID")
def undo(call: Call, name: str) -> int:
    """Take a decision back. The file becomes what it was, and the proposal waits again."""
    with call.asking() as outside:
        done = f"⏸ {deciding.undo(outside, name, call.who.decider)}."
        return _decided(call, outside, name, [done])
