"""`remember`, `knowledge capture` and `query`: what goes in, and what is found again."""

import sys
from contextlib import suppress
from functools import partial
from io import UnsupportedOperation
from select import select
from typing import Any

import click
from msgspec.structs import replace

from learnt.bootstrap import domains
from learnt.core.digest.lessons import kind_of
from learnt.core.events import Actor
from learnt.core.identifiers import handle
from learnt.core.knowledge.admission import WORTHLESS
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import HELD, REASONS
from learnt.core.knowledge.kinds import KINDS, RULE
from learnt.core.knowledge.topics import Vocabulary
from learnt.errors import Refused, UsageError
from learnt.flows.knowledge.capture import Offer, check_kind, of_its_kind
from learnt.flows.knowledge.capture import capture as offer_one
from learnt.flows.knowledge.remembering import Pick, PickedQuote, own_kind, pick, shell_session
from learnt.flows.recall.ask import ask
from learnt.flows.sessions.locate import current_session
from learnt.formats.injection import standing
from learnt.surfaces.answers.memories import Admission, Gate, Memories, admission, found
from learnt.surfaces.cli.context import (
    EVIDENCE,
    TRUST_COLOURS,
    Call,
    command,
    has_editor,
    plain,
    say_by_words,
    say_doubts,
)
from learnt.surfaces.cli.editing import edited

EVERYWHERE = click.option(
    "--everywhere", is_flag=True, help="For every project, not this one alone."
)

_PASTED_WITHIN = 0.05  # seconds
ANYWAY = click.option("--anyway", is_flag=True, help="A person's word that it is worth keeping.")


@command(answers=Admission | PickedQuote, project=True)
@click.argument("fact", nargs=-1)
@click.option("--problem", default="", help="What went wrong, or what was to be done.")
@click.option("--approach", default="", help="What worked.")
@click.option("--caution", "cautions", multiple=True, help="What to beware of; repeatable.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; repeatable.")
@click.option("--language", help="The programming language it is about.")
@click.option("--file", "files", multiple=True, help="A file it is about; repeatable.")
@click.option("--edit", is_flag=True, help="Write it in your editor ($VISUAL, $EDITOR).")
@click.option("--quote", default="", help="For an agent: what the user typed in its session.")
@EVERYWHERE
@ANYWAY
def remember(
    call: Call, *, fact: tuple[str, ...], everywhere: bool, anyway: bool, edit: bool, **given: Any
) -> int:
    """Remember a sentence, or a solution: a problem and what worked.

    Without either you are asked. Typed by you on a terminal it counts at once; from an agent or a
    script it waits as a candidate.
    """
    if quote := given.pop("quote"):
        if call.who.actor is not Actor.HUMAN:
            with call.ledger() as outside:
                claimed = current_session(outside, call.who.session)
                session = shell_session(outside, claimed)
                picked = Pick(quote=quote, folder=call.folder, session=session, claimed=claimed)
                answer = pick(outside, picked)
            return call.answer(answer, lambda answer: click.echo(answer.said))
        fact = (*fact, quote)
    call.say_whose()
    _check_insisted(call, insisted=anyway)
    keep = partial(_remember, call, everywhere=everywhere, anyway=anyway)
    parts = {name: given.pop(name) for name in ("problem", "approach", "cautions")}
    sheet = Draft(text=" ".join(fact), **parts)
    if fact and not sheet.text.strip():
        raise UsageError("The sentence has no words. Nothing was remembered.")
    if edit and not call.who.interactive:
        raise UsageError("--edit takes a terminal of your own. Nothing was remembered.")
    if not edit and not sheet.texts and call.who.interactive:
        sheet, edit = _asked(sheet)
    if not edit:
        return keep(_told(sheet, given))
    with edited(sheet) as written:
        if not written.texts:
            click.echo("The text is empty: nothing was remembered.", err=True)
            return 1
        if keep(_told(written, given)):
            raise Refused("It is kept out.")
        return 0


def _remember(call: Call, what: Draft, *, everywhere: bool, anyway: bool) -> int:
    place = None if everywhere else call.folder
    with call.ledger() as outside:
        what, waits = of_its_kind(outside, what), ""
        if call.who.actor is Actor.HUMAN and what.is_fact:
            kind, waits = own_kind(outside.language, what.text)
            what = replace(what, kind=RULE if kind == RULE else what.kind)
        offer = Offer(what=what, actor=call.who.actor, folder=place, insisted=anyway, waits=waits)
        answer = admission(offer_one(outside, offer))
    scope = "every project" if everywhere else "this project"
    say = partial(_say_remembered, what=what, scope=scope, actor=call.who.actor)
    return call.answer(answer, say, int(answer.gate is not None))


