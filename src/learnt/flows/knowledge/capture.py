"""Knowledge is offered: looked at and decided on before the ledger is held, then recorded.

What becomes of an offer is in events: the gates' word, its texts, and what it says of others.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Origin, Payload, Where, natural_key
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    NaturalKey,
    ProjectId,
    entry_subject,
    keyed_hash,
)
from learnt.core.knowledge import gates
from learnt.core.knowledge.admission import SOUND
from learnt.core.knowledge.brought import Quoted
from learnt.core.knowledge.citations import Cited
from learnt.core.knowledge.drafts import MOST_ENTITIES, Draft, mentioned, normalised, tidy
from learnt.core.knowledge.entries import CREDIBILITY, PICKED, Content, Entry, Source, Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.knowledge.relating import compare, corrects
from learnt.core.knowledge.topics import KIND_ABOVE, Layer, Vocabulary, upward
from learnt.core.marked import refusal, why_refused
from learnt.core.payloads.entry_events import EntryFeedback, Gated, Remembered, SuspectedPair
from learnt.core.records import Record
from learnt.core.safety import clean
from learnt.core.tokens import terms as terms_of
from learnt.errors import Conflict, Refused, UsageError
from learnt.flows.knowledge import feedback
from learnt.flows.knowledge.checking import Anchors, anchored
from learnt.flows.plans import LOOKS
from learnt.flows.recall.search import commanded, entry_of, new_entries, note_of, notes_beside
from learnt.flows.sessions.locate import Place, find, look, refuse_off, where_at
from learnt.flows.stored import append, kept, named, text_or_empty
from learnt.formats.answers import filled
from learnt.formats.injection import Rival
from learnt.ports import Outside, Reader, Writer

NEAR: Final = 8
MOST_TERMS: Final = 64
PERSONS_KINDS: Final = frozenset({"business_rule", "rule"})  # only a person changes these
# What a correction costs an entry that nobody has vouched for.
_SOFT_FAILURE: Final = EntryFeedback(result="failure", weight=feedback.SOFT, source="correction")


class Offer(Record, kw_only=True):
    """Knowledge on its way in: whose it is, and where it is to hold."""

    what: Draft
    actor: Actor
    folder: str | None = None  # None: everywhere
    quoted: Quoted | None = None
    witness: str = ""  # who vouches for it, a name in CREDIBILITY; empty for whoever acts
    session: str = ""  # the agent's, as it named it
    evidence: str = ""  # the id of a tool call that shows it
    repeats: EntryId | None = None  # by the word of the program that extracted it
    insisted: bool = False  # by a person, on what it is worth
    cites: tuple[str, ...] = ()  # what in the folder's project it can be seen by
    # Of what Learnt found itself:
    lesson: str = ""  # its sort
    episode: str = ""  # the prompt that it was found in
    came_from: Origin | None = None
    utterance: str = ""  # names one prompt of a person's
    at_once: bool = False  # marked to be remembered, and decided while that prompt is answered
    waits: str = ""  # why a person has yet to look at it: it stays a candidate
    picked: bool = False  # an agent picked it, and it was proved that a person typed it

    @property
    def origin(self) -> Origin:
        """A person at a terminal speaks for themselves; any other caller is the agent."""
        if self.came_from is not None:
            return self.came_from
        return Origin.USER if self.actor is Actor.HUMAN else Origin.ASSISTANT

    @property
    def credibility(self) -> int:
        """How far the witness is believed, in thousandths."""
        own = "human" if self.actor is Actor.HUMAN else "agent"
        return CREDIBILITY["tool" if self.evidence else self.witness or own]


class OfferOutcome(Record, kw_only=True):
    """What became of an offer."""

    entry: EntryId
    ruling: gates.Ruling
    stage: Stage
    redacted: tuple[str, ...] = ()  # the kinds of secret that were taken out
    upward: str = ""  # the kind of entry that this session's facts on it call for next
    unsure: tuple[Rival, ...] = ()  # notes that it may repeat or contradict
    counted: bool = True  # False where it repeats what its witness said before

    @property
    def decision(self) -> gates.Decision:
        """What the gates decided."""
        return self.ruling.decision


def tidied(outside: Outside, offered: Draft) -> tuple[Draft, tuple[str, ...]]:
    """An offer as it would be written, with names found in it, and the secrets taken out."""

    def named_in(text: str) -> tuple[str, ...]:
        names = dict.fromkeys(name for about in outside.about(text) for name in about.entities)
        return tuple(names)[:MOST_ENTITIES] or mentioned(text)

    return tidy(offered, named_in)


def of_its_kind(outside: Outside, offered: Draft) -> Draft:
    """A fact that nobody named the kind of, with the kind by which a domain knows it."""
    if not offered.is_fact or offered.entities:
        return offered
    kinds = (about.kind for about in outside.about(offered.text))
    kind = next((kind for kind in kinds if outside.kinds.knows(kind)), offered.kind)
    return replace(offered, kind=kind)


def neighbours(
    outside: Outside,
    reader: Reader,
    text: str,
    scopes: Sequence[ProjectId],
    *,
    everywhere: bool = True,
) -> list[gates.Neighbour]:
    """The entries that share most with a text; `everywhere`: it is to hold in every project."""
    terms = list(dict.fromkeys(terms_of(text, outside.stem)))[:MOST_TERMS]
    near: list[gates.Neighbour] = []
    for match in reader.match(terms, scopes, NEAR).best if terms else ():
        entry = entry_of(reader, match.entry)
        if entry is None or not entry.live:
            continue
        note, persons = note_of(reader, entry), entry.actor is Actor.HUMAN
        neighbour = gates.Neighbour(
            id=entry.id,
            text=note.text or note.problem,
            approach=note.approach,
            fact=entry.text is not None,
            here=entry.scope in ({None} if everywhere else scopes),
            persons=entry.stage is Stage.VALIDATED and (persons or entry.kind in PERSONS_KINDS),
        )
        near.append(neighbour)
    return near


def appraise(outside: Outside, offer: Offer, *, brought: bool = False) -> gates.Appraisal:
    """An offer by itself. No rule judges a solution's wording, or what a person `brought`."""
    what, person = offer.what, offer.actor is Actor.HUMAN
    judged_by_rules = what.is_fact and not brought
    return gates.Appraisal(
        credibility=offer.credibility,
        worth=outside.language.worth(what.text) if judged_by_rules else SOUND,
        commands=commanded(outside.language, "\n".join(what.texts)),
        person=person,
        insisted=offer.insisted and offer.origin is Origin.USER,
        own=person and offer.origin is Origin.USER,
        marked=offer.at_once,
        waits=bool(offer.waits),
    )


