"""The gates in front of every entry: rules and retrieval, no model, each with its reason.

Seed 000's five, value, alignment, redundancy, freshness and placement, and safety behind the
first. "Do nothing" is the expected answer to most of what is offered.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from learnt.core.address import Commanded, unsafe
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.admission import SHOWN, VOUCHED, WORTHLESS, Worth
from learnt.core.knowledge.comparing import Comparison
from learnt.core.knowledge.drafts import LONGEST_ENTITY, Fact, Offered, normalised
from learnt.core.knowledge.entries import CREDIBILITY, CREDIBLE, Suspicion
from learnt.core.knowledge.topics import OWN, Vocabulary
from learnt.core.marked import LONGEST_OWN
from learnt.core.records import Record
from learnt.core.tokens import words

GATES: Final = ("value", "safety", "alignment", "redundancy", "freshness", "placement")
LEAST_WORDS: Final = 2
LONGEST_FACT: Final = 500
LONGEST_PROBLEM: Final = 500
LONGEST_APPROACH: Final = 2_000
MOST_CAUTIONS, LONGEST_CAUTION = 10, 500
MOST_TAGS, LONGEST_TAG = 20, 60
MOST_FILES, LONGEST_FILE = 20, 300
MOST_ENTITIES = 20
CORRECTED: Final = "corrected"
MOST_SUSPECTED: Final = 3  # of the entries near to one, the nearest
LEAST_LIKE: Final = 0.2  # of an entry that nothing is suspected of, to ask the agent about it
FLEETING: Final = frozenset({"data_range", "data_snapshot"})  # seed 000: prefer rejection

# A person may keep these for themselves: no agent is ever shown them.
HELD: Final = {
    "hidden-instruction": "it tries to command the agent that will read it",
    "forged-frame": "it looks like Learnt's own lines, or like turns of a conversation",
    "pipe-to-shell": "it runs a download unread",
    "harmful-command": "it has its reader run what harms",
}
COMMANDS: Final = frozenset({"pipe-to-shell", "harmful-command"})
REASONS: Final = {
    "no-problem": "it names no problem: two meaningful words at least",
    "no-approach": "it gives no approach: two meaningful words at least",
    "too-long": "it is too long for one entry: split it",
    "says-the-same": "the approach only repeats the problem",
    "hidden-text": "it holds characters that a reader cannot see",
    **HELD,
    "duplicate": "the same is already remembered",
    CORRECTED: "the user said which value takes the place of the old one",
    "fades-at-once": "such data changes within days: look it up when it is needed",
    **WORTHLESS,
}


class Admit(Record):
    """It may be remembered; a fact in its `topic`."""

    topic: str = ""


class Merge(Record):
    """It is one already: that one gains a confirmation."""

    into: EntryId


class Correct(Record):
    """A person corrects an entry in so many words; `reason` is the alignment's."""

    entry: EntryId
    reason: str
    topic: str = ""


class Reject(Record):
    """It stays out: the gate, and a reason's name in REASONS."""

    gate: str
    reason: str


Decision = Admit | Merge | Correct | Reject


class Passage(Record):
    """What one gate said, why, and about which entry."""

    gate: str
    verdict: Literal["pass", "merge", "correct", "reject"]
    reason: str = ""
    entry: EntryId | None = None


class Neighbour(Record):
    """An entry near to what is offered: a fact's text, or a solution's problem and approach.

    `here`: of the scope of what is offered, not of a wider one, which one project's exception does
    not correct; `persons`: validated, and a person's own, or a rule that only a person may change.
    """

    id: EntryId
    text: str
    approach: str = ""
    fact: bool = True
    here: bool = True
    persons: bool = False


class Voucher(Record):
    """Who vouches for an offer; a person who `insisted` knows what it is worth, and no more.

    `own`: they are that person's own words. `marked`: typed behind a marker, so that it is kept
    whatever it is worth; `waits`: a person has yet to look at it, so that it speaks against
    nothing.
    """

    credibility: int  # thousandths
    person: bool = False
    insisted: bool = False
    own: bool = False
    marked: bool = False
    waits: bool = False


class Ruling(Record):
    """The decision, what each gate said on the way, and what rules suspect of it, nearest first.

    `near` are the entries that the agent is asked about: those suspected, or else the nearest one.
    """

    decision: Decision
    passages: tuple[Passage, ...]
    suspects: tuple[Suspicion, ...] = ()
    near: tuple[EntryId, ...] = ()

    @property
    def doubt(self) -> str:
        """What the first gate had against it and let pass, since a person says it; else empty."""
        passed = (each for each in self.passages if each.verdict == "pass")
        return next((each.reason for each in passed if each.gate == "value"), "")


class Compared(Record):
    """An entry near to an offer; `corrected`: the offer says "X, not Y" of what the entry says."""

    entry: Neighbour
    comparison: Comparison
    corrected: bool = False


