"""Which tokens of one statement answer to which of another, and what is left on either side."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from learnt.core.knowledge.numbers import Quantity, alike
from learnt.language.comparison.readings import Statement, Token

Pair = tuple[int, int]
_ANSWERED: Final = 0.5
_SHORTEST_PREFIX: Final = 3
_BY_PARTS, _BY_PREFIX, _BY_ROOT, _LONE_CHARACTER = 0.9, 0.8, 0.7, 0.4
_ROOT_LENGTH, _ROOT_SHARE = 5, 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """Pairs of tokens that answer to each other, by their places.

    `coverage` is how much of each side is answered, by weight; `rest_left` and `rest_right` are the
    tokens that nothing answers to.
    """

    left: Statement
    right: Statement
    pairs: tuple[Pair, ...]
    coverage: tuple[float, float]
    rest_left: tuple[Token, ...]
    rest_right: tuple[Token, ...]

    def tokens(self) -> Iterator[tuple[Token, Token]]:
        """The tokens of each pair."""
        return ((self.left.tokens[a], self.right.tokens[b]) for a, b in self.pairs)


def weight_of(tokens: Iterable[Token]) -> float:
    """How much some tokens tell together."""
    return sum(token.weight for token in tokens)


def weight_of_pairs(pairs: Iterable[tuple[Token, Token]]) -> float:
    """How much some pairs tell together: each as much as the more telling of its two."""
    return sum(max(token.weight, against.weight) for token, against in pairs)


def match(left: Statement, right: Statement) -> Matching:
    """The matching of two readings: each token by its key first, then by parts and by prefixes."""
    answers_left, answers_right = [0.0] * len(left.tokens), [0.0] * len(right.tokens)
    pairs = _by_key(left, right)
    for a, b in pairs:
        answers_left[a] = answers_right[b] = 1.0
    pairs += _by_spelling(left, right, answers_left, answers_right)
    _by_presence(left, right, answers_left)
    _by_presence(right, left, answers_right)
    _weaken_lone(left, answers_left, dict(pairs))
    _weaken_lone(right, answers_right, {b: a for a, b in pairs})
    return Matching(
        left=left,
        right=right,
        pairs=tuple(sorted(pairs)),
        coverage=(_covered(left, answers_left), _covered(right, answers_right)),
        rest_left=_rest(left, answers_left),
        rest_right=_rest(right, answers_right),
    )


def _by_key(left: Statement, right: Statement) -> list[Pair]:
    """Pairs of the same key: of the same sign first, then the next after the last pair."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    numbers: dict[int, Quantity] = {}
    for at, token in enumerate(right.tokens):
        if token.quantity is not None:
            numbers[at] = token.quantity
        else:
            places[token.key].append(at)
    pairs, last = [], -1
    for at, token in enumerate(left.tokens):
        if (quantity := token.quantity) is not None:
            apart = {
                b: abs(quantity.value - other.value)
                for b, other in numbers.items()
                if alike(quantity, other)
            }
            if not apart:
                continue
            best = min(apart, key=apart.__getitem__)
            del numbers[best]
        else:
            free = places[token.key]
            if not free:
                continue
            later = next((b for b in free if b > last), free[0])
            best = next((b for b in free if right.tokens[b].sign == token.sign), later)
            free.remove(best)
        pairs.append((at, best))
        last = best
    return pairs


def _by_spelling(
    left: Statement, right: Statement, answers_left: list[float], answers_right: list[float]
) -> list[Pair]:
    """Pairs of what is spelt alike: a name joined otherwise, a word cut short."""
    pairs = []
    free = [b for b, t in enumerate(right.tokens) if not answers_right[b] and t.kind != "number"]
    for a, token in enumerate(left.tokens):
        if answers_left[a] or token.kind == "number":
            continue
        for b in free:
            if not answers_right[b] and (likeness := _spelt_alike(token, right.tokens[b])):
                pairs.append((a, b))
                answers_left[a] = answers_right[b] = likeness
                break
    return pairs


def _spelt_alike(token: Token, against: Token) -> float:
    if token.kind == "character" or against.kind == "character":
        part = token.key in against.characters or against.key in token.characters
        return _BY_ROOT if part else 0.0
    made_of = token.parts or (token.key,), against.parts or (against.key,)
    if made_of[0] == made_of[1]:
        return 1.0
    if token.key[0] != against.key[0]:
        return 0.0  # most pairs end here
    short, long = sorted((token.key, against.key), key=len)
    if short.replace("_", "") == long.replace("_", "") or short.rstrip("s") == long.rstrip("s"):
        return 1.0
    if token.kind == against.kind == "name":
        return 0.0
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        return _BY_PREFIX
    common = next((at for at, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), 0)
    return _BY_ROOT if common >= _ROOT_LENGTH and common * _ROOT_SHARE >= len(long) else 0.0


def _by_presence(reading: Statement, other: Statement, answered: list[float]) -> None:
    """Names answered by the words they are made of, and repeated tokens by a match elsewhere."""
    present = {token.key for token in other.tokens}
    present.update(part for token in other.tokens for part in token.parts)
    for at, token in enumerate(reading.tokens):
        made_of = len(token.parts) > 1 and present.issuperset(token.parts)
        if not answered[at] and (token.key in present or made_of):
            answered[at] = _BY_PARTS


def _weaken_lone(reading: Statement, answered: list[float], partner: dict[int, int]) -> None:
    """A character of an unspaced script that is answered without its neighbours tells little."""
    for at, other in partner.items():
        if reading.tokens[at].kind != "character":
            continue
        if partner.get(at - 1) != other - 1 and partner.get(at + 1) != other + 1:
            answered[at] = _LONE_CHARACTER


def _rest(reading: Statement, answered: Iterable[float]) -> tuple[Token, ...]:
    return tuple(t for t, much in zip(reading.tokens, answered, strict=True) if much < _ANSWERED)


def _covered(reading: Statement, answered: Iterable[float]) -> float:
    answers = sum(t.weight * much for t, much in zip(reading.tokens, answered, strict=True))
    return answers / (weight_of(reading.tokens) or 1.0)
