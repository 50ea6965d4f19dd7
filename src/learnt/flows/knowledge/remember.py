"""A solution is offered: through the gates, and into the ledger if they let it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from learnt.core.events import Actor, Draft, Kind, Origin, Where
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    ProjectId,
    entry_id,
    entry_subject,
    keyed_hash,
    plain_or_hashed,
)
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import (
    Admit,
    Decision,
    Merge,
    Reject,
    Solution,
    decide,
    normalised,
    tidy,
)
from learnt.flows.sessions.locate import locate, look
from learnt.ports import Outside, Writer

GATES = ("value", "safety", "redundancy")
BULK = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Where in a conversation an offer was said: each part None where it is not known."""

    session: str | None = None
    position: int | None = None
    speaker: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A solution on its way in: whose it is, and where it is to hold."""

    solution: Solution
    actor: Actor
    folder: str | None = None  # None: everywhere
    quoted: Quoted | None = None

    @property
    def origin(self) -> Origin:
        """A person at a terminal speaks for themselves; any other caller is the agent."""
        return Origin.USER if self.actor is Actor.HUMAN else Origin.ASSISTANT


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an offer. `redacted` names the kinds of secret that were taken out."""

    entry: EntryId
    decision: Decision
    stage: Stage
    redacted: tuple[str, ...] = ()


def remember(outside: Outside, offer: Offer) -> Outcome:
    """Offer one solution; the decision is in the ledger whichever way it went."""
    with outside.ledger.writing() as writer:
        return _offer(outside, writer, offer, decide)


def remember_many(
    outside: Outside,
    offers: Iterable[Offer],
    *,
    gated: bool = True,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Outcome]:
    """Offer many, in transactions of 500; `gated` False admits all, for data that was judged.

    `progress` is told how many were done after each transaction.
    """
    outcomes: list[Outcome] = []
    batch: list[Offer] = []
    for offer in offers:
        batch.append(offer)
        if len(batch) == BULK:
            outcomes.extend(_batch(outside, batch, gated=gated))
            progress(len(outcomes))
            batch = []
    outcomes.extend(_batch(outside, batch, gated=gated))
    progress(len(outcomes))
    return outcomes


def _batch(outside: Outside, offers: list[Offer], *, gated: bool) -> list[Outcome]:
    judge = decide if gated else _admit_all
    with outside.ledger.writing() as writer:
        return [_offer(outside, writer, offer, judge) for offer in offers]


def _admit_all(solution: Solution, same: Callable[[str], EntryId | None]) -> Decision:
    return Admit()


def _offer(
    outside: Outside,
    writer: Writer,
    offer: Offer,
    judge: Callable[[Solution, Callable[[str], EntryId | None]], Decision],
) -> Outcome:
    solution, redacted = tidy(offer.solution)
    located = None if offer.folder is None else locate(outside, writer, look(outside, offer.folder))
    scope = located.project if located else None
    where = Where(
        project=scope,
        place=writer.keep("place", located.place) if located and located.place else None,
    )

    def same(text: str) -> EntryId | None:
        return writer.same_entry(_fingerprint(outside, text), scope)

    decision = judge(solution, same)
    draft = entry_id(outside.clock.now_ms(), outside.random.bytes(3))
    entry = decision.into if isinstance(decision, Merge) else draft
    stage = _stage(decision, offer.actor)
    _record_gates(writer, entry, decision, offer, where)
    if isinstance(decision, Admit):
        _record(outside, writer, entry, solution, offer, (scope, stage), where)
    return Outcome(entry=entry, decision=decision, stage=stage, redacted=redacted)


def _fingerprint(outside: Outside, text: str) -> str:
    return keyed_hash(outside.ledger.key, "fingerprint", text)


def _stage(decision: Decision, actor: Actor) -> Stage:
    if isinstance(decision, Reject):
        return Stage.REJECTED
    return Stage.VALIDATED if actor is Actor.HUMAN else Stage.CANDIDATE


def _record_gates(
    writer: Writer, entry: EntryId, decision: Decision, offer: Offer, where: Where
) -> None:
    payload: JsonObject
    match decision:
        case Admit():
            payload = {"verdict": "admit", "passed": GATES}
        case Merge():
            payload = {"verdict": "merge", "gate": "redundancy", "reason": "duplicate"}
        case Reject(gate, reason):
            passed = GATES[: GATES.index(gate)]
            payload = {"verdict": "reject", "gate": gate, "reason": reason, "passed": passed}
    writer.append(
        Draft(
            subject=entry_subject(entry),
            kind=Kind.GATED,
            actor=offer.actor,
            origin=offer.origin,
            where=where,
            payload=payload,
        )
    )


def _record(
    outside: Outside,
    writer: Writer,
    entry: EntryId,
    solution: Solution,
    offer: Offer,
    standing: tuple[ProjectId | None, Stage],
    where: Where,
) -> None:
    scope, stage = standing

    def kept(kind: str, texts: Iterable[str]) -> list[ContentRef]:
        return [writer.keep(kind, text) for text in texts]

    writer.append(
        Draft(
            subject=entry_subject(entry),
            kind=Kind.REMEMBERED,
            actor=offer.actor,
            origin=offer.origin,
            where=where,
            payload={
                "form": "solution",
                "kind": "solution",
                "stage": stage,
                "scope": scope,
                "problem": writer.keep("problem", solution.problem),
                "approach": writer.keep("approach", solution.approach),
                "cautions": kept("caution", solution.cautions),
                "tags": kept("tag", solution.tags),
                "files": kept("file", solution.files),
                "language": writer.keep("language", solution.language)
                if solution.language
                else None,
                "fingerprint": _fingerprint(outside, normalised(solution)),
                "source": None if offer.quoted is None else _source(outside, writer, offer.quoted),
            },
        )
    )


def _source(outside: Outside, writer: Writer, quoted: Quoted) -> JsonObject:
    """The coordinates as a payload may hold them: names plain or hashed, the speaker a content."""
    key = outside.ledger.key
    known: dict[str, str | int | None] = {
        "session": plain_or_hashed(key, quoted.session) if quoted.session else None,
        "position": quoted.position,
        "speaker": writer.keep("speaker", quoted.speaker) if quoted.speaker else None,
        "date": plain_or_hashed(key, quoted.date) if quoted.date else None,
    }
    return {name: value for name, value in known.items() if value is not None}
