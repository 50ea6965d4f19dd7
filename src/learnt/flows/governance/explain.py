"""Why something is as it is: the chain from an injected line back to the first observation."""

from collections.abc import Iterable
from dataclasses import dataclass

from learnt.core.events import Event, Kind
from learnt.core.identifiers import ContentRef, EventId, Subject
from learnt.core.json_values import JsonObject, JsonValue, member, strings, text_of, whole
from learnt.errors import NotFound
from learnt.formats.sentences import sentence
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One event in words. `wall_ms` is what the clock said; `details` are label and text."""

    event: EventId
    wall_ms: int
    kind: str
    actor: str
    said: str
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The steps of one subject in their order, and its state now."""

    subject: str
    state: JsonObject
    steps: tuple[Step, ...]


def explain(outside: Outside, name: str) -> Story:
    """The story of an entry, a session, a project, or of an event (then of its subject too)."""
    with outside.ledger.reading() as reader:
        subject = _subject(reader, name)
        if subject is None:
            raise NotFound(
                f"Nothing in the ledger is called {name}. `learnt recall WORDS` lists entries."
            )
        steps: list[Step] = []
        asked = reader.event(EventId(name)) or _closing(reader, name)
        of_episode = asked is not None and asked.kind is Kind.EPISODE_CLOSED
        for event in reader.events(subject=subject):
            if of_episode and asked and event.where.episode != asked.where.episode:
                continue
            steps.append(_step(reader, event))
            cause = text_of(member(event.payload, "recall"))
            recall = reader.event(EventId(cause)) if cause else None
            if recall is not None and event.kind is Kind.REUSED:
                steps[-1] = _with_recall(reader, steps[-1], recall, subject)
        return Story(subject=subject, state=reader.view(subject) or {}, steps=tuple(steps))


_FOUND_IN = frozenset({Kind.GATED, Kind.REMEMBERED})  # a prompt, by the harvest of its session


def _subject(reader: Reader, name: str) -> Subject | None:
    for prefix in ("entry:", "project:", "proposal:", ""):
        if reader.view(Subject(prefix + name)) is not None:
            return Subject(prefix + name)
    for view in reader.views("session:"):
        if view.subject.split(":", 2)[2] == name:
            return view.subject
    event = reader.event(EventId(name)) or _closing(reader, name)
    return None if event is None else event.subject


def _closing(reader: Reader, name: str) -> Event | None:
    """The event that closed the episode of a prompt's id last."""
    closed = [e for e in reader.events(kind=Kind.EPISODE_CLOSED) if e.where.episode == name]
    return closed[-1] if closed else None


def _text(reader: Reader, ref: JsonValue) -> str:
    known = text_of(ref)
    if not known:
        return ""
    held = reader.text(ContentRef(known))
    return "(erased)" if held is None else held


def _with_recall(reader: Reader, step: Step, recall: Event, subject: Subject) -> Step:
    entry = subject.removeprefix("entry:")
    found = member(recall.payload, "found")
    rows: Iterable[JsonValue] = found if isinstance(found, list) else []
    details = [("prompt", _text(reader, member(recall.payload, "prompt")))]
    for row in rows:
        if member(row, "entry") == entry:
            percent = whole(member(row, "relevance")) / 10_000
            shared = whole(member(row, "shared"))
            details.append(("found by", f"{shared} shared terms, {percent:.0f} % of the subject"))
    for row in _rows(member(recall.payload, "eligible")):
        if member(row, "entry") == entry:
            chance = whole(member(row, "propensity")) / 10_000
            details.append(("coin", f"{text_of(member(row, 'arm'))}, chance {chance:.0f} %"))
    details.append(("recall", recall.id))
    return Step(
        event=step.event,
        wall_ms=step.wall_ms,
        kind=step.kind,
        actor=step.actor,
        said=step.said,
        details=(*step.details, *details),
    )


def _rows(value: JsonValue) -> Iterable[JsonValue]:
    return value if isinstance(value, list) else []


def _step(reader: Reader, event: Event) -> Step:
    where = [
        ("session", event.where.session or ""),
        ("episode", (event.where.episode or "") if event.kind in _FOUND_IN else ""),
        ("project", event.where.project or ""),
        ("folder", _text(reader, event.where.place)),
    ]
    details = [*_details(reader, event), *where]
    return Step(
        event=event.id,
        wall_ms=event.wall_ms,
        kind=event.kind,
        actor=event.actor,
        said=sentence(event),
        details=tuple((label, text) for label, text in details if text),
    )


_TEXTS = (
    "text", "problem", "approach", "language", "prompt", "label", "target", "path", "note"
)  # fmt: skip
_LISTS = (("about", "entities"), ("caution", "cautions"), ("tag", "tags"), ("file", "files"))


def _details(reader: Reader, event: Event) -> list[tuple[str, str]]:
    payload = event.payload
    found = [
        (name, _text(reader, member(payload, name)))
        for name in _TEXTS
        if member(payload, name) is not None
    ]
    for label, name in _LISTS:
        found += [(label, _text(reader, ref)) for ref in strings(member(payload, name))]
    for row in _rows(member(payload, "cites")):
        named = [_text(reader, member(row, name)) for name in ("path", "symbol", "table")]
        found.append(("cites", "#".join(filter(None, named))))
    for label, name in (("sample", "samples"), ("link", "links"), ("trace", "traces")):
        found += [(label, _text(reader, ref)) for ref in strings(member(payload, name))]
    for row in _rows(member(payload, "evidence")):
        found.append((text_of(member(row, "what")), _text(reader, member(row, "quote"))))
    for row in _rows(member(payload, "skills")):
        name = _text(reader, member(row, "skill"))
        found.append(("skill", f"{name}, launched by the {text_of(member(row, 'by'))}"))
    if event.kind is Kind.FEEDBACK and member(payload, "quote") is not None:
        found.append(("words", _text(reader, member(payload, "quote"))))
    if event.kind is Kind.RECALLED:
        found += [("shown", entry) for entry in strings(member(payload, "shown"))]
        found += [("already there", entry) for entry in strings(member(payload, "already"))]
    return found
