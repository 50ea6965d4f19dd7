"""`remember` and `recall`: what goes in, and what is found again."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from learnt.core.knowledge.drafts import Solution
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.offers import Offer
from learnt.flows.recall.ask import Hit, ask
from learnt.flows.recall.browse import Listed, newest
from learnt.surfaces.answers.admissions import Admission, admission
from learnt.surfaces.answers.entries import Entry, as_entry
from learnt.surfaces.cli.call import Call, command
from learnt.surfaces.cli.context import plain, say_cites


@command(answers=Admission, project=True)
@click.option("--problem", required=True, help="What went wrong, or what was to be done.")
@click.option("--approach", required=True, help="What worked.")
@click.option("--caution", "cautions", multiple=True, help="What to beware of; repeatable.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; repeatable.")
@click.option("--language", help="The programming language it is about.")
@click.option("--file", "files", multiple=True, help="A file it is about; repeatable.")
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
def remember(call: Call, *, everywhere: bool, **solution: Any) -> int:
    """Remember a solution: a problem and what worked.

    Typed by you on a terminal it counts at once; from an agent or a script it waits as a
    candidate.
    """
    place = None if everywhere else call.folder
    offer = Offer(what=Solution(**solution), actor=call.who.actor, folder=place)
    with call.ledger() as outside:
        outcome = capture(outside, offer)
    scope = "every project" if everywhere else "this project"
    answer = admission(outcome)
    return call.answer(answer, lambda answer: _say(answer, scope), int(answer.gate is not None))


def _say(answer: Admission, scope: str) -> None:
    if answer.gate is not None:
        why = REASONS[answer.reason or ""]
        click.echo(f"Not remembered ({answer.gate}): {why}. Recorded as {answer.id}.", err=True)
    elif answer.verdict == "merge":
        click.echo(f"Already remembered as {answer.id}; that one gained a confirmation.")
    else:
        click.echo(f"Remembered {answer.id} for {scope}.")
        if answer.stage is Stage.CANDIDATE:
            click.echo(
                "It is a candidate: no person vouched for it, so no prompt will see it yet. "
                "Typed by you on a terminal it would count at once."
            )
    if answer.redacted:
        kinds = ", ".join(sorted(set(answer.redacted)))
        click.echo(f"Taken out before writing: {len(answer.redacted)} secret(s) ({kinds}).")


class Memory(NamedTuple):
    """What is remembered: the best that was found, or the newest."""

    entries: tuple[Entry, ...]


@command(answers=Memory, project=True)
@click.argument("question", nargs=-1)
@click.option("-k", "most", type=click.IntRange(1, 100), default=5, show_default=True)
def recall(call: Call, question: tuple[str, ...], *, most: int) -> int:
    """Ask what is remembered about something: the best first, candidates included.

    Without words the newest are listed. Exit code 1 where nothing is found.
    """
    with call.ledger() as outside:
        found: Sequence[Hit | Listed]
        if question:
            asked, actor = " ".join(question), call.who.actor
            found = ask(outside, asked, folder=call.folder, actor=actor, most=most)
        else:
            found = newest(outside, call.folder, most)
    nothing = "Nothing is remembered here yet. `learnt remember` begins it."
    if question:
        nothing = "Nothing remembered shares a word with that."
    memory = Memory(entries=tuple(map(as_entry, found)))
    code = int(bool(question) and not found)
    return call.answer(memory, lambda memory: _say_memory(memory, nothing), code)


def _say_memory(memory: Memory, nothing: str) -> None:
    if not memory.entries:
        click.echo(nothing)
    for found in memory.entries:
        mark = "" if found.trust == "TRUST" else click.style(f" {found.trust}", fg="yellow")
        click.echo(click.style(plain(found.problem or found.text), bold=True) + mark)
        if found.approach:
            click.echo(f"  {plain(found.approach)}")
        for caution in found.cautions:
            click.echo(f"  Caution: {caution}")
        say_cites(found.cites)
        fits = "" if found.relevance is None else f"{100 * found.relevance:.0f} % · "
        scope = "every project" if found.everywhere else "this project"
        about = f"{found.id} · {fits}{scope} · used in {found.reused} session(s)"
        click.secho(f"  {about}", dim=True)
