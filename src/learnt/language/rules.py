"""Whether a person lays down how work is to be done, and the acts that words are about."""

from functools import lru_cache
from typing import Final

from learnt.language.data import entries
from learnt.language.patterns import phrases

_ACT: Final = "act "  # so the sections of acts begin in the data files


def lays_down(text: str) -> bool:
    """Whether a statement says how work is to be done.

    >>> lays_down("always run make lint before pushing"), lays_down("staging is on port 8443")
    (True, False)
    """
    return phrases("rules")["lays down"].search(text) is not None


def weakens(text: str) -> bool:
    """Whether a rule asks to weaken Learnt, permissions or hooks: its person is asked first.

    >>> weakens("always commit with --no-verify"), weakens("never push without asking me")
    (True, False)
    """
    return phrases("rules")["weakens"].search(text) is not None


@lru_cache(maxsize=4096)
def acts_in(text: str) -> frozenset[str]:
    """The acts that a text is about: commit, push, deploy, install, test, and so on.

    >>> sorted(acts_in("run the tests before you push"))
    ['push', 'test']
    """
    acts = (name for name in entries("rules") if name.startswith(_ACT))
    found = (name for name in acts if phrases("rules")[name].search(text))
    return frozenset(name.removeprefix(_ACT) for name in found)
