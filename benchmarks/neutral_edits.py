"""Edits that leave what a cited span says as it is: moves, layout, formatters, edits elsewhere.

As `mutations`, whose counterpart this is: written before what they measure.
"""

import io
import random  # noqa: TID251  # seeded: the same edits in every run
import re
import subprocess
import sys
import textwrap
import tokenize
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.mutations import OTHERS, PROSE, Mutation, Spot, tree

QUOTES_ALIKE: Final = {".py", ".js", ".ts", ".css", ".html"}
_UNRELATED: Final = {
    ".py": "def unrelated_{n}(left, right):\n    return left * {n} + right\n\n\n",
    ".js": "function unrelated{n}(left) {{\n  return left * {n};\n}}\n\n",
    ".ts": "function unrelated{n}(left) {{\n  return left * {n};\n}}\n\n",
    ".css": ".unrelated-{n} {{\n  margin: {n}px;\n}}\n\n",
    ".sql": "CREATE TABLE unrelated_{n} (id INTEGER);\n\n",
    ".html": "<p>Unrelated {n}</p>\n\n",
    ".yaml": "unrelated_{n}: {n}\n",
    ".toml": "[unrelated_{n}]\nvalue = {n}\n\n",
}


def above(spot: Spot, rng: random.Random) -> str | None:
    """Unrelated text before it."""
    said = _UNRELATED.get(spot.suffix, "Something unrelated, number {n}.\n\n")
    more = "".join(said.format(n=rng.randrange(10**6)) for _ in range(rng.randint(1, 9)))
    return more + spot.text


def below(spot: Spot, rng: random.Random) -> str | None:
    """Unrelated text after it."""
    said = _UNRELATED.get(spot.suffix, "Something unrelated, number {n}.\n\n")
    return spot.text.rstrip("\n") + "\n\n\n" + said.format(n=rng.randrange(10**6))


def elsewhere(spot: Spot, rng: random.Random) -> str | None:
    """Words changed outside the span, at three lines' distance at least."""
    lines = spot.lines
    far = [n for n in range(1, len(lines) + 1) if n < spot.first - 3 or n > spot.last + 3]
    far = [n for n in far if re.search(r"\b[a-z]{4,}\b", lines[n - 1])]
    if not far:
        return None
    n = rng.choice(far)
    lines[n - 1] = re.sub(r"\b[a-z]{4,}\b", rng.choice(OTHERS), lines[n - 1], count=1)
    return "".join(lines)


def windows_lines(spot: Spot, rng: random.Random) -> str | None:
    """Lines that end as on Windows."""
    return spot.text.replace("\n", "\r\n")


def trailing_space(spot: Spot, rng: random.Random) -> str | None:
    """Space at the ends of lines."""
    return re.sub(r"(?<!\\)\n", lambda m: " " * rng.randint(0, 3) + "\n", spot.text)


def blank_lines(spot: Spot, rng: random.Random) -> str | None:
    """Blank lines between statements, or blocks, of the span."""
    lines = spot.lines
    if spot.suffix == ".py":
        read = tokenize.generate_tokens(io.StringIO(spot.text).readline)
        ends = [t.end[0] for t in read if t.type == tokenize.NEWLINE]
    else:
        ends = list(range(1, len(lines)))
    inside = [n for n in ends if spot.first <= n < spot.last]
    if not inside:
        return None
    lines.insert(rng.choice(inside), "\n")
    return "".join(lines)


def deeper(spot: Spot, rng: random.Random) -> str | None:
    """The whole text one level deeper, under a new head."""
    if spot.suffix in PROSE | {".yaml", ".toml"}:
        return None
    head = {".py": "if READY:\n", ".js": "if (ready) {\n", ".ts": "if (ready) {\n"}.get(
        spot.suffix, ""
    )
    tail = "}\n" if spot.suffix in {".js", ".ts"} else ""
    new = head + textwrap.indent(spot.text, rng.choice(["    ", "\t", "  "])) + tail
    if spot.suffix == ".py" and tree(new) is None:
        return None
    return new


