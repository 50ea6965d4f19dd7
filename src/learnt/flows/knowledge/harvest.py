"""A session is over: what its transcript teaches is offered to the gates, each part of it once.

Whose words a prompt holds is told by the hooks: anybody may have written a transcript.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from msgspec.structs import replace

from learnt.core.digest.lessons import Lesson
from learnt.core.digest.remarks import Basis
from learnt.core.events import Actor, Kind, Origin, Where, natural_key, payload_of
from learnt.core.governance.actors import BY_FILE
from learnt.core.identifiers import EntryId, NaturalKey
from learnt.core.payloads.session_events import HarvestedPart
from learnt.core.records import Record
from learnt.errors import NotFound, Refused
from learnt.file_ports import Part
from learnt.flows.health.closing import WINDOW_MS
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture, of_its_kind
from learnt.flows.knowledge.checking import citations_of
from learnt.flows.knowledge.feedback import proof
from learnt.flows.knowledge.relating import settle_by_citations
from learnt.flows.knowledge.remembering import decided_at_once, quotes_saved, utterance_of
from learnt.flows.knowledge.standing import settle
from learnt.flows.knowledge.uses import Seen, Transcript, Used, lessons_of, what_calls_show
from learnt.flows.stored import append
from learnt.formats.agents.transcripts import readable, turns
from learnt.ports import Outside, Reader

PART = 8 << 20  # bytes of a transcript that are looked at together
ENDS = "SessionEnd"
_GOES_ON = frozenset({"SessionStart", "UserPromptSubmit", "PostToolBatch"})


class Taught(Record):
    """A lesson and what became of it; where it could not even be offered, why."""

    lesson: Lesson
    outcome: OfferOutcome | None = None
    refused: str = ""


@dataclass(slots=True, kw_only=True)
class Harvested:
    """What a harvest found."""

    session: str = ""
    taught: list[Taught] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)
    offered: list[OfferOutcome] = field(default_factory=list)  # facts that domains read in results
    validated: tuple[EntryId, ...] = ()
    turns: int = 0
    readable: bool = False  # whether there was a record in it
    again: int = 0  # how far it was harvested before it was rewritten, if it was
    skipped: int = 0  # lines too long to be looked at
    began: int = 0
    until: int = 0  # how far it was harvested
    size: int = 0  # of the transcript


def waiting(outside: Outside) -> list[Transcript]:
    """The sessions of the last days that have ended, with something in them not yet harvested."""
    with outside.ledger.reading() as reader:
        ended = [
            (transcript, _last(outside, reader, transcript).until)
            for transcript in transcripts(outside, reader)
            if transcript.over
        ]
    since = outside.transcripts.since
    return [transcript for transcript, at in ended if since(transcript.path, at, 0).size > at]


def transcripts(outside: Outside, reader: Reader) -> Iterator[Transcript]:
    """The transcripts of the sessions of the last days."""
    names = reader.sessions_observed()
    return filter(None, (transcript_of(outside, reader, name) for name in names))


def transcript_of(outside: Outside, reader: Reader, session: str) -> Transcript | None:
    """A session's transcript as its reports tell of it; None where none names one."""
    reports = [stored.observation for stored in reader.observed(session)] if session else []
    main = [report for report in reports if report.transcript and not report.subagent]
    if not main:
        return None
    # It ended and did not go on, or nothing was reported of it for a day.
    telling = [report.event for report in reports if report.event in {ENDS, *_GOES_ON}]
    silent_ms = outside.clock.now_ms() - max(report.ms for report in reports)
    return Transcript(
        path=main[-1].transcript,
        id=session,
        agent=main[-1].agent,
        folder=next((report.folder for report in main if report.folder), ""),
        over=telling[-1:] == [ENDS] or silent_ms > WINDOW_MS,
    )


def _last(outside: Outside, reader: Reader, transcript: Transcript) -> HarvestedPart:
    subject = transcript.subject(outside.ledger.key)
    events = reader.events(subject=subject, kind=Kind.HARVESTED, newest=1)
    return next((payload_of(HarvestedPart, event) for event in events), HarvestedPart())