def ruled(
    outside: Outside,
    offer: Offer,
    by: gates.Appraisal,
    duplicate: EntryId | None,
    near: Iterable[gates.Neighbour],
) -> gates.Ruling:
    """What the gates decide on an offer beside the entries of its form that are near to it."""
    draft, stem = offer.what, outside.stem
    compared: list[gates.Neighbour] = []
    for each in near:
        if each.fact is not draft.is_fact:
            continue
        comparison, corrected = compare(each.text, draft.subject, stem), False
        if each.fact:
            own = offer.origin is Origin.USER
            corrected = own and corrects(draft.text, each.text, stem)
        # One problem may have many approaches: a solution contradicts none.
        elif not (comparison.sort == compare(each.approach, draft.approach, stem).sort == "same"):
            comparison = replace(comparison, sort=None)
        compared.append(replace(each, comparison=comparison, corrected=corrected))
    return gates.decide(draft, by, duplicate or offer.repeats, compared, outside.kinds)


def capture(outside: Outside, offer: Offer) -> OfferOutcome:
    """Offer one piece of knowledge; the decision is in the ledger whichever way it went.

    Raises Refused for a citation or evidence that does not fit, UsageError for an unknown kind,
    Conflict where a cited file changed during each look.
    """
    prepared = _prepared(outside, offer)
    for _ in range(LOOKS):
        citations = prepared.anchors.resolved()
        with outside.ledger.reading() as reader:
            moment, ruling = reader.moment(), _ruling(outside, prepared, reader)
        with outside.ledger.writing() as writer:
            if prepared.anchors.hold():
                if writer.moment() != moment:
                    ruling = _ruling(outside, prepared, writer)
                outcome = _write(outside, prepared, ruling, citations, writer)
                break
    else:
        raise Conflict(
            f"What the offer cites changed while it was looked at, {LOOKS} times over. Nothing was "
            "recorded; call this again."
        )
    return _led_on(outside, prepared, outcome)


