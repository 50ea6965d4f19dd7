"""The gates in front of every entry: rules and retrieval, no model, each with its reason.

Seed 000's five, value, alignment, redundancy, freshness and placement, and safety behind the
first. "Do nothing" is the expected answer to most of what is offered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from learnt.core.address import Address, unsafe
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Fact, Offered, Solution, normalised
from learnt.core.knowledge.relations import Comparison, Relation
from learnt.core.knowledge.standing import CREDIBLE
from learnt.core.knowledge.vocabulary import OWN, Vocabulary
from learnt.core.knowledge.worth import VOUCHED, WORTHLESS, Worth
from learnt.core.tokens import words

GATES: Final = ("value", "safety", "alignment", "redundancy", "freshness", "placement")
LEAST_WORDS: Final = 2
LONGEST_FACT: Final = 500
LONGEST_PROBLEM: Final = 500
LONGEST_APPROACH: Final = 2_000
MOST_CAUTIONS, LONGEST_CAUTION = 10, 500
MOST_TAGS, LONGEST_TAG = 20, 60
MOST_FILES, LONGEST_FILE = 20, 300
MOST_ENTITIES, LONGEST_ENTITY = 20, 120
NEAR_ENOUGH: Final = 0.16  # likeness: what hardly speaks of the same is not put right by it
FLEETING: Final = frozenset({"data_range", "data_snapshot"})  # seed 000: prefer rejection

REASONS: Final = {
    "no-problem": "it names no problem: two meaningful words at least",
    "no-approach": "it gives no approach: two meaningful words at least",
    "too-long": "it is too long for one entry: split it",
    "says-the-same": "the approach only repeats the problem",
    "hidden-text": "it holds characters that a reader cannot see",
    "hidden-instruction": "it tries to command the agent that will read it",
    "pipe-to-shell": "it runs a download unread",
    "duplicate": "the same is already remembered",
    "contradicts": "it contradicts what is trusted: check it, or ask the user, then say so",
    "fades-at-once": "such data changes within days: look it up when it is needed",
    **WORTHLESS,
}


@dataclass(frozen=True, slots=True)
class Admit:
    """It may be remembered; a fact in its `topic`."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Merge:
    """It is one already: that one gains a confirmation."""

    into: EntryId


@dataclass(frozen=True, slots=True)
class Correct:
    """It takes the place of an entry that it contradicts; `reason` is the alignment's."""

    entry: EntryId
    reason: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Reject:
    """It stays out: which gate said so, and the reason's name in REASONS.

    `against` is the entry that it contradicts.
    """

    gate: str
    reason: str
    against: EntryId | None = None


Decision = Admit | Merge | Correct | Reject


