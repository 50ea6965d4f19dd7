"""What a session is distilled to: a skill's draft, memories, and what becomes of a draft.

A draft repeats a text as far as its terms stand in it. The lower bound is seed 004's for memories.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from learnt.core.digest import commands
from learnt.core.digest.lessons import Lesson, trimmed
from learnt.core.distil.evidence import FailedAttempt, Success
from learnt.core.distil.sequences import OPEN, Fix, Repeated, Run, fixes, repeated
from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Draft
from learnt.core.records import Record
from learnt.core.skills.skills import is_name
from learnt.core.tokens import Stem, terms

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

    >>> name_of("flash-with-cmsis-dap", "0f3a55c2-11", "Use openocd.")
    'flash-with-cmsis-dap'
    >>> name_of("", "0F3A55C2-11", "Use openocd.")
    'distilled-0f3a55c2-3de655'
    """
    if is_name(title):
        return title
    own = "".join(c for c in session.casefold() if c.isascii() and c.isalnum())[:_SESSION]
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"distilled-{own or 'session'}-{mark}"


RELATED: Final = 0.4  # of a draft's terms: it belongs to that skill
REPEATED: Final = 0.8  # it says what is there already
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


class New(Record):
    """It is a skill of its own."""


class Patch(Record):
    """These of its parts are missing in the text of that key."""

    key: str
    parts: tuple[Matter, ...]


class Fusion(Record):
    """It belongs to two skills that are about the same: the second goes into the first."""

    key: str
    other: str
    parts: tuple[Matter, ...]


class Nothing(Record):
    """It is said already, or was turned down; `key` is by what."""

    key: str
    why: str


Outcome = New | Patch | Fusion | Nothing


def shared(text: str, other: str, stem: Stem) -> float:
    """The part of a text's terms that stand in another, 0 to 1; 0 where a text has too few.

    >>> shared("lock queue drain stop", "drain and stop the queue", str)
    0.75
    """
    own = set(terms(text, stem))
    return len(own & set(terms(other, stem))) / len(own) if len(own) >= LEAST_TERMS else 0.0


def outcome(draft: DistilledSkill, known: Iterable[KnownText], stem: Stem) -> Outcome:
    """What becomes of a draft beside the texts that are known."""
    said = _said(draft.parts)
    near = [(shared(said, each.text, stem), each) for each in known]
    near = sorted((pair for pair in near if pair[0] >= RELATED), key=lambda pair: -pair[0])
    for share, each in near:
        if share >= REPEATED:
            why = "a person turned the like down" if each.refused else "it is said there already"
            return Nothing(each.key, why)
    homes = [each for _, each in near if each.open and not each.refused]
    if not homes:
        return New()
    home = homes[0].text
    missing = tuple(p for p in draft.parts if shared(_said([p]), home, stem) < REPEATED)
    if not missing:
        return Nothing(homes[0].key, "it is said there already")
    for other in homes[1:]:
        if shared(other.text, homes[0].text, stem) >= RELATED:
            return Fusion(homes[0].key, other.key, missing)
    return Patch(homes[0].key, missing)


def _said(parts: Iterable[Matter]) -> str:
    """What is said in them, without the words that begin every step of every draft."""
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
        """What tells one memory from another, whatever its case.

        >>> Extract("pitfalls", "Title", "").mark
        'aaf2320646108059'
        """
        said = f"{self.title}{self.content}".lower().strip()
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def fact(self) -> Draft:
        """It as the gates take it, its category a tag."""
        title, content = self.title.strip(), self.content.strip()
        text = f"{title}: {content}" if title else content
        return Draft(text=text, kind=KINDS[self.category], tags=(self.category,))


def extracted(found: Iterable[Extract]) -> list[Extract]:
    """Those that may be offered, each once: of a known category, not empty, and sure enough.

    >>> sure = Extract("pitfalls", "Stop", "Stop the queue first.", 0.5)
    >>> extracted([sure, sure._replace(title="STOP"), sure._replace(confidence=0.49)]) == [sure]
    True
    """
    sure = [
        each
        for each in found
        if each.category in KINDS and each.content.strip() and each.confidence >= LEAST_CONFIDENCE
    ]
    return list({each.mark: each for each in reversed(sure)}.values())[::-1]


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
    laid_down = []  # how things are, and not how they are done, is no skill
    for each in lessons:
        if each.what.is_fact and each.typed:
            text = trimmed(each.what.text, LONGEST_STEP)
            told = Teaching("convention", text, frozenset(), (), quote=text, origin=each.origin)
            laid_down.append(told)
    mended = [_fix(each, folder) for each in fixes(runs) if each.troubles]
    return [*mended[-MOST_FIXES:], *map(sequence, repeated(runs)), *laid_down]


def drafts(found: Iterable[Teaching], stem: Stem) -> list[DistilledSkill]:
    """A draft for each matter: pieces about the same programs or files, or of the same words."""
    groups: list[list[Teaching]] = []
    late: list[Teaching] = []
    for piece in found:
        if piece.kind == "convention":
            late.append(piece)
            continue
        same = [g for g in groups if any(_alike(piece, each, stem) for each in g)]
        joined = [piece for group in same for piece in group]
        groups = [group for group in groups if group not in same]
        groups.append([*joined, piece])
    for piece in late:
        own = set(terms(piece.title, stem))
        said = [" ".join(t for piece in g for t in (piece.title, *piece.steps)) for g in groups]
        near = [(len(own & {*terms(s, stem)}), g) for s, g in zip(said, groups, strict=True)]
        share, group = max(near, key=lambda pair: pair[0], default=(0, []))
        if share:  # a sentence alone is no skill
            group.append(piece)
    return [_draft(group) for group in groups]


def _alike(piece: Teaching, other: Teaching, stem: Stem) -> bool:
    """Whether two pieces are about the same: a program, or most of what there is to do."""
    told, there = "\n".join(piece.steps), "\n".join(other.steps)
    return bool(piece.about & other.about) or shared(told, there, stem) >= RELATED


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
        for step in _told(each, [pair for pair in each.changes if last[pair[0]] is each], folder)
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


def _told(run: Run, changes: Iterable[tuple[str, str]], folder: str) -> list[str]:
    """What a call did, as steps to take; where the project lies on a machine is left out."""
    if run.command:
        return [f"Run `{_plain(run.command)}`"]
    paths = ((path.removeprefix(f"{folder}/"), new) for path, new in changes)
    return [f"Change {path}: `{trimmed(new, LONGEST_CHANGE)}`" for path, new in paths if new]


def sequence(found: Repeated) -> Teaching:
    """What commands teach that were run again and again."""
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

    >>> handed([FailedAttempt("lemma-2", "the bound is loose", "Markov")],
    ...        [Success("lemma-2", "Use Bernstein."), Success("lemma-9", "Induct.")])[0].steps
    ('Use Bernstein.',)
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
