"""Lists that the domain brings as data: files of lines below headings, read once.

A line `[heading]` begins a section; `#` begins a remark, and an empty line says nothing.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).with_name("data")


@cache
def sections(file: str) -> Mapping[str, tuple[str, ...]]:
    """The lines below each heading of a file."""
    below: dict[str, list[str]] = {}
    heading = ""
    for line in (_FOLDER / f"{file}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            heading = line[1:-1]
            below[heading] = []
        elif line and not line.startswith("#"):
            below[heading].append(line)
    return {heading: tuple(lines) for heading, lines in below.items()}


def text(file: str, heading: str) -> str:
    """The lines below a heading as one.

    >>> text("queries", "mysql routines")[:27]
    'SELECT LOWER(routine_type),'
    """
    return " ".join(sections(file)[heading])


@cache
def words(file: str, heading: str) -> frozenset[str]:
    """The words below a heading, and below `heading: …`; none where there is no such heading.

    >>> "lsdir" in words("sqlite", "files"), words("sqlite", "hints")
    (True, frozenset())
    """
    return frozenset(
        word
        for name, listed in sections(file).items()
        if name.partition(":")[0] == heading
        for line in listed
        for word in line.split()
    )


def worded(heading: str) -> str:
    """A pattern of what stands below a heading, in any language.

    >>> import re
    >>> re.findall(worded("row count"), "行数 or row count, narrow counts")
    ['行数', 'row count']
    """
    return rf"\b(?:{'|'.join(sections('en')[heading])})\b|{'|'.join(sections('zh')[heading])}"


def spoken(heading: str) -> tuple[str, ...]:
    """The words below a heading, of each language in turn.

    >>> spoken("max")[-2:]
    ('最新', '最晚')
    """
    return tuple(f"{text('en', heading)} {text('zh', heading)}".split())
