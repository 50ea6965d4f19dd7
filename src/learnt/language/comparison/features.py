"""The features of a pair of statements: numbers by which a classifier tells how they stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from learnt.language.comparison.clashes import Clashes, clashes_of, denied_pairs
from learnt.language.comparison.matching import Matching, Pair, weight_of
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

    `rest_words` is the weight of the words left on both sides, the lesser of the two; `letters`
    how alike the texts are by pairs of letters, and `cover` by tokens, both from 0 to 1.
    `names_moved`: two names that both speak of stand in another order.
    """

    values: dict[str, float]
    clashes: Clashes
    rest_words: float
    letters: float
    cover: float
    names_moved: bool


def features(matching: Matching) -> Features:
    """The features of a matching."""
    shared = wording(matching.left.text, matching.right.text)
    rest_left, rest_right = matching.rest_left, matching.rest_right
    rest_words = min(weight_of(_wordy(rest_left)), weight_of(_wordy(rest_right)))
    clashes = clashes_of(matching)
    low, high = sorted(matching.coverage())
    rest = _share(min(weight_of(rest_left), weight_of(rest_right)), _MOST_REPLACED)
    values = (
        _of_slots(matching, rest_left, rest_right)
        | _of_numbers(matching, rest_left, rest_right)
        | _of_clashes(matching, clashes, low, rest)
        | _of_wording(shared, rest, _share(rest_words, _MOST_REPLACED))
    )
    values["common_run"] = _common_run(matching) * min(1.0, rest / _LEFT)
    return Features(
        values=values,
        clashes=clashes,
        rest_words=rest_words,
        letters=shared.bigrams,
        cover=(low + high) / 2,
        names_moved=_names_moved(matching),
    )


def _of_slots(
    matching: Matching, rest_left: Sequence[Token], rest_right: Sequence[Token]
) -> dict[str, float]:
    """How much is matched and how much is left, by weight, and where."""
    heads = (_head(rest_left), _head(rest_right))
    return {
        "matched": _share(sum(map(matching.weight, matching.pairs)), _MOST_MATCHED),
        "left_high": _share(max(weight_of(rest_left), weight_of(rest_right)), _MOST_LEFT),
        "subject_left_both": _share(min(heads), _MOST_REPLACED),
        "clause_left": _share(_left_in_clause(matching), _MOST_IN_CLAUSE),
        "subject_matched": _share(_matched_subject(matching), _MOST_SUBJECT),
        "names_left_both": _share(min(_names(rest_left), _names(rest_right)), 2.0),
    }


def _of_numbers(
    matching: Matching, rest_left: Sequence[Token], rest_right: Sequence[Token]
) -> dict[str, float]:
    """Which numbers both have, and where those stand that only one has."""
    shared = sum(matching.left.tokens[a].quantity is not None for a, _ in matching.pairs)
    left, right = _numbers(rest_left), _numbers(rest_right)
    return {
        "numbers_shared": _share(shared, 2.0),
        "number_in_subject": float(_in_subject(left) and _in_subject(right)),
        "number_on_one_side": float(bool(left) is not bool(right)),
    }


def _of_clashes(
    matching: Matching, clashes: Clashes, cover: float, rest: float
) -> dict[str, float]:
    """The clashes; some tell more, the more the statements share."""
    left, right = matching.left, matching.right
    return {
        "number_clash": clashes.number,
        "order_reversed": clashes.reversed,
        "opposed_shared": clashes.opposites * cover,
        "values_rest": float(clashes.values > 0) * rest,
        "denied_shared": _share(clashes.denied, _MOST_DENIED) * cover,
        "denied_directly": _share(_denied_directly(matching), _MOST_DENIED_DIRECTLY),
        "both_deny": float(bool(left.denied) and bool(right.denied)),
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


def _wordy(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if token.quantity is None]


def _head(tokens: Iterable[Token]) -> float:
    return weight_of(token for token in tokens if token.place < _SUBJECT)


def _numbers(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if token.quantity is not None]


def _in_subject(tokens: Iterable[Token]) -> bool:
    """Whether the first of some tokens names the subject, as `order_status 7 means ...`."""
    return any(token.place < _EARLY for token in tokens)


def _names(tokens: Iterable[Token]) -> int:
    return sum(token.kind == "name" for token in tokens)


def _matched_subject(matching: Matching) -> float:
    """The weight of the pairs that stand in the subject on both sides."""
    left, right = matching.left.tokens, matching.right.tokens
    return sum(
        matching.weight((a, b))
        for a, b in matching.pairs
        if left[a].place < _SUBJECT and right[b].place < _SUBJECT
    )


def _denied_directly(matching: Matching) -> float:
    left, right = matching.left.tokens, matching.right.tokens
    return sum(
        matching.weight((a, b))
        for a, b in denied_pairs(matching)
        if left[a].direct != right[b].direct
    )


def _common_run(matching: Matching) -> float:
    """The longest run of tokens in the same order, as a share of the shorter side."""
    best = run = 0
    last = (-2, -2)
    for pair in matching.pairs:
        run = run + 1 if pair == (last[0] + 1, last[1] + 1) else 1
        best, last = max(best, run), pair
    shorter = min(len(matching.left.tokens), len(matching.right.tokens))
    return best / shorter if shorter else 0.0


def _names_moved(matching: Matching) -> bool:
    left, right = matching.left.tokens, matching.right.tokens
    places = [b for a, b in matching.pairs if left[a].kind == right[b].kind == "name"]
    return any(b > after for b, after in pairwise(places))


def _left_in_clause(matching: Matching) -> float:
    """What is left on both sides of the two clauses that answer to each other best, by weight."""
    left, right = matching.left.tokens, matching.right.tokens
    shared: dict[Pair, float] = {}
    for a, b in matching.pairs:
        key = left[a].clause, right[b].clause
        shared[key] = shared.get(key, 0.0) + matching.weight((a, b))
    if not shared:
        return 0.0
    sizes, others = _by_clause(left), _by_clause(right)
    best = max(shared, key=lambda key: shared[key] / (max(sizes[key[0]], others[key[1]]) + 1.0))
    return min(
        weight_of(token for token in matching.rest_left if token.clause == best[0]),
        weight_of(token for token in matching.rest_right if token.clause == best[1]),
    )


def _by_clause(tokens: Iterable[Token]) -> dict[int, float]:
    sizes: dict[int, float] = {}
    for token in tokens:
        sizes[token.clause] = sizes.get(token.clause, 0.0) + token.weight
    return sizes
