"""A look over all candidates: those that proved themselves are validated, the forgotten retired."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from learnt.core.events import Actor, Draft
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.admission import Expire, Promote, Verdict, Wait, judge
from learnt.core.knowledge.citations import joined
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.entry_events import EntryFeedback, Staged
from learnt.errors import Refused
from learnt.flows.knowledge.feedback import live
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import all_stored
from learnt.ports import Outside, Reader, Writer


class Joined(NamedTuple):
    """An entry that is now part of another one."""

    entry: EntryId
    into: EntryId


class Waiting(NamedTuple):
    """A candidate, and what it still needs: names in `admission.NEEDS`."""

    id: EntryId
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What a sweep did, and which candidates still wait."""

    promoted: tuple[EntryId, ...] = ()
    expired: tuple[EntryId, ...] = ()
    merged: tuple[Joined, ...] = ()
    waiting: tuple[Waiting, ...] = ()


def sweep(
    outside: Outside, *, promote: bool = True, expire: bool = True, merge: bool = True
) -> Swept:
    """Validate what is ready, retire what nothing speaks for, join doubles.

    Each in a transaction of its own: what is said of an entry meanwhile counts.
    """
    now = outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        doubles = list(_doubles(reader)) if merge else []
    merged = [Joined(*pair) for pair in doubles if _join(outside, *pair)]
    with outside.ledger.reading() as reader:
        judged = [(entry.id, judgement(entry, now)) for entry in _candidates(reader)]
    ready = [name for name, said in judged if promote and said == Promote()]
    forgotten = [name for name, said in judged if expire and said == Expire()]
    return Swept(
        promoted=settle(outside, ready),
        expired=tuple(
            name
            for name in forgotten
            if _stage_if(outside, name, Expire(), Stage.RETIRED, "expired")
        ),
        merged=tuple(merged),
        waiting=tuple(Waiting(name, said.needs) for name, said in judged if isinstance(said, Wait)),
    )


def settle(outside: Outside, names: Iterable[EntryId]) -> tuple[EntryId, ...]:
    """Validate those of some entries that have proved themselves; which they were."""
    promote, to = Promote(), Stage.VALIDATED
    once = dict.fromkeys(names)
    return tuple(name for name in once if _stage_if(outside, name, promote, to, "proved itself"))


def _stage_if(outside: Outside, name: EntryId, verdict: Verdict, to: Stage, reason: str) -> bool:
    """Bring a candidate to another stage, if that is the verdict on it, before and in the lock."""
    now = outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        if not _is(reader, name, verdict, now):
            return False
    with outside.ledger.writing() as writer:
        if not _is(writer, name, verdict, now):
            return False
        stage(writer, name, Actor.LEARNT, to, reason)
    return True


def _is(reader: Reader, name: EntryId, verdict: Verdict, now_ms: int) -> bool:
    entry = entry_of(reader, name)
    if entry is None or not entry.live or entry.stage is not Stage.CANDIDATE:
        return False
    return judgement(entry, now_ms) == verdict


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
    staged = Staged(stage=to, reason=reason, into=into)
    writer.append(Draft(subject=entry_subject(name), actor=actor, payload=staged))


def _entries(reader: Reader, wanted: Callable[[Entry], bool]) -> Iterable[Entry]:
    return [entry for entry in all_stored(reader, Entry) if entry.live and wanted(entry)]


def _candidates(reader: Reader) -> Iterable[Entry]:
    return _entries(reader, lambda entry: entry.stage is Stage.CANDIDATE)


def _doubles(reader: Reader) -> Iterable[tuple[EntryId, EntryId]]:
    """Entries of one text and scope, as two machines or linked projects bring them about.

    Of each pair the second is kept: the lower id, and a validated one before a candidate.
    """
    first: dict[tuple[str, str], Entry] = {}
    held = list(_entries(reader, lambda entry: bool(entry.fingerprint)))
    for entry in sorted(held, key=lambda entry: entry.stage is not Stage.VALIDATED):
        kept = first.setdefault(_text_of(entry), entry)  # views come in the order of their ids
        if kept is not entry:
            yield entry.id, kept.id


def _text_of(entry: Entry) -> tuple[str, str]:
    return entry.fingerprint, entry.scope or ""


def _join(outside: Outside, double: EntryId, into: EntryId) -> bool:
    """Retire a double; what spoke for it and against it speaks of the other from now on.

    False where they are no doubles any more.
    """
    with outside.ledger.writing() as writer:
        entry, kept = entry_of(writer, double), entry_of(writer, into)
        if entry is None or kept is None or not (entry.live and kept.live):
            return False
        worse = entry.stage is Stage.VALIDATED and kept.stage is not Stage.VALIDATED
        if worse or _text_of(entry) != _text_of(kept):
            return False
        if entry.standing.beta:
            _against(writer, kept.id, entry.standing.beta)
        shown = joined(kept.cites, entry.cites, firm=False) if entry.cites else ()
        for one in entry.standing.confirmations:
            writer.append(
                Draft(
                    subject=entry_subject(kept.id),
                    actor=one.actor,
                    payload=EntryFeedback(
                        result="confirmed",
                        source="merge",
                        credibility=one.credibility,
                        relevance=one.relevance,
                        ms=one.ms,
                        session=one.session,
                        cites=shown,
                    ),
                )
            )
        stage(writer, entry.id, Actor.LEARNT, Stage.RETIRED, "merged", into=kept.id)
    return True


def _against(writer: Writer, name: EntryId, weight: int) -> None:
    failure = EntryFeedback(result="failure", weight=weight, source="merge")
    writer.append(Draft(subject=entry_subject(name), actor=Actor.LEARNT, payload=failure))
