"""The skills in trouble, as they follow from the ledger; and another system's queue taken over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from learnt.core.events import NOWHERE, Actor, Where
from learnt.core.health.evaluation import reverted
from learnt.core.health.outcomes import MILLION
from learnt.core.health.queue import NEWEST, QueueEntry, queued
from learnt.core.identifiers import skill_subject
from learnt.core.json_values import canonical
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.skill_events import EvaluationVerdict, SkillEvent
from learnt.core.safety import clean
from learnt.core.skills.history import SkillHistory
from learnt.flows.health.evaluate import compared, counted
from learnt.flows.skills.catalogue import PERSONAL, called, histories
from learnt.flows.stored import append, kept, legible, text_or_empty
from learnt.formats.answers import to_json
from learnt.formats.seed_health import at_ms
from learnt.ports import Outside

_VERDICTS: dict[str, EvaluationVerdict] = {
    "promoted": "promoted",
    "pending_rollback_review": "review",
}


def queue(outside: Outside) -> Mapping[str, QueueEntry]:
    """Each skill that was flagged, takes more than it did or whose texts are compared.

    Those to be improved come first.
    """
    with outside.ledger.reading() as reader:
        known = histories(reader)
        used = {legible(reader, row.skill): row.skill for row in reader.use_totals()}
        keys = {called(outside, name) for name in used}
        by_key = ((subject.split(":", 2)[2], subject, one) for subject, one in compared(reader))
        compares = {
            key: len(counted(reader, subject, history))
            for key, subject, history in by_key
            if known[key] == history
        }
        unused = [legible(reader, h.name) for key, h in known.items() if key not in keys]
        entries = []
        for name in (*used, *unused):
            uses = list(reader.uses(used[name], NEWEST)) if name in used else []
            history = known.get(called(outside, name), SkillHistory())
            told = text_or_empty(reader, history.flagged.executions)
            executions = compares.get(called(outside, name), 0)
            issue = next((one.issue for one in history.evaluations[-1:]), None)
            entry = queued(name, uses, history, told, executions)
            entries.append(replace(entry, github_issue=text_or_empty(reader, issue) or None))
    there = (e for e in entries if e.flagged_count or e.eval_start or e.slower or e.costlier)
    ordered = sorted(there, key=lambda e: (not e.due, -e.flagged_count, e.skill_name))
    return {entry.skill_name: entry for entry in ordered}


def take_over(
    outside: Outside, entries: Sequence[QueueEntry], where: Where = NOWHERE, again: int = 0
) -> int:
    """Record what another system's queue says of each skill, once; how many were new.

    A window that goes on there is none here: its text is not known. Of the way back the commit is
    taken over, if the command is one. `again` counts the imports that were undone before.
    """
    taken = 0
    for entry in entries:
        subject = skill_subject(PERSONAL, called(outside, entry.skill_name))
        key = natural_key(
            outside.ledger.key,
            "seed queue",
            canonical(to_json(entry)),
            *((again,) if again else ()),
        )
        names = "\n".join(" ".join(one.split()) for one in entry.execution_ids)
        with outside.ledger.writing() as writer:
            told = SkillEvent(cause="import", name=writer.keep("skill", clean(entry.skill_name)))
            flagged = told._replace(
                action="flagged",
                flags=entry.flagged_count,
                at_ms=at_ms(entry.last_flagged or ""),
                gap=_millionths(entry.stability_gap),
                source=kept(writer, "executions", clean(names)),
            )
            new = append(writer, subject, Actor.LEARNT, flagged, where=where, key=key)
            taken += new is not None
            if new is None or entry.status not in _VERDICTS:
                continue
            gap = _millionths(entry.baseline_gap or 0)
            after = None if entry.current_gap is None else _millionths(entry.current_gap)
            began_ms, ended_ms = (
                at_ms(t or "") for t in (entry.eval_start, entry.regression_detected)
            )
            ended = told._replace(action="evaluated", verdict=_VERDICTS[entry.status], gap=after)
            ended = ended._replace(
                commit=reverted(entry.rollback_command or ""), executions=entry.eval_executions
            )
            issue = kept(writer, "address", clean(entry.github_issue or ""))
            for event in (
                told._replace(action="evaluating", method="window", gap=gap, at_ms=began_ms),
                ended._replace(at_ms=ended_ms or began_ms),
                told._replace(action="exported", source=issue),
            ):
                append(writer, subject, Actor.LEARNT, event, where=where)
    return taken


def _millionths(gap: float) -> int:
    return round(MILLION * gap)
