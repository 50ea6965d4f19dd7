"""What a session shows, and what it is distilled to: a skill's draft, memories, and their fate.

A draft repeats a text as far as its terms stand in it. The lower bound is seed 004's for memories,
and so are the rules of failures and successes.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from learnt.core.digest import commands
from learnt.core.digest.lessons import Lesson, trimmed
from learnt.core.distil.sequences import OPEN, Fix, Repeated, Run, fixes, repeated
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Draft
from learnt.core.records import Record
from learnt.core.skills.skills import is_name
from learnt.core.tokens import Stem, terms

MOST_FAILURES: Final = 5
MOST_SUCCESSES: Final = 5
LEAST_FAILURES: Final = 2
LEAST_SUCCESSES: Final = 5
WHY: Final = 80  # characters of a reason that tell one failure from another
LONGEST_SUCCESS: Final = 300
_HEAD, _TAIL = 200, 80
Mode = Literal["skills_only", "rl", "madmax"]


class FailedAttempt(NamedTuple):
    """Something that failed: `what`, for which reason, and how it was tried."""

    what: str
    why: str
    tried: str = ""


class Success(NamedTuple):
    """Something that went well: `what` was wanted, and how it was done."""

    what: str
    how: str


def novel(failures: Iterable[FailedAttempt]) -> list[FailedAttempt]:
    """The failures that differ from each other, five at most."""
    found: dict[tuple[str, str], FailedAttempt] = {}
    for failure in failures:
        found.setdefault((failure.what, failure.why[:WHY]), failure)
    return list(found.values())[:MOST_FAILURES]


def telling(rewarded: Iterable[tuple[FailedAttempt, float]]) -> list[FailedAttempt]:
    """Failures by their process reward, what a judge is surest of first."""
    return [failure for failure, _ in sorted(rewarded, key=lambda pair: -abs(pair[1]))]


def compressed(text: str) -> str:
    """A text of 300 characters as it is; of a longer one the first 200 and the last 80."""
    return text if len(text) <= LONGEST_SUCCESS else f"{text[:_HEAD]}\n...\n{text[-_TAIL:]}"


def suffices(failures: Sequence[FailedAttempt], successes: Sequence[Success]) -> bool:
    """Whether there is enough to make a skill of: two novel failures, or five successes."""
    return len(failures) >= LEAST_FAILURES or len(successes) >= LEAST_SUCCESSES


def reward(
    outcome: Literal["succeeded", "refuted", "error", "scored"], score: float = 0.0
) -> float:
    """The process reward of a step, -1 to 1: a model's `score` is brought into that range."""
    fixed = {"succeeded": 1.0, "refuted": -0.5, "error": 0.0}
    if outcome in fixed:
        return fixed[outcome]
    return 0.0 if score != score else max(-1.0, min(1.0, score))  # a score that is no number


_SESSION: Final = 8  # characters of a session's name in the name of a skill
_MARK: Final = 6


class Matter(Record):
    """One matter: `when` it arises, the `steps` to take in order, the `pitfalls` to avoid."""

    when: str
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()


class DistilledSkill(Record):
    """A drafted skill. `title` is empty where the engine found none better than its session's name.

    `quotes` are pieces of the evidence, word for word. `origin` is the least trusted place that any
    of it came from.
    """

    title: str
    description: str
    parts: tuple[Matter, ...]
    example: str = ""
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    origin: Origin = Origin.TOOL

    @property
    def text(self) -> str:
        """All that it says to do."""
        texts = [text for part in self.parts for text in (part.when, *part.steps, *part.pitfalls)]
        return "\n".join((self.title, self.description, *texts, self.example))


def name_of(title: str, session: str, text: str) -> str:
    """The name of a skill: its title's where that is one already, else made of its session's.

    The same text of the same session has the same name, so that it is proposed once.
    """
    if is_name(title):
        return title
    own = "".join(c for c in session.casefold() if c.isascii() and c.isalnum())[:_SESSION]
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"distilled-{own or 'session'}-{mark}"


RELATED: Final = 0.4  # of a draft's terms: it belongs to that skill
REPEATED: Final = 0.8  # it says what is there already
_REPEATS: Final = "it is said there already"
_BEGINNING: Final = re.compile(r"[A-Z][\w ]{0,24}[:`]\s*")
LEAST_TERMS: Final = 4  # fewer say nothing of what a text repeats


class KnownText(Record):
    """A text that a draft may repeat: a skill's or a waiting draft's.

    `key` is what the caller knows it by. `open`: it may be given another text; `refused`: a person
    turned it down.
    """

    key: str
    text: str
    open: bool = True
    refused: bool = False


