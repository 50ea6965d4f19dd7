"""Somebody asks what is remembered, or looks around: every stage, no floor, no coin."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from learnt.core import safety
from learnt.core.events import Actor, Where
from learnt.core.identifiers import ENTRY_HANDLE, ENTRY_ID, EntryId, ProjectId, Subject
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Missed, Recalled
from learnt.core.recall.closeness import LINKED, ONCE, SHARE, raised
from learnt.core.recall.ranking import Match
from learnt.core.records import Record
from learnt.errors import UsageError
from learnt.flows.knowledge.checking import checking
from learnt.flows.recall.meaning import MeantQuestion, beside, meant_question, near, placed
from learnt.flows.recall.offering import follow_hint
from learnt.flows.recall.search import Ranked, closest, entries_called, entry_of, held_back
from learnt.flows.sessions.locate import refuse_off
from learnt.flows.stored import all_stored, append
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

POOL: Final = 50  # of the best by words, and of the nearest by meaning, that are put in order


class Hit(Record):
    """An entry with its texts; `ranked` says how well it fits what was asked, if anything was."""

    note: Note
    entry: Entry
    ranked: Ranked | None = None


Advice = Literal["answer", "check", "investigate"]


def advice(hits: Iterable[Hit]) -> Advice:
    """What to do with the hits that bear on a question: answer from them, check, or look again."""
    trusts = {hit.note.trust for hit in hits if hit.ranked and hit.ranked.sure}
    if Trust.TRUST in trusts:
        return "answer"
    return "check" if Trust.VERIFY in trusts else "investigate"


def ask(
    outside: Outside, question: str, *, folder: str, actor: Actor, most: int, record: bool = True
) -> list[Hit]:
    """The entries of a folder's project that fit best; `record` keeps what was asked and shown."""
    meant = meant_question(outside, question)
    with checking(outside, folder) as checker:
        reader = checker.reader
        refuse_off(checker.located)
        hits = [
            Hit(note=checker.note(ranked.entry), entry=ranked.entry, ranked=ranked)
            for ranked in nearest(outside, reader, question, meant, checker.scopes, most)
            if actor is Actor.HUMAN or not held_back(outside, reader, ranked.entry)
        ]
    if record:
        where = Where(project=checker.located.project if checker.located else None)
        excerpt = safety.excerpt(question, 1_000)
        shown = tuple(hit.note.id for hit in hits)
        drifted = tuple(hit.note.id for hit in hits if hit.note.stale)
        with outside.ledger.writing() as writer:
            prompt = writer.keep("prompt", excerpt)
            payload: Recalled | Missed = Missed(mode="explicit", prompt=prompt)
            if hits:
                payload = Recalled(mode="explicit", prompt=prompt, shown=shown, drifted=drifted)
            append(writer, Subject("questions"), actor, payload, where=where)
    return hits


def nearest(
    outside: Outside,
    reader: Reader,
    question: str,
    meant: MeantQuestion | None,
    scopes: Sequence[ProjectId],
    most: int,
) -> list[Ranked]:
    """The entries of these projects that fit a question best, where `meant` by meaning as well."""
    if meant is None:
        return closest(outside, reader, question, scopes, most)
    results = closest(outside, reader, question, scopes, max(most, POOL))
    ranked = {str(one.entry.id): one for one in results}
    by_words = {item: one.match.score / ONCE for item, one in ranked.items()}
    weight = SHARE / meant.spread
    scores = raised(by_words, near(outside, meant, ["", *scopes], POOL, by_words), weight)
    for item in scores.keys() - ranked.keys():
        entry = entry_of(reader, EntryId(item))
        if entry is not None and entry.live:
            ranked[item] = Ranked(entry=entry, match=Match(entry=entry.id))
    if first := next((item for item in scores if item in ranked), ""):
        digest = placed(outside.ledger.key, ranked[first].entry).digest
        scores = raised(scores, beside(outside, meant, digest, scores), LINKED * weight)
    in_order = (ranked[item] for item in scores if item in ranked)
    return sorted(in_order, key=lambda one: not one.named)[:most]


def read(
    outside: Outside, name: EntryId, *, folder: str, actor: Actor, session: str = ""
) -> list[Hit]:
    """The live entry of that id, if seen; recorded, as used if a line of the session named it."""
    with checking(outside, folder) as checker:
        reader = checker.reader
        refuse_off(checker.located)
        entry = entry_of(reader, name)
        if entry is None or not entry.live or not checker.sees(entry):
            return []
        if actor is not Actor.HUMAN and held_back(outside, reader, entry):
            return []
        hit = Hit(note=checker.note(entry), entry=entry)
        where = Where(project=checker.located.project if checker.located else None)
    with outside.ledger.writing() as writer:
        if not (session and follow_hint(outside, writer, name, session, actor)):
            opened = Recalled(mode="explicit", shown=(name,), drifted=(name,) * hit.note.stale)
            append(writer, Subject("questions"), actor, opened, where=where)
    return [hit]


def entries_named(outside: Outside, words: Sequence[str], *, folder: str) -> list[EntryId]:
    """The live entries of these ids or handles; [] unless all are seen. Raises UsageError."""
    if not all(ENTRY_ID.fullmatch(word) or ENTRY_HANDLE.fullmatch(word) for word in words):
        return []
    named = list[EntryId]()
    with checking(outside, folder) as checker:
        reader = checker.reader
        for word in words:
            entries = (entry_of(reader, name) for name in entries_called(reader, word))
            names = [entry.id for entry in entries if entry and entry.live and checker.sees(entry)]
            if len(names) > 1:
                raise UsageError(
                    f"{word} names {' and '.join(names)}. Nothing was opened; give the whole id."
                )
            named += names
    return named if len(named) == len(words) else []


def newest(outside: Outside, folder: str, most: int) -> list[Hit]:
    """The newest live entries that a folder's project sees; nothing is recorded."""
    with checking(outside, folder) as checker:
        refuse_off(checker.located)
        live = [e for e in all_stored(checker.reader, Entry) if e.live and checker.sees(e)]
        # Ids begin with the time they were made at.
        latest_first = sorted(live, key=lambda entry: entry.id, reverse=True)
        return [Hit(note=checker.note(entry), entry=entry) for entry in latest_first[:most]]
