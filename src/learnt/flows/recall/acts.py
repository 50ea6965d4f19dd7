"""A shell command is about to run: the user's rules that govern it are put before the agent."""

from collections.abc import Callable
from typing import Final

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.recall_events import Recalled
from learnt.core.recall.acts import governs
from learnt.core.records import decode
from learnt.core.sessions.observations import Observation
from learnt.core.tokens import estimate
from learnt.flows.knowledge.checking import Checker
from learnt.flows.recall.held import held_back
from learnt.flows.recall.offering import context_at
from learnt.flows.recall.retract import answered_key
from learnt.flows.sessions.observe import arrival_of
from learnt.flows.stored import append, text_or_empty
from learnt.formats.contents import render_rules
from learnt.ports import Outside, Reader

MOST: Final = 5  # rules at one act
_RULES: Final = '"kind":"rule"'  # in the state of an entry's view


def answer_act(
    outside: Outside, observation: Observation, command: str, expired: Callable[[], bool]
) -> str:
    """The rules that govern a command and were not shown whole in this context; empty for none.

    Breaks off (LedgerBusy) when `expired` says that nobody waits any more.
    """
    arrival = arrival_of(outside, observation)
    with outside.ledger.reading() as reader, outside.ledger.within(expired):
        known = set(context_at(outside, reader, arrival).rules)
        checker = Checker(outside, reader, arrival.place)
        waiting = (
            (name, text)
            for name, text in _rules(outside, reader, checker)
            if name not in known and governs(text, outside.language.acts_in(text), command)
        )
        given = dict(each for each, _ in zip(waiting, range(MOST), strict=False))
    if not given:
        return ""
    block = render_rules(tuple(given.values()))
    recalled = Recalled(mode="act", shown=tuple(given), tokens=estimate(block))
    once = answered_key(outside.ledger.key, observation, arrival.session)
    with outside.ledger.writing() as writer:
        where = arrival.where(outside, writer)
        told = append(writer, arrival.subject, observation.actor, recalled, where=where, key=once)
    return block if told else ""


def _rules(outside: Outside, reader: Reader, checker: Checker) -> list[tuple[EntryId, str]]:
    """The rules that a place sees, the newest first, each with its words."""
    entries = (decode(Entry, view.state) for view in reader.views(Entry.prefix, _RULES))
    return [
        (entry.id, text_or_empty(reader, entry.text))
        for entry in sorted(entries, key=lambda entry: entry.id, reverse=True)
        if is_rule(entry) and checker.sees(entry) and not held_back(outside, reader, entry)
    ]


def is_rule(entry: Entry) -> bool:
    """Whether it is a rule that is given as one: a person's own words, validated, and in use."""
    own = entry.actor is Actor.HUMAN and entry.origin is Origin.USER
    return entry.kind == "rule" and own and entry.stage is Stage.VALIDATED and not entry.masked