def decide(
    offered: Offered,
    by: Voucher,
    same: EntryId | None,
    near: Sequence[Compared],
    *,
    worth: Worth,
    said: Commanded,
    kinds: Vocabulary = OWN,
) -> Ruling:
    """What becomes of an offer, by the first gate that does not let it pass.

    `same` is the entry of the same normalised text; `near` are the nearest entries; `worth` is that
    of a fact's text, `said` how far its texts command their reader; `kinds` say in which layer a
    fact belongs. Rules merge what says the same word by word and only suspect the rest.
    """
    word = by.person or by.credibility == CREDIBILITY["human"]
    margin = VOUCHED if word else SHOWN if by.credibility >= CREDIBLE else 0.0
    passages: list[Passage] = []

    def ruling(decision: Decision, *last: Passage) -> Ruling:
        kept = isinstance(decision, Admit | Correct)
        nearest = _nearest(near, decision) if kept else ()
        suspects = tuple(
            Suspicion(each.entry.id, sort, clash)
            for each in nearest
            for _, sort, clash in [each.comparison]
            if sort
        )[:MOST_SUSPECTED]
        asked = tuple(each.other for each in suspects) or tuple(
            each.entry.id for each in nearest[:1] if each.comparison.likeness >= LEAST_LIKE
        )
        return Ruling(decision=decision, passages=(*passages, *last), suspects=suspects, near=asked)

    junk = "" if by.marked else worth.rejected(margin)
    value = _without_value(offered, junk, LONGEST_OWN if by.own or by.marked else LONGEST_FACT)
    for gate, reason in (("value", value), ("safety", unsafe("\n".join(offered.texts), said))):
        # A person's words are kept, also where an agent picked them; those are then not injected.
        marked = by.marked and reason in COMMANDS
        vouched = marked or (by.insisted and reason in {**WORTHLESS, **HELD})
        persons = by.own and reason in WORTHLESS  # what it is worth is theirs to say
        if reason and not (vouched or (persons and words("\n".join(offered.texts)))):
            return ruling(Reject(gate, reason), Passage(gate, "reject", reason))
        passages.append(Passage(gate, "pass", reason))
    near = () if by.waits else near
    if same is not None:
        passages.append(Passage("alignment", "pass"))
        return ruling(Merge(same), Passage("redundancy", "merge", "duplicate", same))
    topic = kinds.layer(offered.kind, offered.text) if isinstance(offered, Fact) else ""
    fitting = [each.entry for each in near if each.corrected and each.entry.here]
    if len(fitting) == 1 and (by.person or not fitting[0].persons):
        corrected = Correct(fitting[0].id, CORRECTED, topic)
        return ruling(corrected, Passage("alignment", "correct", CORRECTED, fitting[0].id))
    passages += [Passage("alignment", "pass"), Passage("redundancy", "pass")]
    if offered.kind in FLEETING and not word:
        fades = "fades-at-once"
        return ruling(Reject("freshness", fades), Passage("freshness", "reject", fades))
    passages.append(Passage("freshness", "pass", offered.kind))
    return ruling(Admit(topic), Passage("placement", "pass", topic))


def _nearest(near: Sequence[Compared], decision: Decision) -> list[Compared]:
    """The entries of an offer's scope, the likest first, without the one that it corrects."""
    but = decision.entry if isinstance(decision, Correct) else None
    here = (each for each in near if each.entry.here and each.entry.id != but)
    return sorted(here, key=lambda each: -each.comparison.likeness)


def unfit(offered: Offered, said: Commanded) -> str:
    """Why a text that a person vouches for can't be kept all the same; empty where it can."""
    return unsafe("\n".join(offered.texts), said) or _without_value(offered, "")


def _without_value(offered: Offered, junk: str, longest: int = LONGEST_FACT) -> str:
    """Why it would not be worth keeping; empty where it is. `junk` is the sort that a fact is."""
    if isinstance(offered, Fact):
        limits = [
            ((offered.text,), 1, longest),
            (offered.entities, MOST_ENTITIES, LONGEST_ENTITY),
            (offered.tags, MOST_TAGS, LONGEST_TAG),
        ]
        return _too_long(limits) or junk
    if len(words(offered.problem)) < LEAST_WORDS:
        return "no-problem"
    if len(words(offered.approach)) < LEAST_WORDS:
        return "no-approach"
    if normalised(replace(offered, approach="")) == normalised(
        replace(offered, problem=offered.approach, approach="")
    ):
        return "says-the-same"
    return _too_long([
        ((offered.problem,), 1, LONGEST_PROBLEM),
        ((offered.approach,), 1, LONGEST_APPROACH),
        (offered.cautions, MOST_CAUTIONS, LONGEST_CAUTION),
        (offered.tags, MOST_TAGS, LONGEST_TAG),
        (offered.files, MOST_FILES, LONGEST_FILE),
        ((offered.language or "",), 1, LONGEST_TAG),
    ])


def _too_long(limits: Iterable[tuple[Sequence[str], int, int]]) -> str:
    """The reason if there are more texts, or longer ones, than each of these limits allows."""
    over = (len(t) > most or any(len(text) > longest for text in t) for t, most, longest in limits)
    return "too-long" if any(over) else ""
