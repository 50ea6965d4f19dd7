"""What a command prints: nothing unseen reaches a terminal, tables, and long texts."""

import os
import re
import sys
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, TextIO

import click

from learnt.core.visible_text import spelled_out

_WIDE: Final = frozenset("WF")
_WITHIN: Final = frozenset({"Mn", "Me"})  # marks that stand over or under another character


def width(text: str) -> int:
    """The places that it takes: two for a wide character, none for a mark on another.

    >>> width("套房"), width("e\\u0301"), width("abc")
    (4, 1, 3)
    """
    return len(text) if text.isascii() else sum(map(_places, text))


def _places(character: str) -> int:
    if unicodedata.category(character) in _WITHIN:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def padded(text: str, places: int) -> str:
    """It with blanks behind, so that it takes so many places; a longer one as it is.

    >>> padded("套", 4)
    '套  '
    """
    return text + " " * (places - width(text))


def fitting(text: str, places: int) -> str:
    """It, cut so that it takes no more places; that it was cut is seen.

    >>> fitting("套房套房", 6), fitting("套房", 4)
    ('套房…', '套房')
    """
    if width(text) <= places:
        return text
    kept, taken = "", 0
    for character in text:
        taken += _places(character)
        if taken >= places:
            break
        kept += character
    return kept + "…"


def cut(text: str, most: int = 80) -> str:
    """A text on one line, cut with an ellipsis."""
    return fitting(spelled_out(" ".join(text.split())), most)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """A line for each row; all of them take the same places, and so does each column.

    >>> table([["n", "id"], ["套", "1"]])
    ['n   id', '套  1 ']
    """
    widest = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(padded(text, places) for text, places in zip(row, widest, strict=True))
        for row in rows
    ]


# The colours and weights that the commands print; black, concealed and moves are none of them.
_STYLES: Final = re.compile(r"(\x1b\[(?:[012]|22|3[1-6])?m)")
_MORE: Final = "── {} of {} lines; any key for more, q to stop ── "


class SpelledOut:
    """A text stream that writes what is not seen by its number, whoever prints to it.

    >>> import io
    >>> screen = SpelledOut(io.StringIO())
    >>> screen.write("\\x1b[32mgreen\\x1b[0m \\x1b[8mhidden") and screen.getvalue()
    '\\x1b[32mgreen\\x1b[0m ⟨U+001B⟩[8mhidden'
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write it; how many characters it had."""
        parts = _STYLES.split(text)
        shown = (part if at % 2 else spelled_out(part) for at, part in enumerate(parts))
        self._stream.write("".join(shown))
        return len(text)

    def over(self, text: str) -> None:
        """Write a line over the one that stands there: how far long work has come."""
        self._stream.write(f"\r{spelled_out(text)}")
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def shown_whole(lines: Sequence[str], *, err: bool = False, asks: bool = True) -> bool:
    """Print lines; whether all were shown. By screens where a question `asks` about them.

    Not by a pager of the environment's choice: that is where a text could be changed or cut.
    """
    screen, told = None, list(lines)
    if asks and not err and sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(OSError):  # what has no size has no screens
            screen = os.get_terminal_size(sys.stdout.fileno())  # whatever the environment says
            told = [part for line in lines for part in _folded(line, screen.columns or 80)]
    rows = screen.lines or 24 if screen else len(told) + 1
    if len(told) < rows:
        click.echo("\n".join(lines), err=err)
        return True
    step = max(rows - 2, 5)
    for at in range(0, len(told), step):
        click.echo("\n".join(told[at : at + step]))
        if at + step < len(told):
            click.echo(_MORE.format(at + step, len(told)), nl=False)
            key = click.getchar()
            click.echo()
            if key.lower() in {"q", "\x03", "\x04", "\x1b"}:
                return False
    return True


def _folded(line: str, columns: int) -> list[str]:
    """A line as the rows that it takes; a long one without its colour."""
    text = click.unstyle(line)
    if width(text) <= columns:
        return [line]
    step = columns // 2 if width(text) > len(text) else columns
    return [text[at : at + step] for at in range(0, len(text), step)]
