"""What was put before the agent last, and whether its user objects to that."""

from learnt.core.events import Kind, payload_of
from learnt.core.identifiers import EntryId, Subject, plain_or_hashed, session_subject
from learnt.core.payloads.recall_events import Recalled
from learnt.flows.recall.search import entry_of, note_of
from learnt.ports import Outside, Reader

LOOKED_BACK = 3  # recalls of the session


def objected(outside: Outside, reader: Reader, session: str, entry: EntryId) -> bool:
    """Whether the person's last prompt of a session objects to what was shown, and this was."""
    prompts = [
        held for held in reader.observed(session) if held.observation.event == "UserPromptSubmit"
    ]
    if not prompts or not prompts[-1].response.objects:
        return False
    name = plain_or_hashed(outside.ledger.key, session)
    return entry in shown_last(reader, session_subject(prompts[-1].observation.agent, name))


def shown_last(reader: Reader, subject: Subject) -> dict[EntryId, str]:
    """What was put before the agent last in a session, with its words."""
    found: dict[EntryId, str] = {}
    for event in reader.events(subject=subject, kind=Kind.RECALLED, newest=LOOKED_BACK):
        for name in payload_of(Recalled, event).shown:
            held = entry_of(reader, name)
            if held is not None and held.live:
                note = note_of(reader, held)
                words = (note.text, note.problem, *note.entities, *note.tags)
                found[held.id] = " ".join(words)
        if found:
            break
    return found
