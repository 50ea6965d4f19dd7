"""A trial: a skill's new and old text are drawn for sessions by a coin, until one shows better.

Both texts were accepted by a person. Sessions are drawn in pairs, of which the coin gives one the
new text; what came of them is judged by `core/health/trials.py`. The text for the next session lies
ready before it begins: agents read their skills before any hook can tell that they started.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from learnt.core.coin import coin
from learnt.core.events import Actor, Event, Kind, Where, natural_key, payload_of
from learnt.core.governance.proposals import ProposalKind, Status, text_hash
from learnt.core.health.executions import Use
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.health.trials import BetDecision, Result, judge, promotion_level
from learnt.core.identifiers import ProjectId, ProposalId, Subject, session_subject
from learnt.core.payloads.skill_events import EvaluationVerdict, SkillEvent
from learnt.core.records import decode
from learnt.core.safety import owned
from learnt.core.sessions.sessions import Session, lineage
from learnt.core.skills.history import Evaluation, SkillHistory
from learnt.errors import LearntError, Refused
from learnt.flows.governance.decisions import Decider, proposal_of, refuse_others
from learnt.flows.health.evaluate import begin as comparing
from learnt.flows.health.evaluate import lacked
from learnt.flows.skills.catalogue import follow, history_of
from learnt.flows.stored import all_stored, append, legible, stored, text_behind
from learnt.ports import Outside, Reader

# An agent reads its skills as it starts, a second or two before it reports that it did.
SETTLED_MS = 10_000
LIVES_MS = 12 * 3_600_000  # a session without a report for so long is over, whatever it said


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTrial:
    """A trial, as long as it goes on: the skill, its file, and both texts by their digests."""

    subject: Subject
    history: SkillHistory
    evaluation: Evaluation
    path: str
    texts: Mapping[str, str]
    scope: ProjectId | None
    level: float  # the error that a promotion may have

    @property
    def name(self) -> str:
        """The proposal that the new text came by."""
        return self.evaluation.cause


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialUnit:
    """A session that was drawn, the one that it goes back to, and the digest of its text."""

    session: Subject
    lineage: Subject
    digest: str


def open_trials(reader: Reader) -> list[OpenTrial]:
    """The trials that go on; not one that another text ended, or whose texts were erased."""
    return [
        trial
        for trial in _begun(reader)
        if trial.evaluation.verdict is None
        and trial.evaluation is trial.history.evaluation
        and len(trial.texts) == 2
        and trial.history.versions[-1].digest == trial.evaluation.digest
    ]


def ended_trials(reader: Reader, subject: Subject) -> list[OpenTrial]:
    """The trials of a skill that are over, the latest first, as they were."""
    ended = [t for t in _begun(reader) if t.subject == subject and t.evaluation.verdict is not None]
    return ended[::-1]


def _begun(reader: Reader) -> Iterator[OpenTrial]:
    """Every trial, in the order in which they began, with the error that each may have."""
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
    promoted = 0
    for number, (_, subject, history, evaluation) in enumerate(begun, 1):
        proposal = proposal_of(reader, ProposalId(evaluation.cause))
        held = {v.digest: text_behind(reader, v.text) for v in history.versions}
        digests = (evaluation.digest, evaluation.parent)
        if path := text_behind(reader, proposal.path):
            yield OpenTrial(
                subject=subject,
                history=history,
                evaluation=evaluation,
                path=path,
                texts={d: text for d in digests if (text := held.get(d))},
                scope=proposal.scope,
                level=promotion_level(number, promoted),
            )
        promoted += evaluation.verdict == "promoted"


def begin(outside: Outside, name: ProposalId, decider: Decider) -> str:
    """Have an applied proposal's text compared with the one before it; the skill's name.

    Raises Refused for anybody but a person, and for what gives no skill another text.
    """
    refuse_others(decider, f"learnt evolve accept {name} --trial")
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        history, before = history_of(reader, Subject(proposal.about)), lacked(reader, proposal)
        skill = legible(reader, history.name)
    if proposal.kind is not ProposalKind.NEW_VERSION or proposal.status is not Status.APPLIED:
        raise Refused(f"{name} gives no skill another text, so there is nothing to compare.")
    ours = [one for one in history.evaluations if (one.cause, one.method) == (name, "trial")]
    if ours and ours[-1].verdict != "stopped":
        raise Refused(f"A trial of {name} was begun already. It was not begun again.")
    with outside.ledger.durably_writing() as writer:
        if not comparing(writer, proposal, "trial", before or 0, decider.actor):
            raise Refused(f"{skill} has another text since. No trial was begun.")
    return skill


def draw(outside: Outside, agent: str, session: str) -> None:
    """Record which of each trial's texts a session has that begins: the one that lay ready for it.

    None where another session goes on, the lineage was drawn before, or the file has another text.
    """
    own, now = session_subject(agent, session), outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        trials = open_trials(reader)
        state = stored(reader, Session, own) if trials else None
        if state is None:
            return
        ready = [
            (trial, _ready(outside.ledger.key, trial, before))
            for trial in trials
            if trial.scope in {None, state.project} and not _live(reader, trial, now, own)
            for before in [units(reader, trial)]
            if _lineage(reader, own) not in {unit.lineage for unit in before}
            if now - _swapped_ms(reader, trial) >= SETTLED_MS
        ]
    where = Where(agent=state.agent, session=state.id, project=state.project)
    for trial, digest in ready:
        if _there(outside, trial) == digest:
            key, about = outside.ledger.key, (trial.subject, trial.evaluation.ms)
            once = natural_key(key, "drawn for a session", *about, state.id)
            with outside.ledger.durably_writing() as writer:
                payload = SkillEvent(action="drawn", digest=digest, cause=trial.name)
                append(writer, trial.subject, Actor.LEARNT, payload, where=where, key=once)


def lay_ready(outside: Outside, trial: OpenTrial) -> None:
    """Put the text of the session that is drawn next in place, while none is open that may read it.

    The swap is recorded first: cut short in between, it is made and told of again.
    """
    with outside.ledger.reading() as reader:
        digest = _ready(outside.ledger.key, trial, units(reader, trial))
        if _live(reader, trial, outside.clock.now_ms()):
            return
    there = _there(outside, trial)
    if there in trial.texts and there != digest:
        with outside.ledger.durably_writing() as writer:
            payload = SkillEvent(action="swapped", digest=digest, cause=trial.name)
            append(writer, trial.subject, Actor.LEARNT, payload)
        with suppress(LearntError):  # somebody else writes to it now
            outside.documents.write(trial.path, owned(trial.texts[digest]), there)
            follow(outside, trial.path, trial.texts[there], trial.texts[digest])
        with outside.ledger.reading() as reader:
            goes_on = history_of(reader, trial.subject).evaluation == trial.evaluation
        if not goes_on:  # it was ended meanwhile
            _restore(outside, trial)


def _there(outside: Outside, trial: OpenTrial) -> str:
    """The digest of what the file holds; neither text's where it was edited, or is gone."""
    with suppress(LearntError):
        return text_hash(outside.documents.read(trial.path))
    return ""