@dataclass(frozen=True, slots=True)
class Passage:
    """What one gate said: why, and of which entry."""

    gate: str
    verdict: Literal["pass", "merge", "correct", "reject"]
    reason: str = ""
    entry: EntryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """An entry near to what is offered: a fact's text, or a solution's problem and approach.

    `trusted`: validated, and of a confidence to match; `here`: of the scope of what is offered,
    not of a wider one, which one project's exception does not put right; `persons`: validated, and
    a person's own, or a rule that only a person may change.
    """

    id: EntryId
    text: str
    approach: str = ""
    trusted: bool = False
    fact: bool = True
    here: bool = True
    persons: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Voucher:
    """Who vouches for an offer: how far believed, in thousandths, and whether it is a person.

    A person who `insisted` knows better what it is worth, and nothing else.
    """

    credibility: int
    person: bool = False
    insisted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The decision, what each gate said on the way, and the entries it was not sure about."""

    decision: Decision
    passages: tuple[Passage, ...]
    unsure: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """An entry near to an offer, and how the offer stands to it.

    `judged` is what a judge said where the comparison was not certain; None where none was asked.
    """

    known: Neighbour
    comparison: Comparison
    judged: Relation | None = None


def decide(
    offered: Offered,
    by: Voucher,
    same: EntryId | None,
    near: Sequence[Compared],
    *,
    worth: Worth,
    address: Address,
    kinds: Vocabulary = OWN,
) -> Ruling:
    """What becomes of an offer, by the first gate that does not let it pass.

    `same` is the entry of the same normalised text; `near` are the nearest entries, the nearest
    first; `worth` is that of a fact's text, `address` whom its texts speak to; `kinds` say in which
    layer a fact belongs.
    """
    credible = by.credibility >= CREDIBLE
    value = _without_value(offered, worth.rejected(VOUCHED if credible else 0.0))
    passages: list[Passage] = []
    for gate, reason in (("value", value), ("safety", _unsafe(offered, address))):
        if reason and not (by.insisted and reason in WORTHLESS):
            refused = Passage(gate, "reject", reason)
            return Ruling(decision=Reject(gate, reason), passages=(*passages, refused))
        passages.append(Passage(gate, "pass", reason))
    compared, unsure = _compared(offered, near)
    # What is merged is not kept, and what is put right loses its place: only without a doubt.
    sure = [(known, said) for known, said in compared if said.certain]
    if same is None:
        same = next((known.id for known, said in sure if said.relation is Relation.DUPLICATE), None)
    opposed = [
        (known, said)
        for known, said in sure
        if said.relation is Relation.CONTRADICTION and known.here and said.likeness >= NEAR_ENOUGH
    ]
    against = opposed[0] if opposed else None
    if same is None and against is not None:
        known, found = against
        held = known.persons or (known.trusted and not credible)
        if held and not by.person:
            passages.append(Passage("alignment", "reject", found.reason, known.id))
            refusal = Reject("alignment", "contradicts", known.id)
            return Ruling(decision=refusal, passages=tuple(passages), unsure=unsure)
        passages.append(Passage("alignment", "correct", found.reason, known.id))
        put_right = Correct(known.id, found.reason, _topic(offered, kinds))
        return Ruling(decision=put_right, passages=tuple(passages), unsure=unsure)
    passages.append(Passage("alignment", "pass"))
    if same is not None:
        passages.append(Passage("redundancy", "merge", "duplicate", same))
        return Ruling(decision=Merge(same), passages=tuple(passages), unsure=unsure)
    passages.append(Passage("redundancy", "pass"))
    if offered.kind in FLEETING and not credible:
        passages.append(Passage("freshness", "reject", "fades-at-once"))
        refusal = Reject("freshness", "fades-at-once")
        return Ruling(decision=refusal, passages=tuple(passages), unsure=unsure)
    topic = _topic(offered, kinds)
    passages += [Passage("freshness", "pass", offered.kind), Passage("placement", "pass", topic)]
    return Ruling(decision=Admit(topic), passages=tuple(passages), unsure=unsure)


def _topic(offered: Offered, kinds: Vocabulary) -> str:
    return kinds.layer(offered.kind, offered.text) if isinstance(offered, Fact) else ""


def _compared(
    offered: Offered, near: Sequence[Compared]
) -> tuple[list[tuple[Neighbour, Comparison]], tuple[EntryId, ...]]:
    """The neighbours of the offer's form, the likest first; and those that rules leave open."""
    comparisons, unsure = [], []
    for neighbour in near:
        known, comparison = neighbour.known, neighbour.comparison
        if known.fact is not isinstance(offered, Fact):
            continue
        if not comparison.certain:
            unsure.append(known.id)
            if neighbour.judged is not None:
                comparison = Comparison(neighbour.judged, "judged", comparison.likeness)
        if isinstance(offered, Solution) and comparison.relation is Relation.CONTRADICTION:
            continue  # a judge may say so, but one problem may have many approaches
        comparisons.append((known, comparison))
    comparisons.sort(key=lambda pair: -pair[1].likeness)
    return comparisons, tuple(unsure)


def both_halves(problem: Comparison, approach: Comparison) -> Comparison:
    """How a solution stands to another: the same in problem and approach, or not at all."""
    halves = (problem, approach)
    same = all(half.relation is Relation.DUPLICATE for half in halves)
    return Comparison(
        Relation.DUPLICATE if same else Relation.DISTINCT,
        likeness=min(half.likeness for half in halves),
        certain=all(half.certain for half in halves) or any(_apart(half) for half in halves),
        judged=any(half.judged for half in halves),
    )


def _apart(half: Comparison) -> bool:
    return half.certain and half.relation is not Relation.DUPLICATE


def unfit(offered: Offered, address: Address) -> str:
    """Why a text that a person vouches for can't be kept all the same; empty where it can."""
    return _unsafe(offered, address) or _without_value(offered, "")


def _unsafe(offered: Offered, address: Address) -> str:
    """Why no agent may see it: hidden text, commands to it, an unread download; empty if it may."""
    return unsafe("\n".join(offered.texts), address)


def _without_value(offered: Offered, junk: str) -> str:
    """Why it would not be worth keeping; empty where it is. `junk` is the sort that a fact is."""
    if isinstance(offered, Fact):
        too_long = (
            len(offered.text) > LONGEST_FACT
            or _too_many(offered.entities, MOST_ENTITIES, LONGEST_ENTITY)
            or _too_many(offered.tags, MOST_TAGS, LONGEST_TAG)
        )
        return junk or ("too-long" if too_long else "")
    if len(words(offered.problem)) < LEAST_WORDS:
        return "no-problem"
    if len(words(offered.approach)) < LEAST_WORDS:
        return "no-approach"
    if normalised(Solution(problem=offered.problem, approach="")) == normalised(
        Solution(problem=offered.approach, approach="")
    ):
        return "says-the-same"
    too_long = (
        len(offered.problem) > LONGEST_PROBLEM
        or len(offered.approach) > LONGEST_APPROACH
        or _too_many(offered.cautions, MOST_CAUTIONS, LONGEST_CAUTION)
        or _too_many(offered.tags, MOST_TAGS, LONGEST_TAG)
        or _too_many(offered.files, MOST_FILES, LONGEST_FILE)
        or len(offered.language or "") > LONGEST_TAG
    )
    return "too-long" if too_long else ""


def _too_many(texts: Sequence[str], most: int, longest: int) -> bool:
    return len(texts) > most or any(len(text) > longest for text in texts)
