"""What an entry cites: a span of a file, a symbol in it, or a table; and whether it still says so.

A payload holds references to the names and, of the span, keyed digests and counts: no text.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Final

from learnt.core import safety
from learnt.core.address import Address
from learnt.core.identifiers import ContentRef
from learnt.core.knowledge.confidence import Trust, trust
from learnt.core.records import ALWAYS, INLINE, Record
from learnt.core.visible_text import hidden

MOST_CITED: Final = 8
LONGEST_NOTATION: Final = 500
_NOTATION = re.compile(
    r"(?P<path>[^#:]+?)(?:#(?P<symbol>[^:]+?)|:(?P<first>\d{1,7})(?:-(?P<last>\d{1,7}))?)?"
    r"(?:@(?P<commit>[0-9a-f]{7,40}))?"
)
_TABLE = "table:"


class CitationState(StrEnum):
    """How what is cited stands to what it was; the worst comes last."""

    FRESH = "fresh"
    UNCHECKED = "not checked"
    DRIFTED = "drifted"
    ORPHANED = "orphaned"


_BY_BADNESS: Final = tuple(CitationState)


class Print(Record):
    """What is known of a span's words without holding them.

    `digest` is that of its tokens, `tokens` how many, `total` the sum of their checksums, by which
    it is found again in one pass; `raw`, `lines` and `raw_total` the same for its lines as they
    are, which is quicker; `words` and `word_total` for its words, without which it is nowhere.
    `copies` is how often it stood in its file; `before` and `after` are the checksums of its
    neighbours; `file` is the digest of all of its file.
    """

    digest: str
    tokens: int = 0
    total: int = 0
    raw: str = ""
    lines: int = 0
    raw_total: int = 0
    words: int = 0
    word_total: int = 0
    copies: Annotated[int, ALWAYS] = 1
    before: int = 0
    after: int = 0
    file: str = ""


class Cited(Record):
    """What a notation names: a file (all of it, a symbol, or lines), or a table.

    Once it is resolved it has the `print` of its span, and the lines of a symbol.
    """

    path: str = ""
    symbol: str = ""
    first: int = 0
    last: int = 0
    commit: str = ""
    table: str = ""
    print: Print | None = None

    @property
    def whole(self) -> bool:
        """Whether it ends where what it is does, not at fixed lines: what is added changes it."""
        return bool(self.symbol) or not self.first

    @property
    def notation(self) -> str:
        """As a person writes it.

        >>> Cited(path="a.py", first=3, last=3).notation, Cited(table="orders").notation
        ('a.py:3', 'table:orders')
        """
        if self.table:
            return _TABLE + self.table
        span = f":{self.first}" + (f"-{self.last}" if self.last > self.first else "")
        where = f"#{self.symbol}" if self.symbol else span if self.first else ""
        return self.path + where + (f"@{self.commit}" if self.commit else "")


def parse(notation: str, address: Address) -> Cited | None:
    """What a person's notation names; None for what is none, or no plain path below a root.

    >>> parse("src/a.py:10-20", Address.NONE) == Cited(path="src/a.py", first=10, last=20)
    True
    """
    text = notation.strip().removeprefix("./")
    plain = len(text) <= LONGEST_NOTATION and text.isprintable() and not hidden(text)
    if not plain or address is Address.ORDER or safety.redact_secrets(text)[1]:
        return None
    if text.startswith(_TABLE):
        name = text.removeprefix(_TABLE).strip()
        return Cited(table=name) if name else None
    match = _NOTATION.fullmatch(text)
    if match is None or not below(match["path"]):
        return None
    first = int(match["first"] or 0)
    last = int(match["last"] or first)
    if last < first or (match["first"] and not first):
        return None
    return Cited(
        path=match["path"],
        symbol=(match["symbol"] or "").strip(),
        first=first,
        last=last,
        commit=match["commit"] or "",
    )


def below(path: str) -> bool:
    """Whether a path with slashes leads below a root, by its words alone.

    >>> below("src/a.py"), below("../a.py"), below("/a.py"), below("a//b"), below("C:\\\\a")
    (True, False, False, False, False)
    """
    parts = path.split("/")
    return not any(part in {"", ".", ".."} for part in parts) and "\\" not in path


class Citation(Record):
    """A citation as an entry holds it: names as references, lines as they were, the span's print.

    A table has a `table`; what it said is `print.digest`, where anybody could tell.
    """

    path: ContentRef | None = None
    symbol: ContentRef | None = None
    table: ContentRef | None = None
    first: int = 0
    last: int = 0
    commit: str = ""
    print: Annotated[Print | None, INLINE] = None

    @property
    def refs(self) -> tuple[ContentRef, ...]:
        """Every content reference it holds."""
        return tuple(ref for ref in (self.path, self.symbol, self.table) if ref)

    @property
    def names(self) -> tuple[ContentRef | None, ContentRef | None, ContentRef | None, int]:
        """What two citations of the same thing share."""
        lines = 0 if self.symbol else self.first
        return self.path, self.symbol, self.table, lines


class CheckedCitation(Record):
    """A citation, checked: what it `cites`, its state, and where that is now if elsewhere."""

    cites: str
    state: CitationState
    now: str | None = None

    @property
    def stale(self) -> bool:
        """Whether what it cites is no longer what it was."""
        return self.state in {CitationState.DRIFTED, CitationState.ORPHANED}


def worst(checked: Iterable[CheckedCitation]) -> CitationState:
    """The state of a whole entry: that of its worst citation.

    >>> worst([])
    <CitationState.FRESH: 'fresh'>
    """
    return max(
        (citation.state for citation in checked), key=_BY_BADNESS.index, default=CitationState.FRESH
    )


def trusted(
    level: float | None,
    checked: Iterable[CheckedCitation],
    *,
    doubted: bool = False,
    marked: bool = False,
) -> str:
    """How far an entry can be trusted, in a word: what drifted, or is `doubted`, at most VERIFY.

    Doubted is what is in dispute, and what an agent picked and nobody confirmed. A candidate that
    its person `marked` is to be verified.

    >>> drifted = CheckedCitation(cites="a.py", state=CitationState.DRIFTED)
    >>> trusted(0.9, []), trusted(0.9, [drifted]), trusted(0.4, [drifted]), trusted(None, [drifted])
    ('TRUST', 'VERIFY', 'REVALIDATE', 'UNPROVEN')
    """
    if level is None:
        return str(Trust.VERIFY) if marked else "UNPROVEN"
    by_level = trust(level)
    doubted = doubted or any(citation.stale for citation in checked)
    return str(Trust.VERIFY if by_level is Trust.TRUST and doubted else by_level)


def joined(
    citations: Iterable[Citation], more: Iterable[Citation], *, firm: bool
) -> tuple[Citation, ...]:
    """Citations with others added; where both cite the same, a firm witness's are newer."""
    by_names = {cite.names: cite for cite in citations}
    by_names |= {cite.names: cite for cite in more if firm or cite.names not in by_names}
    return tuple(by_names.values())[:MOST_CITED]
