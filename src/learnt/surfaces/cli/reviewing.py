"""`review`: what waits for a person, one after the other, decided by key."""

import click

from learnt.core.events import Actor
from learnt.core.governance.proposals import Status
from learnt.errors import Refused
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import decide as deciding
from learnt.flows.governance import listing
from learnt.flows.governance.notice import notice
from learnt.ports import Outside
from learnt.surfaces.agent_files import skill_folders
from learnt.surfaces.cli.context import Call, Caller, command
from learnt.surfaces.cli.disputing import review_disputes
from learnt.surfaces.cli.evolve import carry_out, looked_at
from learnt.surfaces.cli.improving import review_regressions
from learnt.surfaces.cli.keys import KeyChoice, Keys, asked
from learnt.surfaces.cli.proposal_view import Look, say_noticed, say_proposal
from learnt.surfaces.cli.vouching import review_candidates, review_stale


@command(project=True)
def review(call: Call) -> int:
    """Go through what waits for you: text, diff and evidence; you decide by key.

    Disputes come first, then proposals, candidates, and what is known but not to be relied on as
    it stands. `?` tells what each key does. Without a terminal it shows the same and decides
    nothing.
    """
    call.say_whose()
    with call.asking() as outside:
        say_noticed(notice(outside, skill_folders(call.project)))
        human = call.who.actor is Actor.HUMAN
        disputed = review_disputes(outside, call)
        if disputed is None:
            return 0
        regressed = review_regressions(call, outside, decides=human)
        if regressed is None:
            return 0
        pending = listing.listed(outside, [Status.PENDING])
        if pending and human:
            return _decide_each(outside, call, pending)
        for shown in pending:
            say_proposal(looked_at(call, outside, shown))
        if pending:
            click.echo(
                f"{len(pending)} wait. Only a person at a terminal decides: `learnt review` there."
            )
        waiting = review_candidates(outside, call)
        stale = 0 if waiting is None else review_stale(outside, call)
        if not (pending or regressed or waiting is None or waiting or disputed or stale):
            click.echo("Nothing waits for you. `learnt evolve analyze` looks for something.")
        return int(not human and bool(pending or regressed or disputed))


def _decide_each(outside: Outside, call: Call, pending: list[listing.ProposalTexts]) -> int:
    decided: list[int] = []  # places in `pending`
    place: int | None = 0
    while place is not None and place < len(pending):
        proposal = listing.shown(outside, pending[place].proposal.id)
        if proposal.proposal.status is not Status.PENDING:
            place += 1  # somebody else decided meanwhile
            continue
        click.secho(f"\n{place + 1} of {len(pending)}", bold=True)
        looked = looked_at(call, outside, proposal)
        if not say_proposal(looked, asks=True):
            unseen = Refused("What was not shown whole is not accepted. Nothing was decided.")
            looked = looked._replace(change=None, trouble=unseen)
        place = _after_key(outside, call.who, looked, place, decided, pending)
    left = len(listing.listed(outside, [Status.PENDING]))
    click.echo(f"\nProposals: {len(decided)} decided, {left} still wait.")
    if place is not None and review_candidates(outside, call) is not None:
        review_stale(outside, call)
    return 0


def _after_key(
    outside: Outside,
    who: Caller,
    looked: Look,
    place: int,
    decided: list[int],
    pending: list[listing.ProposalTexts],
) -> int | None:
    """Ask for a key until one leads on; where to go next, None to leave."""
    name, by = looked.shown.id, who.decider

    def reject() -> None:
        note = click.prompt("Why (empty for no note)", default="", show_default=False)
        deciding.reject(outside, name, note, by)
        click.echo(f"✗ rejected {name}")

    def undo() -> None:
        if not decided:
            raise Refused("Nothing was decided in this review that could be undone.")
        click.echo(f"⏸ {deciding.undo(outside, pending[decided[-1]].proposal.id, by)}.")

    writes = "write it to the file that is named above"
    keys: Keys = {
        "a": KeyChoice("(a)ccept", writes, lambda: _accept(outside, looked.possible(), who)),
        "r": KeyChoice("(r)eject", "it is not proposed again as it is; you may say why", reject),
        "u": KeyChoice("(u)ndo the last", "take your last decision on a proposal back", undo),
    }
    match asked(keys, leads_on=()):
        case "q":
            return None
        case "u":
            return decided.pop()
        case "a" | "r":
            decided.append(place)
    return place + 1


def _accept(outside: Outside, change: accepting.FileChange, who: Caller) -> None:
    same = change.before == change.after
    question = f"{change.path} exists. Replace it?"
    if change.in_the_way and not (same or click.confirm(question, default=False)):
        raise Refused("Nothing was written.")
    for line in carry_out(outside, change, who, overwrite=change.in_the_way):
        click.echo(line)
