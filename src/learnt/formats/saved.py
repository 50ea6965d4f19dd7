"""What became of words that were to be remembered, and how two notes stand to each other.

In lines for the agent, and on the person's screen.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Reject, Ruling
from learnt.core.marked import LONGEST_NOTICE, PASTE, QUOTED, REQUEST, TASK, WITHIN
from learnt.core.records import Record
from learnt.formats.agents.dialects import NOTHING, Answer
from learnt.formats.injection import FENCE, Rival, in_bytes, one_line

LONGEST_LINE: Final = 300  # characters of a text that a line repeats
MOST_TOKENS: Final = 60  # of the question about a note near to one that was kept
_QUOTED: Final = 130  # bytes of that note
_LONGEST_SIDE: Final = 60  # characters of each of two notes, on the screen
UNATTENDED, UNSAID, UNKNOWN = "unattended", "unsaid", "unknown"
WEAKENS = "weakens"

# Why they wait for the person.
WAITS: Final = {
    REQUEST: "it also holds a request",
    TASK: "it reads like a task for now",
    QUOTED: "it reads like a quotation",
    WITHIN: "it stands within other text",
    PASTE: "the prompt is so long that it may be a paste",
    UNATTENDED: "this session is not interactive",
    UNSAID: "this agent does not say who typed it",
    UNKNOWN: "Learnt does not know which session made the call",
    WEAKENS: "it asks to weaken Learnt, permissions or hooks",
}
_PICK: Final = (
    "If a part of it is meant to last, call the tool `remember` with that part as `quote`, as the "
    "user typed it"
)
_ASK: Final = "Ask the user once which part is their own and worth keeping"
_TODO: Final = {REQUEST: _PICK, TASK: _PICK, WITHIN: _PICK, QUOTED: _ASK, PASTE: _ASK}
_CONFIRM: Final = "To confirm it: learnt review"
_TELL: Final = "Tell the user how to confirm it: learnt review"  # not every client shows the notice
_WITHIN: Final = (
    "Somewhere in this message the user asks to have something remembered. Call the tool "
    "`remember` with that part as `quote`, as the user typed it."
)
_ASKED: Final = "Learnt saved nothing yet: it asked the agent which words to remember"


class Saved(Record):
    """What became of a statement: its entry, the gates' ruling, and why it waits, if it does.

    `near` is a note that it may repeat or contradict.
    """

    entry: EntryId
    text: str
    ruling: Ruling
    waits: str = ""
    near: Rival | None = None


def told_of(saved: Sequence[Saved], refused: Sequence[str] = (), *, within: bool = False) -> Answer:
    """The lines that say it; `refused` are the reasons of what was not saved.

    >>> ruling = Ruling(decision=Admit(), passages=())
    >>> answer = told_of([Saved(EntryId("e-00000000hw80h"), "The port is 8443", ruling)])
    >>> print(answer.context, answer.notice, sep="\\n")
    <learnt-recall>
    Saved [hw80h] "The port is 8443".
    </learnt-recall>
    Learnt saved: "The port is 8443"
    """
    lines = [*map(_line, saved), *(f"Not saved: {one_line(why)}." for why in refused)]
    notices = [*map(_notice, saved), *(f"Learnt did not save this: {why}." for why in refused)]
    if within and not lines:
        lines, notices = [_WITHIN], [_ASKED]
    if not lines:
        return NOTHING
    return Answer("\n".join([f"<{FENCE}>", *lines, f"</{FENCE}>"]), " ".join(notices))


def quote_line(saved: Saved) -> str:
    """What an agent is told of a quote that it picked."""
    line = _line(replace(saved, waits=""))
    if not isinstance(saved.ruling.decision, Admit | Correct):
        return line
    if saved.waits:
        return f"{line} It is a candidate, because {WAITS[saved.waits]}. {_CONFIRM}."
    return f"{line} You picked it: it counts as VERIFY until the user confirms it."


def quote_notice(saved: Saved) -> str:
    """What the person's screen shows of a quote that an agent picked."""
    if isinstance(saved.ruling.decision, Admit | Correct) and not saved.waits:
        said = f'"{one_line(saved.text, LONGEST_NOTICE)}"'
        return f"The agent picked this out of your words, and Learnt saved it: {said}. {_CONFIRM}"
    return _notice(saved)


