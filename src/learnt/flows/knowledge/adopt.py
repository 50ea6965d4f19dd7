"""What another memory brings is taken in, validated where a person took it; undone as a whole."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from learnt.core.events import Actor, Event, Kind, Where, payload_of
from learnt.core.governance.proposals import Evidence, ProposalKind, Status, proposal_id
from learnt.core.identifiers import (
    EntryId,
    EventId,
    Subject,
    entry_id,
    entry_subject,
    plain_or_hashed,
    proposal_subject,
    session_subject,
)
from learnt.core.knowledge.brought import Bundle, EarlierMiss, TurnedDown, plausible
from learnt.core.knowledge.drafts import subject as subject_of
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import GATES, Admit
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.entry_events import Gated, Staged
from learnt.core.payloads.proposal_events import Decided, Proposed
from learnt.core.payloads.recall_events import Missed, NotDelivered, Reused
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.recall.routing import should_recall
from learnt.core.safety import excerpt, owned
from learnt.core.skills.history import IMPORT_UNDONE
from learnt.errors import NotFound
from learnt.flows.governance.decisions import Decider, recorded, refuse_others
from learnt.flows.health.queue import take_over
from learnt.flows.knowledge.preview import Appraised, Whither, preview
from learnt.flows.knowledge.recording import Recording, dispute, remembered, say
from learnt.flows.plans import PATIENT_LOOKS, Plan, Snapshot, carry_out
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look, where_at
from learnt.flows.stored import append, kept
from learnt.formats import skill_md
from learnt.ports import Outside, Reader, Writer

AGENT: Final = "import"
BATCH: Final = 20  # in one transaction: prompts wait for it
_PROMPT: Final = 1_000
_CHANGES: Final = frozenset({Kind.REMEMBERED, Kind.STAGED, Kind.FEEDBACK, Kind.PURGED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """What was taken in, under the id by which all of it is undone.

    `vouched` were candidates here already; `reuses`, `misses` and `turned_down` are the signals
    that came along, and `flagged` the skills that seed 001 had in its queue.
    """

    id: str
    taken: int = 0
    vouched: int = 0
    reuses: int = 0
    misses: int = 0
    turned_down: int = 0
    flagged: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """What the undoing of an import did."""

    id: str
    retired: int = 0
    candidates: int = 0  # that are candidates again
    reopened: int = 0  # drafts that it had turned down
    unflagged: int = 0  # skills


def adopt(
    outside: Outside,
    chosen: Sequence[Appraised],
    bundle: Bundle,
    to: Whither,
    progress: Callable[[int], None] = lambda done: None,
) -> Adopted:
    """Take in what was chosen, and the signals that the bundle brings; each once.

    What changed here since it was looked at is looked at again. Raises Conflict where that goes on.
    """
    name = f"i-{entry_id(outside.clock.now_ms(), outside.random.bytes(3))[2:]}"
    own: set[Subject] = set()
    done: list[Appraised] = []
    for at in range(0, len(chosen), BATCH):
        batch = _Batch(outside, chosen[at : at + BATCH], to, name, own)
        done = [*done, *carry_out(outside.ledger, batch.plan, "What is known", looks=PATIENT_LOOKS)]
        progress(at + BATCH)
    new = {one.piece.id: one for one in done if one.state != "double"}
    signals = _Signals(outside, name)
    return Adopted(
        id=name if done or bundle.along else "",
        taken=sum(one.state != "double" for one in done),
        vouched=sum(one.state == "double" for one in done),
        reuses=sum(
            signals.reused(one.entry, session)
            for one in new.values()
            for session in one.piece.sessions
        ),
        misses=sum(map(signals.missed, bundle.misses)),
        turned_down=sum(
            signals.turned_down(row, new[row.about])
            for row in bundle.turned_down
            if row.about in new and to.actor is Actor.HUMAN
        ),
        flagged=take_over(outside, bundle.queue, signals.where, signals.again),
    )


class _Batch:
    """Some pieces, written in one transaction, if what they rest on is as it was."""

    def __init__(
        self,
        outside: Outside,
        chosen: Sequence[Appraised],
        to: Whither,
        name: str,
        own: set[Subject],
    ) -> None:
        self._outside, self._chosen, self._to, self._name, self._own = (
            outside, chosen, to, name, own
        )  # fmt: skip
        self._again = False

    def plan(self) -> Plan[list[Appraised]]:
        if self._again:
            pieces = [one.piece for one in self._chosen]
            entries = [one.entry for one in self._chosen]
            self._chosen = preview(self._outside, pieces, self._to, entries=entries)
        self._again = True
        moment = self._chosen[0].moment
        ask = partial(_changed, moment, self._own)
        rests_on = Snapshot(ask=ask, seen=frozenset[Subject](), moment=moment)
        return Plan(rests_on=rests_on, write=self._write)

    def _write(self, writer: Writer) -> list[Appraised]:
        done = []
        for one in self._chosen:
            written = self._vouched(writer, one) if one.state == "double" else False
            if one.state in {"new", "disputed"}:
                self._take(writer, one)
                written = True
            if written:
                self._own.add(entry_subject(one.entry))
                done.append(one)
        return done

    def _take(self, writer: Writer, one: Appraised) -> None:
        outside, offer, piece = self._outside, one.offer, one.piece
        place = None if offer.folder is None else look(outside, offer.folder)
        where = replace(where_at(outside, writer, place), agent=AGENT, session=self._name)
        this = Recording(entry=one.entry, offer=offer, where=where)
        human = offer.actor is Actor.HUMAN
        stage = piece.stage if human else Stage.CANDIDATE
        told = plausible(piece.standing, outside.clock.now_ms()) if piece.standing else None
        payload = remembered(outside, writer, this, stage, Admit(one.topic))
        say(writer, this, Gated(verdict="admit", passed=GATES))
        say(writer, this, payload._replace(told=told if human else None))
        for rival in one.rivals:
            if (other := entry_of(writer, rival)) is not None and other.live:
                dispute(writer, this, rival)
                self._own.add(entry_subject(rival))

    def _vouched(self, writer: Writer, one: Appraised) -> bool:
        """Whether a candidate that a person takes once more is validated by that."""
        entry = entry_of(writer, one.entry)
        proven = one.offer.actor is Actor.HUMAN and one.piece.stage is Stage.VALIDATED
        if not proven or entry is None or entry.stage is not Stage.CANDIDATE:
            return False
        staged = Staged(stage=Stage.VALIDATED, reason="a person took it")
        where = Where(agent=AGENT, session=self._name)
        append(writer, entry_subject(one.entry), Actor.HUMAN, staged, where=where)
        return True


def _changed(since: tuple[int, ...], own: set[Subject], reader: Reader) -> frozenset[Subject]:
    """The entries that somebody else changed since."""
    touched = reader.touched(since, _CHANGES)
    return frozenset(name for name in touched if name.startswith(Entry.prefix) and name not in own)


class _Signals:
    """What was counted elsewhere, as signals of today; each is recorded once."""

    def __init__(self, outside: Outside, name: str) -> None:
        self._outside, self.where = outside, Where(agent=AGENT, session=name)
        with outside.ledger.reading() as reader:
            self.again = sum(1 for one in _undone(reader))

    def reused(self, entry: EntryId, session: str) -> bool:
        """Record that an entry was given to a session there; False where that is known."""
        key = self._outside.ledger.key
        name = plain_or_hashed(key, session)
        payload = Reused(recall=EventId(f"{AGENT}:{name}"))
        once = natural_key(key, "reused", entry, AGENT, name, 0)
        where = replace(self.where, session=name)
        with self._outside.ledger.writing() as writer:
            subject = entry_subject(entry)
            return append(writer, subject, Actor.TOOL, payload, where=where, key=once) is not None

    def missed(self, miss: EarlierMiss) -> bool:
        """Record that a prompt found nothing there; False where that is known, or not worth it."""
        key, text = self._outside.ledger.key, excerpt(miss.prompt, _PROMPT)
        if not should_recall(miss.prompt):
            return False
        session = plain_or_hashed(key, miss.session or "unknown")
        subject = session_subject(AGENT, self.where.session or "")
        with self._outside.ledger.writing() as writer:
            payload = Missed(mode="hook", prompt=writer.keep("prompt", text))
            about = (session, payload.prompt, miss.date, self.again)
            once = natural_key(key, "miss adopted", *about)
            where = self.where
            return append(writer, subject, Actor.TOOL, payload, where=where, key=once) is not None

    def turned_down(self, row: TurnedDown, one: Appraised) -> bool:
        """Record that a person rejected the draft skill of an entry; False where that is known."""
        target = f"skills/{skill_md.slug(subject_of(one.offer.what))}/SKILL.md"
        own = proposal_id(self._outside.ledger.key, ProposalKind.NEW_SKILL, one.entry, target)
        subject, words = proposal_subject(own), excerpt(row.note, _PROMPT)
        with self._outside.ledger.writing() as writer:
            if recorded(own, writer) is not None:
                return False
            count = len(one.piece.sessions)
            proposed = Proposed(
                kind=ProposalKind.NEW_SKILL,
                about=one.entry,
                target=writer.keep("target", owned(target)),
                evidence=Evidence(count=count, distinct=count),
            )
            rejected = Decided(verdict="rejected", note=kept(writer, "note", words))
            append(writer, subject, Actor.TOOL, proposed, where=self.where)
            append(writer, subject, Actor.HUMAN, rejected, where=self.where)
        return True


def _undone(reader: Reader) -> Iterator[Event]:
    events = reader.events(kind=Kind.NOT_DELIVERED)
    return (event for event in events if event.where.agent == AGENT)


def take_back(outside: Outside, name: str, decider: Decider) -> TakenBack:
    """Undo an import as a whole; `last` is the latest one that was not undone.

    Raises Refused for anybody but a person, NotFound for an import that there is not, or no more.
    """
    refuse_others(decider, f"learnt import --undo {name}")
    with outside.ledger.reading() as reader:
        gone = {event.where.session for event in _undone(reader)}
        every = (e for e in reader.events(kind=Kind.REMEMBERED) if e.where.agent == AGENT)
        imports = [one for one in dict.fromkeys(e.where.session or "" for e in every)]
        left = [one for one in imports if one not in gone]
        name = left[-1] if name == "last" and left else name
        events = list(reader.events(session=name))
    if name in gone or not any(event.where.agent == AGENT for event in events):
        known = f" Those that can be undone: {', '.join(left[-5:])}." if left else ""
        raise NotFound(f"There is no import {name} to undo.{known} Nothing was changed.")
    back = TakenBack(id=name)
    for at in range(0, len(events), BATCH):
        with outside.ledger.writing() as writer:
            for event in events[at : at + BATCH]:
                back = _back(writer, event, decider, back)
    with outside.ledger.durably_writing() as writer:
        where, subject = Where(agent=AGENT, session=name), session_subject(AGENT, name)
        append(writer, subject, decider.actor, NotDelivered(reason=IMPORT_UNDONE), where=where)
    return back


def _back(writer: Writer, event: Event, decider: Decider, back: TakenBack) -> TakenBack:
    """One event of an import taken back."""
    where = Where(agent=AGENT)
    if event.kind in {Kind.REMEMBERED, Kind.STAGED}:
        entry = entry_of(writer, EntryId(event.subject.removeprefix(Entry.prefix)))
        if entry is None or not entry.live:
            return back
        new = event.kind is Kind.REMEMBERED
        staged = Staged(stage=Stage.RETIRED if new else Stage.CANDIDATE, reason=IMPORT_UNDONE)
        append(writer, Subject(event.subject), decider.actor, staged, where=where)
        return replace(back, retired=back.retired + new, candidates=back.candidates + (not new))
    if event.kind is Kind.DECIDED:
        proposal = recorded(event.subject.partition(":")[2], writer)
        if proposal is not None and proposal.status is Status.REJECTED:
            for verdict in ("undone", "withdrawn"):
                append(writer, Subject(event.subject), decider.actor, Decided(verdict=verdict))
            return replace(back, reopened=back.reopened + 1)
    if event.kind is Kind.SKILL and payload_of(SkillEvent, event).action == "flagged":
        told = SkillEvent(action="flagged", cause=IMPORT_UNDONE)
        append(writer, Subject(event.subject), decider.actor, told, where=where)
        return replace(back, unflagged=back.unflagged + 1)
    return back
