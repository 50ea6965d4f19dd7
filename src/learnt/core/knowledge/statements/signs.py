"""The signs by which two statements agree or clash: each a number that a scorer weighs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.knowledge.statements import lexicon, orders
from learnt.core.knowledge.statements.matching import Matching
from learnt.core.knowledge.statements.readings import Reading, Token
from learnt.core.knowledge.statements.slots import Slots, slots, weight_of
from learnt.core.knowledge.statements.stances import Stances, stances
from learnt.core.knowledge.statements.wording import Wording, wording

_SUBJECT: Final = 0.4  # what stands before this part of a statement names its subject, mostly
Members = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Signs:
    """What is told from a matching. Every field is 0 where there is nothing of it."""

    slots: Slots
    stances: Stances
    wording: Wording
    cover_low: float
    cover_high: float
    names_left_both: float
    numbers_shared: float
    number_clash: float
    opposed: float
    values: float
    scopes: float
    subject_left_both: float
    order_reversed: float
    set_differs: float
    common_run: float
    bigrams: float
    sibling: float
    unrelated: float


def signs(matching: Matching) -> Signs:
    """The signs of a matching."""
    one, other = matching.one, matching.other
    low, high = sorted(matching.coverage())
    left_one, left_other = matching.left_one(), matching.left_other()
    names_one, names_other = _names(left_one), _names(left_other)
    numbers_shared = sum(one.tokens[a].quantity is not None for a, _ in matching.pairs)
    heads = _head(left_one), _head(left_other)
    return Signs(
        slots=slots(matching),
        stances=stances(matching),
        wording=wording(one.text, other.text),
        cover_low=low,
        cover_high=high,
        names_left_both=min(len(names_one), len(names_other), 2) / 2,
        numbers_shared=min(numbers_shared, 2) / 2,
        number_clash=_numbers(left_one, left_other),
        opposed=max(_opposed(matching), _poles_apart(one, other)),
        values=_apart(one.values, other.values),
        scopes=_apart(one.scopes, other.scopes),
        subject_left_both=min(*heads, 3) / 3,
        order_reversed=orders.reversed_order(matching),
        set_differs=orders.other_set(one.text, other.text),
        common_run=_common_run(matching),
        bigrams=_bigrams(one.text, other.text),
        sibling=_sibling(names_one, names_other),
        unrelated=_unrelated(one, other),
    )


def _names(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if token.kind == "name"]


def _head(tokens: Iterable[Token]) -> float:
    return weight_of(token for token in tokens if token.place < _SUBJECT)


def _numbers(left_one: Iterable[Token], left_other: Sequence[Token]) -> float:
    """Whether numbers of one measure differ; by half where only one tells its measure."""
    clash = 0.0
    for quantity in (t.quantity for t in left_one if t.quantity is not None):
        for against in (t.quantity for t in left_other if t.quantity is not None):
            if quantity.measure == against.measure:
                return 1.0
            clash = 0.5 if "" in {quantity.measure, against.measure} else clash
    return clash


def _opposed(matching: Matching) -> float:
    """Opposites of one concept."""
    opposed = 0.0
    for a, b in matching.pairs:
        token, against = matching.one.tokens[a], matching.other.tokens[b]
        if not (token.told and against.told) or token.key != against.key:
            continue
        if token.sign != against.sign and token.polar and token.negated == against.negated:
            opposed += 0.4 + 0.6 * (token.key in lexicon.STRONG)
    return min(opposed, 2) / 2


def _poles_apart(one: Reading, other: Reading) -> float:
    """Concepts that both speak of, always with opposite signs."""
    ours, theirs = _poles(one), _poles(other)
    return min(sum(not ours[key] & theirs[key] for key in ours if key in theirs), 2) / 2


def _poles(reading: Reading) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for token in reading.tokens:
        if token.key in lexicon.STRONG and token.told:
            found.setdefault(token.key, set()).add(token.sign)
    return found


def _apart(ones: Members, others: Members) -> float:
    """Whether both name members of one kind, and none of them the same."""
    kinds = {kind for kind, _ in ones} & {kind for kind, _ in others}
    clash = 0
    for kind in kinds:
        mine = {member for k, member in ones if k == kind}
        theirs = {member for k, member in others if k == kind}
        clash += not mine & theirs
    return min(clash, 2) / 2


def _common_run(matching: Matching) -> float:
    """The longest run of tokens in the same order, of the shorter side."""
    best = run = 0
    last = (-2, -2)
    for pair in matching.pairs:
        run = run + 1 if pair == (last[0] + 1, last[1] + 1) else 1
        best, last = max(best, run), pair
    shorter = min(len(matching.one.tokens), len(matching.other.tokens))
    return best / shorter if shorter else 0.0


def _bigrams(one: str, other: str) -> float:
    ours, theirs = _pairs(one), _pairs(other)
    both = len(ours) + len(theirs)
    return 2 * len(ours & theirs) / both if both else 0.0


def _pairs(text: str) -> set[str]:
    plain = re.sub(r"[\s`]+", "", text.casefold())
    return {plain[i : i + 2] for i in range(len(plain) - 1)}


def _sibling(ours: list[Token], theirs: list[Token]) -> float:
    """Whether names left on both sides share a part: `dim_customer` beside `dim_product`."""
    for one in ours:
        for other in theirs:
            if set(one.parts) & set(other.parts) or one.key[:4] == other.key[:4]:
                return 1.0
    return 0.0


def _unrelated(one: Reading, other: Reading) -> float:
    """Whether one side denies a cause or a cure that the other doesn't deny."""
    ours, theirs = (
        any(t.key in {"cause", "fix"} and t.sign < 0 and t.told for t in r.tokens)
        for r in (one, other)
    )
    return float(ours != theirs)