def harvest(
    outside: Outside,
    transcript: Transcript,
    *,
    pause: Callable[[], None] = lambda: None,
) -> Harvested:
    """Offer what a session taught since it was harvested last; its open last turn waits.

    `pause` lets prompts in between transactions. What proved itself is validated. Raises NotFound.
    """
    with outside.ledger.reading() as reader:
        last = _last(outside, reader, transcript)
    size = outside.transcripts.since(transcript.path, 0, 0).size
    if not size:
        raise NotFound(
            f"There is no transcript {transcript.path}, or it is empty or no plain file. "
            "Nothing was harvested."
        )
    # Shorter than it was: it was rewritten.
    again, began = (last.until, 0) if size < last.until else (0, last.until)
    done = Harvested(session=transcript.id, began=began, until=began, again=again, size=size)
    start = began if last.context is None else min(last.context, began)
    last_part = False
    while not last_part:
        part = outside.transcripts.since(transcript.path, start, PART)
        done.size, last_part = part.size, part.last
        done.skipped += part.skipped
        if part.end > part.start:
            _harvest_part(outside, transcript, part, done, pause)
        # A turn that the end of a part cuts is looked at once more, whole.
        start = done.until if done.until > start else part.end
    outcomes = [taught.outcome for taught in done.taught if taught.outcome is not None]
    offered = [outcome.entry for outcome in (*outcomes, *done.offered)]
    done.validated = settle(outside, [*offered, *(used.entry for used in done.used)])
    if transcript.folder:
        settle_by_citations(outside, transcript.folder)
    return done


class _Look(Record):
    """What was seen in a part: its turns, the numbers of the `fresh` ones, how far they reach."""

    seen: Seen
    fresh: Sequence[int]
    folder: str
    until: int
    context: int  # where the last fresh turn began: the next part is looked at from there
    key: NaturalKey


def _harvest_part(
    outside: Outside,
    transcript: Transcript,
    part: Part,
    harvested: Harvested,
    pause: Callable[[], None],
) -> None:
    """Offer each lesson of a part in a transaction of its own, then record how far it got."""
    at = _look(outside, transcript, part, harvested)
    if at is None:
        return
    seen = at.seen
    picked = quotes_saved(outside, transcript.id) > 0
    taught = []
    for lesson in lessons_of(outside.language, seen.turns, seen.calls, seen.origin_of):
        # Where the agent picked what is to last, no rule picks more of the person's words.
        fresh = lesson.turn in at.fresh and not (picked and lesson.source is Basis.FACT)
        offered = _offered(outside, transcript, lesson, at) if fresh else None
        if offered is not None:
            taught.append(offered)
            pause()
    heard = what_calls_show(outside, transcript, at.fresh, seen, pause=pause)
    _record(outside, transcript, at, taught, harvested.until)
    harvested.used += heard.used
    harvested.offered += heard.offered
    harvested.taught += taught
    harvested.turns += len(at.fresh)
    harvested.until = at.until


def _look(
    outside: Outside, transcript: Transcript, part: Part, harvested: Harvested
) -> _Look | None:
    """What a part holds; None where nothing of it is fresh, or somebody else was quicker."""
    lines = part.data.split(b"\n")
    read = turns(lines)
    harvested.readable = harvested.readable or bool(read) or readable(lines)
    begins_at = list(accumulate((len(line) + 1 for line in lines), initial=part.start))
    at = [begins_at[turn.line] for turn in read]
    if part.last:  # its last turn may go on behind it
        until = part.end if transcript.over else at[-1] if at else part.start
    else:  # one turn alone may fill more than a part: it is harvested in pieces
        until = at[-1] if at and at[-1] > part.start else part.end
    if until <= harvested.until or not harvested.readable:
        return None
    # A turn that has grown since it was harvested counts again.
    fresh = [
        number
        for number, turn in enumerate(read)
        if harvested.until < begins_at[turn.last + 1] and at[number] < until
    ]
    name, agent = transcript.name(outside.ledger.key), transcript.agent
    place = (agent, name, harvested.until, harvested.again or None)
    key = natural_key(outside.ledger.key, "harvested", *place)
    with outside.ledger.reading() as reader:
        if reader.keyed(key) is not None:
            harvested.until = _last(outside, reader, transcript).until
            return None
        reports = reader.observed(transcript.id) if transcript.id else []
    return _Look(
        seen=Seen(outside, read, [report.observation for report in reports]),
        fresh=fresh,
        folder=transcript.folder or next((turn.folder for turn in read if turn.folder), ""),
        until=until,
        context=at[fresh[-1]] if fresh else until,
        key=key,
    )


