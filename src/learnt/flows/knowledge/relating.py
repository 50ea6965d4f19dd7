"""An agent says how two notes stand to each other: same, contradicts, narrows or different.

It reads; Learnt proves what it may change. Every answer can be taken back by one command.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Origin, Where, payload_of
from learnt.core.identifiers import EntryId, Subject, entry_subject, handle
from learnt.core.knowledge.comparing import compare
from learnt.core.knowledge.entries import ALIAS, SUPERSEDED, Entry, Relation, Stage, Suspected
from learnt.core.knowledge.gates import LEAST_LIKE
from learnt.core.knowledge.relating import (
    MOST_ANSWERS,
    REFUSED,
    RelateEffect,
    RelateOutcome,
    Side,
    effect_of,
)
from learnt.core.payloads.entry_events import Related, Remembered, Staged, Tidied
from learnt.core.records import Record, decode
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.checking import Checker, checking
from learnt.flows.knowledge.disputes import decided_on
from learnt.flows.knowledge.offers import neighbours
from learnt.flows.knowledge.sweep import bring_back
from learnt.flows.recall.search import entries_called, entry_of, held_back
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored, append, named, text_or_empty
from learnt.formats.injection import Note, Rival
from learnt.formats.saved import disputed_notice, replaced_notice
from learnt.ports import Outside, Reader

_DAY_MS: Final = 86_400_000
_MARKERS: Final = frozenset({"", "remember"})  # how a text came in that was typed to be kept
_WHY: Final = {RelateOutcome.SUPERSEDED: SUPERSEDED, RelateOutcome.MERGED: ALIAS}


class RelationAnswer(Record):
    """How two notes stand to each other, by whom, in which session, and from which folder."""

    new: str  # an id or a handle, as `old` is
    old: str
    relation: Relation
    actor: Actor = Actor.AGENT
    session: str = ""  # as the agent names it
    proved: str = ""  # the one in which a hook saw the call, if any
    folder: str = ""


class RelateDone(Record):
    """What an answer did: the notes by age, and the one that is no longer shown, if any."""

    outcome: RelateOutcome
    newer: EntryId
    older: EntryId
    gone: EntryId | None = None


def relate(outside: Outside, answer: RelationAnswer) -> RelateDone:
    """Record how two notes stand to each other, and do what follows from it.

    Raises UsageError for one note alone, NotFound, Refused with the reason.
    """
    session = named(outside.ledger.key, answer.proved or answer.session)
    place = look(outside, answer.folder) if answer.folder else None
    with outside.ledger.writing() as writer:
        checker = Checker(outside, writer, place)
        new, old = pair = [_seen(writer, checker, name) for name in (answer.new, answer.old)]
        if new.id == old.id:
            raise UsageError("Both are the same note. Nothing was recorded.")
        older, newer = sorted(pair, key=lambda entry: _last_said(writer, entry).stamp)
        first = newer.answer_on(older.id) if older.answer_on(newer.id) else None
        if first and first.relation is answer.relation:
            return RelateDone(RelateOutcome.KNOWN, newer.id, older.id)
        _refuse_dead(writer, newer, older)
        shown = writer.events(kind=Kind.TIDIED, session=session) if session else ()
        batches = (payload_of(Tidied, event).pairs for event in shown)
        batch = any(
            {newer.id, older.id} == {*shown_pair} for pairs in batches for shown_pair in pairs
        )
        _refuse_too_many(outside, writer, answer, session, batch=batch)
        if first:  # stands; that somebody says otherwise is for the person
            done = RelateEffect(outcome=RelateOutcome.DISPUTED)
        else:
            sides = [_side(outside, writer, entry, answer) for entry in (newer, older)]
            circle = answer.relation is Relation.NARROWS and _narrows(writer, old.id, new.id)
            done = _decided(outside, answer, sides, circle=circle)
        where = Where(project=newer.scope, session=session)
        disputed = done.outcome in {RelateOutcome.DISPUTED, RelateOutcome.ASKED}
        said = Related(other=old.id, relation=answer.relation, disputed=disputed, batch=batch)
        mirrored = replace(said, other=new.id, wider=answer.relation is Relation.NARROWS)
        append(writer, entry_subject(new.id), answer.actor, said, where=where)
        append(writer, entry_subject(old.id), answer.actor, mirrored, where=where)
        if done.gone is not None:
            why = Staged(stage=Stage.RETIRED, reason=_WHY[done.outcome], into=done.stays)
            append(writer, entry_subject(done.gone), answer.actor, why, where=where)
        line = _notice(writer, done, newer, older)
        if line and answer.actor is not Actor.HUMAN:
            outside.prompts.notice(answer.proved or answer.session, line)
    return RelateDone(done.outcome, newer.id, older.id, done.gone)


def _notice(reader: Reader, done: RelateEffect, newer: Entry, older: Entry) -> str:
    """What the person's screen shows of an answer; nothing where nothing that is shown changes."""
    new, old = (Rival(each.id, text_or_empty(reader, each.about)) for each in (newer, older))
    if done.outcome in {RelateOutcome.DISPUTED, RelateOutcome.ASKED}:
        return disputed_notice(new, old, same=done.outcome is RelateOutcome.ASKED)
    if done.gone == new.id:
        return replaced_notice(old, new) if newer.origin is Origin.USER else ""
    own = done.gone == old.id and older.origin is Origin.USER
    return replaced_notice(new, old) if own else ""


