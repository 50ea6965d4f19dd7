"""What a session's calls show of entries: as domains read them, or by rule."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from learnt.core.events import Actor, Kind, Origin, payload_of
from learnt.core.health.outcomes import CallEvidence
from learnt.core.identifiers import EntryId, Subject, plain_or_hashed
from learnt.core.knowledge.admission import applied, touched
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.signals import Spoken, Vote, together, vote
from learnt.core.payloads.entry_events import Recalled
from learnt.core.records import member, text_of
from learnt.core.sessions.turns import Made, Turn
from learnt.domain_ports import Extracted, ToolCall
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.checking import Checker
from learnt.flows.knowledge.disputes import settle_by_evidence
from learnt.flows.knowledge.feedback import OWN, call_tells, proof
from learnt.flows.knowledge.offers import Offer, OfferOutcome
from learnt.flows.knowledge.seen import Seen, Transcript
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.sessions.locate import look
from learnt.flows.stored import all_stored, text_or_empty, texts_behind
from learnt.formats.answers import filled
from learnt.formats.evidence.causes import cause_of
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

_SHOWS = frozenset({"test", "check", "change", "other"})  # a mere look shows nothing
_CHECKS = frozenset({"test", "check"})  # what speaks of more than itself
LESSON = "domain"


class Used(NamedTuple):
    """An entry that a call used, and what that showed. `direct`: it did what the entry says."""

    entry: EntryId
    tool_use: str
    good: bool
    direct: bool


@dataclass(slots=True, kw_only=True)
class UsesFound:
    """What came of it: entries spoken of, and facts offered."""

    used: list[Used] = field(default_factory=list)
    offered: list[OfferOutcome] = field(default_factory=list)
    # Calls that a domain read, even if they say nothing clear: no other rule looks at them.
    read: set[str] = field(default_factory=set)


class _Reading(NamedTuple):
    """What was read in one call, what the person had said and what had been shown by then."""

    made: Made
    at_ms: int  # when its turn began, 0 where that is not known
    extracts: tuple[Extracted, ...]
    prompts: tuple[str, ...]
    shown: frozenset[EntryId]


class _Subject(NamedTuple):
    note: Note
    names: tuple[str, ...]


def what_calls_show(
    outside: Outside,
    transcript: Transcript,
    fresh: Sequence[int],
    seen: Seen,
    *,
    pause: Callable[[], None] = lambda: None,
) -> UsesFound:
    """Record what the calls of the fresh turns show of entries.

    A call counts if a hook saw it too, and once for an entry, whatever several domains read in it.
    Of a call that a domain has read the domain alone says what it shows, but for what did as told.
    `pause` is called between transactions.
    """
    with outside.ledger.reading() as reader:
        shown = _shown_in(reader, transcript.subject(outside.ledger.key))
    readings = list(_readings(outside, fresh, seen, shown))
    entries = _concerned(outside, transcript, readings)
    heard = UsesFound()
    for reading in readings:
        if any(extract.signals or extract.own for extract in reading.extracts):
            heard.read.add(reading.made.id)
        for entry, spoken_of in entries:
            verdict = _verdict(reading, replace(spoken_of, shown=entry.id in reading.shown))
            # What failed before a fact was so is no fault of it.
            if verdict is None or (not verdict.good and 0 < reading.at_ms < entry.remembered_ms):
                continue
            how = {"good": verdict.good, "hard": verdict.hard, "read": True}
            if call_tells(outside, entry.id, reading.made.id, transcript.id, **how):
                heard.used.append(Used(entry.id, reading.made.id, verdict.good, direct=True))
                if verdict.good and verdict.hard:
                    settle_by_evidence(outside, entry.id, "a tool's result")
            pause()
        for outcome in _offered(outside, transcript, reading):
            heard.offered.append(outcome)
            pause()
    for use in _by_rule(outside, fresh, seen, shown, heard.read):
        # What fails beside a fact may fail for a hundred reasons.
        how = {"good": use.good, "hard": use.good or use.direct}
        if call_tells(outside, use.entry, use.tool_use, transcript.id, **how):
            heard.used.append(use)
    return heard


def _shown_in(reader: Reader, subject: Subject) -> dict[str, tuple[EntryId, ...]]:
    shown: dict[str, tuple[EntryId, ...]] = {}
    for event in reader.events(subject=subject, kind=Kind.RECALLED):
        episode = event.where.episode or ""
        shown[episode] = (*shown.get(episode, ()), *payload_of(Recalled, event).shown)
    return shown


# What domains read in results: signals about entries, and facts for the gates.


def _readings(
    outside: Outside, fresh: Collection[int], seen: Seen, shown: dict[str, tuple[EntryId, ...]]
) -> Iterator[_Reading]:
    extractors = [extractor for domain in outside.domains for extractor in domain.extractors]
    if not extractors:
        return
    prompts: list[str] = []
    before: set[EntryId] = set()
    for number, turn in enumerate(seen.turns):
        before |= set(shown.get(plain_or_hashed(outside.ledger.key, turn.id), ()))
        if seen.origin_of(turn) is Origin.USER:
            prompts.append(turn.prompt)
        for made in turn.calls if number in fresh else ():
            call = seen.calls.get(made.id, CallEvidence())
            failed = made.failed or call.good is False
            if not _tells(made, call) or (failed and _surroundings(made)):
                continue
            given = filled(ToolCall, made, failed=failed)
            every = (extractor(given) for extractor in extractors)
            extracts = tuple(e for e in every if e.signals or e.facts or e.own)
            if extracts:
                yield _Reading(made, turn.at_ms, extracts, tuple(prompts), frozenset(before))


def _tells(made: Made, call: CallEvidence) -> bool:
    """Whether a result can tell anything: it is there, whole, and of nobody's surroundings."""
    if made.response is None or call.interrupted or call.cause == "environment":
        return False
    return call.family != OWN