def _ready(key: bytes, trial: OpenTrial, before: Sequence[TrialUnit]) -> str:
    """The text of the next session: the other of its pair, or what the coin says."""
    new, old = trial.evaluation.digest, trial.evaluation.parent
    if len(before) % 2:
        return old if before[-1].digest == new else new
    return new if coin(key, trial.subject, new, str(len(before) // 2)) else old


def _told(reader: Reader, trial: OpenTrial, action: str) -> Iterator[tuple[Event, str]]:
    """What is recorded of a trial by this action, and the digest that it names."""
    for event in reader.events(subject=trial.subject, kind=Kind.SKILL):
        payload = payload_of(SkillEvent, event)
        of_it = payload.action == action and payload.cause == trial.name
        if of_it and event.wall_ms >= trial.evaluation.ms:
            yield event, payload.digest


def _swapped_ms(reader: Reader, trial: OpenTrial) -> int:
    times = [event.wall_ms for event, _ in _told(reader, trial, "swapped")]
    return max([trial.evaluation.ms, *times])


def units(reader: Reader, trial: OpenTrial) -> list[TrialUnit]:
    """The sessions that were drawn in a trial, in order, of each lineage the first."""
    found: dict[Subject, TrialUnit] = {}
    for event, digest in _told(reader, trial, "drawn"):
        session = session_subject(event.where.agent or "", event.where.session or "")
        root = _lineage(reader, session)
        found.setdefault(root, TrialUnit(session=session, lineage=root, digest=digest))
    return list(found.values())


def _lineage(reader: Reader, subject: Subject) -> Subject:
    """The session that a session goes back to, by its resumes and forks."""
    agent, name = subject.split(":", 2)[1:]

    def goes_on_from(session: str) -> str:
        known = stored(reader, Session, session_subject(agent, session))
        return known.linked_to if known else ""

    return session_subject(agent, lineage(name, goes_on_from)[-1])


def _live(reader: Reader, trial: OpenTrial, now_ms: int, but: Subject | None = None) -> bool:
    """Whether a session goes on, but for one, that may read the skill's file."""
    return any(
        not session.ended
        and now_ms - session.last_ms < LIVES_MS
        and trial.scope in {None, session.project}
        and session_subject(session.agent, session.id) != but
        for session in all_stored(reader, Session)
    )


def judged(reader: Reader, trial: OpenTrial) -> Result:
    """What the pairs show in which both sessions used the skill."""
    return judge(*paired(reader, trial), trial.level)


def paired(reader: Reader, trial: OpenTrial) -> tuple[list[float | None], list[float | None]]:
    """How the old and the new text did in the pairs in which both sessions used the skill.

    Of a lineage the session that was drawn counts: one that goes on from it may have another text.
    """
    uses: dict[Subject, list[Use]] = {}
    for use in reader.uses(trial.history.name) if trial.history.name else ():
        if use.wall_ms >= trial.evaluation.ms and use.launched:
            uses.setdefault(use.session, []).append(use)
    old: list[float | None] = []
    new: list[float | None] = []
    drawn = units(reader, trial)
    for one, other in zip(drawn[::2], drawn[1::2], strict=False):
        if one.session in uses and other.session in uses:
            first = one.digest == trial.evaluation.digest
            pair = (other, one) if first else (one, other)
            for arm, unit in zip((old, new), pair, strict=True):
                arm.append(_success(uses[unit.session]))
    return old, new


def _success(uses: Sequence[Use]) -> float | None:
    """How a session's uses came out, 0 to 1; None where nothing hard was seen of any."""
    grades = [use.own_grade for use in uses if use.own_grade is not None]
    if grades:
        return sum(grades) / len(grades) / MILLION
    blamed = any(use.trouble is not Trouble.NONE and use.cause == "skill" for use in uses)
    return 0.0 if blamed else None


def conclude(outside: Outside) -> list[tuple[OpenTrial, Result]]:
    """Look at each trial; one that is decided ends, of another the next text lies ready.

    Worse waits for a person.
    """
    with outside.ledger.reading() as reader:
        looked = [(trial, judged(reader, trial)) for trial in open_trials(reader)]
    for trial, result in looked:
        if result.ruling is not BetDecision.UNDECIDED:
            better = result.ruling is BetDecision.BETTER
            _end(outside, trial, Actor.LEARNT, "promoted" if better else "review", result)
        else:
            lay_ready(outside, trial)
    return looked


def stop(outside: Outside, trial: OpenTrial, decider: Decider) -> None:
    """End a trial undecided. Raises Refused for anybody but a person."""
    refuse_others(decider, "learnt skills trial NAME --stop")
    _end(outside, trial, decider.actor, "stopped")


def _lacked(success: float | None) -> int | None:
    return None if success is None else round((1 - success) * MILLION)


def _end(
    outside: Outside,
    trial: OpenTrial,
    actor: Actor,
    verdict: EvaluationVerdict,
    result: Result | None = None,
) -> None:
    """Record how the trial ended. The accepted text is in place before, and after a late swap."""
    _restore(outside, trial)
    payload = SkillEvent(action="evaluated", digest=trial.evaluation.digest, verdict=verdict)
    if result:
        payload = payload._replace(before=_lacked(result.before), gap=_lacked(result.after))
    key = natural_key(outside.ledger.key, "comparison ended", trial.subject, trial.evaluation.ms)
    with outside.ledger.durably_writing() as writer:
        append(writer, trial.subject, actor, payload, key=key)
    _restore(outside, trial)


def _restore(outside: Outside, trial: OpenTrial) -> None:
    there = _there(outside, trial)
    if there == trial.evaluation.parent:  # what a person wrote is left alone
        with suppress(LearntError):
            accepted = trial.texts[trial.evaluation.digest]
            outside.documents.write(trial.path, owned(accepted), there)
            follow(outside, trial.path, trial.texts[there], accepted)
