"""`learnt knowledge` in folder mode: the seven commands on facts in Markdown files.

Started without the rest of the command line, since scripts and hooks call it often. Exit codes are
those of seed 000, which scripts rely on: `scan` tells the worst trust it found, and any error is 1.
This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

from learnt.core.knowledge.confidence import TRUST_AT, VERIFY_AT, Trust
from learnt.core.knowledge.kinds import KINDS
from learnt.errors import LearntError
from learnt.flows.knowledge import folder as flow
from learnt.flows.knowledge.folder import FactPlace, Flaw
from learnt.stores.topic_files import DiskTopics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from learnt.flows.knowledge.folder import FactsAndFlaws, FolderFact

DEFAULT = "references"
COMMANDS = ("init", "scan", "search", "feedback", "reset", "inject", "invalidate")
_OF_BOTH = ("feedback", "reset", "invalidate")  # of folder mode and of the ledger
_WIDTH = 96


def today() -> date:
    """The day in UTC, by which confidence ages."""
    return datetime.now(timezone.utc).date()


def of_the_ledger(words: Sequence[str]) -> bool:
    """Whether a command is about an entry of the ledger: `--id e-…`, and no file or folder."""
    if words[:1] and words[0] not in _OF_BOTH:
        return False
    if any(word.partition("=")[0] in {"--path", "--file"} for word in words):
        return False
    named = [word[len("--id=") :] for word in words if word.startswith("--id=")]
    named += [words[at + 1] for at, word in enumerate(words[:-1]) if word == "--id"]
    return any(name.startswith("e-") for name in named)


def _plain(text: str) -> str:
    """Text that a terminal shows as it is: what would steer it or hide is spelt out."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    from learnt.core.visible_text import spelled_out  # seldom needed: a part of a bare start

    return spelled_out(text)


def _say(text: str) -> None:
    sys.stdout.write(_plain(text) + "\n")


def _warn(text: str) -> None:
    sys.stderr.write(_plain(text) + "\n")


