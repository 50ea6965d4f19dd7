"""A person objects to what was put before the agent: what that was, and what becomes of it."""

from learnt.core.events import Actor, Kind, Where, payload_of
from learnt.core.identifiers import (
    EntryId,
    Subject,
    entry_subject,
    plain_or_hashed,
    session_subject,
)
from learnt.core.knowledge.entries import Stage
from learnt.core.payloads.entry_events import EntryFeedback, Staged
from learnt.core.payloads.recall_events import Recalled
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import append
from learnt.ports import Outside, Reader, Writer

LOOKED_BACK = 3  # recalls of the session
REASON = "a person said that it does not hold"


def objected(outside: Outside, reader: Reader, session: str, entry: EntryId) -> bool:
    """Whether the person's last prompt of a session objects to what was shown, and this was."""
    reports = reader.observed(session)
    prompts = [seen for seen in reports if seen.observation.event == "UserPromptSubmit"]
    if not prompts or not prompts[-1].response.objects:
        return False
    name = plain_or_hashed(outside.ledger.key, session)
    return entry in shown_last(reader, session_subject(prompts[-1].observation.agent, name))


def shown_last(reader: Reader, subject: Subject) -> dict[EntryId, str]:
    """What was put before the agent last in a session, with its words."""
    words: dict[EntryId, str] = {}
    for event in reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK):
        for name in payload_of(Recalled, event).shown:
            entry = entry_of(reader, name)
            if entry is not None and entry.live:
                note = note_of(reader, entry)
                words[name] = " ".join((note.text, note.problem, *note.entities, *note.tags))
        if words:
            break
    return words


def take_back(writer: Writer, name: EntryId, where: Where) -> None:
    """Take out of use what a prompt objects to, if it is in use.

    Validated it counts as invalid from now on; a candidate is retired. `reset` takes it back.
    """
    entry = entry_of(writer, name)
    if entry is None or not entry.live:
        return
    if entry.stage is Stage.VALIDATED:
        invalid = EntryFeedback(result="invalidate", source="a person's prompt")
        append(writer, entry_subject(name), Actor.HUMAN, invalid, where=where)
    else:
        retired = Staged(stage=Stage.RETIRED, reason=REASON)
        append(writer, entry_subject(name), Actor.HUMAN, retired)
