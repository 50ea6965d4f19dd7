"""Memories that a model or a program extracts of a session, before any gate: seed 004's rules."""

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from learnt.core.knowledge.drafts import Fact

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
