"""A skill as the registry has it: who it is for, which of a name counts, what is wrong with it."""

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from enum import IntEnum, StrEnum
from operator import attrgetter
from typing import Final

from learnt.core.records import Record, Row
from learnt.core.skills.history import FIRST


class Severity(StrEnum):
    """An error refuses; a warning is for whoever reads it; a note says where to look first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(Row):
    """A rule that a file breaks. `line` counts from 1; `path` is as the caller named the file."""

    rule: str
    message: str
    line: int = 1
    path: str = "SKILL.md"
    severity: Severity = Severity.ERROR


def unreadable(findings: Iterable[Finding]) -> bool:
    """Whether a strict reader finds no front matter that it can read, and so no skill."""
    return any(finding.rule in _UNREADABLE for finding in findings)


_UNREADABLE: Final = frozenset({"bad-yaml", "no-mapping", "unclosed-front-matter"})
LONGEST_NAME: Final = 64
GUARDED: Final = "guarded"
LONGEST_DESCRIPTION: Final = 1_024


# What acts unseen, by being loaded or unpacked: seen too late by whoever passes over it.
NEVER: Final = frozenset(
    "runs-when-loaded runs-unasked permission-grab arguments-in-shell hidden-characters"
    " hidden-instruction encoded-instruction mixed-scripts own-verdict forged-record program"
    " nested-archive link device encrypted privileged outside odd-name colliding-names long-name"
    " too-large too-many-files broken-archive wrong-digest not-text bad-name not-ours"
    " no-place".split()
)


def is_sign(mark: str, before: str) -> bool:
    """Whether a mark is a sign of the script of the character before it, as a vowel's is.

    >>> is_sign("\u093f", "\u0930"), is_sign("\u0301", "e"), is_sign("\u093f", "e")
    (True, False, False)
    """
    name, letter = (unicodedata.name(one, "") for one in (mark, before or " "))
    own = unicodedata.category(mark) in {"Mn", "Mc"} and "SELECTOR" not in name
    return own and name.partition(" ")[0] == letter.partition(" ")[0]


def is_name(text: str) -> bool:
    """Whether it may name a skill: words of small letters and digits of any script, with hyphens.

    >>> is_name("git-locks"), is_name("数据库死锁"), is_name("Git locks"), is_name("a--b")
    (True, True, False, False)
    """
    plain = text == unicodedata.normalize("NFKC", text).lower()
    bare = (c for before, c in zip(" " + text, text, strict=False) if not is_sign(c, before))
    words = "".join(bare).split("-")
    return plain and len(text) <= LONGEST_NAME and all(map(str.isalnum, words))


class SkillVerdict(Record):
    """The findings that refuse a skill, and those that were passed over by force."""

    refused: tuple[Finding, ...]
    passed: tuple[Finding, ...]


UNJUDGED: Final = SkillVerdict((), ())


def judged(findings: Iterable[Finding], *, force: bool) -> SkillVerdict:
    """What the findings of a skill come to."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    passed = tuple(f for f in errors if force and f.rule not in NEVER)
    return SkillVerdict(tuple(f for f in errors if f not in passed), passed)


# Names of what is in a folder, and no part of a skill: neither fetched nor in its digest.
LEFT_OUT: Final = frozenset({".git", "__pycache__", "node_modules", ".DS_Store"})

LARGEST_FOLDER: Final = 50_000_000  # bytes of a skill's files; what holds more was not installed


class SkillLayer(IntEnum):
    """Where a skill comes from; of one name that of the highest layer counts."""

    SEED = 0
    DOMAIN = 1
    USER = 2
    PROJECT = 3


class SkillSource(Record):
    """A folder of skills. `flat`: a Markdown file with front matter is a skill there as well."""

    folder: str
    layer: SkillLayer
    flat: bool = False


class AsIf(Record):
    """A text that a file might have: what each of its words counts (`relevance.impacts`)."""

    file: str
    impacts: Mapping[str, int]


class SkillFile(Record):
    """Another file of a skill's folder: its path below that, and its bytes."""

    path: str
    size: int


class Skill(Row):
    """One SKILL.md of a source folder, with what the ledger knows of it; its body is in the file.

    `file` is its whole path, `digest` the SHA-256 of its text. `usage_count` and `success_rate`
    (0 to 1, None while unknown) come from the ledger, never from the file. `findings` say what is
    wrong with it; `withheld` why it is not offered to an agent, empty where it is. A tuple, since
    there may be ten thousand.
    """

    name: str
    description: str
    file: str
    digest: str
    layer: SkillLayer
    version: str = FIRST
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    source: str = "manual"  # seed, distilled or manual
    created_at: str = ""
    findings: tuple[Finding, ...] = ()
    usage_count: int = 0
    success_rate: float | None = None
    failures: str = ""
    withheld: str = ""

    @property
    def guarded(self) -> bool:
        """Whether its author lets only a person start it: no agent is offered it."""
        return any(finding.rule == GUARDED for finding in self.findings)


def folder_digest(files: Mapping[str, bytes], instead: str = "", own: str = "SKILL.md") -> str:
    """The digest by which a skill's folder is known again: of all its paths and contents.

    `instead` is taken for the SHA-256 of the skill's `own` file.
    """
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    if instead:
        digests[own] = instead
    parts = "".join(f"{path}\0{digests[path]}\n" for path in sorted(digests))
    return hashlib.sha256(parts.encode("utf-8", "surrogateescape")).hexdigest()


def key_of(name: str) -> str:
    """The name by which skills are the same: `release_notes` asks for `release-notes`."""
    return name.strip().replace("_", "-").casefold()


def effective(skills: Iterable[Skill]) -> Mapping[str, Skill]:
    """By key the skill that counts: of the highest layer, then the first by its file's path."""
    ranked = sorted(skills, key=attrgetter("file"), reverse=True)
    ranked.sort(key=attrgetter("layer"))  # stable: of a layer still by file; the last one counts
    return dict(sorted({key_of(skill.name): skill for skill in ranked}.items()))
