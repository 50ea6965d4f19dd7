"""The candidates: which wait for a person to vouch, and which prove themselves or are forgotten."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from learnt.core.events import Actor, Kind, Origin, payload_of
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.admission import Judgement, judge
from learnt.core.knowledge.citations import joined
from learnt.core.knowledge.comparing import compare
from learnt.core.knowledge.entries import BY_HAND, MERGED, TAKEN_BACK, Entry, Stage
from learnt.core.knowledge.entry_fold import step
from learnt.core.payloads.entry_events import EntryFeedback, Recalled, Staged
from learnt.core.records import Record, Row
from learnt.core.sessions.sessions import IMPORTER
from learnt.errors import Conflict, Refused
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.checking import checking
from learnt.flows.knowledge.feedback import live
from learnt.flows.knowledge.offers import neighbours
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import all_stored, append, text_or_empty
from learnt.formats.answers import filled
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader, Writer

LOOKED_AT: Final = 1_000  # recalls
LATELY_MS: Final = 30 * 86_400_000
_ALIKE: Final = 0.5  # likeness


class Lately(Record):
    """Of thirty days, by entry: times shown to agents, and prompts that lacked it (`wanted`)."""

    given: Counter[EntryId]
    wanted: Counter[EntryId]


def lately(reader: Reader, now_ms: int) -> Lately:
    """What the recalls of the last thirty days say, of very many the newest thousand."""
    given, wanted = Counter[EntryId](), Counter[EntryId]()
    for event in reader.events(kind=Kind.RECALLED, newest=LOOKED_AT):
        if now_ms - event.wall_ms > LATELY_MS:
            continue
        recall = payload_of(Recalled, event)
        if recall.mode == "start":  # which lists whatever there is
            continue
        told = {*recall.shown, *recall.hinted}
        given.update(told)
        if recall.mode == "hook":
            known = told.union(recall.already)
            wanted.update(each.entry for each in recall.found if each.entry not in known)
    return Lately(given, wanted)


class Unproven(Record):
    """A candidate, and the import that it came by; empty for none."""

    entry: Entry
    note: Note
    brought: str


def candidates(outside: Outside, folder: str) -> list[Unproven]:
    """The candidates that a folder's project sees, the oldest first, due for a sweep or not."""
    with checking(outside, folder) as checker:
        live = (e for e in all_stored(checker.reader, Entry) if e.live)
        seen = (e for e in live if e.stage is Stage.CANDIDATE and checker.sees(e))
        return [
            Unproven(entry=e, note=checker.note(e), brought=_import_of(checker.reader, e))
            for e in seen
        ]


def _import_of(reader: Reader, entry: Entry) -> str:
    if entry.origin is not Origin.MIXED:  # as all that is imported is
        return ""
    said = reader.events(subject=entry_subject(entry.id), kind=Kind.REMEMBERED)
    names = (event.where.session for event in said if event.where.agent == IMPORTER)
    return next(filter(None, names), "")


def alike(outside: Outside, folder: str, entry: Entry) -> Note | None:
    """The fact that seems to say the same as another one, by the words of both; None for none."""
    found = list[tuple[float, EntryId]]()
    with checking(outside, folder) as checker:
        reader = checker.reader
        text = text_or_empty(reader, entry.text)
        for other in neighbours(outside, reader, text, checker.scopes):
            compared = compare(other.text, text, outside.stem)
            same = compared.sort and compared.clash != "number"
            if same and other.fact and other.id not in {entry.id, *entry.disputes}:
                found.append((compared.likeness, other.id))
        likeness, name = max(found, default=(0.0, None))
        best = entry_of(reader, name) if name and likeness >= _ALIKE else None
        return checker.note(best) if best else None


class Joined(Row):
    """An entry that is now part of another one."""

    entry: EntryId
    into: EntryId


class Waiting(Row):
    """A candidate, and what it still needs: names in `admission.NEEDS`."""

    id: EntryId
    needs: tuple[str, ...]


class Swept(Record):
    """What a sweep did, and which candidates still wait."""

    promoted: tuple[EntryId, ...] = ()
    expired: tuple[EntryId, ...] = ()
    merged: tuple[Joined, ...] = ()
    waiting: tuple[Waiting, ...] = ()


def sweep(
    outside: Outside, *, promote: bool = True, expire: bool = True, merge: bool = True
) -> Swept:
    """Validate what is ready, retire what nothing speaks for, join duplicates."""
    # Each in a transaction of its own: what is said of an entry meanwhile counts.
    now = outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        duplicates = list(_duplicates(reader)) if merge else []
    merged = [Joined(*pair) for pair in duplicates if _join(outside, *pair)]
    with outside.ledger.reading() as reader:
        entries = [e for e in all_stored(reader, Entry) if e.live and e.stage is Stage.CANDIDATE]
    verdicts = [(entry.id, judgement(entry, now)) for entry in entries]
    ready = [name for name, verdict in verdicts if promote and verdict.stage is Stage.VALIDATED]
    forgotten = [name for name, verdict in verdicts if expire and verdict.stage is Stage.RETIRED]
    return Swept(
        promoted=settle(outside, ready),
        expired=_staged(outside, forgotten, Stage.RETIRED, "expired"),
        merged=tuple(merged),
        waiting=tuple(Waiting(name, v.needs) for name, v in verdicts if v.needs),
    )


def settle(outside: Outside, names: Iterable[EntryId]) -> tuple[EntryId, ...]:
    """Validate those of some entries that have proved themselves; which they were."""
    return _staged(outside, dict.fromkeys(names), Stage.VALIDATED, "proved itself")