class _Prepared(Record):
    """An offer with what could be told of it without comparing."""

    offer: Offer
    known: gates.Appraisal
    place: Place | None
    anchors: Anchors
    redacted: tuple[str, ...]


def _prepared(outside: Outside, offer: Offer) -> _Prepared:
    if offer.actor is Actor.HUMAN:
        refuse_touched(offer.what)
    what, redacted = tidied(outside, offer.what)
    check_kind(outside.kinds, what.kind)
    own = offer.origin is Origin.USER and (offer.actor is Actor.HUMAN or offer.picked)
    if what.kind == RULE and not own:
        raise Refused(
            "Only the person makes rules: they type `remember: ...` to the agent, or decide in "
            "`learnt review`. Nothing was captured; offer it as a business_rule, or a procedure."
        )
    shown = None
    if offer.evidence or offer.session:
        with outside.ledger.reading() as reader:
            shown = (
                feedback.proof(reader, offer.evidence, offer.session) if offer.evidence else None
            )
            session = feedback.seen_session(reader, shown.session if shown else offer.session)
        offer = replace(offer, session=session, evidence=shown.tool_use if shown else "")
    if shown is not None:
        if shown.failed:
            raise Refused(f"{shown.tool_use} failed: it shows nothing. Nothing was captured.")
        if what.is_fact:
            feedback.refuse_beside_the_point(outside, shown, what.entities, what.text)
    place = None if offer.folder is None else look(outside, offer.folder)
    offer = replace(offer, what=what)
    return _Prepared(
        offer=offer,
        known=appraise(outside, offer),
        place=place,
        anchors=Anchors(outside, offer.cites, place),
        redacted=redacted,
    )


def refuse_touched(what: Draft) -> None:
    """Raise Refused where a person's words hold a secret or a private part: all of them."""
    for text in what.texts:
        name, detail = refusal(text, text)
        if name in {"credential", "private"}:
            raise Refused(f"{why_refused(name, detail)}.")


def check_kind(kinds: Vocabulary, kind: str) -> None:
    """Raise UsageError for a kind of entry that a home does not know."""
    if not kinds.knows(kind):
        raise UsageError(
            f"kind: {kind[:60]!r} is none that is known here: {', '.join(kinds.policies)}. Nothing "
            "was captured. Domains add kinds; `learnt doctor` tells of those that could not be "
            "loaded."
        )


def _ruling(outside: Outside, prepared: _Prepared, reader: Reader) -> gates.Ruling:
    """What the gates decide beside what the ledger holds now."""
    what, located = prepared.offer.what, None
    if prepared.place is not None:
        located = find(reader, prepared.place)
        refuse_off(located)
    scope, scopes = (located.project, located.household) if located else (None, ())
    duplicate = reader.same_entry(fingerprint(outside, what), scope)
    if prepared.offer.picked and duplicate is not None:
        same = entry_of(reader, duplicate)
        # What waits gives way to what was proved.
        duplicate = None if same and same.stage is Stage.CANDIDATE else duplicate
    everywhere = prepared.place is None
    near = neighbours(outside, reader, what.subject, scopes, everywhere=everywhere)
    return ruled(outside, prepared.offer, prepared.known, duplicate, near)


def _write(
    outside: Outside,
    prepared: _Prepared,
    ruling: gates.Ruling,
    citations: tuple[Cited, ...],
    writer: Writer,
) -> OfferOutcome:
    offer, key, (name,) = prepared.offer, outside.ledger.key, new_entries(outside, writer, 1)
    where = replace(
        where_at(outside, writer, prepared.place),
        session=named(key, offer.session),
        episode=named(key, offer.episode),
    )
    match ruling.decision:
        case gates.Merge(into=other) | gates.Correct(entry=other):
            name = other
        case gates.Admit() | gates.Reject():
            pass  # as the new entry that it is
        case _:
            assert_never(ruling.decision)
    recording = Recording(
        entry=name, offer=offer, where=where, citations=citations, doubt=ruling.doubt
    )
    counted = record(outside, writer, recording, ruling.decision)
    if isinstance(ruling.decision, gates.Admit | gates.Correct):
        for suspicion in ruling.suspects:
            record_beside(writer, recording, filled(SuspectedPair, suspicion))
    entry = entry_of(writer, name)
    return OfferOutcome(
        entry=name,
        ruling=ruling,
        stage=entry.stage if entry else Stage.REJECTED,
        redacted=prepared.redacted,
        unsure=tuple(notes_beside(outside, writer, ruling.near, unasked=offer.at_once)),
        counted=counted,
    )


