"""A statement as the comparison reads it: tokens, each with a key, a weight and a sign."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from learnt.core.knowledge.numbers import Quantity, quantities
from learnt.core.tokens import UNSPACED
from learnt.language.comparison.lists import LONGEST_WORD, Concept, lists
from learnt.language.comparison.orders import spans_of

Stem = Callable[[str], str]
MOST_CHARACTERS: Final = 900
MOST_TOKENS: Final = 160
_SCOPE: Final = 4  # how many tokens a negation of a spaced script reaches
_UNSPACED_SCOPE: Final = 6  # and of an unspaced one, whose tokens are shorter
_DIRECT: Final = 2  # the first tokens after a negation are what it denies
_NAME, _NUMBER, _CAPITAL, _WORD, _CONCEPT, _CHARACTER, _WEAK = 1.6, 1.3, 1.2, 1.0, 0.8, 0.45, 0.4
# The least share of listed words in a text whose language has lists; of all English and Chinese
# texts 1 in 100 has fewer, of German ones, without lists, 19 in 20.
_LEAST_LISTED, _LEAST_LISTED_UNSPACED = 0.3, 0.15

# Cases are spelt out: with IGNORECASE each character of the class is folded when it is compiled.
_LETTER: Final = rf"[^\W{UNSPACED}]"
_PIECE: Final = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    r"|(?P<bound>[.;!?。；！？,:、()（）](?=\s|$|[^\x00-\x7f])|(?<=[^\x00-\x7f])[,:;?!]|[。；！？，：、（）—])"
    r"|(?P<name>--?[A-Za-z](?:[A-Za-z0-9_-])*|[A-Za-z0-9_-]+(?:/[A-Za-z0-9_.*{}-]+)+"
    r"|/[A-Za-z][A-Za-z0-9_./{}-]*|[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::|->)[A-Za-z0-9_]+)+"
    r"|[A-Za-z]+n't\b|can't\b|[A-Za-z]+\d*(?:-[A-Za-z0-9]+)+"
    rf"|{_LETTER}+)"
)
_HUMP: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_TICKED: Final = re.compile(r"`([^`\n]{1,80})`")
_JOINTS: Final = re.compile(r"(::|->|[./=](?=\w))")


@dataclass(slots=True)
class Token:
    """One piece of a statement.

    `key` is what it is matched by and `weight` how much it tells; `place` is where it stands, from
    0 to 1. `kind` is name, word, character or number. `sign` is -1 where it is negated or the
    opposite of its concept; `direct` where the negation stands just before it. `parts` are the
    words within a name, `characters` those of a word of an unspaced script.
    """

    key: str
    kind: str
    weight: float
    place: float
    sign: int = 1
    negated: bool = False
    direct: bool = False
    polar: bool = False
    parts: tuple[str, ...] = ()
    characters: str = ""
    clause: int = 0
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement's tokens in order, and what holds of all of it.

    `contrasts` are its function words that tell two statements apart all the same, sorted;
    `values` are its members of kinds of which a thing has one, without those that are denied;
    `ranks` are EARLY or LATE, by the place of a token of which an order is told. `denies`: a clause
    of it is negated on the whole. `listed`: it is in a language of which there are word lists.
    """

    text: str
    tokens: tuple[Token, ...]
    contrasts: tuple[str, ...]
    values: frozenset[tuple[str, str]]
    denies: bool
    ranks: dict[int, int]
    unspaced: bool
    listed: bool


@lru_cache(maxsize=1024)
def read(text: str, stem: Stem) -> Statement:
    """The reading of a statement.

    >>> [(token.key, token.sign) for token in read("Never delete `t_room`", str).tokens]
    [('remove', -1), ('t_room', -1)]
    """
    plain = unicodedata.normalize("NFKC", text[:MOST_CHARACTERS]).replace("’", "'")
    return _Tokenizer(plain, stem).reading()


