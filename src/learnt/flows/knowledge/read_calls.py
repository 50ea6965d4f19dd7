"""What domains read in a session's tool results: signals about entries, and facts for the gates."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from learnt.core.events import Actor, Origin
from learnt.core.health.outcomes import Call
from learnt.core.identifiers import EntryId, plain_or_hashed
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.signals import Spoken, Vote, together, vote
from learnt.core.sessions.turns import Made
from learnt.domain_ports import Extracted, ToolCall
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.evidence import OWN, proof
from learnt.flows.knowledge.feedback import call_tells
from learnt.flows.knowledge.offers import Offer, Outcome
from learnt.flows.knowledge.seen import Seen, Transcript
from learnt.flows.knowledge.uses import Used, shown_in
from learnt.flows.plans import PATIENT_LOOKS
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import all_stored, text_or_empty, texts_behind
from learnt.formats.evidence.causes import cause_of
from learnt.ports import Outside, Reader

LESSON = "domain"


@dataclass(slots=True, kw_only=True)
class Heard:
    """What came of it: entries spoken of, and facts offered.

    `read` are the calls that a domain read, even where it was not clear what they say: no other
    rule makes anything of them.
    """

    used: list[Used] = field(default_factory=list)
    offered: list[Outcome] = field(default_factory=list)
    read: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """What was read in one call; what the person had said by then, and what had been shown.

    `at_ms` is when its turn began, 0 where that is not known.
    """

    made: Made
    at_ms: int
    extracts: tuple[Extracted, ...]
    prompts: tuple[str, ...]
    shown: frozenset[EntryId]


def read_calls(
    outside: Outside,
    transcript: Transcript,
    fresh: Collection[int],
    seen: Seen,
    *,
    pause: Callable[[], None] = lambda: None,
) -> Heard:
    """Let the enabled domains read the calls of the fresh turns, and record what they show.

    A call counts if a hook saw it too, and once for an entry, whatever several domains read in it.
    `pause` is called between transactions.
    """
    heard = Heard()
    if not any(domain.extractors for domain in outside.domains):
        return heard
    with outside.ledger.reading() as reader:
        shown = shown_in(reader, transcript.subject(outside.ledger.key))
    readings = list(_readings(outside, fresh, seen, shown))
    # Where a project lies is the hooks' word: a transcript could name any folder.
    place = look(outside, transcript.folder) if transcript.folder else None
    with outside.ledger.reading() as reader:
        located = find(reader, place) if place else None
        scopes = {None, *(located.household if located else ())}
        entries = list(_concerned(reader, readings, scopes))
    for reading in readings:
        tool_use = reading.made.id
        if any(extract.signals or extract.own for extract in reading.extracts):
            heard.read.add(tool_use)
        for entry, spoken_of in entries:
            verdict = _verdict(reading, replace(spoken_of, shown=entry.id in reading.shown))
            # What failed before a fact was so is no fault of it.
            if verdict is None or (not verdict.good and 0 < reading.at_ms < entry.remembered_ms):
                continue
            how = {"good": verdict.good, "hard": verdict.hard, "read": True}
            if call_tells(outside, entry.id, tool_use, transcript.id, **how):
                used = Used(entry=entry.id, tool_use=tool_use, good=verdict.good, direct=True)
                heard.used.append(used)
            pause()
        for outcome in _offered(outside, transcript, reading):
            heard.offered.append(outcome)
            pause()
    return heard


def _readings(
    outside: Outside, fresh: Collection[int], seen: Seen, shown: dict[str, tuple[EntryId, ...]]
) -> Iterator[_Reading]:
    extractors = [extractor for domain in outside.domains for extractor in domain.extractors]
    prompts: list[str] = []
    before: set[EntryId] = set()
    for number, turn in enumerate(seen.turns):
        before |= set(shown.get(plain_or_hashed(outside.ledger.key, turn.id), ()))
        if seen.origin_of(turn) is Origin.USER:
            prompts.append(turn.prompt)
        for made in turn.calls if number in fresh else ():
            call = seen.calls.get(made.id, Call())
            failed = made.failed or call.good is False
            if not _tells(made, call) or (failed and _surroundings(made)):
                continue
            given = ToolCall(
                tool=made.tool, input=made.input, response=made.response, failed=failed
            )
            every = (extractor(given) for extractor in extractors)
            extracts = tuple(e for e in every if e.signals or e.facts or e.own)
            if extracts:
                yield _Reading(
                    made=made,
                    at_ms=turn.at_ms,
                    extracts=extracts,
                    prompts=tuple(prompts),
                    shown=frozenset(before),
                )


def _tells(made: Made, call: Call) -> bool:
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
    reader: Reader, readings: Sequence[_Reading], scopes: Collection[str | None]
) -> Iterator[tuple[Entry, Spoken]]:
    """The live facts of these scopes that any signal may speak of."""
    extracts = (extract for reading in readings for extract in reading.extracts)
    signals = (signal for extract in extracts for signal in extract.signals)
    kinds = {kind for signal in signals for kind in signal.kinds}
    for entry in all_stored(reader, Entry) if kinds else ():
        if entry.live and entry.text and entry.kind in kinds and entry.scope in scopes:
            # What it is about: its entities, or else the tables that it cites.
            names = texts_behind(reader, entry.entities or [cite.table for cite in entry.cites])
            text = text_or_empty(reader, entry.text)
            yield entry, Spoken(kind=entry.kind, text=text, names=names)


def _verdict(reading: _Reading, of: Spoken) -> Vote | None:
    """What a call says of an entry; None where it is not about it, or not clear."""
    every = (
        vote(signal, of, extract.entities, reading.prompts)
        for extract in reading.extracts
        for signal in extract.signals
    )
    return together(filter(None, every))


def _offered(outside: Outside, transcript: Transcript, reading: _Reading) -> Iterator[Outcome]:
    """The facts of a call that a hook saw, offered as what a tool shows."""
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
            yield capture(outside, offer, looks=PATIENT_LOOKS)
        except (Refused, UsageError):
            continue
