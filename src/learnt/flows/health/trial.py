"""A trial: a coin draws a skill's new or old text for each use, until one shows better.

Both texts were accepted by a person. What comes of a use is judged by `core/health/effects.py`.
Once a session that used the skill is over, the coin draws the next use's text: agents read their
skills before any hook can tell that they started (docs/design/017-when-skills-are-read.md).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from msgspec.structs import replace

from learnt.core.coin import coin
from learnt.core.events import Actor, Event, Kind, Stamp, natural_key, payload_of
from learnt.core.governance.proposals import ProposalKind, Status, text_hash
from learnt.core.health.effects import BetDecision, Result, TrialUse, judge, promotion_level
from learnt.core.health.executions import Use
from learnt.core.health.improvement import lacks
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.identifiers import ProjectId, ProposalId, Subject
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.core.payloads.skill_events import EvaluationVerdict, SkillEvent
from learnt.core.records import Record, Row, decode, text_of
from learnt.core.safety import owned
from learnt.core.skills.history import Evaluation, SkillHistory
from learnt.errors import LearntError, Refused
from learnt.flows.governance.decisions import Decider, proposal_of, refuse_others
from learnt.flows.health.evaluate import begin as comparing
from learnt.flows.health.evaluate import lacked
from learnt.flows.skills.catalogue import follow, history_of
from learnt.flows.stored import append, legible, text_behind
from learnt.ports import Outside, Reader

# Why a use does not count: its session began before the trial, its client read another text than
# the one that was drawn, or the file was swapped and nothing shows which text the client read.
Uncounted = Literal["began-before", "other-text", "text-unseen"]


class OpenTrial(Record, kw_only=True):
    """A skill's trial: both texts by digest, the old one with the new one's description."""

    subject: Subject
    history: SkillHistory
    evaluation: Evaluation
    begun: Event
    path: str
    texts: Mapping[str, str]
    scope: ProjectId | None
    level: float  # the error that a promotion may have

    @property
    def name(self) -> str:
        """The proposal that the new text came by."""
        return self.evaluation.cause

    @property
    def success(self) -> float:
        """The mean success before it, 0 to 1; its end tells another one."""
        return 1 - (payload_of(SkillEvent, self.begun).gap or 0) / MILLION


def open_trials(reader: Reader) -> list[OpenTrial]:
    """The trials that go on; not one that another text ended, or whose texts were erased."""
    return [
        trial
        for trial in every_trial(reader)
        if trial.evaluation.verdict is None
        and trial.evaluation is trial.history.evaluation
        and len(trial.texts) == 2
        and trial.history.versions[-1].digest == trial.evaluation.digest
    ]


def ended_trials(reader: Reader, subject: Subject) -> list[OpenTrial]:
    """The trials of a skill that are over, the latest first, as they were."""
    own = [trial for trial in every_trial(reader) if trial.subject == subject]
    return [trial for trial in reversed(own) if trial.evaluation.verdict is not None]


def every_trial(reader: Reader) -> Iterator[OpenTrial]:
    """Every trial, in the order in which they began, with the error that each may have."""
    every = []
    for view in reader.views(SkillHistory.prefix, '"trial"'):
        history = decode(SkillHistory, view.state)
        for evaluation in history.evaluations:
            if evaluation.method == "trial":
                # Its wall time names the event that began it. A stamp is never behind that.
                own, since_ms = (evaluation.ms, "evaluating"), evaluation.ms
                since = reader.events(subject=view.subject, kind=Kind.SKILL, since_ms=since_ms)
                begun = next(
                    e for e in since if own == (e.wall_ms, payload_of(SkillEvent, e).action)
                )
                every.append((begun, history, evaluation))
    every.sort(key=lambda one: one[0].stamp)
    promoted = 0
    for number, (begun, history, evaluation) in enumerate(every, 1):
        proposal = proposal_of(reader, ProposalId(evaluation.cause))
        by_digest = {v.digest: text_behind(reader, v.text) for v in history.versions}
        digests = (evaluation.digest, evaluation.parent)
        if path := text_behind(reader, proposal.path):
            yield OpenTrial(
                subject=begun.subject,
                history=history,
                evaluation=evaluation,
                begun=begun,
                path=path,
                texts=_described({d: text for d in digests if (text := by_digest.get(d))}),
                scope=proposal.scope,
                level=promotion_level(number, promoted),
            )
        promoted += evaluation.verdict == "promoted"


def _described(texts: dict[str, str]) -> dict[str, str]:
    """The new text and the one before it, each with the new one's description."""
    if len(texts) < 2:
        return texts
    from learnt.formats import front_matter  # YAML is seldom needed

    (new, text), (old, before) = texts.items()
    described = text_of(front_matter.read(text).get("description"))
    if described != text_of(front_matter.read(before).get("description")):
        before = front_matter.edited(before, "description", described)
    return {new: text, old: before}


