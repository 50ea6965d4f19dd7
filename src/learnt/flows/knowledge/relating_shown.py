"""What an agent's answers on notes did since a session's last prompt, for the person's screen."""

from typing import Final

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Related
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import named, text_or_empty
from learnt.formats.injection import Rival
from learnt.formats.relating import disputed_notice, replaced_notice
from learnt.ports import Outside, Reader

MOST: Final = 3  # lines
_LOOKED_AT: Final = 32  # events: each answer is one on either note


def answers_shown(outside: Outside, session: str) -> str:
    """A line for each note that was replaced and each new dispute; empty for none."""
    name = named(outside.ledger.key, session)
    if name is None:
        return ""
    with outside.ledger.reading() as reader:
        answers = list(reader.events(kind=Kind.RELATED, session=name, newest=_LOOKED_AT))
        if not answers:
            return ""
        before = reader.events(kind=Kind.EPISODE_CLOSED, session=name, newest=1)
        since = next((event.stamp for event in before), None)
        lines: dict[frozenset[str], str] = {}
        for event in answers:
            said = payload_of(Related, event)
            one = EntryId(event.subject.removeprefix(Entry.prefix))
            new = (since is None or event.stamp > since) and event.actor is not Actor.HUMAN
            if new and said.relation and frozenset({one, said.other}) not in lines:
                line = _line(reader, one, said)
                lines[frozenset({one, said.other})] = line
    return " ".join([line for line in reversed(lines.values()) if line][-MOST:])


def _line(reader: Reader, one: EntryId, said: Related) -> str:
    pair = [entry_of(reader, name) for name in (one, said.other)]
    entries = [entry for entry in pair if entry is not None]
    sides = [Rival(entry.id, text_or_empty(reader, entry.about)) for entry in entries]
    if len(sides) < 2 or not (said.disputed or said.relation == "contradicts"):
        return ""
    if said.disputed:
        return disputed_notice(*sides)
    gone = next((at for at, entry in enumerate(entries) if entry.related_away), None)
    return "" if gone is None else replaced_notice(sides[1 - gone], sides[gone])
