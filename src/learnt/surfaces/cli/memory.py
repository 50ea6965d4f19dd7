"""`remember`, `recall`, `import`: what goes in, and what is found again."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from learnt.core.events import Actor
from learnt.core.json_values import JsonObject, member, strings, text_of, whole
from learnt.core.knowledge.drafts import Solution
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Reject
from learnt.errors import Refused, UsageError
from learnt.flows.knowledge.adopt import adopt
from learnt.flows.knowledge.capture import capture, capture_many
from learnt.flows.knowledge.offers import Offer, Outcome, Quoted
from learnt.flows.recall.ask import Hit, ask
from learnt.flows.recall.browse import Listed, newest
from learnt.formats import seed_memory
from learnt.formats.injection import Note
from learnt.formats.observations import storable
from learnt.surfaces.cli.context import (
    HOME,
    JSON,
    PROJECT,
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
@click.option("--problem", required=True, help="What went wrong, or what was to be done.")
@click.option("--approach", required=True, help="What worked.")
@click.option("--caution", "cautions", multiple=True, help="What to beware of; repeatable.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; repeatable.")
@click.option("--language", help="The programming language it is about.")
@click.option("--file", "files", multiple=True, help="A file it is about; repeatable.")
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@PROJECT
@JSON
@HOME
def remember(
    problem: str,
    approach: str,
    cautions: tuple[str, ...],
    tags: tuple[str, ...],
    language: str | None,
    files: tuple[str, ...],
    *,
    everywhere: bool,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Remember a solution: a problem and what worked.

    Typed by you on a terminal it counts at once; from an agent or a script it waits as a
    candidate.
    """
    who = caller(home)
    offer = Offer(
        what=Solution(
            problem=problem,
            approach=approach,
            cautions=cautions,
            tags=tags,
            files=files,
            language=language,
        ),
        actor=who.actor,
        folder=None if everywhere else folder(project),
    )
    with ledger_of(who) as outside:
        outcome = capture(outside, offer)
    if as_json:
        print_json(_outcome_json(outcome))
    else:
        _say_outcome(outcome, who, everywhere=everywhere)
    return 1 if isinstance(outcome.decision, Reject) else 0


def _outcome_json(outcome: Outcome) -> JsonObject:
    reason = outcome.decision.reason if isinstance(outcome.decision, Reject) else ""
    verdicts = {Admit: "admit", Merge: "merge", Correct: "correct", Reject: "reject"}
    return {
        "id": outcome.entry,
        "verdict": verdicts[type(outcome.decision)],
        "gate": outcome.decision.gate if isinstance(outcome.decision, Reject) else None,
        "reason": reason or None,
        "stage": outcome.stage,
        "redacted": list(outcome.redacted),
    }


def _say_outcome(outcome: Outcome, who: Caller, *, everywhere: bool) -> None:
    scope = "every project" if everywhere else "this project"
    match outcome.decision:
        case Reject(gate, reason):
            said = f"Not remembered ({gate}): {REASONS[reason]}. Recorded as {outcome.entry}."
            click.echo(said, err=True)
        case Merge(into):
            click.echo(f"Already remembered as {into}; that one gained a confirmation.")
        case Admit() | Correct():
            click.echo(f"Remembered {outcome.entry} for {scope}.")
            if outcome.stage is Stage.CANDIDATE:
                click.echo(
                    "It is a candidate: no person vouched for it, so no prompt will see it yet. "
                    "Typed by you on a terminal it would count at once."
                )
    if outcome.redacted:
        kinds = ", ".join(sorted(set(outcome.redacted)))
        click.echo(f"Taken out before writing: {len(outcome.redacted)} secret(s) ({kinds}).")


@click.command()
@click.argument("question", nargs=-1)
@click.option("-k", "most", type=click.IntRange(1, 100), default=5, show_default=True)
@PROJECT
@JSON
@HOME
def recall(
    question: tuple[str, ...], *, most: int, project: str, as_json: bool, home: str | None
) -> int:
    """Ask what is remembered about something: the best first, candidates included.

    Without words the newest are listed. Exit code 1 where nothing is found.
    """
    who = caller(home)
    with ledger_of(who) as outside:
        if not question:
            return _list_newest(newest(outside, folder(project), most), as_json=as_json)
        hits = ask(outside, " ".join(question), folder=folder(project), actor=who.actor, most=most)
    if as_json:
        print_json({"entries": [_hit_json(hit) for hit in hits]})
    elif not hits:
        click.echo("Nothing remembered shares a word with that.")
    else:
        for hit in hits:
            _say_hit(hit)
    return 0 if hits else 1


def _list_newest(notes: list[Listed], *, as_json: bool) -> int:
    if as_json:
        print_json({
            "entries": [{**_note_json(one.note), "reused": one.entry.reused} for one in notes]
        })
        return 0
    if not notes:
        click.echo("Nothing is remembered here yet. `learnt remember` begins it.")
    for one in notes:
        _say_note(one.note)
        about = f"{one.note.id} · {_scope(one.note)} · used in {one.entry.reused} session(s)"
        click.secho(f"  {about}", dim=True)
    return 0


def _hit_json(hit: Hit) -> JsonObject:
    return {
        **_note_json(hit.note),
        "score": round(hit.found.match.score, 6),
        "relevance": hit.found.relevance / 1_000_000,
        "reused": hit.found.entry.reused,
    }


def _note_json(note: Note) -> JsonObject:
    return {
        "id": note.id,
        "stage": note.stage,
        "kind": note.kind,
        "text": note.text or None,
        "trust": note.trust,
        "problem": note.problem,
        "approach": note.approach,
        "cautions": list(note.cautions),
        "tags": list(note.tags),
        "everywhere": not note.here,
        "cites": cites_json(note.cites),
        "kept_ms": note.kept_ms,
    }