def begin(outside: Outside, name: ProposalId, decider: Decider) -> str:
    """Have an applied text compared with the one before; the skill's name. Raises Refused."""
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
    with outside.ledger.reading() as reader:
        begun = [trial for trial in open_trials(reader) if trial.name == name]
    for trial in begun:
        draw(outside, trial, 0)
    return skill


def draw(outside: Outside, trial: OpenTrial, number: int) -> None:
    """Draw the next use's text by the coin of this number; recorded before it is put in place."""
    key, new = outside.ledger.key, trial.evaluation.digest
    is_new = coin(key, trial.subject, new, str(number))
    digest = new if is_new else trial.evaluation.parent
    once = natural_key(key, "drawn in a trial", trial.subject, trial.evaluation.ms, number)
    with outside.ledger.durably_writing() as writer:
        payload = SkillEvent(action="drawn", digest=digest, cause=trial.name)
        append(writer, trial.subject, Actor.LEARNT, payload, key=once)
    lay(outside, trial, digest)


def lay(outside: Outside, trial: OpenTrial, digest: str) -> None:
    """Put one of the texts in place; a file that somebody else wrote to is left as it is."""
    before = _in_place(outside, trial)
    if before not in {"", digest}:
        _swap(outside, trial, before, digest)
        with outside.ledger.reading() as reader:
            goes_on = history_of(reader, trial.subject).evaluation == trial.evaluation
        if not goes_on:  # it was ended meanwhile
            _restore(outside, trial)


def rejoin(outside: Outside, name: str) -> None:
    """Have the accepted text in place where a trial of it goes on: it is to be taken back."""
    with outside.ledger.reading() as reader:
        going = open_trials(reader)
    for trial in going:
        if trial.name == name:
            _restore(outside, trial)


def _swap(outside: Outside, trial: OpenTrial, before: str, digest: str) -> None:
    text, old = trial.texts[digest], trial.texts[before]
    with suppress(LearntError):  # somebody else writes to it now
        outside.documents.write(trial.path, owned(text), text_hash(old))
        follow(outside, trial.path, old, text)


def _in_place(outside: Outside, trial: OpenTrial) -> str:
    """The digest of the text that the file holds; empty where it is neither, or gone."""
    with suppress(LearntError):
        there = text_hash(outside.documents.read(trial.path))
        return next((d for d, text in trial.texts.items() if text_hash(text) == there), "")
    return ""


class TrialDraw(Record):
    """A draw of the coin: the digest of the text that is read from then on."""

    digest: str
    stamp: Stamp


def draws(reader: Reader, trial: OpenTrial) -> tuple[list[TrialDraw], Stamp | None]:
    """The draws of a trial and its end, in the ledger's order: the wall clock may be set back."""
    drawn: list[TrialDraw] = []
    begun = trial.begun.stamp
    for event in reader.events(subject=trial.subject, kind=Kind.SKILL, since_ms=begun.ms):
        happened = payload_of(SkillEvent, event)
        # An earlier Learnt drew for sessions.
        if event.stamp < begun or event.where.session:
            continue
        if (happened.action, happened.cause) == ("drawn", trial.name):
            drawn.append(TrialDraw(happened.digest, event.stamp))
        elif (happened.action, happened.digest) == ("evaluated", trial.evaluation.digest):
            return drawn, event.stamp
    return drawn, None


class TrialUses(Record):
    """The uses that count in a trial, one for each draw, and why others do not, how often each."""

    uses: list[TrialUse]
    uncounted: Mapping[Uncounted, int]
    lacks: list[int]  # of the new text's executions, in millionths: for the window
    drawn: int
    waits: bool  # no use of the last drawn text counts yet


