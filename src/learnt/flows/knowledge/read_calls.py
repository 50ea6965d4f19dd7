"""What domains read in a session's tool results: signals about entries, and facts for the gates."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from learnt.core.events import Actor, Origin
from learnt.core.health.outcomes import Call
from learnt.core.identifiers import EntryId, ProjectId, Subject, plain_or_hashed
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.signals import Spoken, Vote, together, vote
from learnt.core.knowledge.standing import CREDIBILITY
from learnt.core.sessions.turns import Made, Turn
from learnt.domain_ports import Extracted, ToolCall
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.evidence import OWN, Proof, proof, proved
from learnt.flows.knowledge.feedback import SOFT, Result, Word, tell
from learnt.flows.knowledge.offers import Offer, Outcome
from learnt.flows.knowledge.seen import Seen
from learnt.flows.knowledge.uses import Used, shown_in
from learnt.flows.plans import PATIENT_LOOKS
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import all_stored
from learnt.formats.evidence.causes import cause_of
from learnt.ports import Outside, Reader

LESSON = "domain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The session that is read, and the folder that hooks reported of it."""

    session: str
    folder: str
    subject: Subject


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
class _Read:
    """What was read in one call; what the person had said by then, and what had been shown.

    `at_ms` is when its turn began, 0 where that is not known.
    """

    made: Made
    at_ms: int
    found: tuple[Extracted, ...]
    prompts: tuple[str, ...]
    shown: frozenset[EntryId]


def read_calls(
    outside: Outside,
    where: Place,
    turns: Sequence[Turn],
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
        shown = shown_in(reader, where.subject)
    readings = list(_readings(outside, turns, fresh, seen, shown))
    with outside.ledger.reading() as reader:
        known = _known(outside, reader, where, readings)
    for one in readings:
        if any(each.signals or each.own for each in one.found):
            heard.read.add(one.made.id)
        for entry, of, since_ms in known:
            spoken = _spoken(one, replace(of, shown=entry in one.shown))
            # What failed before a fact was so is no fault of it.
            if spoken is None or (not spoken.good and 0 < one.at_ms < since_ms):
                continue
            if _told(outside, entry, spoken, one.made.id, where.session):
                used = Used(entry=entry, tool_use=one.made.id, good=spoken.good, direct=True)
                heard.used.append(used)
            pause()
        for outcome in _offered(outside, where, one):
            heard.offered.append(outcome)
            pause()
    return heard


def _readings(
    outside: Outside,
    turns: Sequence[Turn],
    fresh: Collection[int],
    seen: Seen,
    shown: dict[str, tuple[EntryId, ...]],
) -> Iterator[_Read]:
    extractors = [one for domain in outside.domains for one in domain.extractors]
    prompts: list[str] = []
    before: set[EntryId] = set()
    for number, turn in enumerate(turns):
        before |= set(shown.get(plain_or_hashed(outside.ledger.key, turn.id), ()))
        if seen.origin_of(turn) is Origin.USER:
            prompts.append(turn.prompt)
        for made in turn.calls if number in fresh else ():
            call = seen.calls.get(made.id, Call())
            failed = made.failed or call.good is False
            if not _tells(made, call) or (failed and _surroundings(made)):
                continue
            given = ToolCall(
                tool=made.tool,
                input=made.input,
                response=made.response,
                failed=failed,
            )
            every = (extractor(given) for extractor in extractors)
            found = tuple(one for one in every if one.signals or one.facts or one.own)
            if found:
                yield _Read(
                    made=made,
                    at_ms=turn.at_ms,
                    found=found,
                    prompts=tuple(prompts),
                    shown=frozenset(before),
                )


def _tells(made: Made, call: Call) -> bool:
    """Whether a result can tell anything: it is there, whole, and of nobody's surroundings."""
    if made.response is None or call.interrupted or call.cause == "environment":
        return False
    return call.family != OWN


def _surroundings(made: Made) -> bool:
    """Whether a full disk, or a server that is down, is to blame: that speaks of nothing known."""
    told = made.response
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    return cause_of(text, None) == "environment"


def _known(
    outside: Outside, reader: Reader, where: Place, readings: Sequence[_Read]
) -> list[tuple[EntryId, Spoken, int]]:
    """The live entries of the session's project that any signal may speak of, and since when."""
    found = [each for one in readings for each in one.found]
    kinds = {kind for each in found for signal in each.signals for kind in signal.kinds}
    if not kinds:
        return []
    # Where a project lies is the hooks' word: a transcript could name any folder.
    located = find(reader, look(outside, where.folder)) if where.folder else None
    scopes: set[ProjectId | None] = {None, *(located.household if located else ())}
    return [
        (entry.id, _as_spoken_of(reader, entry), entry.remembered_ms)
        for entry in all_stored(reader, Entry)
        if entry.live and entry.text is not None and entry.kind in kinds and entry.scope in scopes
    ]


def _as_spoken_of(reader: Reader, entry: Entry) -> Spoken:
    """An entry's text, and what it is about: its entities, or else the tables that it cites."""
    tables = tuple(cite.table for cite in entry.cites if cite.table)
    named = (reader.text(ref) for ref in entry.entities or tables)
    text = (reader.text(entry.text) if entry.text else None) or ""
    return Spoken(kind=entry.kind, text=text, names=tuple(filter(None, named)))


def _spoken(one: _Read, of: Spoken) -> Vote | None:
    """What a call says of an entry; None where it is not about it, or not clear."""
    every = (
        vote(signal, of, each.entities, one.prompts)
        for each in one.found
        for signal in each.signals
    )
    return together(filter(None, every))


def _told(outside: Outside, entry: EntryId, spoken: Vote, tool_use: str, session: str) -> bool:
    """Whether it could be said of the entry, and was not said before."""
    with outside.ledger.reading() as reader:
        held = entry_of(reader, entry)
        if held is not None and _spoke(outside, reader, held, tool_use):
            return False
    if held is None or (held.stage is not Stage.VALIDATED and not spoken.good):
        return False
    good: Result = "success" if held.stage is Stage.VALIDATED else "confirmed"
    word = Word(
        result=good if spoken.good else "failure",
        actor=Actor.TOOL,
        weight=None if spoken.hard else SOFT,
        credibility=None if spoken.hard else CREDIBILITY["indirect"],
        evidence=tool_use,
        session=session,
        read=True,
    )
    try:
        return tell(outside, entry, word, looks=PATIENT_LOOKS)[1]
    except (NotFound, Refused):
        return False


def _spoke(outside: Outside, reader: Reader, held: Entry, tool_use: str) -> bool:
    """Whether a call spoke of an entry before, for it or against it: it does so once."""
    call = Proof(tool_use=tool_use, session="", failed=False)
    keys = (proved(outside, held.id, call, way, held.corrected) for way in ("success", "failure"))
    return any(reader.keyed(key) is not None for key in keys)


def _offered(outside: Outside, where: Place, one: _Read) -> Iterator[Outcome]:
    """The facts of a call that a hook saw, offered as what a tool shows."""
    facts = [fact for each in one.found for fact in each.facts]
    if not facts or not where.folder:
        return
    with outside.ledger.reading() as reader:
        try:
            shows = proof(reader, one.made.id, where.session)
        except NotFound:
            return
    for fact in facts:
        offer = Offer(
            what=fact,
            actor=Actor.LEARNT,
            folder=where.folder,
            session=shows.session,
            evidence=shows.tool_use,
            came_from=Origin.TOOL,
            lesson=LESSON,
        )
        try:
            yield capture(outside, offer, looks=PATIENT_LOOKS)
        except (Refused, UsageError):
            continue
