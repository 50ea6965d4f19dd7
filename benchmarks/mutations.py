"""Mutations of a cited span that change what it says (`REAL`), and edits that do not (`NEUTRAL`).

Written before what they measure, and by other means: Python is read by its own tokenizer and
parser, everything else line by line. Neutral are moves, layout, formatters, edits elsewhere. Each
gives the whole new text, or None where the span has nothing for it.
"""

import ast
import io
import itertools
import random  # noqa: TID251  # seeded: the same mutations in every run
import re
import subprocess
import sys
import textwrap
import tokenize
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROSE: Final = {".md", ".rst", ".txt"}
OTHERS: Final = ("quantity", "walrus", "lantern", "granite", "meadow")
_FLIPS: Final = {
    "==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<", "+": "-", "-": "+",
    "*": "//", "and": "or", "or": "and", "in": "is", "is": "==", "&&": "||", "||": "&&",
    "===": "!==", "!==": "===", "%": "*", "&": "|", "|": "&",
}  # fmt: skip
_KEYWORDS: Final = frozenset({
    "if", "else", "elif", "for", "while", "return", "def", "class", "import", "from", "try",
    "except", "finally", "with", "as", "in", "is", "not", "and", "or", "None", "True", "False",
    "pass", "break", "continue", "raise", "yield", "lambda", "del", "global", "nonlocal", "assert",
    "async", "await", "function", "const", "let", "var", "new", "case", "switch", "default",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A span in a text: its lines, from 1, both ends in it, and the file's suffix."""

    text: str
    first: int
    last: int
    suffix: str

    @property
    def lines(self) -> list[str]:
        """All lines of the text, with their ends."""
        return self.text.splitlines(keepends=True)

    @property
    def span(self) -> str:
        """The lines of the span."""
        return "".join(self.lines[self.first - 1 : self.last])

    def having(self, span: str) -> str:
        """The text with another span in its place."""
        lines = self.lines
        return "".join([*lines[: self.first - 1], span, *lines[self.last :]])


Mutation = Callable[[Spot, random.Random], str | None]


def _python_tokens(spot: Spot) -> list[tokenize.TokenInfo]:
    """The tokens that begin and end in a span."""
    read = tokenize.generate_tokens(io.StringIO(spot.text).readline)
    return [t for t in read if spot.first <= t.start[0] and t.end[0] <= spot.last]


def _put(spot: Spot, token: tokenize.TokenInfo, new: str) -> str | None:
    (row, start), (end_row, end) = token.start, token.end
    if row != end_row:
        return None
    lines = spot.lines
    lines[row - 1] = lines[row - 1][:start] + new + lines[row - 1][end:]
    return "".join(lines)


def _one_of(
    spot: Spot, rng: random.Random, kinds: set[int], pattern: str, fits: Callable[[str], bool]
) -> tuple[str, Callable[[str], str | None]] | None:
    """A random place in the span: what stands there, and what puts another in its place."""
    if spot.suffix == ".py":
        tokens = [t for t in _python_tokens(spot) if t.type in kinds and fits(t.string)]
        if not tokens:
            return None
        token = rng.choice(tokens)
        return token.string, lambda new: _put(spot, token, new)
    span = spot.span
    found = [m for m in re.finditer(pattern, span) if fits(m[0])]
    if not found:
        return None
    match = rng.choice(found)
    return match[0], lambda new: spot.having(span[: match.start()] + new + span[match.end() :])


def _rematched(
    spot: Spot,
    rng: random.Random,
    pattern: str,
    new: Callable[[re.Match[str]], str],
    group: int = 0,
) -> str | None:
    """Another text in the place of one random match in the span, or of a group of it."""
    found = list(re.finditer(pattern, span := spot.span))
    if not found:
        return None
    match = rng.choice(found)
    return spot.having(span[: match.start(group)] + new(match) + span[match.end(group) :])


def number(spot: Spot, rng: random.Random) -> str | None:
    """Another number."""
    found = _one_of(spot, rng, {tokenize.NUMBER}, r"(?<![\w.])\d+(?![\w.])", lambda text: True)
    if found is None:
        return None
    held, put = found
    return put(f"{held[:-1]}{(int(held[-1]) + 1 + rng.randrange(8)) % 10}"
               if held[-1].isdigit() else held + "1")  # fmt: skip


def name(spot: Spot, rng: random.Random) -> str | None:
    """Another name, or the same with a letter more or less."""

    def fits(text: str) -> bool:
        return text not in _KEYWORDS and len(text) > 1 and not text[0].isdigit()

    found = _one_of(spot, rng, {tokenize.NAME}, r"\b[A-Za-z_]\w+\b", fits)
    if found is None:
        return None
    held, put = found
    return put(rng.choice([held + "s", "_" + held, held[:-1] + ("x" if held[-1] != "x" else "y"),
                           rng.choice(OTHERS)]))  # fmt: skip


def operator(spot: Spot, rng: random.Random) -> str | None:
    """Another operator."""
    if spot.suffix in PROSE:
        return None
    pattern = r"(?<=\s)(?:[=!]==?|<=|>=|&&|\|\||[<>+*%-])(?=\s)"
    kinds = {tokenize.OP, tokenize.NAME}
    found = _one_of(spot, rng, kinds, pattern, lambda text: text in _FLIPS)
    if found is None:
        return None
    return found[1](_FLIPS[found[0]])


def negation(spot: Spot, rng: random.Random) -> str | None:
    """A condition negated, or a negation gone."""
    pattern = r"\b(?:not|never|is|are|if|can|must|will)\b(?! not)" if spot.suffix != ".js" else r"!"
    gone = {"not", "never", "!"}
    return _rematched(spot, rng, pattern, lambda m: "" if m[0] in gone else f"{m[0]} not")


def _worded(spot: Spot, *, inner: bool = False) -> list[int]:
    """The numbers of the span's lines that hold a word; `inner` without the last."""
    lines = spot.lines
    last = spot.last - 1 if inner else spot.last
    return [n for n in range(spot.first, last + 1) if re.search(r"\w", lines[n - 1])]


def line_gone(spot: Spot, rng: random.Random) -> str | None:
    """A line dropped."""
    numbers = _worded(spot)
    if len(numbers) < 2:
        return None
    lines = spot.lines
    del lines[rng.choice(numbers) - 1]
    return "".join(lines)


def line_more(spot: Spot, rng: random.Random) -> str | None:
    """A line added between two lines of the span."""
    numbers = _worded(spot, inner=True)
    if not numbers:
        return None
    lines = spot.lines
    at = rng.choice(numbers)
    held = lines[at]
    indent = held[: len(held) - len(held.lstrip())].strip("\n")
    said = "Mind the walrus, too." if spot.suffix in PROSE else "mind(walrus)"
    lines.insert(at, f"{indent}{said}\n")
    return "".join(lines)


def string(spot: Spot, rng: random.Random) -> str | None:
    """Another word in a string."""
    if spot.suffix in PROSE:
        return None
    pattern = r"\"[^\"\n]*\w[^\"\n]*\"|(?<!\w)'[^'\n]*\w[^'\n]*'"
    found = _one_of(
        spot, rng, {tokenize.STRING}, pattern, lambda text: bool(re.search(r"\w", text))
    )
    if found is None:
        return None
    held, put = found
    inside = [m for m in re.finditer(r"\w+", held) if m.start() > 1 and held[m.start() - 1] != "\\"]
    if not inside:
        return None
    match = rng.choice(inside)
    return put(held[: match.start()] + rng.choice(OTHERS) + held[match.end() :])


def swapped(spot: Spot, rng: random.Random) -> str | None:
    """Two lines of the span change places."""
    lines = spot.lines
    pairs = [
        n
        for n in range(spot.first, spot.last)
        if re.search(r"\w", lines[n - 1])
        and re.search(r"\w", lines[n])
        and re.findall(r"\w+", lines[n - 1]) != re.findall(r"\w+", lines[n])
        and lines[n].endswith("\n")
    ]
    if not pairs:
        return None
    n = rng.choice(pairs)
    lines[n - 1], lines[n] = lines[n], lines[n - 1]
    return "".join(lines)


def default(spot: Spot, rng: random.Random) -> str | None:
    """Another default or setting."""
    other = {"None": "0", "True": "False", "False": "True", "true": "false", "false": "true"}
    pattern = r"\b\w+ ?[=:] ?(None|True|False|true|false|\d+)\b"
    return _rematched(spot, rng, pattern, lambda m: other.get(m[1]) or str(int(m[1]) + 7), 1)


def other_block(spot: Spot, rng: random.Random) -> str | None:
    """A statement put into another block by its indentation alone, where that still parses."""
    if spot.suffix != ".py":
        return None
    lines = spot.lines
    tokens = list(tokenize.generate_tokens(io.StringIO(spot.text).readline))
    fresh = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT}
    starts = [
        t.start[0]
        for before, t in itertools.pairwise(tokens)
        if before.type in fresh and t.type not in fresh and t.start[1] and t.type != tokenize.STRING
        if spot.first < t.start[0] <= spot.last
    ]
    rng.shuffle(starts)
    whole = tree(spot.text)
    for n in starts[:6]:
        moved = [*lines]
        moved[n - 1] = lines[n - 1][4:] if rng.random() < 0.7 else "    " + lines[n - 1]
        now = tree("".join(moved))
        if now and now != whole and lines[n - 1].startswith("    "):
            return "".join(moved)
    return None


def word(spot: Spot, rng: random.Random) -> str | None:
    """Another word in prose or in a comment."""
    if spot.suffix in PROSE:
        return _rematched(spot, rng, r"\b[a-z]{3,}\b", lambda _: rng.choice(OTHERS))
    if spot.suffix == ".py":
        comments = [t for t in _python_tokens(spot) if t.type == tokenize.COMMENT]
        if not comments:
            return None
        token = rng.choice(comments)
        words = [m for m in re.finditer(r"\b[A-Za-z]{2,}\b", token.string)]
        if not words:
            return None
        match = rng.choice(words)
        new = token.string[: match.start()] + rng.choice(OTHERS) + token.string[match.end() :]
        return _put(spot, token, new)
    span = spot.span
    parts = re.finditer(r"(?://|/\*|--|^\s*#)[^\n]*", span, re.MULTILINE)
    found = [w for m in parts for w in re.finditer(r"\b[A-Za-z]{2,}\b", span[: m.end()])
             if w.start() > m.start()]  # fmt: skip
    if not found:
        return None
    match = rng.choice(found)
    return spot.having(span[: match.start()] + rng.choice(OTHERS) + span[match.end() :])


def commented_out(spot: Spot, rng: random.Random) -> str | None:
    """A line made a comment."""
    marker = {".py": "# ", ".js": "// ", ".ts": "// ", ".sql": "-- ", ".yaml": "# ", ".toml": "# "}
    if spot.suffix not in marker:
        return None
    lines = spot.lines
    code = [n for n in _worded(spot) if not lines[n - 1].lstrip().startswith(("#", "/", "*", "--"))]
    if spot.suffix == ".py":
        starts = {t.start[0] for t in _python_tokens(spot) if t.type == tokenize.NAME}
        code = [n for n in code if n in starts]
    if not code:
        return None
    n = rng.choice(code)
    held = lines[n - 1]
    indent = held[: len(held) - len(held.lstrip())]
    lines[n - 1] = indent + marker[spot.suffix] + held.lstrip()
    return "".join(lines)


REAL: Final[Mapping[str, Mutation]] = {
    "another number": number, "another name": name, "another operator": operator,
    "negated": negation, "a line gone": line_gone, "a line more": line_more,
    "another string": string, "lines swapped": swapped, "another default": default,
    "another block": other_block, "another word": word, "commented out": commented_out,
}  # fmt: skip


def tree(text: str) -> str | None:
    """What Python takes a text for; None where it does not parse."""
    try:
        return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return None


def changes_meaning(spot: Spot, new: str) -> bool:
    """Whether a mutation that was meant to be real is: in Python the trees or comments differ."""
    if spot.suffix != ".py":
        return re.findall(r"\w+|[^\w\s]", new) != re.findall(r"\w+|[^\w\s]", spot.text)
    before, after = tree(spot.text), tree(new)
    return (
        before is None or after is None or before != after or _comments(spot.text) != _comments(new)
    )


def _comments(text: str) -> list[str]:
    try:
        read = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    return [word for t in read if t.type == tokenize.COMMENT for word in t.string.split()]


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