def _asked(sheet: Draft) -> tuple[Draft, bool]:
    """What a person says when asked, and whether they would rather write it in their editor."""
    offered = ", e for your editor" if has_editor() else ""
    fact = click.prompt(
        f"What is to be remembered (empty for a problem and what worked{offered})", ""
    )
    if offered and fact.strip() == "e":
        return sheet, True
    if fact.strip():
        return replace(sheet, text=_pasted(fact)), False
    problem = _pasted(click.prompt("What went wrong, or what was to be done"))
    return replace(sheet, problem=problem, approach=_pasted(click.prompt("What worked"))), False


def _pasted(line: str) -> str:
    """A line with those that were pasted behind it, which no shell is to run."""
    lines = [line]
    with suppress(UnsupportedOperation):  # it is no terminal's
        while select([sys.stdin], [], [], _PASTED_WITHIN)[0] and (more := sys.stdin.readline()):
            lines.append(more)
    return "\n".join(each.strip() for each in lines).strip()


def _told(sheet: Draft, rest: dict[str, Any]) -> Draft:
    """What is to be remembered: what was written, with its tags, files and language."""
    fact = sheet.text.strip()
    if fact and sheet.is_fact:
        return Draft(text=fact, kind=kind_of(fact), tags=rest["tags"])
    if fact or not (sheet.problem and sheet.approach):
        raise UsageError("Give one sentence, or --problem and --approach. Nothing was remembered.")
    return replace(sheet, **rest)


def _check_insisted(call: Call, *, insisted: bool) -> None:
    if insisted and call.who.actor is not Actor.HUMAN:
        raise Refused("--anyway is a person's word, on a terminal of their own. Nothing was kept.")


def _say_remembered(answer: Admission, what: Draft, scope: str, actor: Actor) -> None:
    if answer.gate is not None:
        why = REASONS[answer.reason or ""]
        click.echo(f"Not remembered ({answer.gate}): {why}. Recorded as {answer.id}.", err=True)
        _say_anyway(answer, actor)
    elif answer.verdict == "merge":
        click.echo(f"Already remembered as {answer.id}; that one gained a confirmation.")
    elif answer.verdict == "correct":
        old = f"`learnt why {answer.id}` has its old text"
        click.echo(f"{answer.id} is corrected: it says this now. {old}.")
    else:
        guessed = f", as a {what.kind.replace('_', ' ')}" if what.is_fact else ""
        click.echo(f"Remembered {answer.id} for {scope}{guessed}.")
        for gate in _standing(answer):
            click.echo(f"Kept as it stands: {plain(gate.said)}.")
        if answer.stage is Stage.CANDIDATE and actor is Actor.HUMAN:
            click.echo("It asks to weaken a guard, so it waits for your word in `learnt review`.")
        elif answer.stage is Stage.CANDIDATE:
            click.echo(
                "It is a candidate: no person vouched for it, so no prompt will see it yet. "
                "Typed by you on a terminal it would count at once."
            )
    _say_near(answer)
    if answer.redacted:
        kinds = ", ".join(sorted(set(answer.redacted)))
        click.echo(f"Taken out before writing: {len(answer.redacted)} secret(s) ({kinds}).")


