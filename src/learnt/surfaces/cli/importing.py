"""`import` and `export`: what another memory knows comes in, what this one knows goes out."""

import os
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.brought import Bundle
from learnt.core.records import Record
from learnt.errors import EnvironmentTrouble, LearntError, Refused, UsageError
from learnt.flows.governance.decisions import refuse_others
from learnt.flows.knowledge.adopt import Adopted, TakenBack, adopt, take_back
from learnt.flows.knowledge.hand_over import hand_over
from learnt.flows.knowledge.preview import COMMANDS, Appraised, Whither, preview
from learnt.formats import memories
from learnt.formats.answers import filled
from learnt.settings import Settings
from learnt.stores.atomic import explained, write_atomically
from learnt.stores.plain_files import LARGEST, copied_home, decoded, file_text, gathered, is_home
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.screen import SpelledOut, fitting, shown_whole, table
from learnt.surfaces.folder_mode import today

STATES: Final = ("new", "double", "disputed", "refused")
MOST: Final = 10_000  # pieces
_MOST_SHOWN: Final = 10  # lines of a state that are shown without being asked for
_ASKED: Final = "Take (a)ll, (p)ick, or (n)othing"
# Folders whose own name says what is in them.
_MEANT: Final = ("rules", "experience-library", "memory", "memories", "instincts", ".mem0")
_LINE: Final = re.compile(r"[:#][^:#/]*$")
_WIDE: Final = 70
_EACH: Final = "Take it: (y)es, (n)o, (q)uit"
_Chosen = tuple[list[Appraised] | None, bool]  # None: nothing; whether a person was shown each


class BroughtRow(Record):
    """One piece: what would become of it and why, what it says, its kind, and where it is from."""

    state: str
    why: str
    said: str
    kind: str
    from_: str
    entry: str
    rivals: tuple[str, ...]


class BroughtIn(Record):
    """What another memory brings, and what of it was taken in under an `id`; none: nothing was.

    `read`: a person was shown all of it and took it, so that it counts; else it waits in `review`.
    """

    id: str
    read: bool
    new: int
    double: int
    disputed: int
    refused: int
    taken: int
    vouched: int
    reuses: int
    misses: int
    turned_down: int
    flagged: int
    findings: tuple[str, ...]
    rows: tuple[BroughtRow, ...]


@command("import", answers=BroughtIn | TakenBack, project=True)
@click.argument("path", required=False, type=click.Path(exists=True, allow_dash=True))
@click.option("--dry-run", is_flag=True, help="Show what is there; import nothing.")
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@click.option("--of", default="", metavar="NAME", help="Take this other project's pieces as well.")
@click.option("--only", multiple=True, metavar="KIND", help="This kind alone; repeatable.")
@click.option("--yes", is_flag=True, help="Do not ask: all of it waits for `learnt review`.")
@click.option("--undo", default="", metavar="ID|last", help="Undo an import as a whole.")
def import_(
    call: Call,
    path: str | None,
    *,
    dry_run: bool,
    everywhere: bool,
    of: str,
    only: tuple[str, ...],
    yes: bool,
    undo: str,
) -> int:
    """Bring what another memory knows: shown as a table first, then you take all or pick.

    PATH is a project or a file with notes for agents (CLAUDE.md, AGENTS.md, GEMINI.md, rules of
    Claude Code, Cursor or Windsurf); a memory of Claude Code, Gemini, Windsurf, the MCP memory
    server, beads, instincts, claude-mem or mem0; a topic folder; a self-evolving memory's folder; a
    file of `learnt export`, or of JSON lines ({"text"} or {"problem", "approach"}); another
    Learnt's home; a folder above any of these; or - for standard input.

    What you read and take counts at once, with its dates and counts. An unread import (--yes, an
    agent, a script) waits as candidates: `learnt review` asks you once about all of them.
    """
    if undo or path is None:
        return _undo(call, undo, path)
    to = Whither(folder=call.folder, everywhere=everywhere, of=of)
    bundle = _bundle(call, path)
    if len(bundle.pieces) > MOST:
        raise UsageError(
            f"{path} brings {len(bundle.pieces):,} pieces, more than the {MOST:,} that are looked "
            "at in one go. Nothing was imported; import it in parts."
        )
    with call.ledger() as outside:
        if unknown := [kind for kind in only if not outside.kinds.knows(kind)]:
            raise UsageError(f"{unknown[0]} is no kind of entry. Nothing was imported.")
        found = preview(outside, bundle.pieces, to, progress=_progress)
        _progress(0)
        takes = [one for one in found if one.state != "refused"]
        takes = [one for one in takes if not only or one.offer.what.kind in only]
        asks = call.who.actor is Actor.HUMAN and not (yes or dry_run)
        if asks:
            _say_table(call, found, bundle, "refused")
        chosen, read = _chosen(call, takes, bundle) if asks else (takes, False)
        done = Adopted(id="")
        if chosen is not None and not dry_run:
            done = adopt(outside, chosen, bundle, replace(to, read=read), _progress)
            _progress(0)
    if not asks:  # what is acknowledged is on the disk
        _say_table(call, found, bundle, "disputed", "refused")
    counts = Counter(one.state for one in found)
    answer = filled(
        BroughtIn,
        done,
        read=read,
        **{state: counts[state] for state in STATES},
        findings=bundle.findings,
        rows=tuple(map(_row, found)),
    )
    return call.answer(answer, lambda answer: _say_done(call, answer))


