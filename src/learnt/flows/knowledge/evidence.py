"""A tool call that Learnt saw itself: what makes somebody's word on an entry more than a word."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from learnt.core.health.outcomes import CallEvidence
from learnt.core.identifiers import EntryId, NaturalKey
from learnt.core.json_values import JsonObject, member, text_of
from learnt.core.knowledge.standing import day
from learnt.core.natural_keys import natural_key
from learnt.core.records import decode
from learnt.errors import NotFound, Refused
from learnt.formats.agents.transcripts import turns
from learnt.ports import Outside, Reader

LAST = "last"  # the session's last call before this one: an agent does not see its calls' ids
OWN = "learnt"
LOOKED_AT = 512 * 1024  # bytes of a transcript's end
_POLARITY = {"failure": "against", "invalidate": "against", "reset": "anew"}  # else: for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A tool call as its agent reported it."""

    tool_use: str
    session: str
    failed: bool
    transcript: str = ""


def proof(reader: Reader, tool_use: str, session: str) -> Proof:
    """The tool call of an id, or with `last` the latest one of a session.

    Calls of Learnt itself are passed over. Raises NotFound where no such call was seen.
    """
    sessions = [session] if tool_use == LAST else reader.sessions_observed()
    naming = "" if tool_use == LAST else tool_use
    for name in sessions:
        for seen in reversed(reader.observed(name, naming=naming)):
            for call in reversed(seen.observation.calls):
                own = member(call.get("evidence"), "family") == OWN
                if not own and tool_use in {LAST, member(call, "id")}:
                    return Proof(
                        tool_use=text_of(member(call, "id")),
                        session=name,
                        failed=_failed(call),
                        transcript=seen.observation.transcript,
                    )
    which = "of this session" if tool_use == LAST else tool_use
    raise NotFound(
        f"No tool call {which} was seen in the last days, but for calls of Learnt itself. Nothing "
        "was recorded; without --evidence it is recorded as your own judgement."
    )


def _failed(call: JsonObject) -> bool:
    evidence = call.get("evidence")
    good = decode(CallEvidence, evidence).good if isinstance(evidence, dict) else None
    return call.get("failed") is True if good is None else not good


def refuse_beside_the_point(outside: Outside, shown: Proof, about: Iterable[str]) -> None:
    """Raise Refused where neither the call nor its result names anything that an entry is about.

    A call that the agent's transcript does not show (yet) counts as it was reported.
    """
    names = {part for name in about for part in _parts(name)}
    text = _text_of(outside, shown)
    if text is None or not names or any(name in text for name in names):
        return
    raise Refused(
        f"{shown.tool_use} touched nothing of what it is about ({', '.join(sorted(names)[:4])}). "
        "Nothing was recorded; without --evidence it is recorded as your own judgement."
    )


def _parts(entity: str) -> list[str]:
    """A name, and what it names last: a column leads to its table as well."""
    name = entity.casefold().removesuffix("()")
    return [part for part in (name, name.rpartition(".")[0], name.rpartition("/")[2]) if part]


def _text_of(outside: Outside, shown: Proof) -> str | None:
    if not shown.transcript:
        return None
    tail = outside.transcripts.tail(shown.transcript, LOOKED_AT)
    for turn in reversed(turns(tail.split(b"\n"))):
        for call in turn.calls:
            if call.id == shown.tool_use:
                return json.dumps([call.input, call.response], ensure_ascii=False).casefold()
    return None


# Of both keys `text` is how often the entry was put right before.


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
