"""The features of a pair of statements: numbers by which a classifier tells how they stand."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from learnt.language.comparison.clashes import Clashes, clashes_of, denied_pairs
from learnt.language.comparison.matching import Matching, weight_of, weight_of_pairs
from learnt.language.comparison.readings import Token
from learnt.language.comparison.wording import Wording, wording

_SUBJECT: Final = 0.4  # what stands before this part of a statement names its subject, mostly
_EARLY: Final = 0.35
_LEFT: Final = 0.25  # from this share on, something is left
_MOST_MATCHED, _MOST_LEFT, _MOST_REPLACED, _MOST_IN_CLAUSE = 12.0, 10.0, 3.0, 2.0
_MOST_DENIED, _MOST_DENIED_DIRECTLY, _MOST_SUBJECT = 3.0, 2.0, 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What the classifier weighs, by name, and what else a verdict is told by.

    `rest_words` is the weight of the words left on both sides, the lesser of the two; `cover` how
    alike the texts are by tokens, from 0 to 1. `names_moved`: two names that both speak of stand in
    another order.
    """

    values: dict[str, float]
    clashes: Clashes
    rest_words: float
    cover: float
    names_moved: bool


def features(matching: Matching) -> Features:
    """The features of a matching."""
    shared = wording(matching.left.text, matching.right.text)
    rest_words = _left_on_both(matching, lambda token: token.quantity is None)
    clashes = clashes_of(matching)
    low, high = sorted(matching.coverage)
    rest = _share(_left_on_both(matching, lambda _: True), _MOST_REPLACED)
    values = (
        _of_slots(matching)
        | _of_numbers(matching)
        | _of_clashes(matching, clashes, low, rest)
        | _of_wording(shared, rest, _share(rest_words, _MOST_REPLACED))
    )
    values["common_run"] = _common_run(matching) * min(1.0, rest / _LEFT)
    return Features(
        values=values,
        clashes=clashes,
        rest_words=rest_words,
        cover=(low + high) / 2,
        names_moved=_names_moved(matching),
    )


def _of_slots(matching: Matching) -> dict[str, float]:
    """How much is matched and how much is left, by weight, and where."""
    rests = matching.rest_left, matching.rest_right
    in_subject = weight_of_pairs(
        pair for pair in matching.tokens() if max(token.place for token in pair) < _SUBJECT
    )
    names = min(sum(token.kind == "name" for token in rest) for rest in rests)
    head = _left_on_both(matching, lambda token: token.place < _SUBJECT)
    return {
        "matched": _share(weight_of_pairs(matching.tokens()), _MOST_MATCHED),
        "left_high": _share(max(map(weight_of, rests)), _MOST_LEFT),
        "subject_left_both": _share(head, _MOST_REPLACED),
        "clause_left": _share(_left_in_clause(matching), _MOST_IN_CLAUSE),
        "subject_matched": _share(in_subject, _MOST_SUBJECT),
        "names_left_both": _share(names, 2.0),
    }


def _of_numbers(matching: Matching) -> dict[str, float]:
    """Which numbers both have, and where those stand that only one has.

    One that stands early names the subject, as in `order_status 7 means ...`.
    """
    shared = sum(token.quantity is not None for token, _ in matching.tokens())
    left, right = (
        [token.place for token in rest if token.quantity is not None]
        for rest in (matching.rest_left, matching.rest_right)
    )
    return {
        "numbers_shared": _share(shared, 2.0),
        "number_in_subject": float(max(min(left, default=1), min(right, default=1)) < _EARLY),
        "number_on_one_side": float(bool(left) is not bool(right)),
    }


def _of_clashes(
    matching: Matching, clashes: Clashes, cover: float, rest: float
) -> dict[str, float]:
    """The clashes; some tell more, the more the statements share."""
    directly = weight_of_pairs(
        (token, against)
        for token, against in denied_pairs(matching)
        if token.direct != against.direct
    )
    return {
        "number_clash": clashes.number,
        "order_reversed": clashes.reversed,
        "opposed_shared": clashes.opposites * cover,
        "values_rest": float(clashes.values > 0) * rest,
        "denied_shared": _share(clashes.denied, _MOST_DENIED) * cover,
        "denied_directly": _share(directly, _MOST_DENIED_DIRECTLY),
        "both_deny": float(matching.left.denies and matching.right.denies),
    }


def _of_wording(shared: Wording, rest: float, rest_words: float) -> dict[str, float]:
    """The likeness of the wording.

    Where nothing is left on both sides, a common run speaks for neither; and another number in the
    same words is another value, so that what is replaced counts where words are left.
    """
    words = min(1.0, rest_words / _LEFT)
    return {
        "bigrams": shared.bigrams,
        "words_ratio": shared.ratio,
        "words_moved": shared.moved,
        "words_run": shared.run * min(1.0, rest / _LEFT),
        "words_replaced": shared.replaced * words,
        "words_two_replaced": shared.two_replaced * words,
    }


def _share(amount: float, most: float) -> float:
    return min(amount, most) / most


def _left_on_both(matching: Matching, counts: Callable[[Token], bool]) -> float:
    """The weight of the tokens left that count, on the side that has less of it."""
    rests = matching.rest_left, matching.rest_right
    return min(weight_of(filter(counts, rest)) for rest in rests)


def _common_run(matching: Matching) -> float:
    """The longest run of tokens in the same order, as a share of the shorter side."""
    best = run = 0
    last = (-2, -2)
    for pair in matching.pairs:
        run = run + 1 if pair == (last[0] + 1, last[1] + 1) else 1
        best, last = max(best, run), pair
    return best / min(len(matching.left.tokens), len(matching.right.tokens))


def _names_moved(matching: Matching) -> bool:
    left, right = matching.left.tokens, matching.right.tokens
    places = [b for a, b in matching.pairs if left[a].kind == right[b].kind == "name"]
    return any(b > after for b, after in pairwise(places))


def _left_in_clause(matching: Matching) -> float:
    """What is left on both sides of the two clauses that answer to each other best, by weight."""
    shared: defaultdict[tuple[int, int], float] = defaultdict(float)
    for token, against in matching.tokens():
        shared[token.clause, against.clause] += max(token.weight, against.weight)
    sizes, others = _by_clause(matching.left.tokens), _by_clause(matching.right.tokens)
    best = max(shared, key=lambda key: shared[key] / (max(sizes[key[0]], others[key[1]]) + 1.0))
    rests = _by_clause(matching.rest_left)[best[0]], _by_clause(matching.rest_right)[best[1]]
    return min(rests)


def _by_clause(tokens: Iterable[Token]) -> defaultdict[int, float]:
    weights: defaultdict[int, float] = defaultdict(float)
    for token in tokens:
        weights[token.clause] += token.weight
    return weights
