"""The one question that an agent is asked about two notes: how they stand to each other."""

from typing import Final

from learnt.core.identifiers import EntryId, handle
from learnt.formats.injection import Rival, one_line

MOST_TOKENS: Final = 60
_QUOTED: Final = 130  # bytes of the older note


def question(new: EntryId, near: Rival) -> str:
    """The question about a note that was just kept and one near to it, in 60 tokens at most.

    >>> question(EntryId("e-065wzsb8000abc"), Rival(EntryId("e-065wzsb8000xyz"), "Port 1"))[:50]
    'Does it repeat or contradict [00xyz] "Port 1"? rel'
    """
    old = handle(near.id)
    raw = one_line(near.text).encode("utf-8", "replace")
    said = raw[:_QUOTED].decode("utf-8", "ignore") + "\u2026" * (len(raw) > _QUOTED)
    return (
        f'Does it repeat or contradict [{old}] "{said}"? '
        f"relate({handle(new)}, {old}, same|contradicts|narrows|different)"
    )
