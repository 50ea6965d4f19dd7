"""An entry: one atomic piece of knowledge, and how its events fold into what is true of it now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from learnt.core.events import Actor, Event, Kind, Origin
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.json_values import JsonObject, member, strings, text_of, whole, without_defaults
from learnt.core.knowledge import citations
from learnt.core.knowledge import standing as standings
from learnt.core.knowledge.citations import Citation
from learnt.core.knowledge.confidence import confidence
from learnt.core.knowledge.kinds import KINDS, Policy
from learnt.core.knowledge.standing import (
    CREDIBILITY,
    CREDIBLE,
    NOTHING_SAID,
    RELEVANCE,
    Confirmation,
    Standing,
)


class Stage(StrEnum):
    """How far an entry has come. A rejected draft keeps its reason and nothing else."""

    REJECTED = "rejected"
    CANDIDATE = "candidate"
    VALIDATED = "validated"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where in a conversation an entry was said: all of it optional, for imports and quotes."""

    session: str | None = None
    position: int | None = None
    speaker: ContentRef | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is true of an entry now. Texts are content references; `scope` None is everywhere.

    A fact has a `text` and the `entities` it is about, a solution a `problem` and an `approach`;
    `topic` is where a fact belongs, `cites` what in its project shows it. `reused` counts the
    sessions in which it was injected and delivered; `fingerprint` is the keyed hash of its
    normalised text, equal for exact duplicates only; `skill` is the proposal by which it became a
    skill, while that stands; `into` the entry that it was merged into.
    """

    id: EntryId
    stage: Stage
    form: str = "solution"
    kind: str = "solution"
    text: ContentRef | None = None
    problem: ContentRef | None = None
    approach: ContentRef | None = None
    cautions: tuple[ContentRef, ...] = ()
    tags: tuple[ContentRef, ...] = ()
    entities: tuple[ContentRef, ...] = ()
    files: tuple[ContentRef, ...] = ()
    cites: tuple[Citation, ...] = ()
    language: ContentRef | None = None
    scope: ProjectId | None = None
    fingerprint: str = ""
    actor: Actor = Actor.LEARNT
    origin: Origin = Origin.ASSISTANT
    source: Source | None = None
    topic: str = ""
    remembered_ms: int = 0
    reused: int = 0
    corrected: int = 0
    standing: Standing = NOTHING_SAID
    reason: str = ""
    skill: str = ""
    into: EntryId | None = None

    @property
    def about(self) -> ContentRef | None:
        """The text it is found by: a fact's own, a solution's problem; None once erased."""
        return self.text or self.problem

    @property
    def live(self) -> bool:
        """Whether it may be found at all."""
        return self.stage in {Stage.CANDIDATE, Stage.VALIDATED} and self.about is not None

    @property
    def refs(self) -> tuple[ContentRef, ...]:
        """Every content reference the entry holds."""
        speaker = self.source.speaker if self.source else None
        named = (self.text, self.problem, self.approach, self.language, speaker)
        singles = (ref for ref in named if ref)
        cited = (ref for cite in self.cites for ref in cite.refs)
        return (*singles, *self.cautions, *self.tags, *self.entities, *self.files, *cited)


def level(entry: Entry, now_ms: int, kinds: Mapping[str, Policy] = KINDS) -> float | None:
    """An entry's confidence today, 0 to 1; None for one that is not validated."""
    if entry.stage is not Stage.VALIDATED:
        return None
    today = standings.day(now_ms)
    held = standings.belief(entry.standing, entry.kind, today)
    return confidence(held, today, kinds=kinds)


def step(entry: Entry | None, event: Event) -> Entry:
    """The entry after one more event about it."""
    known = entry or Entry(id=EntryId(event.subject.split(":", 1)[1]), stage=Stage.CANDIDATE)
    match event.kind:
        case Kind.GATED:
            return _gated(known, event)
        case Kind.REMEMBERED:
            return _remembered(known, event)
        case Kind.FEEDBACK:
            return _feedback(known, event)
        case Kind.STAGED:
            return _staged(known, event)
        case Kind.REUSED:
            return replace(known, reused=known.reused + 1)
        case Kind.NOT_DELIVERED:
            return replace(known, reused=max(0, known.reused - 1))
        case Kind.APPLIED:
            return replace(known, skill=text_of(member(event.payload, "proposal")))
        case Kind.PURGED:
            return Entry(id=known.id, stage=Stage.RETIRED, reason="purged")
        case _:
            return known