def _line(saved: Saved) -> str:
    said = f'[{handle(saved.entry)}] "{one_line(saved.text, LONGEST_LINE)}"'
    passed = {each.gate: REASONS.get(each.reason, "") for each in saved.ruling.passages}
    match saved.ruling.decision:
        case Reject(reason=reason):
            return f"Not saved: {REASONS.get(reason, reason)}."
        case Merge():
            return f"Already saved as {said}."
        case Admit() | Correct() if held := passed.get("safety"):
            return f"Saved [{handle(saved.entry)}] for the user alone: {held}."
        case Admit() if saved.waits:
            line = f"Saved as a candidate, because {WAITS[saved.waits]}: {said}."
            return f"{line} {_TODO.get(saved.waits, _TELL)}."
        case Admit():
            line = f"Saved {said}."
        case Correct():
            line = f"Saved {said}. It replaces an older note."
        case _:
            assert_never(saved.ruling.decision)
    return f"{line} {question(saved.entry, saved.near)}" if saved.near else line


def _notice(saved: Saved) -> str:
    said = f'"{one_line(saved.text, LONGEST_NOTICE)}"'
    match saved.ruling.decision:
        case Reject(reason=reason):
            return f"Learnt did not save this: {REASONS.get(reason, reason)}."
        case Merge():
            return f"Learnt already knew this: {said}"
        case Admit() | Correct() if saved.waits:
            return (
                f"Learnt saved it as a candidate, because {WAITS[saved.waits]}: {said}. {_CONFIRM}"
            )
        case Admit():
            return f"Learnt saved: {said}"
        case Correct():
            return f"Learnt saved: {said}. It replaces an older note"
        case _:
            assert_never(saved.ruling.decision)


def question(new: EntryId, near: Rival) -> str:
    """The question about a note that was just kept and one near to it, in 60 tokens at most.

    >>> question(EntryId("e-065wzsb8000abc"), Rival(EntryId("e-065wzsb8000xyz"), "Port 1"))[:50]
    'Does it repeat or contradict [00xyz] "Port 1"? rel'
    """
    old = handle(near.id)
    return (
        f'Does it repeat or contradict [{old}] "{in_bytes(near.text, _QUOTED)}"? '
        f"relate({handle(new)}, {old}, same|contradicts|narrows|different)"
    )


def replaced_notice(stays: Rival, gone: Rival) -> str:
    """The line on the person's screen that says which note replaced which, and how to undo it.

    >>> replaced_notice(Rival(EntryId("e-1abcde"), "port 2"), Rival(EntryId("e-2vwxyz"), "port 1"))
    'Learnt replaced "port 1" with "port 2"; to take it back: learnt knowledge unrelate abcde vwxyz'
    """
    was, now = (one_line(each.text, _LONGEST_SIDE) for each in (gone, stays))
    undo = f"learnt knowledge unrelate {handle(stays.id)} {handle(gone.id)}"
    return f'Learnt replaced "{was}" with "{now}"; to take it back: {undo}'


def disputed_notice(one: Rival, other: Rival, *, same: bool = False) -> str:
    """The line on the person's screen on two notes in dispute, or on two rules that are the `same`.

    >>> disputed_notice(Rival(EntryId("e-1"), "port 1"), Rival(EntryId("e-2"), "port 2"))
    'The agent says "port 1" and "port 2" conflict. To say which holds: learnt review'
    """
    first, second = (one_line(each.text, _LONGEST_SIDE) for each in (one, other))
    asked = "are one rule. To merge them" if same else "conflict. To say which holds"
    return f'The agent says "{first}" and "{second}" {asked}: learnt review'
