"""How two notes stand to each other: same, contradicts, narrows or different; and disputes.

An agent says how; Learnt proves what that may change, and every answer can be taken back by one
command. Of two in dispute a person says which holds. An agent may argue, which puts a dispute
before others and settles nothing. Evidence for one side settles it, but not against what a person
said.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Origin, Where, payload_of
from learnt.core.identifiers import EntryId, Subject, entry_subject, handle
from learnt.core.knowledge.citations import CitationState, worst
from learnt.core.knowledge.entries import (
    ALIAS,
    SETTLED,
    SUPERSEDED,
    TAKEN_BACK,
    Entry,
    Relation,
    Stage,
    Suspected,
)
from learnt.core.knowledge.entry_fold import step
from learnt.core.knowledge.gates import LEAST_LIKE
from learnt.core.knowledge.relating import (
    MOST_ANSWERS,
    REFUSED,
    RelateOutcome,
    Side,
    compare,
    hidden_of,
    outcome_of,
)
from learnt.core.payloads.entry_events import EntryFeedback, Related, Remembered, Staged, Tidied
from learnt.core.records import Record, decode
from learnt.core.safety import clean, excerpt
from learnt.errors import Conflict, NotFound, Refused, UsageError
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.capture import neighbours
from learnt.flows.knowledge.checking import Checker, checking
from learnt.flows.knowledge.feedback import HARD, judged, live, stage
from learnt.flows.recall.search import entries_called, entry_of, held_back
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored, append, named, text_or_empty
from learnt.formats.injection import Note, Rival, one_line
from learnt.formats.saved import disputed_notice, replaced_notice
from learnt.ports import Outside, Reader, Writer

LONGEST_ARGUMENT: Final = 300
_PERSON: Final = "a person"


class Dispute(Record):
    """Two entries in dispute, the older one first; `same`: an agent takes them for one."""

    older: Note
    newer: Note
    for_older: tuple[str, ...] = ()
    for_newer: tuple[str, ...] = ()
    same: bool = False


def disputes(outside: Outside, folder: str) -> list[Dispute]:
    """The open disputes that a folder's project sees: the most argued first, then the oldest."""
    with checking(outside, folder) as checker:
        reader = checker.reader
        found = [
            Dispute(
                older=checker.note(older),
                newer=checker.note(newer),
                for_older=_arguments_for(reader, older),
                for_newer=_arguments_for(reader, newer),
                same=(older.id, Relation.SAME) in {each[:2] for each in newer.related},
            )
            for older, newer in _open(reader)
            if checker.sees(older) and checker.sees(newer)
        ]
    return sorted(found, key=lambda each: -len(each.for_older + each.for_newer))


def said_for(outside: Outside, names: Iterable[EntryId]) -> dict[EntryId, tuple[str, ...]]:
    """What was said for each of some entries in their disputes."""
    with outside.ledger.reading() as reader:
        entries = filter(None, (entry_of(reader, name) for name in names))
        return {entry.id: _arguments_for(reader, entry) for entry in entries}


def _arguments_for(reader: Reader, entry: Entry) -> tuple[str, ...]:
    return tuple(text_or_empty(reader, argument) for argument in entry.arguments)


def argue(outside: Outside, name: EntryId, quoted: str, session: str) -> tuple[Entry, bool]:
    """Record the words that an agent quotes for one side of a dispute, once a session.

    Returns the entry and whether the words are new. Raises NotFound; Refused where the entry is in
    no dispute or nothing is quoted.
    """
    argument = excerpt(quoted, LONGEST_ARGUMENT)
    with outside.ledger.writing() as writer:
        entry = live(writer, name)
        if not argument.strip() or not any(stands(writer, name, each) for each in entry.disputes):
            raise Refused(
                f"{name} is in no dispute, or no source is quoted for it. Nothing was recorded."
            )
        where = Where(session=named(outside.ledger.key, session))
        key = judged(outside, name, where.session, "argued", entry.corrected)
        word = EntryFeedback(
            result="argued", source="an agent", argument=writer.keep("argument", argument)
        )
        new = append(writer, entry_subject(name), Actor.AGENT, word, where=where, key=key)
        return live(writer, name), new is not None


