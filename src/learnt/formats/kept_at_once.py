"""What the agent is told of what its user just asked to be remembered."""

from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Reject, Ruling
from learnt.formats.injection import FENCE, one_line

WITHHELD: Final = {
    "private": "a part of it is marked private",
    "credential": "it comes with a credential",
    "later": "it is not said for sure, or not alone; it is looked at when the session ends",
    "within": "the wish to keep it stands within other text. Tell the user: it is kept at once "
    "where the prompt, or its last paragraph, begins with `remember: ` and what is to be kept",
    "not plain": "what is asked, quoted or pasted is not taken for the user's own wish",
}


class Kept(NamedTuple):
    """What became of one thing that a person said: the entry, and what the gates decided."""

    entry: EntryId
    text: str
    ruling: Ruling


def kept_at_once(kept: Iterable[Kept], why: str = "") -> str:
    """The block that tells it, a line each; of nothing why that is so, empty where nobody asked.

    >>> admitted = Ruling(decision=Admit(), passages=())
    >>> print(kept_at_once([Kept(EntryId("e-1"), "The port is 8443", admitted)]))
    <learnt-recall>
    Kept by Learnt from now on, as the user asked: [e-1] "The port is 8443".
    </learnt-recall>
    """
    lines = list(map(_line, kept)) or ([_not_kept(why)] if why else [])
    return "\n".join([f"<{FENCE}>", *lines, f"</{FENCE}>"]) if lines else ""


def _not_kept(why: str) -> str:
    return f"Not kept by Learnt: {one_line(WITHHELD.get(why) or REASONS.get(why, why))}."


def _line(kept: Kept) -> str:
    said = f'[{kept.entry}] "{one_line(kept.text)}"'
    passed = {each.gate: REASONS.get(each.reason, "") for each in kept.ruling.passages}
    match kept.ruling.decision:
        case Admit() | Correct() if held := passed.get("safety"):
            return f"Kept by Learnt for the user alone, as [{kept.entry}]: {held}."
        case Admit():
            line = f"Kept by Learnt from now on, as the user asked: {said}."
        case Correct():
            line = f"Put right by Learnt, as the user asked: {said}."
        case Merge():
            line = f"Known to Learnt already, as the user asked: {said}."
        case Reject(reason=reason):
            line = _not_kept(reason)
        case _:
            assert_never(kept.decision)
    doubt = passed.get("value")
    if doubt and not isinstance(kept.ruling.decision, Reject):
        line = f"{line} It is kept as it stands: {doubt}."
    rivals = ", ".join(f"[{rival}]" for rival in kept.ruling.disputes)
    return f"{line} It may contradict {rivals}: ask the user which one holds." if rivals else line
