"""A session starts: the user's rules and a line a note are put before the agent, and recorded."""

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.recall_events import Recalled
from learnt.core.recall.contents import GROUPED, MOST_RULES, Listable, expected_use, fitted
from learnt.core.recall.eligibility import injectable
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.tokens import estimate
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.held import held_back
from learnt.flows.recall.holdout import draws
from learnt.flows.recall.offering import session_at
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.sessions.observe import arrival_of
from learnt.flows.stored import append
from learnt.formats.contents import Contents, render_contents, rule_line
from learnt.formats.injection import Note
from learnt.ports import Outside, Reader

RULE: Final = "rule"
MOST_LOOKED_AT: Final = 160  # entries, of which texts are read and checked
MOST_MORE_RULES: Final = 60
_MEMBERS: Final = ("stage", "kind", "scope", "actor", "remembered_ms", "reused", "masked", "cites")


def show_contents(outside: Outside, observation: Observation, expired: Callable[[], bool]) -> str:
    """The contents for the agent; empty where there is nothing to say, or where they are off.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more.
    """
    if not outside.contents_tokens:
        return ""
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        checker = Checker(outside, reader, arrival.place)
        state = session_at(reader, arrival.subject)
        rules, notes, count = _listable(outside, reader, checker, state)
        first, more = rules[:MOST_RULES], rules[MOST_RULES:]
        kept = _grouped(notes) if count >= GROUPED else [("", note) for note in notes]

        def text(shown: Sequence[tuple[str, Note]], words: int) -> str:
            return render_contents(Contents(first, more, shown, count - len(shown)), words)

        def size(shown: Sequence[tuple[str, Note]], words: int) -> int:
            return estimate(text(shown, words))

        shown, words = fitted(kept, size, outside.contents_tokens)
        block = text(shown, words) if shown or rules else ""
    if block:
        cut = [rule.id for rule in more if rule_line(rule)[1]]
        recalled = Recalled(
            mode="start",
            shown=tuple(rule.id for rule in rules if rule.id not in cut),
            hinted=(*(note.id for _, note in shown), *cut),
            tokens=estimate(block),
        )
        with outside.ledger.writing() as writer:
            where = arrival.where(outside, writer)
            append(writer, arrival.subject, observation.actor, recalled, where=where)
    return block


def _listable(
    outside: Outside, reader: Reader, checker: Checker, session: Session
) -> tuple[list[Note], list[Note], int]:
    """The rules and the notes that the contents may show, in order; how many notes there are."""
    now, started = outside.clock.now_ms(), sorted(_starts(reader))
    rows: list[Listable] = []
    rules: list[EntryId] = []
    for subject, stage, kind, scope, actor, kept, reused, masked, _ in reader.columns(
        Entry.prefix, *_MEMBERS
    ):
        if stage not in {"validated", "candidate"} or masked or not checker.holds_in(scope):
            continue
        name = EntryId(subject.removeprefix(Entry.prefix))
        if kind == RULE:
            rules += [name] if stage == "validated" and actor == "human" else []
            continue
        since = len(started) - bisect(started, kept or 0)
        rows.append(Listable(name, actor or "", stage, kept or 0, reused or 0, since))
    rows.sort(key=lambda row: (expected_use(row, now), row.id), reverse=True)
    fit = partial(_fit, outside, reader, checker, session)
    listed = list(islice(fit(EntryId(row.id) for row in rows), MOST_LOOKED_AT))
    whole = list(islice(fit(reversed(rules)), MOST_RULES + MOST_MORE_RULES))
    return whole, listed, max(len(listed), len(rows) if len(listed) == MOST_LOOKED_AT else 0)


def _starts(reader: Reader) -> Iterator[int]:
    return (started or 0 for _, started in reader.columns(Session.prefix, "started_ms"))


def _fit(
    outside: Outside, reader: Reader, checker: Checker, session: Session, names: Iterator[EntryId]
) -> Iterator[Note]:
    """The notes of those entries that a hook may show, and that the coin does not withhold."""
    for name in names:
        entry = entry_of(reader, name)
        if entry is None or not injectable(entry) or held_back(outside, reader, entry):
            continue
        ((_, coin),) = draws(outside, reader, session, [entry])
        if coin.arm != "withheld":
            yield note_of(reader, entry, outside.clock.now_ms(), outside.kinds)


def _grouped(notes: Sequence[Note]) -> list[tuple[str, Note]]:
    """The notes by topic, the topics in the order of their first notes."""
    topics = dict.fromkeys(note.kind for note in notes)
    return [(topic, note) for topic in topics for note in notes if note.kind == topic]
