"""What the ledger holds, read and added to: views as records, texts by reference, events."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Protocol, TypeVar

from learnt.core.events import NOWHERE, Actor, Event, NewEvent, Origin, Payload, Where
from learnt.core.identifiers import ContentRef, NaturalKey, Subject, plain_or_hashed
from learnt.core.records import decode
from learnt.core.safety import Clean
from learnt.ports import Reader, Writer


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


def text_behind(reader: Reader, ref: ContentRef | None) -> Clean | None:
    """The text behind a reference; None where there is no reference, or the text was erased."""
    return reader.text(ref) if ref else None


def legible(reader: Reader, ref: ContentRef | None) -> str:
    """A text for people: empty where there is no reference, `(erased)` where it was erased."""
    text = text_behind(reader, ref)
    return ("(erased)" if ref else "") if text is None else text


def text_or_empty(reader: Reader, ref: ContentRef | None) -> str:
    """The text behind a reference; empty for no reference, and for a text that was erased."""
    return (reader.text(ref) or "") if ref else ""


def texts_behind(reader: Reader, refs: Iterable[ContentRef | None]) -> tuple[str, ...]:
    """The texts behind some references, without those that were erased."""
    return tuple(text for ref in refs if (text := text_or_empty(reader, ref)))


def kept(writer: Writer, kind: str, text: Clean | None) -> ContentRef | None:
    """Keep a text and give its reference; None for no text."""
    return writer.keep(kind, text) if text else None


def named(key: bytes, name: str | None) -> str | None:
    """A session's or episode's name as a payload may hold it: plain or hashed; None for none."""
    return plain_or_hashed(key, name) if name else None


def append(
    writer: Writer,
    subject: Subject,
    actor: Actor,
    payload: Payload,
    *,
    where: Where = NOWHERE,
    origin: Origin | None = None,
    key: NaturalKey | None = None,
) -> Event | None:
    """Record what happened to a subject; None where the natural key is taken: it is known."""
    return writer.append(
        NewEvent(subject, actor, payload, origin=origin, where=where, natural_key=key)
    )
