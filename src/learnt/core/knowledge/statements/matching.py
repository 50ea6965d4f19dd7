"""Which tokens of one statement answer to which of another, and what is left on either side."""

from collections.abc import Iterable
from dataclasses import dataclass

from learnt.core.knowledge.statements.numbers import alike
from learnt.core.knowledge.statements.readings import Reading, Token

_SHORTEST_PREFIX = 3
_OF_KIN = 0.8


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of tokens that answer to each other, how well each is answered, and the two sides."""

    one: Reading
    other: Reading
    pairs: tuple[tuple[int, int], ...]
    answered_one: tuple[float, ...]
    answered_other: tuple[float, ...]

    def left_one(self) -> list[Token]:
        """The tokens of the one that nothing answers to."""
        return _left(self.one, self.answered_one)

    def left_other(self) -> list[Token]:
        """The tokens of the other that nothing answers to."""
        return _left(self.other, self.answered_other)

    def coverage(self) -> tuple[float, float]:
        """How much of each side is answered, by weight."""
        return _covered(self.one, self.answered_one), _covered(self.other, self.answered_other)


def match(one: Reading, other: Reading) -> Matching:
    """The matching of two readings: each token by its key first, then by parts and by prefixes."""
    first, second = [0.0] * len(one.tokens), [0.0] * len(other.tokens)
    pairs = _by_key(one, other, first, second)
    pairs += _softly(one, other, first, second)
    _by_presence(one, other, first)
    _by_presence(other, one, second)
    _weaken_lone(one, first, pairs, side=0)
    _weaken_lone(other, second, pairs, side=1)
    return Matching(one, other, tuple(sorted(pairs)), tuple(first), tuple(second))


def _by_key(
    one: Reading, other: Reading, first: list[float], second: list[float]
) -> list[tuple[int, int]]:
    """Pairs of the same key, the nearest after the last pair preferred; numbers by their value."""
    places: dict[str, list[int]] = {}
    numbers = []
    for at, token in enumerate(other.tokens):
        if token.quantity is not None:
            numbers.append(at)
        else:
            places.setdefault(token.key, []).append(at)
    pairs, last = [], -1
    for at, token in enumerate(one.tokens):
        if token.quantity is not None:
            close = [n for n in numbers if _same_number(token, other.tokens[n])]
            found = min(close, key=lambda n: _distance(token, other.tokens[n]), default=None)
            if found is not None:
                numbers.remove(found)
        else:
            places_left = places.get(token.key)
            if not places_left:
                continue
            found = next((n for n in places_left if n > last), places_left[0])
            # One of the same sign answers better than the nearest.
            found = next((n for n in places_left if other.tokens[n].sign == token.sign), found)
            places_left.remove(found)
        if found is not None:
            pairs.append((at, found))
            first[at] = second[found] = 1.0
            last = found
    return pairs


def _same_number(token: Token, candidate: Token) -> bool:
    quantity, against = token.quantity, candidate.quantity
    return quantity is not None and against is not None and alike(quantity, against)


def _distance(token: Token, candidate: Token) -> float:
    if token.quantity is None or candidate.quantity is None:
        return 0.0
    return abs(token.quantity.value - candidate.quantity.value)


def _softly(
    one: Reading, other: Reading, first: list[float], second: list[float]
) -> list[tuple[int, int]]:
    """Pairs of what is spelt alike: a name joined otherwise, a word cut short."""
    pairs = []
    free = [n for n, t in enumerate(other.tokens) if not second[n] and t.kind in {"name", "word"}]
    for at, token in enumerate(one.tokens):
        if first[at] or token.kind not in {"name", "word"}:
            continue
        for n in free:
            if second[n] == 0.0 and (likeness := _spelt_alike(token, other.tokens[n])):
                pairs.append((at, n))
                first[at] = second[n] = likeness
                break
    return pairs


def _spelt_alike(token: Token, candidate: Token) -> float:
    if token.kin & candidate.kin:
        return _OF_KIN
    if token.parts and token.parts == candidate.parts:
        return 1.0
    if (len(token.parts) == 1 and token.parts[0] == candidate.key) or (
        len(candidate.parts) == 1 and candidate.parts[0] == token.key
    ):
        return 1.0
    short, long = sorted((token.key, candidate.key), key=len)
    if short.replace("_", "") == long.replace("_", ""):
        return 1.0
    if long.rstrip("s") == short.rstrip("s"):
        return 1.0
    if token.kind == candidate.kind == "name":
        return 0.0
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        return 0.8
    common = 0
    for x, y in zip(short, long, strict=False):
        if x != y:
            break
        common += 1
    return 0.7 if common >= 5 and common * 1.6 >= len(long) else 0.0


def _by_presence(one: Reading, other: Reading, answered: list[float]) -> None:
    """Names answered by the words they are made of, and repeated tokens by a match elsewhere."""
    present = {token.key for token in other.tokens}
    present.update(part for token in other.tokens for part in token.parts)
    for at, token in enumerate(one.tokens):
        if answered[at]:
            continue
        if token.key in present:
            answered[at] = 0.9
        elif token.parts and len(token.parts) > 1:
            share = sum(part in present for part in token.parts) / len(token.parts)
            answered[at] = 0.9 if share == 1.0 else 0.0


def _weaken_lone(
    reading: Reading, answered: list[float], pairs: list[tuple[int, int]], *, side: int
) -> None:
    """A single Chinese character that is answered without its neighbours tells little."""
    partner = {pair[side]: pair[1 - side] for pair in pairs}
    for at, token in enumerate(reading.tokens):
        if token.kind != "han" or at not in partner:
            continue
        beside = (partner.get(at - 1) == partner[at] - 1) or (
            partner.get(at + 1) == partner[at] + 1
        )  # fmt: skip
        if not beside:
            answered[at] = 0.4


def _left(reading: Reading, answered: Iterable[float]) -> list[Token]:
    return [t for t, much in zip(reading.tokens, answered, strict=True) if much < 0.5]


def _covered(reading: Reading, answered: Iterable[float]) -> float:
    total = sum(token.weight for token in reading.tokens)
    if not total:
        return 0.0
    got = sum(t.weight * much for t, much in zip(reading.tokens, answered, strict=True))
    return got / total
