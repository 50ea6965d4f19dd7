"""The recording of `learnt demo` as one drawing, `docs/images/demo.svg`, from what a terminal got.

It shows a screen after the other. Where nothing may move, or nothing can, it is the first screen on
which the agent is given something. Colours follow the reader's choice of dark or light.
"""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import accumulate, groupby
from typing import Final

from tests.support.terminal import Terminal
from tools.set_up import ROOT

COLUMNS: Final = 100
ROWS: Final = 24
_START: Final = "import sys; from learnt.surfaces.cli.entry import main; sys.exit(main())"
_WIDE, _HIGH, _EDGE, _TOP = 8.4, 19, 18, 34  # a character, a line, and what is around them
# A select-graphic-rendition sequence is kept as a character that no text has, a style each.
_SGR: Final = re.compile(r"\x1b\[([0-9;]*)m")
_FIRST: Final = 0xE000
_STYLES: Final = {0: "", 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow", 34: "blue"} | {
    35: "magenta", 36: "cyan",
}  # fmt: skip
_READ: Final = (1.5, 0.22)  # seconds for a screen, and for a row of it
_STYLE: Final = """
svg { --back: #ffffff; --edge: #c8ccd4; --text: #24292f; --dim: #656d76; --red: #b3261e;
  --green: #1a6b35; --yellow: #7a5200; --blue: #0b57c2; --magenta: #8a2c9b; --cyan: #0b6377 }
@media (prefers-color-scheme: dark) {
  svg { --back: #16191f; --edge: #3b4250; --text: #dfe3ea; --dim: #9aa4b2; --red: #ff8a80;
    --green: #7ee2a0; --yellow: #f2cc60; --blue: #8ab4ff; --magenta: #e3a5f5; --cyan: #72d6e8 } }
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--text);
  white-space: pre }
.back, .cover { fill: var(--back) } .back { stroke: var(--edge) }
.bold { font-weight: bold } .dim { fill: var(--dim) } .red { fill: var(--red) }
.green { fill: var(--green) } .yellow { fill: var(--yellow) } .blue { fill: var(--blue) }
.magenta { fill: var(--magenta) } .cyan { fill: var(--cyan) }
.screen, .cover { visibility: hidden } .still { visibility: visible }
.cover { transform-box: fill-box; transform-origin: bottom }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A character on the screen with its style, as names of classes."""

    text: str
    style: str


Row = tuple[Letter, ...]


def played() -> str:
    """What a terminal gets of `learnt demo`, with its escape sequences.

    Raises:
        RuntimeError: the demo failed; what it printed last is in the message.

    """
    own = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    command = [sys.executable, "-c", _START, "demo"]
    with Terminal(command, env={**own, "TERM": "xterm-256color"}, cwd=ROOT) as terminal:
        if code := terminal.wait_for_exit(seconds=180):
            raise RuntimeError(f"learnt demo ended with {code}:\n{terminal.output[-2000:]}")
        return terminal.received


def marked(text: str) -> str:
    """The same with one character for each style.

    >>> marked("\\x1b[1mbold\\x1b[0m").encode("unicode_escape")
    b'\\\\ue001bold\\\\ue000'
    """
    return _SGR.sub(
        lambda found: "".join(chr(_FIRST + int(code or 0)) for code in found[1].split(";")), text
    )


def plain(text: str) -> str:
    """A marked text without its styles.

    >>> plain(marked("\\x1b[1mbold\\x1b[0m"))
    'bold'
    """
    return "".join(letter for letter in text if not _is_style(letter))


def _is_style(letter: str) -> bool:
    return _FIRST <= ord(letter) < _FIRST + 128


