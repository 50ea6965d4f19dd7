"""Candidates in `review`: a person vouches for one, retires it, or leaves it to the evidence."""

from typing import Final

import click

from learnt.core.events import Actor
from learnt.core.knowledge.entries import Stage
from learnt.errors import LearntError
from learnt.flows.knowledge.candidates import Unproven, candidates
from learnt.flows.knowledge.sweep import stage_by_hand
from learnt.formats.injection import day
from learnt.ports import Outside
from learnt.surfaces.cli.context import Call, plain

MOST_LISTED: Final = 3
_ASKED: Final = "(v)ouch for it, (r)etire it, (s)kip, (q)uit"


def review_candidates(outside: Outside, call: Call) -> int:
    """Take a person through the candidates; others are told of them. How many there are."""
    waiting = candidates(outside, call.folder)
    if not call.who.interactive:
        for each in waiting[:MOST_LISTED]:
            _say(each)
        if waiting:
            click.echo(
                f"{len(waiting)} candidate(s) wait to prove themselves; a person vouches for one "
                "(`learnt knowledge promote ID`), or goes through them: `learnt review` on a "
                "terminal."
            )
        return len(waiting)
    for number, each in enumerate(waiting, 1):
        click.secho(f"\nCandidate {number} of {len(waiting)}", bold=True)
        _say(each)
        if not _asked(outside, call.who.actor, each):
            break
    return len(waiting)


def _asked(outside: Outside, actor: Actor, candidate: Unproven) -> bool:
    name = candidate.note.id
    while True:
        try:
            answer = click.prompt(_ASKED, default="s").strip().lower()[:1]
        except click.Abort:
            return False
        to = {"v": Stage.VALIDATED, "r": Stage.RETIRED}.get(answer)
        if answer in {"s", "q"}:
            return answer == "s"
        if to is not None:
            try:
                stage_by_hand(outside, name, actor, to)
                click.echo(f"{'★' if to is Stage.VALIDATED else '✗'} {name} is {to}.")
            except LearntError as error:  # somebody else was quicker
                click.echo(str(error), err=True)
            return True


def _say(candidate: Unproven) -> None:
    note = candidate.note
    click.echo(f"  {plain(note.said)}")
    looked = f" · {candidate.prompts} prompt(s) looked for it" if candidate.prompts else ""
    click.secho(f"  {note.id} · kept {day(note.kept_ms)} {note.kept_by}{looked}", dim=True)