def _surroundings(made: Made) -> bool:
    """Whether a full disk, or a server that is down, is to blame: that speaks of no entry."""
    response = made.response
    text = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    return cause_of(text, None) == "environment"


def _concerned(
    outside: Outside, transcript: Transcript, readings: Sequence[_Reading]
) -> list[tuple[Entry, Spoken]]:
    extracts = [extract for reading in readings for extract in reading.extracts]
    kinds = {kind for each in extracts for signal in each.signals for kind in signal.kinds}
    if not kinds:
        return []
    # Where a project lies is the hooks' word: a transcript could name any folder.
    place = look(outside, transcript.folder) if transcript.folder else None
    with outside.ledger.reading() as reader:
        sees = Checker(outside, reader, place).sees
        return [
            (entry, _as_spoken_of(reader, entry))
            for entry in all_stored(reader, Entry)
            if entry.live and entry.text and entry.kind in kinds and sees(entry)
        ]


def _as_spoken_of(reader: Reader, entry: Entry) -> Spoken:
    """An entry's text, and what it is about: its entities, or else the tables that it cites."""
    names = texts_behind(reader, entry.entities or [cite.table for cite in entry.cites])
    return Spoken(kind=entry.kind, text=text_or_empty(reader, entry.text), names=names)


def _verdict(reading: _Reading, of: Spoken) -> Vote | None:
    """What a call says of an entry; None where it is not about it, or not clear."""
    every = (
        vote(signal, of, extract.entities, reading.prompts)
        for extract in reading.extracts
        for signal in extract.signals
    )
    return together(filter(None, every))


def _offered(outside: Outside, transcript: Transcript, reading: _Reading) -> Iterator[OfferOutcome]:
    facts = [fact for extract in reading.extracts for fact in extract.facts]
    if not facts or not transcript.folder:
        return
    with outside.ledger.reading() as reader:
        try:
            shows = proof(reader, reading.made.id, transcript.id)
        except NotFound:
            return
    for fact in facts:
        offer = Offer(
            what=fact,
            actor=Actor.LEARNT,
            folder=transcript.folder,
            session=shows.session,
            evidence=shows.tool_use,
            came_from=Origin.TOOL,
            lesson=LESSON,
        )
        try:
            yield capture(outside, offer)
        except (Refused, UsageError):
            continue


# What calls show by rule of what was put before the agent.


def _by_rule(
    outside: Outside,
    fresh: Sequence[int],
    seen: Seen,
    shown: Mapping[str, Sequence[EntryId]],
    read: Collection[str],
) -> Iterator[Used]:
    """Of each entry that was shown and each turn, the last call that used the entry."""
    with outside.ledger.reading() as reader:
        names = {entry for entries in shown.values() for entry in entries}
        subjects = {name: about for name in names if (about := _subject_of(reader, name))}
    before: set[EntryId] = set()
    for turn in (seen.turns[number] for number in fresh):
        # What was shown once stays in the context for the turns that follow.
        before |= set(shown.get(plain_or_hashed(outside.ledger.key, turn.id), ()))
        for entry in sorted(before & subjects.keys()):
            uses = _uses(subjects[entry], turn, seen.calls)
            counting = [use for use in uses if use.direct or use.tool_use not in read]
            yield from counting[-1:]  # what was put right meanwhile is no blame


def _subject_of(reader: Reader, name: EntryId) -> _Subject | None:
    entry = entry_of(reader, name)
    if entry is None or not entry.live:
        return None
    cited = (ref for cite in entry.cites for ref in cite.refs)
    names = texts_behind(reader, (*entry.entities, *entry.files, *cited))
    return _Subject(note_of(reader, entry), names)


def _uses(about: _Subject, turn: Turn, calls: Mapping[str, CallEvidence]) -> Iterator[Used]:
    note = about.note
    for made in turn.calls:
        call = calls.get(made.id, CallEvidence())
        good = _went_well(call, made)
        if good is None:
            continue
        command = text_of(member(made.input, "command"))
        direct = bool(command) and applied(note.approach, note.cautions, command)
        # A query of another server's asks whether something holds, as a test or a check does.
        asks = note.text and (call.kind in _CHECKS or made.tool.startswith("mcp__"))
        if direct or (asks and touched(about.names, json.dumps(made.input, ensure_ascii=False))):
            yield Used(entry=note.id, tool_use=made.id, good=good, direct=direct)


def _went_well(call: CallEvidence, made: Made) -> bool | None:
    """Whether a call that shows something went well; None where it shows nothing."""
    if call.kind not in _SHOWS or call.interrupted or call.cause == "environment":
        return None
    if call.good and made.failed and made.tool.startswith("mcp__"):
        return None  # its server says that it failed, in words that are not known
    return not made.failed if call.good is None else call.good
