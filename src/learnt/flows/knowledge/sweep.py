"""A look over all candidates: those that proved themselves are validated, the forgotten retired."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from learnt.core.events import Actor, Draft, Kind
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.admission import Expire, Promote, Verdict, Wait, judge
from learnt.core.knowledge.citations import Citation, joined
from learnt.core.knowledge.entries import Entry, Stage, from_state
from learnt.errors import Refused
from learnt.flows.knowledge.citing import part
from learnt.flows.knowledge.feedback import live
from learnt.flows.recall.search import entry_of
from learnt.ports import Outside, Reader, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What a sweep did. `waiting` are candidates with what each still needs."""

    promoted: tuple[EntryId, ...] = ()
    expired: tuple[EntryId, ...] = ()
    merged: tuple[tuple[EntryId, EntryId], ...] = ()
    waiting: tuple[tuple[EntryId, tuple[str, ...]], ...] = ()


def sweep(
    outside: Outside, *, promote: bool = True, expire: bool = True, merge: bool = True
) -> Swept:
    """Validate what is ready, retire what nothing speaks for, join doubles; all in one go."""
    now = outside.clock.now_ms()
    with outside.ledger.writing() as writer:
        merged = list(_joined(writer)) if merge else []
        gone = {double for double, _ in merged}
        judged = [
            (entry.id, judgement(entry, now))
            for entry in _candidates(writer)
            if entry.id not in gone
        ]
        promoted = [name for name, said in judged if promote and said == Promote()]
        expired = [name for name, said in judged if expire and said == Expire()]
        for name in promoted:
            stage(writer, name, Actor.LEARNT, Stage.VALIDATED, "proved itself")
        for name in expired:
            stage(writer, name, Actor.LEARNT, Stage.RETIRED, "expired")
    return Swept(
        promoted=tuple(promoted),
        expired=tuple(expired),
        merged=tuple(merged),
        waiting=tuple((name, said.needs) for name, said in judged if isinstance(said, Wait)),
    )


def settle(outside: Outside, names: Iterable[EntryId]) -> tuple[EntryId, ...]:
    """Validate those of some entries that have proved themselves; which they were."""
    now = outside.clock.now_ms()
    promoted = []
    with outside.ledger.reading() as reader:
        ready = [name for name in dict.fromkeys(names) if _is_ready(reader, name, now)]
    for name in ready:
        with outside.ledger.writing() as writer:
            if _is_ready(writer, name, now):
                stage(writer, name, Actor.LEARNT, Stage.VALIDATED, "proved itself")
                promoted.append(name)
    return tuple(promoted)


def _is_ready(reader: Reader, name: EntryId, now_ms: int) -> bool:
    entry = entry_of(reader, name)
    if entry is None or not entry.live or entry.stage is not Stage.CANDIDATE:
        return False
    return judgement(entry, now_ms) == Promote()


def judgement(entry: Entry, now_ms: int) -> Verdict:
    """What is to become of a candidate today."""
    told = entry.standing.confirmations
    return judge(told, entry.kind, entry.remembered_ms, now_ms)


def promote_now(outside: Outside, name: EntryId, actor: Actor) -> Entry:
    """A person vouches for a candidate: it is validated at once; the entry as it is then."""
    return _by_hand(outside, name, actor, Stage.VALIDATED, "a person vouched for it")


def retire_now(outside: Outside, name: EntryId, actor: Actor) -> Entry:
    """A person takes an entry out of use; its texts and its story stay."""
    return _by_hand(outside, name, actor, Stage.RETIRED, "a person retired it")


def _by_hand(outside: Outside, name: EntryId, actor: Actor, to: Stage, reason: str) -> Entry:
    if actor is not Actor.HUMAN:
        raise Refused(
            f"Only a person at a terminal decides on {name} alone; `learnt knowledge sweep` goes "
            "by the evidence. Nothing was changed."
        )
    with outside.ledger.writing() as writer:
        held = live(writer, name)
        if held.stage is to:
            raise Refused(f"{name} is {to} already. Nothing was changed.")
        stage(writer, name, actor, to, reason)
        return entry_of(writer, name) or held


def stage(
    writer: Writer, name: EntryId, actor: Actor, to: Stage, reason: str, into: EntryId | None = None
) -> None:
    """Record that an entry came to another stage."""
    payload: JsonObject = {"stage": to, "reason": reason}
    if into is not None:
        payload = {**payload, "into": into}
    writer.append(
        Draft(subject=entry_subject(name), kind=Kind.STAGED, actor=actor, payload=payload)
    )


def _entries(reader: Reader, wanted: Callable[[Entry], bool]) -> Iterable[Entry]:
    held = (from_state(view.state) for view in reader.views("entry:"))
    return [entry for entry in held if entry.live and wanted(entry)]


def _candidates(reader: Reader) -> Iterable[Entry]:
    return _entries(reader, lambda entry: entry.stage is Stage.CANDIDATE)


def _joined(writer: Writer) -> Iterable[tuple[EntryId, EntryId]]:
    """Join entries of one text and scope, as two machines or linked projects bring them about.

    The lower id wins, and a validated one before a candidate; it gains what spoke for the other,
    and loses what spoke against it.
    """
    first: dict[tuple[str, str], Entry] = {}
    held = list(_entries(writer, lambda entry: bool(entry.fingerprint)))
    for entry in sorted(held, key=lambda entry: entry.stage is not Stage.VALIDATED):
        key = (entry.fingerprint, entry.scope or "")
        kept = first.setdefault(key, entry)  # views come in the order of their ids
        if kept is entry:
            continue
        if entry.standing.beta:
            _against(writer, kept.id, entry.standing.beta)
        shown = part(_cites(writer, kept, entry))
        for one in entry.standing.confirmations:
            writer.append(
                Draft(
                    subject=entry_subject(kept.id),
                    kind=Kind.FEEDBACK,
                    actor=one.actor,
                    payload={
                        "result": "confirmed",
                        "source": "merge",
                        "credibility": one.credibility,
                        "relevance": one.relevance,
                        "ms": one.ms,
                        "session": one.session,
                        **shown,
                    },
                )
            )
        stage(writer, entry.id, Actor.LEARNT, Stage.RETIRED, "merged", into=kept.id)
        yield entry.id, kept.id


def _cites(reader: Reader, kept: Entry, gone: Entry) -> tuple[Citation, ...]:
    """What both cite; none where the one that goes cites nothing."""
    now = entry_of(reader, kept.id) or kept
    return joined(now.cites, gone.cites, firm=False) if gone.cites else ()


def _against(writer: Writer, name: EntryId, weight: int) -> None:
    payload: JsonObject = {"result": "failure", "weight": weight, "source": "merge"}
    writer.append(
        Draft(subject=entry_subject(name), kind=Kind.FEEDBACK, actor=Actor.LEARNT, payload=payload)
    )
