"""`knowledge capture` and `query`: knowledge on its way in, and asked for before one looks."""

from collections.abc import Iterable
from typing import NamedTuple

import click

from learnt.bootstrap import domains
from learnt.core.events import Actor
from learnt.core.identifiers import ENTRY_ID, EntryId
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.junk import WORTHLESS
from learnt.core.knowledge.kinds import KINDS
from learnt.core.knowledge.relations import Relation
from learnt.core.knowledge.vocabulary import Vocabulary
from learnt.errors import Refused, UsageError
from learnt.flows.knowledge.capture import capture as offer_one
from learnt.flows.knowledge.capture import check_kind
from learnt.flows.knowledge.offers import Offer
from learnt.flows.recall.ask import Advice, advice, ask
from learnt.formats.injection import standing
from learnt.surfaces.answers.admissions import Admission, admission
from learnt.surfaces.answers.entries import Entry, as_entry
from learnt.surfaces.cli.call import Call, command
from learnt.surfaces.cli.context import EVIDENCE, TRUST_COLOURS, plain, say_cites


@command(answers=Admission, project=True)
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
def capture(
    call: Call,
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
) -> int:
    """Offer a fact to the gates. Exit 1 where they keep it out, which is most often right."""
    text = content or " ".join(words)
    if not text.strip():
        raise UsageError("A fact without words is none. Nothing was captured.")
    who = call.who
    if anyway and who.actor is not Actor.HUMAN:
        raise Refused("--anyway is a person's word, on a terminal of their own. Nothing was kept.")
    if kind not in KINDS:  # it would be refused anyhow; now no home is made for it
        check_kind(domains(who.settings).kinds, kind)
    named = tuple(filter(None, (name.strip() for name in entities.split(","))))
    offer = Offer(
        what=Fact(text=text, kind=kind, entities=named, tags=(subject,) if subject else ()),
        actor=who.actor,
        folder=None if everywhere else call.folder,
        evidence=evidence,
        session=who.session,
        judged=_judged(judged, call),
        insisted=anyway,
        cites=cites,
    )
    with call.ledger() as outside:
        outcome = offer_one(outside, offer)
    answer = admission(outcome)
    code = int(answer.verdict == "reject")
    return call.answer(answer, lambda answer: _say_admission(answer, who.actor), code)


def _judged(given: Iterable[str], call: Call) -> tuple[tuple[EntryId, Relation], ...]:
    judgements = []
    for one in given:
        name, _, relation = one.partition("=")
        if relation not in set(Relation) or not ENTRY_ID.fullmatch(name):
            raise UsageError(f"{one} is no judgement: ID=same, ID=apart or ID=contradicts.")
        judgements.append((EntryId(name), Relation(relation)))
    if judgements and not call.who.settings.agent_judges:
        raise UsageError(
            'Judgements are off: [gates] judge = "agent" in the home\'s config.toml turns them on.'
        )
    return tuple(judgements)


def _say_admission(answer: Admission, actor: Actor) -> None:
    for gate in answer.gates:
        mark = click.style("✓" if gate.verdict == "pass" else gate.verdict, bold=True)
        click.echo(f"  {gate.gate:<11} {mark} {plain(gate.said)}".rstrip())
    match answer.verdict:
        case "reject":
            click.echo(f"Kept out; recorded as {answer.id}.", err=True)
            if answer.reason in WORTHLESS and actor is Actor.HUMAN:
                click.echo("If you know better what it is worth: --anyway.", err=True)
        case "merge":
            gained = "that one gained a confirmation" if answer.counted else "said before"
            click.echo(f"Known already as {answer.id}; {gained}.")
        case "correct":
            click.echo(f"{answer.id} is put right; `learnt why {answer.id}` has its old text.")
        case _:
            click.echo(f"Captured {answer.id}.")
    _say_rest(answer)


def _say_rest(answer: Admission) -> None:
    if answer.stage is Stage.CANDIDATE and answer.verdict != "merge":
        click.echo("It is a candidate until it has proved itself, or a person vouches for it.")
    if answer.redacted:
        click.echo(f"Taken out of it: {', '.join(answer.redacted)}.")
    for name in answer.unsure:
        click.echo(f"Perhaps the same as {name}, or against it: look.")
    if kind := answer.upward:
        click.echo(f"This session knows enough of it for one {kind}: capture that too.")


class Queried(NamedTuple):
    """What is known of a question, best first, and what to do with it."""

    advice: Advice
    entries: tuple[Entry, ...]


@command(answers=Queried, project=True)
@click.argument("words", nargs=-1)
@click.option("--question", default="", help="What is asked (else the words).")
@click.option(
    "--status", "stage", type=click.Choice(["candidate", "validated"]), help="Only these."
)
@click.option("-k", "--top-k", "most", type=click.IntRange(1, 100), default=5, show_default=True)
def query(call: Call, words: tuple[str, ...], question: str, stage: str | None, most: int) -> int:
    """Ask before you look: what is known of it, and how far to trust each line. Exit 1: nothing."""
    asked, looked_at = question or " ".join(words), most if stage is None else 100
    with call.ledger() as outside:
        kinds = outside.kinds
        hits = ask(outside, asked, folder=call.folder, actor=call.who.actor, most=looked_at)
    hits = [hit for hit in hits if stage in {None, hit.note.stage}][:most]
    answer = Queried(advice=advice(hits), entries=tuple(map(as_entry, hits)))
    return call.answer(answer, lambda answer: _say_queried(answer, kinds), int(not hits))


_ADVICE = {
    "answer": "What is trusted here may be answered from; name its id.",
    "check": "Check the lines marked VERIFY before you rely on them.",
    "investigate": "Nothing here is to be relied on: investigate, then capture what holds.",
}


def _say_queried(answer: Queried, kinds: Vocabulary) -> None:
    for found in answer.entries:
        said = click.style(
            standing(found.trust, found.confidence).ljust(16), fg=TRUST_COLOURS[found.trust]
        )
        text = f"{found.problem}: {found.approach}" if found.problem else found.text
        click.echo(f"{said} {plain(' '.join(text.split()))}")
        about = [found.id, kinds.short(found.kind)]
        if found.confirmed:
            about.append(f"confirmed {found.confirmed}")
        click.secho(f"{'':16} {' · '.join(about)}", dim=True)
        say_cites(found.cites)
    click.echo(_ADVICE[answer.advice])


COMMANDS = (capture, query)
