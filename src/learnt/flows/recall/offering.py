"""What bears on a moment is put before the agent, and recorded: at a prompt, a failure, a file."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Final

from msgspec.structs import replace

from learnt.core.coin import propensity
from learnt.core.events import Actor, Event, Kind, Where, natural_key, payload_of
from learnt.core.governance.proposals import Proposal, text_hash
from learnt.core.identifiers import (
    EntryId,
    ProposalId,
    Subject,
    entry_subject,
    plain_or_hashed,
    proposal_subject,
    session_subject,
    skill_subject,
)
from learnt.core.knowledge.entries import Entry, Stage, level
from learnt.core.knowledge.objections import objected_to
from learnt.core.marked import asks_to_remember
from learnt.core.payloads.entry_events import (
    MOMENTS,
    Candidate,
    Eligible,
    EntryDecided,
    Missed,
    Mode,
    Recalled,
    Reused,
)
from learnt.core.recall.asking import of_two_topics
from learnt.core.recall.eligibility import (
    MILLION,
    MOST_ENTRIES,
    SURE,
    Bearing,
    Draw,
    draw,
    faded,
    injectable,
    pack,
    under_coin,
    within_caps,
)
from learnt.core.recall.marks import SHARE, agree, of_error, of_name, others
from learnt.core.recall.ranking import GIVEN, NAMED
from learnt.core.records import Record
from learnt.core.safety import clean
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session, lineage
from learnt.core.sessions.turns import ToldCall
from learnt.core.skills.history import SkillHistory
from learnt.core.tokens import estimate, names
from learnt.errors import LearntError
from learnt.flows.knowledge.checking import PATIENCE, Checker
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.recall.search import entry_of, held_back, search
from learnt.flows.sessions.locate import Place
from learnt.flows.sessions.observe import (
    Arrival,
    Prompt,
    answered_key,
    arrival_of,
    endings,
    shown_last,
    so_far,
    take,
    take_back,
)
from learnt.flows.stored import append, named, stored, text_or_empty, texts_behind
from learnt.formats.agents.dialects import NOTHING, Answer
from learnt.formats.injection import notes_used, render
from learnt.ports import Outside, Reader, Writer


def draws(
    outside: Outside, reader: Reader, session: Session, entries: Sequence[Entry]
) -> list[tuple[Entry, Draw]]:
    """How the coin falls for entries: as before in this session, or in one that it goes on from."""

    def goes_on_from(name: str) -> str:
        subject = session_subject(session.agent, name)
        return (session if name == session.id else session_at(reader, subject)).linked_to

    def draw_of(entry: Entry) -> Draw:
        key, share = outside.ledger.key, outside.share
        item = f"{entry.id} {entry.version}" if entry.version else entry.id
        # What warns of something is never withheld.
        if entry.cautions or not any(under_coin(key, item, name, share) for name in sessions):
            return SURE
        drawn = partial(natural_key, key, "drawn", entry.id, entry.version, session.agent)
        for name in sessions:
            if before := reader.keyed(drawn(name)):
                fell = payload_of(EntryDecided, before)
                return Draw("shown" if fell.arm == "shown" else "withheld", fell.propensity)
        return draw(key, item, sessions[-1], share, propensity(entry.units))

    sessions = lineage(session.id, goes_on_from) if entries and outside.share > 0 else []
    return [(entry, draw_of(entry)) for entry in entries]


RECORDED: Final = 8  # of what was found
LOOKED_BACK: Final = 100  # recalls of the session


class Offering(Record, kw_only=True):
    """The text for the agent, a `notice` for the screen, and what is to be recorded."""

    recalled: Recalled
    text: str = ""
    notice: str = ""


def offer(
    outside: Outside, checker: Checker, session: Session, mode: Mode, bearing: Iterable[Bearing]
) -> Offering:
    """What is shown of the entries that bear on a moment, best first; nothing is recorded yet.

    Each is shown whole once a context, before that by one line, and again once corrected.
    """
    reader, every = checker.reader, tuple(bearing)
    left = partial(level, now_ms=outside.clock.now_ms(), kinds=outside.kinds.policies)
    likely = (e for e in every if e.sure or not faded(e.entry, left(e.entry)))
    fit = [one for one in likely if injectable(one.entry)]
    shown_before = (*_still_so(reader, session, fit), *session.rules)
    # What a line of the context names may still be shown whole.
    named_before = (*shown_before, *session.hinted, *session.listed)
    new = [e for e in fit if e.entry.id not in (shown_before if e.sure else named_before)]
    free = [
        one
        for one in of_two_topics([(one.entry.topic, one) for one in new])
        if not _took_over(outside, checker, one.entry) and not held_back(outside, reader, one.entry)
    ]
    before = _before(reader, session) if session.epoch and free else (0, 0)
    eligible = within_caps(free, len(session.shown), len(session.hinted), before=before)
    sure = {one.entry.id for one in eligible if one.sure}
    drawn = draws(outside, reader, session, [one.entry for one in eligible])
    # A withheld slot stays empty: filling it would show what the coin did not choose.
    others = {one.entry.id: one.others for one in eligible}
    notes = [replace(checker.note(e), others=others[e.id]) for e, c in drawn if c.arm != "withheld"]
    hints = [note for note in notes if note.id not in sure]
    whole = [note for note in notes if note.id in sure]
    legend = not (session.listed or session.shown)
    shown = pack(whole, lambda notes: render(notes, hints, legend=legend), MOST_ENTRIES)
    text = render(shown, hints, legend=legend)
    recalled = Recalled(
        mode=mode,
        search="lexical",
        found=tuple(one.candidate for one in every[:RECORDED]),
        eligible=tuple(Eligible(e.id, coin.arm, coin.propensity, e.version) for e, coin in drawn),
        already=tuple(one.entry.id for one in fit if one.entry.id in shown_before),
        shown=tuple(note.id for note in shown),
        drifted=tuple(note.id for note in (*shown, *hints) if note.stale),
        tokens=estimate(text),
        hinted=tuple(note.id for note in hints),
    )
    return Offering(recalled=recalled, text=text, notice=notes_used(shown))


def _still_so(reader: Reader, session: Session, fit: Iterable[Bearing]) -> tuple[EntryId, ...]:
    """What the context holds of entries that read as they did when it was given."""
    now = {one.entry.id: one.entry.version for one in fit if one.entry.corrected}
    if now.keys().isdisjoint(session.shown):
        return session.shown
    subject = session_subject(session.agent, session.id)
    events = reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK)
    offered = (e for event in reversed([*events]) for e in payload_of(Recalled, event).eligible)
    last = {one.entry: one.version for one in offered}
    return tuple(n for n in session.shown if n not in now or last.get(n, now[n]) == now[n])


def _before(reader: Reader, session: Session) -> tuple[int, int]:
    """How many notes and hints a session's earlier contexts were given."""
    events = reader.events(subject=session_subject(session.agent, session.id), kind=Kind.RECALLED)
    every = (payload_of(Recalled, event) for event in events)
    recalls = [recall for recall in every if recall.mode in MOMENTS]
    notes = sum(len(recall.shown) for recall in recalls) - len(session.shown)
    return max(0, notes), max(0, sum(len(r.hinted) for r in recalls) - len(session.hinted))