def _seen(reader: Reader, checker: Checker, name: str) -> Entry:
    """The note of an id or handle. Raises NotFound, UsageError for a handle of several."""
    entries = (entry_of(reader, each) for each in entries_called(reader, name))
    seen = [each for each in entries if each and each.about and checker.sees(each)]
    if len(seen) > 1:
        ids = ", ".join(each.id for each in seen)
        raise UsageError(f"{name} is the handle of {ids}: give the id. Nothing was recorded.")
    if not seen:
        raise NotFound(f"No note in use here is called {name}. Nothing was recorded.")
    return seen[0]


def _refuse_dead(reader: Reader, newer: Entry, older: Entry) -> None:
    """Raise Refused for a note out of use (not for the other's sake), or decided by a person."""
    if decided_on(reader, newer.id, older.id):
        raise Refused(
            f"The user decided on [{handle(newer.id)}] and [{handle(older.id)}]. Nothing was "
            "recorded."
        )
    for entry, other in ((newer, older), (older, newer)):
        if entry.live or (entry.related_away and entry.into == other.id):
            continue
        instead = f"; [{handle(entry.into)}] took its place: relate that" if entry.into else ""
        raise Refused(f"[{handle(entry.id)}] is not in use{instead}. Nothing was recorded.")


def _refuse_too_many(
    outside: Outside, reader: Reader, answer: RelationAnswer, session: str | None, *, batch: bool
) -> None:
    """Raise Refused for the ninth answer of a session that no batch asked for."""
    if batch or answer.actor is Actor.HUMAN:
        return
    since = None if session else outside.clock.now_ms() - _DAY_MS
    given = {
        frozenset({event.subject, entry_subject(said.other)})
        for event in reader.events(kind=Kind.RELATED, session=session, since_ms=since)
        if event.where.session == session
        and event.actor is not Actor.HUMAN
        and not (said := payload_of(Related, event)).batch
    }
    if len(given) >= MOST_ANSWERS:
        raise Refused(
            f"This session gave {MOST_ANSWERS} answers, which is the limit. The other pairs wait "
            "for `learnt knowledge tidy` (in Claude Code `/learnt-tidy`). Nothing was recorded."
        )


def _decided(
    outside: Outside, answer: RelationAnswer, sides: Sequence[Side], *, circle: bool
) -> RelateEffect:
    """What the first answer on two notes does. Raises Refused with the reason."""
    newer, older = sides
    by_person = answer.actor is Actor.HUMAN
    done = effect_of(newer, older, answer.relation, outside.stem, by_person=by_person)
    if circle:
        done = "circle"
    if isinstance(done, RelateEffect):
        return done
    gone = older if newer.weight > older.weight else newer
    told = {"gone": gone, "own": older if older.brought else newer}
    why = REFUSED[done].format(**{n: f"[{handle(each.entry.id)}]" for n, each in told.items()})
    raise Refused(f"Learnt refused that answer: {why}. Nothing was recorded.")


def _last_said(reader: Reader, entry: Entry) -> Event:
    """The event by which an entry says what it says."""
    said = reader.events(subject=entry_subject(entry.id), kind=Kind.REMEMBERED, newest=1)
    return next(iter(said))


def _side(outside: Outside, reader: Reader, entry: Entry, answer: RelationAnswer) -> Side:
    said, key = _last_said(reader, entry), outside.ledger.key
    claimed, proved = named(key, answer.session), named(key, answer.proved)
    lesson = payload_of(Remembered, said).lesson
    here = proved is not None and said.where.session == proved
    users = entry.origin is Origin.USER
    return Side(
        entry=entry,
        text=text_or_empty(reader, entry.about),
        typed=here and users and entry.stage is Stage.VALIDATED,
        marked=users and entry.actor is Actor.HUMAN and lesson in _MARKERS,
        brought=said.where.session in {claimed, proved} and not users,
    )


