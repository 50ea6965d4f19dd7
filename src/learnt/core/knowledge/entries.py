"""An entry: one atomic piece of knowledge, and how its events fold into what is true of it now."""

from dataclasses import dataclass, replace
from enum import StrEnum

from learnt.core.events import Actor, Event, Kind, Origin
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.json_values import JsonObject, member, strings, text_of, whole


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

    `reused` counts the sessions in which it was injected and delivered; `fingerprint` is the keyed
    hash of its normalised text, equal for exact duplicates only; `skill` is the proposal by which
    it became a skill, while that stands.
    """

    id: EntryId
    stage: Stage
    form: str = "solution"
    kind: str = "solution"
    problem: ContentRef | None = None
    approach: ContentRef | None = None
    cautions: tuple[ContentRef, ...] = ()
    tags: tuple[ContentRef, ...] = ()
    files: tuple[ContentRef, ...] = ()
    language: ContentRef | None = None
    scope: ProjectId | None = None
    fingerprint: str = ""
    actor: Actor = Actor.LEARNT
    origin: Origin = Origin.ASSISTANT
    source: Source | None = None
    remembered_ms: int = 0
    reused: int = 0
    confirmations: int = 0
    reason: str = ""
    skill: str = ""

    @property
    def refs(self) -> tuple[ContentRef, ...]:
        """Every content reference the entry holds."""
        speaker = self.source.speaker if self.source else None
        named = (self.problem, self.approach, self.language, speaker)
        singles = (ref for ref in named if ref)
        return (*singles, *self.cautions, *self.tags, *self.files)


def step(entry: Entry | None, event: Event) -> Entry:
    """The entry after one more event about it."""
    known = entry or Entry(id=EntryId(event.subject.split(":", 1)[1]), stage=Stage.CANDIDATE)
    match event.kind:
        case Kind.GATED:
            return _gated(known, event)
        case Kind.REMEMBERED:
            return _remembered(known, event)
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
        return replace(entry, confirmations=entry.confirmations + 1)
    return entry


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
    payload = event.payload
    source = payload.get("source")
    scope = text_of(payload.get("scope"))
    return replace(
        entry,
        stage=Stage(text_of(payload.get("stage"))),
        form=text_of(payload.get("form")),
        kind=text_of(payload.get("kind")),
        problem=_ref(payload, "problem"),
        approach=_ref(payload, "approach"),
        cautions=_refs(payload, "cautions"),
        tags=_refs(payload, "tags"),
        files=_refs(payload, "files"),
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
        "problem": entry.problem,
        "approach": entry.approach,
        "cautions": list(entry.cautions),
        "tags": list(entry.tags),
        "files": list(entry.files),
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
        "remembered_ms": entry.remembered_ms,
        "reused": entry.reused,
        "confirmations": entry.confirmations,
        "reason": entry.reason,
        "skill": entry.skill,
    }
    return {name: value for name, value in state.items() if value or name == "id"}  # type: ignore[misc]  # every value above is JSON


def from_state(state: JsonObject) -> Entry:
    """The entry that a view's state stands for."""
    source = state.get("source")
    scope = text_of(state.get("scope"))
    return Entry(
        id=EntryId(text_of(state["id"])),
        stage=Stage(text_of(state["stage"])),
        form=text_of(state.get("form")),
        kind=text_of(state.get("kind")),
        problem=_ref(state, "problem"),
        approach=_ref(state, "approach"),
        cautions=_refs(state, "cautions"),
        tags=_refs(state, "tags"),
        files=_refs(state, "files"),
        language=_ref(state, "language"),
        scope=ProjectId(scope) if scope else None,
        fingerprint=text_of(state.get("fingerprint")),
        actor=Actor(text_of(state.get("actor"))),
        origin=Origin(text_of(state.get("origin"))),
        source=_source(source) if isinstance(source, dict) else None,
        remembered_ms=whole(state.get("remembered_ms")),
        reused=whole(state.get("reused")),
        confirmations=whole(state.get("confirmations")),
        reason=text_of(state.get("reason")),
        skill=text_of(state.get("skill")),
    )
