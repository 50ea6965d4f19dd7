"""`knowledge` in the ledger: confirmed, fading, in dispute, and what became of it."""

from collections import defaultdict
from datetime import datetime

import click
from msgspec.structs import replace

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.admission import NEEDS
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import CREDIBILITY, RELEVANCE, THOUSAND, Relation, Stage
from learnt.core.records import Record
from learnt.errors import UsageError
from learnt.flows.knowledge import feedback as speaking
from learnt.flows.knowledge import relating, standing
from learnt.flows.knowledge.remembering import shell_session
from learnt.flows.knowledge.standing import Changed, Log
from learnt.flows.sessions.locate import current_session
from learnt.formats.injection import day, moment
from learnt.surfaces.answers import memories
from learnt.surfaces.answers.memories import Recorded
from learnt.surfaces.cli import context

_DAY_MS = 86_400_000
_MARKS = {
    "admit": "+", "correct": "~", "merge": "=", "reject": "✗", "validated": "★", "retired": "-"
}  # fmt: skip
FROM = click.option("--from", "since", default="", metavar="WHEN", help="From this day or moment.")
TO = click.option("--to", "until", default="", metavar="WHEN", help="To the end of it.")
ALL = click.option("--all", "everything", is_flag=True, help="Of every project.")


def between(since: str, until: str) -> range:
    """The milliseconds from one local day or moment to the end of another. Raises UsageError."""
    start, end = _moment(since)[0] if since else 0, _moment(until)[1] if until else 2**62
    if start >= end:
        raise UsageError(f"{since} is not before {until}: --from comes first.")
    return range(start, end)


def _moment(given: str) -> tuple[int, int]:
    """The first millisecond of a day or moment, and the first one after it."""
    try:
        # What names no zone is local.
        start = round(datetime.fromisoformat(given).timestamp() * 1_000)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{given} is no moment: 2026-11-22, or 2026-11-22T18:00:00+00:00."
        ) from error
    return start, start + (_DAY_MS if len(given) == len("2026-11-22") else 1)


@context.command(answers=Log, project=True)
@FROM
@TO
@ALL
def log(call: context.Call, since: str, until: str, *, everything: bool) -> int:
    """What was let in, merged, corrected and kept out, by which gate, and what was validated."""
    span, where = between(since, until), None if everything else call.folder
    decided = call.look(lambda outside: standing.log(outside, span, where), Log())
    return call.answer(decided, _say_log)


def _say_log(log: Log) -> None:
    for decision in log.decisions:
        when = click.style(moment(decision.wall_ms), dim=True)
        mark = _MARKS.get(decision.verdict, "?")
        click.echo(f"{when} {mark} {decision.entry}  {context.plain(decision.said)}")
        if decision.text and decision.verdict != "merge":
            click.secho(f"{'':22}{context.plain(' '.join(decision.text.split()))}", dim=True)
    if not log.decisions:
        click.echo("Nothing was decided in that time.")
        return
    counts = defaultdict(int, log.counts)
    gates = ", ".join(f"{gate} {count}" for gate, count in sorted(log.rejected_by_gate.items()))
    by_gates = f" (by {gates})" if gates else ""
    click.echo(
        f"{log.offered} offered: {counts['admit']} let in, {counts['correct']} corrected, "
        f"{counts['merge']} known already, {counts['reject']} kept out{by_gates}; "
        f"{counts['validated']} validated, {counts['retired']} retired."
    )


class Difference(Record):
    """The entries whose texts changed in a span of time."""

    changed: tuple[Changed, ...]


@context.command(answers=Difference, project=True)
@FROM
@TO
@ALL
def diff(call: context.Call, since: str, until: str, *, everything: bool) -> int:
    """What the entries said before a time, and say after it. Exit 1 where nothing changed."""
    span, where = between(since, until), None if everything else call.folder
    changed = call.look(lambda outside: standing.diff(outside, span, where), [])
    return call.answer(Difference(changed=tuple(changed)), _say_difference, int(not changed))


def _say_difference(difference: Difference) -> None:
    for changed in difference.changed:
        click.secho(changed.entry, bold=True)
        for mark, text, colour in (("-", changed.before, "red"), ("+", changed.after, "green")):
            for line in context.plain(text or "").splitlines():
                click.secho(f"{mark} {line}", fg=colour)
    if not difference.changed:
        click.echo("Nothing changed in that time.")


ID = click.option("--id", "name", required=True, type=context.Id("entry"), help="The entry.")


