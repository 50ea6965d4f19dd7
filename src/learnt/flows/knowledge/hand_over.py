"""All that a home knows, handed over: entries as they stand, their uses, rejections and misses."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from msgspec.structs import replace

from learnt.core.events import Kind, payload_of
from learnt.core.governance.proposals import ProposalKind, Status
from learnt.core.identifiers import ProjectId
from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, Quoted, TurnedDown
from learnt.core.knowledge.entries import Entry, Source, Stage
from learnt.core.payloads.entry_events import Missed
from learnt.core.projects import Project
from learnt.flows.governance.decisions import proposals
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import all_stored, text_or_empty, texts_behind
from learnt.formats.answers import filled
from learnt.formats.seed_health import in_utc
from learnt.ports import Outside, Reader


def hand_over(outside: Outside, here: str = "") -> Bundle:
    """Every entry with a text, and the signals; the project of `here` goes without its name."""
    with outside.ledger.reading() as reader:
        located = find(reader, look(outside, here)) if here else None
        household = frozenset(located.household if located else ())
        names = {
            project.id: "" if project.id in household else text_or_empty(reader, project.label)
            for project in all_stored(reader, Project)
        }
        used: defaultdict[str, dict[str, None]] = defaultdict(dict)  # sessions, each once
        for reuse in reader.happenings(Kind.REUSED):
            if reuse.session:
                used[reuse.subject][reuse.session] = None
        entries = sorted(all_stored(reader, Entry), key=lambda entry: entry.id)
        return Bundle(
            pieces=tuple(
                _piece(reader, entry, names, used)
                for entry in entries
                if entry.about is not None and entry.stage is not Stage.REJECTED
            ),
            misses=tuple(_misses(reader)),
            turned_down=tuple(
                TurnedDown(draft.about, text_or_empty(reader, draft.note))
                for draft in proposals(reader)
                if draft.kind is ProposalKind.NEW_SKILL and draft.status is Status.REJECTED
            ),
        )


def _misses(reader: Reader) -> Iterator[EarlierMiss]:
    for event in reader.events(kind=Kind.MISSED):
        missed = payload_of(Missed, event)
        prompt = text_or_empty(reader, missed.prompt)
        if prompt and missed.mode == "hook":
            yield EarlierMiss(prompt, event.where.session or "", _moment(event.wall_ms))


def _piece(
    reader: Reader, entry: Entry, names: dict[ProjectId, str], used: Mapping[str, Iterable[str]]
) -> Brought:
    source = entry.source or Source()
    speaker, date = text_or_empty(reader, source.speaker), _moment(entry.remembered_ms)
    validated = entry.stage is Stage.VALIDATED
    return filled(
        Brought,
        note_of(reader, entry),
        kind=entry.kind if entry.text else "",
        files=texts_behind(reader, entry.files),
        signs=texts_behind(reader, entry.signs),
        language=text_or_empty(reader, entry.language) or None,
        project=names.get(entry.scope, "") if entry.scope else "",
        everywhere=entry.scope is None,
        standing=replace(entry.standing, confirmations=()) if validated else None,
        sessions=tuple(used.get(f"{Entry.prefix}{entry.id}", ())),
        disputes=entry.disputes,
        source=filled(Quoted, source, speaker=speaker or None, date=source.date or date),
        gone="" if entry.live else f"it was {entry.stage} there",
    )


def _moment(ms: int) -> str:
    return in_utc(datetime.fromtimestamp(max(ms, 0) / 1_000, UTC).isoformat())