def _narrows(reader: Reader, start: EntryId, goal: EntryId) -> bool:
    """Whether a note narrows another one, directly or through others."""
    seen, ahead = set[EntryId](), [start]
    while ahead:
        name = ahead.pop()
        if name == goal:
            return True
        seen.add(name)
        entry = entry_of(reader, name)
        links = entry.related if entry else ()
        ahead += [each.other for each in links if each.narrows and each.other not in seen]
    return False


def unrelate(outside: Outside, new: str, old: str, folder: str, decider: Decider) -> str:
    """A person takes an answer back: all is as before. Raises Refused, NotFound."""
    refuse_others(decider, f"learnt knowledge unrelate {new} {old}")
    with outside.ledger.durably_writing() as writer:
        checker = Checker(outside, writer, look(outside, folder))
        one, other = (_seen(writer, checker, name) for name in (new, old))
        if not (one.answer_on(other.id) and other.answer_on(one.id)):
            raise NotFound(f"Nobody said how {new} and {old} stand to each other.")
        back = ""
        for entry, beside in ((one, other), (other, one)):
            if entry.related_away and entry.into == beside.id:
                bring_back(writer, entry, decider.actor)
                back = f"; [{handle(entry.id)}] is in use again"
            append(writer, entry_subject(entry.id), decider.actor, Related(other=beside.id))
    return f"The answer on [{handle(one.id)}] and [{handle(other.id)}] is undone{back}"


BATCH: Final = 20  # pairs
LOOKED_AT: Final = 2_000  # entries whose neighbours are looked for, the oldest


class TidyPair(Record):
    """Two notes to be related, and what rules suspect of them, if anything."""

    newer: Note
    older: Note
    suspected: Suspected | None = None


def batch(
    outside: Outside, folder: str, session: str, actor: Actor, *, most: int = BATCH
) -> list[TidyPair]:
    """The next pairs to relate, suspicions first. They do not count among a session's answers."""
    with checking(outside, folder) as checker:
        reader = checker.reader
        seen, pairs = set[frozenset[EntryId]](), list[TidyPair]()
        for newer, older, sort in chain(suspicions(reader, checker), _near(outside, checker)):
            pair = frozenset({newer.id, older.id})
            hidden = actor is not Actor.HUMAN and any(
                held_back(outside, reader, entry) for entry in (newer, older)
            )
            if pair not in seen and not hidden:
                pairs.append(TidyPair(checker.note(newer), checker.note(older), sort))
            seen.add(pair)
            if len(pairs) == most:
                break
    session_name = named(outside.ledger.key, session)
    if pairs and session_name:
        shown = Tidied(pairs=tuple((pair.newer.id, pair.older.id) for pair in pairs))
        with outside.ledger.writing() as writer:
            append(writer, Subject("tidied"), actor, shown, where=Where(session=session_name))
    return pairs


def suspicions(reader: Reader, checker: Checker) -> Iterator[tuple[Entry, Entry, Suspected]]:
    """The suspicions that nobody has answered between entries that a place sees, oldest first."""
    views = reader.views(Entry.prefix, '"suspects"')
    there = {entry.id: entry for view in views if (entry := decode(Entry, view.state)).live}
    found = [
        (entry, other, suspicion.sort)
        for entry in there.values()
        for suspicion in entry.suspected
        if (other := there.get(suspicion.other)) is not None
        and (other.remembered_ms, other.id) < (entry.remembered_ms, entry.id)
        and entry.id in {each.other for each in other.suspected}
        and checker.sees(entry)
        and checker.sees(other)
    ]
    yield from sorted(found, key=lambda pair: (pair[1].remembered_ms, pair[1].id))


def _near(outside: Outside, checker: Checker) -> Iterator[tuple[Entry, Entry, None]]:
    """Each entry with the one before it that is nearest to it, where nobody related the two."""
    reader = checker.reader
    live = (entry for entry in all_stored(reader, Entry) if entry.live and checker.sees(entry))
    for entry in islice(live, LOOKED_AT):
        text = text_or_empty(reader, entry.about)
        for near in neighbours(outside, reader, text, checker.scopes):
            other = entry_of(reader, near.id)
            if (
                other is not None
                and other.id < entry.id
                and (other.text is None) is (entry.text is None)
                and other.id not in entry.disputes
                and not entry.answer_on(other.id)
                and compare(near.text, text, outside.stem).likeness >= LEAST_LIKE
            ):
                yield entry, other, None
                break
