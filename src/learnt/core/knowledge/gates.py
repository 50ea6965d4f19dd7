"""The gates in front of every entry: rules and retrieval, no model, each with its reason.

Seed 000's five, value, alignment, redundancy, freshness and placement, and safety behind the
first. "Do nothing" is the expected answer to most of what is offered.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from learnt.core.address import Commanded, unsafe
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import LONGEST_ENTITY, Fact, Offered, Solution, normalised
from learnt.core.knowledge.placement import OWN, Vocabulary
from learnt.core.knowledge.relations import Comparison, Relation
from learnt.core.knowledge.standing import CREDIBLE
from learnt.core.knowledge.worth import VOUCHED, WORTHLESS, Worth
from learnt.core.marked import LONGEST_OWN
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
# From how probable a contradiction, and how like each other, two facts are in dispute: by what
# speaks for it, and where a person puts one right.
BY_CLASH, BY_CORRECTION = (0.3, 0.2), (0.1, 0.2)
DISPUTED: Final = {"wording": (0.65, 0.33), "negation": (0.3, 0.33)}
NEAR_ENOUGH: Final = 0.16  # likeness: what hardly speaks of the same is not put right by it
# Whether it is too general is a person's to say, and of their own words all that they are worth:
# the reason is shown, and no more.
PERSONS_OWN: Final = frozenset({"general", "vague", "transient", "obvious"})
FLEETING: Final = frozenset({"data_range", "data_snapshot"})  # seed 000: prefer rejection

# A person may keep these for themselves: no agent is ever shown them.
HELD: Final = {
    "hidden-instruction": "it tries to command the agent that will read it",
    "forged-frame": "it looks like Learnt's own lines, or like turns of a conversation",
    "pipe-to-shell": "it runs a download unread",
    "harmful-command": "it has its reader run what harms",
}
REASONS: Final = {
    "no-problem": "it names no problem: two meaningful words at least",
    "no-approach": "it gives no approach: two meaningful words at least",
    "too-long": "it is too long for one entry: split it",
    "says-the-same": "the approach only repeats the problem",
    "hidden-text": "it holds characters that a reader cannot see",
    **HELD,
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
    """It stays out: the gate, a reason's name in REASONS, and the entry that it contradicts."""

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
    """Who vouches for an offer; a person who `insisted` knows what it is worth, and no more.

    `corrects`: it was said to put something right; `own`: they are that person's own words.
    `marked`: typed behind a marker, so that it is kept whatever it is worth; `waits`: a person has
    yet to look at it, so that it speaks against nothing.
    """

    credibility: int  # thousandths
    person: bool = False
    insisted: bool = False
    corrects: bool = False
    own: bool = False
    marked: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The decision, what each gate said on the way, and the entries it was not sure about.

    `disputes` are those of them with which it may not hold together.
    """

    decision: Decision
    passages: tuple[Passage, ...]
    unsure: tuple[EntryId, ...] = ()
    disputes: tuple[EntryId, ...] = ()

    @property
    def doubt(self) -> str:
        """What the first gate had against it and let pass, since a person says it; else empty."""
        passed = (each for each in self.passages if each.verdict == "pass")
        return next((each.reason for each in passed if each.gate == "value"), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """An entry near to an offer; `judged` is the agent's word where rules are not certain."""

    entry: Neighbour
    comparison: Comparison
    judged: Relation | None = None


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

    `same` is the entry of the same normalised text; `near` are the nearest entries, the nearest
    first; `worth` is that of a fact's text, `said` how far its texts command their reader; `kinds`
    say in which layer a fact belongs.
    """
    credible = by.credibility >= CREDIBLE
    passages: list[Passage] = []
    unsure: tuple[EntryId, ...] = ()
    disputes: tuple[EntryId, ...] = ()

    def ruling(decision: Decision, *last: Passage) -> Ruling:
        return Ruling(
            decision=decision, passages=(*passages, *last), unsure=unsure, disputes=disputes
        )

    junk = "" if by.marked else worth.rejected(VOUCHED if credible else 0.0)
    value = _without_value(offered, junk, LONGEST_OWN if by.own or by.marked else LONGEST_FACT)
    for gate, reason in (("value", value), ("safety", unsafe("\n".join(offered.texts), said))):
        vouched = by.insisted and reason in {**WORTHLESS, **HELD}
        persons = by.person and reason in (WORTHLESS if by.own else PERSONS_OWN)
        if reason and not (vouched or (persons and words("\n".join(offered.texts)))):
            return ruling(Reject(gate, reason), Passage(gate, "reject", reason))
        passages.append(Passage(gate, "pass", reason))
    pairs, unsure = ([], ()) if by.waits else _compared(offered, near)
    disputes = () if by.waits else tuple(_disputed(offered, near, corrects=by.corrects))
    # What is merged is not kept, and what is put right loses its place: only without a doubt.
    sure = [(entry, verdict) for entry, verdict in pairs if verdict.certain]
    if same is None and not by.marked:  # those are kept as they are
        duplicates = (e.id for e, verdict in sure if verdict.relation is Relation.DUPLICATE)
        same = next(duplicates, None)
    if same is not None:
        passages.append(Passage("alignment", "pass"))
        return ruling(Merge(same), Passage("redundancy", "merge", "duplicate", same))
    topic = kinds.layer(offered.kind, offered.text) if isinstance(offered, Fact) else ""
    for entry, verdict in sure:
        opposed = verdict.relation is Relation.CONTRADICTION and entry.here
        if not opposed or verdict.likeness < NEAR_ENOUGH:
            continue
        if (entry.persons or (entry.trusted and not credible)) and not by.person:
            refused = Passage("alignment", "reject", verdict.reason, entry.id)
            return ruling(Reject("alignment", "contradicts", entry.id), refused)
        corrected = Passage("alignment", "correct", verdict.reason, entry.id)
        return ruling(Correct(entry.id, verdict.reason, topic), corrected)
    passages += [Passage("alignment", "pass"), Passage("redundancy", "pass")]
    if offered.kind in FLEETING and not credible:
        fades = "fades-at-once"
        return ruling(Reject("freshness", fades), Passage("freshness", "reject", fades))
    passages.append(Passage("freshness", "pass", offered.kind))
    return ruling(Admit(topic), Passage("placement", "pass", topic))


def _compared(
    offered: Offered, near: Sequence[Compared]
) -> tuple[list[tuple[Neighbour, Comparison]], tuple[EntryId, ...]]:
    """The neighbours of the offer's form, the likest first; and those that rules leave open."""
    comparisons, unsure = [], []
    for neighbour in near:
        entry, comparison = neighbour.entry, neighbour.comparison
        if entry.fact is not isinstance(offered, Fact):
            continue
        if not comparison.certain:
            unsure.append(entry.id)
            if neighbour.judged is not None:
                comparison = Comparison(neighbour.judged, "judged", comparison.likeness)
        if isinstance(offered, Solution) and comparison.relation is Relation.CONTRADICTION:
            continue  # a judge may say so, but one problem may have many approaches
        comparisons.append((entry, comparison))
    comparisons.sort(key=lambda pair: -pair[1].likeness)
    return comparisons, tuple(unsure)


def _disputed(offered: Offered, near: Sequence[Compared], *, corrects: bool) -> Iterable[EntryId]:
    """The facts of the same scope that may contradict an offered one, where nobody judged."""
    for each in near:
        facts = isinstance(offered, Fact) and each.entry.fact and each.entry.here
        compared = each.comparison
        if not facts or each.judged is not None:
            continue
        doubt, likeness = BY_CORRECTION if corrects else DISPUTED.get(compared.clash, BY_CLASH)
        unsure = not compared.certain or (corrects and compared.relation is Relation.DISTINCT)
        if unsure and compared.doubt >= doubt and compared.likeness >= likeness:
            yield each.entry.id


def both_halves(problem: Comparison, approach: Comparison) -> Comparison:
    """How a solution stands to another: the same in problem and approach, or not at all."""
    halves = (problem, approach)
    same = all(half.relation is Relation.DUPLICATE for half in halves)
    return Comparison(
        Relation.DUPLICATE if same else Relation.DISTINCT,
        likeness=min(half.likeness for half in halves),
        certain=all(half.certain for half in halves)
        or any(half.certain and half.relation is not Relation.DUPLICATE for half in halves),
    )


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