def _offered(outside: Outside, transcript: Transcript, lesson: Lesson, at: _Look) -> Taught | None:
    """A lesson as it was offered; None where that was decided while its prompt was answered."""
    turn = at.seen.turns[lesson.turn]
    report = at.seen.reported(turn)  # a hook saw the prompt, too
    shown = _shown(outside, transcript, lesson)
    # A sentence that rules picked waits for its person, however often it is typed.
    indirect = lesson.what.is_fact or lesson.origin is Origin.MIXED
    offer = Offer(
        what=of_its_kind(outside, lesson.what),
        actor=Actor.LEARNT,
        folder=at.folder or None,
        witness="indirect" if indirect else "agent",
        # What a transcript alone says is no session's word: it counts once a day, as an agent's.
        session=transcript.id if report else "",
        evidence=shown,
        lesson=lesson.source,
        episode=turn.id,
        came_from=lesson.origin,
        utterance=utterance_of(outside, turn.id, lesson.what.subject) if report else "",
        at_once=lesson.source is Basis.REMEMBER,
        # Where a project lies is the hooks' word: a transcript could name any folder.
        cites=citations_of(outside, at.folder, lesson.changes) if transcript.folder else (),
    )
    if offer.utterance and decided_at_once(outside, offer):
        return None
    if shown:
        offer = replace(offer, session=transcript.id, utterance="")  # a call is its own witness
    elif lesson.tool_use:
        # A call that nobody saw is the transcript's word: shown by nothing.
        offer = replace(offer, came_from=Origin.MIXED, witness="indirect")
    try:
        # Nobody types now: what counts is what was seen when the prompt came.
        with outside.ledger.told(report.sight if report else BY_FILE):
            return Taught(lesson=lesson, outcome=capture(outside, offer))
    except Refused as refusal:
        return Taught(lesson=lesson, refused=str(refusal))


def _shown(outside: Outside, transcript: Transcript, lesson: Lesson) -> str:
    """The call that shows a lesson, if hooks saw it; that others failed before is proof, too."""
    session, names = transcript.id, (lesson.tool_use, *lesson.failed)
    if not lesson.tool_use or not session:
        return ""
    try:
        with outside.ledger.reading() as reader:
            passed, *before = (proof(reader, name, session) for name in names)
    except NotFound:
        return ""
    of_it = all(call.session == session for call in (passed, *before))
    return passed.tool_use if of_it and not passed.failed else ""


def _record(
    outside: Outside, transcript: Transcript, at: _Look, taught: Sequence[Taught], start: int
) -> None:
    key, outcomes = outside.ledger.key, [lesson.outcome for lesson in taught]
    verdicts = Counter(  # by the names of the payload's fields
        "refused" if outcome is None else type(outcome.decision).__name__.lower()
        for outcome in outcomes
    )
    payload = HarvestedPart(
        start=start,
        until=at.until,
        context=at.context,
        turns=len(at.fresh),
        lessons=len(taught),
        entries=tuple(outcome.entry for outcome in outcomes if outcome is not None),
        **verdicts,  # type: ignore[arg-type]  # the counts, which no other field takes
    )
    where = Where(agent=transcript.agent, session=transcript.name(key))
    with outside.ledger.writing() as writer:
        append(writer, transcript.subject(key), Actor.LEARNT, payload, where=where, key=at.key)
