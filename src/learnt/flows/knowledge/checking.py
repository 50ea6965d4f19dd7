"""What entries cite: resolved when they are kept, looked up again when they are recalled."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice

from msgspec.structs import replace

from learnt.core.digest.steps import Change
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.citations import (
    MOST_CITED,
    CheckedCitation,
    Citation,
    CitationState,
    Cited,
    Print,
    parse,
)
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.spans.prints import TELLING, Text, lacks, take
from learnt.core.knowledge.spans.prints import find as find_span
from learnt.core.safety import owned
from learnt.errors import NotFound, Refused
from learnt.flows.governance.outdated import left_behind, outdated
from learnt.flows.recall.search import entry_of, note_of, suspicions_of
from learnt.flows.sessions.locate import Place, find, look
from learnt.flows.stored import kept
from learnt.formats.answers import filled
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader, Writer

MOST_CHANGES = 2  # of a lesson's changes, the last ones
_NOTHING = "Nothing was captured."


class CitedTexts:
    """The texts of the files at a place, each read once; None: there is no place, and no file."""

    def __init__(self, outside: Outside, place: Place | None) -> None:
        self._files, self._root = outside.cited_files, place.root if place else None
        self._texts: dict[str, Text | None] = {}
        self._stamps: dict[str, str | None] = {}

    def text(self, path: str) -> Text | None:
        """A file's text; None where no plain text is there."""
        if not path or self._root is None:
            return None
        if path not in self._texts:
            # First the stamp: what is written while the file is read shows afterwards.
            self._stamps[path] = self._files.stamp(self._root, path)
            characters = self._files.read(self._root, path)
            self._texts[path] = None if characters is None else Text(characters, path)
        return self._texts[path]

    def hold(self) -> bool:
        """Whether no file that was read was written, made or removed since."""
        root, stamps = self._root or "", self._stamps.items()
        return all(self._files.stamp(root, path) == stamp for path, stamp in stamps)

    def release(self) -> None:
        """Let go of the parsed texts, which are millions of objects; `hold` still works."""
        self._texts.clear()


class Anchors:
    """What an offer cites at a place (None: everywhere) now; only `hold` fits in a transaction."""

    def __init__(self, outside: Outside, notations: Iterable[str], place: Place | None) -> None:
        self._outside, self._place = outside, place
        self._notations = tuple(dict.fromkeys(notations))
        self._texts = CitedTexts(outside, place)
        self._resolved: tuple[Cited, ...] | None = None

    def resolved(self) -> tuple[Cited, ...]:
        """The citations, resolved again where a file changed. Raises Refused for a bad one."""
        count = len(self._notations)
        if count > MOST_CITED:
            raise Refused(f"An entry cites {MOST_CITED} places at most, not {count}. {_NOTHING}")
        if self._resolved is None or not self.hold():
            self._texts = texts = CitedTexts(self._outside, self._place)
            self._resolved = tuple(
                _resolve(self._outside, notation, self._place, texts)
                for notation in self._notations
            )
            texts.release()
        return self._resolved

    def hold(self) -> bool:
        """Whether the files are still as they were when the citations were resolved."""
        return self._texts.hold()


def anchored(writer: Writer, citations: Iterable[Cited]) -> tuple[Citation, ...]:
    """What an offer cites, as a payload may hold it: its names are contents."""
    return tuple(
        filled(
            Citation,
            cited,
            path=kept(writer, "cited path", owned(cited.path)),
            symbol=kept(writer, "cited symbol", owned(cited.symbol)),
            table=kept(writer, "cited table", owned(cited.table)),
        )
        for cited in citations
    )


def citations_of(outside: Outside, folder: str, changes: Iterable[Change]) -> tuple[str, ...]:
    """What a session changed, as notations: the last changes that still stand in their files."""
    place = look(outside, folder)
    texts = CitedTexts(outside, place)
    notations: list[str] = []
    for change in changes:
        path, new = change.path.removeprefix(f"{place.root}/"), change.new.strip("\n")
        text = texts.text(path) if new.strip() else None
        at = -1 if text is None else text.text.find(new)
        if text is None or at < 0:
            continue
        first = text.text.count("\n", 0, at) + 1
        notation = f"{path}:{first}-{first + new.count(chr(10))}"
        try:
            _resolve(outside, notation, place, texts)
        except Refused:
            continue
        notations.append(notation)
    return tuple(dict.fromkeys(notations))[-MOST_CHANGES:]