@context.command(answers=Recorded)
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
@context.EVIDENCE
def confirm(call: context.Call, name: str, wc: str, wr: str, evidence: str) -> int:
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


def tell(call: context.Call, name: str, word: speaking.Word) -> int:
    """Record a word on an entry, and show the entry as it is now."""
    call.say_whose()
    word = replace(word, session=call.who.session, folder=call.folder)
    with call.asking() as outside:
        now = memories.tell(outside, name, word)
    if not (now.recorded or call.as_json):
        click.echo("That was said before in this session, or by this tool call: it counts once.")
    return call.answer(now, say_standing)


@context.command(answers=standing.Fresh | standing.Swept)
@click.argument("name", type=context.Id("entry"), metavar="[ID]", required=False)
def promote(call: context.Call, name: str | None) -> int:
    """Validate the candidates that proved themselves; one by its ID at a person's word."""
    return _staged(call, name, Stage.VALIDATED, f"{name} is validated.")


@context.command(answers=standing.Fresh | standing.Swept)
@click.argument("name", type=context.Id("entry"), metavar="[ID]", required=False)
def expire(call: context.Call, name: str | None) -> int:
    """Retire the candidates nothing speaks for any more; one by its ID at a person's word."""
    text = f"{name} is retired. Its text and its story stay: `learnt why {name}`."
    return _staged(call, name, Stage.RETIRED, text)


def _staged(call: context.Call, name: str | None, to: Stage, text: str) -> int:
    validated = to is Stage.VALIDATED
    if name is not None:
        call.say_whose()
    with call.asking() as outside:
        if name is None:
            swept = standing.sweep(outside, promote=validated, expire=not validated, merge=False)
            return call.answer(swept, _say_swept)
        entry = standing.stage_by_hand(outside, EntryId(name), call.who.actor, to)
        now = standing.standing_of(outside, entry)
    return call.answer(now, text)


@context.command(answers=standing.Swept)
def sweep(call: context.Call) -> int:
    """Validate, retire and join candidates by the evidence; what still waits, and for what."""
    with call.asking() as outside:
        return call.answer(standing.sweep(outside), _say_swept)


def _say_swept(swept: standing.Swept) -> None:
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


class Freshness(Record):
    """The validated entries, least trusted first. `findings` are of folder mode: always none."""

    entries: tuple[standing.Fresh, ...]
    findings: tuple[str, ...] = ()


@context.command(answers=Freshness, project=True)
@click.option("--level", type=click.Choice([str(level) for level in Trust]), help="Only these.")
def freshness(call: context.Call, *, level: str | None) -> int:
    """All validated knowledge, least trusted first. Exit 0: all TRUST; 1: some VERIFY; 2: worse."""
    every = call.look(lambda outside: standing.freshness(outside, call.folder), [])
    entries = tuple(fresh for fresh in every if level in {None, fresh.trust})
    trusts = {fresh.trust for fresh in every}
    code = 2 if "REVALIDATE" in trusts else 1 if "VERIFY" in trusts else 0
    return call.answer(Freshness(entries=entries), _say_freshness, code)


def _say_freshness(answer: Freshness) -> None:
    for entry in answer.entries:
        say_standing(entry)
    count = len(answer.entries)
    click.echo(f"{count} validated entries." if count else "Nothing is validated here.")


def say_standing(entry: standing.Fresh) -> None:
    """An entry with its standing today, for people."""
    trust = click.style(entry.trust.ljust(10), fg=context.TRUST_COLOURS[entry.trust])
    confidence = entry.confidence
    level = f"score {entry.score:.2f}" if confidence is None else f"C={confidence:.3f}"
    click.echo(f"{trust} {entry.id} {level:<10} {context.plain(' '.join(entry.text.split()))}")
    context.say_doubts(entry.cites, entry.rivals)


class Disputed(Record):
    """Two entries that may not hold together, the older one first."""

    older: EntryId
    newer: EntryId
    older_text: str
    newer_text: str


class Disputes(Record):
    """The disputes that are open, the oldest first."""

    disputes: tuple[Disputed, ...]


@context.command("disputes", answers=Disputes, project=True)
def list_disputes(call: context.Call) -> int:
    """Entries that may not hold together: each counts as VERIFY until you say which one holds."""
    found = call.look(lambda outside: relating.disputes(outside, call.folder), [])
    rows = tuple(Disputed(d.older.id, d.newer.id, d.older.said, d.newer.said) for d in found)
    return call.answer(Disputes(rows), lambda _: _say_disputes(found))


