"""`review`: what waits for a person, one after the other, decided by key."""

import click

from learnt.core.events import Actor
from learnt.core.governance.proposals import Status
from learnt.errors import LearntError, Refused
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import decide as deciding
from learnt.flows.governance import listing
from learnt.flows.governance.notice import notice
from learnt.ports import Outside
from learnt.surfaces.agent_files import skill_folders
from learnt.surfaces.cli.context import Call, Caller, command, plain
from learnt.surfaces.cli.disputing import review_disputes
from learnt.surfaces.cli.evolve import carry_out, looked_at
from learnt.surfaces.cli.improving import review_regressions
from learnt.surfaces.cli.proposal_view import Look, say_noticed, say_proposal
from learnt.surfaces.cli.vouching import review_candidates, review_stale

_KEYS = "[a]ccept  [r]eject  [s]kip  [u]ndo the last  [q]uit"


@command(project=True)
def review(call: Call) -> int:
    """Go through what waits for you: text, diff and evidence; accept, reject, skip or undo by key.

    Disputes come first, then proposals, candidates, and what is known but not to be relied on as
    it stands. Without a terminal it shows the same and decides nothing.
    """
    call.say_whose()
    with call.asking() as outside:
        say_noticed(notice(outside, skill_folders(call.project)))
        human = call.who.actor is Actor.HUMAN
        disputed = review_disputes(outside, call)
        if disputed is None:
            return 0
        regressed = review_regressions(call, outside, decides=human)
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
            looked = looked._replace(change=None)  # what was not seen whole can't be accepted
        place = _after_key(outside, call.who, looked, place, decided, pending)
    left = len(listing.listed(outside, [Status.PENDING]))
    click.echo(f"\n{len(decided)} decided, {left} still wait.")
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
    """Ask for a key until one is pressed that leads on; where to go next, None to leave."""
    by = who.decider
    while True:
        click.echo(_KEYS + " ", nl=False)
        key = click.getchar().lower()
        click.echo(key if key.isprintable() else "")
        try:
            match key:
                case "a" if looked.change is not None:
                    _accept(outside, looked.change, who)
                case "r":
                    note = click.prompt("Why (empty for no note)", default="")
                    deciding.reject(outside, looked.shown.id, note, by)
                    click.echo(f"✗ rejected {looked.shown.id}")
                case "s":
                    return place + 1
                case "u" if decided:
                    undone = deciding.undo(outside, pending[decided[-1]].proposal.id, by)
                    click.echo(f"⏸ {undone}.")
                    return decided.pop()
                case "q" | "\x03" | "\x04" | "\x1b":
                    return None
                case _:
                    click.echo("That can't be done here; what was not shown whole is not accepted.")
                    continue
        except LearntError as error:
            click.secho(plain(str(error)), fg="red")
        else:
            decided.append(place)
            return place + 1


def _accept(outside: Outside, change: accepting.FileChange, who: Caller) -> None:
    same = change.before == change.after
    question = f"{change.path} exists. Replace it?"
    if change.in_the_way and not (same or click.confirm(question, default=False)):
        raise Refused("Nothing was written.")
    for line in carry_out(outside, change, who, overwrite=change.in_the_way):
        click.echo(line)
