"""`knowledge relate`, `unrelate` and `tidy`: how two notes stand to each other."""

import click

from learnt.core.knowledge.entries import Relation
from learnt.flows.knowledge.quoting import shell_session
from learnt.flows.knowledge.relating import BATCH, RelationAnswer, batch, relate, unrelate
from learnt.flows.sessions.locate import current_session
from learnt.surfaces.answers import memories
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.ids import Id

_RELATION = click.Choice([str(relation) for relation in Relation])


@command("relate", answers=memories.RelatedNotes, project=True)
@click.argument("new", type=Id("entry"))
@click.argument("old", type=Id("entry"))
@click.argument("relation", type=_RELATION)
def relate_two(call: Call, new: str, old: str, relation: str) -> int:
    """Say how a newer note stands to an older one: same, contradicts, narrows or different."""
    with call.ledger() as outside:
        session = current_session(outside, call.who.session)
        told = (call.who.actor, session, shell_session(outside, session), call.folder)
        answer = RelationAnswer(new, old, Relation(relation), *told)
        done = memories.related_notes(relate(outside, answer))
    return call.answer(done, _say)


def _say(done: memories.RelatedNotes) -> None:
    click.echo(f"{done.said[0].upper()}{done.said[1:]}.")
    if done.undo:
        click.secho(f"`{done.undo}` takes it back.", dim=True)


@command("unrelate", answers=memories.AnswerTakenBack, project=True)
@click.argument("new", type=Id("entry"))
@click.argument("old", type=Id("entry"))
def unrelate_two(call: Call, new: str, old: str) -> int:
    """Undo an answer on two notes: all is as it was before. Only for a person at a terminal."""
    with call.ledger() as outside:
        done = unrelate(outside, new, old, call.folder, call.who.decider)
    return call.answer(memories.AnswerTakenBack(done), lambda _: click.echo(f"{done}."))


@command("tidy", answers=memories.PairsToRelate, project=True)
@click.option("--most", type=click.IntRange(1, BATCH), default=BATCH, show_default=True)
def tidy(call: Call, most: int) -> int:
    """Show pairs of notes that may repeat or contradict each other, to answer with `relate`."""
    with call.asking() as outside:
        session = current_session(outside, call.who.session)
        pairs = memories.to_relate(batch(outside, call.folder, session, call.who.actor, most=most))
    return call.answer(pairs, _say_pairs)


def _say_pairs(found: memories.PairsToRelate) -> None:
    for pair in found.pairs:
        click.echo(f"{pair.new} {plain(pair.new_text)}\n{pair.old} {plain(pair.old_text)}\n")
    if found.pairs:
        click.echo("Answer each: `learnt knowledge relate NEW OLD " + "|".join(Relation) + "`.")
    else:
        click.echo("No pairs of notes are left to compare.")


COMMANDS = (relate_two, unrelate_two, tidy)
