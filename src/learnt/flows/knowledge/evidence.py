"""A tool call that Learnt saw itself: what makes somebody's word on an entry more than a word."""

from dataclasses import dataclass

from learnt.core.health.outcomes import call_of
from learnt.core.identifiers import EntryId, NaturalKey
from learnt.core.json_values import JsonObject, member, text_of
from learnt.core.natural_keys import natural_key
from learnt.errors import NotFound
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A tool call as its agent reported it."""

    tool_use: str
    session: str
    failed: bool


LAST = "last"  # the session's last call before this one: an agent does not see its calls' ids
OWN = "learnt"


def proof(reader: Reader, tool_use: str, session: str) -> Proof:
    """The tool call of an id, or with `last` the latest one of a session; NotFound where none is.

    What Learnt itself printed shows nothing: its own calls are passed over.
    """
    sessions = [session] if tool_use == LAST else reader.sessions_observed()
    for name in sessions:
        for seen in reversed(reader.observed(name)):
            for call in reversed(seen.observation.calls):
                own = member(call.get("evidence"), "family") == OWN
                if not own and tool_use in {LAST, member(call, "id")}:
                    found = text_of(member(call, "id"))
                    return Proof(tool_use=found, session=name, failed=_failed(call))
    which = "of this session" if tool_use == LAST else tool_use
    raise NotFound(
        f"No tool call {which} was seen in the last days, but for calls of Learnt itself. Nothing "
        "was recorded; without --evidence it is recorded as your own judgement."
    )


def _failed(call: JsonObject) -> bool:
    evidence = call.get("evidence")
    said = call_of(evidence).good if isinstance(evidence, dict) else None
    return call.get("failed") is True if said is None else not said


def proved(outside: Outside, entry: EntryId, found: Proof, said: str) -> NaturalKey:
    """The natural key of a proof: each call speaks for or against an entry once."""
    return natural_key(outside.ledger.key, "proved", entry, found.tool_use, said)
