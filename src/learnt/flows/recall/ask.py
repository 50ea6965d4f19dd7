"""Somebody asks what is remembered: every stage, no floor, no coin, and said so in the ledger."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from learnt.core import safety
from learnt.core.events import Actor, Draft, Where
from learnt.core.identifiers import ContentRef, ProjectId, Subject
from learnt.core.knowledge.confidence import Trust
from learnt.core.payloads.recall_events import Missed, Recalled
from learnt.flows.knowledge.citing import checker_at, looked_at
from learnt.flows.recall.search import Found, note_of, search
from learnt.flows.sessions.locate import find, look
from learnt.formats.injection import Note
from learnt.ports import Outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One answer: the entry with its texts, and how well it fits."""

    note: Note
    found: Found


Advice = Literal["answer", "check", "investigate"]


def advice(hits: Iterable[Hit]) -> Advice:
    """What to do with the hits that bear on a question: answer from them, check, or look anew."""
    trusts = {hit.note.trust for hit in hits if hit.found.bears}
    if Trust.TRUST in trusts:
        return "answer"
    return "check" if Trust.VERIFY in trusts else "investigate"


def ask(
    outside: Outside, question: str, *, folder: str, actor: Actor, most: int, record: bool = True
) -> list[Hit]:
    """The best entries that a folder's project sees, at most so many, best first."""
    now = outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        place = look(outside, folder)
        located = find(reader, place)
        scopes = located.household if located else ()
        found = search(outside, reader, question, scopes, most, floor=False)
        checker = checker_at(outside, reader, place, scopes)
        hits = [
            Hit(
                note=looked_at(checker, f.entry, note_of(reader, f.entry, now, outside.kinds)),
                found=f,
            )
            for f in found
        ]
    if record:
        _record(outside, question, hits, actor, located.project if located else None)
    return hits


def _record(
    outside: Outside, question: str, hits: list[Hit], actor: Actor, project: ProjectId | None
) -> None:
    excerpt = safety.excerpt(question, 1_000)
    with outside.ledger.writing() as writer:
        kept = writer.keep("prompt", excerpt)
        writer.append(
            Draft(
                subject=Subject("questions"),
                actor=actor,
                where=Where(project=project),
                payload=_payload(kept, hits),
            )
        )


def _payload(prompt: ContentRef, hits: list[Hit]) -> Recalled | Missed:
    if not hits:
        return Missed(mode="explicit", prompt=prompt)
    return Recalled(
        mode="explicit",
        prompt=prompt,
        shown=tuple(hit.note.id for hit in hits),
        drifted=tuple(hit.note.id for hit in hits if hit.note.stale),
    )
