"""`review`: the pending proposals one by one, decided with a key."""

import click

from learnt.core.events import Actor
from learnt.core.governance.proposals import Status
from learnt.errors import LearntError, Refused
from learnt.flows.governance import accept as accepting
from learnt.flows.governance import decide as deciding
from learnt.flows.governance import listing
from learnt.flows.governance.notice import notice
from learnt.ports import Outside
from learnt.surfaces.cli.call import Call, command
from learnt.surfaces.cli.context import plain
from learnt.surfaces.cli.evolve import carry_out, deciding_caller
from learnt.surfaces.cli.proposal_view import folders_of_skills, look, say_noticed, say_proposal

_KEYS = "[a]ccept  [r]eject  [s]kip  [u]ndo the last  [q]uit"


@command(project=True)
def review(call: Call) -> int:
    """Go through what waits for you: text, diff and evidence; accept, reject, skip or undo by key.

    Without a terminal it shows the same and decides nothing.
    """
    with call.ledger() as outside:
        say_noticed(notice(outside, folders_of_skills(call.project)))
        pending = listing.listed(outside, [Status.PENDING])
        if not pending:
            click.echo("Nothing waits for you. `learnt evolve analyze` looks for something.")
            return 0
        if call.who.actor is not Actor.HUMAN:
            for shown in pending:
                say_proposal(look(outside, shown, call.project))
            click.echo(
                f"{len(pending)} wait. Only a person at a terminal decides: `learnt review` there."
            )
            return 1
        return _Sitting(outside, call, pending).run()


class _Sitting:
    """One person's way through the pending proposals."""

    def __init__(self, outside: Outside, call: Call, pending: list[listing.ProposalTexts]) -> None:
        self._outside, self._call, self._pending = outside, call, pending
        self._decided: list[int] = []

    def run(self) -> int:
        place = 0
        while place < len(self._pending):
            shown = listing.shown(self._outside, self._pending[place].proposal.id)
            if shown.proposal.status is not Status.PENDING:
                place += 1  # somebody else decided meanwhile
                continue
            click.secho(f"\n{place + 1} of {len(self._pending)}", bold=True)
            looked = look(self._outside, shown, self._call.project)
            say_proposal(looked)
            step = self._ask(shown, looked.change, place)
            if step is None:
                break
            place = step
        left = len(listing.listed(self._outside, [Status.PENDING]))
        click.echo(f"\n{len(self._decided)} decided, {left} still wait.")
        return 0

    def _ask(
        self, shown: listing.ProposalTexts, change: accepting.FileChange | None, place: int
    ) -> int | None:
        """Ask for a key until one is pressed that leads on; where to go next, None to leave."""
        while True:
            click.echo(_KEYS + " ", nl=False)
            key = click.getchar().lower()
            click.echo(key if key.isprintable() else "")
            try:
                match key:
                    case "a" if change is not None:
                        self._accept(change)
                        self._decided.append(place)
                        return place + 1
                    case "r":
                        note = click.prompt("Why (empty for no note)", default="")
                        by = deciding_caller(self._call.who)
                        deciding.reject(self._outside, shown.proposal.id, note, by)
                        click.echo(f"✗ rejected {shown.proposal.id}")
                        self._decided.append(place)
                        return place + 1
                    case "s":
                        return place + 1
                    case "u" if self._decided:
                        return self._undo()
                    case "q" | "\x03" | "\x04" | "\x1b":
                        return None
                    case _:
                        click.echo("That can't be done here.")
            except LearntError as error:
                click.secho(plain(str(error)), fg="red")

    def _accept(self, change: accepting.FileChange) -> None:
        overwrite = False
        if change.in_the_way:
            overwrite = change.before == change.after or click.confirm(
                f"{change.path} exists. Replace it?", default=False
            )
            if not overwrite:
                raise Refused("Nothing was written.")
        for line in carry_out(self._outside, change, self._call.who, overwrite=overwrite):
            click.echo(line)

    def _undo(self) -> int:
        place = self._decided[-1]
        name = self._pending[place].proposal.id
        done = deciding.undo(self._outside, name, deciding_caller(self._call.who))
        self._decided.pop()
        click.echo(f"⏸ {done}.")
        return place
