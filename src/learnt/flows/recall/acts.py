"""A shell command is about to run: the user's rules that govern it are put before the agent."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.payloads.entry_events import Recalled
from learnt.core.recall.acts import governs
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.sessions import Session
from learnt.core.tokens import estimate
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.contents import fit_to_show
from learnt.flows.recall.offering import context_at
from learnt.flows.recall.retract import answered_key
from learnt.flows.recall.roster import newest, roster_of
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.observe import arrival_of
from learnt.flows.stored import append, text_or_empty
from learnt.formats.contents import render_rules
from learnt.ports import Outside, Reader

MOST: Final = 5  # rules at one act


def answer_act(
    outside: Outside, observation: Observation, command: str, expired: Callable[[], bool]
) -> str:
    """The rules that govern a command and were not shown whole in this context; empty for none.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more.
    """
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        session = context_at(outside, reader, arrival)
        checker = Checker(outside, reader, arrival.place)
        waiting = _waiting(outside, reader, checker, session, command)
        given = [*islice(fit_to_show(outside, reader, session, waiting), MOST)]
    if not given:
        return ""
    block = render_rules([note.text for note in given])
    shown = tuple(note.id for note in given)
    recalled = Recalled(mode="act", shown=shown, tokens=estimate(block))
    once = answered_key(outside.ledger.key, observation, arrival.session)
    with outside.ledger.writing() as writer:
        where = arrival.where(outside, writer)
        told = append(writer, arrival.subject, observation.actor, recalled, where=where, key=once)
    return block if told else ""


def _waiting(
    outside: Outside, reader: Reader, checker: Checker, session: Session, command: str
) -> Iterator[EntryId]:
    """The rules of a place that govern a command and are not in the context, the newest first."""
    rules = newest(roster_of(outside, reader).rules, checker.holds_in)
    for entry in filter(None, (entry_of(reader, n) for n in rules if n not in session.rules)):
        text = text_or_empty(reader, entry.text)
        if governs(text, outside.language.acts_in(text), command):
            yield entry.id
