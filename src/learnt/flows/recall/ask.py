"""Somebody asks what is remembered, or looks around: every stage, no floor, no coin."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from learnt.core import safety
from learnt.core.events import Actor, Where
from learnt.core.identifiers import EntryId, Subject
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.recall_events import Missed, Recalled
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.closest import closest
from learnt.flows.recall.held import held_back
from learnt.flows.recall.offering import follow_hint
from learnt.flows.recall.search import Ranked, entry_of
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored, append
from learnt.formats.injection import Note
from learnt.ports import Outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An entry with its texts; `ranked` says how well it fits what was asked, if anything was."""

    note: Note
    entry: Entry
    ranked: Ranked | None = None


Advice = Literal["answer", "check", "investigate"]


def advice(hits: Iterable[Hit]) -> Advice:
    """What to do with the hits that bear on a question: answer from them, check, or look anew."""
    trusts = {hit.note.trust for hit in hits if hit.ranked and hit.ranked.sure}
    if Trust.TRUST in trusts:
        return "answer"
    return "check" if Trust.VERIFY in trusts else "investigate"


def ask(
    outside: Outside, question: str, *, folder: str, actor: Actor, most: int, record: bool = True
) -> list[Hit]:
    """The entries of a folder's project that fit best; `record` keeps what was asked and shown."""
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, place)
        results = closest(outside, reader, question, checker.scopes, most)
        hits = [
            Hit(note=checker.note(ranked.entry), entry=ranked.entry, ranked=ranked)
            for ranked in results
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


def read(
    outside: Outside, name: EntryId, *, folder: str, actor: Actor, session: str = ""
) -> list[Hit]:
    """The live entry of that id, if a folder's project sees it; that it was asked for is recorded.

    In an agent's `session` a line of which named it, it counts as used.
    """
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, place)
        entry = entry_of(reader, name)
        if entry is None or not entry.live or not checker.sees(entry):
            return []
        if actor is not Actor.HUMAN and held_back(outside, reader, entry):
            return []
        hit = Hit(note=checker.note(entry), entry=entry)
    project = checker.located.project if checker.located else None
    with outside.ledger.writing() as writer:
        if not (session and follow_hint(outside, writer, name, session, actor)):
            asked = Recalled(mode="explicit", shown=(name,), drifted=(name,) * hit.note.stale)
            append(writer, Subject("questions"), actor, asked, where=Where(project=project))
    return [hit]


def newest(outside: Outside, folder: str, most: int) -> list[Hit]:
    """The newest live entries that a folder's project sees; nothing is recorded."""
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, place)
        live = [e for e in all_stored(reader, Entry) if e.live and checker.sees(e)]
        # Ids begin with the time they were made at.
        latest_first = sorted(live, key=lambda entry: entry.id, reverse=True)
        return [Hit(note=checker.note(entry), entry=entry) for entry in latest_first[:most]]
