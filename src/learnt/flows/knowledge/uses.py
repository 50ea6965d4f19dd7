"""What the hooks saw of a session, and what its calls show of entries, as domains read them."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from learnt.core import safety
from learnt.core.address import Address
from learnt.core.digest.lessons import Cure, Lesson, cures_in, digest, lesson_of, texts_of
from learnt.core.digest.steps import Talk
from learnt.core.events import Actor, Kind, Origin, payload_of
from learnt.core.governance.actors import origin_of_prompt
from learnt.core.health.outcomes import CallEvidence
from learnt.core.identifiers import EntryId, Subject, plain_or_hashed, session_subject
from learnt.core.knowledge.admission import applied, touched
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.signals import Spoken, Vote, together, vote
from learnt.core.payloads.entry_events import Recalled
from learnt.core.records import Record, decode, member, text_of
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Made, Turn
from learnt.domain_ports import Extracted, ToolCall
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture
from learnt.flows.knowledge.checking import Checker
from learnt.flows.knowledge.feedback import OWN, call_tells, proof
from learnt.flows.knowledge.relating import settle_by_evidence
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.sessions.locate import look
from learnt.flows.sessions.observe import EXCERPT, digest_of
from learnt.flows.stored import all_stored, text_or_empty, texts_behind
from learnt.formats.agents.dialects import GEMINI_CLI
from learnt.formats.answers import filled
from learnt.formats.evidence.calls import of_call
from learnt.formats.evidence.causes import cause_of
from learnt.formats.injection import Note
from learnt.ports import Language, Outside, Reader


def lessons_of(
    language: Language,
    turns: Sequence[Turn],
    calls: Mapping[str, CallEvidence],
    origin_of: Callable[[Turn], Origin],
) -> list[Lesson]:
    """The lessons of a session's turns, in order; `calls` is the evidence of each call by id."""
    readings = [language.remarks(turn.prompt) for turn in turns]
    found = cures_in(Talk(turns, calls, readings))
    return digest(turns, readings, cures_told(language, found, turns), origin_of)


def cures_told(language: Language, found: Sequence[Cure], turns: Sequence[Turn]) -> list[Lesson]:
    """Cures in structure, without texts that speak to their reader."""
    texts = {text for each in found for text in texts_of(each)}
    speaking = {text for text in texts if language.commands(text) is not Address.NONE}
    cures = (lesson_of(each, speaking, turns[each.turn].folder) for each in found)
    return [cure for cure in cures if cure is not None]


class Transcript(Record):
    """A session's transcript."""

    path: str
    id: str = ""  # the session's, where hooks reported it
    agent: str = "claude-code"
    folder: str = ""  # where it was, by the hooks' word
    over: bool = False  # its last turn is complete

    def name(self, key: bytes) -> str:
        """The session's name as payloads may hold it; that of a mere transcript is its path's."""
        return plain_or_hashed(key, self.id or self.path)

    def subject(self, key: bytes) -> Subject:
        """The subject of the session's events."""
        return session_subject(self.agent, self.name(key))


class Seen:
    """The turns of a transcript, and beside them the hooks' reports."""

    def __init__(
        self, outside: Outside, turns: Sequence[Turn], reports: Sequence[Observation]
    ) -> None:
        self.turns = turns
        self._reported = {id(turn): report_of(outside, reports, turn) for turn in turns}
        # The evidence of each call by its id: as its hook found, or else by the transcript.
        self.calls = _evidence(turns, reports)

    def reported(self, turn: Turn) -> Observation | None:
        """The hook's report of the very same prompt."""
        return self._reported[id(turn)]

    def origin_of(self, turn: Turn) -> Origin:
        """Whose words a prompt is."""
        report = self.reported(turn)
        return Origin.MIXED if report is None else origin_of_prompt(report.actor, turn.prompt)


def report_of(outside: Outside, reports: Sequence[Observation], turn: Turn) -> Observation | None:
    """The hook's report of the very same prompt, among a session's."""
    excerpt = safety.excerpt(turn.prompt, EXCERPT) if reports else ""
    if not reports or len(excerpt) == EXCERPT:
        return None  # of what is behind it no report tells
    digested = digest_of(outside, excerpt)
    prompts = (report for report in reports if report.event == "UserPromptSubmit")
    alike = (p for p in prompts if p.digest == digested)
    # Of Gemini CLI neither the hooks nor the chat file name a prompt alike.
    return next((p for p in alike if p.episode == turn.id or p.agent == GEMINI_CLI.id), None)