def _took_over(outside: Outside, checker: Checker, entry: Entry) -> bool:
    """Whether an entry's skill helps in its place: it is here, up to date, and edited or used."""
    reader, root = checker.reader, checker.root
    if not entry.skill or entry.id in checker.outdated:
        return False
    proposal = stored(reader, Proposal, proposal_subject(ProposalId(entry.skill)))
    path = text_or_empty(reader, proposal.path) if proposal else ""
    if proposal is None or not path:
        return False
    links = texts_behind(reader, proposal.links)
    if entry.scope is not None:
        # Where a project's link would be in this copy of the project.
        first = path.partition("/.agents/")[0]
        links = tuple(f"{root}/{link.removeprefix(f'{first}/')}" for link in links if root)
        path = f"{root}/{path.removeprefix(f'{first}/')}"
    if not any(outside.documents.there(f"{link}/SKILL.md") for link in links):
        return False
    from learnt.flows.skills.catalogue import PERSONAL, called  # few entries became skills

    name = path.rpartition("/")[0].rpartition("/")[2]
    subject = skill_subject(entry.scope or PERSONAL, called(outside, name))
    history = stored(reader, SkillHistory, subject)
    if history is not None and history.uses:
        return True
    try:
        return text_hash(outside.documents.read(path)) != proposal.written
    except LearntError:  # links stand in its way, so it is not as it was written
        return True


