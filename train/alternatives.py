"""Counts the alternatives in the language room's data files: what there is to be maintained.

python -m train.alternatives    by language and kind of file

An entry counts one, and one for each bar in it, however deep; a line of plain words each word.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.report import table
from learnt.language.data import PatternEntry, by_language, languages


def alternatives_of(entry: PatternEntry) -> int:
    r"""How many alternatives an entry has.

    >>> alternatives_of(PatternEntry(r"a|(?:b|c)[|]", "a", ""))
    3
    """
    if not entry.example:
        return len(entry.pattern.split())
    return 1 + len(list(bars(entry.pattern)))


def bars(pattern: str) -> Iterable[int]:
    """Where bars stand in a pattern that are no characters to search for.

    >>> list(bars(r"a|(?:b|c)[|]\\|"))
    [1, 6]
    """
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = pattern.index("]", at + 2)
        elif char == "|":
            yield at
        at += 1


def counted() -> list[dict[str, object]]:
    """Entries and alternatives of each data file, and of all."""
    rows: list[dict[str, object]] = []
    for name in sorted({name for names in languages().values() for name in names}):
        for sections in by_language(name):
            listed = [entry for entries in sections.values() for entry in entries]
            rows.append({
                "file": "/".join(Path(listed[0].place.rpartition(":")[0]).parts[-2:]),
                "entries": len(listed),
                "alternatives": sum(map(alternatives_of, listed)),
            })  # fmt: skip
    every = {name: sum(int(str(row[name])) for row in rows) for name in ("entries", "alternatives")}
    return [*rows, {"file": "all", **every}]


def main() -> int:
    """Print the table."""
    table("alternatives in data files", counted())
    return 0


if __name__ == "__main__":
    sys.exit(main())