def _gated(entry: Entry, event: Event) -> Entry:
    verdict = member(event.payload, "verdict")
    if verdict == "reject":
        return replace(entry, stage=Stage.REJECTED, reason=text_of(member(event.payload, "reason")))
    if verdict == "merge":
        return _confirmed(replace(entry, cites=_joined(entry, event)), event)
    return entry


def _joined(entry: Entry, event: Event) -> tuple[Citation, ...]:
    more = citations.from_state(event.payload.get("cites"))
    firm = whole(member(event.payload, "credibility")) >= CREDIBLE
    return citations.joined(entry.cites, more, firm=firm) if more else entry.cites


def _confirmed(entry: Entry, event: Event) -> Entry:
    if member(event.payload, "credibility") == 0:
        return entry  # said before by the same witness
    validated = entry.stage is Stage.VALIDATED
    told = standings.after_confirmation(entry.standing, _witness(event), validated=validated)
    return replace(entry, standing=told)


def _witness(event: Event) -> Confirmation:
    """The event as a witness; where it does not say how credible, who acted does.

    One that a merge brings along says itself when it was, and in which session.
    """
    own = CREDIBILITY["human" if event.actor is Actor.HUMAN else "agent"]
    return Confirmation(
        ms=whole(member(event.payload, "ms"), event.wall_ms),
        credibility=whole(member(event.payload, "credibility"), own),
        relevance=whole(member(event.payload, "relevance"), RELEVANCE["core"]),
        session=text_of(member(event.payload, "session"))
        or event.where.session
        or _outside_a_session(event),
        actor=event.actor,
    )


def _outside_a_session(event: Event) -> str:
    """A person at a terminal is one of the day's; of an agent no session was seen."""
    return standings.day(event.wall_ms).isoformat() if event.actor is Actor.HUMAN else ""


def _feedback(entry: Entry, event: Event) -> Entry:
    weight, held = whole(member(event.payload, "weight")), entry.standing
    entry = replace(entry, cites=citations.from_state(event.payload.get("cites")) or entry.cites)
    match member(event.payload, "result"):
        case "confirmed":
            return _confirmed(entry, event)
        case "success" if weight > 0:
            return replace(entry, standing=standings.after_success(held, weight, event.wall_ms))
        case "failure" if weight > 0:
            return replace(entry, standing=standings.after_failure(held, weight))
        case "reset":
            return replace(entry, standing=standings.as_new(held, event.wall_ms))
        case "invalidate":
            return replace(entry, standing=standings.invalid(held))
        case _:
            return entry


def _staged(entry: Entry, event: Event) -> Entry:
    to, into = text_of(member(event.payload, "stage")), text_of(member(event.payload, "into"))
    if to not in {Stage.VALIDATED, Stage.RETIRED} or not entry.live:
        return entry
    reason = text_of(member(event.payload, "reason"))
    if to == Stage.RETIRED:
        merged = EntryId(into) if into else None
        return replace(entry, stage=Stage.RETIRED, reason=reason, into=merged)
    proved = standings.as_new(entry.standing, event.wall_ms)
    return replace(entry, stage=Stage.VALIDATED, standing=proved)


def _refs(payload: JsonObject, name: str) -> tuple[ContentRef, ...]:
    return tuple(ContentRef(ref) for ref in strings(payload.get(name)))


def _ref(payload: JsonObject, name: str) -> ContentRef | None:
    ref = text_of(payload.get(name))
    return ContentRef(ref) if ref else None


def _source(value: JsonObject) -> Source:
    return Source(
        session=text_of(value.get("session")) or None,
        position=whole(value.get("position")) if value.get("position") is not None else None,
        speaker=_ref(value, "speaker"),
        date=text_of(value.get("date")) or None,
    )