class DraftOutcome(Record):
    """What becomes of a draft: a skill of its own, more for the text `key`, or nothing.

    `parts` are those that the text of `key` lacks, into which the text `other` goes as well where
    two are merged. `why` there is nothing to do: it is there already, or was turned down.
    """

    what: Literal["new", "patch", "merge", "nothing"]
    key: str = ""
    parts: tuple[Matter, ...] = ()
    other: str = ""
    why: str = ""


def shared(text: str, other: str, stem: Stem) -> float:
    """The part of a text's terms that stand in another, 0 to 1; 0 where a text has too few."""
    own = set(terms(text, stem))
    return len(own & set(terms(other, stem))) / len(own) if len(own) >= LEAST_TERMS else 0.0


def outcome(draft: DistilledSkill, known: Iterable[KnownText], stem: Stem) -> DraftOutcome:
    """What becomes of a draft beside the texts that are known."""
    drafted = _words_of(draft.parts)
    near = [(shared(drafted, text.text, stem), text) for text in known]
    near = sorted((pair for pair in near if pair[0] >= RELATED), key=lambda pair: -pair[0])
    for share, text in near:
        if share >= REPEATED:
            why = "a person turned the like down" if text.refused else _REPEATS
            return DraftOutcome("nothing", text.key, why=why)
    homes = [text for _, text in near if text.open and not text.refused]
    if not homes:
        return DraftOutcome("new")
    best = homes[0]
    missing = tuple(p for p in draft.parts if shared(_words_of([p]), best.text, stem) < REPEATED)
    if not missing:
        return DraftOutcome("nothing", best.key, why=_REPEATS)
    for other in homes[1:]:
        if shared(other.text, best.text, stem) >= RELATED:
            return DraftOutcome("merge", best.key, missing, other.key)
    return DraftOutcome("patch", best.key, missing)


def _words_of(parts: Iterable[Matter]) -> str:
    """Their texts without the words that begin every step of every draft."""
    texts = (text for part in parts for text in (part.when, *part.steps, *part.pitfalls))
    return "\n".join(_BEGINNING.sub("", text) for text in texts)


LEAST_CONFIDENCE: Final = 0.5
NEWEST: Final = 3  # memories of a category that a new one is held against
KINDS: Final = {  # of entries, by the category of a memory
    "domain_knowledge": "business_rule",
    "proof_strategy": "procedure",
    "open_problems": "tool_experience",
    "pitfalls": "tool_experience",
}


class Extract(NamedTuple):
    """Something worth keeping: its category, and how sure whoever extracted it is, 0 to 1."""

    category: str
    title: str
    content: str
    confidence: float = 1.0

    @property
    def mark(self) -> str:
        """What tells one memory from another, whatever its case."""
        said = f"{self.title}{self.content}".lower().strip()
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def fact(self) -> Draft:
        """It as the gates take it, its category a tag."""
        title, content = self.title.strip(), self.content.strip()
        text = f"{title}: {content}" if title else content
        return Draft(text=text, kind=KINDS[self.category], tags=(self.category,))


def extracted(found: Iterable[Extract]) -> list[Extract]:
    """Those that may be offered, each once: of a known category, not empty, and sure enough."""
    sure = {
        memory.mark: memory
        for memory in reversed(list(found))
        if memory.category in KINDS
        and memory.content.strip()
        and memory.confidence >= LEAST_CONFIDENCE
    }
    return list(sure.values())[::-1]


MOST_STEPS: Final = 8
MOST_FIXES: Final = 40  # of a session, the last
MOST_PITFALLS: Final = 4
MOST_TROUBLES: Final = 2
LONGEST_STEP: Final = 320
LONGEST_CHANGE: Final = 160
LONGEST_DESCRIPTION: Final = 900
_WHEN: Final = {
    "sequence": "When you run {}",
    "fix": "When this fails: {}",
    "convention": "A person said: {}",
}
_GENERAL: Final = re.compile(r"<[a-z]{2,6}>")  # what a pattern leaves open
# When something happened and how long it took: another time it is otherwise.
_PASSING: Final = re.compile(
    r"\b\d{4}[-/]\d\d[-/]\d\d(?:[T ][\d:.,]+Z?)?\s*|\s*\(\d+(?:\.\d+)?m?s\)|\b\d+m ?\d+s\b"
)
# Whose word counts for less comes first: a draft is as far trusted as the least of its pieces.
_TRUST: Final = (
    Origin.WEB, Origin.MIXED, Origin.ASSISTANT, Origin.TOOL, Origin.REPOSITORY, Origin.USER,
)  # fmt: skip


