"""Somebody speaks for an entry or against it; the next look at it computes what that means."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from learnt.core.events import Actor, Draft, Where
from learnt.core.identifiers import EntryId, NaturalKey, entry_subject, plain_or_hashed
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.standing import CREDIBILITY, CREDIBLE, RELEVANCE
from learnt.core.payloads.entry_events import EntryFeedback
from learnt.errors import NotFound, Refused
from learnt.flows.knowledge.citing import checker_at, renewed_in
from learnt.flows.knowledge.evidence import (
    Proof,
    judged,
    proof,
    proved,
    refuse_beside_the_point,
    seen_session,
)
from learnt.flows.plans import LOOKS, Plan, carry_out, snapshot
from learnt.flows.recall.search import entry_of
from learnt.flows.recall.shown import objected
from learnt.flows.sessions.locate import find, look
from learnt.ports import Outside, Reader, Writer

Result = Literal["confirmed", "success", "failure", "reset", "invalidate"]
HARD = {"success": 300, "failure": 1_500}  # thousandths: what a check, or a person, is worth
SOFT = 300  # either way: what somebody's own judgement is worth


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What is said, and by whom. Weights are thousandths; None for what such a word is worth.

    `evidence` is the id of a tool call that shows it, `session` the agent's; `folder` where it was
    found: what the entry cites there is as it should be. `read`: a domain read the result: it may
    speak against an entry though the call went well.
    """

    result: Result
    actor: Actor
    weight: int | None = None
    credibility: int | None = None
    relevance: int = RELEVANCE["core"]
    evidence: str = ""
    session: str = ""
    folder: str = ""
    read: bool = False


_GOOD = frozenset({"confirmed", "success", "reset"})
_DOES = {"reset": "makes an entry as new", "invalidate": "marks an entry as wrong"}


def tell(outside: Outside, name: EntryId, word: Word, *, looks: int = LOOKS) -> tuple[Entry, bool]:
    """Record a word on an entry; the entry now, and whether the word was new.

    Raises NotFound where there is no such entry in use, Refused where the word means nothing of it
    or is more than the caller can vouch for, Conflict where the entry, or a file that it cites,
    changed before each of so many looks.
    """
    plan = partial(_planned, outside, name, word)
    return carry_out(outside.ledger, plan, f"{name}, or a file that it cites,", looks=looks)


def _planned(outside: Outside, name: EntryId, word: Word) -> Plan[tuple[Entry, bool]]:
    with outside.ledger.reading() as reader:
        seen = snapshot(reader, partial(_judged_by, name))
        entry = live(reader, name)
        shown = proof(reader, word.evidence, word.session) if word.evidence else None
        word = replace(word, session=seen_session(reader, word.session))
        by_prompt = word.result == "invalidate" and objected(outside, reader, word.session, name)
        about = [text for ref in entry.entities if (text := reader.text(ref)) is not None]
    _check(entry, word, shown, by_prompt=by_prompt)
    if shown is not None:
        refuse_beside_the_point(outside, shown, about)
    place = look(outside, word.folder) if _finds_true(entry, word, shown) else None
    # What citations are named by is looked up by reference: another snapshot says the same of it.
    with outside.ledger.reading() as reader:
        located = None if place is None else find(reader, place)
        checker = checker_at(outside, reader, place, located.household if located else ())
        renewed = () if place is None else checker.anew(entry)
    checker.texts.release()
    key = _key(outside, entry, word, shown)

    def write(writer: Writer) -> tuple[Entry, bool]:
        recorded = writer.append(
            Draft(
                subject=entry_subject(name),
                actor=word.actor,
                where=_where(outside, word, shown),
                payload=_payload(word, shown)._replace(cites=renewed_in(writer, renewed)),
                natural_key=key,
            )
        )
        return live(writer, name), recorded is not None

    return Plan(rests_on=seen, files_hold=checker.texts.hold, write=write)


def _judged_by(name: EntryId, reader: Reader) -> tuple[object, ...]:
    """What of an entry decides on a word about it."""
    entry = live(reader, name)
    return entry.stage, entry.corrected, entry.scope, entry.entities, entry.cites


