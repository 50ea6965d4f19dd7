"""Somebody speaks for an entry or against it, and what Learnt saw itself of what they say."""

import json
from collections.abc import Iterable
from functools import partial
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, Where, natural_key
from learnt.core.health.outcomes import CallEvidence
from learnt.core.identifiers import EntryId, NaturalKey, entry_subject
from learnt.core.knowledge.entries import CREDIBILITY, CREDIBLE, RELEVANCE, Entry, Stage, day
from learnt.core.payloads.entry_events import EntryFeedback, Result, Staged
from learnt.core.records import Record, decode, member, text_of
from learnt.core.safety import owned
from learnt.core.tokens import terms
from learnt.errors import NotFound, Refused
from learnt.flows.knowledge.checking import Checker
from learnt.flows.plans import LOOKS, PATIENT_LOOKS, Plan, carry_out, snapshot
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.locate import look
from learnt.flows.sessions.observe import objected
from learnt.flows.stored import append, named, text_or_empty, texts_behind
from learnt.formats.agents.transcripts import turns
from learnt.ports import Outside, Reader, Writer

LAST = "last"  # the session's last call before this one: an agent does not see its calls' ids
OWN = "learnt"
LOOKED_AT = 512 * 1024  # bytes of a transcript's end
LEAST_SHARED: Final = 2  # words of a fact without names that a call has which shows it
_POLARITY = {"failure": "against", "invalidate": "against", "reset": "anew"}  # else: for it


class Proof(Record):
    """A tool call as its agent reported it."""

    tool_use: str
    session: str
    failed: bool
    transcript: str = ""


def proof(reader: Reader, tool_use: str, session: str) -> Proof:
    """The tool call of an id, or a session's `last`, but for Learnt's own. Raises NotFound."""
    sessions = [session] if tool_use == LAST else reader.sessions_observed()
    naming = "" if tool_use == LAST else tool_use
    for name in sessions:
        for report in reversed(reader.observed(name, naming=naming)):
            for call in reversed(report.observation.calls):
                evidence, call_id = call.get("evidence"), member(call, "id")
                if member(evidence, "family") == OWN or tool_use not in {LAST, call_id}:
                    continue
                good = decode(CallEvidence, evidence).good if isinstance(evidence, dict) else None
                failed = call.get("failed") is True if good is None else not good
                return Proof(text_of(call_id), name, failed, report.observation.transcript)
    which = "of this session" if tool_use == LAST else tool_use
    raise NotFound(
        f"No tool call {which} was seen in the last days, but for calls of Learnt itself. Nothing "
        "was recorded; without --evidence it is recorded as your own judgement."
    )


def refuse_beside_the_point(
    outside: Outside, shown: Proof, about: Iterable[str], said: str
) -> None:
    """Raise Refused where a call names nothing of an entry, or shares too few of its words."""
    text = _text_of(outside, shown)
    if text is None:
        return
    # A name, and what it names last: a column leads to its table as well.
    plain = [name.casefold().removesuffix("()") for name in about]
    parts = ((name, name.rpartition(".")[0], name.rpartition("/")[2]) for name in plain)
    names = {part for several in parts for part in several if part}
    words = set(terms(said, outside.stem))
    fits = any(name in text for name in names)
    if not names:
        fits = len(words & set(terms(text, outside.stem))) >= min(LEAST_SHARED, len(words))
    if not fits:
        listed = ", ".join(sorted(names or words)[:4])
        raise Refused(
            f"{shown.tool_use} touched nothing of what it is about ({listed}). "
            "Nothing was recorded; without --evidence it is recorded as your own judgement."
        )


def _text_of(outside: Outside, shown: Proof) -> str | None:
    if not shown.transcript:
        return None
    tail = outside.transcripts.tail(shown.transcript, LOOKED_AT)
    for turn in reversed(turns(tail.split(b"\n"))):
        for call in turn.calls:
            if call.id == shown.tool_use:
                return json.dumps([call.input, call.response], ensure_ascii=False).casefold()
    return None


# Of both keys `text` is how often the entry was corrected before.
def proved(outside: Outside, entry: EntryId, tool_use: str, result: str, text: int) -> NaturalKey:
    """The key of a proof: each call speaks once for, and once against, a text of an entry."""
    key = outside.ledger.key
    return natural_key(key, "proved", entry, tool_use, _POLARITY.get(result, "for"), text or None)