def _resolve(outside: Outside, notation: str, place: Place | None, texts: CitedTexts) -> Cited:
    cited = parse(notation, outside.language.commands(notation))
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


def _of_text(outside: Outside, cited: Cited, text: Text) -> Cited:
    taken = take(outside.ledger.key, text, cited)
    if taken is None:
        what = f"symbol {cited.symbol}" if cited.symbol else "such lines, or no word in them"
        raise Refused(f"{cited.notation}: {text.path} has no {what}. {_NOTHING} Look it up again.")
    *lines, span_print = taken
    first, last = lines if cited.symbol or cited.first else (0, 0)
    return replace(cited, path=text.path, first=first, last=last, print=span_print)


def _table(outside: Outside, cited: Cited) -> Cited:
    if outside.cited_things is None:
        return cited
    digest = outside.cited_things.digest(cited.table)
    if digest is None:
        raise Refused(f"{cited.notation}: there is no such table. {_NOTHING}")
    return replace(cited, print=Print(digest=digest) if digest else None)


PATIENCE = 100_000  # characters read as tokens for one prompt: what is beyond is not checked
LINES, WORDS = 50, 5  # by how much quicker a text is read as lines, or as words alone


# A citation made again, and the path where its file is now: empty where it did not move.
Renewed = tuple[Citation, str]


