"""`recall` and `sessions`: what is remembered, and what was said in earlier sessions."""

import re

import click

from learnt.core.identifiers import ENTRY_ID
from learnt.flows.recall.ask import ask, entries_named, newest, read
from learnt.flows.recall.conversations import SaidTurns, said_in, search_sessions, sessions_of
from learnt.flows.sessions.locate import current_session, find, look
from learnt.flows.sessions.past import read_in, unread
from learnt.surfaces.answers.memories import Memories, found, listed
from learnt.surfaces.cli.context import Call, Id, command, meant, plain, say_by_words, say_doubts


def say_turns(turns: SaidTurns) -> None:
    """What was said, each with how its session goes on."""
    for turn in turns.turns:
        gone = "(its transcript is gone, and with it the text)"
        click.echo(gone if turn.gone else plain(turn.text))
        click.secho(f"  {turn.when[:19]} · {turn.speaker} · {plain(turn.resume)}", dim=True)
    if not turns.turns:
        click.echo("There is nothing of it in sessions of this project that have ended.")


@click.group()
def sessions() -> None:
    """What was said in this project's earlier sessions; `recall --sessions` searches it."""


@command("list", within=sessions, answers=SaidTurns, project=True)
@click.option("-k", "most", type=click.IntRange(1, 1_000), default=20, show_default=True)
def list_(call: Call, *, most: int) -> int:
    """How the sessions that can be searched began, the latest first; what has ended is read in."""
    with call.asking() as outside:
        for session in unread(outside):
            read_in(outside, session)
        return call.answer(sessions_of(outside, call.folder, most), say_turns)


@command(within=sessions, answers=SaidTurns, project=True)
@click.argument("session", type=Id("session"))
def show(call: Call, session: str) -> int:
    """Show all that was said in a session, secrets taken out."""
    with call.asking() as outside:
        return call.answer(said_in(outside, session, folder=call.folder), say_turns)


_BEGINNING = re.compile(r"e-[0-9a-z]{1,14}")
_UNSEEN = (
    " Learnt has not seen this folder before: only what holds in every project was looked through."
)


@command(answers=Memories | SaidTurns, project=True)
@click.argument("question", nargs=-1)
@click.option(
    "-k",
    "most",
    type=click.IntRange(1, 100),
    metavar="N",
    default=5,
    show_default=True,
    help="How many at most.",
)
@click.option("--sessions", is_flag=True, help="Ask what was said in this project's sessions.")
def recall(call: Call, question: tuple[str, ...], *, most: int, sessions: bool) -> int:
    """Ask what is remembered about something: the best first, candidates included.

    With handles or ids those entries are shown, without words the newest. Exit code 1 where
    nothing is found.
    """
    words, actor = " ".join(question), call.who.actor
    if _BEGINNING.fullmatch(words):
        words = meant(call, words, "entry")
    if sessions:
        with call.asking() as outside:
            turns = search_sessions(outside, words, folder=call.folder, most=most)
            say_by_words(outside)
        return call.answer(turns, say_turns, int(not turns.turns))
    with call.asking() as outside:
        names = entries_named(outside, words.split(), folder=call.folder)
        if names or ENTRY_ID.fullmatch(words):
            nothing, session = "Nothing that this project may see has that id.", call.who.session
            session = current_session(outside, session)
            memory = listed(
                hit
                for name in dict.fromkeys(names)
                for hit in read(outside, name, folder=call.folder, actor=actor, session=session)
            )
        elif question:
            nothing = "Nothing remembered shares a word with that."
            place = look(outside, call.folder)
            with outside.ledger.reading() as reader:
                nothing += "" if find(reader, place) else _UNSEEN
            memory = found(ask(outside, words, folder=call.folder, actor=actor, most=most))
            say_by_words(outside)
        else:
            nothing = "Nothing is remembered here yet. `learnt remember` begins it."
            memory = listed(newest(outside, call.folder, most))
    code = int(bool(question) and not memory.entries)
    return call.answer(memory, lambda memory: _say_memory(memory, nothing), code)


def _say_memory(memory: Memories, nothing: str) -> None:
    if not memory.entries:
        click.echo(nothing)
    for entry in memory.entries:
        mark = "" if entry.trust == "TRUST" else click.style(f" {entry.trust}", fg="yellow")
        click.echo(click.style(plain(entry.problem or entry.text), bold=True) + mark)
        if entry.approach:
            click.echo(f"  {plain(entry.approach)}")
        for caution in entry.cautions:
            click.echo(f"  Caution: {caution}")
        say_doubts(entry.cites, entry.rivals, entry.outdated)
        fits = "" if entry.relevance is None else f"fits to {100 * entry.relevance:.0f} % · "
        scope = "every project" if entry.everywhere else "this project"
        about = f"{entry.handle} · {fits}{scope} · reused in {entry.reused} session(s)"
        click.secho(f"  {about}", dim=True)
    if memory.entries and memory.said:
        click.echo(memory.said)
