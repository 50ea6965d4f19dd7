"""A session is over: what its transcript teaches is offered to the gates, each part of it once.

A part runs from where the last one ended. Whose words a prompt holds is told by what the hooks saw,
never by the transcript, which anybody may have written.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from learnt.core.digest.lessons import Lesson, digest
from learnt.core.digest.remarks import Basis
from learnt.core.events import Actor, Draft, Kind, Origin, Where, payload_of
from learnt.core.identifiers import (
    EntryId,
    NaturalKey,
    keyed_hash,
    plain_or_hashed,
    session_subject,
)
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.session_events import HarvestedPart
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Turn
from learnt.errors import NotFound, Refused
from learnt.file_ports import Part
from learnt.flows.health.observe import WINDOW_MS
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.cited_changes import cited
from learnt.flows.knowledge.evidence import proof
from learnt.flows.knowledge.offers import Offer, Outcome
from learnt.flows.knowledge.read_calls import Place, read_calls
from learnt.flows.knowledge.seen import Seen
from learnt.flows.knowledge.subjects import of_its_kind
from learnt.flows.knowledge.sweep import settle
from learnt.flows.knowledge.uses import Used, weigh
from learnt.flows.plans import PATIENT_LOOKS
from learnt.formats.agents.claude_transcript import readable, turns
from learnt.ports import Outside, Reader

PART = 8 << 20  # bytes of a transcript that are looked at together
ENDS = "SessionEnd"
_GOES_ON = frozenset({"SessionStart", "UserPromptSubmit", "PostToolBatch"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session's transcript. `over`: its last turn is complete.

    `folder` is where it was, where that is known of the session itself.
    """

    transcript: str
    id: str = ""
    agent: str = "claude-code"
    folder: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """A lesson and what became of it; where it could not even be offered, why."""

    lesson: Lesson
    outcome: Outcome | None = None
    refused: str = ""


@dataclass(slots=True, kw_only=True)
class Harvested:
    """What a harvest found. `size` is the transcript's, `until` how far it was harvested.

    `offered` are facts that domains read in results.
    `readable`: there was a record in it. `again` is how far it was harvested before it was written
    anew, if it was.
    """

    session: str = ""
    taught: list[Taught] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)
    offered: list[Outcome] = field(default_factory=list)
    validated: tuple[EntryId, ...] = ()
    turns: int = 0
    readable: bool = False
    again: int = 0
    skipped: int = 0  # lines too long to be looked at
    began: int = 0
    until: int = 0
    size: int = 0


def waiting(outside: Outside) -> list[Session]:
    """The sessions of the last days that have ended, with something in them not yet harvested."""
    with outside.ledger.reading() as reader:
        ended = [
            known
            for name in reader.sessions_observed()
            if name and (known := session_of(outside, reader, name)) is not None and known.over
        ]
        marks = {one.id: mark(outside, reader, one) for one in ended}
    return [one for one in ended if outside.transcripts.since(one.transcript, marks[one.id], 0).size
            > marks[one.id]]  # fmt: skip


def session_of(outside: Outside, reader: Reader, name: str) -> Session | None:
    """A session as its reports tell of it; None where none names a transcript."""
    seen = [held.observation for held in reader.observed(name)]
    own = [one for one in seen if one.transcript and not one.subagent]
    if not own:
        return None
    return Session(
        transcript=own[-1].transcript,
        id=name,
        agent=own[-1].agent,
        folder=next((one.folder for one in own if one.folder), ""),
        over=_is_over(seen, outside.clock.now_ms()),
    )


def _is_over(seen: Sequence[Observation], now_ms: int) -> bool:
    """Whether it ended and did not go on, or nothing was reported of it for a day."""
    for one in reversed(seen):
        if one.event in _GOES_ON:
            break
        if one.event == ENDS:
            return True
    return now_ms - max(one.ms for one in seen) > WINDOW_MS


def mark(outside: Outside, reader: Reader, session: Session) -> int:
    """How far a session was harvested, in bytes of its transcript."""
    last = _last(outside, reader, session)
    return 0 if last is None else last.until


def _last(outside: Outside, reader: Reader, session: Session) -> HarvestedPart | None:
    subject = session_subject(session.agent, _name(outside, session))
    events = reader.events(subject=subject, kind=Kind.HARVESTED, newest=1)
    return next((payload_of(HarvestedPart, event) for event in events), None)