class Checker:
    """Entries as a place sees them, each with its citations as they are now; reads a file once.

    `root` is its project's folder there; citations are checked of entries in its `scopes` alone.
    `patience` bounds how many characters are read (None: no bound); the rest is not checked.
    """

    def __init__(
        self, outside: Outside, reader: Reader, place: Place | None, patience: int | None = None
    ) -> None:
        self._outside, self.reader, self._key = outside, reader, outside.ledger.key
        self.root, self._patience = place.root if place else None, patience
        self.located = find(reader, place) if place else None
        self.scopes = self.located.household if self.located else ()
        self.texts = CitedTexts(outside, place)

    @cached_property
    def outdated(self) -> dict[EntryId, str]:
        """By each note the skill that it leaves behind."""
        return left_behind(outdated(self._outside, self.reader))

    def sees(self, entry: Entry) -> bool:
        """Whether an entry holds at the place: in one of its projects, or everywhere."""
        return self.holds_in(entry.scope)

    def holds_in(self, scope: ProjectId | None) -> bool:
        """Whether what belongs to a project, or to all (None), holds at the place."""
        return scope is None or scope in self.scopes

    def note(self, entry: Entry) -> Note:
        """An entry with its texts, its standing now, and its citations as they are now."""
        note = note_of(self.reader, entry, self._outside.clock.now_ms(), self._outside.kinds)
        if entry.suspected:
            first = tuple(islice(suspicions_of(self._outside, self.reader, entry), 1))
            note = replace(note, suspected=first)
        if skill := self.outdated.get(entry.id):
            note = replace(note, skill=skill)
        return replace(note, cites=self.check(entry)) if entry.cites else note

    def check(self, entry: Entry) -> tuple[CheckedCitation, ...]:
        """Each citation of an entry with its state; what was erased is left out."""
        here = self.root is not None and entry.scope in self.scopes
        return tuple(
            self._checked(cite, cited, here) for cite in entry.cites if (cited := self._names(cite))
        )

    def _names(self, cite: Citation) -> Cited | None:
        """The citation with its names; None once they were erased."""
        refs = (cite.path, cite.symbol, cite.table)
        path, symbol, table = ("" if ref is None else self.reader.text(ref) for ref in refs)
        if path is None or symbol is None or table is None or not (path or table):
            return None
        return filled(Cited, cite, path=path, symbol=symbol, table=table)

    def _checked(self, cite: Citation, cited: Cited, here: bool) -> CheckedCitation:
        notation = cited.notation
        if cited.table:
            return CheckedCitation(cites=notation, state=self._table(cite, cited.table))
        if not here or cite.print is None:
            return CheckedCitation(cites=notation, state=CitationState.UNCHECKED)
        if text := self.texts.text(cited.path):
            return CheckedCitation(cites=notation, state=self._state(text, cited, cite.print))
        now, state = self._elsewhere(cited, cite.print), CitationState.FRESH
        if not now:
            state = CitationState.UNCHECKED if now is None else CitationState.ORPHANED
        return CheckedCitation(cites=notation, state=state, now=now or None)

    def _table(self, cite: Citation, table: str) -> CitationState:
        if self._outside.cited_things is None or cite.print is None:
            return CitationState.UNCHECKED
        digest = self._outside.cited_things.digest(table)
        if digest is None:
            return CitationState.ORPHANED
        if not digest:
            return CitationState.UNCHECKED
        return CitationState.FRESH if digest == cite.print.digest else CitationState.DRIFTED

    def _state(self, text: Text, span: Cited, was: Print) -> CitationState:
        # The quick looks come first: as lines, as words, and as tokens only then.
        if not self._afford(len(text.text) // LINES):
            return CitationState.UNCHECKED
        if find_span(self._key, text, span, was, tokens=False):
            return CitationState.FRESH
        if not self._afford(len(text.text) // WORDS):
            return CitationState.UNCHECKED
        if lacks(text, was):
            return CitationState.DRIFTED
        if not self._afford(0 if text.parsed else len(text.text)):
            return CitationState.UNCHECKED
        again = find_span(self._key, text, span, was)
        return CitationState.FRESH if again else CitationState.DRIFTED

    def _afford(self, characters: int) -> bool:
        """Whether patience is left for so many; they are spent then."""
        if self._patience is None:
            return True
        enough = characters <= self._patience
        self._patience -= characters if enough else 0
        return enough

    def _elsewhere(self, span: Cited, was: Print) -> str | None:
        """The file that took a lost one's span over; empty for none, None if patience ran out."""
        name = span.path.rpartition("/")[2]
        texts, skipped = [], False
        for path in self._outside.cited_files.alike(self.root or "", span.path):
            # Its name may be put before an agent, and anybody may have chosen it.
            fit = parse(path, self._outside.language.commands(path)) is not None
            text = self.texts.text(path) if fit else None
            if text is None or not self._afford(len(text.text) // LINES):
                skipped = skipped or text is not None
                continue
            if text.digest(self._key) == was.file:
                return text.path
            texts.append(text)
        own = [text for text in texts if text.path.rpartition("/")[2] == name]
        for text in texts if span.whole or was.tokens >= TELLING else own:
            if find_span(self._key, text, span, was, tokens=False):
                return text.path
        for text in own:
            state = self._state(text, span, was)
            if state is CitationState.FRESH:
                return text.path
            skipped = skipped or state is CitationState.UNCHECKED
        return None if skipped else ""

    def renew(self, entry: Entry) -> tuple[Renewed, ...]:
        """The citations as files are now: by span, symbol, old lines or file; lost ones stay."""
        here = self.root is not None and entry.scope in self.scopes
        return tuple(
            (self._anew(cite) if here or cite.table else None) or (cite, "") for cite in entry.cites
        )

    def _anew(self, cite: Citation) -> Renewed | None:
        cited = self._names(cite)
        if cited is None:
            return None
        if cited.table:
            things = self._outside.cited_things
            digest = None if things is None else things.digest(cited.table)
            return (replace(cite, print=Print(digest=digest)), "") if digest else None
        if cite.print is None:
            return None
        text = self.texts.text(cited.path)
        moved = "" if text else self._elsewhere(cited, cite.print) or ""
        text = text or self.texts.text(moved)
        again = None if text is None else self._found_again(text, cited, cite.print)
        if again is None:
            return None
        now, new = again
        symbol = cite.symbol if now.symbol else None
        renewed = replace(cite, symbol=symbol, first=now.first, last=now.last, print=new)
        return renewed, moved

    def _found_again(self, text: Text, span: Cited, was: Print) -> tuple[Cited, Print] | None:
        lines = Cited(first=span.first, last=span.last)
        place = None if span.whole else find_span(self._key, text, span, was)
        if place is not None:
            lines = Cited(first=place[0], last=place[1])
        for asked in dict.fromkeys((span if span.symbol else lines, lines, Cited())):
            taken = take(self._key, text, asked)
            if taken is not None:
                first, last, new = taken
                all_of_it = not (asked.symbol or asked.first)
                return asked if all_of_it else replace(asked, first=first, last=last), new
        return None


@contextmanager
def checking(outside: Outside, folder: str | None) -> Iterator[Checker]:
    """Entries as a folder's project sees them (None: no project), in one look at the ledger."""
    place = None if folder is None else look(outside, folder)
    with outside.ledger.reading() as reader:
        yield Checker(outside, reader, place)


def seen_from(outside: Outside, folder: str, name: str) -> None:
    """Raise NotFound for an entry of a project that a folder's project does not share."""
    with checking(outside, folder) as checker:
        entry = entry_of(checker.reader, EntryId(name))
        if entry is not None and not checker.sees(entry):
            raise NotFound(f"Nothing that this project may see is called {name}.")
