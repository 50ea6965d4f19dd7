"""The skills in trouble, as they follow from the ledger; and another system's queue taken over."""

from collections.abc import Mapping, Sequence

from learnt.core.events import Actor
from learnt.core.health.queue import NEWEST, QueueEntry, queued
from learnt.core.identifiers import skill_subject
from learnt.core.json_values import canonical
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.skill_events import EvaluationVerdict, SkillEvent
from learnt.core.skills.history import SkillHistory
from learnt.flows.skills.catalogue import PERSONAL, called, histories
from learnt.flows.stored import append, kept, legible, text_or_empty
from learnt.formats.answers import to_json
from learnt.formats.seed_queue import SeedEntry
from learnt.ports import Outside

_VERDICTS: dict[str, EvaluationVerdict | None] = {
    "evaluating": None,
    "promoted": "promoted",
    "pending_rollback_review": "review",
}


def queue(outside: Outside) -> Mapping[str, QueueEntry]:
    """Each skill that was flagged or whose texts are compared, those to be improved first."""
    with outside.ledger.reading() as reader:
        known = histories(reader)
        used = {legible(reader, row.skill): row.skill for row in reader.use_totals()}
        keys = {called(outside, name) for name in used}
        unused = [legible(reader, h.name) for key, h in known.items() if key not in keys]
        entries = []
        for name in (*used, *unused):
            uses = list(reader.uses(used[name], NEWEST)) if name in used else []
            history = known.get(called(outside, name), SkillHistory())
            told = text_or_empty(reader, history.flagged.executions)
            entries.append(queued(name, uses, history, told))
    there = (e for e in entries if e.flagged_count or e.eval_start)
    ordered = sorted(there, key=lambda e: (not e.due, -e.flagged_count, e.skill_name))
    return {entry.skill_name: entry for entry in ordered}


def take_over(outside: Outside, entries: Sequence[SeedEntry]) -> int:
    """Record what another system's queue says of each skill, once; of how many it was new."""
    return sum(_record(outside, entry) for entry in entries)


def _record(outside: Outside, entry: SeedEntry) -> bool:
    subject = skill_subject(PERSONAL, called(outside, entry.skill))
    key = natural_key(outside.ledger.key, "seed queue", canonical(to_json(entry)))
    with outside.ledger.writing() as writer:
        told = SkillEvent(cause="import", name=writer.keep("skill", entry.skill))
        flagged = told._replace(
            action="flagged",
            flags=entry.flags,
            at_ms=entry.flagged_ms,
            gap=entry.gap,
            source=kept(writer, "executions", "\n".join(entry.executions)),
        )
        if append(writer, subject, Actor.LEARNT, flagged, key=key) is None:
            return False
        if entry.status in _VERDICTS:
            begun = told._replace(action="evaluating", method="window", gap=entry.baseline)
            append(writer, subject, Actor.LEARNT, begun)
        if verdict := _VERDICTS.get(entry.status):
            ended = told._replace(action="evaluated", verdict=verdict, gap=entry.current)
            append(writer, subject, Actor.LEARNT, ended)
    return True