def judged(
    outside: Outside, entry: EntryId, session: str | None, result: str, text: int
) -> NaturalKey:
    """The key of an agent's own judgement: one a session, or one a day outside of any."""
    unit = session or day(outside.clock.now_ms()).isoformat()
    key = outside.ledger.key
    return natural_key(key, "judged by an agent", entry, unit, result, text or None)


def seen_session(reader: Reader, session: str) -> str:
    """The session, if Learnt saw it at work; empty for a name that anybody may have made up."""
    return session if session and session in reader.sessions_observed() else ""


HARD = {"success": 300, "failure": 1_500}  # thousandths: what a check, or a person, is worth
SOFT = 300  # either way: what somebody's own judgement is worth
_GOOD = frozenset({"confirmed", "success", "reset"})
_DOES = {"reset": "makes an entry as new", "invalidate": "marks an entry as wrong"}


class Word(Record, kw_only=True):
    """What is said, and by whom. Weights are thousandths; None for what such a word is worth."""

    result: Result
    actor: Actor
    weight: int | None = None
    credibility: int | None = None
    relevance: int = RELEVANCE["core"]
    evidence: str = ""  # the id of a tool call that shows it
    session: str = ""  # the agent's
    folder: str = ""  # where it was found: what the entry cites there is as it should be
    read: bool = False  # by a domain: a call that went well may speak against an entry, too


class _Speech(Record):
    """A word on an entry, and what was found out of it."""

    entry: Entry
    word: Word
    shown: Proof | None  # the call that shows it
    by_prompt: bool  # the person's last prompt objects to something shown; the agent says to what

    @property
    def by_person(self) -> bool:
        return self.word.actor is Actor.HUMAN

    @property
    def firm(self) -> bool:
        """Whether it is more than an agent's judgement."""
        return self.shown is not None or self.by_person

    @property
    def credibility(self) -> int:
        if self.word.credibility:
            return self.word.credibility
        return CREDIBILITY["tool" if self.shown else "human" if self.by_person else "agent"]


def tell(outside: Outside, name: EntryId, word: Word, *, looks: int = LOOKS) -> tuple[Entry, bool]:
    """Record a word; the entry, and if that was new. Raises NotFound, Refused, Conflict."""
    plan = partial(_planned, outside, name, word)
    return carry_out(outside.ledger, plan, f"{name}, or a file that it cites,", looks=looks)


def call_tells(
    outside: Outside,
    name: EntryId,
    tool_use: str,
    session: str,
    *,
    good: bool,
    hard: bool,
    read: bool = False,
) -> bool:
    """Record what a call shows of an entry; False where it can't, or did before.

    What is not `hard` weighs little. A call `read` by a domain speaks once of an entry.
    """
    with outside.ledger.reading() as reader:
        entry = entry_of(reader, name)
        if read and entry is not None:
            ways = ("success", "failure")
            keys = (proved(outside, name, tool_use, way, entry.corrected) for way in ways)
            if any(reader.keyed(key) is not None for key in keys):
                return False
    if entry is None or (entry.stage is not Stage.VALIDATED and not good):
        return False
    in_favour: Result = "success" if entry.stage is Stage.VALIDATED else "confirmed"
    word = Word(
        result=in_favour if good else "failure",
        actor=Actor.TOOL,
        weight=None if hard else SOFT,
        credibility=None if hard else CREDIBILITY["indirect"],
        evidence=tool_use,
        session=session,
        read=read,
    )
    try:
        return tell(outside, name, word, looks=PATIENT_LOOKS)[1]
    except (NotFound, Refused):
        return False


