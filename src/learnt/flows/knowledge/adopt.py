"""What another memory brings is taken in, validated where a person read it; undone as a whole."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import field
from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Payload, Where, natural_key, payload_of
from learnt.core.governance.proposals import Evidence, ProposalKind, Status, proposal_id
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    EventId,
    NaturalKey,
    Subject,
    entry_id,
    entry_subject,
    plain_or_hashed,
    proposal_subject,
    session_subject,
)
from learnt.core.knowledge.brought import Bundle, EarlierMiss, TurnedDown, plausible
from learnt.core.knowledge.entries import Entry, Stage, Standing
from learnt.core.knowledge.gates import GATES, Admit
from learnt.core.payloads.entry_events import (
    EntryFeedback,
    Gated,
    Missed,
    NotDelivered,
    Reused,
    Staged,
    SuspectedPair,
)
from learnt.core.payloads.proposal_events import Decided, Proposed
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.recall.asking import should_recall
from learnt.core.records import Record
from learnt.core.safety import excerpt, owned
from learnt.core.sessions.sessions import IMPORTER
from learnt.core.skills.history import IMPORT_UNDONE
from learnt.errors import NotFound
from learnt.flows.governance.decisions import Decider, recorded, refuse_others
from learnt.flows.health.queue import take_over
from learnt.flows.knowledge.capture import Recording, record_beside, remembered, say
from learnt.flows.knowledge.preview import Appraised, Whither, preview
from learnt.flows.plans import PATIENT_LOOKS, Plan, Snapshot, carry_out
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look, where_at
from learnt.flows.stored import append, kept
from learnt.formats import skill_md
from learnt.formats.answers import filled
from learnt.formats.seed_health import at_ms
from learnt.ports import Outside, Reader, Writer

BATCH: Final = 20  # in one transaction: prompts wait for it
_PROMPT: Final = 1_000
_TAKEN: Final = (Kind.REMEMBERED, Kind.STAGED, Kind.MISSED, Kind.SKILL, Kind.DECIDED)
_CHANGES: Final = frozenset({Kind.REMEMBERED, Kind.STAGED, Kind.FEEDBACK, Kind.PURGED})


class Adopted(Record, kw_only=True):
    """What was taken in, under the id by which all of it is undone; without one nothing was."""

    id: str
    taken: int = 0
    vouched: int = 0  # that were candidates here already
    reuses: int = 0
    misses: int = 0
    turned_down: int = 0
    flagged: int = 0  # skills that seed 001 had in its queue


class TakenBack(Record, kw_only=True):
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
    """Take in what was chosen and the signals of the bundle, each once. Raises Conflict."""
    with outside.ledger.reading() as reader:
        again = sum(1 for _ in _undone(reader))
        told = reader.happenings(Kind.MISSED)
        own = (one for one in told if not one.subject.startswith(f"session:{IMPORTER}:"))
        missed = frozenset(one.prompt for one in own)
    name = f"i-{entry_id(outside.clock.now_ms(), outside.random.bytes(3))[2:]}"
    this = _Import(outside, to, Where(agent=IMPORTER, session=name), again, missed)
    done: list[Appraised] = []
    for at in range(0, len(chosen), BATCH):
        plan = partial(this.planned, chosen[at : at + BATCH])
        written = carry_out(outside.ledger, plan, "What is known", looks=PATIENT_LOOKS)
        done += written
        progress(at + BATCH)
    taken = sum(one.state != "double" for one in done)
    uses = ((one, session) for one in done for session in one.piece.sessions)
    doubles = (one for one in chosen if one.state == "double")
    known = {one.piece.id: one for one in (*doubles, *done)}
    rejected = [row for row in bundle.turned_down if row.turned_down in known]
    adopted = Adopted(
        id=name,
        taken=taken,
        vouched=len(done) - taken,
        reuses=sum(this.reused(one.entry, session) for one, session in uses),
        misses=sum(map(this.missed, bundle.misses)),
        turned_down=sum(
            this.turned_down(row, known[row.turned_down]) for row in rejected if to.read
        ),
        flagged=take_over(outside, bundle.queue, this.where, again),
    )
    return Adopted(id="") if adopted == Adopted(id=name) else adopted


class _Import(Record):
    """One import: its place, the undone ones before (`again`), and prompts missed here."""

    outside: Outside
    to: Whither
    where: Where
    again: int
    missed_here: frozenset[ContentRef | None]
    own: set[Subject] = field(default_factory=set)

    def planned(self, batch: Sequence[Appraised]) -> Plan[list[Appraised]]:
        """Some pieces, to be written in one transaction if what they rest on is as it was."""
        with self.outside.ledger.reading() as reader:
            outdated = self._changed(batch[0].moment, reader)
        if outdated:
            names = [one.entry for one in batch]
            batch = preview(self.outside, [one.piece for one in batch], self.to, entries=names)
        moment = batch[0].moment
        ask, nothing = partial(self._changed, moment), frozenset[Subject]()
        rests_on = Snapshot(ask=ask, seen=nothing, moment=moment)
        return Plan(rests_on=rests_on, write=partial(self._write, batch))

    def _changed(self, since: tuple[int, ...], reader: Reader) -> frozenset[Subject]:
        """The entries that somebody else changed since."""
        touched = reader.touched(since, _CHANGES)
        return frozenset(s for s in touched if s.startswith(Entry.prefix) and s not in self.own)

    def _write(self, batch: Sequence[Appraised], writer: Writer) -> list[Appraised]:
        done = []
        for one in batch:
            if one.state == "double" and not self._vouched(writer, one):
                continue
            if one.state in {"new", "disputed"}:
                self._take(writer, one)
            if one.state != "refused":
                others = (suspicion.other for suspicion in one.suspects)
                self.own.update(map(entry_subject, (one.entry, *one.rivals, *others)))
                done.append(one)
        return done

    def _take(self, writer: Writer, one: Appraised) -> None:
        outside, piece, read = self.outside, one.piece, self.to.read
        offer = one.offer if read else replace(one.offer, actor=Actor.TOOL, witness="indirect")
        place = None if offer.folder is None else look(outside, offer.folder)
        at = replace(where_at(outside, writer, place), agent=IMPORTER, session=self.where.session)
        recording = Recording(entry=one.entry, offer=offer, where=at)
        since = at_ms(piece.source.date or "")
        standing = piece.standing or (Standing(confirmed_ms=since) if since else None)
        standing = plausible(standing, outside.clock.now_ms()) if standing and read else None
        stage = piece.stage if read else Stage.CANDIDATE
        payload = remembered(outside, writer, recording, stage, Admit(one.topic))
        say(writer, recording, Gated(verdict="admit", passed=GATES))
        say(writer, recording, replace(payload, told=standing))
        for rival in one.rivals:
            other = entry_of(writer, rival)
            if other is not None and other.live:  # one that was not picked is not there
                disputed = EntryFeedback(result="disputed", source="import", other=rival)
                record_beside(writer, recording, disputed)
        for suspicion in one.suspects:
            other = entry_of(writer, suspicion.other)
            if other is not None and other.live:
                record_beside(writer, recording, filled(SuspectedPair, suspicion))

    def _vouched(self, writer: Writer, one: Appraised) -> bool:
        """Whether a candidate that a person reads and takes is validated by that."""
        entry = entry_of(writer, one.entry)
        proven = self.to.read and one.piece.stage is Stage.VALIDATED
        if not proven or entry is None or entry.stage is not Stage.CANDIDATE:
            return False
        staged = Staged(stage=Stage.VALIDATED, reason="a person took it")
        append(writer, entry_subject(one.entry), Actor.HUMAN, staged, where=self.where)
        return True

    def reused(self, entry: EntryId, session: str) -> bool:
        """Record that an entry was given to a session there; False where that is known."""
        name = plain_or_hashed(self.outside.ledger.key, session)
        payload = Reused(recall=EventId(f"{IMPORTER}:{name}"))
        where = replace(self.where, session=name)
        key = natural_key(self.outside.ledger.key, "reused", entry, IMPORTER, name, 0)
        return self._record(entry_subject(entry), payload, where, key)

    def missed(self, miss: EarlierMiss) -> bool:
        """Record that a prompt found nothing there; False where that is known, or not worth it."""
        if not should_recall(miss.missed):
            return False
        key, subject = self.outside.ledger.key, session_subject(IMPORTER, self.where.session or "")
        with self.outside.ledger.writing() as writer:
            prompt = writer.keep("prompt", excerpt(miss.missed, _PROMPT))
        if prompt in self.missed_here:
            return False  # it comes back from an export of this very home, or is known
        session = plain_or_hashed(key, miss.session or "unknown")
        once = natural_key(key, "miss adopted", session, prompt, miss.date, self.again)
        return self._record(subject, Missed(mode="hook", prompt=prompt), self.where, once)

    def _record(self, subject: Subject, payload: Payload, where: Where, once: NaturalKey) -> bool:
        with self.outside.ledger.writing() as writer:
            event = append(writer, subject, Actor.TOOL, payload, where=where, key=once)
        return event is not None

    def turned_down(self, row: TurnedDown, one: Appraised) -> bool:
        """Record that a person rejected the draft skill of an entry; False where that is known."""
        target = f"skills/{skill_md.slug(one.offer.what.subject)}/SKILL.md"
        own = proposal_id(self.outside.ledger.key, ProposalKind.NEW_SKILL, one.entry, target)
        subject, count = proposal_subject(own), len(one.piece.sessions)
        with self.outside.ledger.writing() as writer:
            if recorded(own, writer) is not None:
                return False
            proposed = Proposed(
                kind=ProposalKind.NEW_SKILL,
                about=one.entry,
                target=writer.keep("target", owned(target)),
                evidence=Evidence(count=count, distinct=count),
            )
            note = kept(writer, "note", excerpt(row.note, _PROMPT))
            append(writer, subject, Actor.TOOL, proposed, where=self.where)
            rejected = Decided(verdict="rejected", note=note)
            append(writer, subject, Actor.HUMAN, rejected, where=self.where)
        return True


def _undone(reader: Reader) -> Iterator[Event]:
    events = reader.events(kind=Kind.NOT_DELIVERED)
    return (event for event in events if event.where.agent == IMPORTER)


def take_back(outside: Outside, name: str, decider: Decider) -> TakenBack:
    """Undo an import (`last`: the latest) as a whole. Raises Refused, NotFound."""
    refuse_others(decider, f"learnt import --undo {name}")
    with outside.ledger.reading() as reader:
        gone = {event.where.session for event in _undone(reader)}
        every = (event for kind in _TAKEN for event in reader.events(kind=kind))
        names = {e.where.session or "" for e in every if e.where.agent == IMPORTER} - gone
        left = sorted(one for one in names if one.startswith("i-"))  # they begin with the time
        name = left[-1] if name == "last" and left else name
        events = list(reader.events(session=name))
    if name not in left:
        known = f" Those that can be undone: {', '.join(left[-5:])}." if left else ""
        raise NotFound(f"There is no import {name} to undo.{known} Nothing was changed.")
    back = TakenBack(id=name)
    for at in range(0, len(events), BATCH):
        with outside.ledger.writing() as writer:
            for event in events[at : at + BATCH]:
                back = _back(writer, event, decider, back)
    with outside.ledger.durably_writing() as writer:
        where, subject = Where(agent=IMPORTER, session=name), session_subject(IMPORTER, name)
        append(writer, subject, decider.actor, NotDelivered(reason=IMPORT_UNDONE), where=where)
    return back


def _back(writer: Writer, event: Event, decider: Decider, back: TakenBack) -> TakenBack:
    """One event of an import taken back."""
    where = Where(agent=IMPORTER)
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
