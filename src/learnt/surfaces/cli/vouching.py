"""Candidates and stale knowledge in `review`: vouched for, edited, merged, retired, or skipped."""

from functools import partial
from typing import Final

import click

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import REASONS
from learnt.errors import Refused
from learnt.flows.knowledge.candidates import Unproven, alike, candidates, is_candidate
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.freshness import freshness
from learnt.flows.knowledge.rewording import reword, sheet_of
from learnt.flows.knowledge.sweep import join_by_hand, stage_by_hand
from learnt.formats.injection import Note, day
from learnt.ports import Outside
from learnt.surfaces.cli.context import Call, plain
from learnt.surfaces.cli.editing import edited
from learnt.surfaces.cli.keys import KeyChoice, Keys, asked
from learnt.surfaces.cli.lifecycle import say_standing

MOST_LISTED: Final = 3


def review_candidates(outside: Outside, call: Call) -> int | None:
    """Take a person through the candidates; others are told of them.

    How many there are; None where the person left.
    """
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
        if not is_candidate(outside, each.note.id):
            continue  # part of another one by now
        click.secho(f"\nCandidate {number} of {len(waiting)}", bold=True)
        _say(each)
        keys = _keys(outside, call, each.entry)
        if (other := alike(outside, call.folder, each.entry)) is not None:
            click.echo(f"  Perhaps the same as {other.id}: {plain(other.said)}")
            merge = partial(_merge, outside, call, each.note, other)
            keys["m"] = KeyChoice(
                "(m)erge the two", "make them one; you say which text stays", merge
            )
        if asked(keys) == "q":
            return None
    return len(waiting)


def review_stale(outside: Outside, call: Call) -> int:
    """Take a person through what is not to be relied on as it stands; others are told of it.

    How much there is. What is in dispute is asked about elsewhere.
    """
    every = freshness(outside, call.folder)
    stale = [each for each in every if each.trust != Trust.TRUST and not each.rivals]
    for number, each in enumerate(stale if call.who.interactive else (), 1):
        click.secho(f"\nTo be looked at again {number} of {len(stale)}", bold=True)
        say_standing(each)
        if asked(_keys(outside, call, each.entry)) == "q":
            break
    if stale and not call.who.interactive:
        click.echo(
            f"To be looked at again before it is relied on: {len(stale)}. `learnt knowledge "
            "freshness` tells why; a person goes through it: `learnt review` on a terminal."
        )
    return len(stale)


def _keys(outside: Outside, call: Call, entry: Entry) -> Keys:
    """What a person may do with an entry: vouch for a candidate, say that another one holds."""

    def holds() -> None:
        tell(outside, entry.id, Word(result="reset", actor=call.who.actor, folder=call.folder))
        click.echo(f"★ {entry.id} holds, as new.")

    def staged(to: Stage) -> None:
        stage_by_hand(outside, entry.id, call.who.actor, to)
        click.echo(f"{'★' if to is Stage.VALIDATED else '✗'} {entry.id} is {to}.")

    keys: Keys = {"h": KeyChoice("it (h)olds", "it is as true as when it was new", holds)}
    if entry.stage is Stage.CANDIDATE:
        vouch = partial(staged, Stage.VALIDATED)
        keys = {"v": KeyChoice("(v)ouch for it", "it is validated, and served from now on", vouch)}
    edit, retire = partial(_edit, outside, call, entry.id), partial(staged, Stage.RETIRED)
    keys["e"] = KeyChoice("(e)dit it", "write it anew in your editor, which validates it", edit)
    keys["r"] = KeyChoice("(r)etire it", "it is served no more; there is no undo for this", retire)
    return keys


def _edit(outside: Outside, call: Call, name: EntryId) -> None:
    before = sheet_of(outside, name)
    with edited(before) as sheet:
        if sheet == before or not any(sheet):
            raise Refused(f"{name} is left as it was: nothing else was written.")
        if why := reword(outside, name, sheet, call.who.decider):
            raise Refused(f"{name} is left as it was: {REASONS.get(why, why)}.")
    click.echo(f"★ {name} says what you wrote, and is validated.")


def _merge(outside: Outside, call: Call, one: Note, other: Note) -> None:
    for number, note in enumerate((one, other), 1):
        click.echo(f"  {number}. {plain(note.said)}")
    stays = click.prompt(
        "Which text stays: 1, 2", type=click.Choice(["1", "2"]), default="2", show_choices=False
    )
    gone, kept = (one.id, other.id) if stays == "2" else (other.id, one.id)
    join_by_hand(outside, gone, kept, call.who.decider)
    click.echo(f"★ {gone} is part of {kept} now, which is validated.")


def _say(candidate: Unproven) -> None:
    note = candidate.note
    click.echo(f"  {plain(note.said)}")
    looked = f" · {candidate.prompts} prompt(s) looked for it" if candidate.prompts else ""
    click.secho(f"  {note.id} · kept {day(note.kept_ms)} {note.kept_by}{looked}", dim=True)