def decided_by(reader: Reader, subject: Subject, offering: Offering) -> tuple[object, ...]:
    """What an offering rests on: what its session was given, and its entries as they are."""
    session, recalled = session_at(reader, subject), offering.recalled
    entries = (entry_of(reader, name) for name in (*recalled.shown, *recalled.hinted))
    states = [(e.stage, e.live, e.version, e.masked) for e in entries if e is not None]
    return session.shown, session.hinted, states


def session_at(reader: Reader, subject: Subject) -> Session:
    """A session as it is now; one that nothing is known of is new."""
    _, agent, name = subject.split(":", 2)
    return stored(reader, Session, subject) or Session(agent=agent, id=name)


def context_at(outside: Outside, reader: Reader, arrival: Arrival) -> Session:
    """The session with what the context of a call holds: a subagent has one of its own."""
    session = session_at(reader, arrival.subject)
    subagent = named(outside.ledger.key, arrival.observation.subagent)
    if not subagent:
        return session
    last = reader.events(subject=arrival.subject, kind=Kind.RECALLED, newest=LOOKED_BACK)
    recalls = [payload_of(Recalled, event) for event in last if event.where.subagent == subagent]
    return replace(
        session,
        shown=tuple(name for recall in recalls if recall.mode != "act" for name in recall.shown),
        hinted=tuple(name for recall in recalls for name in recall.hinted),
        listed=(),
        rules=tuple(name for recall in recalls if recall.mode == "act" for name in recall.shown),
    )


def record(
    outside: Outside, writer: Writer, arrival: Arrival, offered: Recalled | Missed, where: Where
) -> bool:
    """Record what was offered in answer to a report; False where that was answered before."""
    actor, key = arrival.observation.actor, outside.ledger.key
    session = session_at(writer, arrival.subject)
    recall = offered if isinstance(offered, Recalled) else Recalled()
    attempts = {entry: session.attempt(entry) for entry in recall.shown}
    counted = {entry: attempt for entry, attempt in attempts.items() if attempt is not None}
    if counted:
        offered = replace(recall, counted=tuple(counted))
    once = answered_key(key, arrival.observation, session.id)
    origin = arrival.origin
    event = append(writer, arrival.subject, actor, offered, where=where, origin=origin, key=once)
    if event is None:
        return False
    for entry, attempt in counted.items():
        _count(outside, writer, event, entry, attempt)
    for coin in recall.eligible:
        if coin.propensity < MILLION:
            fell = EntryDecided(
                action="drawn", version=coin.version, arm=coin.arm, propensity=coin.propensity
            )
            drawn = (coin.entry, coin.version, session.agent, session.id)
            once = natural_key(key, "drawn", *drawn)  # only the first time in a session
            append(writer, entry_subject(coin.entry), Actor.LEARNT, fell, where=where, key=once)
    return True


def follow_hint(
    outside: Outside, writer: Writer, name: EntryId, session: str, actor: Actor
) -> bool:
    """Record that the agent of a session read what a line had named; False where none had."""
    plain = plain_or_hashed(outside.ledger.key, session)
    for event in writer.events(session=plain, kind=Kind.RECALLED, newest=LOOKED_BACK):
        hint = payload_of(Recalled, event)
        if name in hint.hinted and event.subject.startswith(Session.prefix):
            state = session_at(writer, event.subject)
            attempt = state.attempt(name)
            counted = () if attempt is None else (name,)
            opened = Recalled(mode="read", moment=hint.mode, shown=(name,), counted=counted)
            where = replace(event.where, epoch=state.epoch)
            read = append(writer, event.subject, actor, opened, where=where)
            if read is not None and attempt is not None:
                _count(outside, writer, read, name, attempt)
            return True
    return False


def _count(outside: Outside, writer: Writer, recalled: Event, entry: EntryId, attempt: int) -> None:
    """Record that an entry was used in a session, once however often it is reported."""
    agent, session = recalled.where.agent or "", recalled.where.session or ""
    once = natural_key(outside.ledger.key, "reused", entry, agent, session, attempt)
    subject, reused = entry_subject(entry), Reused(recall=recalled.id)
    append(writer, subject, recalled.actor, reused, where=recalled.where, key=once)


