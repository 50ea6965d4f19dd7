"""What a session is distilled to: a skill's draft, memories, and what becomes of a draft.

A draft repeats a text as far as its terms stand in it. The lower bound is seed 004's for memories.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from learnt.core.events import Origin
from learnt.core.knowledge.drafts import Fact
from learnt.core.tokens import Stem, terms

_SESSION: Final = 8  # characters of a session's name in the name of a skill
_MARK: Final = 6
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Matter(NamedTuple):
    """One matter: `when` it arises, the `steps` to take in order, the `pitfalls` to avoid."""

    when: str
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()


class DistilledSkill(NamedTuple):
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
    if len(title) <= 60 and _NAME.fullmatch(title):
        return title
    own = "".join(c for c in session.casefold() if c.isascii() and c.isalnum())[:_SESSION]
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"distilled-{own or 'session'}-{mark}"


RELATED: Final = 0.4  # of a draft's terms: it belongs to that skill
REPEATED: Final = 0.8  # it says what is there already
_BEGINNING: Final = re.compile(r"[A-Z][\w ]{0,24}[:`]\s*")
LEAST_TERMS: Final = 4  # fewer say nothing of what a text repeats


class KnownText(NamedTuple):
    """A text that a draft may repeat: a skill's or a waiting draft's.

    `key` is what the caller knows it by. `open`: it may be given another text; `refused`: a person
    turned it down.
    """

    key: str
    text: str
    open: bool = True
    refused: bool = False


class New(NamedTuple):
    """It is a skill of its own."""


class Patch(NamedTuple):
    """These of its parts are missing in the text of that key."""

    key: str
    parts: tuple[Matter, ...]


class Fusion(NamedTuple):
    """It belongs to two skills that are about the same: the second goes into the first."""

    key: str
    other: str
    parts: tuple[Matter, ...]


class Nothing(NamedTuple):
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
    def fact(self) -> Fact:
        """It as the gates take it, its category a tag."""
        title, content = self.title.strip(), self.content.strip()
        text = f"{title}: {content}" if title else content
        return Fact(text=text, kind=KINDS[self.category], tags=(self.category,))


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