def _planned(outside: Outside, name: EntryId, word: Word) -> Plan[tuple[Entry, bool]]:
    def judged_by(reader: Reader) -> tuple[object, ...]:
        entry = live(reader, name)
        return entry.stage, entry.corrected, entry.scope, entry.entities, entry.cites

    with outside.ledger.reading() as reader:
        rests_on = snapshot(reader, judged_by)
        entry = live(reader, name)
        shown = proof(reader, word.evidence, word.session) if word.evidence else None
        word = replace(word, session=seen_session(reader, word.session))
        by_prompt = word.result == "invalidate" and objected(outside, reader, word.session, name)
        about = texts_behind(reader, entry.entities)
        said = "" if entry.approach else text_or_empty(reader, entry.about)  # of a fact
    speech = _Speech(entry=entry, word=word, shown=shown, by_prompt=by_prompt)
    if refusal := _refusal(speech):
        raise Refused(f"{refusal} Nothing was recorded.")
    if shown is not None:
        refuse_beside_the_point(outside, shown, about, said)
    # Somebody found that it holds: so what it cites is as it should be.
    finds_true = entry.cites and speech.firm and word.folder and word.result in _GOOD
    place = look(outside, word.folder) if finds_true else None
    # What citations are named by is looked up by reference: another snapshot says the same of it.
    with outside.ledger.reading() as reader:
        checker = Checker(outside, reader, place)
        renewed = () if place is None else checker.renew(entry)
    checker.texts.release()
    where = Where(session=named(outside.ledger.key, shown.session if shown else word.session))
    payload, key = _payload(speech), _key(outside, speech)

    def write(writer: Writer) -> tuple[Entry, bool]:
        cites = (
            replace(cite, path=writer.keep("cited path", owned(moved_to))) if moved_to else cite
            for cite, moved_to in renewed
        )
        cited = replace(payload, cites=tuple(cites))
        recorded = append(writer, entry_subject(name), word.actor, cited, where=where, key=key)
        return live(writer, name), recorded is not None

    return Plan(rests_on=rests_on, files_hold=checker.texts.hold, write=write)


def live(reader: Reader, name: EntryId) -> Entry:
    """An entry that may be spoken of. Raises NotFound where there is none, or it is gone."""
    entry = entry_of(reader, name)
    if entry is None:
        raise NotFound(f"There is no entry {name}. `learnt knowledge query WORDS` finds them.")
    if not entry.live:
        raise NotFound(f"{name} is {entry.stage} ({entry.reason}). Nothing was recorded.")
    return entry


def _refusal(speech: _Speech) -> str:
    """Why a word would mean nothing, or more than the caller can vouch for; empty where it may."""
    name, word, shown = speech.entry.id, speech.word, speech.shown
    weight, most = word.weight or 0, HARD.get(word.result, SOFT)
    if speech.entry.stage is not Stage.VALIDATED and word.result != "confirmed":
        return (
            f"{name} is a candidate: it can be confirmed, or taken out by a person (`learnt "
            f"knowledge expire {name}`); it has no confidence yet to move."
        )
    if shown is not None and shown.failed is (word.result in _GOOD) and not word.read:
        happened = "failed" if shown.failed else "succeeded"
        return f"{shown.tool_use} {happened}: it shows the contrary."
    if shown is not None and not speech.by_person and weight > most:
        return f"A tool call weighs {most / 1_000:g} at most for a {word.result}."
    if speech.firm or speech.by_prompt:
        return ""
    check = "name a tool call that shows it with --evidence, or ask the person."
    if weight > SOFT:
        return f"An agent's own judgement weighs {SOFT / 1_000:g} at most: {check}"
    if (word.credibility or 0) > CREDIBILITY["agent"]:
        return f"An agent's own judgement is believed 0.6 at most: {check}"
    if word.result in _DOES:
        return (
            f"What {_DOES[word.result]} is a check or a person: name the tool call with "
            "--evidence, or ask the person. Your own judgement is a failure that weighs "
            f"{SOFT / 1_000:g}: `learnt knowledge feedback`."
        )
    return ""


def _payload(speech: _Speech) -> EntryFeedback:
    word = speech.word
    source = "a tool" if speech.shown else "a person" if speech.by_person else "an agent"
    payload = EntryFeedback(result=word.result, source=source)
    if word.result == "confirmed":
        return replace(payload, credibility=speech.credibility, relevance=word.relevance)
    if word.result in HARD:
        worth = HARD[word.result] if speech.firm else SOFT
        return replace(payload, weight=word.weight or worth)
    return payload


def _key(outside: Outside, speech: _Speech) -> NaturalKey | None:
    """A tool call counts once each way; an agent's own judgement once a session."""
    entry, word = speech.entry, speech.word
    if speech.shown is not None:
        return proved(outside, entry.id, speech.shown.tool_use, word.result, entry.corrected)
    sure = speech.credibility >= CREDIBLE or word.result != "confirmed"
    if speech.by_person and sure:
        return None
    session = named(outside.ledger.key, word.session)
    return judged(outside, entry.id, session, word.result, entry.corrected)


def stage(
    writer: Writer, name: EntryId, actor: Actor, to: Stage, reason: str, into: EntryId | None = None
) -> None:
    """Record that an entry came to another stage."""
    append(writer, entry_subject(name), actor, Staged(stage=to, reason=reason, into=into))
