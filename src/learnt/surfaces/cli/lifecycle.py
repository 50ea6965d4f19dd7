"""`knowledge` in the ledger: confirmed, validated, fading, and told where it stands."""

from dataclasses import replace

import click

from learnt.core.identifiers import EntryId
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.admission import NEEDS
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.standing import CREDIBILITY, RELEVANCE, THOUSAND
from learnt.errors import UsageError
from learnt.flows.knowledge import feedback as speaking
from learnt.flows.knowledge import freshness as ageing
from learnt.flows.knowledge import sweep as sweeping
from learnt.ports import Outside
from learnt.surfaces.cli.capturing import capture, query
from learnt.surfaces.cli.context import (
    EVIDENCE,
    HOME,
    JSON,
    PROJECT,
    TRUST_COLOURS,
    Caller,
    caller,
    cites_json,
    folder,
    ledger_as_it_is,
    ledger_of,
    plain,
    print_json,
    say_cites,
)


@click.command()
@click.option("--id", "name", required=True, metavar="ID", help="The entry.")
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
@JSON
@HOME
def confirm(name: str, wc: str, wr: str, evidence: str, *, as_json: bool, home: str | None) -> int:
    """Say that an entry held, and how it was seen. It adds up to what validates a candidate."""
    who = caller(home)
    word = speaking.Word(
        result="confirmed",
        actor=who.actor,
        credibility=_weight(wc, CREDIBILITY) if wc else None,
        relevance=_weight(wr, RELEVANCE),
        evidence=evidence,
        session=who.session,
    )
    return tell(who, name, word, as_json=as_json)


def _weight(given: str, names: dict[str, int]) -> int:
    """A weight by its name or as a number from 0 to 1, in thousandths."""
    if given in names:
        return names[given]
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if not 0.001 <= value <= 1:
        raise UsageError(f"{given} is no weight: {', '.join(names)}, or a number up to 1.")
    return round(value * THOUSAND)


def tell(who: Caller, name: str, word: speaking.Word, *, as_json: bool) -> int:
    """Record a word on an entry, and show the entry as it is now."""
    here = folder(".")
    with ledger_of(who) as outside:
        entry, new = speaking.tell(outside, EntryId(name), replace(word, folder=here))
        now = ageing.standing_of(outside, entry, here)
    if as_json:
        print_json({"recorded": new, **fresh_json(now)})
        return 0
    if not new:
        click.echo("That was said before in this session, or by this tool call: it counts once.")
    say_fresh(now)
    return 0


@click.command()
@click.argument("name", metavar="[ID]", required=False)
@JSON
@HOME
def promote(name: str | None, *, as_json: bool, home: str | None) -> int:
    """Validate the candidates that proved themselves; one by its ID at a person's word."""
    who = caller(home)
    with ledger_of(who) as outside:
        if name is not None:
            entry = sweeping.promote_now(outside, EntryId(name), who.actor)
            return _say_staged(outside, entry, f"{name} is validated.", as_json=as_json)
        swept = sweeping.sweep(outside, expire=False, merge=False)
    return _say_swept(swept, as_json=as_json)


@click.command()
@click.argument("name", metavar="[ID]", required=False)
@JSON
@HOME
def expire(name: str | None, *, as_json: bool, home: str | None) -> int:
    """Retire the candidates nothing speaks for any more; one by its ID at a person's word."""
    who = caller(home)
    with ledger_of(who) as outside:
        if name is not None:
            entry = sweeping.retire_now(outside, EntryId(name), who.actor)
            said = f"{name} is retired. Its text and its story stay: `learnt why {name}`."
            return _say_staged(outside, entry, said, as_json=as_json)
        swept = sweeping.sweep(outside, promote=False, merge=False)
    return _say_swept(swept, as_json=as_json)


def _say_staged(outside: Outside, entry: Entry, said: str, *, as_json: bool) -> int:
    if as_json:
        print_json(fresh_json(ageing.standing_of(outside, entry)))
    else:
        click.echo(said)
    return 0


@click.command()
@JSON
@HOME
def sweep(*, as_json: bool, home: str | None) -> int:
    """Validate, retire and join candidates by the evidence; what still waits, and for what."""
    who = caller(home)
    with ledger_of(who) as outside:
        swept = sweeping.sweep(outside)
    return _say_swept(swept, as_json=as_json)


def _say_swept(swept: sweeping.Swept, *, as_json: bool) -> int:
    if as_json:
        print_json({
            "promoted": list(swept.promoted),
            "expired": list(swept.expired),
            "merged": [{"entry": gone, "into": kept} for gone, kept in swept.merged],
            "waiting": [{"id": name, "needs": list(needs)} for name, needs in swept.waiting],
        })
        return 0
    for name in swept.promoted:
        click.echo(f"★ {name} proved itself: validated.")
    for name in swept.expired:
        click.echo(f"✗ {name}: nothing speaks for it any more; retired.")
    for gone, kept in swept.merged:
        click.echo(f"{gone} is {kept}: joined.")
    for name, needs in swept.waiting:
        click.echo(f"⏸ {name}: {'; '.join(NEEDS[need] for need in needs)}.")
    if not (swept.promoted or swept.expired or swept.merged or swept.waiting):
        click.echo("There are no candidates.")
    return 0


@click.command()
@click.option("--level", type=click.Choice([str(level) for level in Trust]), help="Only these.")
@PROJECT
@JSON
@HOME
def freshness(*, level: str | None, project: str, as_json: bool, home: str | None) -> int:
    """All validated knowledge, least trusted first. Exit 0: all TRUST; 1: some VERIFY; 2: worse."""
    who = caller(home)
    with ledger_as_it_is(who) as outside:
        found = [] if outside is None else ageing.freshness(outside, folder(project))
    shown = [one for one in found if level in {None, one.trust}]
    if as_json:
        print_json({"entries": [fresh_json(one) for one in shown], "findings": []})
    else:
        for one in shown:
            say_fresh(one)
        click.echo(f"{len(shown)} validated entries." if shown else "Nothing is validated here.")
    trusts = {one.trust for one in found}
    return 2 if "REVALIDATE" in trusts else 1 if "VERIFY" in trusts else 0


def fresh_json(one: ageing.Fresh) -> JsonObject:
    """An entry with its standing, in the shape of `scan` and `search`; nothing is rounded."""
    return {
        "id": one.entry.id,
        "stage": one.entry.stage,
        "kind": one.entry.kind,
        "text": one.text,
        "confidence": one.level,
        "trust": one.trust,
        "confirmed": None if one.belief is None else one.belief.confirmed.isoformat(),
        "alpha": None if one.belief is None else one.belief.alpha,
        "beta": None if one.belief is None else one.belief.beta,
        "c0": None if one.belief is None else one.belief.c0,
        "shock": None if one.belief is None else one.belief.shock,
        "score": one.score,
        "entities": list(one.entities),
        "cites": cites_json(one.cites),
        "file": None,
        "line": None,
    }


def say_fresh(one: ageing.Fresh) -> None:
    """An entry with its standing, for people."""
    said = click.style(one.trust.ljust(10), fg=TRUST_COLOURS[one.trust])
    told = f"C={one.level:.3f}" if one.level is not None else f"score {one.score:.2f}"
    click.echo(f"{said} {one.entry.id} {told:<10} {plain(' '.join(one.text.split()))}")
    say_cites(one.cites)


COMMANDS = (capture, query, confirm, promote, expire, sweep, freshness)