def settle_by_evidence(outside: Outside, name: EntryId, evidence: str) -> None:
    """Evidence for an entry settles its disputes, but only argues against what a person said."""
    with outside.ledger.reading() as reader:
        entry = entry_of(reader, name)
    if entry is None or not entry.disputes:
        return
    with outside.ledger.writing() as writer:
        for rival in entry.disputes:
            other = entry_of(writer, rival)
            if other is None or not stands(writer, name, rival):
                continue
            if other.actor is Actor.HUMAN or other.origin is Origin.USER:
                said = writer.keep("argument", clean(f"It is shown by {evidence}."))
                word = EntryFeedback(result="argued", source=evidence, argument=said)
                key = judged(outside, name, evidence, "argued", entry.corrected)
                append(writer, entry_subject(name), Actor.LEARNT, word, key=key)
                continue
            close(writer, name, rival, Actor.LEARNT, evidence)
            if other.stage is Stage.VALIDATED:
                failed = EntryFeedback(result="failure", weight=HARD["failure"], source=evidence)
                append(writer, entry_subject(rival), Actor.LEARNT, failed)


def settle_by_citations(outside: Outside, folder: str) -> None:
    """Where one side's citations hold and the other's say something else now, the first holds."""
    for each in disputes(outside, folder):
        for holds, other in ((each.older, each.newer), (each.newer, each.older)):
            if holds.cites and worst(holds.cites) is CitationState.FRESH and other.stale:
                settle_by_evidence(outside, holds.id, "what it cites")


def open_disputes(reader: Reader, checker: Checker) -> int:
    """How many disputes are open between entries that a place sees."""
    return sum(checker.sees(older) and checker.sees(newer) for older, newer in _open(reader))


def _open(reader: Reader) -> Iterator[tuple[Entry, Entry]]:
    disputed = (decode(Entry, view.state) for view in reader.views(Entry.prefix, '"disputes"'))
    there = {entry.id: entry for entry in disputed}
    for entry in there.values():  # ids begin with the time they were made at
        for name in entry.disputes:
            other = there.get(name)
            if other is not None and entry.id < name and _opposed(entry, other):
                yield entry, other


def settle(
    outside: Outside, holds: EntryId, other: EntryId, decider: Decider, *, both: bool = False
) -> str:
    """A person says that one entry holds, or both. Raises Refused, NotFound, Conflict."""
    with outside.ledger.reading() as reader:
        if not stands(reader, holds, other):
            if settled := _settled(reader, holds, other):
                raise Conflict(settled)
            raise NotFound(
                f"{holds} and {other} are in no dispute. `learnt knowledge disputes` lists those "
                "that are open."
            )
    way = "--both" if both else f"--over {other}"
    refuse_others(decider, f"learnt knowledge settle {holds} {way}")
    with outside.ledger.durably_writing() as writer:
        if not stands(writer, holds, other):
            raise Conflict(_settled(writer, holds, other) or f"{holds} or {other} is gone.")
        close(writer, holds, other, decider.actor, _PERSON)
        for name in (holds, other) if both else (holds,):
            entry = entry_of(writer, name)
            if entry is not None and entry.related_away:
                bring_back(writer, entry, decider.actor)
                entry = entry_of(writer, name)
            if entry is not None and entry.stage is Stage.CANDIDATE:
                stage(writer, name, decider.actor, Stage.VALIDATED, "a person vouched for it")
        if both:
            return f"{holds} and {other} hold, both"
        stage(writer, other, decider.actor, Stage.RETIRED, SETTLED, holds)
    return f"{holds} holds; {other} is retired"


def close(writer: Writer, one: EntryId, other: EntryId, actor: Actor, source: str) -> None:
    """Record on both sides that a dispute is settled."""
    for name, rival in ((one, other), (other, one)):
        word = EntryFeedback(result="settled", source=source, other=rival)
        append(writer, entry_subject(name), actor, word)


def _settled(reader: Reader, one: EntryId, other: EntryId) -> str:
    """That the dispute of two entries is settled, and how; empty where it never was."""
    if not any(word.result == "settled" for word in _words_on(reader, one, other)):
        return ""
    entries = filter(None, (entry_of(reader, name) for name in (one, other)))
    now = ", ".join(f"{entry.id} is {entry.stage}" for entry in entries)
    return f"The dispute of {one} and {other} was settled meanwhile: {now}. Nothing was changed."


def decided_on(reader: Reader, one: EntryId, other: EntryId) -> bool:
    """Whether a person decided on two entries, and did not take that back."""
    words = _words_on(reader, one, other)
    return bool(words) and words[-1].result == "settled" and words[-1].source == _PERSON


