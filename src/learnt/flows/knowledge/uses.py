"""What a session did with what it was shown: calls that used an entry speak for or against it."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.health.outcomes import Call
from learnt.core.identifiers import EntryId, Subject, plain_or_hashed
from learnt.core.json_values import member, text_of
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.usage import applied, touched
from learnt.core.payloads.recall_events import Recalled
from learnt.core.sessions.turns import Made, Turn
from learnt.errors import NotFound, Refused
from learnt.flows.knowledge.feedback import SOFT, Result, Word, tell
from learnt.flows.plans import PATIENT_LOOKS
from learnt.flows.recall.search import entry_of, note_of
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

_SHOWS = frozenset({"test", "check", "change", "other"})  # a mere look shows nothing
_CHECKS = frozenset({"test", "check"})  # what speaks of more than itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """An entry that a call used, and what that showed. `direct`: it did what the entry says."""

    entry: EntryId
    tool_use: str
    good: bool
    direct: bool


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
        every = {entry for entries in shown.values() for entry in entries}
        known = {one: about for one in every if (about := _about(reader, one)) is not None}
    found: list[Used] = []
    before: set[EntryId] = set()
    for turn in turns:
        # What was shown once stays in the context for the turns that follow.
        before |= set(shown.get(plain_or_hashed(outside.ledger.key, turn.id), ()))
        for entry in sorted(before & known.keys()):
            every_use = _uses(known[entry], turn, calls)
            used = [one for one in every_use if one.direct or one.tool_use not in read]
            if used and _told(outside, used[-1], session):
                found.append(used[-1])
    return found


def shown_in(reader: Reader, subject: Subject) -> dict[str, tuple[EntryId, ...]]:
    """The entries that were put before the agent in a session, by episode."""
    found: dict[str, tuple[EntryId, ...]] = {}
    for event in reader.events(subject=subject, kind=Kind.RECALLED):
        episode = event.where.episode or ""
        found[episode] = (*found.get(episode, ()), *payload_of(Recalled, event).shown)
    return found


def _about(reader: Reader, entry: EntryId) -> tuple[Note, list[str]] | None:
    """An entry's texts, and the names of what it is about."""
    held = entry_of(reader, entry)
    if held is None or not held.live:
        return None
    cited = (ref for one in held.cites for ref in (one.path, one.symbol, one.table) if ref)
    refs = (*held.entities, *held.files, *cited)
    return note_of(reader, held), [text for ref in refs if (text := reader.text(ref))]


def _uses(about: tuple[Note, list[str]], turn: Turn, calls: Mapping[str, Call]) -> Iterator[Used]:
    note, names = about
    for made in turn.calls:
        call = calls.get(made.id, Call())
        good = _verdict(call, made)
        if good is None:
            continue
        command = text_of(member(made.input, "command"))
        direct = bool(command) and applied(note.approach, note.cautions, command)
        if direct or (note.text and _checks(call, made) and _touched(names, made)):
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


def _told(outside: Outside, used: Used, session: str) -> bool:
    """Whether it could be said of the entry, and was not said before."""
    with outside.ledger.reading() as reader:
        held = entry_of(reader, used.entry)
    if held is None or (held.stage is not Stage.VALIDATED and not used.good):
        return False
    good: Result = "success" if held.stage is Stage.VALIDATED else "confirmed"
    word = Word(
        result=good if used.good else "failure",
        actor=Actor.TOOL,
        # What fails beside a fact may fail for a hundred reasons.
        weight=None if used.good or used.direct else SOFT,
        evidence=used.tool_use,
        session=session,
    )
    try:
        return tell(outside, used.entry, word, looks=PATIENT_LOOKS)[1]
    except (NotFound, Refused):
        return False
