"""The print of a span, and the span found again by it: where it was, elsewhere, or nowhere.

A span is a file, lines of it, or a symbol: a function, a class, a setting, a heading, which simple
rules find.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from learnt.core.identifiers import keyed_hash
from learnt.core.knowledge.citations import Cited, Print
from learnt.core.knowledge.spans import texts

_BEGIN, _END = "\x02", "\x03"  # lines before the first and after the last
TELLING: Final = 12  # tokens by which a span is known for itself in a file of another name


class Text:
    """A file's text, read as lines at once and as tokens when asked."""

    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, between two marks: line 1 is at 1."""
        return [_BEGIN, *texts.clean(self.text).rstrip("\n").split("\n"), _END]

    @cached_property
    def tokens(self) -> texts.Tokens:
        """Its tokens."""
        return texts.read(self.text, self.path)

    def digest(self, key: bytes) -> str:
        """The digest of all of it."""
        return _digest(key, self.lines)

    @property
    def parsed(self) -> bool:
        """Whether it was read as tokens already."""
        return "tokens" in self.__dict__

    @cached_property
    def sums(self) -> list[int]:
        """Running sums of its tokens' checksums."""
        return texts.summed(self.tokens.words)

    @cached_property
    def line_sums(self) -> list[int]:
        """Running sums of its lines' checksums."""
        return texts.summed(self.lines)

    @cached_property
    def word_sums(self) -> list[int]:
        """Running sums of its words' checksums."""
        return texts.summed(texts.bare(self.text))

    def located(self, span: Cited) -> tuple[int, int] | None:
        """The lines of a span as the text is now; None where there is no such symbol or line."""
        count = len(self.lines) - 2
        if span.symbol:
            return extent(self.text, self.path, self.tokens, span.symbol)
        if not span.first:
            return 1, count
        return (span.first, span.last) if span.last <= count else None

    def reach(self, first: int, last: int, *, whole: bool) -> tuple[int, int]:
        """The lines by which a span is known as it is: of a whole one its neighbours as well."""

        def not_blank(at: int, step: int) -> int:
            while 0 < at < len(self.lines) - 1 and not self.lines[at].strip():
                at += step
            return max(0, min(at, len(self.lines) - 1))

        return (not_blank(first - 1, -1), not_blank(last + 1, 1)) if whole else (first, last)


def take(key: bytes, text: Text, span: Cited) -> tuple[int, int, Print] | None:
    """A span's lines and its print; None where it is not there, or holds no word."""
    place = text.located(span)
    if place is None:
        return None
    first, last = place
    start, end = text.tokens.within(first, last)
    if start == end:
        return None
    top, bottom = text.reach(first, last, whole=span.whole)
    words = texts.summed(texts.bare("\n".join(text.lines[first : last + 1])))
    was = Print(
        digest=_digest(key, text.tokens.words[start:end]),
        tokens=end - start,
        total=text.sums[end] - text.sums[start],
        raw=_digest(key, text.lines[top : bottom + 1]),
        lines=bottom + 1 - top,
        raw_total=text.line_sums[bottom + 1] - text.line_sums[top],
        words=len(words) - 1,
        word_total=words[-1],
        before=texts.checksum(text.tokens.word(start - 1)),
        after=texts.checksum(text.tokens.word(end)),
        file=text.digest(key),
    )
    copies = 1 if span.whole else sum(1 for _ in _windows(key, text, was))
    return first, last, replace(was, copies=max(1, copies))


def find(
    key: bytes, text: Text, span: Cited, was: Print, *, tokens: bool = True
) -> tuple[int, int] | None:
    """The lines where the span still says what it said, wherever in the text; None for nowhere.

    Without `tokens` its lines alone are compared, as they are: that is quick, and most files are
    as they were. A span that stood in its file more than once must still do so as often, else
    another copy would pass for it.
    """
    if _as_it_was(key, text, span, was):
        return span.first, span.last
    starts = _equal(text.line_sums, was.lines, was.raw_total)
    tops = [at for at in starts if _digest(key, text.lines[at : at + was.lines]) == was.raw]
    if len(tops) >= was.copies:
        top = _nearest(tops, span.first)
        beside = int(span.whole)  # a whole one's lines are known with their neighbours
        return top + beside, top + was.lines - 1 - beside
    if not tokens or lacks(text, was):
        return None
    if span.whole:
        place = text.located(span)
        start, end = text.tokens.within(*place) if place else (0, 0)
        equal = end - start == was.tokens
        return place if equal and _digest(key, text.tokens.words[start:end]) == was.digest else None
    windows = list(_windows(key, text, was))
    if len(windows) < was.copies:
        return None
    lines = text.tokens.lines
    places = {lines[at]: lines[at + was.tokens - 1] for at in windows}
    first = _nearest(places, span.first)
    return first, places[first]


