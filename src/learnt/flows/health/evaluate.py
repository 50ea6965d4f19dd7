"""A skill's new text against the one before, what a person decides then, also in public."""

from collections.abc import Callable, Iterator
from typing import Final, Literal

from msgspec.structs import replace

from learnt.core.events import Actor, payload_of
from learnt.core.governance.proposals import Proposal, ProposalKind, text_hash
from learnt.core.health import improvement
from learnt.core.health.executions import Use
from learnt.core.health.improvement import LABEL
from learnt.core.health.outcomes import MILLION
from learnt.core.identifiers import Subject, keyed_hash
from learnt.core.payloads import skill_events
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.core.payloads.skill_events import EvaluationVerdict, SkillEvent
from learnt.core.records import Record
from learnt.core.safety import owned
from learnt.core.skills.history import Evaluation, SkillHistory
from learnt.core.skills.skills import key_of
from learnt.errors import Conflict
from learnt.file_ports import Exported, PublicIssue
from learnt.flows.governance.decisions import Decider, proposal_of, recorded, refuse_others
from learnt.flows.skills.catalogue import PERSONAL, history_of
from learnt.flows.stored import append, kept, legible, text_behind, text_or_empty
from learnt.formats.seed_health import regression
from learnt.ports import Outside, Reader, Writer

Choice = Literal["roll-back", "keep", "investigate"]
_VERDICTS: Final[dict[str, EvaluationVerdict]] = {"keep": "kept", "investigate": "investigate"}
UNCOMMITTED: Final[dict[skill_events.Obstacle, str]] = {
    "": "",
    "untracked": "",  # nobody asked git to keep it
    "dirty": "Not committed: git has yet another text of the file.",
    "detached": "Not committed: no branch is checked out.",
    "unfinished": "Not committed: a merge, rebase, revert or cherry-pick is under way.",
    "submodule": "Not committed: it lies in a submodule.",
    "edited": "Not committed: the file was edited meanwhile.",
}
TRIES: Final = 5  # to open an issue of a regression
UNSENT: Final[dict[skill_events.ExportTrouble, str]] = {
    "missing": "No issue after {} of {} tries: gh is not on the PATH.",
    "late": "No issue after {} of {} tries: gh gave no answer in time.",
    "failed": "No issue after {} of {} tries: gh failed; `gh auth status` may say why.",
    "garbled": "No issue after {} of {} tries: what gh said is no address of an issue.",
}


class WindowComparison(Record):
    """Before and after of a skill's new text; a gap is what ten executions lacked of success.

    Of a trial it is what its sessions lacked with each text, and there is no `target`.
    Gaps are 0 to 1. `status` is evaluating, promoted, pending_rollback_review, kept, rolled-back or
    stopped: the file has yet another text. `commit` is git's of a text that was applied by itself,
    `issue` is where it is told in public; `finding` says what is missing of these.
    """

    skill: str
    status: str
    executions: int
    target: int | None
    baseline_gap: float
    current_gap: float | None
    version: str
    parent: str
    file: str
    diff: str
    rollback_command: str
    commit: str
    issue: str
    finding: str
    label: str
    subject: Subject
    begun_ms: int


def used(reader: Reader, subject: Subject, history: SkillHistory, since_ms: int = 0) -> list[Use]:
    """The executions of a skill that began after a moment; of a project's own those in it."""
    owner = subject.split(":")[1]

    def fits(use: Use) -> bool:
        if owner == PERSONAL and not since_ms:
            return True
        closing = reader.event(use.event)
        assert closing is not None  # the table of executions is made of the events
        began_ms = payload_of(EpisodeClosed, closing).began_ms or use.wall_ms
        return began_ms > since_ms and owner in {PERSONAL, closing.where.project}

    every = reader.uses(history.name) if history.name else ()
    return [use for use in every if use.wall_ms > since_ms and fits(use)]


def lacked(reader: Reader, proposal: Proposal) -> int | None:
    """What the last executions lacked of success of a skill that a proposal gives another text."""
    if proposal.kind not in {ProposalKind.NEW_VERSION, ProposalKind.MERGE}:
        return None
    subject = Subject(proposal.about)
    return improvement.gap(improvement.lacks(used(reader, subject, history_of(reader, subject))))