def _staged(
    outside: Outside, names: Iterable[EntryId], to: Stage, reason: str
) -> tuple[EntryId, ...]:
    now, done = outside.clock.now_ms(), []
    for name in names:
        with outside.ledger.reading() as reader:
            if not _is_due(reader, name, to, now):
                continue
        with outside.ledger.writing() as writer:
            if _is_due(writer, name, to, now):
                stage(writer, name, Actor.LEARNT, to, reason)
                done.append(name)
    return tuple(done)


def _is_due(reader: Reader, name: EntryId, to: Stage, now_ms: int) -> bool:
    entry = entry_of(reader, name)
    if entry is None or not entry.live or entry.stage is not Stage.CANDIDATE:
        return False
    return judgement(entry, now_ms).stage is to


def judgement(entry: Entry, now_ms: int) -> Judgement:
    """What is to become of a candidate today."""
    spoken = entry.origin not in {Origin.USER, Origin.TOOL}
    confirmations = entry.standing.confirmations
    return judge(confirmations, entry.kind, entry.remembered_ms, now_ms, spoken=spoken)


_BY_HAND = {Stage.VALIDATED: "a person vouched for it", Stage.RETIRED: BY_HAND}


def stage_by_hand(outside: Outside, name: EntryId, actor: Actor, to: Stage) -> Entry:
    """A person validates a candidate or retires an entry. Raises Refused, NotFound."""
    if actor is not Actor.HUMAN:
        raise Refused(
            f"Only a person at a terminal decides on {name} alone; `learnt knowledge sweep` goes "
            "by the evidence. Nothing was changed."
        )
    with outside.ledger.writing() as writer:
        entry = live(writer, name)
        if entry.stage is to:
            raise Refused(f"{name} is {to} already. Nothing was changed.")
        stage(writer, name, actor, to, _BY_HAND[to])
        return entry_of(writer, name) or entry


def stage(
    writer: Writer, name: EntryId, actor: Actor, to: Stage, reason: str, into: EntryId | None = None
) -> None:
    """Record that an entry came to another stage."""
    append(writer, entry_subject(name), actor, Staged(stage=to, reason=reason, into=into))


def bring_back(writer: Writer, entry: Entry, actor: Actor) -> None:
    """Have a note that an answer retired stand again as it stood before."""
    before = entry.stage
    then: Entry | None = None
    for event in writer.events(subject=entry_subject(entry.id)):
        was, then = then, step(then, event)
        if then.stage is Stage.RETIRED and was is not None and was.live:
            before = was.stage
    back = Staged(stage=before, reason=TAKEN_BACK, told=entry.standing, doubt=entry.doubt)
    append(writer, entry_subject(entry.id), actor, back)


def _duplicates(reader: Reader) -> Iterator[tuple[EntryId, EntryId]]:
    """Pairs of entries with one text and scope; the second one is to be kept."""
    # Two machines or linked projects bring them about. Kept is the validated one, else the older.
    first: dict[tuple[str, str], Entry] = {}
    entries = [entry for entry in all_stored(reader, Entry) if entry.live and entry.fingerprint]
    for entry in sorted(entries, key=lambda entry: entry.stage is not Stage.VALIDATED):
        kept = first.setdefault(_text_of(entry), entry)  # views come in the order of their ids
        if kept is not entry:
            yield entry.id, kept.id


def _text_of(entry: Entry) -> tuple[str, str]:
    return entry.fingerprint, entry.scope or ""


def _join(outside: Outside, duplicate: EntryId, into: EntryId) -> bool:
    """Retire a duplicate; what was said of it counts for the other. False where it is none now."""
    with outside.ledger.writing() as writer:
        entry, kept = entry_of(writer, duplicate), entry_of(writer, into)
        if entry is None or kept is None or not (entry.live and kept.live):
            return False
        worse = entry.stage is Stage.VALIDATED and kept.stage is not Stage.VALIDATED
        if worse or _text_of(entry) != _text_of(kept):
            return False
        _absorb(writer, entry, kept)
    return True


def join_by_hand(outside: Outside, gone: EntryId, kept: EntryId, decider: Decider) -> None:
    """A person says that two entries are one: `kept` is validated. Raises Refused, Conflict."""
    refuse_others(decider, "learnt review")
    with outside.ledger.writing() as writer:
        entry, into = entry_of(writer, gone), entry_of(writer, kept)
        if entry is None or into is None or not (entry.live and into.live):
            raise Conflict(f"{gone} or {kept} is gone meanwhile. Nothing was changed.")
        _absorb(writer, entry, into, decider.actor)
        if into.stage is Stage.CANDIDATE:
            stage(writer, kept, decider.actor, Stage.VALIDATED, _BY_HAND[Stage.VALIDATED])


def _absorb(writer: Writer, entry: Entry, kept: Entry, by: Actor = Actor.LEARNT) -> None:
    """Retire an entry into another one, for which counts what was said of it."""
    subject = entry_subject(kept.id)
    if weight := entry.standing.beta:
        failure = EntryFeedback(result="failure", weight=weight, source="merge")
        append(writer, subject, Actor.LEARNT, failure)
    cites = joined(kept.cites, entry.cites, firm=False) if entry.cites else ()
    for witness in entry.standing.confirmations:
        confirmed = filled(EntryFeedback, witness, result="confirmed", source="merge", cites=cites)
        append(writer, subject, witness.actor, confirmed)
    stage(writer, entry.id, by, Stage.RETIRED, MERGED, into=kept.id)
