"""All that a home knows, handed over: entries as they stand, their uses, rejections and misses."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from learnt.core.events import Kind, payload_of
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.identifiers import ProjectId
from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, Quoted, TurnedDown
from learnt.core.knowledge.drafts import Fact, Offered, Solution
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.recall_events import Missed
from learnt.core.projects import Project
from learnt.flows.governance.decisions import proposals
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import all_stored, text_or_empty, texts_behind
from learnt.formats.seed_health import in_utc
from learnt.ports import Outside, Reader


def hand_over(outside: Outside, here: str = "") -> Bundle:
    """Every entry whose text is kept, and the signals; nothing is written.

    Of the project of the folder `here`, if this home knows it, no name is told: it is the same.
    """
    with outside.ledger.reading() as reader:
        located = find(reader, look(outside, here)) if here else None
        own = frozenset(located.household if located else ())
        names = {
            project.id: "" if project.id in own else text_or_empty(reader, project.label)
            for project in all_stored(reader, Project)
        }
        used = _used(reader)
        entries = sorted(all_stored(reader, Entry), key=lambda entry: entry.id)
        return Bundle(
            pieces=tuple(
                _piece(reader, entry, names, used)
                for entry in entries
                if entry.about is not None and entry.stage is not Stage.REJECTED
            ),
            misses=tuple(_misses(reader)),
            turned_down=tuple(
                TurnedDown(about=draft.about, note=text_or_empty(reader, draft.note))
                for draft in proposals(reader)
                if draft.kind is ProposalKind.NEW_SKILL and draft.status is Status.REJECTED
            ),
        )


def _used(reader: Reader) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for happening in reader.happenings(Kind.REUSED):
        if happening.session:
            found[happening.subject][happening.session] = None
    return {subject: tuple(sessions) for subject, sessions in found.items()}


def _misses(reader: Reader) -> Iterator[EarlierMiss]:
    for event in reader.events(kind=Kind.MISSED):
        missed = payload_of(Missed, event)
        prompt = text_or_empty(reader, missed.prompt)
        if prompt and missed.mode == "hook":
            yield EarlierMiss(
                prompt=prompt, session=event.where.session or "", date=_moment(event.wall_ms)
            )


def _piece(
    reader: Reader,
    entry: Entry,
    names: dict[ProjectId, str],
    used: dict[str, tuple[str, ...]],
) -> Brought:
    source, validated = entry.source, entry.stage is Stage.VALIDATED
    quoted = Quoted()
    if source is not None:
        speaker = text_or_empty(reader, source.speaker) or None
        quoted = Quoted(
            session=source.session, position=source.position, speaker=speaker, date=source.date
        )
    return Brought(
        what=_said(reader, entry),
        place="",
        project=names.get(entry.scope, "") if entry.scope else "",
        id=entry.id,
        quoted=replace(quoted, date=quoted.date or _moment(entry.remembered_ms)),
        standing=replace(entry.standing, confirmations=()) if validated else None,
        stage=entry.stage,
        everywhere=entry.scope is None,
        sessions=used.get(f"{Entry.prefix}{entry.id}", ()),
        disputes=tuple(map(str, entry.disputes)),
        gone=f"it was retired there ({entry.reason})" if entry.stage is Stage.RETIRED else "",
    )


def _said(reader: Reader, entry: Entry) -> Offered:
    note = note_of(reader, entry)
    if entry.text is not None:
        return Fact(text=note.text, kind=entry.kind, entities=note.entities, tags=note.tags)
    return Solution(
        problem=note.problem,
        approach=note.approach,
        cautions=note.cautions,
        tags=note.tags,
        files=texts_behind(reader, entry.files),
        language=text_or_empty(reader, entry.language) or None,
    )


def _moment(ms: int) -> str:
    return in_utc(datetime.fromtimestamp(max(ms, 0) / 1_000, UTC).isoformat())
