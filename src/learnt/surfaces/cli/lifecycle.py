"""`knowledge` in the ledger: confirmed, validated, fading, and told where it stands."""

from dataclasses import replace
from typing import NamedTuple

import click

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.admission import NEEDS
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.standing import CREDIBILITY, RELEVANCE, THOUSAND
from learnt.errors import UsageError
from learnt.flows.knowledge import feedback as speaking
from learnt.flows.knowledge import freshness as ageing
from learnt.flows.knowledge import sweep as sweeping
from learnt.surfaces.answers import words
from learnt.surfaces.answers.words import Recorded
from learnt.surfaces.cli.context import (
    EVIDENCE,
    TRUST_COLOURS,
    Call,
    command,
    plain,
    say_cites,
    say_rivals,
)
from learnt.surfaces.cli.ids import Id

ID = click.option("--id", "name", required=True, type=Id("entry"), help="The entry.")


@command(answers=Recorded)
@ID
@click.option(
    "--wc",
    default="",
    metavar="W",
    help="How far you are to be believed: tool, human, agent, indirect, or a number.",
)
@click.option(
    "--wr", default="core", metavar="W", help="How near to the point: core, auxiliary, marginal."
)
@EVIDENCE
def confirm(call: Call, name: str, wc: str, wr: str, evidence: str) -> int:
    """Say that an entry held, and how it was seen. It adds up to what validates a candidate."""
    word = speaking.Word(
        result="confirmed",
        actor=call.who.actor,
        credibility=_weight(wc, CREDIBILITY) if wc else None,
        relevance=_weight(wr, RELEVANCE),
        evidence=evidence,
    )
    return tell(call, name, word)


def _weight(given: str, names: dict[str, int]) -> int:
    if given in names:
        return names[given]
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if not 0.001 <= value <= 1:
        raise UsageError(f"{given} is no weight: {', '.join(names)}, or a number up to 1.")
    return round(value * THOUSAND)


def tell(call: Call, name: str, word: speaking.Word) -> int:
    """Record a word on an entry, and show the entry as it is now."""
    call.say_whose()
    word = replace(word, session=call.who.session, folder=call.folder)
    with call.asking() as outside:
        return call.answer(words.tell(outside, name, word), _say_recorded)


def _say_recorded(now: Recorded) -> None:
    if not now.recorded:
        click.echo("That was said before in this session, or by this tool call: it counts once.")
    say_standing(now)


@command(answers=ageing.Fresh | sweeping.Swept)
@click.argument("name", type=Id("entry"), metavar="[ID]", required=False)
def promote(call: Call, name: str | None) -> int:
    """Validate the candidates that proved themselves; one by its ID at a person's word."""
    return _staged(call, name, Stage.VALIDATED, f"{name} is validated.")


@command(answers=ageing.Fresh | sweeping.Swept)
@click.argument("name", type=Id("entry"), metavar="[ID]", required=False)
def expire(call: Call, name: str | None) -> int:
    """Retire the candidates nothing speaks for any more; one by its ID at a person's word."""
    text = f"{name} is retired. Its text and its story stay: `learnt why {name}`."
    return _staged(call, name, Stage.RETIRED, text)


def _staged(call: Call, name: str | None, to: Stage, text: str) -> int:
    validated = to is Stage.VALIDATED
    if name is not None:
        call.say_whose()
    with call.asking() as outside:
        if name is None:
            swept = sweeping.sweep(outside, promote=validated, expire=not validated, merge=False)
            return call.answer(swept, _say_swept)
        entry = sweeping.stage_by_hand(outside, EntryId(name), call.who.actor, to)
        now = ageing.standing_of(outside, entry)
    return call.answer(now, text)


@command(answers=sweeping.Swept)
def sweep(call: Call) -> int:
    """Validate, retire and join candidates by the evidence; what still waits, and for what."""
    with call.asking() as outside:
        return call.answer(sweeping.sweep(outside), _say_swept)


def _say_swept(swept: sweeping.Swept) -> None:
    lines = [
        *(f"★ {name} proved itself: validated." for name in swept.promoted),
        *(f"✗ {name}: nothing speaks for it any more; retired." for name in swept.expired),
        *(f"{gone} is {kept}: joined." for gone, kept in swept.merged),
        *(
            f"⏸ {name}: {'; '.join(NEEDS[need] for need in needs)}."
            for name, needs in swept.waiting
        ),
    ]
    click.echo("\n".join(lines or ["There are no candidates."]))


class Freshness(NamedTuple):
    """The validated entries, least trusted first. `findings` are of folder mode: always none."""

    entries: tuple[ageing.Fresh, ...]
    findings: tuple[str, ...] = ()


@command(answers=Freshness, project=True)
@click.option("--level", type=click.Choice([str(level) for level in Trust]), help="Only these.")
def freshness(call: Call, *, level: str | None) -> int:
    """All validated knowledge, least trusted first. Exit 0: all TRUST; 1: some VERIFY; 2: worse."""
    every = call.look(lambda outside: ageing.freshness(outside, call.folder), [])
    entries = tuple(fresh for fresh in every if level in {None, fresh.trust})
    trusts = {fresh.trust for fresh in every}
    code = 2 if "REVALIDATE" in trusts else 1 if "VERIFY" in trusts else 0
    return call.answer(Freshness(entries=entries), _say_freshness, code)


def _say_freshness(answer: Freshness) -> None:
    for entry in answer.entries:
        say_standing(entry)
    count = len(answer.entries)
    click.echo(f"{count} validated entries." if count else "Nothing is validated here.")


def say_standing(entry: ageing.Fresh) -> None:
    """An entry with its standing today, for people."""
    trust = click.style(entry.trust.ljust(10), fg=TRUST_COLOURS[entry.trust])
    confidence = entry.confidence
    level = f"score {entry.score:.2f}" if confidence is None else f"C={confidence:.3f}"
    click.echo(f"{trust} {entry.id} {level:<10} {plain(' '.join(entry.text.split()))}")
    say_cites(entry.cites)
    say_rivals(entry.rivals)


COMMANDS = (confirm, promote, expire, sweep, freshness)