class Teaching(Record):
    """One thing that a session teaches to do. `about` are the programs or files it is about."""

    kind: Literal["fix", "sequence", "convention"]
    title: str
    about: frozenset[str]
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()
    quote: str = ""
    origin: Origin = Origin.TOOL


def pieces(lessons: Sequence[Lesson], runs: Sequence[Run], folder: str = "") -> list[Teaching]:
    """What a session in a folder teaches to do: fixes, sequences, and what a person laid down."""
    conventions = []  # how things are, and not how they are done, is no skill
    for lesson in lessons:
        if lesson.what.is_fact and lesson.typed:
            text = trimmed(lesson.what.text, LONGEST_STEP)
            conventions.append(
                Teaching("convention", text, frozenset(), (), quote=text, origin=lesson.origin)
            )
    mended = [_fix(fix, folder) for fix in fixes(runs) if fix.troubles]
    return [*mended[-MOST_FIXES:], *map(_sequence, repeated(runs)), *conventions]


def drafts(found: Iterable[Teaching], stem: Stem) -> list[DistilledSkill]:
    """A draft for each matter: pieces about the same programs or files, or of the same words."""
    groups: list[list[Teaching]] = []
    conventions: list[Teaching] = []
    for piece in found:
        if piece.kind == "convention":
            conventions.append(piece)
            continue
        same = [g for g in groups if any(_alike(piece, other, stem) for other in g)]
        joined = [other for group in same for other in group]
        groups = [group for group in groups if group not in same]
        groups.append([*joined, piece])
    for piece in conventions:
        wanted = set(terms(piece.title, stem))
        texts = (" ".join(t for one in g for t in (one.title, *one.steps)) for g in groups)
        near = [len(wanted & {*terms(text, stem)}) for text in texts]
        if any(near):  # a sentence alone is no skill
            groups[near.index(max(near))].append(piece)
    return [_draft(group) for group in groups]


def _alike(piece: Teaching, other: Teaching, stem: Stem) -> bool:
    """Whether two pieces are about the same: a program, or most of what there is to do."""
    steps, others = "\n".join(piece.steps), "\n".join(other.steps)
    return bool(piece.about & other.about) or shared(steps, others, stem) >= RELATED


def _fix(fix: Fix, folder: str) -> Teaching:
    worked = fix.done[-1].command
    names = commands.programs(worked)
    tried = {name for each in fix.failures for name in commands.programs(each.command)}
    program = next((name for name in reversed(names) if name in tried), worked.split()[0])
    trouble = ", then: ".join(_PASSING.sub("", each) for each in fix.troubles[-MOST_TROUBLES:])
    vain: dict[str, str] = {}
    for failure in reversed(fix.failures):
        command = _plain(failure.command)
        vain.setdefault(command, f"`{command}`" + f": {failure.trouble}" * bool(failure.trouble))
    # Of what was written into one file the last helped.
    last = {path: each for each in fix.done for path, _ in each.changes}
    steps = dict.fromkeys(
        step
        for each in fix.done
        for step in _steps(each, [pair for pair in each.changes if last[pair[0]] is each], folder)
    )
    return Teaching(
        "fix",
        trimmed(f"{program}: {trouble}", LONGEST_STEP),
        frozenset(tried & set(names)),
        tuple(steps)[-MOST_STEPS:],
        tuple(vain.values())[:MOST_PITFALLS],
        quote=trimmed(f"{fix.failures[-1].command}: {fix.failures[-1].trouble}", LONGEST_STEP),
        origin=Origin.WEB if fix.page else Origin.TOOL,
    )


def _plain(command: str) -> str:
    """A command as a pattern, in which what varies is left open."""
    return trimmed(_GENERAL.sub(OPEN, commands.pattern(command)), LONGEST_STEP)


def _steps(run: Run, changes: Iterable[tuple[str, str]], folder: str) -> list[str]:
    """What a call did, as steps to take; where the project lies on a machine is left out."""
    if run.command:
        return [f"Run `{_plain(run.command)}`"]
    paths = ((path.removeprefix(f"{folder}/"), new) for path, new in changes)
    return [f"Change {path}: `{trimmed(new, LONGEST_CHANGE)}`" for path, new in paths if new]


def _sequence(found: Repeated) -> Teaching:
    about = dict.fromkeys(name for step in found.steps for name in commands.programs(step))
    return Teaching(
        "sequence",
        trimmed(" \u2192 ".join(about), LONGEST_STEP),
        frozenset(about),
        tuple(f"Run `{_plain(step)}`" for step in found.steps),
        quote=f"These {len(found.steps)} commands were run {found.times} times and worked.",
        origin=Origin.WEB if found.page else Origin.TOOL,
    )


