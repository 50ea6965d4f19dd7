"""A trial: a skill's new and old text are drawn for sessions by a coin, until one shows better.

Both texts were accepted by a person. Sessions are drawn in pairs, of which the coin gives one the
new text; what came of them is judged by `core/health/trials.py`.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from learnt.core.coin import coin
from learnt.core.events import Actor, Kind, Where, payload_of
from learnt.core.governance.proposals import ProposalKind, Status, text_hash
from learnt.core.health.bets import Ruling, promotion_level
from learnt.core.health.evaluation import gap
from learnt.core.health.executions import Use
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.health.trials import Result, Trial
from learnt.core.identifiers import ProjectId, ProposalId, Subject, session_subject
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.skill_events import EvaluationVerdict, SkillEvent
from learnt.core.records import decode
from learnt.core.sessions.sessions import Session
from learnt.core.skills.history import Evaluation, SkillHistory
from learnt.errors import LearntError, Refused
from learnt.flows.governance.decisions import Decider, proposal_of, refuse_others
from learnt.flows.health.evaluate import lacks, used
from learnt.flows.stored import all_stored, append, stored, text_behind
from learnt.ports import Outside, Reader

LIVES_MS = 12 * 3_600_000  # a session without a report for so long is over, whatever it said
_LONGEST_LINEAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTrial:
    """A trial that goes on: the skill, its file, and both texts by their digests."""

    subject: Subject
    history: SkillHistory
    evaluation: Evaluation
    path: str
    texts: dict[str, str]
    scope: ProjectId | None
    level: float  # the error that a promotion may have

    @property
    def name(self) -> str:
        """The proposal that the new text came by."""
        return self.evaluation.cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A session lineage that was drawn, and the digest of the text that it got."""

    lineage: Subject
    digest: str


def open_trials(reader: Reader) -> list[OpenTrial]:
    """The trials that go on. One whose proposal or texts were erased is left out."""
    every = [
        (Subject(view.subject), decode(SkillHistory, view.state))
        for view in reader.views(SkillHistory.prefix, '"trial"')
    ]
    begun = sorted(
        (evaluation.ms, subject, history, evaluation)
        for subject, history in every
        for evaluation in history.evaluations
        if evaluation.method == "trial"
    )
    trials: list[OpenTrial] = []
    promoted = 0
    for number, (_, subject, history, evaluation) in enumerate(begun, 1):
        if evaluation.verdict is None and evaluation is history.evaluation:
            level = promotion_level(number, promoted)
            trials += _opened(reader, subject, history, level)
        promoted += evaluation.verdict == "promoted"
    return trials


def _opened(
    reader: Reader, subject: Subject, history: SkillHistory, level: float
) -> Iterator[OpenTrial]:
    evaluation = history.evaluation
    assert evaluation is not None  # the caller looked
    proposal = proposal_of(reader, ProposalId(evaluation.cause))
    path = text_behind(reader, proposal.path)
    held = {v.digest: text_behind(reader, v.text) for v in history.versions}
    texts = {d: text for d in (evaluation.digest, evaluation.parent) if (text := held.get(d))}
    if path and len(texts) == 2:
        yield OpenTrial(
            subject=subject,
            history=history,
            evaluation=evaluation,
            path=path,
            texts=texts,
            scope=proposal.scope,
            level=level,
        )


def begin(outside: Outside, name: ProposalId, decider: Decider) -> None:
    """Have an applied proposal's text compared with the one before it.

    Raises Refused for anybody but a person, and for what gives no skill another text.
    """
    refuse_others(decider, f"learnt evolve accept {name} --trial")
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        history = decode(SkillHistory, reader.view(Subject(proposal.about)) or {})
        before = gap(lacks(used(reader, Subject(proposal.about), history)))
    if proposal.kind is not ProposalKind.NEW_VERSION or proposal.status is not Status.APPLIED:
        raise Refused(f"{name} gives no skill another text, so there is nothing to compare.")
    with outside.ledger.durably_writing() as writer:
        payload = SkillEvent(
            action="evaluating",
            method="trial",
            digest=proposal.written,
            parent=proposal.base,
            cause=name,
            gap=before or 0,
        )
        append(writer, Subject(proposal.about), decider.actor, payload)


def draw(outside: Outside, agent: str, session: str) -> list[str]:
    """Give a session that begins one of the two texts of each trial; the files that changed.

    Nothing is drawn while another session may read the file, or where somebody edited it.
    """
    own = session_subject(agent, session)
    with outside.ledger.reading() as reader:
        trials = open_trials(reader)
        state = stored(reader, Session, own) if trials else None
        if state is None:
            return []
        root = _lineage(reader, own)
        now = outside.clock.now_ms()
        drawn = [
            (trial, _digest(outside.ledger.key, trial, units(reader, trial), root))
            for trial in trials
            if trial.scope in {None, state.project} and not _others_live(reader, trial, root, now)
        ]
    return [path for trial, digest in drawn if (path := _swap(outside, trial, digest, state))]