def _say_hit(hit: Hit) -> None:
    _say_note(hit.note)
    relevance = hit.found.relevance / 10_000
    reused = hit.found.entry.reused
    about = f"{hit.note.id} · {relevance:.0f} % · {_scope(hit.note)} · used in {reused} session(s)"
    click.echo(click.style(f"  {about}", dim=True))


def _scope(note: Note) -> str:
    return "this project" if note.here else "every project"


def _say_note(note: Note) -> None:
    mark = "" if note.trust == "TRUST" else click.style(f" {note.trust}", fg="yellow")
    click.echo(click.style(plain(note.text or note.problem), bold=True) + mark)
    if note.approach:
        click.echo(f"  {plain(note.approach)}")
    for caution in note.cautions:
        click.echo(f"  Caution: {caution}")
    say_cites(note.cites)


@click.command("import")
@click.argument("file", type=click.Path(exists=True, allow_dash=True))
@click.option("--no-gates", is_flag=True, help="Admit all: for data that was judged before.")
@click.option("--dry-run", is_flag=True, help="Count what is there; import nothing.")
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@PROJECT
@JSON
@HOME
def import_(
    file: str,
    *,
    no_gates: bool,
    dry_run: bool,
    everywhere: bool,
    project: str,
    as_json: bool,
    home: str | None,
) -> int:
    """Remember many solutions from a file of JSON lines, or another memory's folder.

    A line: {"problem", "approach", "cautions": [], "tags": [], "files": [], "language", "source":
    {"session", "position", "speaker", "date"}}; all but the problem may be missing with
    --no-gates, which only a person at a terminal may use.

    A folder: memories.jsonl, reuse.json, routing-misses.jsonl and proposals.jsonl of a
    self-evolving memory (also one folder below). Memories come in as candidates, whoever calls.
    """
    who = caller(home)
    if file != "-" and Path(file).is_dir():
        place = None if everywhere else folder(project)
        return _adopt(Path(file), who, place, dry_run=dry_run, as_json=as_json)
    if no_gates and who.actor is not Actor.HUMAN:
        raise Refused("--no-gates is for a person at a terminal. Nothing was imported.")
    place = None if everywhere else folder(project)
    with ledger_of(who) as outside:
        offers = [_offer(line, number, who, place) for number, line in _lines(file)]
        if dry_run:
            click.echo(f"{len(offers)} would be offered to the gates. Nothing was imported.")
            return 0
        outcomes = capture_many(outside, offers, gated=not no_gates, progress=_progress)
    counts = {
        "admitted": sum(isinstance(o.decision, Admit) for o in outcomes),
        "merged": sum(isinstance(o.decision, Merge) for o in outcomes),
        "rejected": sum(isinstance(o.decision, Reject) for o in outcomes),
    }
    if as_json:
        print_json(counts)
    else:
        click.echo(", ".join(f"{count} {name}" for name, count in counts.items()) + ".")
    return 0


def _adopt(path: Path, who: Caller, place: str | None, *, dry_run: bool, as_json: bool) -> int:
    files = {}
    for name in seed_memory.FILES:
        for found in (path / name, *sorted(path.glob(f"*/{name}"))):
            if name not in files and found.is_file():
                files[name] = found.read_text(encoding="utf-8", errors="replace")
    if not files:
        raise UsageError(
            f"{path} holds none of {', '.join(seed_memory.FILES)}. Nothing was imported."
        )
    seed = seed_memory.parse(files)
    counts: JsonObject = {
        "memories": len(seed.memories),
        "deleted": seed.deleted,
        "sessions": len(seed.sessions),
        "misses": len(seed.misses),
        "proposals": len(seed.proposals),
        "unreadable_lines": seed.unreadable,
    }
    if not dry_run:
        with ledger_of(who) as outside:
            done = adopt(outside, seed, place, who.actor)
        counts = {
            "admitted": done.admitted,
            "merged": done.merged,
            "rejected": done.rejected,
            "reuses": done.reuses,
            "misses": done.misses,
            "proposals_turned_down": done.turned_down,
            "proposals_left": done.left,
            "unreadable_lines": seed.unreadable,
        }
    if as_json:
        print_json({**counts, "dry_run": dry_run})
        return 0
    for label, count in counts.items():
        click.echo(f"{label.replace('_', ' ').ljust(22)} {count}")
    if dry_run:
        click.echo("Nothing was imported.")
    else:
        click.echo("All are candidates. `learnt evolve analyze` looks at the signals.")
    return 0


def _progress(done: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done} done", err=True, nl=False)


def _lines(file: str) -> Iterator[tuple[int, bytes]]:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error}). Nothing was imported.") from error
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if line.strip():
            yield number, line


def _offer(line: bytes, number: int, who: Caller, place: str | None) -> Offer:
    try:
        value = storable(line.decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"Line {number} is not JSON ({error}). Nothing was imported.") from error
    if not text_of(member(value, "problem")):
        raise UsageError(f'Line {number} has no "problem". Nothing was imported.')
    said = member(value, "source")
    quoted = None
    if isinstance(said, dict):
        position = said.get("position")
        quoted = Quoted(
            session=text_of(said.get("session")) or None,
            position=whole(position) if position is not None else None,
            speaker=text_of(said.get("speaker")) or None,
            date=text_of(said.get("date")) or None,
        )
    return Offer(
        what=Solution(
            problem=text_of(member(value, "problem")),
            approach=text_of(member(value, "approach")),
            cautions=strings(member(value, "cautions")),
            tags=strings(member(value, "tags")),
            files=strings(member(value, "files")),
            language=text_of(member(value, "language")) or None,
        ),
        actor=who.actor,
        folder=place,
        quoted=quoted,
    )