def harvest(
    outside: Outside,
    session: Session,
    *,
    progress: Callable[[int, int], None] = lambda at, of: None,
    pause: Callable[[], None] = lambda: None,
) -> Harvested:
    """Offer what a session taught since it was harvested last.

    Of a session that goes on the last turn waits. `progress` is told bytes done, and of all;
    `pause` is called between transactions, so that prompts are answered in between. What proved
    itself by this is validated. Raises NotFound where there is no transcript.
    """
    with outside.ledger.reading() as reader:
        last = _last(outside, reader, session)
    size = outside.transcripts.since(session.transcript, 0, 0).size
    if not size:
        raise NotFound(
            f"There is no transcript {session.transcript}, or it is empty or no plain file. "
            "Nothing was harvested."
        )
    until = 0 if last is None else last.until
    # Shorter than it was: it was written anew.
    again, began = (until, 0) if size < until else (0, until)
    found = Harvested(session=session.id, began=began, until=began, again=again, size=size)
    context = began if last is None or last.context is None else last.context
    start, last_part = min(context, began), False
    while not last_part:
        part = outside.transcripts.since(session.transcript, start, PART)
        found.size, last_part = part.size, part.last
        found.skipped += part.skipped
        if part.end > part.start:
            _one(outside, session, part, found, pause)
            progress(part.end, part.size)
        # A turn that the end of a part cuts is looked at once more, whole.
        start = found.until if found.until > start else part.end
    lessons = [one.outcome for one in found.taught if one.outcome is not None]
    touched = [one.entry for one in (*lessons, *found.offered)]
    found.validated = settle(outside, [*touched, *(one.entry for one in found.used)])
    return found


def _one(
    outside: Outside,
    session: Session,
    part: Part,
    found: Harvested,
    pause: Callable[[], None],
) -> None:
    """Harvest one part of a transcript.

    Each lesson is a transaction of its own, since prompts wait meanwhile. A harvest that is cut
    short begins the part anew: what it had offered is one already, and counts no second time.
    """
    lines = part.data.split(b"\n")
    told = turns(lines)
    found.readable = found.readable or bool(told) or readable(lines)
    begins_at = list(accumulate((len(line) + 1 for line in lines), initial=part.start))
    at = [begins_at[turn.line] for turn in told]
    until = _until(session, part, at)
    # A turn that has grown since it was harvested counts anew.
    fresh = [
        number
        for number, turn in enumerate(told)
        if found.until < begins_at[turn.last + 1] and at[number] < until
    ]
    if until <= found.until or not found.readable:
        return
    folder = session.folder or next((turn.folder for turn in told if turn.folder), "")
    key = _key(outside, session, found)
    with outside.ledger.reading() as reader:
        if reader.keyed(key) is not None:
            found.until = mark(outside, reader, session)
            return  # somebody else was quicker
        held = reader.observed(session.id) if session.id else []
    seen = Seen(outside, told, [one.observation for one in held])
    lessons = digest(told, seen.calls, seen.origin_of, outside.language)
    taught, new = [], frozenset(fresh)
    for lesson in lessons:
        if lesson.turn in new:
            turn = told[lesson.turn]
            if seen.hidden_pages and lesson.origin is Origin.TOOL:
                lesson = replace(lesson, origin=Origin.WEB)
            where = _Where(turn=turn, folder=folder, reported=seen.typed(turn) is not None)
            taught.append(_offered(outside, session, lesson, where))
            pause()
    harvested = HarvestedPart(
        start=found.until,
        until=until,
        context=at[fresh[-1]] if fresh else until,
        turns=len(fresh),
    )
    _heard(outside, session, (told, fresh), seen, found, pause)
    _record(outside, session, key, taught, harvested)
    found.taught.extend(taught)
    found.turns += len(fresh)
    found.until = until


def _heard(
    outside: Outside,
    session: Session,
    what: tuple[Sequence[Turn], Sequence[int]],
    seen: Seen,
    found: Harvested,
    pause: Callable[[], None],
) -> None:
    """What the calls of the fresh turns showed of entries: as domains read them, or by rule."""
    told, fresh = what
    subject = session_subject(session.agent, _name(outside, session))
    where = Place(session=session.id, folder=session.folder, subject=subject)
    heard = read_calls(outside, where, told, fresh, seen, pause=pause)
    turned = [told[one] for one in fresh]
    by_rule = weigh(outside, subject, turned, seen.calls, session.id, heard.read)
    found.used += [*heard.used, *by_rule]
    found.offered += heard.offered


