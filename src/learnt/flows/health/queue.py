"""The skills in trouble, by the ledger; another system's queue and logs taken over."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal

from msgspec.structs import replace

from learnt.core.events import NOWHERE, Actor, Kind, Origin, Where, natural_key
from learnt.core.governance.proposals import Status
from learnt.core.health.experiences import Experience
from learnt.core.health.improvement import NEWEST, QueueEntry, queued, reverted
from learnt.core.health.outcomes import MILLION, Cause, Outcome, Quote, Trouble
from learnt.core.identifiers import (
    Subject,
    keyed_hash,
    plain_or_hashed,
    session_subject,
    skill_subject,
)  # fmt: skip
from learnt.core.payloads.session_events import EpisodeClosed, SkillUse
from learnt.core.payloads.skill_events import EvaluationVerdict, SkillEvent
from learnt.core.records import canonical, decode, encode
from learnt.core.safety import clean, excerpt
from learnt.core.skills.history import SkillHistory
from learnt.core.skills.skills import key_of
from learnt.errors import LearntError
from learnt.flows.governance.decisions import proposals
from learnt.flows.health.evaluate import compared, counted
from learnt.flows.skills.catalogue import PERSONAL, called, histories
from learnt.flows.stored import append, kept, legible, text_or_empty
from learnt.formats.answers import to_json
from learnt.formats.seed_health import Logged, SeedHealth, at_ms
from learnt.ports import Outside

AGENT = "seed-001"
_QUOTE = 200


def adopt(outside: Outside, seed: SeedHealth) -> int:
    """Record each execution once, however often it is imported; how many were new."""
    new = sum(_record(outside, logged) for logged in seed.logged if not logged.from_history)
    for skill, total in seed.totals.items():
        # What the daily logs told, now or at an earlier import, the history tells again.
        subject = session_subject(AGENT, _session(outside, skill))
        with outside.ledger.reading() as reader:
            recorded = sum(1 for _ in reader.events(subject=subject, kind=Kind.EPISODE_CLOSED))
        older = [row for row in seed.logged if row.from_history and row.skill == skill]
        new += sum(_record(outside, logged) for logged in older[: max(0, total - recorded)])
    return new


def _session(outside: Outside, skill: str) -> str:
    return keyed_hash(outside.ledger.key, "seed skill", skill)[:16]


def _record(outside: Outside, logged: Logged) -> bool:
    session = _session(outside, logged.skill)
    episode = keyed_hash(outside.ledger.key, "seed invocation", logged.id)[:16]
    good = logged.grade == MILLION
    error = excerpt(logged.error, _QUOTE)
    with outside.ledger.writing() as writer:
        words = writer.keep("evidence", error) if error else ""
        payload = EpisodeClosed(
            ended_by="import",
            outcome=Outcome(
                trouble=Trouble.NONE if good else Trouble.COMMAND,
                cause=Cause.NONE if good else Cause.SKILL,
                grade=logged.grade,
                quotes=(Quote(what="error", words=words),) if words else (),
            ),
            skills=(SkillUse(skill=writer.keep("skill", clean(logged.skill)), by="agent"),),
            took_ms=logged.took_ms,
            at_ms=logged.at_ms,
        )
        where = Where(agent=AGENT, session=session, episode=episode)
        key = natural_key(outside.ledger.key, "episode closed", AGENT, session, episode, None)
        subject = session_subject(AGENT, session)
        return append(writer, subject, Actor.TOOL, payload, where=where, key=key) is not None


def adopt_experiences(outside: Outside, found: Iterable[Experience]) -> int:
    """Record the past successes of another library, each once, for people; how many were new."""
    new = 0
    for past in found:
        subject = skill_subject("user", plain_or_hashed(outside.ledger.key, key_of(past.skill)))
        key = natural_key(outside.ledger.key, "past success imported", past.skill, past.id)
        with outside.ledger.writing() as writer:
            text = writer.keep("experience", clean(json.dumps(encode(past), ensure_ascii=False)))
            name = writer.keep("skill", clean(past.skill))
            payload = SkillEvent(action="exemplar", name=name, text=text, digest=past.id)
            origin = Origin.ASSISTANT
            new += append(writer, subject, Actor.TOOL, payload, origin=origin, key=key) is not None
    return new


_VERDICTS: dict[str, EvaluationVerdict] = {
    "promoted": "promoted",
    "pending_rollback_review": "review",
}


def queue(outside: Outside) -> Mapping[str, QueueEntry]:
    """Each skill that was flagged or is in a trial; those to be improved come first."""
    with outside.ledger.reading() as reader:
        known = histories(reader)
        used = {legible(reader, row.skill): row.skill for row in reader.use_totals()}
        keys = {called(outside, name) for name in used}
        compares = {
            key: len(counted(reader, subject, history))
            for subject, history in compared(reader)
            if known[key := subject.split(":", 2)[2]] == history
        }
        unused = [legible(reader, h.name) for key, h in known.items() if key not in keys]
        entries = []
        for name in (*used, *unused):
            key = called(outside, name)
            uses = list(reader.uses(used[name], NEWEST)) if name in used else []
            history = known.get(key, SkillHistory())
            ids = text_or_empty(reader, history.flagged.executions)
            issue = next((one.issue for one in history.evaluations[-1:]), None)
            entry = queued(name, uses, history, ids, compares.get(key, 0))
            entries.append(replace(entry, github_issue=text_or_empty(reader, issue) or None))
    there = (e for e in entries if e.flagged_count or e.eval_start)
    ordered = sorted(there, key=lambda e: (not e.due, -e.flagged_count, e.skill_name))
    return {entry.skill_name: entry for entry in ordered}


def unnamed(
    outside: Outside, entries: Iterable[QueueEntry], actor: Actor, cause: Literal["", "start"] = ""
) -> list[str]:
    """The skills to be improved that were not named since their last flag; from now on they are.

    What an agent is shown, its person has not seen: they are named to a person again.
    """
    due = {called(outside, entry.skill_name): entry for entry in entries if entry.due}
    with outside.ledger.reading() as reader:
        views = reader.views(SkillHistory.prefix) if due else ()
        known = {Subject(view.subject): decode(SkillHistory, view.state) for view in views}
    subjects = {subject.split(":", 2)[2]: subject for subject in known}
    new = []
    for key, entry in due.items():
        subject = subjects.get(key) or skill_subject(PERSONAL, key)
        history = known.get(subject, SkillHistory())
        last = history.asked_ms if cause else history.named_ms
        if not last or last < at_ms(entry.last_flagged or ""):
            new.append(entry.skill_name)
            if actor is not Actor.AGENT:
                with suppress(LearntError):  # a ledger that is in use: it is said once more
                    named(outside, subject, entry.skill_name, actor, cause)
    return new


def named(outside: Outside, subject: Subject, name: str, actor: Actor, cause: str = "") -> None:
    """Record that a person or agent saw what improves a skill."""
    with outside.ledger.writing() as writer:
        said = SkillEvent(action="named", name=writer.keep("skill", clean(name)), cause=cause)
        append(writer, subject, actor, said)


def asked_of_agent(outside: Outside) -> str:
    """What a session's start asks an agent: to improve the skills that are due and opted in.

    It asks once until a skill is flagged again, and nothing while a new text of it waits.
    """
    with outside.ledger.reading() as reader:
        views = reader.views(SkillHistory.prefix, '"automatic"')
        by_subject = ((view.subject, decode(SkillHistory, view.state)) for view in views)
        opted = {
            called(outside, legible(reader, history.name)): subject
            for subject, history in by_subject
            if history.automatic
        }
        waiting = {one.about for one in proposals(reader) if one.status is Status.PENDING}
    wanted = (
        entry
        for entry in (queue(outside).values() if opted else ())
        if opted.get(called(outside, entry.skill_name), "") not in {"", *waiting}
        and re.fullmatch(r"[\w:.-]{1,64}", entry.skill_name)
    )
    names = ", ".join(unnamed(outside, wanted, Actor.LEARNT, "start"))
    return _ASKS.format(names=names) if names else ""


_ASKS: Final = (
    "[Learnt] The user lets Learnt improve skills that keep failing: {names}. Run the subagent "
    "skill-improver for each, beside your work. What it proposes waits for the user."
)


def take_over(
    outside: Outside, entries: Sequence[QueueEntry], where: Where = NOWHERE, again: int = 0
) -> int:
    """Record what another system's queue says of each skill, once; how many were new.

    Its open windows have no text here. `again` counts the imports that were undone before.
    """
    taken, more = 0, (again,) if again else ()
    for entry in entries:
        subject = skill_subject(PERSONAL, called(outside, entry.skill_name))
        key = natural_key(outside.ledger.key, "seed queue", canonical(to_json(entry)), *more)
        names = "\n".join(" ".join(one.split()) for one in entry.execution_ids)
        with outside.ledger.writing() as writer:
            base = SkillEvent(cause="import", name=writer.keep("skill", clean(entry.skill_name)))
            flagged = replace(
                base, action="flagged", flags=entry.flagged_count,
                at_ms=at_ms(entry.last_flagged or ""), gap=_millionths(entry.stability_gap),
                source=kept(writer, "executions", clean(names)),
            )  # fmt: skip
            new = append(writer, subject, Actor.LEARNT, flagged, where=where, key=key)
            taken += new is not None
            if new is None or entry.status not in _VERDICTS:
                continue
            gap = _millionths(entry.baseline_gap or 0)
            after = None if entry.current_gap is None else _millionths(entry.current_gap)
            began_ms, ended_ms = (
                at_ms(t or "") for t in (entry.eval_start, entry.regression_detected)
            )
            ended = replace(
                base, action="evaluated", verdict=_VERDICTS[entry.status], gap=after,
                commit=reverted(entry.rollback_command or ""), executions=entry.eval_executions,
                at_ms=ended_ms or began_ms,
            )  # fmt: skip
            issue = kept(writer, "address", clean(entry.github_issue or ""))
            for event in (
                replace(base, action="evaluating", method="window", gap=gap, at_ms=began_ms),
                ended,
                replace(base, action="exported", source=issue),
            ):
                append(writer, subject, Actor.LEARNT, event, where=where)
    return taken


def _millionths(gap: float) -> int:
    return round(MILLION * gap)