class _Tokenizer:
    """Reads one statement from left to right."""

    def __init__(self, text: str, stem: Stem) -> None:
        self.text = text
        self.stem = stem
        self.lists = lists(stem)
        self.tokens: list[Token] = []
        self.reach = 0  # how many more tokens the last negation covers
        self.since = 0  # how many it has covered
        self.clause = 0
        self.negations: Counter[int] = Counter()  # by clause
        self.values: set[tuple[str, str]] = set()
        self.ticked = [match.span() for match in _TICKED.finditer(text)]
        self.words = self.listed = 0
        self.unspaced = False
        self.contrasts: list[str] = []

    def reading(self) -> Statement:
        at = 0
        for quantity in quantities(self.text):
            if self._within_name(quantity):
                continue
            self._pieces(at, quantity.start)
            key = f"#{quantity.value!r}"
            self._put(Token(key, "number", _NUMBER, quantity.start, quantity=quantity))
            at = max(at, quantity.end)
        self._pieces(at, len(self.text))
        ranks = {
            at: rank
            for start, end, rank in spans_of(self.text)
            for at, token in enumerate(self.tokens)
            if start <= token.place < end
        }
        length = max(1, len(self.text))
        for token in self.tokens:
            token.place /= length
        least = _LEAST_LISTED_UNSPACED if self.unspaced else _LEAST_LISTED
        return Statement(
            text=self.text,
            tokens=tuple(self.tokens),
            contrasts=tuple(sorted(self.contrasts)),
            values=frozenset(self.values),
            denies=any(count % 2 for count in self.negations.values()),
            ranks=ranks,
            unspaced=self.unspaced,
            listed=self.listed >= self.words * least,
        )

    def _within_name(self, quantity: Quantity) -> bool:
        """Whether a number is only a part of a name, as in `gpu-02` or `s3://b/2024-01`."""
        before = self.text[max(0, quantity.start - 1) : quantity.start]
        after = self.text[quantity.end : quantity.end + 1]
        if before == "-" or self.text[quantity.start : quantity.start + 1] == "-":
            at = quantity.start - (before == "-")
            before = self.text[max(0, at - 1) : at] or before
            if before.isascii() and before.isalpha():
                return True
        joined = before.isascii() and (before.isalnum() or before in {"_", "/", "@"})
        return bool(before) and (joined or after == "_")

    def _pieces(self, start: int, end: int) -> None:
        at = start
        while at < end and len(self.tokens) < MOST_TOKENS:
            match = _PIECE.search(self.text, at, end)
            if match is None:
                return
            at = match.end()
            if match["unspaced"]:
                self._unspaced(match[0], match.start())
            elif match["bound"]:
                self.reach = 0
                self.clause += 1
            else:
                self._spaced(match[0], match.start())

    def _put(self, token: Token) -> None:
        token.clause = self.clause
        if self.reach > 0:
            token.direct = self.since < _DIRECT
            self.since += 1
            self.reach -= 1
            token.negated = True
            token.sign = -token.sign
        self.tokens.append(token)

    def _negate(self, scope: int) -> None:
        self.negations[self.clause] += 1
        self.reach, self.since = scope, 0

    def _note(self, word: str) -> None:
        if word in self.lists.contrasts:
            self.contrasts.append(word)
        if self.reach <= 0:
            self.values.update(self.lists.values.get(word, ()))

    def _put_concept(self, concept: Concept, start: int, characters: str = "") -> None:
        weight = _WEAK if concept.weak or len(characters) == 1 else _CONCEPT
        name, sign, polar, _ = concept
        self._put(Token(name, "word", weight, start, sign, polar=polar, characters=characters))

    def _spaced(self, piece: str, start: int) -> None:
        low = piece.casefold()
        self._note(low)
        if low in self.lists.negators:
            self.words, self.listed = self.words + 1, self.listed + 1
            self._negate(_SCOPE)
            return
        named = any(a <= start < b for a, b in self.ticked) or _is_name(piece)
        concept = self.lists.concept(low, self.stem)
        shouted = piece.isupper() and concept is not None and concept.polar
        if concept is not None and (not named or shouted or "-" in low):
            self.words, self.listed = self.words + 1, self.listed + 1
            self._put_concept(concept, start)
        elif named:
            self._name(piece, start)
        elif "-" in low and low.partition("-")[0] not in self.lists.negators:  # no-show is a word
            for part in filter(None, low.split("-")):
                self._spaced(part, start)
        elif len(low) > 1 or low.isdigit():
            self._word(piece, low, start)

    def _word(self, piece: str, low: str, start: int) -> None:
        self.words += 1
        if low in self.lists.function_words:
            self.listed += 1
        else:
            beside = bool(self.tokens) and self.tokens[-1].kind == "character"
            weight = _CAPITAL if piece[0].isupper() or beside else _WORD
            self._put(Token(self.stem(low), "word", weight, start))

    def _name(self, piece: str, start: int) -> None:
        """A name, a dotted one as its parts: `orders.status` is `orders` and `status`."""
        offset = 0
        for part in _JOINTS.split(piece):
            bare = part.strip("-*{}").casefold()
            if len(bare) > 1 or bare.isdigit():
                humps = [h.casefold() for h in _HUMP.findall(part) if len(h) > 1 or h.isdigit()]
                parts = tuple(self._part(hump) for hump in humps)
                key = bare.replace("-", "_")
                self._put(Token(key, "name", _NAME, start + offset, parts=parts))
            offset += len(part)

    def _part(self, word: str) -> str:
        concept = self.lists.concept(word, self.stem)
        return concept.name if concept else self.stem(word)

    def _unspaced(self, run: str, start: int) -> None:
        """A run without spaces: listed words by the longest match, the rest by its characters."""
        self.unspaced = True
        at = 0
        while at < len(run) and len(self.tokens) < MOST_TOKENS:
            for length in range(min(LONGEST_WORD, len(run) - at), 0, -1):
                if self._unspaced_word(run[at : at + length], start + at):
                    self.listed += 1
                    break
            else:
                length = 1
                self._put(Token(run[at], "character", _CHARACTER, start + at))
            self.words += 1
            at += length

    def _unspaced_word(self, word: str, start: int) -> bool:
        """Whether a piece is a listed word, which then is taken in."""
        if word in self.lists.values or word in self.lists.contrasts:
            self._note(word)
        if (concept := self.lists.concepts.get(word)) is not None:
            self._put_concept(concept, start, word)
            return True
        if word in self.lists.not_negations:
            return True
        if word in self.lists.negators:
            self._negate(_UNSPACED_SCOPE)
            return True
        if word in self.lists.values and len(word) > 1:
            for offset, character in enumerate(word):
                self._put(Token(character, "character", _CHARACTER, start + offset))
            return True
        return word in self.lists.function_words


@lru_cache(maxsize=4096)
def _is_name(piece: str) -> bool:
    """Whether a piece looks like a name: joints, inner capitals, digits, or all capitals."""
    if any(joint in piece for joint in "_/.") or piece.startswith("-"):
        return True
    if piece.isdigit():
        return False
    return any(c.isupper() for c in piece[1:]) or any(c.isdigit() for c in piece)