def _until(session: Session, part: Part, at: Sequence[int]) -> int:
    """How far a part can be harvested: its last turn may go on behind it."""
    if part.last:
        return part.end if session.over else at[-1] if at else part.start
    # One turn alone fills more than a part: it is harvested in pieces.
    return at[-1] if at and at[-1] > part.start else part.end


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """Where a lesson is from; `reported`: a hook saw the prompt, too."""

    turn: Turn
    folder: str
    reported: bool


def _offered(outside: Outside, session: Session, lesson: Lesson, where: _Where) -> Taught:
    turn, folder = where.turn, where.folder
    with outside.ledger.reading() as reader:
        shown = _shown(reader, session, lesson)
    vouched = lesson.typed and lesson.first and lesson.source is Basis.REMEMBER
    offer = Offer(
        what=of_its_kind(outside, lesson.what),
        actor=Actor.HUMAN if vouched else Actor.LEARNT,
        folder=folder or None,
        witness=_witness(lesson),
        # What a transcript alone says is no session's word: it counts once a day, as an agent's.
        session=session.id if where.reported else "",
        evidence=shown,
        lesson=lesson.source,
        episode=turn.id,
        insisted=lesson.typed and lesson.asked,
        came_from=lesson.origin,
        said=_utterance(outside, turn) if where.reported else "",
        # Where a project lies is the hooks' word: a transcript could name any folder.
        cites=cited(outside, folder, lesson.changes) if session.folder else (),
    )
    if shown:
        offer = replace(offer, session=session.id, said="")  # a call is its own witness
    elif lesson.tool_use:
        # A call that nobody saw is the transcript's word: shown by nothing.
        offer = replace(offer, came_from=Origin.MIXED, witness="indirect")
    try:
        return Taught(lesson=lesson, outcome=capture(outside, offer, looks=PATIENT_LOOKS))
    except Refused as refusal:
        return Taught(lesson=lesson, refused=str(refusal))


def _witness(lesson: Lesson) -> str:
    if lesson.typed:
        return "human"
    return "indirect" if lesson.origin is Origin.MIXED else "agent"


def _shown(reader: Reader, session: Session, lesson: Lesson) -> str:
    """The call that shows a lesson, if a hook saw it too."""
    if not lesson.tool_use or not session.id:
        return ""
    try:
        found = proof(reader, lesson.tool_use, session.id)
        # That it failed before is as much a part of the proof.
        before = [proof(reader, one, session.id) for one in lesson.failed]
    except NotFound:
        return ""
    of_it = all(one.session == session.id for one in (found, *before))
    return found.tool_use if of_it and not found.failed else ""


def _utterance(outside: Outside, turn: Turn) -> str:
    """What tells one prompt from another, however often transcripts hold it."""
    return keyed_hash(outside.ledger.key, "utterance", turn.prompt, turn.id)


def _key(outside: Outside, session: Session, found: Harvested) -> NaturalKey:
    return natural_key(
        outside.ledger.key,
        "harvested",
        session.agent,
        _name(outside, session),
        found.until,
        found.again or None,
    )


def _name(outside: Outside, session: Session) -> str:
    """The session's name as payloads may hold it; that of a mere transcript is its path's hash."""
    return plain_or_hashed(outside.ledger.key, session.id or session.transcript)


def _record(
    outside: Outside,
    session: Session,
    key: NaturalKey,
    taught: Sequence[Taught],
    harvested: HarvestedPart,
) -> None:
    name = _name(outside, session)
    verdicts = Counter(
        "refused" if one.outcome is None else type(one.outcome.decision).__name__.lower()
        for one in taught
    )
    payload = harvested._replace(
        lessons=len(taught),
        entries=tuple(one.outcome.entry for one in taught if one.outcome is not None),
        admit=verdicts["admit"],
        merge=verdicts["merge"],
        correct=verdicts["correct"],
        reject=verdicts["reject"],
        refused=verdicts["refused"],
    )
    with outside.ledger.writing() as writer:
        writer.append(
            Draft(
                subject=session_subject(session.agent, name),
                actor=Actor.LEARNT,
                where=Where(agent=session.agent, session=name),
                payload=payload,
                natural_key=key,
            )
        )
