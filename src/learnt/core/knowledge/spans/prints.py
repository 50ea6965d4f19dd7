"""The print of a span, and the span found again by it: where it was, elsewhere, or nowhere."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from learnt.core.identifiers import keyed_hash
from learnt.core.knowledge.citations import Print
from learnt.core.knowledge.spans.symbols import extent
from learnt.core.knowledge.spans.texts import Tokens, bare, checksum, clean, read, summed
from learnt.core.records import Record

_BEGIN, _END = "\x02", "\x03"  # lines before the first and after the last
TELLING: Final = 12  # tokens by which a span is known for itself in a file of another name


class Span(Record):
    """What is cited of a file: all of it, a symbol, or lines, both ends in it."""

    symbol: str = ""
    first: int = 0
    last: int = 0

    @property
    def whole(self) -> bool:
        """Whether it ends where what it is does, not at given lines: what is added changes it."""
        return bool(self.symbol) or not self.first


class Text:
    """A file's text, read as lines at once and as tokens when asked."""

    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, between two marks: line 1 is at 1."""
        return [_BEGIN, *clean(self.text).rstrip("\n").split("\n"), _END]

    @cached_property
    def tokens(self) -> Tokens:
        """Its tokens."""
        return read(self.text, self.path)

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
        return summed(self.tokens.words)

    @cached_property
    def line_sums(self) -> list[int]:
        """Running sums of its lines' checksums."""
        return summed(self.lines)

    @cached_property
    def word_sums(self) -> list[int]:
        """Running sums of its words' checksums."""
        return summed(bare(self.text))

    def located(self, span: Span) -> tuple[int, int] | None:
        """The lines of a span as the text is now; None where there is no such symbol or line."""
        count = len(self.lines) - 2
        if span.symbol:
            return extent(self.text, self.path, self.tokens, span.symbol)
        if not span.first:
            return 1, count
        return (span.first, span.last) if span.last <= count else None

    def reach(self, first: int, last: int, *, whole: bool) -> tuple[int, int]:
        """The lines by which a span is known as it is: of a whole one its neighbours as well."""
        if not whole:
            return first, last
        return self._told(first - 1, -1), self._told(last + 1, 1)

    def _told(self, at: int, step: int) -> int:
        while 0 < at < len(self.lines) - 1 and not self.lines[at].strip():
            at += step
        return max(0, min(at, len(self.lines) - 1))


def take(key: bytes, text: Text, span: Span) -> tuple[int, int, Print] | None:
    """A span's lines and its print; None where it is not there, or holds no word."""
    place = text.located(span)
    if place is None:
        return None
    first, last = place
    start, end = text.tokens.within(first, last)
    if start == end:
        return None
    top, bottom = text.reach(first, last, whole=span.whole)
    words = summed(bare("\n".join(text.lines[first : last + 1])))
    was = Print(
        digest=_digest(key, text.tokens.words[start:end]),
        tokens=end - start,
        total=text.sums[end] - text.sums[start],
        raw=_digest(key, text.lines[top : bottom + 1]),
        lines=bottom + 1 - top,
        raw_total=text.line_sums[bottom + 1] - text.line_sums[top],
        words=len(words) - 1,
        word_total=words[-1],
        before=checksum(text.tokens.word(start - 1)),
        after=checksum(text.tokens.word(end)),
        file=text.digest(key),
    )
    copies = 1 if span.whole else sum(1 for _ in _windows(key, text, was))
    return first, last, replace(was, copies=max(1, copies))


def find(
    key: bytes, text: Text, span: Span, was: Print, *, tokens: bool = True
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
        return _whole(key, text, span, was)
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


def _whole(key: bytes, text: Text, span: Span, was: Print) -> tuple[int, int] | None:
    place = text.located(span)
    if place is None:
        return None
    start, end = text.tokens.within(*place)
    equal = end - start == was.tokens
    return place if equal and _digest(key, text.tokens.words[start:end]) == was.digest else None


def _as_it_was(key: bytes, text: Text, span: Span, was: Print) -> bool:
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
        if not (tokens.begins(at) or checksum(tokens.word(at - 1)) == was.before):
            continue
        if not (tokens.ends(end) or checksum(tokens.word(end)) == was.after):
            continue
        if _digest(key, tokens.words[at:end]) == was.digest:
            yield at


def _digest(key: bytes, parts: Sequence[str]) -> str:
    return keyed_hash(key, "span", "\x1f".join(parts))