def _draft(group: Sequence[Teaching]) -> DistilledSkill:
    ordered = sorted(group, key=lambda piece: list(_WHEN).index(piece.kind))
    parts = tuple(
        Matter(_WHEN[piece.kind].format(piece.title), piece.steps, piece.pitfalls)
        for piece in ordered
    )
    return DistilledSkill(
        title=ordered[0].title,
        description=trimmed("Use: " + "; ".join(part.when for part in parts), LONGEST_DESCRIPTION),
        parts=parts,
        tags=tuple(sorted({name.split()[0] for piece in ordered for name in piece.about})),
        quotes=tuple(piece.quote for piece in ordered if piece.quote),
        origin=min((piece.origin for piece in ordered), key=_TRUST.index),
    )


def handed(failures: Sequence[FailedAttempt], successes: Sequence[Success]) -> list[Teaching]:
    """A piece for each subject that failed: what helped, if anything did, and what did not.

    Whose words they are only the program knows: they are taken for an agent's.
    """
    found = []
    for subject in dict.fromkeys(filter(None, (each.what.strip() for each in failures))):
        failed = [each for each in failures if each.what.strip() == subject]
        same = (each for each in successes if each.what.strip().casefold() == subject.casefold())
        steps = dict.fromkeys(trimmed(each.how, LONGEST_STEP) for each in same if each.how.strip())
        vain = (f"{each.tried}: {each.why}" if each.tried else each.why for each in failed)
        pitfalls = dict.fromkeys(trimmed(each, LONGEST_STEP) for each in vain)
        piece = Teaching(
            "fix",
            trimmed(f"{subject}: {failed[0].why}", LONGEST_STEP),
            frozenset({subject}),
            tuple(steps)[:MOST_STEPS],
            tuple(pitfalls)[:MOST_PITFALLS],
            quote=trimmed(f"{failed[-1].what}: {failed[-1].why}", LONGEST_STEP),
            origin=Origin.ASSISTANT,
        )
        found.append(piece)
    return found


SESSIONS: Final = 3  # in which the same steps worked
MOST_TASKS: Final = 20  # of a session, the last
NOT_ENOUGH: Final = (
    "Not enough of the same kind: a draft of successes alone takes the same steps in "
    f"{SESSIONS} sessions, for one kind of task."
)


class TaskWorked(Record):
    """A task that went well: its kind, and the steps that were taken."""

    kind: str
    steps: tuple[str, ...]


def taught(
    own: Sequence[TaskWorked], earlier: Sequence[Sequence[TaskWorked]], stem: Stem
) -> list[Teaching]:
    """What a session and earlier ones show together: sequences of commands, or the same words."""
    sessions = [*earlier, own]
    return [
        piece
        for kind in dict.fromkeys(each.kind for each in own)
        for piece in (*_commands(kind, sessions), *_words(kind, sessions, stem))
    ]


def _commands(kind: str, sessions: Sequence[Sequence[TaskWorked]]) -> Iterator[Teaching]:
    runs = []
    for number, session in enumerate(sessions):
        for task in (each for each in session if each.kind == kind):
            runs += [Run("", number, step, True) for step in task.steps]
            # No sequence goes from one task into the next.
            runs.append(Run("", number, f"end-{len(runs)} of-{len(runs)}", True))
    for found in repeated(runs, least=SESSIONS):
        count = len(set(found.turns))
        if count >= SESSIONS and found.turns[-1] == len(sessions) - 1:
            quote = f"These {len(found.steps)} commands worked in {count} sessions ({kind})."
            yield replace(_sequence(found), quote=quote)


def _words(kind: str, sessions: Sequence[Sequence[TaskWorked]], stem: Stem) -> Iterator[Teaching]:
    """What a program's own successes are, each in a sentence or two."""
    for task in (task for task in sessions[-1] if task.kind == kind and len(task.steps) == 1):
        (text,) = task.steps
        count = sum(
            any(t.kind == kind and shared(text, "\n".join(t.steps), stem) >= REPEATED for t in s)
            for s in sessions
        )
        if count >= SESSIONS:
            quote = f"This worked in {count} sessions for {kind}."
            steps, about = tuple(filter(None, text.splitlines())), frozenset({kind})
            yield Teaching("sequence", kind, about, steps, quote=quote, origin=Origin.ASSISTANT)


def as_text(task: TaskWorked) -> str:
    """A task as it is kept."""
    return "\x1e".join((task.kind, *task.steps))


def from_text(text: str) -> TaskWorked:
    """A task that was kept."""
    kind, *steps = text.split("\x1e")
    return TaskWorked(kind, tuple(steps))