def _led_on(outside: Outside, prepared: _Prepared, outcome: OfferOutcome) -> OfferOutcome:
    """The outcome with the kind of entry that this session's facts call for next, if any."""
    offer = prepared.offer
    what, session = offer.what, named(outside.ledger.key, offer.session)
    if not (session and isinstance(outcome.decision, gates.Admit) and what.is_fact):
        return outcome
    about = {name.casefold() for name in what.entities}
    counts: Counter[Layer] = Counter()
    with outside.ledger.reading() as reader:
        for event in reader.events(kind=Kind.REMEMBERED, session=session) if about else ():
            entry = entry_of(reader, EntryId(event.subject.split(":", 1)[1]))
            if entry is None or not entry.live or entry.topic not in set(Layer):
                continue
            if about & {text_or_empty(reader, ref).casefold() for ref in entry.entities}:
                counts[Layer(entry.topic)] += 1
    above = upward(counts)
    return outcome if above is None else replace(outcome, upward=KIND_ABOVE[above])


def put_right(outside: Outside, entry: Entry, offer: Offer, why: str, key: NaturalKey) -> str:
    """Record a person's new text of an entry; why no agent may see it, if so. Raises Conflict."""
    refuse_touched(offer.what)
    what, _ = tidied(outside, offer.what)
    if refused := gates.unfit(what, commanded(outside.language, "\n".join(what.texts))):
        return refused
    offer = replace(offer, what=what)
    topic = ""
    if what.is_fact:  # of a kind that is not known it stays where it was
        lost = entry.topic and not outside.kinds.knows(what.kind)
        topic = entry.topic if lost else outside.kinds.layer(what.kind, what.text)
    decision = gates.Correct(entry.id, why, topic)
    recording = Recording(entry=entry.id, offer=offer, where=Where(project=entry.scope))
    with outside.ledger.writing() as writer:
        now = entry_of(writer, entry.id)
        if now is None or not now.live or now.corrected != entry.corrected:
            raise Conflict(f"{entry.id} changed meanwhile. Nothing was recorded; call this again.")
        if writer.keyed(key) is None:
            say(writer, recording, Gated(verdict="correct", reason=why))
            payload = remembered(outside, writer, recording, Stage.VALIDATED, decision)
            content = replace(payload.content, cites=now.cites, signs=now.signs)
            say(writer, recording, replace(payload, content=content), key)
    return ""


class Recording(Record, kw_only=True):
    """An offer on its way: as which entry, where, what it cites, and a gate's `doubt`."""

    entry: EntryId
    offer: Offer
    where: Where
    citations: tuple[Cited, ...] = ()
    doubt: str = ""


def record(outside: Outside, writer: Writer, this: Recording, decision: gates.Decision) -> bool:
    """Record what became of an offer; False where its witness confirmed the same before."""
    offer, entry = this.offer, entry_of(writer, this.entry)
    counts = (offer.actor is Actor.HUMAN or offer.picked) and not offer.waits
    to = Stage.VALIDATED if counts else Stage.CANDIDATE
    first = decided_at_once_key(outside, offer) if offer.at_once else None
    corrected = entry.corrected if entry else 0
    match decision:
        case gates.Admit():
            say(writer, this, Gated(verdict="admit", passed=gates.GATES), first)
            payload = remembered(outside, writer, this, to, decision)
            say(writer, this, payload, _once(outside, this, 0))
        case gates.Merge():
            return _merge(writer, this, entry, _once(outside, this, corrected))
        case gates.Correct(_, why):
            say(writer, this, Gated(verdict="correct", gate="alignment", reason=why), first)
            payload = remembered(outside, writer, this, to, decision)
            say(writer, this, payload, _once(outside, this, corrected + 1))
            if offer.actor is not Actor.HUMAN:  # whose newest word needs no proof
                say(writer, this, _SOFT_FAILURE)
        case gates.Reject(gate, why):
            passed = gates.GATES[: gates.GATES.index(gate)]
            say(writer, this, Gated(verdict="reject", gate=gate, reason=why, passed=passed), first)
        case _:
            assert_never(decision)
    return True