def _print_json(value: Any) -> None:
    """One JSON document; what would steer a terminal stands escaped in it."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not text.isascii():
        from learnt.core.visible_text import with_hidden

        text = with_hidden(text, lambda c: json.dumps(c)[1:-1])
    sys.stdout.write(text + "\n")


def _init(words: argparse.Namespace) -> int:
    folder = words.path or DEFAULT
    made = flow.begin(DiskTopics(), folder, today())
    index = f"{folder}/{flow.INDEX}"
    _say(f"[init] ✓ Created {index}" if made else f"[init] {index} already exists")
    _say("[init] Ready. Add what you find out with `inject`.")
    _say(f"[init] No hook reads this folder: `learnt import {folder}` puts it before your agent.")
    return 0


def _looked(words: argparse.Namespace, folder: str) -> FactsAndFlaws:
    file = getattr(words, "file", None) or ""
    if not file and not os.path.isdir(folder):
        raise LearntError(f"There is no folder {folder}.")
    return flow.look(DiskTopics(), file=file, folder=folder, today=today(), model=words.confidence)


def _scan(words: argparse.Namespace) -> int:
    if not (words.file or words.path):
        raise LearntError("scan wants --file F or --path DIR.")
    pages = _looked(words, words.path or "")
    facts = flow.by_confidence(pages.facts, highest_first=False)
    levels = [fact.trust for fact in facts]
    if not _printed(words, facts, pages.flaws):
        counted = ", ".join(f"{levels.count(level)} {level}" for level in Trust)
        lines = [*map(_line, facts), "---", f"{len(facts)} entries: {counted}"]
        _say("\n".join(lines) if facts else "No decay tags found.")
    return 2 if Trust.REVALIDATE in levels else 1 if Trust.VERIFY in levels else 0


def _search(words: argparse.Namespace) -> int:
    if words.level and words.min_confidence is not None:
        _warn("learnt: --level counts, not --min-confidence.")
    least = {"TRUST": TRUST_AT, "VERIFY": VERIFY_AT, "REVALIDATE": None}
    at_least = least[words.level] if words.level else words.min_confidence
    pages = _looked(words, words.path or DEFAULT)
    facts = flow.search(pages.facts, words.entities.split(","), at_least)
    if not _printed(words, facts, pages.flaws):
        for fact in facts:
            named = f"  [{', '.join(fact.entry.entities)}]" if fact.entry.entities else ""
            _say(_line(fact) + named)
            _say(f"    {fact.entry.text or fact.entry.context}")
        nothing = "No matching entries." if pages.facts else "No decay tags found."
        _say(f"---\n{len(facts)} entries matched." if facts else nothing)
    return 0 if facts else 1


def _line(fact: FolderFact) -> str:
    belief, where = fact.entry.belief, f"{fact.file}:{fact.entry.line}"
    counts = f"α={belief.alpha:g} β={belief.beta:g}"
    return (
        f"[{fact.trust:<12}] {where:<30} C={fact.level:.3f}  {KINDS[belief.kind].short:<10} "
        f"{counts}  {fact.age_days}d"
    )


class FolderEntry(NamedTuple):
    """A fact in a file, with its standing; `line` is that of its tag."""

    id: str | None
    kind: str
    text: str
    confidence: float
    trust: str
    confirmed: str
    alpha: float
    beta: float
    c0: float
    shock: float
    entities: list[str]
    file: str
    line: int


class Scan(NamedTuple):
    """Facts of a file or folder, and the tags that cannot be read."""

    entries: list[FolderEntry]
    findings: list[Flaw]


class Injected(NamedTuple):
    """Where a fact was written, and its id."""

    file: str
    line: int
    id: str


ANSWERS = {**dict.fromkeys(COMMANDS[1:], Scan), "inject": Injected}


def _printed(words: argparse.Namespace, facts: Iterable[FolderFact], flaws: Iterable[Flaw]) -> bool:
    """Print facts and flaws as JSON, where that is asked for; else the flaws alone."""
    if words.json:
        entries = [_entry(fact)._asdict() for fact in facts]
        _print_json({"entries": entries, "findings": [flaw._asdict() for flaw in flaws]})
        return True
    for flaw in flaws:
        _warn(f"finding: {flaw.file}:{flaw.line}: {flaw.what}")
    return False


def _entry(fact: FolderFact) -> FolderEntry:
    entry = fact.entry
    belief = dict(entry.belief._asdict(), confirmed=entry.belief.confirmed.isoformat())
    return FolderEntry(
        id=entry.id or None,
        text=entry.text or entry.context,
        confidence=fact.level,
        trust=str(fact.trust),
        entities=list(entry.entities),
        file=fact.file,
        line=entry.line,
        **belief,
    )


def _change(words: argparse.Namespace) -> int:
    if words.id and words.line is None:
        place = FactPlace(id=words.id, file=words.file or "", folder=words.path or DEFAULT)
    elif words.file and words.line is not None and not words.id:
        place = FactPlace(file=words.file, line=words.line)
    else:
        raise LearntError(f"{words.command} wants --file and --line, or --id.")
    result, weight = getattr(words, "result", words.command), getattr(words, "weight", None)
    now = flow.feedback(DiskTopics(), place, result, today(), weight)
    if not _printed(words, [now], ()):
        belief = now.entry.belief
        _say(
            f"{_DONE[words.command]} {now.file}:{now.entry.line} — α={belief.alpha:g} "
            f"β={belief.beta:g}, confirmed {belief.confirmed} "
            f"({KINDS[belief.kind].short}, C={now.level:.3f} {now.trust})"
        )
    return 0


_DONE = {"feedback": "Updated", "reset": "Reset", "invalidate": "[invalidate] ✓"}


def _inject(words: argparse.Namespace) -> int:
    named = [name.strip() for name in words.entities.split(",") if name.strip()]
    if os.path.basename(words.target) != words.target:
        _warn(f"learnt: stripped path of {words.target}")
    file, line, name = flow.inject(
        DiskTopics(), words.path or DEFAULT, words.target, words.type, words.content, named, today()
    )
    try:
        flow.route(DiskTopics(), words.path or DEFAULT, os.path.basename(file), named)
    except LearntError as error:
        _warn(f"learnt: the fact is written, its row in {flow.INDEX} is not: {error}")
    if words.json:
        _print_json(Injected(file, line, name)._asdict())
    else:
        about = f"type: {words.type}, entities: {named}, id: {name}"
        _say(f"[inject] ✓ written to {file}:{line} ({about})")
    return 0


_HELP = {
    "init": (_init, "Make a folder for topics, with its routing table; what is there stays."),
    "scan": (_scan, "All facts of a file or folder, least trusted first. Exit 0: all TRUST; 1: "
             "some VERIFY, or an error; 2: some REVALIDATE."),
    "search": (_search, "The facts about some entities, most trusted first. Exit 1 without any."),
    "feedback": (_change, "Record that a fact proved true, or false."),
    "reset": (_change, "Make a fact as new: confirmed today, nothing for or against it."),
    "inject": (_inject, "Add a fact to a topic, made where it is missing."),
    "invalidate": (_change, "Mark a fact as wrong: it is to be found out again."),
}  # fmt: skip


def parser(command: str, program: str) -> argparse.ArgumentParser:
    """What a command takes."""
    options = argparse.ArgumentParser(
        prog=f"{program} {command}",
        description=_HELP[command][1],
        # A formatter that is not told how wide a line is loads `shutil` to ask, for each argument.
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=_WIDTH),
    )
    add = options.add_argument
    add("--path", metavar="DIR", help=f"The folder of topics (else {DEFAULT}).")
    if command != "init":
        add("--json", action="store_true", help="Print JSON, for programs.")
    if command in {"scan", *_OF_BOTH}:
        add("--file", metavar="F", help="The file.")
    if command in _OF_BOTH:
        add("--line", type=int, metavar="N", help="The line of its tag.")
        add("--id", metavar="ID", help="The fact's id, instead of file and line.")
    if command in {"scan", "search"}:
        add("--confidence", choices=["posterior", "classic"], default="posterior",
            help="The formula: classic is seed 000's own (default: posterior).")  # fmt: skip
    if command == "search":
        add("--level", choices=[str(level) for level in Trust], help="At least this trust.")
        add("--min-confidence", type=float, metavar="C", help="At least this confidence.")
    if command in {"search", "inject"}:
        add("--entities", default="", metavar='"A,B"', help="What it is about, whole names.")
    if command == "feedback":
        add("--result", choices=["success", "failure"], required=True, help="How it went.")
        add("--weight", type=float, metavar="W",
            help="How much it counts (else 1.0; by id 0.3 for a success, 1.5 for a "
            "failure).")  # fmt: skip
    if command == "inject":
        add("--type", required=True, metavar="KIND", help=", ".join(KINDS))
        add("--content", required=True, help="The fact, in a sentence.")
        add("--target", required=True, metavar="TOPIC.md", help="The topic it belongs to.")
    return options


def main(words: Sequence[str], program: str = "learnt knowledge") -> int:
    """Run one of the seven commands; its exit code."""
    try:
        given = parser(words[0], program).parse_args(list(words[1:]))
        given.command = words[0]
        return _HELP[words[0]][0](given)
    except (LearntError, ValueError) as error:
        _warn(f"learnt: {error}")
        return 1
