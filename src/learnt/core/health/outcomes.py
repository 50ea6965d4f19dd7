"""How an episode came out, and what kind of task it was.

Effects rest on it. It is known only after what is shown was shown, which may have changed it:
so it describes, and nothing is decided by it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Final

from msgspec.structs import replace

from learnt.core.records import ALWAYS, Record, named

MILLION: Final = 1_000_000
MOST_QUOTES: Final = 6


class Verdict(StrEnum):
    """What a prompt says of the work before it. The value is the stored form."""

    REVERT = "revert"
    CORRECTION = "correction"
    NEGATIVE = "negative"
    PRAISE = "praise"
    NONE = ""

    @classmethod
    def stored(cls, text: str) -> "Verdict":
        """The verdict of a stored text; none where it is of a version that knew others."""
        return next((verdict for verdict in cls if verdict.value == text), cls.NONE)

    @property
    def blames(self) -> bool:
        """Whether it says that the work was wrong."""
        return self not in {Verdict.PRAISE, Verdict.NONE}


class Reply(Record):
    """What a prompt says of what came before it, and the words that say so."""

    verdict: Verdict
    quote: str = ""


NOTHING: Final = Reply(Verdict.NONE)


class Trouble(StrEnum):
    """What kind of trouble an episode ended in, the strongest first."""

    INTERRUPT = "interrupt"
    REVERT = "revert"
    CORRECTION = "correction"
    NEGATIVE = "negative"
    TEST = "test"
    COMMAND = "command"
    NONE = "none"


class Cause(StrEnum):
    """What is to blame; a skill only where nothing else explains it."""

    ENVIRONMENT = "environment"
    INPUT = "input"
    SKILL = "skill"
    NONE = "none"


class Quote(Record):
    """One piece of evidence: what it is, and the words."""

    what: str
    words: Annotated[str, named("quote")]


class Outcome(Record):
    """An episode's outcome. `grade` is in millionths, None where nothing hard was seen."""

    trouble: Annotated[Trouble, ALWAYS] = Trouble.NONE
    cause: Annotated[Cause, ALWAYS] = Cause.NONE
    grade: int | None = None
    quotes: Annotated[tuple[Quote, ...], named("evidence")] = ()

    @property
    def graded(self) -> bool:
        """Whether hard evidence was seen, either way."""
        return self.grade is not None


UNKNOWN: Final = Outcome()


class CallEvidence(Record):
    """A tool call's evidence, as `formats/evidence` gives it."""

    kind: str = "other"
    family: str = ""
    good: bool | None = None
    passed: int | None = None
    failed: int | None = None
    cause: str = ""
    code: int = 0
    undoes: bool = False
    restores: bool = False
    changes: bool = False
    interrupted: bool = False
    quote: str = ""
    file: str = ""
    edit: str = ""

    @property
    def grade(self) -> int:
        """The share of success that it shows, in millionths."""
        if self.passed is not None and self.failed is not None and self.passed + self.failed:
            return round(MILLION * self.passed / (self.passed + self.failed))
        return MILLION if self.good else 0


_STEPS: Final = frozenset({"test", "check", "change", "other"})
_DELEGATED: Final = frozenset({"Task", "Agent"})


class _Seen:
    """What calls leave standing."""

    def __init__(self, calls: Iterable[CallEvidence]) -> None:
        self.failure: CallEvidence | None = None
        self.graded: CallEvidence | None = None  # the last test or check, good or bad
        self.changed = False
        self.undone: CallEvidence | None = None
        self.interrupted: CallEvidence | None = None
        self.stepped = False  # a command worked
        for call in calls:
            self._add(call)

    def _add(self, call: CallEvidence) -> None:
        if call.interrupted:
            self.interrupted = call
            return
        self.interrupted = None
        if call.restores:
            self.undone = None
        elif call.undoes and call.good is not False and self.changed:
            self.undone = call
        elif call.kind == "edit" and call.good:
            self.changed, self.undone = True, None
        elif call.changes and call.good is not False:
            self.changed = True
        if call.kind in {"test", "check"} and call.good is not None:
            self.graded = call
        self.stepped = self.stepped or (call.good is True and call.kind in _STEPS)
        failure = self.failure
        if call.good is False and call.kind != "look":
            # A failing test is not forgotten over a lesser trouble that follows it.
            if failure is None or failure.kind != "test" or call.kind == "test":
                self.failure = call
        elif failure is not None and _makes_up_for(call, failure):
            self.failure = None