def _evidence(turns: Sequence[Turn], reports: Sequence[Observation]) -> dict[str, CallEvidence]:
    """The evidence of each call; the digest of an edit only where the hook saw the same texts."""
    reported = {
        text_of(call.get("id")): decode(CallEvidence, evidence)
        for report in reports
        for call in report.calls
        if isinstance(evidence := call.get("evidence"), dict)
    }
    found = {}
    for made in (made for turn in turns for made in turn.calls):
        call = reported.get(made.id)
        if call is None or call.edit:
            written = decode(CallEvidence, of_call(made.tool, made.input, made.response))  # type: ignore[arg-type]  # evidence is JSON by its schema
            call = call or replace(written, edit="")
            call = call if call.edit == written.edit else replace(call, edit="")
        found[made.id] = call
    return found


_SHOWS = frozenset({"test", "check", "change", "other"})  # a mere look shows nothing
_CHECKS = frozenset({"test", "check"})  # what speaks of more than itself
LESSON = "domain"


class Used(Record):
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


class _Reading(Record):
    """What was read in one call, what the person had said and what had been shown by then."""

    made: Made
    at_ms: int  # when its turn began, 0 where that is not known
    extracts: tuple[Extracted, ...]
    prompts: tuple[str, ...]
    shown: frozenset[EntryId]


def what_calls_show(
    outside: Outside,
    transcript: Transcript,
    fresh: Sequence[int],
    seen: Seen,
    *,
    pause: Callable[[], None] = lambda: None,
) -> UsesFound:
    """Record what the calls of the fresh turns show of entries.

    A call counts if a hook saw it too, and once for an entry. Of what a domain has read the domain
    alone says what it shows, but for what did as told.
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
            if not _tells(made, call, failed=failed):
                continue
            given = filled(ToolCall, made, failed=failed)
            every = (extractor(given) for extractor in extractors)
            extracts = tuple(e for e in every if e.signals or e.facts or e.own)
            if extracts:
                yield _Reading(made, turn.at_ms, extracts, tuple(prompts), frozenset(before))


def _tells(made: Made, call: CallEvidence, *, failed: bool) -> bool:
    """Whether a result can tell anything: it is there, whole, and of nobody's surroundings.

    A full disk, or a server that is down, speaks of no entry.
    """
    response, cause = made.response, call.cause
    if response is None or call.interrupted or call.family == OWN:
        return False
    if failed and cause != "environment":
        text = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
        cause = cause_of(text, None)
    return cause != "environment"


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
        concerned = []
        for entry in all_stored(reader, Entry):
            if entry.live and entry.text and entry.kind in kinds and sees(entry):
                # It is about its entities, or else the tables that it cites.
                about = entry.entities or [cite.table for cite in entry.cites]
                names, text = texts_behind(reader, about), text_or_empty(reader, entry.text)
                concerned.append((entry, Spoken(kind=entry.kind, text=text, names=names)))
        return concerned


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
            uses = _uses(*subjects[entry], turn, seen.calls)
            counting = [use for use in uses if use.direct or use.tool_use not in read]
            yield from counting[-1:]  # what was corrected meanwhile is no blame


def _subject_of(reader: Reader, name: EntryId) -> tuple[Note, tuple[str, ...]] | None:
    entry = entry_of(reader, name)
    if entry is None or not entry.live:
        return None
    cited = (ref for cite in entry.cites for ref in cite.refs)
    names = texts_behind(reader, (*entry.entities, *entry.files, *cited))
    return note_of(reader, entry), names


def _uses(
    note: Note, names: Sequence[str], turn: Turn, calls: Mapping[str, CallEvidence]
) -> Iterator[Used]:
    for made in turn.calls:
        call = calls.get(made.id, CallEvidence())
        good = _went_well(call, made)
        if good is None:
            continue
        command = text_of(member(made.input, "command"))
        direct = bool(command) and applied(note.approach, note.cautions, command)
        # A query of another server's asks whether something holds, as a test or a check does.
        asks = note.text and (call.kind in _CHECKS or made.tool.startswith("mcp__"))
        if direct or (asks and touched(names, json.dumps(made.input, ensure_ascii=False))):
            yield Used(entry=note.id, tool_use=made.id, good=good, direct=direct)


def _went_well(call: CallEvidence, made: Made) -> bool | None:
    """Whether a call that shows something went well; None where it shows nothing."""
    if call.kind not in _SHOWS or call.interrupted or call.cause == "environment":
        return None
    if call.good and made.failed and made.tool.startswith("mcp__"):
        return None  # its server says that it failed, in words that are not known
    return not made.failed if call.good is None else call.good
