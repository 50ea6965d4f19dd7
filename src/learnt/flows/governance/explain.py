"""Why something is as it is: the chain from an injected line back to the first observation."""

import heapq
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import Annotated, Final

from learnt.core.events import Actor, Event, Kind, payload_of, sight_of
from learnt.core.governance.actors import HOW, oddly
from learnt.core.identifiers import ContentRef, EventId, ProjectId, Subject
from learnt.core.knowledge.entries import Content, Entry, Stage
from learnt.core.payloads.entry_events import EntryFeedback, Gated, Recalled, Remembered, Reused
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.payloads.session_events import EpisodeClosed, EpisodeFeedback, ProjectSeen
from learnt.core.payloads.skill_events import Distilled, ModelCalled
from learnt.core.payloads.typed import AnyPayload, typed
from learnt.core.records import UNTOLD, JsonObject, Record, Row
from learnt.errors import NotFound
from learnt.flows.knowledge.checking import Checker
from learnt.flows.sessions.locate import look
from learnt.flows.sessions.turn_texts import subject_named
from learnt.flows.stored import legible
from learnt.formats.answers import filled
from learnt.formats.injection import zoned
from learnt.formats.sentences import sentence
from learnt.ports import Outside, Reader


class Detail(Row):
    """A text of an event, and what it is."""

    label: str
    text: str


_STAMP: Final = attrgetter("stamp")


class Step(Record, kw_only=True):
    """One event in words; `when` and `wall_ms` are what the clock said."""

    id: Annotated[EventId, UNTOLD]
    wall_ms: Annotated[int, UNTOLD]
    when: str
    kind: str
    actor: str
    said: str
    details: tuple[Detail, ...] = ()


class Story(Record, kw_only=True):
    """A subject's events in order, and its state; `left_out` are missing after the first third."""

    subject: str
    state: Annotated[JsonObject, UNTOLD]
    events: tuple[Step, ...]
    left_out: int = 0


def explain(
    outside: Outside, name: str, most: int | None = None, *, folder: str | None = None
) -> Story:
    """The story of an entry, a session, a project, an event or its subject. Raises NotFound.

    With `most` it has so many events, and the middle is left out. With `folder` nothing is told of
    what belongs to a project that the folder's does not share.
    """
    with outside.ledger.reading() as reader:
        checker = None if folder is None else Checker(outside, reader, look(outside, folder))
        subject, events = _events(reader, name, checker)
        left_out, first = max(0, len(events) - (most or len(events))), (most or 0) // 3
        return _story(reader, subject, events[:first] + events[first + left_out :], left_out)