def _bundle(call: Call, path: str) -> Bundle:
    """What a path brings. Raises UsageError where it brings nothing that is known."""
    if path == "-":
        text = decoded("Standard input", sys.stdin.buffer.read(LARGEST + 1))
        return _read({"-": text}, named=True)
    if not Path(path).is_dir():
        return _read({Path(path).name: file_text(path)}, named=True)
    if is_home(path):
        return _of_home(call, path)
    own = Path(path).resolve().name
    within = f"{own}/" if own in _MEANT else ""
    files, told = gathered(path, lambda name, head: memories.is_wanted(within + name, head))
    bundle = _read({f"{within}{name}": text for name, text in files.items()}, named=False)
    bundle = bundle.with_more(Bundle(findings=tuple(told)))
    if not (bundle.pieces or bundle.along):
        why = "".join(f"\n  {finding}" for finding in bundle.findings)
        raise UsageError(
            f"{path} holds no memories: neither topics with their tags, nor lists for agents, nor "
            f"{', '.join(memories.SEED_FILES)}. Nothing was imported.{why}"
        )
    return bundle


def _read(files: Mapping[str, str], *, named: bool) -> Bundle:
    try:
        return memories.read(files, today(), named=named)
    except ValueError as error:
        raise UsageError(
            f"{error}. Nothing was imported. `learnt import --help` names the forms that are read."
        ) from error


def _of_home(call: Call, path: str) -> Bundle:
    if Path(path).resolve() == call.home.resolve():
        raise UsageError(f"{path} is this home itself. Nothing was imported.")
    refuse_others(call.who.decider, f"learnt import {path}")  # it may hold what no agent is shown
    with copied_home(path) as copy:
        try:
            with opened(Settings(home=copy)) as other:
                return hand_over(other, call.folder)
        except LearntError as error:
            told = str(error).replace(str(copy), path)
            raise EnvironmentTrouble(f"{told} Nothing was imported.") from error


def _chosen(call: Call, takes: list[Appraised], bundle: Bundle) -> _Chosen:
    new = [one for one in takes if one.state != "double" or one.why]
    new.sort(key=lambda one: COMMANDS not in one.why)
    if not (new or bundle.along):
        return takes, False
    read = shown_whole([*map(_line_of, new)], err=call.as_json)
    while True:
        match click.prompt(_ASKED, default="n", err=call.as_json).strip().lower()[:1]:
            case "a":
                return takes, read
            case "p":
                return _picked(call, new) or None, True
            case "n":
                return None, False


def _picked(call: Call, new: Sequence[Appraised]) -> list[Appraised]:
    picked: list[Appraised] = []
    for number, one in enumerate(new, 1):
        click.echo(f"\n{number} of {len(new)}  {_line_of(one)}", err=call.as_json)
        key = click.Choice(["y", "n", "q"], case_sensitive=False)
        match click.prompt(_EACH, default="n", type=key, show_choices=False, err=call.as_json):
            case "y":
                picked.append(one)
            case "q":
                break
    return picked


