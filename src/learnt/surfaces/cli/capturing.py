"""`knowledge capture` and `query`: knowledge on its way in, and asked for before one looks."""

from collections.abc import Iterable

import click

from learnt.bootstrap import domains
from learnt.core.events import Actor
from learnt.core.identifiers import ENTRY_ID, EntryId
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Passage, Reject
from learnt.core.knowledge.junk import WORTHLESS
from learnt.core.knowledge.kinds import KINDS
from learnt.core.knowledge.relations import Relation
from learnt.core.knowledge.vocabulary import Vocabulary
from learnt.errors import Refused, UsageError
from learnt.flows.knowledge.capture import capture as offer_one
from learnt.flows.knowledge.offers import Offer, Outcome
from learnt.flows.recall.ask import Hit, ask
from learnt.formats.injection import Note, day, standing
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
    ledger_of,
    plain,
    print_json,
    say_cites,
)


@click.command()
@click.argument("words", nargs=-1)
@click.option("--content", default="", help="The fact, in a sentence or two (else the words).")
@click.option(
    "--kind",
    "--type",
    "kind",
    required=True,
    metavar="KIND",
    help=f"One of {', '.join(KINDS)}; or one of a domain that is enabled.",
)
@click.option("--entities", default="", metavar='"A,B"', help="What it is about; else its names.")
@click.option("--source-domain", "subject", default="", metavar="D", help="A subject, as a tag.")
@click.option(
    "--cite",
    "cites",
    multiple=True,
    metavar="PATH[:10-20|#NAME]|table:NAME",
    help="What in the project shows it; repeatable. It is checked whenever it is recalled.",
)
@EVIDENCE
@click.option(
    "--judged",
    multiple=True,
    metavar="ID=same|apart|contradicts",
    help='Your judgement where the gates were unsure; needs [gates] judge = "agent".',
)
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@click.option("--anyway", is_flag=True, help="A person's word that it is worth keeping.")
@PROJECT
@JSON
@HOME
def capture(
    words: tuple[str, ...],
    content: str,
    kind: str,
    entities: str,
    subject: str,
    cites: tuple[str, ...],
    evidence: str,
    judged: tuple[str, ...],
    *,
    everywhere: bool,
    anyway: bool,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Offer a fact to the gates. Exit 1 where they keep it out, which is most often right."""
    text = content or " ".join(words)
    if not text.strip():
        raise UsageError("A fact without words is none. Nothing was captured.")
    who = caller(home)
    if anyway and who.actor is not Actor.HUMAN:
        raise Refused("--anyway is a person's word, on a terminal of their own. Nothing was kept.")
    _check_kind(kind, who)
    named = tuple(filter(None, (name.strip() for name in entities.split(","))))
    offer = Offer(
        what=Fact(text=text, kind=kind, entities=named, tags=(subject,) if subject else ()),
        actor=who.actor,
        folder=None if everywhere else folder(project),
        evidence=evidence,
        session=who.session,
        judged=_judged(judged, who),
        insisted=anyway,
        cites=cites,
    )
    with ledger_of(who) as outside:
        outcome = offer_one(outside, offer)
    if as_json:
        print_json(_outcome_json(outcome))
    else:
        _say_outcome(outcome, who)
    return 1 if isinstance(outcome.decision, Reject) else 0


def _check_kind(kind: str, who: Caller) -> None:
    """Raise UsageError for a kind that nobody knows, before a home is made for it."""
    if kind not in KINDS and not domains(who.settings).kinds.knows(kind):
        raise UsageError(
            f"{kind} is no kind of entry: {', '.join(KINDS)}. Nothing was captured. Domains add "
            "kinds; `learnt doctor` tells of those that could not be loaded."
        )


def _judged(given: Iterable[str], who: Caller) -> tuple[tuple[EntryId, Relation], ...]:
    found = []
    for one in given:
        name, _, relation = one.partition("=")
        if relation not in set(Relation) or not ENTRY_ID.fullmatch(name):
            raise UsageError(f"{one} is no judgement: ID=same, ID=apart or ID=contradicts.")
        found.append((EntryId(name), Relation(relation)))
    if found and not who.settings.agent_judges:
        raise UsageError(
            'Judgements are off: [gates] judge = "agent" in the home\'s config.toml turns them on.'
        )
    return tuple(found)


def _outcome_json(outcome: Outcome) -> JsonObject:
    verdicts = {Admit: "admit", Merge: "merge", Correct: "correct", Reject: "reject"}
    return {
        "id": outcome.entry,
        "verdict": verdicts[type(outcome.decision)],
        "stage": outcome.stage,
        "counted": outcome.counted,
        "gates": [_passage_json(one) for one in outcome.ruling.passages],
        "unsure": list(outcome.ruling.unsure),
        "upward": outcome.upward or None,
        "redacted": list(outcome.redacted),
    }


def _passage_json(one: Passage) -> JsonObject:
    return {
        "gate": one.gate,
        "verdict": one.verdict,
        "reason": one.reason or None,
        "said": _reason(one),
        "entry": one.entry,
    }


def _reason(one: Passage) -> str:
    known = REASONS.get(one.reason, "")
    if one.gate == "alignment" and one.verdict != "pass":
        return f"it contradicts {one.entry} ({one.reason})"
    return known or one.reason


def _say_outcome(outcome: Outcome, who: Caller) -> None:
    for one in outcome.ruling.passages:
        mark = click.style("✓" if one.verdict == "pass" else one.verdict, bold=True)
        click.echo(f"  {one.gate:<11} {mark} {plain(_reason(one))}".rstrip())
    match outcome.decision:
        case Reject(_, reason):
            click.echo(f"Kept out; recorded as {outcome.entry}.", err=True)
            if reason in WORTHLESS and who.actor is Actor.HUMAN:
                click.echo("If you know better what it is worth: --anyway.", err=True)
        case Merge(into):
            gained = "that one gained a confirmation" if outcome.counted else "said before"
            click.echo(f"Known already as {into}; {gained}.")
        case Correct(entry):
            click.echo(f"{entry} is put right; `learnt why {entry}` has its old text.")
        case Admit():
            click.echo(f"Captured {outcome.entry}.")
    _say_rest(outcome)


def _say_rest(outcome: Outcome) -> None:
    if outcome.stage is Stage.CANDIDATE and not isinstance(outcome.decision, Merge):
        click.echo("It is a candidate until it has proved itself, or a person vouches for it.")
    if outcome.redacted:
        click.echo(f"Taken out of it: {', '.join(outcome.redacted)}.")
    for name in outcome.ruling.unsure:
        click.echo(f"Perhaps the same as {name}, or against it: look.")
    if outcome.upward:
        click.echo(f"This session knows enough of it for one {outcome.upward}: capture that too.")


@click.command()
@click.argument("words", nargs=-1)
@click.option("--question", default="", help="What is asked (else the words).")
@click.option(
    "--status", "stage", type=click.Choice(["candidate", "validated"]), help="Only these."
)
@click.option("-k", "--top-k", "most", type=click.IntRange(1, 100), default=5, show_default=True)
@PROJECT
@JSON
@HOME
def query(
    words: tuple[str, ...],
    question: str,
    stage: str | None,
    most: int,
    *,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Ask before you look: what is known of it, and how far to trust each line. Exit 1: nothing."""
    who = caller(home)
    asked = question or " ".join(words)
    with ledger_of(who) as outside:
        looked_at = most if stage is None else 100
        kinds = outside.kinds
        hits = ask(outside, asked, folder=folder(project), actor=who.actor, most=looked_at)
    hits = [hit for hit in hits if stage in {None, hit.note.stage}][:most]
    if as_json:
        print_json({"advice": _advice(hits), "entries": [note_json(hit.note) for hit in hits]})
        return 0 if hits else 1
    for hit in hits:
        _say_note(hit.note, kinds)
    click.echo(_ADVICE[_advice(hits)])
    return 0 if hits else 1


_ADVICE = {
    "answer": "What is trusted here may be answered from; name its id.",
    "check": "Check the lines marked VERIFY before you rely on them.",
    "investigate": "Nothing here is to be relied on: investigate, then capture what holds.",
}


def _advice(hits: Iterable[Hit]) -> str:
    trusts = {hit.note.trust for hit in hits if hit.found.bears}
    if str(Trust.TRUST) in trusts:
        return "answer"
    return "check" if str(Trust.VERIFY) in trusts else "investigate"


def note_json(note: Note) -> JsonObject:
    """A note as programs read it."""
    return {
        "id": note.id,
        "stage": note.stage,
        "kind": note.kind,
        "text": note.text or f"{note.problem}\n{note.approach}",
        "confidence": note.level,
        "trust": note.trust,
        "confirmed": day(note.confirmed_ms) if note.confirmed_ms else None,
        "entities": list(note.entities),
        "everywhere": not note.here,
        "cites": cites_json(note.cites),
    }


def _say_note(note: Note, kinds: Vocabulary) -> None:
    said = click.style(standing(note).ljust(16), fg=TRUST_COLOURS[note.trust])
    text = " ".join((note.text or f"{note.problem}: {note.approach}").split())
    click.echo(f"{said} {plain(text)}")
    about = [str(note.id), kinds.short(note.kind)]
    if note.confirmed_ms:
        about.append(f"confirmed {day(note.confirmed_ms)}")
    click.secho(f"{'':16} {' · '.join(about)}", dim=True)
    say_cites(note.cites)