MOST: Final = 2  # entries at one call
ALIKE: Final = 6  # entries with one mark: what more have tells none from another
LOOKED_AT: Final = 4_000  # characters of a change that are looked through for names


def answer_step(
    outside: Outside, observation: Observation, call: ToldCall, expired: Callable[[], bool]
) -> str:
    """What is known that bears on a call, once; breaks off when `expired`. Raises Conflict."""
    arrival = arrival_of(outside, observation)
    mode: Mode = "failure" if call.error else "file"
    bearing = partial(_of_failure, of_error(call.error)) if call.error else _of_file
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        # Of most calls nothing is known: then nothing is written, and no lock is waited for.
        if not bearing(outside, Checker(outside, reader, arrival.place), call):
            return ""

    def planned() -> Plan[str]:
        with outside.ledger.reading() as reader, outside.ledger.within(expired):
            checker = Checker(outside, reader, arrival.place, PATIENCE)
            session = context_at(outside, reader, arrival)
            offering = offer(outside, checker, session, mode, bearing(outside, checker, call))
            rests_on = snapshot(
                reader, partial(decided_by, subject=arrival.subject, offering=offering)
            )

        def write(writer: Writer) -> str:
            recalled = offering.recalled
            if not recalled.eligible:
                return ""  # all of it is in the context already
            recorded = record(outside, writer, arrival, recalled, arrival.where(outside, writer))
            return offering.text if recorded else ""

        return Plan(rests_on=rests_on, write=write)

    return carry_out(outside.ledger, planned, "What bears on the call")


def _of_failure(
    marks: Collection[str], outside: Outside, checker: Checker, call: ToldCall
) -> list[Bearing]:
    """The entries whose problem the failure's lines name, first those that share all names."""
    reader = checker.reader
    marked = reader.marked(marks, checker.scopes).values()
    shared = Counter(name for entries in marked if len(entries) <= ALIKE for name in entries)
    entries = [entry for name in shared if (entry := entry_of(reader, name)) is not None]
    refs = {entry.id: filter(None, entry.signs or (entry.problem,)) for entry in entries}
    signs = {name: texts_behind(reader, behind) for name, behind in refs.items()}
    scores = {name: agree(call.error, texts) for name, texts in signs.items()}
    least = max(1, SHARE * max(scores.values(), default=0))
    telling = [entry for entry in entries if scores[entry.id] >= least]
    bearing: list[Bearing] = []
    for entry in sorted(telling, key=lambda e: (-scores[e.id], _distrust(outside, e), e.id)):
        candidate = Candidate(
            entry=entry.id,
            stage=entry.stage,
            score=1_000 * scores[entry.id],
            shared=shared[entry.id],
        )
        lacked = others(call.error, signs[entry.id], text_or_empty(reader, entry.approach))
        bearing.append(Bearing(entry=entry, candidate=candidate, sure=not lacked, others=lacked))
    return sorted(bearing, key=lambda one: not one.sure)[:MOST]


def _of_file(outside: Outside, checker: Checker, call: ToldCall) -> list[Bearing]:
    """The most trusted entries that cite the file, or are about it or what a change in it names."""
    changed, root = call.changed[:LOOKED_AT], f"{checker.root}/"
    things = [call.path.removeprefix(root)] if call.path.startswith(root) else []
    things += names(changed)
    if changed:
        things += [name for about in outside.about(changed) for name in about.entities]
    marked = checker.reader.marked([*map(of_name, things)], checker.scopes)
    entries = (entry_of(checker.reader, name) for name in {*chain.from_iterable(marked.values())})
    proven = [entry for entry in entries if entry and entry.stage is Stage.VALIDATED]
    return [
        Bearing(
            entry=entry,
            candidate=Candidate(entry=entry.id, stage=entry.stage, shared=1),
            sure=entry.text is not None,
        )
        for entry in sorted(proven, key=lambda e: (_distrust(outside, e), e.id))[:MOST]
    ]