def _makes_up_for(call: CallEvidence, failure: CallEvidence) -> bool:
    if failure.family in _DELEGATED and call.kind != "read":
        return True  # what another agent could not do, this one does itself
    if not call.good:
        return False
    if call.kind == "test":
        return True
    if failure.kind == "test":
        return False
    if call.kind == "check":
        return failure.kind != "change" or call.family == failure.family
    if failure.kind in {"other", "read", "edit"}:
        return call.kind == failure.kind or call.family == failure.family
    return call.family == failure.family


def outcome(
    calls: Iterable[CallEvidence], reply: Reply = NOTHING, *, interrupted: bool = False
) -> Outcome:
    """The outcome of an episode by its calls in order, and by what its user said next."""
    seen = _Seen(calls)
    trouble, cause, grade = _decided(seen, reply, interrupted=interrupted)
    quotes: list[Quote] = []
    if reply.verdict:
        quotes.append(Quote(what=f"reply: {reply.verdict}", words=reply.quote))
    for what, call in (
        ("interrupt", seen.interrupted), ("undone", seen.undone), ("failure", seen.failure),
        ("last check", seen.graded),
    ):  # fmt: skip
        if call is not None and call.quote and call.quote not in {quote.words for quote in quotes}:
            quotes.append(Quote(what=what, words=call.quote))
    return Outcome(trouble=trouble, cause=cause, grade=grade, quotes=tuple(quotes[:MOST_QUOTES]))


def of_use(
    calls: Iterable[CallEvidence], reply: Reply = NOTHING, *, interrupted: bool = False
) -> Outcome:
    """The outcome of a skill's use by the calls that followed its launch: these are its own steps.

    They grade it, whether a file was edited or not. Tests that ran and found failures did their
    work: they are no skill's failure unless something was edited.

    >>> of_use([CallEvidence(good=False, cause="input")]).cause.value, of_use([]).grade
    ('skill', None)
    """
    seen = _Seen(calls)
    trouble, cause, grade = _decided(seen, reply, interrupted=interrupted)
    failure = seen.failure
    if failure is None and grade is None and seen.stepped:
        grade = MILLION
    elif failure is not None and trouble in {Trouble.TEST, Trouble.COMMAND}:
        grade = failure.grade
        ran = failure.kind == "test" and failure.passed is not None
        if cause is Cause.INPUT and not ran:
            cause = Cause.SKILL
    return Outcome(trouble=trouble, cause=cause, grade=grade)


def _decided(seen: _Seen, reply: Reply, *, interrupted: bool) -> tuple[Trouble, Cause, int | None]:
    if interrupted or seen.interrupted is not None:
        return Trouble.INTERRUPT, Cause.SKILL, 0
    if reply.verdict is Verdict.REVERT or (
        seen.undone is not None and reply.verdict is not Verdict.PRAISE
    ):
        # A person's word is about the work, whatever else failed in it.
        cause = Cause.SKILL if reply.verdict.blames else _cause(seen, seen.failure)
        return Trouble.REVERT, cause, 0
    if reply.verdict in {Verdict.CORRECTION, Verdict.NEGATIVE}:
        return Trouble(reply.verdict.value), Cause.SKILL, 0
    if reply.verdict is Verdict.PRAISE:
        return Trouble.NONE, Cause.NONE, MILLION
    failure = seen.failure
    if failure is None:
        return Trouble.NONE, Cause.NONE, None if seen.graded is None else seen.graded.grade
    hard = failure.kind in {"test", "check", "change"}
    trouble = Trouble.TEST if failure.kind == "test" else Trouble.COMMAND
    return trouble, _cause(seen, failure), failure.grade if hard else None