def decided_at_once_key(outside: Outside, offer: Offer) -> NaturalKey:
    """The natural key by which the harvest knows what was decided while its prompt was answered."""
    text = fingerprint(outside, offer.what)
    return natural_key(outside.ledger.key, "decided at once", offer.utterance, text)


def _merge(writer: Writer, this: Recording, entry: Entry | None, key: NaturalKey | None) -> bool:
    offer = this.offer
    merged = Gated(
        verdict="merge",
        gate="redundancy",
        reason="duplicate",
        credibility=0 if offer.waits or offer.picked else offer.credibility,
        cites=anchored(writer, this.citations),
    )
    counted = say(writer, this, merged, key)
    if not counted:
        say(writer, this, replace(merged, credibility=0))
    vouched = offer.actor is Actor.HUMAN and not offer.waits
    if vouched and entry and entry.stage is Stage.CANDIDATE:
        feedback.stage(writer, this.entry, Actor.HUMAN, Stage.VALIDATED, "a person vouched for it")
    return counted


def _once(outside: Outside, this: Recording, texts: int) -> NaturalKey | None:
    """What makes a witness count once: its tool call, or for an agent's judgement the session."""
    offer, entry = this.offer, this.entry
    if offer.utterance:
        key = outside.ledger.key
        return natural_key(key, "said by a person", entry, offer.utterance, texts or None)
    if offer.actor is Actor.HUMAN:
        return None
    if offer.evidence:
        return feedback.proved(outside, entry, offer.evidence, "confirmed", texts)
    return feedback.judged(outside, entry, this.where.session, "confirmed", texts)


def record_beside(writer: Writer, this: Recording, beside: SuspectedPair | EntryFeedback) -> None:
    """Record on both sides how an entry and an `other` one stand to each other."""
    other = beside.other
    if other is None or other == this.entry:
        return
    say(writer, this, beside)
    say(writer, replace(this, entry=other), replace(beside, other=this.entry))


def fingerprint(outside: Outside, draft: Draft) -> str:
    """What two drafts have in common that say the same in the same words."""
    return keyed_hash(outside.ledger.key, "fingerprint", normalised(draft))


def say(writer: Writer, this: Recording, payload: Payload, key: NaturalKey | None = None) -> bool:
    """Record one event of an offer; False where its natural key is taken."""
    offer, subject = this.offer, entry_subject(this.entry)
    event = append(
        writer, subject, offer.actor, payload, where=this.where, origin=offer.origin, key=key
    )
    return event is not None


def remembered(
    outside: Outside,
    writer: Writer,
    this: Recording,
    to: Stage,
    decision: gates.Admit | gates.Correct,
) -> Remembered:
    """The payload of an offer's texts, each kept as a content."""
    offer, what = this.offer, this.offer.what

    def all_kept(kind: str, texts: Iterable[str]) -> tuple[ContentRef, ...]:
        return tuple(writer.keep(kind, clean(text)) for text in texts)

    source, key = None, outside.ledger.key
    if (quoted := offer.quoted) is not None:
        source = Source(
            session=named(key, clean(quoted.session or "")),
            position=quoted.position,
            speaker=kept(writer, "speaker", clean(quoted.speaker or "")),
            date=named(key, clean(quoted.date or "")),
        )
    content = Content(
        form="fact" if what.is_fact else "solution",
        text=kept(writer, "fact", clean(what.text)),
        entities=all_kept("entity", what.entities),
        topic=decision.topic,
        problem=kept(writer, "problem", clean(what.problem)),
        approach=kept(writer, "approach", clean(what.approach)),
        cautions=all_kept("caution", what.cautions),
        files=all_kept("file", what.files),
        signs=all_kept("sign", what.signs),
        language=kept(writer, "language", clean(what.language or "")),
        kind=what.kind,
        scope=this.where.project,
        tags=all_kept("tag", what.tags),
        fingerprint=fingerprint(outside, what),
        source=source,
        cites=anchored(writer, this.citations),
    )
    return Remembered(
        stage=to,
        content=content,
        credibility=offer.credibility,
        lesson=offer.lesson,
        doubt=PICKED if offer.picked else offer.waits or this.doubt,
    )