def _lines(text: str) -> Iterator[Row]:
    """Each row of the screen: a line that is too long goes on in the next, from a whole word."""
    styles: list[str] = []
    for line in text.split("\n"):
        row: list[Letter] = []
        for letter in line:
            if not _is_style(letter):
                row.append(Letter(text=letter, style=" ".join(styles)))
            elif name := _STYLES.get(ord(letter) - _FIRST, ""):
                styles.append(name)
            else:
                styles.clear()
        while len(row) > COLUMNS:
            blanks = [at for at in range(COLUMNS // 2, COLUMNS) if row[at].text == " "]
            end = blanks[-1] + 1 if blanks else COLUMNS
            yield tuple(row[:end])
            row = row[end:]
        yield tuple(row)


def _screens(rows: list[Row]) -> Iterator[list[Row]]:
    """The rows by chapters, each chapter on as many screens as it needs, under its title."""
    title: Row = ()
    screen: list[Row] = []
    for full, grouped in groupby(rows, key=bool):
        block = list(grouped)
        if not full:
            continue
        begins = "".join(letter.text for letter in block[0]).startswith("── ")
        if screen and (begins or len(screen) + 1 + len(block) > ROWS):
            yield screen
            screen = []
        if begins:
            title = block[0]
        elif not screen and title:
            screen = [title]
        screen += [*([()] if screen else []), *block]
        if len(screen) > ROWS:
            more = f"… ({len(screen) - ROWS + 1} more lines)"
            screen[ROWS - 1 :] = [tuple(Letter(text=letter, style="dim") for letter in more)]
    if screen:
        yield screen


def _row(row: Row, at: int) -> str:
    """A row as text of a known width, whatever the reader's font."""
    runs = [
        (style, "".join(letter.text for letter in letters))
        for style, letters in groupby(row, key=lambda letter: letter.style)
    ]
    spans = "".join(
        f'<tspan class="{style}">{escape(text, quote=False)}</tspan>'
        if style
        else escape(text, quote=False)
        for style, text in runs
    )
    place = f'x="{_EDGE}" y="{_TOP + at * _HIGH}"'
    return f'<text {place} textLength="{len(row) * _WIDE:.1f}" xml:space="preserve">{spans}</text>'


def _moves(screens: list[list[Row]]) -> str:
    """When each screen is seen, and how its rows appear one after the other."""
    lengths = [_READ[0] + _READ[1] * len(screen) for screen in screens]
    whole = sum(lengths)
    rules = [f".screen, .cover {{ animation: {whole:.1f}s step-end infinite }}"]
    for number, (end, length) in enumerate(zip(accumulate(lengths), lengths, strict=True)):
        rows = len(screens[number])
        start, shown, over = (
            f"{100 * moment / whole:.3f}%"
            for moment in (end - length, end - length + min(0.08 * rows, length / 2), end)
        )
        # The first screen is there at 0 %, and the last until 100 %.
        before = "0% { visibility: hidden } " if number else ""
        rules += [
            f"@keyframes s{number} {{ {before}{start} {{ visibility: visible }}"
            f" {over} {{ visibility: hidden }} }}",
            f"@keyframes c{number} {{ {before}{start} {{ visibility: visible; transform: scaleY(1);"
            f" animation-timing-function: steps({rows}) }}"
            f" {shown}, 100% {{ visibility: hidden; transform: scaleY(0) }} }}",
            *(f"#{part}{number} {{ animation-name: {part}{number} }}" for part in "sc"),
        ]
    moving = "\n".join(f"  {rule}" for rule in rules)
    return f"@media (prefers-reduced-motion: no-preference) {{\n{moving}\n}}\n"


def picture(text: str) -> str:
    """The drawing of a marked transcript."""
    screens = list(_screens(list(_lines(text))))
    green = [any("green" in letter.style for row in screen for letter in row) for screen in screens]
    still = green.index(True) if True in green else 0
    wide, high = COLUMNS * _WIDE + 2 * _EDGE, _TOP + ROWS * _HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" role="img">',
        "<title>learnt demo</title>",
        f"<style>{_STYLE}{_moves(screens)}</style>",
        f'<rect class="back" x="1" y="1" width="{wide - 2:.0f}" height="{high - 2}" rx="8"/>',
    ]
    for number, screen in enumerate(screens):
        seen = "screen still" if number == still else "screen"
        parts.append(f'<g id="s{number}" class="{seen}">')
        parts += [_row(row, at) for at, row in enumerate(screen) if row]
        area = f'x="4" y="{_TOP - _HIGH}" width="{wide - 8:.0f}" height="{len(screen) * _HIGH + 6}"'
        parts += ["</g>", f'<rect id="c{number}" class="cover" {area}/>']
    return "\n".join([*parts, "</svg>", ""])
