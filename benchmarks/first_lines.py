r"""The ten figures that matter, which `docs/figures.md` begins with: cells of its own tables.

>>> page = "<!-- figures: a -->\n| half | found |\n|---|---|\n| dev | 3 of 4 |\n<!-- end -->\n"
>>> filled("Found: {a: dev: found}.", page)
'Found: 3 of 4.'
"""

import re
from collections.abc import Mapping
from typing import Final

_BLOCK: Final = re.compile(r"<!-- (?:figures|measured): (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)
_PLACE: Final = re.compile(r"(<!-- first lines -->\n).*?(?=<!-- end -->)", re.DOTALL)
_CELL: Final = re.compile(r"\{(\w+): ([^{}]*): ([^:{}]*)\}")

# A cell is {table: beginning of its row: beginning of its column's name}.
LINES: Final = (
    "In a home of 2,060 notes, a quarter of the prompts without a word of their note, the right "
    "note is given or opened for {reader: unseen, godwit, 2,060 | 1,771 | 170: right note}; with "
    "one search where nothing fits for {reader: unseen, godwit, 2,060, and one: right note}.",
    "An error that came before and was mended: when it comes again, the agent is given a text that "
    "says what to change in {avocet: unseen: given}; in a newer set that nobody had "
    "read a wrong cure comes at a look-alike in {avocet: newer: wrong}.",
    "Contradictions that rules notice when they are typed: {suspected: unseen: contradictions}; "
    "that an agent which compares finds: {agent: unseen: contradictions}. Compatible pairs that "
    "rules replace: {suspected: unseen: compatible pairs replaced}.",
    "In a home of 60 notes the right note is given or opened for {reader: unseen, godwit, 60 | "
    "1,766: right note}; from a start of 1,200 tokens for {reader: unseen, godwit, 60, a: right "
    "note}.",
    'Texts behind "remember: " that are saved word for word: {verbatim: unseen: saved}.',
    "What an agent saves of what its user says in passing: {agent: unseen: worth}; where nothing "
    "lasting was said: {agent: unseen: nothing}.",
    "Sentences of strangers that an agent repeats and a hook later shows: "
    "{foreign: `unseen`: strangers}; pasted ones: {foreign: `unseen`: pasted}.",
    "Secrets taken out before anything is written: {redaction: `unseen`: secrets}; innocent texts "
    "changed: {redaction: `unseen`: innocent}.",
    "Skills that attack whoever installs them: refused {attacks: `fresh`: refused}; refused, or "
    "their line shown first, {attacks: `fresh`: refused or}.",
    "SQL that is to be refused and was let through: {statements: `fresh`: let through of those to "
    "refuse}; SQL that only reads and ran: {statements: `fresh`: let through of those to allow}.",
)


def _tables(page: str) -> Mapping[str, list[list[str]]]:
    return {
        name: [
            [cell.strip() for cell in line[2:-2].split(" | ")]
            for line in table.splitlines()
            if line.startswith("| ")
        ]
        for name, table in _BLOCK.findall(page)
    }


def filled(line: str, page: str) -> str:
    """A line with the cells that it names. Raises LookupError where the page has no such cell."""
    tables = _tables(page)

    def cell(found: re.Match[str]) -> str:
        name, row, column = found.groups()
        head, *rows = tables[name]
        at = next((n for n, title in enumerate(head) if title == column), None)
        if at is None:
            at = next(n for n, title in enumerate(head) if title.startswith(column))
        return next(cells[at] for cells in rows if " | ".join(cells).startswith(row))

    try:
        return _CELL.sub(cell, line)
    except (KeyError, StopIteration, RuntimeError) as missing:
        raise LookupError(f"the page has no cell for: {line}") from missing


def renewed(page: str) -> str:
    """The page with its ten lines made again, where it has a place for them."""

    def lines(place: re.Match[str]) -> str:
        told = (f"{number}. {filled(line, page)}\n" for number, line in enumerate(LINES, 1))
        return place[1] + "".join(told)

    return _PLACE.sub(lines, page)
