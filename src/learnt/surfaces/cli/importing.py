"""`import`: many solutions from a file, or from another memory's folder."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, get_args

import click

from learnt.core.events import Actor
from learnt.core.json_values import member, strings, text_of, whole
from learnt.core.knowledge.drafts import Solution
from learnt.errors import Refused, UsageError
from learnt.flows.knowledge.adopt import Adopted, adopt
from learnt.flows.knowledge.capture import capture_many
from learnt.flows.knowledge.offers import Offer, Quoted
from learnt.formats import seed_memory
from learnt.formats.answers import filled, to_json
from learnt.formats.observations import storable
from learnt.stores.plain_files import bytes_of
from learnt.surfaces.answers.admission import Verdict, verdict_of
from learnt.surfaces.cli.context import Call, command
from learnt.surfaces.cli.screen import SpelledOut

LARGEST: Final = 256 << 20  # bytes of a file
LONGEST_LINE: Final = 100_000  # bytes of a solution


class Imported(NamedTuple):
    """What the gates made of what a file held."""

    admitted: int
    merged: int
    corrected: int
    rejected: int


class SeedCounts(NamedTuple):
    """What another memory's folder holds, and that nothing of it was imported."""

    memories: int
    deleted: int
    sessions: int
    misses: int
    proposals: int
    unreadable_lines: int
    dry_run: bool = True


@command("import", answers=Imported | SeedCounts | Adopted, project=True)
@click.argument("file", type=click.Path(exists=True, allow_dash=True))
@click.option("--no-gates", is_flag=True, help="Admit all: for data that was judged before.")
@click.option("--dry-run", is_flag=True, help="Count what is there; import nothing.")
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
def import_(call: Call, file: str, *, no_gates: bool, dry_run: bool, everywhere: bool) -> int:
    """Remember many solutions from a file of JSON lines, or another memory's folder.

    A line: {"problem", "approach", "cautions": [], "tags": [], "files": [], "language", "source":
    {"session", "position", "speaker", "date"}}; all but the problem may be missing with
    --no-gates, which only a person at a terminal may use.

    A folder: memories.jsonl, reuse.json, routing-misses.jsonl and proposals.jsonl of a
    self-evolving memory (also one folder below). Memories come in as candidates, whoever calls.
    """
    place, actor = None if everywhere else call.folder, call.who.actor
    if file != "-" and Path(file).is_dir():
        return _adopt(call, Path(file), place, dry_run=dry_run)
    if no_gates and actor is not Actor.HUMAN:
        raise Refused("--no-gates is for a person at a terminal. Nothing was imported.")
    with call.ledger() as outside:
        offers = [_offer(line, number, actor, place) for number, line in _lines(file)]
        if dry_run:
            click.echo(f"{len(offers)} would be offered to the gates. Nothing was imported.")
            return 0
        outcomes = capture_many(outside, offers, gated=not no_gates, progress=_progress)
    decided = Counter(verdict_of(outcome.decision) for outcome in outcomes)
    counts = Imported(*(decided[each] for each in get_args(Verdict)))
    right = f", {counts.corrected} put right" if counts.corrected else ""
    text = f"{counts.admitted} admitted, {counts.merged} merged{right}, {counts.rejected} rejected."
    return call.answer(counts, text)


def _adopt(call: Call, path: Path, place: str | None, *, dry_run: bool) -> int:
    files = {}
    for name in seed_memory.FILES:
        for file in (path / name, *sorted(path.glob(f"*/{name}"))):
            if name not in files and file.is_file():
                files[name] = file.read_text(encoding="utf-8", errors="replace")
    if not files:
        raise UsageError(
            f"{path} holds none of {', '.join(seed_memory.FILES)}. Nothing was imported."
        )
    seed = seed_memory.parse(files)
    if dry_run:
        parts = ("memories", "sessions", "misses", "proposals")
        lengths = {part: len(getattr(seed, part)) for part in parts}
        counts = filled(SeedCounts, seed, unreadable_lines=seed.unreadable, **lengths)
        return call.answer(counts, lambda counts: _say_counts(counts, "Nothing was imported."))
    with call.ledger() as outside:
        adopted = adopt(outside, seed, place, call.who.actor)
    next_step = "All are candidates. `learnt evolve analyze` looks at the signals."
    return call.answer(adopted, lambda adopted: _say_counts(adopted, next_step))


def _say_counts(counts: SeedCounts | Adopted, next_step: str) -> None:
    members = to_json(counts)
    assert isinstance(members, dict)
    for name, count in members.items():
        if name != "dry_run":
            click.echo(f"{name.replace('_', ' ').ljust(22)} {count}")
    click.echo(next_step)


def _progress(done: int) -> None:
    if sys.stderr.isatty() and isinstance(sys.stderr, SpelledOut):
        sys.stderr.over(f"{done} done ")


def _lines(file: str) -> Iterator[tuple[int, bytes]]:
    raw = sys.stdin.buffer.read() if file == "-" else bytes_of(file, LARGEST)
    if raw is None:
        most = f"{LARGEST >> 20} MB"
        raise UsageError(f"{file} is no plain file of at most {most}. Nothing was imported.")
    lines = raw.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _offer(line: bytes, number: int, actor: Actor, place: str | None) -> Offer:
    try:
        value = storable(line.decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"Line {number} is not JSON ({error}). Nothing was imported.") from error
    if len(line) > LONGEST_LINE:
        most = f"{LONGEST_LINE:,} bytes"
        raise UsageError(f"Line {number} has more than {most}. Nothing was imported.")
    if not text_of(member(value, "problem")):
        raise UsageError(f'Line {number} has no "problem". Nothing was imported.')
    source, quoted = member(value, "source"), None
    if isinstance(source, dict):
        position = source.get("position")
        names = {part: text_of(source.get(part)) or None for part in ("session", "speaker", "date")}
        quoted = Quoted(position=None if position is None else whole(position), **names)
    solution = Solution(
        problem=text_of(member(value, "problem")),
        approach=text_of(member(value, "approach")),
        language=text_of(member(value, "language")) or None,
        **{part: strings(member(value, part)) for part in ("cautions", "tags", "files")},
    )
    return Offer(what=solution, actor=actor, folder=place, quoted=quoted)