def other_width(spot: Spot, rng: random.Random) -> str | None:
    """Indented by another width, or by tabs."""
    if spot.suffix in PROSE:
        return None
    unit = rng.choice(["  ", "\t", "   "]) if spot.suffix != ".yaml" else "    "
    step = 2 if spot.suffix in {".js", ".ts", ".css", ".yaml"} else 4

    def wider(match: re.Match[str]) -> str:
        return unit * (len(match[0]) // step) + " " * (len(match[0]) % step)

    new = re.sub(r"^ +", wider, spot.text, flags=re.MULTILINE)
    return new if spot.suffix != ".py" or tree(new) is not None else None


def quotes(spot: Spot, rng: random.Random) -> str | None:
    """The other quotes, where the language takes both for the same."""
    if spot.suffix not in QUOTES_ALIKE:
        return None
    if spot.suffix == ".py":
        read = list(tokenize.generate_tokens(io.StringIO(spot.text).readline))
        lines = spot.lines
        simple = re.compile(r"[a-zA-Z]?(?:'[^'\"\\\n]*'|\"[^'\"\\\n]*\")")
        plain = [t for t in read if t.type == tokenize.STRING
                 and simple.fullmatch(t.string)]  # fmt: skip
        for t in reversed(plain):
            row, start = t.start
            held = t.string
            swap = held.translate(str.maketrans("'\"", "\"'"))
            lines[row - 1] = lines[row - 1][:start] + swap + lines[row - 1][t.end[1] :]
        return "".join(lines) if plain else None
    inside = r"(?<![\w'\"\\])'([^'\"\\\n<>`]*)'(?![\w'])" if rng.random() < 0.5 else (
        r"(?<![\w'\"\\])\"([^'\"\\\n<>`]*)\"(?![\w\"])")  # fmt: skip
    mark = '"' if inside.startswith("(?<![\\w'\\\"\\\\])'") else "'"
    return re.sub(inside, lambda m: mark + m[1] + mark, spot.text)


def commas(spot: Spot, rng: random.Random) -> str | None:
    """A comma after the last item of a bracket that ends on a line of its own, or none."""
    if spot.suffix == ".py":
        new = re.sub(r"([\w\"')\]}])(\n\s*[)\]}])", r"\1,\2", spot.text)
        if new == spot.text or tree(new) != tree(spot.text):
            new = re.sub(r",(\n\s*[)\]}])", r"\1", spot.text)
        return new if new != spot.text and tree(new) == tree(spot.text) else None
    if spot.suffix in {".js", ".ts"}:
        return re.sub(r"([\w\"'])(\n\s*[\]])", r"\1,\2", spot.text)
    return None


def wrapped(spot: Spot, rng: random.Random) -> str | None:
    """Other line breaks: in Python and scripts after commas in brackets; prose by its words."""
    if spot.suffix in PROSE:
        return "\n\n".join(map(_rewrapped, re.split(r"\n\s*\n", spot.text)))
    if spot.suffix == ".py":
        lines = spot.lines
        read = list(tokenize.generate_tokens(io.StringIO(spot.text).readline))
        depth, places = 0, []
        for t in read:
            if t.type == tokenize.OP:
                depth += (t.string in "([{") - (t.string in ")]}")
                if t.string == "," and depth and spot.first <= t.start[0] <= spot.last:
                    places.append(t.end)
        for row, column in reversed(places):
            held = lines[row - 1]
            if held[column:].strip() and not held[column:].lstrip().startswith("#"):
                lines[row - 1] = held[:column] + "\n" + " " * rng.randint(0, 9) + held[column:]
        new = "".join(lines)
        return new if places and tree(new) == tree(spot.text) else None
    if spot.suffix in {".js", ".ts", ".css"}:
        return spot.having(re.sub(r", (?=\w+[,)])", ",\n      ", spot.span))
    if spot.suffix == ".sql":
        return spot.having(re.sub(r", ", ",\n  ", spot.span))
    return None


def _rewrapped(block: str) -> str:
    plain = all(re.match(r"[A-Za-z(]", line) for line in block.split("\n"))
    if not plain or "\n" not in block:
        return block
    return textwrap.fill(" ".join(block.split()), 57, break_long_words=False,
                         break_on_hyphens=False)  # fmt: skip


def joined(spot: Spot, rng: random.Random) -> str | None:
    """Line breaks within brackets taken out, where no comment stands."""
    if spot.suffix != ".py":
        return None
    new = re.sub(r"(?<=[(\[{,])[ \t]*\n\s*(?=[\w\"'])", " ", spot.text)
    return new if new != spot.text and tree(new) == tree(spot.text) else None


def formatter(*settings: str) -> Mutation:
    """A real formatter over the whole file."""

    def formatted(spot: Spot, rng: random.Random) -> str | None:
        if spot.suffix != ".py":
            return None
        ruff = Path(sys.executable).parent / "ruff"
        given = [part for setting in settings for part in ("--config", setting)]
        command = [str(ruff), "format", "--isolated", "-n", *given, "--stdin-filename", "a.py", "-"]
        done = subprocess.run(
            command, input=spot.text, capture_output=True, text=True, encoding="utf-8", check=False
        )
        return done.stdout if done.returncode == 0 and done.stdout else None

    return formatted


NEUTRAL: Final[Mapping[str, Mutation]] = {
    "moved down": above, "text below": below, "changes elsewhere": elsewhere,
    "CRLF": windows_lines, "trailing space": trailing_space, "blank lines": blank_lines,
    "one level deeper": deeper, "another indentation": other_width, "other quotes": quotes,
    "trailing commas": commas, "other line breaks": wrapped, "lines joined": joined,
    "ruff format": formatter(), "ruff format, narrow": formatter("line-length=50"),
    "ruff format, wide": formatter("line-length=200", 'format.quote-style="single"'),
    "ruff format, tabs": formatter('format.indent-style="tab"', "line-length=79"),
}  # fmt: skip
# What is a change to whoever cites the whole file.
OUTSIDE: Final = frozenset({"moved down", "text below", "changes elsewhere", "one level deeper"})
MOVES: Final[Sequence[str]] = ("file renamed", "file moved", "file moved and edited elsewhere")
