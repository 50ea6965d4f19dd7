"""What is cited: made at capture, and at recall looked at again, whether the file still says so."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from learnt.core.identifiers import ContentRef, ProjectId
from learnt.core.knowledge.citations import (
    MOST_CITED,
    CheckedCitation,
    Citation,
    Cited,
    Print,
    State,
    parse,
)
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.spans.prints import Span, Text, find, lacks, take, told_anywhere
from learnt.errors import Refused
from learnt.flows.knowledge.cited_texts import CitedTexts
from learnt.flows.sessions.locate import Place
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader, Writer

PATIENCE = 100_000  # characters read as tokens for one prompt: what is beyond is not checked
LINES, WORDS = 50, 5  # by how much quicker a text is read as lines, or as words alone
_NOTHING = "Nothing was captured."


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """A citation that resolved: its names, its lines as they are, and the print of its span."""

    cited: Cited
    first: int = 0
    last: int = 0
    print: Print | None = None


def texts_at(outside: Outside, place: Place | None) -> CitedTexts:
    """The files that may be cited at a place; none where there is no place."""
    return CitedTexts(outside.cited_files, None if place is None else str(place.facts.root))


def resolved(
    outside: Outside, notations: Iterable[str], place: Place | None, texts: CitedTexts
) -> list[Anchored]:
    """What an offer cites, as it is now in the `texts` at a place (None: everywhere).

    Reads and parses files, and may ask what a domain cites: not to be called inside a transaction.
    Raises Refused where a citation does not resolve, or there are too many.
    """
    given = list(dict.fromkeys(notations))
    if len(given) > MOST_CITED:
        raise Refused(f"An entry cites {MOST_CITED} places at most, not {len(given)}. {_NOTHING}")
    return [_resolved(outside, notation, place, texts) for notation in given]


class Anchors:
    """What an offer cites at a place: resolved when asked for, and anew once a file changed."""

    def __init__(self, outside: Outside, notations: Iterable[str], place: Place | None) -> None:
        self._outside, self._notations, self._place = outside, tuple(notations), place
        self._texts = texts_at(outside, place)
        self._resolved: tuple[Anchored, ...] | None = None

    def resolved(self) -> tuple[Anchored, ...]:
        """The citations as their files are now; Refused where one does not resolve."""
        if self._resolved is None or not self.hold():
            self._texts = texts_at(self._outside, self._place)
            found = resolved(self._outside, self._notations, self._place, self._texts)
            self._resolved = tuple(found)
            self._texts.release()
        return self._resolved

    def hold(self) -> bool:
        """Whether the files are still as they were when the citations were resolved."""
        return self._texts.hold()


def anchored(writer: Writer, citations: Iterable[Anchored]) -> tuple[Citation, ...]:
    """What an offer cites, as a payload may hold it: its names are contents."""
    return tuple(
        Citation(
            path=writer.keep("cited path", one.cited.path) if one.cited.path else None,
            symbol=writer.keep("cited symbol", one.cited.symbol) if one.cited.symbol else None,
            table=writer.keep("cited table", one.cited.table) if one.cited.table else None,
            first=one.first,
            last=one.last,
            commit=one.cited.commit,
            print=one.print,
        )
        for one in citations
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """A citation made anew; `moved_to` is the path where its file is now, empty where it was."""

    cite: Citation
    moved_to: str = ""


def renewed_in(writer: Writer, citations: Iterable[Renewed]) -> tuple[Citation, ...]:
    """Citations made anew, as a payload may hold them."""
    return tuple(
        replace(one.cite, path=writer.keep("cited path", one.moved_to))
        if one.moved_to
        else one.cite
        for one in citations
    )


def _resolved(outside: Outside, notation: str, place: Place | None, texts: CitedTexts) -> Anchored:
    cited = parse(notation, outside.language.commands)
    if cited is None:
        raise Refused(
            f"{notation[:200]!r} is no citation: a path below the project's root, as src/a.py, "
            f"src/a.py:10-20 or src/a.py#name, or table:name. {_NOTHING}"
        )
    if cited.table:
        return _table(outside, cited)
    if place is None:
        raise Refused(
            f"{cited.notation}: what holds for every project can't cite a project's file. Leave "
            f"out --everywhere, or the citation. {_NOTHING}"
        )
    inside = place.facts.place
    below_here = f"{inside}/{cited.path}" if inside else cited.path
    for path in dict.fromkeys((cited.path, below_here)):
        text = texts.text(path)
        if text is not None:
            return _of_text(outside, cited, text)
    raise Refused(
        f"{cited.notation}: the project has no such text file below its root (a link that leads "
        f"out of it, a folder and what is larger than 2 MB are none). {_NOTHING} Name a path from "
        "the project's root."
    )


def _of_text(outside: Outside, cited: Cited, text: Text) -> Anchored:
    span = Span(symbol=cited.symbol, first=cited.first, last=cited.last)
    found = take(outside.ledger.key, text, span)
    if found is None:
        what = f"symbol {cited.symbol}" if cited.symbol else "such lines, or no word in them"
        raise Refused(f"{cited.notation}: {text.path} has no {what}. {_NOTHING} Look it up anew.")
    first, last, said = found
    lines = (first, last) if span.symbol or span.first else (0, 0)
    return Anchored(cited=replace(cited, path=text.path), first=lines[0], last=lines[1], print=said)


def _table(outside: Outside, cited: Cited) -> Anchored:
    if outside.cited_things is None:
        return Anchored(cited=cited)
    digest = outside.cited_things.digest(cited.table)
    if digest is None:
        raise Refused(f"{cited.notation}: there is no such table. {_NOTHING}")
    return Anchored(cited=cited, print=_of_table(digest) if digest else None)


def _of_table(digest: str) -> Print:
    return Print(digest=digest, tokens=0, total=0, raw="", lines=0, raw_total=0)


class Checker:
    """Looks whether what entries cite is still what it was, each file once.

    `root` is that of a project whose knowledge the projects of `scopes` share: entries of others
    are not checked. `patience` bounds how many characters are read as tokens, or more of them as
    words or lines (None: no bound); what would go beyond is not checked.
    """

    def __init__(
        self,
        outside: Outside,
        reader: Reader,
        root: str | None,
        scopes: Collection[ProjectId],
        patience: int | None = None,
    ) -> None:
        self._outside, self._reader, self._root = outside, reader, root
        self._scopes, self._patience = scopes, patience
        self.texts = CitedTexts(outside.cited_files, root)

    def check(self, entry: Entry) -> tuple[CheckedCitation, ...]:
        """Each citation of an entry with its state; what was erased is left out."""
        named = ((cite, self.names(cite)) for cite in entry.cites)
        here = self._here(entry)
        return tuple(self._told(cite, cited, here) for cite, cited in named if cited is not None)

    def _here(self, entry: Entry) -> bool:
        return self._root is not None and entry.scope in self._scopes

    def names(self, cite: Citation) -> Cited | None:
        """The citation with its names; None once they were erased."""

        def text(ref: ContentRef | None) -> str | None:
            return "" if ref is None else self._reader.text(ref)

        path, symbol, table = text(cite.path), text(cite.symbol), text(cite.table)
        if path is None or symbol is None or table is None or not (path or table):
            return None
        return Cited(
            path=path,
            symbol=symbol,
            first=cite.first,
            last=cite.last,
            commit=cite.commit,
            table=table,
        )

    def _told(self, cite: Citation, cited: Cited, here: bool) -> CheckedCitation:
        notation = cited.notation
        if cited.table:
            return CheckedCitation(cites=notation, state=self._table(cite, cited.table))
        if not here or cite.print is None:
            return CheckedCitation(cites=notation, state=State.UNCHECKED)
        text = self.texts.text(cited.path)
        span = Span(symbol=cited.symbol, first=cited.first, last=cited.last)
        if text is None:
            now = self._elsewhere(cited.path, span, cite.print)
            state = State.UNCHECKED if now is None else State.FRESH if now else State.ORPHANED
            return CheckedCitation(cites=notation, state=state, now=now or None)
        return CheckedCitation(cites=notation, state=self._state(text, span, cite.print))

    def _table(self, cite: Citation, table: str) -> State:
        if self._outside.cited_things is None or cite.print is None:
            return State.UNCHECKED
        digest = self._outside.cited_things.digest(table)
        if digest is None:
            return State.ORPHANED
        if not digest:
            return State.UNCHECKED
        return State.FRESH if digest == cite.print.digest else State.DRIFTED

    def _state(self, text: Text, span: Span, said: Print) -> State:
        key = self._outside.ledger.key
        if not self._afford(len(text.text) // LINES):
            return State.UNCHECKED
        if find(key, text, span, said, tokens=False):
            return State.FRESH
        if not self._afford(len(text.text) // WORDS):
            return State.UNCHECKED
        if lacks(text, said):
            return State.DRIFTED
        if not self._afford(0 if text.parsed else len(text.text)):
            return State.UNCHECKED
        return State.FRESH if find(key, text, span, said) else State.DRIFTED

    def _afford(self, characters: int) -> bool:
        """Whether patience is left for so many."""
        if self._patience is None:
            return True
        enough = characters <= self._patience
        self._patience -= characters if enough else 0
        return enough

    def _elsewhere(self, was: str, span: Span, said: Print) -> str | None:
        """The file that one that is gone became: one that still holds the span; empty for none.

        None where patience did not reach to tell.
        """
        name = was.rpartition("/")[2]
        key = self._outside.ledger.key
        texts, skipped = [], False
        for path in self._outside.cited_files.alike(self._root or "", was):
            # Its name may be put before an agent, and anybody may have chosen it.
            fit = parse(path, self._outside.language.commands) is not None
            text = self.texts.text(path) if fit else None
            if text is None or not self._afford(len(text.text) // LINES):
                skipped = skipped or text is not None
                continue
            if text.digest(key) == said.file:
                return text.path
            texts.append(text)
        own = [text for text in texts if text.path.rpartition("/")[2] == name]
        for text in texts if told_anywhere(said, span) else own:
            if find(key, text, span, said, tokens=False):
                return text.path
        for text in own:
            state = self._state(text, span, said)
            if state is State.FRESH:
                return text.path
            skipped = skipped or state is State.UNCHECKED
        return None if skipped else ""

    def anew(self, entry: Entry) -> tuple[Renewed, ...]:
        """The entry's citations as their files are now: somebody found that it holds.

        A span that can't be found again is its symbol, else its old lines, else the whole file.
        What is gone stays as it was.
        """
        here = self._here(entry)
        return tuple(
            self._anew(cite) if here or cite.table else Renewed(cite=cite) for cite in entry.cites
        )

    def _anew(self, cite: Citation) -> Renewed:
        cited = self.names(cite)
        said, same = cite.print, Renewed(cite=cite)
        if cited is None:
            return same
        if cited.table:
            things = self._outside.cited_things
            digest = None if things is None else things.digest(cited.table)
            return Renewed(cite=replace(cite, print=_of_table(digest))) if digest else same
        if said is None:
            return same
        span = Span(symbol=cited.symbol, first=cited.first, last=cited.last)
        text = self.texts.text(cited.path)
        moved = "" if text else self._elsewhere(cited.path, span, said) or ""
        text = text or self.texts.text(moved)
        found = None if text is None else self._found_again(text, span, said)
        if found is None:
            return same
        now, new = found
        symbol = cite.symbol if now.symbol else None
        renewed = replace(cite, symbol=symbol, first=now.first, last=now.last, print=new)
        return Renewed(cite=renewed, moved_to=moved)

    def _found_again(self, text: Text, span: Span, said: Print) -> tuple[Span, Print] | None:
        key = self._outside.ledger.key
        lines = Span(first=span.first, last=span.last)
        place = None if span.whole else find(key, text, span, said)
        if place is not None:
            lines = Span(first=place[0], last=place[1])
        for asked in dict.fromkeys((span if span.symbol else lines, lines, Span())):
            found = take(key, text, asked)
            if found is not None:
                first, last, new = found
                now = asked if not (asked.symbol or asked.first) else (
                    Span(symbol=asked.symbol, first=first, last=last)
                )  # fmt: skip
                return now, new
        return None


def checker_at(
    outside: Outside, reader: Reader, place: Place | None, scopes: Collection[ProjectId]
) -> Checker:
    """What checks the citations of these projects' entries at a place."""
    return Checker(outside, reader, None if place is None else str(place.facts.root), scopes)


def looked_at(checker: Checker, entry: Entry, note: Note) -> Note:
    """A note with the entry's citations as they are now."""
    return replace(note, cites=checker.check(entry)) if entry.cites else note
