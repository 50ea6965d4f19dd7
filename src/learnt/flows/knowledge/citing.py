"""What an offer cites, looked up in the project's files when it is captured."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from learnt.core.digest.steps import Change
from learnt.core.knowledge.citations import MOST_CITED, Citation, Cited, Print, parse
from learnt.core.knowledge.spans.prints import Span, Text, take
from learnt.core.safety import owned
from learnt.errors import Refused
from learnt.flows.sessions.locate import Place, look
from learnt.flows.stored import kept
from learnt.formats.answers import filled
from learnt.ports import Outside, Writer

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
        """Let go of the texts; `hold` still works.

        A parsed text is millions of objects, which a collection of garbage would look through.
        """
        self._texts.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """A citation that resolved: its names, its lines as they are, and the print of its span."""

    cited: Cited
    first: int = 0
    last: int = 0
    print: Print | None = None


class Anchors:
    """What an offer cites at a place (None: everywhere), as the files are now.

    Reads files and may ask a domain: not to be used in a transaction, but for `hold`.
    """

    def __init__(self, outside: Outside, notations: Iterable[str], place: Place | None) -> None:
        self._outside, self._place = outside, place
        self._notations = tuple(dict.fromkeys(notations))
        self._texts = CitedTexts(outside, place)
        self._resolved: tuple[Anchored, ...] | None = None

    def resolved(self) -> tuple[Anchored, ...]:
        """The citations, resolved anew where a file changed. Raises Refused for a bad one."""
        given = self._notations
        if len(given) > MOST_CITED:
            raise Refused(
                f"An entry cites {MOST_CITED} places at most, not {len(given)}. {_NOTHING}"
            )
        if self._resolved is None or not self.hold():
            self._texts = texts = CitedTexts(self._outside, self._place)
            self._resolved = tuple(_resolve(self._outside, n, self._place, texts) for n in given)
            texts.release()
        return self._resolved

    def hold(self) -> bool:
        """Whether the files are still as they were when the citations were resolved."""
        return self._texts.hold()


def anchored(writer: Writer, citations: Iterable[Anchored]) -> tuple[Citation, ...]:
    """What an offer cites, as a payload may hold it: its names are contents."""
    return tuple(
        filled(
            Citation,
            anchor,
            anchor.cited,
            path=kept(writer, "cited path", owned(anchor.cited.path)),
            symbol=kept(writer, "cited symbol", owned(anchor.cited.symbol)),
            table=kept(writer, "cited table", owned(anchor.cited.table)),
        )
        for anchor in citations
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


def _resolve(outside: Outside, notation: str, place: Place | None, texts: CitedTexts) -> Anchored:
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


def span_of(cited: Cited) -> Span:
    """What is cited of a file."""
    return Span(symbol=cited.symbol, first=cited.first, last=cited.last)


def _of_text(outside: Outside, cited: Cited, text: Text) -> Anchored:
    taken = take(outside.ledger.key, text, span_of(cited))
    if taken is None:
        what = f"symbol {cited.symbol}" if cited.symbol else "such lines, or no word in them"
        raise Refused(f"{cited.notation}: {text.path} has no {what}. {_NOTHING} Look it up anew.")
    *lines, span_print = taken
    first, last = lines if cited.symbol or cited.first else (0, 0)
    return Anchored(cited=replace(cited, path=text.path), first=first, last=last, print=span_print)


def _table(outside: Outside, cited: Cited) -> Anchored:
    if outside.cited_things is None:
        return Anchored(cited=cited)
    digest = outside.cited_things.digest(cited.table)
    if digest is None:
        raise Refused(f"{cited.notation}: there is no such table. {_NOTHING}")
    return Anchored(cited=cited, print=Print(digest=digest) if digest else None)