def _digest(key: bytes, trial: OpenTrial, before: Sequence[Unit], root: Subject) -> str:
    """The text for a lineage: the one it had, the other of its pair, or what the coin says."""
    for unit in before:
        if unit.lineage == root:
            return unit.digest
    new, old = trial.evaluation.digest, trial.evaluation.parent
    if len(before) % 2:
        return old if before[-1].digest == new else new
    return new if coin(key, trial.subject, new, str(len(before) // 2)) else old


def _swap(outside: Outside, trial: OpenTrial, digest: str, session: Session) -> str:
    """Put the text in place, then record that the session has it; the file, if it changed."""
    try:
        there = text_hash(outside.documents.read(trial.path))
        if there not in trial.texts:
            return ""  # edited, or gone: what a person did is left alone
        if there != digest:
            outside.documents.write(trial.path, trial.texts[digest], there)
    except LearntError:
        return ""  # somebody else writes to it now; the next session is drawn
    key = natural_key(
        outside.ledger.key, "drawn for a session", trial.subject, trial.evaluation.ms, session.id
    )
    where = Where(agent=session.agent, session=session.id, project=session.project)
    with outside.ledger.durably_writing() as writer:
        payload = SkillEvent(action="drawn", digest=digest, cause=trial.name)
        append(writer, trial.subject, Actor.LEARNT, payload, where=where, key=key)
    return trial.path if there != digest else ""


def units(reader: Reader, trial: OpenTrial) -> list[Unit]:
    """The lineages that were drawn in a trial, in order, each once."""
    found: dict[Subject, str] = {}
    for event in reader.events(subject=trial.subject, kind=Kind.SKILL):
        payload, where = payload_of(SkillEvent, event), event.where
        of_it = payload.action == "drawn" and payload.cause == trial.name
        if of_it and event.wall_ms >= trial.evaluation.ms and where.session:
            root = _lineage(reader, session_subject(where.agent or "", where.session))
            found.setdefault(root, payload.digest)
    return [Unit(lineage=lineage, digest=digest) for lineage, digest in found.items()]


def _lineage(reader: Reader, subject: Subject) -> Subject:
    """The session that a session goes back to, by its resumes and forks."""
    for _ in range(_LONGEST_LINEAGE):
        session = stored(reader, Session, subject)
        if session is None or not session.linked_to:
            break
        subject = session_subject(session.agent, session.linked_to)
    return subject


def _others_live(reader: Reader, trial: OpenTrial, root: Subject, now_ms: int) -> bool:
    """Whether another session may read the skill's file."""
    return any(
        not session.ended
        and now_ms - session.last_ms < LIVES_MS
        and trial.scope in {None, session.project}
        and _lineage(reader, session_subject(session.agent, session.id)) != root
        for session in all_stored(reader, Session)
    )


def judged(reader: Reader, trial: OpenTrial) -> Result:
    """What the pairs show in which both sessions used the skill."""
    lineage = cache(lambda subject: _lineage(reader, subject))
    uses: dict[Subject, list[Use]] = {}
    for use in reader.uses(trial.history.name) if trial.history.name else ():
        if use.wall_ms >= trial.evaluation.ms and use.launched:
            uses.setdefault(lineage(use.session), []).append(use)
    old: list[float | None] = []
    new: list[float | None] = []
    drawn = units(reader, trial)
    for one, other in zip(drawn[::2], drawn[1::2], strict=False):
        if one.lineage in uses and other.lineage in uses:
            first = one.digest == trial.evaluation.digest
            pair = (other, one) if first else (one, other)
            for arm, unit in zip((old, new), pair, strict=True):
                arm.append(_success(uses[unit.lineage]))
    return Trial(alpha=trial.level).judge(old, new)


def _success(uses: Sequence[Use]) -> float | None:
    """How a session's uses came out, 0 to 1; None where nothing hard was seen of any."""
    grades = [use.own_grade for use in uses if use.own_grade is not None]
    if grades:
        return sum(grades) / len(grades) / MILLION
    blamed = any(use.trouble is not Trouble.NONE and use.cause == "skill" for use in uses)
    return 0.0 if blamed else None


def conclude(outside: Outside) -> list[tuple[OpenTrial, Result]]:
    """Look at each trial; one that is decided ends. Worse waits for a person."""
    with outside.ledger.reading() as reader:
        looked = [(trial, judged(reader, trial)) for trial in open_trials(reader)]
    for trial, result in looked:
        if result.ruling is not Ruling.UNDECIDED:
            better = result.ruling is Ruling.BETTER
            lacked = None if result.after is None else round((1 - result.after) * MILLION)
            _end(outside, trial, Actor.LEARNT, "promoted" if better else "review", lacked)
    return looked


def stop(outside: Outside, trial: OpenTrial, decider: Decider) -> None:
    """End a trial undecided. Raises Refused for anybody but a person."""
    refuse_others(decider, "learnt skills trial NAME --stop")
    _end(outside, trial, decider.actor, "stopped", None)


def _end(
    outside: Outside, trial: OpenTrial, actor: Actor, verdict: EvaluationVerdict, after: int | None
) -> None:
    """Leave the accepted text in place, and record how the trial ended."""
    with suppress(LearntError):  # edited meanwhile: what a person did is left alone
        there = text_hash(outside.documents.read(trial.path))
        if there == trial.evaluation.parent:
            outside.documents.write(trial.path, trial.texts[trial.evaluation.digest], there)
    payload = SkillEvent(
        action="evaluated", digest=trial.evaluation.digest, verdict=verdict, gap=after
    )
    key = natural_key(outside.ledger.key, "comparison ended", trial.subject, trial.evaluation.ms)
    with outside.ledger.durably_writing() as writer:
        append(writer, trial.subject, actor, payload, key=key)
