"""What is recorded of skills and of distillation. Texts are content references."""

from typing import Literal

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, EventId, ProposalId
from learnt.core.records import Record

Action = Literal[
    "versioned", "installed", "removed", "pinned", "unpinned", "graded", "counted",
    "evaluating", "swapped", "drawn", "evaluated", "flagged",
    "exemplar", "automatic", "manual", "committing", "committed", "exporting", "exported", "named",
    "suspected",
]  # fmt: skip
Method = Literal["window", "trial"]
EvaluationVerdict = Literal["promoted", "review", "kept", "rolled-back", "investigate", "stopped"]
# Why git has no commit of a text, and why there is no issue of a regression.
Obstacle = Literal["", "untracked", "dirty", "detached", "unfinished", "submodule", "edited"]
ExportTrouble = Literal["", "missing", "late", "failed", "garbled"]


class SkillEvent(Record):
    """Something happened to a skill.

    `versioned`: its file has the text `text`, whose SHA-256 is `digest`, under the number
    `version`, after `parent`, the digest before; `cause` is the proposal that it came by, or
    `install`, `outside` or `rollback`. `installed`: `source` says from where, `digest` is the whole
    folder's. `place` is the keyed hash of its folder's path; `removed` likewise.
    `graded`: a use went well or not. `counted`: its file names `executions` before it was
    installed; `gap` is their success rate in millionths.
    `evaluating`: its text `digest` is compared with `parent` by a `method`, from the stability gap
    `gap` (in millionths) on; `cause` is the proposal that the text came by.
    `flagged`: another system flagged it `flags` times, last at `at_ms`, in the executions that
    `source` names; `gap` is what it told.
    `swapped`: the text `digest` of a trial's two lies ready for the session that begins next.
    `drawn`: a session has the text `digest` of the two of a trial.
    `evaluated`: the comparison ended, or a person decided on it, with a `verdict` and the gap
    `gap`; of a trial `before` is that of the earlier text.
    Of what is imported both tell when it was, at `at_ms`, and this the `commit` of the text, and
    of how many `executions` it was the end.
    `automatic`, `manual`: a person lets new texts by rules be applied by themselves, or no more.
    `committing`: the text of the proposal `cause` is applied by itself, then committed.
    `committed`: its text `digest` is git's `commit`, or is not, for an `obstacle`.
    `exporting`: an issue of the regression of `digest` is asked for. `exported`: it is at `source`,
    or there is none, for a `trouble`.
    `named`: its person saw that it keeps failing and what improves it; with `cause` `start` an
    agent was asked to improve it.
    `exemplar`: `text` tells a past success that was imported; `digest` is its name there.
    `suspected`: an agent that read the folder `digest` named the threat `cause`, in `line` of what
    it was shown.
    """

    event: Literal[Kind.SKILL] = Kind.SKILL
    action: Action | None = None
    name: ContentRef | None = None
    text: ContentRef | None = None
    digest: str = ""
    parent: str = ""
    version: str = ""
    cause: str = ""
    source: ContentRef | None = None
    success: bool | None = None
    method: Method | None = None
    gap: int | None = None
    before: int | None = None
    verdict: EvaluationVerdict | None = None
    flags: int = 0
    at_ms: int = 0
    place: str = ""
    commit: str = ""
    executions: int = 0
    obstacle: Obstacle = ""
    trouble: ExportTrouble = ""
    line: int = 0


Engine = Literal["rules", "model"]
Purpose = Literal["distil", "repair", "improve", "test", "embed"]


class Distilled(Record):
    """A session was distilled, up to that byte of its transcript.

    `failures` are the keyed hashes of the novel ones, `successes` how many went well, `drafts` how
    many skills were drafted, `proposals` what was proposed, `calls` which calls of a model it took,
    `worked` the tasks that went well, to hold later sessions against.
    """

    event: Literal[Kind.HARVESTED] = Kind.HARVESTED
    engine: Engine = "rules"
    until: int = 0
    failures: tuple[str, ...] = ()
    successes: int = 0
    drafts: int = 0
    proposals: tuple[ProposalId, ...] = ()
    calls: tuple[EventId, ...] = ()
    worked: tuple[ContentRef, ...] = ()


class ModelCalled(Record):
    """A text model was asked, or has answered or failed.

    `asked` reserves the greatest cost; the other two name that event as `call` and tell the cost
    that takes its place. `trouble` is a short name of what went wrong.
    """

    event: Literal[Kind.HARVESTED] = Kind.HARVESTED
    action: Literal["asked", "answered", "failed"] = "asked"
    purpose: Purpose = "distil"
    model: ContentRef | None = None
    question: ContentRef | None = None
    reply: ContentRef | None = None
    call: EventId | None = None
    tokens: int = 0
    micro_usd: int = 0
    trouble: str = ""