def live(reader: Reader, name: EntryId) -> Entry:
    """An entry that may be spoken of; NotFound where there is none, or it is gone."""
    held = entry_of(reader, name)
    if held is None:
        raise NotFound(f"There is no entry {name}. `learnt knowledge query WORDS` finds them.")
    if not held.live:
        raise NotFound(f"{name} is {held.stage} ({held.reason}). Nothing was recorded.")
    return held


def _check(held: Entry, word: Word, found: Proof | None, *, by_prompt: bool) -> None:
    """Refuse what would mean nothing, or more than the caller can vouch for.

    `by_prompt`: the person said in their last prompt that something shown does not hold, and the
    agent says which.
    """
    own = word.actor is not Actor.HUMAN and found is None and not by_prompt
    if held.stage is not Stage.VALIDATED and word.result != "confirmed":
        raise Refused(
            f"{held.id} is a candidate: it can be confirmed, or taken out by a person (`learnt "
            f"knowledge expire {held.id}`); it has no confidence yet to move. Nothing was recorded."
        )
    contrary = found is not None and found.failed is (word.result in _GOOD)
    if found is not None and contrary and not word.read:
        happened = "failed" if found.failed else "succeeded"
        raise Refused(f"{found.tool_use} {happened}: it shows the contrary. Nothing was recorded.")
    most = HARD.get(word.result, SOFT)
    if found is not None and word.actor is not Actor.HUMAN and (word.weight or 0) > most:
        raise Refused(
            f"A tool call weighs {most / 1_000:g} at most for a {word.result}. Nothing was "
            "recorded."
        )
    if own and (word.weight or 0) > SOFT:
        raise Refused(
            f"An agent's own judgement weighs {SOFT / 1_000:g} at most: name a tool call that "
            "shows it with --evidence, or ask the person. Nothing was recorded."
        )
    if own and (word.credibility or 0) > CREDIBILITY["agent"]:
        raise Refused(
            "An agent's own judgement is believed 0.6 at most: name a tool call that shows it "
            "with --evidence, or ask the person. Nothing was recorded."
        )
    if own and word.result in {"reset", "invalidate"}:
        raise Refused(
            f"What {_DOES[word.result]} is a check or a person: name the tool call with "
            "--evidence, or ask the person. Your own judgement is a failure that weighs "
            f"{SOFT / 1_000:g}: `learnt knowledge feedback`. Nothing was recorded."
        )


def _finds_true(entry: Entry, word: Word, shown: Proof | None) -> bool:
    """Whether what it cites is as it should be: more than an agent's judgement says so."""
    firm = shown is not None or word.actor is Actor.HUMAN
    return bool(entry.cites and firm and word.folder and word.result in _GOOD)


def _payload(word: Word, found: Proof | None) -> EntryFeedback:
    firm = found is not None or word.actor is Actor.HUMAN
    source = "a tool" if found else "a person" if word.actor is Actor.HUMAN else "an agent"
    told = EntryFeedback(result=word.result, source=source)
    if word.result == "confirmed":
        credibility = word.credibility or _credibility(word, found)
        return told._replace(credibility=credibility, relevance=word.relevance)
    if word.result in HARD:
        weight = word.weight or (HARD[word.result] if firm else SOFT)
        return told._replace(weight=weight)
    return told


def _credibility(word: Word, found: Proof | None) -> int:
    if found is not None:
        return CREDIBILITY["tool"]
    return CREDIBILITY["human" if word.actor is Actor.HUMAN else "agent"]


def _where(outside: Outside, word: Word, found: Proof | None) -> Where:
    session = found.session if found else word.session
    return Where(session=plain_or_hashed(outside.ledger.key, session) if session else None)


def _key(outside: Outside, held: Entry, word: Word, found: Proof | None) -> NaturalKey | None:
    """A tool call counts once each way; an agent's own judgement once a session."""
    if found is not None:
        return proved(outside, held.id, found, word.result, held.corrected)
    credible = (word.credibility or _credibility(word, None)) >= CREDIBLE
    if word.actor is Actor.HUMAN and (credible or word.result != "confirmed"):
        return None
    return judged(
        outside, held.id, _where(outside, word, None).session, word.result, held.corrected
    )