def lacks(text: Text, was: Print) -> bool:
    """Whether the span's words stand nowhere in a row: that is told without reading tokens."""
    return was.words > 0 and next(_equal(text.word_sums, was.words, was.word_total), -1) < 0


def _nearest(places: Iterable[int], to: int) -> int:
    return min(places, key=lambda place: (abs(place - to), place))


def _as_it_was(key: bytes, text: Text, span: Cited, was: Print) -> bool:
    if not span.first or span.last + 1 >= len(text.lines):
        return False
    top, bottom = text.reach(span.first, span.last, whole=span.whole)
    return bottom + 1 - top == was.lines and _digest(key, text.lines[top : bottom + 1]) == was.raw


def _equal(sums: Sequence[int], count: int, total: int) -> Iterator[int]:
    """Where so many in a row add up to a total."""
    if count < 1:
        return
    ends = sums[count:]
    for at, (low, high) in enumerate(zip(sums, ends, strict=False)):
        if high - low == total:
            yield at


def _windows(key: bytes, text: Text, was: Print) -> Iterator[int]:
    """Where in the text the span's tokens stand, on their own or beside the neighbours they had."""
    tokens = text.tokens
    for at in _equal(text.sums, was.tokens, was.total):
        end = at + was.tokens
        if not (tokens.begins(at) or texts.checksum(tokens.word(at - 1)) == was.before):
            continue
        if not (tokens.ends(end) or texts.checksum(tokens.word(end)) == was.after):
            continue
        if _digest(key, tokens.words[at:end]) == was.digest:
            yield at


def _digest(key: bytes, parts: Sequence[str]) -> str:
    return keyed_hash(key, "span", "\x1f".join(parts))


_NAMED: Final = frozenset({"def", "class"})
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_SECTION: Final = re.compile(r"\s*\[+\s*(.+?)\s*\]+\s*(?:#.*)?$")
_WORDS_ONLY: Final = re.compile(r"[^\w]+")
_INTRODUCES: Final = (
    r"(?:function|class|interface|struct|enum|union|fn|func|def|type|trait|impl|module|namespace"
    r"|const|let|var|static|table|view|index|trigger|procedure|macro_rules!|define|sub|local"
    r"|if not exists)"
)
_LOOKED_AT: Final = 1_000  # characters of a line in which a name is introduced
_OPEN, _SHUT = frozenset("{(["), frozenset("})]")


def extent(text: str, path: str, tokens: texts.Tokens, symbol: str) -> tuple[int, int] | None:
    """The first and the last line of a symbol; None where there is none of the name.

    >>> from learnt.core.knowledge.spans.texts import read
    >>> said = "a = 1\\n\\ndef f(x):\\n    return x\\n\\nb = 2\\n"
    >>> extent(said, "a.py", read(said, "a.py"), "f")
    (3, 4)
    """
    suffix = texts.suffix_of(path)
    if suffix in {"py", "pyi"}:
        return _in_python(tokens, symbol.removesuffix("()").split("."))
    lines = [line[:_LOOKED_AT] for line in texts.clean(text).split("\n")]
    if suffix in texts.PROSE:
        return _section(lines, symbol)
    if suffix in texts.BY_LEVEL:
        return _by_indent(lines, symbol.split("."))
    if suffix in {"toml", "ini", "cfg"}:
        return _table(lines, symbol)
    return _by_brackets(lines, tokens, symbol.removesuffix("()"))


