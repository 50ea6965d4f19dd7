"""Which findings keep a skill from being installed, and which of them a person may pass over."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from learnt.core.skills.findings import Finding, Severity

# What acts unseen, by being loaded or unpacked: seen too late by whoever passes over it.
NEVER: Final = frozenset(
    "runs-when-loaded runs-unasked permission-grab arguments-in-shell hidden-characters"
    " hidden-instruction encoded-instruction mixed-scripts own-verdict forged-record program"
    " nested-archive link device encrypted privileged outside odd-name colliding-names long-name"
    " too-large too-many-files broken-archive wrong-digest not-text bad-name not-ours"
    " no-place".split()
)


class SkillVerdict(NamedTuple):
    """The findings that refuse a skill, and those that were passed over by force."""

    refused: tuple[Finding, ...]
    passed: tuple[Finding, ...]


UNJUDGED: Final = SkillVerdict((), ())


def judged(findings: Iterable[Finding], *, force: bool) -> SkillVerdict:
    """What the findings of a skill come to.

    >>> bad = Finding(rule="beacon", message="")
    >>> judged([bad], force=False).refused == judged([bad], force=True).passed == (bad,)
    True
    """
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    passed = tuple(f for f in errors if force and f.rule not in NEVER)
    return SkillVerdict(tuple(f for f in errors if f not in passed), passed)