def _remembered(entry: Entry, event: Event) -> Entry:
    """Remembered first, or put right: a corrected text has its own witnesses to find."""
    payload = event.payload
    source = payload.get("source")
    scope = text_of(payload.get("scope"))
    stage = Stage(text_of(payload.get("stage")))
    return replace(
        entry,
        stage=stage,
        standing=Standing(
            confirmations=(_witness(event),),
            confirmed_ms=event.wall_ms if stage is Stage.VALIDATED else 0,
        ),
        corrected=entry.corrected + (entry.about is not None),
        text=_ref(payload, "text"),
        entities=_refs(payload, "entities"),
        topic=text_of(payload.get("topic")),
        form=text_of(payload.get("form")),
        kind=text_of(payload.get("kind")),
        problem=_ref(payload, "problem"),
        approach=_ref(payload, "approach"),
        cautions=_refs(payload, "cautions"),
        tags=_refs(payload, "tags"),
        files=_refs(payload, "files"),
        cites=citations.from_state(payload.get("cites")),
        language=_ref(payload, "language"),
        scope=ProjectId(scope) if scope else None,
        fingerprint=text_of(payload.get("fingerprint")),
        actor=event.actor,
        origin=event.origin or Origin.ASSISTANT,
        source=_source(source) if isinstance(source, dict) else None,
        remembered_ms=event.wall_ms,
    )


def to_state(entry: Entry) -> JsonObject:
    """The entry as a view stores it: no default is written, so equal entries are equal bytes."""
    source = entry.source
    state: dict[str, object] = {
        "id": entry.id,
        "stage": entry.stage,
        "form": entry.form,
        "kind": entry.kind,
        "text": entry.text,
        "problem": entry.problem,
        "approach": entry.approach,
        "cautions": list(entry.cautions),
        "tags": list(entry.tags),
        "entities": list(entry.entities),
        "files": list(entry.files),
        "cites": citations.to_state(entry.cites),
        "language": entry.language,
        "scope": entry.scope,
        "fingerprint": entry.fingerprint,
        "actor": entry.actor,
        "origin": entry.origin,
        "source": {
            "session": source.session,
            "position": source.position,
            "speaker": source.speaker,
            "date": source.date,
        }
        if source
        else None,
        "topic": entry.topic,
        "remembered_ms": entry.remembered_ms,
        "reused": entry.reused,
        "corrected": entry.corrected,
        "standing": standings.to_state(entry.standing),
        "reason": entry.reason,
        "skill": entry.skill,
        "into": entry.into,
    }
    return without_defaults(state, "id")


def from_state(state: JsonObject) -> Entry:
    """The entry that a view's state stands for."""
    source = state.get("source")
    scope = text_of(state.get("scope"))
    return Entry(
        id=EntryId(text_of(state["id"])),
        stage=Stage(text_of(state["stage"])),
        form=text_of(state.get("form")),
        kind=text_of(state.get("kind")),
        text=_ref(state, "text"),
        problem=_ref(state, "problem"),
        approach=_ref(state, "approach"),
        cautions=_refs(state, "cautions"),
        tags=_refs(state, "tags"),
        entities=_refs(state, "entities"),
        files=_refs(state, "files"),
        cites=citations.from_state(state.get("cites")),
        language=_ref(state, "language"),
        scope=ProjectId(scope) if scope else None,
        fingerprint=text_of(state.get("fingerprint")),
        actor=Actor(text_of(state.get("actor"))),
        origin=Origin(text_of(state.get("origin"))),
        source=_source(source) if isinstance(source, dict) else None,
        topic=text_of(state.get("topic")),
        remembered_ms=whole(state.get("remembered_ms")),
        reused=whole(state.get("reused")),
        corrected=whole(state.get("corrected")),
        standing=standings.from_state(state.get("standing")),
        reason=text_of(state.get("reason")),
        skill=text_of(state.get("skill")),
        into=EntryId(into) if (into := text_of(state.get("into"))) else None,
    )