def _in_python(tokens: texts.Tokens, names: Sequence[str]) -> tuple[int, int] | None:
    """A definition with its decorators, or a name that is set, of a class where one is named."""
    words, starts, depth = tokens.words, list[tuple[int, int]](), 0
    for at, word in enumerate(words):
        depth += (word == texts.DEEPER) - (word == texts.HIGHER)
        if word in {texts.LINE, texts.OWN_LINES}:
            starts.append((depth, at + (word == texts.LINE)))
    starts.append((0, len(words)))
    first, low, high = 0, 0, len(starts) - 1
    for name in names:
        found = [
            n for n in range(low, high) if _names(words[starts[n][1] : starts[n][1] + 3], name)
        ]
        if not found:
            return None
        low = first = min(found, key=lambda n: starts[n][0])  # the outermost, then the first
        while first and words[starts[first - 1][1]] == "@":
            first -= 1
        high = next(n for n in range(low + 1, len(starts)) if starts[n][0] <= starts[low][0])
    last = starts[high][1] - 1
    while words[last] in texts.EDGES:
        last -= 1
    return tokens.lines[starts[first][1]], tokens.lines[last]


def _names(head: Sequence[str], name: str) -> bool:
    head = head[1:] if head[0] == "async" else head
    if head[0] in _NAMED:
        return head[1:2] == [name]
    return head[0] == name and head[1:2] in (["="], [":"])


def _section(lines: Sequence[str], symbol: str) -> tuple[int, int] | None:
    wanted, heading, fenced = _slug(symbol), None, False
    for number, line in enumerate(lines, 1):
        fenced ^= bool(_FENCE.match(line))
        match = None if fenced else _HEADING.match(line)
        if match is None:
            continue
        if heading is not None and len(match[1]) <= heading[1]:
            return heading[0], number - 1
        if heading is None and _slug(match[2]) == wanted:
            heading = number, len(match[1])
    return None if heading is None else (heading[0], len(lines))


def _slug(text: str) -> str:
    return _WORDS_ONLY.sub("-", text.casefold()).strip("-")


def _table(lines: Sequence[str], symbol: str) -> tuple[int, int] | None:
    """A section by its name in brackets, else a setting's line."""
    begun = 0
    for number, line in enumerate(lines, 1):
        match = _SECTION.match(line)
        if match and begun:
            return begun, number - 1
        if match and match[1] == symbol:
            begun = number
    if begun:
        return begun, len(lines)
    name = re.compile(rf"\s*{re.escape(symbol)}\s*[=:]")
    setting = next((number for number, line in enumerate(lines, 1) if name.match(line)), None)
    return None if setting is None else (setting, setting)


def _by_indent(lines: Sequence[str], names: Sequence[str]) -> tuple[int, int] | None:
    first, last = 1, len(lines)
    for name in names:
        key = re.compile(rf"(\s*(?:- )?)[\"']?{re.escape(name)}[\"']?\s*:")
        first = next((n for n in range(first, last + 1) if key.match(lines[n - 1])), 0)
        if not first:
            return None
        indent = _indent(lines[first - 1])
        end = first
        while end < last and (not lines[end].strip() or _indent(lines[end]) > indent):
            end += 1
        last = end
    return first, last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _by_brackets(lines: Sequence[str], tokens: texts.Tokens, symbol: str) -> tuple[int, int] | None:
    """From the line that introduces it to the end of the brackets that follow."""
    name = re.escape(symbol)
    edge = r"(?<![\w$-])", r"(?![\w$-])"
    ways = (
        rf"\b{_INTRODUCES}\s+[\"'`]?{edge[0]}{name}{edge[1]}",
        rf"^\s*(?:[\w$<>\[\]*&:]+\s+)*[*&]?{edge[0]}{name}{edge[1]}\s*(?:[=:(]|\{{)",
        rf"^\s*[^/\n]*{edge[0]}{name}{edge[1]}[^;]*\{{",
    )
    for way in ways:
        pattern = re.compile(way, re.IGNORECASE if way is ways[0] else 0)
        for number, line in enumerate(lines, 1):
            if pattern.search(line):
                return number, _closed(tokens, number)
    return None


def _closed(tokens: texts.Tokens, first: int) -> int:
    """The last line of what begins on a line, behind the brackets of arguments and of a body."""
    start, _ = tokens.within(first, first)
    depth, last = 0, first
    for at in range(start, len(tokens.words)):
        word, line = tokens.words[at], tokens.lines[at]
        if not depth and line > last and word not in _OPEN:
            return last
        last = line
        depth += (word in _OPEN) - (word in _SHUT)
        if not depth and word in {"}", ";"}:
            return last
    return last
