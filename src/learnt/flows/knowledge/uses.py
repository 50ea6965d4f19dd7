"""What a session did with what it was shown: calls that used an entry speak for or against it."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnt.core.events import Kind, payload_of
from learnt.core.health.outcomes import Call
from learnt.core.identifiers import EntryId, Subject, plain_or_hashed
from learnt.core.json_values import member, text_of
from learnt.core.knowledge.usage import applied, touched
from learnt.core.payloads.recall_events import Recalled
from learnt.core.sessions.turns import Made, Turn
from learnt.flows.knowledge.feedback import call_tells
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import texts_behind
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

_SHOWS = frozenset({"test", "check", "change", "other"})  # a mere look shows nothing
_CHECKS = frozenset({"test", "check"})  # what speaks of more than itself


class Used(NamedTuple):
    """An entry that a call used, and what that showed. `direct`: it did what the entry says."""

    entry: EntryId
    tool_use: str
    good: bool
    direct: bool


class _Subject(NamedTuple):
    """An entry's texts, and the names of what it is about."""

    note: Note
    names: tuple[str, ...]


def weigh(
    outside: Outside,
    subject: Subject,
    turns: Sequence[Turn],
    calls: Mapping[str, Call],
    session: str,
    read: Collection[str] = (),
) -> list[Used]:
    """Record what these turns showed of the entries that were put before the agent in them.

    Of an entry's calls in a turn the last one counts: what was put right meanwhile is no blame. Of
    a call that a domain has `read` the domain alone says what it shows, but for what did as told.
    """
    with outside.ledger.reading() as reader:
        shown = shown_in(reader, subject)
        names = {entry for entries in shown.values() for entry in entries}
        subjects = {name: about for name in names if (about := _subject_of(reader, name))}
    recorded: list[Used] = []
    before: set[EntryId] = set()
    for turn in turns:
        # What was shown once stays in the context for the turns that follow.
        before |= set(shown.get(plain_or_hashed(outside.ledger.key, turn.id), ()))
        for entry in sorted(before & subjects.keys()):
            uses = _uses(subjects[entry], turn, calls)
            used = [use for use in uses if use.direct or use.tool_use not in read]
            if not used:
                continue
            last = used[-1]
            # What fails beside a fact may fail for a hundred reasons.
            hard = last.good or last.direct
            if call_tells(outside, entry, last.tool_use, session, good=last.good, hard=hard):
                recorded.append(last)
    return recorded


def shown_in(reader: Reader, subject: Subject) -> dict[str, tuple[EntryId, ...]]:
    """The entries that were put before the agent in a session, by episode."""
    shown: dict[str, tuple[EntryId, ...]] = {}
    for event in reader.events(subject=subject, kind=Kind.RECALLED):
        episode = event.where.episode or ""
        shown[episode] = (*shown.get(episode, ()), *payload_of(Recalled, event).shown)
    return shown


def _subject_of(reader: Reader, name: EntryId) -> _Subject | None:
    entry = entry_of(reader, name)
    if entry is None or not entry.live:
        return None
    cited = (ref for cite in entry.cites for ref in cite.refs)
    names = texts_behind(reader, (*entry.entities, *entry.files, *cited))
    return _Subject(note_of(reader, entry), names)


def _uses(about: _Subject, turn: Turn, calls: Mapping[str, Call]) -> Iterator[Used]:
    note = about.note
    for made in turn.calls:
        call = calls.get(made.id, Call())
        good = _verdict(call, made)
        if good is None:
            continue
        command = text_of(member(made.input, "command"))
        direct = bool(command) and applied(note.approach, note.cautions, command)
        if direct or (note.text and _checks(call, made) and _touched(about.names, made)):
            yield Used(entry=note.id, tool_use=made.id, good=good, direct=direct)


def _checks(call: Call, made: Made) -> bool:
    """Whether a call asks whether something holds: a test, a check, a query of another server's."""
    return call.kind in _CHECKS or made.tool.startswith("mcp__")


def _touched(names: Sequence[str], made: Made) -> bool:
    return touched(names, json.dumps(made.input, ensure_ascii=False))


def _verdict(call: Call, made: Made) -> bool | None:
    """Whether a call that shows something went well; None where it shows nothing."""
    if call.kind not in _SHOWS or call.interrupted or call.cause == "environment":
        return None
    if call.good and made.failed and made.tool.startswith("mcp__"):
        return None  # its server says that it failed, in words that are not known
    return not made.failed if call.good is None else call.good