@command(answers=Admission, project=True)
@click.argument("words", nargs=-1)
@click.option("--content", default="", help="The fact, in a sentence or two (else the words).")
@click.option(
    "--kind",
    "--type",
    "kind",
    default="",
    metavar="KIND",
    help=f"One of {', '.join(KINDS)}; or one of a domain that is enabled. Else it is guessed.",
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
@EVERYWHERE
@ANYWAY
def capture(
    call: Call,
    words: tuple[str, ...],
    content: str,
    kind: str,
    entities: str,
    subject: str,
    **rest: Any,
) -> int:
    """Offer a fact to the gates. Exit 1 where they keep it out, which is most often right."""
    text, actor, insisted = content or " ".join(words), call.who.actor, rest["anyway"]
    if not text.strip():
        raise UsageError("A fact without words is none. Nothing was captured.")
    call.say_whose()
    _check_insisted(call, insisted=insisted)
    guessed, kind = not kind, kind or kind_of(text)
    if kind not in KINDS:  # it would be refused anyhow; now no home is made for it
        check_kind(domains(call.who.settings).kinds, kind)
    names = tuple(filter(None, (name.strip() for name in entities.split(","))))
    offer = Offer(
        what=Draft(text=text, kind=kind, entities=names, tags=(subject,) if subject else ()),
        actor=actor,
        folder=None if rest["everywhere"] else call.folder,
        evidence=rest["evidence"],
        session=call.who.session,
        insisted=insisted,
        cites=rest["cites"],
    )
    with call.ledger() as outside:
        answer = admission(offer_one(outside, offer))
    say = partial(_say_captured, actor=actor, guessed=kind if guessed else "")
    return call.answer(answer, say, int(answer.verdict == "reject"))


def _say_anyway(answer: Admission, actor: Actor) -> None:
    if answer.reason in WORTHLESS and actor is Actor.HUMAN:
        click.echo("If you know better what it is worth: --anyway.", err=True)
    if answer.reason in HELD and actor is Actor.HUMAN:
        click.echo("--anyway keeps it for you alone: no agent is shown it.", err=True)


def _standing(answer: Admission) -> list[Gate]:
    """What speaks against words that are kept as they stand, since a person vouches for them."""
    return [g for g in answer.gates if (g.gate, g.verdict) == ("value", "pass") and g.reason]


def _say_captured(answer: Admission, actor: Actor, guessed: str) -> None:
    if guessed:
        click.echo(f"Taken for a {guessed}; --kind says otherwise.")
    for gate in answer.gates:
        mark = click.style("✓" if gate.verdict == "pass" else gate.verdict, bold=True)
        said = f"kept as it stands: {gate.said}" if gate in _standing(answer) else gate.said
        click.echo(f"  {gate.gate:<11} {mark} {plain(said)}".rstrip())
    gained = "that one gained a confirmation" if answer.counted else "said before"
    verdicts = {
        "merge": f"Known already as {answer.id}; {gained}.",
        "correct": f"{answer.id} is corrected; `learnt why {answer.id}` has its old text.",
        "admit": f"Captured {answer.id}.",
        "reject": f"Kept out; recorded as {answer.id}.",
    }
    click.echo(verdicts[answer.verdict], err=answer.verdict == "reject")
    _say_anyway(answer, actor)
    if answer.stage is Stage.CANDIDATE and answer.verdict != "merge":
        click.echo("It is a candidate until it has proved itself, or a person vouches for it.")
    if answer.redacted:
        click.echo(f"Taken out of it: {', '.join(answer.redacted)}.")
    _say_near(answer)
    if kind := answer.upward:
        click.echo(f"This session knows enough of it for one {kind}: capture that too.")


def _say_near(answer: Admission) -> None:
    for near in answer.unsure:
        click.echo(
            f'It may repeat or contradict [{near.id}] "{plain(near.text)}". To say so: `learnt '
            f"knowledge relate {handle(answer.id)} {near.id} same|contradicts|narrows|different`."
        )


@command(answers=Memories, project=True)
@click.argument("words", nargs=-1)
@click.option("--question", default="", help="What is asked (else the words).")
@click.option(
    "--status", "stage", type=click.Choice(["candidate", "validated"]), help="Only these."
)
@click.option("-k", "--top-k", "most", type=click.IntRange(1, 100), default=5, show_default=True)
def query(call: Call, words: tuple[str, ...], question: str, stage: str | None, most: int) -> int:
    """Ask before you look: what is known of it, and how far to trust each line. Exit 1: nothing."""
    text, looked_at = question or " ".join(words), most if stage is None else 100
    with call.asking() as outside:
        kinds = outside.kinds
        hits = ask(outside, text, folder=call.folder, actor=call.who.actor, most=looked_at)
        say_by_words(outside)
    hits = [hit for hit in hits if stage in {None, hit.note.stage}][:most]
    return call.answer(found(hits), lambda answer: _say_queried(answer, kinds), int(not hits))


def _say_queried(answer: Memories, kinds: Vocabulary) -> None:
    for entry in answer.entries:
        label = standing(entry.trust, entry.confidence).ljust(16)
        text = f"{entry.problem}: {entry.approach}" if entry.problem else entry.text
        label = click.style(label, fg=TRUST_COLOURS[entry.trust])
        click.echo(f"{label} {plain(' '.join(text.split()))}")
        confirmed = f" · confirmed {entry.confirmed}" if entry.confirmed else ""
        click.secho(f"{'':16} {entry.id} · {kinds.short(entry.kind)}{confirmed}", dim=True)
        say_doubts(entry.cites, entry.rivals, entry.outdated)
    click.echo(answer.said)


COMMANDS = (capture, query)