def _cause(seen: _Seen, failure: CallEvidence | None) -> Cause:
    """What is to blame for a failure: what the agent changed itself is not the user's input."""
    counted = failure is not None and failure.kind == "test" and failure.passed is not None
    if failure is not None and failure.cause == "environment" and not (counted and seen.changed):
        return Cause.ENVIRONMENT
    own = seen.changed or failure is None
    given = failure is not None and (failure.cause == "input" or failure.kind == "test")
    return Cause.INPUT if given and not own else Cause.SKILL


def amended(outcome: Outcome, verdict: str, trouble: Trouble | None = None) -> Outcome:
    """The outcome after somebody's word on it: good, bad or partly; `trouble` as they put it."""
    grade = {"good": MILLION, "bad": 0, "partly": MILLION // 2}[verdict]
    if verdict == "good":
        return replace(outcome, trouble=Trouble.NONE, cause=Cause.NONE, grade=grade)
    if trouble is None:
        trouble = outcome.trouble if outcome.trouble is not Trouble.NONE else Trouble.NEGATIVE
    return replace(outcome, trouble=trouble, cause=Cause.SKILL, grade=grade)


class TaskKind(StrEnum):
    """A kind of task. The value is the stored form."""

    FIX = "fix"  # code is edited after something failed
    CODE = "code"
    TEST = "test"  # tests are edited, or run and nothing edited
    DOCS = "docs"
    DATA = "data"
    OPERATE = "operate"  # commands alone that change or build something
    OTHER = "other"


_FILES: Final = (
    (
        TaskKind.TEST,
        re.compile(r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)test_|[_.](?:test|spec)\."),
    ),
    (TaskKind.DOCS, re.compile(r"(?:^|/)docs?/|\.(?:md|mdx|rst|txt|adoc|tex)$|(?:^|/)[A-Z]+$")),
    (TaskKind.DATA, re.compile(r"\.(?:csv|tsv|jsonl|ndjson|parquet|xlsx|ipynb)$")),
)


def task(calls: Iterable[CallEvidence], root: str = "") -> TaskKind:
    """The kind of an episode by its calls in order: what most of the edited files are, at first.

    Files are looked at from the folder `root`.

    >>> edit = CallEvidence(kind="edit", good=True, file="a.py")
    >>> task([CallEvidence(kind="test", good=False), edit]).value
    'fix'
    >>> task([CallEvidence(kind="edit", good=True, file="docs/a.md")]).value, task([]).value
    ('docs', 'other')
    """
    failed = mends = False
    files: dict[str, TaskKind] = {}
    ran: set[str] = set()
    for call in calls:
        if call.kind == "edit":
            if call.good is not False:
                file = call.file.removeprefix(f"{root}/")
                of_file = (kind for kind, pattern in _FILES if pattern.search(file))
                files[call.file] = next(of_file, TaskKind.CODE)
                mends = mends or failed
        else:
            ran.add("change" if call.changes else call.kind)
            failed = call.good is False if call.kind in {"test", "check"} else failed
    if files:
        most = Counter(files.values()).most_common(1)[0][0]
        return TaskKind.FIX if most is TaskKind.CODE and mends else most
    if "test" in ran:
        return TaskKind.TEST
    return TaskKind.OPERATE if ran & {"change", "check"} else TaskKind.OTHER


def stored(text: str) -> TaskKind:
    """The kind of a stored text; other where none is, or of a version that knew others."""
    return next((kind for kind in TaskKind if kind.value == text), TaskKind.OTHER)