def counted(reader: Reader, trial: OpenTrial) -> TrialUses:
    """What a trial's uses say, by the text that each client read; the mean of those of one draw."""
    drawn, ended = draws(reader, trial)
    why: Counter[Uncounted] = Counter()
    read: dict[Subject, str] = {}
    found: defaultdict[int, list[Use]] = defaultdict(list)
    uses = reader.uses(trial.history.name) if drawn and trial.history.name else ()
    closings = [(closing, use) for use in uses if (closing := reader.event(use.event))]
    for closing, use in sorted(closings, key=lambda pair: pair[0].stamp):
        over = ended is not None and closing.stamp > ended
        if closing.stamp < drawn[0].stamp or not use.launched or over:
            continue
        closed = payload_of(EpisodeClosed, closing)
        told = "".join(one.read for one in closed.skills if one.skill == use.skill)
        had = read[use.session] = told or read.get(use.session, "")
        began = next(reader.events(subject=use.session)).stamp
        first = sum(draw.stamp < began for draw in drawn) - 1
        last = sum(draw.stamp < closing.stamp for draw in drawn) - 1
        of = [n for n in range(first, last + 1) if drawn[n].digest == had]
        if first < 0:
            why["began-before"] += 1
        elif had and not of:
            why["other-text"] += 1
        elif not had and first != last:
            why["text-unseen"] += 1
        else:
            found[of[-1] if had else first].append(use)
    new = trial.evaluation.digest
    in_order = [(drawn[number].digest == new, found[number]) for number in sorted(found)]
    return TrialUses(
        uses=[TrialUse(is_new, _success(of_it)) for is_new, of_it in in_order],
        uncounted=why,
        lacks=lacks(use for is_new, of_it in in_order if is_new for use in of_it),
        drawn=len(drawn),
        waits=bool(drawn) and len(drawn) - 1 not in found,
    )


def _success(uses: Sequence[Use]) -> float | None:
    """How a session's uses came out, 0 to 1; None where nothing hard was seen of any."""
    grades = [use.own_grade for use in uses if use.own_grade is not None]
    if grades:
        return sum(grades) / len(grades) / MILLION
    blamed = any(use.trouble is not Trouble.NONE and use.cause == "skill" for use in uses)
    return 0.0 if blamed else None


def text_read(reader: Reader, name: str, bodies: Sequence[str]) -> str:
    """The digest of a trial's text that a client read, by lines that only one has; else empty."""
    for trial in open_trials(reader) if bodies else ():
        if legible(reader, trial.history.name) == name:
            lines = {digest: {*text.splitlines()} for digest, text in trial.texts.items()}
            new, old = (lines[d] for d in (trial.evaluation.digest, trial.evaluation.parent))
            read = {line for body in bodies for line in body.splitlines()}
            has = [digest for digest, own in lines.items() if read & (own - (new & old))]
            return has[0] if len(has) == 1 else ""
    return ""


class TrialState(Row):
    """A trial that was looked at, with its uses and what they show."""

    trial: OpenTrial
    counted: TrialUses
    result: Result


def look(reader: Reader, trial: OpenTrial) -> TrialState:
    """What a trial shows by now."""
    uses = counted(reader, trial)
    return TrialState(trial, uses, judge(uses.uses, trial.success, trial.level))


def conclude(outside: Outside) -> list[TrialState]:
    """End each trial that is decided; else draw the next use's text. Worse waits for a person."""
    with outside.ledger.reading() as reader:
        looked = [look(reader, trial) for trial in open_trials(reader)]
    for trial, uses, result in looked:
        if result.ruling is not BetDecision.UNDECIDED:
            better = result.ruling is BetDecision.BETTER
            _end(outside, trial, Actor.LEARNT, "promoted" if better else "review", result)
        elif not uses.waits:
            draw(outside, trial, uses.drawn)
        else:
            with outside.ledger.reading() as reader:
                drawn, _ = draws(reader, trial)
            lay(outside, trial, drawn[-1].digest)
    return looked


def stop(outside: Outside, trial: OpenTrial, decider: Decider) -> None:
    """End a trial undecided. Raises Refused for anybody but a person."""
    refuse_others(decider, "learnt skills trial NAME --stop")
    _end(outside, trial, decider.actor, "stopped")


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
        before, gap = (
            None if success is None else round((1 - success) * MILLION)
            for success in (result.before, result.after)
        )
        payload = replace(payload, before=before, gap=gap)
    key = natural_key(outside.ledger.key, "comparison ended", trial.subject, trial.evaluation.ms)
    with outside.ledger.durably_writing() as writer:
        append(writer, trial.subject, actor, payload, key=key)
    _restore(outside, trial)


def _restore(outside: Outside, trial: OpenTrial) -> None:
    if _in_place(outside, trial) == trial.evaluation.parent:
        _swap(outside, trial, trial.evaluation.parent, trial.evaluation.digest)
