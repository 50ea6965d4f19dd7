"""The one question that an agent is asked about two notes: how they stand to each other."""

from typing import Final

from learnt.core.identifiers import EntryId, handle
from learnt.formats.injection import Rival, one_line

MOST_TOKENS: Final = 60
LONGEST_NOTICE: Final = 60
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


def replaced_notice(stays: Rival, gone: Rival) -> str:
    """The line on the person's screen that says which note replaced which, and how to undo it.

    >>> replaced_notice(Rival(EntryId("e-1abcde"), "port 2"), Rival(EntryId("e-2vwxyz"), "port 1"))
    'Learnt replaced "port 1" with "port 2"; to take it back: learnt knowledge unrelate abcde vwxyz'
    """
    undo = f"learnt knowledge unrelate {handle(stays.id)} {handle(gone.id)}"
    return f'Learnt replaced "{_short(gone)}" with "{_short(stays)}"; to take it back: {undo}'


def disputed_notice(one: Rival, other: Rival, *, same: bool = False) -> str:
    """The line on the person's screen on two notes in dispute, or on two rules that are the `same`.

    >>> disputed_notice(Rival(EntryId("e-1"), "port 1"), Rival(EntryId("e-2"), "port 2"))
    'The agent says "port 1" and "port 2" conflict. To say which holds: learnt review'
    """
    asked = "are one rule. To merge them" if same else "conflict. To say which holds"
    return f'The agent says "{_short(one)}" and "{_short(other)}" {asked}: learnt review'


def _short(note: Rival) -> str:
    line = one_line(note.text)
    return line if len(line) <= LONGEST_NOTICE else line[: LONGEST_NOTICE - 1] + "\u2026"