def chapter(outside: Outside, name: str, number: int, most: int) -> Story:
    """A page of a story, from 1; the last, where there are fewer."""
    with outside.ledger.reading() as reader:
        subject, events = _events(reader, name)
        start = max(0, min(number - 1, (len(events) - 1) // most)) * most
        page = events[start : start + most]
        return _story(reader, subject, page, len(events) - len(page))


def latest(
    outside: Outside, most: int, before_ms: int | None = None
) -> tuple[list[tuple[Step, Subject]], int | None]:
    """The latest events (before a moment), each with its subject, and the moment to go on before.

    Those of one millisecond stay together, however many: a clock that was ahead gives all one.
    """
    with outside.ledger.reading() as reader:
        # Of each kind by itself: the kinds have an index by time, and all together have none.
        newest = (reader.events(kind=kind, newest=most, before_ms=before_ms) for kind in Kind)
        events = list(islice(heapq.merge(*newest, key=_STAMP, reverse=True), most))
        last_ms = events[-1].stamp.ms if len(events) == most else None
        if last_ms is not None:
            until = last_ms + 1
            of_it = (reader.events(kind=k, since_ms=last_ms, before_ms=until) for k in Kind)
            events = [event for event in events if event.stamp.ms > last_ms]
            events += sorted(chain.from_iterable(of_it), key=_STAMP, reverse=True)
        return [(_step(reader, event, event.subject), event.subject) for event in events], last_ms


def _story(reader: Reader, subject: Subject, told: Iterable[Event], left_out: int) -> Story:
    steps = tuple(_step(reader, event, subject) for event in told)
    state = reader.view(subject) or {}
    return Story(subject=subject, state=state, events=steps, left_out=left_out)


def _events(
    reader: Reader, name: str, checker: Checker | None = None
) -> tuple[Subject, list[Event]]:
    """Whose story is asked for, and its events; with a checker those that its project may see."""
    asked, subject = reader.event(EventId(name)), _subject(reader, name)
    if asked is None and subject is None:
        closed = [e for e in reader.events(kind=Kind.EPISODE_CLOSED) if e.where.episode == name]
        asked = closed[-1] if closed else None
    subject = subject or (asked.subject if asked else None)
    if subject is None:
        raise NotFound(
            f"Learnt knows nothing by the name {name}. `learnt recall WORDS` lists entries."
        )
    events = list(reader.events(subject=subject))
    if checker is not None:
        events = _seen_from(checker, subject, events)
        if not events:
            raise NotFound(f"Nothing that this project may see is called {name}.")
    if subject.startswith("proposal:"):
        events = sorted([*events, *_distilled(reader, subject)], key=_STAMP)
    if subject.startswith(Entry.prefix):
        events = sorted([*events, *_naming(reader, subject)], key=_STAMP)
    if asked and asked.kind is Kind.EPISODE_CLOSED:
        events = [e for e in events if e.where.episode == asked.where.episode]
    return subject, events


def _seen_from(checker: Checker, subject: Subject, events: Sequence[Event]) -> list[Event]:
    """Of a subject's events those that a project may see: all of its own, none of another's."""
    prefix, _, name = subject.partition(":")
    if prefix == "project":
        return [e for e in events if checker.holds_in(ProjectId(name))]
    state = checker.reader.view(subject) if prefix in {"entry", "proposal"} else None
    # Of what the gates kept out nothing but its events says where it was offered.
    if state is not None and state.get("stage") != Stage.REJECTED:
        scope = state.get("scope")
        return [e for e in events if checker.holds_in(ProjectId(str(scope)) if scope else None)]
    return [e for e in events if checker.holds_in(e.where.project)]


_FOUND_IN = frozenset({Kind.GATED, Kind.REMEMBERED})  # a prompt, by the harvest of its session


def _subject(reader: Reader, name: str) -> Subject | None:
    for prefix in ("entry:", "project:", "proposal:", ""):
        if reader.view(Subject(prefix + name)) is not None:
            return Subject(prefix + name)
    return subject_named(reader, name)


def _naming(reader: Reader, subject: Subject) -> Iterable[Event]:
    """The recalls in which one line named an entry, without starts: they list whatever there is."""
    entry = subject.removeprefix(Entry.prefix)
    for event in reader.events_citing(ContentRef(entry), Kind.RECALLED):
        recall = payload_of(Recalled, event)
        if entry in recall.hinted and recall.mode != "start":
            yield event


def _distilled(reader: Reader, proposal: Subject) -> Iterable[Event]:
    """The distillations that a proposal came from, and the calls of a model that wrote it."""
    name = proposal.removeprefix("proposal:")
    made = [e for e in reader.events_citing(ContentRef(name)) if e.subject.startswith("distilled:")]
    yield from made
    calls = [call for event in made for call in payload_of(Distilled, event).calls]
    for event in reader.events(subject=proposal, kind=Kind.PROPOSED):
        calls += payload_of(Proposed, event).calls
    for call in calls:
        yield from of_call(reader, call)


def of_call(reader: Reader, call: EventId) -> Iterable[Event]:
    """The events of one call of a model: that it was asked, and what became of it."""
    asked = reader.event(call)
    settled = (e for e in reader.events_citing(ContentRef(call)) if e.subject.startswith("model:"))
    return [*([asked] if asked else []), *settled]


def _step(reader: Reader, event: Event, subject: Subject) -> Step:
    where, payload = event.where, typed(event)
    details = [
        *_texts(reader, payload),
        *_parts(reader, payload),
        ("session", where.session),
        ("episode", where.episode if event.kind in _FOUND_IN else ""),
        ("project", where.project),
        ("folder", legible(reader, ContentRef(where.place or ""))),
        *_seen(reader, event),
    ]
    if isinstance(payload, Reused) and payload.recall and (cause := reader.event(payload.recall)):
        recall = payload_of(Recalled, cause)
        details += [
            ("prompt", legible(reader, recall.prompt)),
            *_chosen(recall, subject.removeprefix(Entry.prefix)),
            ("recall", cause.id),
        ]
    labelled = tuple(Detail(label, text) for label, text in details if text)
    when = zoned(event.wall_ms)
    return filled(Step, event, when=when, said=sentence(event), details=labelled)


def _seen(reader: Reader, event: Event) -> Iterable[tuple[str, str]]:
    """How a human was seen by who recorded an event, and what of it is odd."""
    sight = sight_of(event)
    if event.actor is Actor.HUMAN:
        yield "seen", HOW.get(sight.by if sight else "", "")
    yield "odd", oddly(sight.odd if sight else "")
    for trace in sight.traces if sight else ():
        yield "trace", legible(reader, ContentRef(trace))


_MARKED = {"failure": "lines that name the failure", "file": "the file, or a name in its change"}


def _given(recall: Recalled) -> Iterable[tuple[str, str]]:
    """The entries of a recall, each with how it was found and what the coin said."""
    for label, entries in (("shown", recall.shown), ("named by a line", recall.hinted)):
        for entry in entries:
            yield label, "; ".join([entry, *(how for _, how in _chosen(recall, entry))])
    yield from (("already there", entry) for entry in recall.already)


def _chosen(recall: Recalled, entry: str) -> Iterable[tuple[str, str]]:
    """How a recall found an entry, and what the coin said."""
    for match in (match for match in recall.found if match.entry == entry):
        by_words = f"{match.shared} shared terms, {match.relevance / 10_000:.0f} % likely"
        yield "found by", _MARKED.get(recall.mode or "", by_words)
    for drawn in (drawn for drawn in recall.eligible if drawn.entry == entry):
        yield "coin", f"{drawn.arm}, chance {drawn.propensity / 10_000:.0f} %"


# The members of payloads, of whatever kind, that refer to texts, each with its label.
_SINGLE = (
    "text", "problem", "approach", "language", "prompt", "label", "target", "path", "note",
    "argument",
)  # fmt: skip
_SEVERAL = (
    ("about", "entities"), ("caution", "cautions"), ("tag", "tags"), ("file", "files"),
    ("link", "links"),
)  # fmt: skip


def _texts(reader: Reader, payload: AnyPayload) -> Iterable[tuple[str, str]]:
    holder = payload.content if isinstance(payload, Remembered) else payload
    for name in _SINGLE:
        if not isinstance(payload, ProjectSeen) or name != "path":  # of a project that is a hash
            yield name, legible(reader, getattr(holder, name, None))
    for label, name in _SEVERAL:
        for ref in getattr(holder, name, ()):
            yield label, legible(reader, ref)
    if isinstance(payload, EntryFeedback):
        yield "other entry", payload.other or ""
    if isinstance(payload, ModelCalled):
        yield "model", legible(reader, payload.model)
        yield "asked", legible(reader, payload.question)
        yield "answered", legible(reader, payload.reply)


def _parts(reader: Reader, payload: AnyPayload) -> Iterable[tuple[str, str]]:
    """What else a payload says, as labels and texts; of most kinds single texts are all."""
    match payload:
        case (
            Gated(cites=cites)
            | Remembered(content=Content(cites=cites))
            | EntryFeedback(cites=cites)
        ):
            for cite in cites:
                yield "cites", "#".join(legible(reader, ref) for ref in cite.refs)
        case Proposed(evidence=evidence):
            for ref in evidence.samples:
                yield "sample", legible(reader, ref)
        case EpisodeClosed(outcome=outcome, skills=skills):
            for quote in outcome.quotes:
                yield quote.what, legible(reader, ContentRef(quote.words))
            for use in skills:
                yield "skill", f"{legible(reader, use.skill)}, launched by the {use.by}"
        case EpisodeFeedback(quote=quote_ref):
            yield "words", legible(reader, quote_ref)
        case Recalled() as recall:
            yield from _given(recall)
        case _:
            return