def begin(
    writer: Writer,
    proposal: Proposal,
    method: skill_events.Method,
    before: int,
    actor: Actor = Actor.LEARNT,
) -> bool:
    """Record that the text that a proposal gave a skill is compared; not if another came since."""
    subject = Subject(proposal.about)
    history = history_of(writer, subject)
    version = history.versions[-1] if history.versions else None
    if version is None or version.digest != proposal.written:
        return False
    event = SkillEvent(
        action="evaluating", name=history.name, method=method, gap=before,
        digest=version.digest, parent=version.parent, cause=proposal.id,
    )  # fmt: skip
    append(writer, subject, actor, event)
    return True


def compared(reader: Reader) -> Iterator[tuple[Subject, SkillHistory]]:
    """The skills whose texts are or were compared."""
    for view in reader.views(SkillHistory.prefix, holding='"evaluations"'):
        yield view.subject, history_of(reader, view.subject)


def counted(reader: Reader, subject: Subject, history: SkillHistory) -> list[int]:
    """What the executions of the last comparison lacked of success: of a window ten at most."""
    last = history.evaluations[-1]
    uses = used(reader, subject, history, last.ms)
    within = [use for use in uses if not last.ended_ms or use.wall_ms <= last.ended_ms]
    return improvement.lacks(within)[: improvement.WINDOW if last.method == "window" else None]


def _file(reader: Reader, evaluation: Evaluation) -> str:
    proposal = recorded(evaluation.cause, reader)
    return "" if proposal is None else text_or_empty(reader, proposal.target)


def settle(outside: Outside) -> None:
    """End full windows, and comparisons of skills whose file has another text or is gone."""
    from learnt.flows.health.trial import open_trials

    with outside.ledger.reading() as reader:
        going = {trial.subject for trial in open_trials(reader)}
        waiting = [
            (subject, last, _file(reader, last), used(reader, subject, history, last.ms))
            for subject, history in compared(reader)
            if (last := history.evaluation) is not None and last.digest
        ]
    for subject, last, file, uses in waiting:
        ended: tuple[EvaluationVerdict, int | None] | None = None
        tried = last.method == "trial" and last.verdict is None
        if last.verdict is None and not tried:
            ended = improvement.concluded(last.gap, improvement.lacks(uses))
        there = text_hash(outside.documents.read(file)) if file else ""
        moved = not there or subject not in going if tried else there != last.digest
        if ended is None and moved:
            ended = ("rolled-back" if there == last.parent else "stopped"), None
        with outside.ledger.writing() as writer:
            if ended and history_of(writer, subject).evaluation == last:
                verdict, gap = ended
                event = SkillEvent(action="evaluated", digest=last.digest, verdict=verdict, gap=gap)
                append(writer, subject, Actor.LEARNT, event)


def comparisons(
    outside: Outside, named: str = "", *, waiting: bool = False
) -> list[WindowComparison]:
    """The last comparison of each skill as recorded, or of those that wait for a person.

    None is ended by looking: `settle` does that.
    """
    with outside.ledger.reading() as reader:
        every = [
            _shown(reader, subject, history)
            for subject, history in compared(reader)
            if history.evaluations[-1].verdict in improvement.WAITS or not waiting
        ]
    own = (one for one in every if not named or key_of(one.skill) == key_of(named))
    return sorted(own, key=lambda one: (one.begun_ms, one.subject))


def _shown(reader: Reader, subject: Subject, history: SkillHistory) -> WindowComparison:
    from learnt.flows.governance.listing import diff

    last, name = history.evaluations[-1], legible(reader, history.name)
    seen = counted(reader, subject, history)
    after = last.after if last.after is not None else improvement.gap(seen)
    versions = {one.digest: one for one in history.versions if one.ms <= last.ms}
    new, before = versions.get(last.digest), versions.get(last.parent)
    file, obstacle = _file(reader, last), new.obstacle if new else ""
    unsent = UNSENT.get(last.trouble, "").format(last.tries, TRIES)
    texts = (text_or_empty(reader, version.text) if version else "" for version in (before, new))
    return WindowComparison(
        skill=name,
        status=improvement.STATUS.get(last.verdict) or str(last.verdict),
        executions=len(seen) or last.executions,
        target=improvement.WINDOW if last.method == "window" else None,
        baseline_gap=last.gap / MILLION,
        current_gap=None if after is None else after / MILLION,
        version=new.number if new else "",
        parent=before.number if before else "",
        file=file,
        diff=diff(file, *texts),
        rollback_command=improvement.way_back(name, history, last),
        commit=new.commit if new else "",
        issue=text_or_empty(reader, last.issue),
        finding=" ".join(filter(None, (UNCOMMITTED[obstacle], unsent))),
        label=improvement.LABEL if last.verdict in improvement.WAITS else "",
        subject=subject,
        begun_ms=last.ms,
    )