def _say_table(call: Call, found: Sequence[Appraised], bundle: Bundle, *states: str) -> None:
    """What comes from where, by kind, what would become of it, and pieces of some states."""
    if call.as_json:
        return
    counts = Counter(
        (_LINE.sub("", one.piece.place) or "another home", one.offer.what.kind, one.state)
        for one in found
    )
    rows = [
        [plain(file), plain(kind), *(str(counts[file, kind, state]) for state in STATES)]
        for file, kind in sorted({(file, kind) for file, kind, _ in counts})
    ]
    totals = Counter(one.state for one in found)
    if len(rows) > 1:
        rows.append(["in all", "", *(str(totals[state]) for state in STATES)])
    if rows:
        click.echo("\n".join(table([["FROM", "KIND", *map(str.upper, STATES)], *rows])))
    lines: list[str] = []
    for state in states:
        of_it = [one for one in found if one.state == state]
        lines += map(_line_of, of_it[:_MOST_SHOWN])
        if (more := len(of_it) - _MOST_SHOWN) > 0:
            lines.append(f"  … {more} more {state}: --json has them")
    if bundle.along:
        along = ", ".join(f"{count} {what}" for what, count in bundle.along.items())
        lines.append(f"along     {along}")
    for line in (*lines, *(f"finding   {plain(finding)}" for finding in bundle.findings)):
        click.echo(line)


def _line_of(one: Appraised) -> str:
    text = fitting(_text(one), _WIDE) if one.state == "refused" else _text(one)
    why = f": {one.why}" if one.why else ""
    why += f", with {', '.join(one.against)}" if one.against else ""
    scope = " (for every project)" if one.offer.folder is None else ""
    return plain(f"{one.state.ljust(9)} {one.piece.place}{scope}  “{text}”{why}")


def _text(one: Appraised) -> str:
    what = one.offer.what
    parts = (what.text,) if what.is_fact else (f"{what.problem}: {what.approach}", *what.cautions)
    return " ".join(" ".join(parts).split())


def _row(one: Appraised) -> BroughtRow:
    place, kind = one.piece.place, one.offer.what.kind
    return BroughtRow(one.state, one.why, _text(one), kind, place, one.entry, one.rivals)


def _say_done(call: Call, answer: BroughtIn) -> None:
    if not answer.id:
        click.echo("Nothing was imported.")
        return
    counts = "they count, and the next prompt may be given them."
    waits = "nobody read them, so no hook shows them. `learnt review` asks once about all of them."
    if answer.taken:
        click.echo(f"{answer.taken} taken: {counts if answer.read else waits}")
    if answer.vouched:
        click.echo(f"{answer.vouched} that were candidates here are validated.")
    if signals := answer.reuses + answer.misses + answer.turned_down + answer.flagged:
        click.echo(
            f"{signals} signals came along: see `learnt evolve analyze`, `learnt health queue`."
        )
    if answer.disputed and answer.taken:
        click.echo("`learnt review` asks which side of a dispute holds.")
    click.echo(f"`learnt import --undo {answer.id}` undoes all of it.")


def _undo(call: Call, name: str, path: str | None) -> int:
    if not name or path is not None:
        raise UsageError(
            "Name the file or folder that is to be imported, or --undo with an import's id alone. "
            "Nothing was imported."
        )
    with call.ledger() as outside:
        back = take_back(outside, name, call.who.decider)
    again = f", {back.candidates} are candidates again" if back.candidates else ""
    again += f", {back.reopened} rejections taken back" if back.reopened else ""
    again += f", {back.unflagged} skills no longer flagged" if back.unflagged else ""
    return call.answer(back, f"{back.id} is undone: {back.retired} entries retired{again}.")


def _progress(done: int) -> None:
    """Show how far long work has come; at 0 the line is free again."""
    if done % 100 == 0 and sys.stderr.isatty() and isinstance(sys.stderr, SpelledOut):
        sys.stderr.over(f"{done} done " if done else " " * len("10000 done "))
        sys.stderr.over("")


class HandedOver(Record):
    """What was written, and where."""

    path: str
    entries: int
    misses: int
    turned_down: int


@command("export", answers=HandedOver)
@click.argument("file", type=click.Path(dir_okay=False))
def export(call: Call, file: str) -> int:
    """Write all that this home knows to a file of JSON lines, which `learnt import` reads.

    Every project's entries with their dates, counts and stages, the rejected drafts, and the
    prompts that found nothing. For a person at a terminal alone, since it has what no agent is
    shown. `docs/import.md` has the format.
    """
    if file == "-" or os.path.lexists(file):
        there = "- is no file" if file == "-" else f"{file} exists and was left as it is"
        raise Refused(f"{there}: name a new one. Nothing was written.")
    refuse_others(call.who.decider, f"learnt export {file}")  # it has what no agent is shown
    bundle = call.look(hand_over, Bundle())
    with explained(file, "written"):
        write_atomically(file, memories.rendered(bundle))
    counts = len(bundle.pieces), len(bundle.misses), len(bundle.turned_down)
    answer = HandedOver(str(Path(file).resolve()), *counts)
    return call.answer(answer, f"{answer.path}: {answer.entries} entries.")