def _distrust(outside: Outside, entry: Entry) -> float:
    """The less, the more an entry is trusted today."""
    return -(level(entry, outside.clock.now_ms(), outside.kinds.policies) or 0.0)


PROMPT_KEPT: Final = 1_000
PROMPT_LOOKED_AT: Final = 8


def answer_prompt(
    outside: Outside,
    observation: Observation,
    prompt: Prompt,
    expired: Callable[[], bool],
    kept: Collection[EntryId] = (),
) -> Answer:
    """What to put before the agent and on the screen, once a prompt; nothing it `kept` itself.

    Breaks off (LedgerBusy) when `expired` says that nobody waits. Raises Conflict.
    """
    arrival = arrival_of(outside, observation)
    arrival = replace(arrival, response=prompt.response, origin=prompt.origin)

    def planned() -> Plan[Answer]:
        offering, objection = Offering(recalled=Recalled()), None
        with outside.ledger.reading() as reader:
            if prompt.worth_recall:
                with outside.ledger.within(expired):
                    session = session_at(reader, arrival.subject)
                    offering = choose(outside, reader, prompt.public, session, arrival.place, kept)
            if prompt.objection is not None:
                last = shown_last(reader, arrival.subject)
                shown = {name: words for name, words in last.items() if name not in kept}
                objection = objected_to(prompt.objection, prompt.public, shown)
            payloads = _payloads(prompt, offering)
            ending = endings(outside, reader, observation, arrival.response)
            rests_on = snapshot(
                reader,
                lambda reader: (
                    so_far(outside, observation, reader),
                    decided_by(reader, arrival.subject, offering),
                    shown_last(reader, arrival.subject) if prompt.response.objects else None,
                ),
            )

        def write(writer: Writer) -> Answer:
            new = take(outside, writer, replace(arrival, ending=ending))
            if not new or (objection is None and not prompt.worth_recall):
                return NOTHING
            where = arrival.where(outside, writer)
            if objection is not None:
                take_back(writer, objection, where)
            if not payloads:
                return NOTHING
            text = prompt.redacted
            text = text if len(text) <= PROMPT_KEPT else clean(text[:PROMPT_KEPT])
            asked = writer.keep("prompt", text)
            first, *more = (replace(payload, prompt=asked) for payload in payloads)
            if not record(outside, writer, arrival, first, where):
                return NOTHING
            actor, origin = observation.actor, arrival.origin
            for missed in more:
                append(writer, arrival.subject, actor, missed, where=where, origin=origin)
            return Answer(offering.text, offering.notice)

        return Plan(rests_on=rests_on, write=write)

    return carry_out(outside.ledger, planned, "What bears on the prompt")


def choose(
    outside: Outside,
    reader: Reader,
    prompt: str,
    session: Session,
    place: Place | None,
    without: Collection[EntryId] = (),
) -> Offering:
    """What bears on a prompt and is to be shown in this session; nothing is recorded yet."""
    checker = Checker(outside, reader, place, PATIENCE)
    results = search(outside, reader, prompt, checker.scopes, PROMPT_LOOKED_AT)
    bearing = (
        Bearing(
            entry=ranked.entry,
            candidate=Candidate(
                entry=ranked.entry.id,
                stage=ranked.entry.stage,
                score=round(1_000 * ranked.match.score),
                relevance=ranked.relevance,
                shared=len(ranked.match.shared),
            ),
            sure=ranked.relevance >= (NAMED if ranked.named else GIVEN) * MILLION,
        )
        for ranked in results
        if ranked.entry.id not in without
    )
    return offer(outside, checker, session, "hook", bearing)


def _payloads(prompt: Prompt, offering: Offering) -> tuple[Recalled | Missed, ...]:
    """What is recorded of a prompt: what was found, and that it was missed; () for no search.

    It is missed where nothing is shown and nothing surely bears on it, until the agent opens one.
    """
    if not prompt.worth_recall:
        return ()
    recalled = offering.recalled
    answers = (recalled,) if recalled.found else ()
    known = any(candidate.relevance >= GIVEN * MILLION for candidate in recalled.found)
    # It is asked last: its patterns are worth loading only where nothing was shown.
    if known or recalled.shown or recalled.already or asks_to_remember(prompt.public):
        return answers
    return (*answers, Missed(mode="hook", tentative=True))