def decide(outside: Outside, shown: WindowComparison, choice: Choice, decider: Decider) -> str:
    """Do what a person decides on a regression; in words. Raises Refused, Conflict."""
    refuse_others(decider, f"learnt health evaluate {shown.skill} --{choice}")
    settle(outside)
    with outside.ledger.durably_writing() as writer:
        history = history_of(writer, shown.subject)
        found = history.evaluation
        if found is None or found.verdict not in improvement.WAITS or found.ms != shown.begun_ms:
            raise Conflict(f"No regression of {shown.skill} waits. Nothing was changed.")
        if choice != "roll-back":
            event = SkillEvent(action="evaluated", digest=found.digest, verdict=_VERDICTS[choice])
            append(writer, shown.subject, decider.actor, event)
            return f"{shown.skill}: {_VERDICTS[choice]}"
        parent = next((v.text for v in history.versions if v.digest == found.parent), None)
        before = text_behind(writer, parent)
    if before is None:
        why = "was erased" if found.parent else "is not known"
        raise Conflict(f"The earlier text of {shown.skill} {why}. Nothing was changed.")
    from learnt.flows.governance import accept as accepting
    from learnt.flows.skills.versions import Revision, propose  # yaml takes long to load

    revision = Revision(ProposalKind.ROLLBACK, before)
    own = propose(outside, shown.file, shown.subject, revision, decider.actor, ())
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, own)
    change = accepting.plan(outside, proposal, accepting.Destination(root="/"))
    accepting.accept(outside, change, decider)
    settle(outside)
    done = f"{shown.file} has the text of version {shown.parent} again"
    return f"{done}; git has the other text until you commit the file" if shown.commit else done


_AGAIN_MS: Final = 3_600_000


def export(outside: Outside, send: Callable[[PublicIssue], Exported]) -> None:
    """Open an issue of each regression that waits and has none; what fails is tried again later."""
    for shown in comparisons(outside, waiting=True):
        if _export(outside, shown, send):
            return  # what is wrong is wrong for the others, too


def _export(
    outside: Outside, shown: WindowComparison, send: Callable[[PublicIssue], Exported]
) -> bool:
    """Open an issue of a regression; whether that failed."""
    now = outside.clock.now_ms()
    # The try is recorded first: a cut in between costs a try, and makes no second issue.
    with outside.ledger.durably_writing() as writer:
        last = history_of(writer, shown.subject).evaluations[-1]
        is_done = last.ms != shown.begun_ms or not last.digest or last.issue
        if is_done or last.tries >= TRIES or now < last.tried_ms + _AGAIN_MS:
            return False
        asked = SkillEvent(action="exporting", digest=last.digest)
        append(writer, shown.subject, Actor.LEARNT, asked)
    mark = keyed_hash(outside.ledger.key, "regression", f"{shown.subject} {shown.begun_ms}")[:16]
    title, body = regression(
        shown.skill,
        (shown.parent, shown.version),
        (shown.baseline_gap, shown.current_gap),
        shown.diff,
        shown.rollback_command,
        f"learnt:{mark}",
        tried=shown.target is None,
    )
    done = send(PublicIssue(title, body, LABEL, f"learnt:{mark}"))
    with outside.ledger.durably_writing() as writer:
        source = kept(writer, "address", owned(done.url))
        exported = replace(asked, action="exported", source=source, trouble=done.trouble)
        append(writer, shown.subject, Actor.LEARNT, exported)
    return bool(done.trouble)
