"""Somebody speaks for an entry or against it; the next look at it computes what that means."""

from dataclasses import dataclass, replace
from typing import Literal

from learnt.core.events import Actor, Draft, Kind, Where
from learnt.core.identifiers import EntryId, NaturalKey, entry_subject, plain_or_hashed
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.standing import CREDIBILITY, CREDIBLE, RELEVANCE
from learnt.errors import NotFound, Refused
from learnt.flows.knowledge.citing import checker_at, part
from learnt.flows.knowledge.evidence import (
    Proof,
    judged,
    proof,
    proved,
    refuse_beside_the_point,
    seen_session,
)
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


def tell(outside: Outside, name: EntryId, word: Word) -> tuple[Entry, bool]:
    """Record a word on an entry; the entry now, and whether the word was new."""
    with outside.ledger.writing() as writer:
        held = live(writer, name)
        found = proof(writer, word.evidence, word.session) if word.evidence else None
        word = replace(word, session=seen_session(writer, word.session))
        by_prompt = word.result == "invalidate" and objected(outside, writer, word.session, name)
        _check(held, word, found, by_prompt=by_prompt)
        if found is not None:
            about = [text for ref in held.entities if (text := writer.text(ref)) is not None]
            refuse_beside_the_point(outside, found, about)
        recorded = writer.append(
            Draft(
                subject=entry_subject(name),
                kind=Kind.FEEDBACK,
                actor=word.actor,
                where=_where(outside, word, found),
                payload={**_payload(word, found), **_anew(outside, writer, held, word, found)},
                natural_key=_key(outside, held, word, found),
            )
        )
        return live(writer, name), recorded is not None


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


def _anew(
    outside: Outside, writer: Writer, held: Entry, word: Word, found: Proof | None
) -> JsonObject:
    """What it cites, as it is now, where somebody more than an agent's judgement found it true."""
    firm = found is not None or word.actor is Actor.HUMAN
    if not (held.cites and firm and word.folder and word.result in _GOOD):
        return {}
    place = look(outside, word.folder)
    located = find(writer, place)
    checker = checker_at(outside, writer, place, located.household if located else ())
    return part(checker.anew(writer, held))


def _payload(word: Word, found: Proof | None) -> JsonObject:
    firm = found is not None or word.actor is Actor.HUMAN
    source = "a tool" if found else "a person" if word.actor is Actor.HUMAN else "an agent"
    if word.result == "confirmed":
        credibility = word.credibility or _credibility(word, found)
        return {
            "result": word.result,
            "source": source,
            "credibility": credibility,
            "relevance": word.relevance,
        }
    if word.result in HARD:
        weight = word.weight or (HARD[word.result] if firm else SOFT)
        return {"result": word.result, "source": source, "weight": weight}
    return {"result": word.result, "source": source}


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