def _words_on(reader: Reader, one: EntryId, other: EntryId) -> list[EntryFeedback]:
    events = reader.events(subject=entry_subject(one), kind=Kind.FEEDBACK)
    return [word for event in events if (word := payload_of(EntryFeedback, event)).other == other]


def stands(reader: Reader, one: EntryId, other: EntryId) -> bool:
    """Whether two entries are in dispute: each names the other, and both are in use."""
    first, second = (entry_of(reader, name) for name in (one, other))
    return first is not None and second is not None and _opposed(first, second)


def _opposed(one: Entry, other: Entry) -> bool:
    """Whether each names the other, and both are in use or one took the other's place meanwhile.

    The latter comes about where two agents answer differently: the first answer stands until a
    person settles it.
    """
    both = other.id in one.disputes and one.id in other.disputes
    return both and all(
        each.live or (each.related_away and each.into == beside.id)
        for each, beside in ((one, other), (other, one))
    )


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


class RelateEffect(Record):
    """What an answer does to two notes: `gone` is the one that it retires for the other's sake."""

    outcome: RelateOutcome
    newer: EntryId
    older: EntryId
    gone: EntryId | None = None


def relate(outside: Outside, answer: RelationAnswer) -> RelateEffect:
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
            return RelateEffect(RelateOutcome.KNOWN, newer.id, older.id)
        _refuse_dead(writer, newer, older)
        shown = writer.events(kind=Kind.TIDIED, session=session) if session else ()
        batches = (payload_of(Tidied, event).pairs for event in shown)
        batch = any(
            {newer.id, older.id} == {*shown_pair} for pairs in batches for shown_pair in pairs
        )
        _refuse_too_many(outside, writer, answer, session, batch=batch)
        if first:  # stands; that somebody says otherwise is for the person
            done = RelateEffect(RelateOutcome.DISPUTED, newer.id, older.id)
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
            stays = older.id if done.gone == newer.id else newer.id
            why = Staged(stage=Stage.RETIRED, reason=_WHY[done.outcome], into=stays)
            append(writer, entry_subject(done.gone), answer.actor, why, where=where)
        line = _notice(writer, done, newer, older)
        if line and answer.actor is not Actor.HUMAN:
            outside.prompts.notice(answer.proved or answer.session, line)
    return done


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
    outcome = outcome_of(newer, older, answer.relation, outside.stem, by_person=by_person)
    hidden = hidden_of(newer, older)
    if isinstance(outcome, RelateOutcome) and not circle:
        gone = {RelateOutcome.SUPERSEDED: older, RelateOutcome.MERGED: hidden}.get(outcome)
        name = gone.entry.id if gone else None
        return RelateEffect(outcome, newer.entry.id, older.entry.id, name)
    named = {"gone": hidden, "own": older if older.brought else newer}
    handles = {name: f"[{handle(side.entry.id)}]" for name, side in named.items()}
    why = REFUSED["circle" if circle else outcome].format(**handles)
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


class PairToRelate(Record):
    """Two notes to be related, by handle and text; `suspected`: same or contradicts, or empty."""

    new: str
    old: str
    new_text: str
    old_text: str
    suspected: str


class PairsToRelate(Record):
    """The next pairs of notes that nobody has related."""

    pairs: tuple[PairToRelate, ...]


def batch(
    outside: Outside, folder: str, session: str, actor: Actor, *, most: int = BATCH
) -> PairsToRelate:
    """The next pairs to relate, suspicions first. They do not count among a session's answers."""
    with checking(outside, folder) as checker:
        reader = checker.reader
        seen, ids, pairs = set[frozenset[EntryId]](), [], list[PairToRelate]()
        for newer, older, sort in chain(suspicions(reader, checker), _near(outside, checker)):
            pair = frozenset({newer.id, older.id})
            hidden = actor is not Actor.HUMAN and any(
                held_back(outside, reader, entry) for entry in (newer, older)
            )
            if pair not in seen and not hidden:
                ids.append((newer.id, older.id))
                new, old = (one_line(checker.note(entry).said) for entry in (newer, older))
                names = handle(newer.id), handle(older.id)
                pairs.append(PairToRelate(*names, new, old, sort or ""))
            seen.add(pair)
            if len(pairs) == most:
                break
    session_name = named(outside.ledger.key, session)
    if pairs and session_name:
        shown = Tidied(pairs=tuple(ids))
        with outside.ledger.writing() as writer:
            append(writer, Subject("tidied"), actor, shown, where=Where(session=session_name))
    return PairsToRelate(tuple(pairs))


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