def _say_disputes(found: list[relating.Dispute]) -> None:
    for number, each in enumerate(found, 1):
        click.secho(f"\nDispute {number} of {len(found)}: both may not hold", bold=True)
        say_sides(each)
    if found:
        click.echo()
        click.echo("`learnt review` takes you through them; `learnt knowledge settle` does one.")
    else:
        click.echo("Nothing is in dispute.")


@context.command("settle", answers=memories.DoneInWords)
@click.argument("holds", type=context.Id("entry"), metavar="ID")
@click.option(
    "--over", type=context.Id("entry"), help="The entry that does not hold: it is retired."
)
@click.option("--both", type=context.Id("entry"), help="The entry that holds as well.")
def settle_one(call: context.Call, holds: str, *, over: str | None, both: str | None) -> int:
    """Say which of two disputed entries holds. For a person at a terminal alone."""
    if (over is None) == (both is None):
        raise UsageError("Name the other entry: with --over, or with --both. Nothing was changed.")
    other = EntryId(over or both or "")
    with call.asking() as outside:
        done = relating.settle(
            outside, EntryId(holds), other, call.who.decider, both=both is not None
        )
    return call.answer(memories.DoneInWords(done), f"{done}.")


def say_sides(dispute: relating.Dispute) -> None:
    """The two sides, each with whose it is and since when, and what was said for it."""
    sides = ((dispute.older, dispute.for_older), (dispute.newer, dispute.for_newer))
    for number, (note, arguments) in enumerate(sides, 1):
        click.echo(f"  {number}. {context.plain(note.said)}")
        click.secho(f"     {note.id} · kept {day(note.kept_ms)} {note.kept_by}", dim=True)
        for argument in arguments:
            click.secho(f"     said for it: {context.plain(argument)}", dim=True)


_RELATION = click.Choice([str(relation) for relation in Relation])


@context.command("relate", answers=memories.RelatedNotes, project=True)
@click.argument("new", type=context.Id("entry"))
@click.argument("old", type=context.Id("entry"))
@click.argument("relation", type=_RELATION)
def relate_two(call: context.Call, new: str, old: str, relation: str) -> int:
    """Say how a newer note stands to an older one: same, contradicts, narrows or different."""
    with call.ledger() as outside:
        session = current_session(outside, call.who.session)
        told = (call.who.actor, session, shell_session(outside, session), call.folder)
        answer = relating.RelationAnswer(new, old, Relation(relation), *told)
        done = memories.related_notes(relating.relate(outside, answer))
    undo = f"\n`{done.undo}` takes it back." if done.undo else ""
    return call.answer(done, f"{done.said[0].upper()}{done.said[1:]}.{undo}")


@context.command("unrelate", answers=memories.DoneInWords, project=True)
@click.argument("new", type=context.Id("entry"))
@click.argument("old", type=context.Id("entry"))
def unrelate_two(call: context.Call, new: str, old: str) -> int:
    """Undo an answer on two notes: all is as it was before. Only for a person at a terminal."""
    with call.ledger() as outside:
        done = relating.unrelate(outside, new, old, call.folder, call.who.decider)
    return call.answer(memories.DoneInWords(done), f"{done}.")


@context.command("tidy", answers=relating.PairsToRelate, project=True)
@click.option(
    "--most", type=click.IntRange(1, relating.BATCH), default=relating.BATCH, show_default=True
)
def tidy(call: context.Call, most: int) -> int:
    """Show pairs of notes that may repeat or contradict each other, to answer with `relate`."""
    with call.asking() as outside:
        session = current_session(outside, call.who.session)
        pairs = relating.batch(outside, call.folder, session, call.who.actor, most=most)
    return call.answer(pairs, _say_pairs)


def _say_pairs(found: relating.PairsToRelate) -> None:
    for pair in found.pairs:
        texts = f"{pair.new} {pair.new_text}\n{pair.old} {pair.old_text}\n"
        click.echo(context.plain(texts))
    if found.pairs:
        click.echo("Answer each: `learnt knowledge relate NEW OLD " + "|".join(Relation) + "`.")
    else:
        click.echo("No pairs of notes are left to compare.")


COMMANDS = (
    confirm, promote, expire, sweep, freshness, list_disputes, settle_one, relate_two, unrelate_two,
    tidy,
)  # fmt: skip
LOG = (log, diff)
