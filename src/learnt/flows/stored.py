"""Views as records: an entry, session, project or proposal as the ledger holds it now."""

from collections.abc import Iterator
from typing import ClassVar, Protocol, TypeVar

from learnt.core.identifiers import ContentRef, Subject
from learnt.core.records import decode
from learnt.ports import Reader


class _View(Protocol):
    prefix: ClassVar[str]


View = TypeVar("View", bound=_View)


def stored(reader: Reader, kind: type[View], subject: Subject) -> View | None:
    """The view of a subject, or None. Raises Unreadable where it makes no sense."""
    state = reader.view(subject)
    return None if state is None else decode(kind, state)


def all_stored(reader: Reader, kind: type[View]) -> Iterator[View]:
    """All views of a kind, in the order of their subjects. Raises as `stored` does."""
    return (decode(kind, view.state) for view in reader.views(kind.prefix))


def text_behind(reader: Reader, ref: ContentRef | None) -> str | None:
    """The text behind a reference; None where there is no reference, or the text was erased."""
    return reader.text(ref) if ref else None


def legible(reader: Reader, ref: ContentRef | None) -> str:
    """A text for people: empty where there is no reference, `(erased)` where it was erased."""
    text = text_behind(reader, ref)
    return ("(erased)" if ref else "") if text is None else text
