"""A statement as the comparison sees it: its tokens, each with a key, a weight and a sign."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from learnt.core.knowledge.statements import chinese, english, lexicon
from learnt.core.knowledge.statements.numbers import Quantity, quantities
from learnt.core.tokens import STOP_WORDS, UNSPACED

Stem = Callable[[str], str]
MOST_CHARACTERS: Final = 900
MOST_TOKENS: Final = 160
_SCOPE: Final = 4  # how many tokens an English negation reaches
_HAN_SCOPE: Final = 6  # and a Chinese one, whose tokens are shorter
_NAME_WEIGHT, _NUMBER_WEIGHT, _CONCEPT_WEIGHT = 1.6, 1.3, 0.8
_WEAK_WEIGHT, _LIGHT_WEIGHT = 0.4, 0.2
_HAN_WEIGHT, _LIGHT_HAN_WEIGHT = 0.45, 0.25

_PIECE: Final = re.compile(
    rf"(?P<han>[{UNSPACED}]+)"
    r"|(?P<end>[.;!?。；！？](?=\s|$|[^\x00-\x7f])|[。；！？])"
    r"|(?P<bound>[,:、()（）](?=\s|$|[^\x00-\x7f])|(?<=[^\x00-\x7f])[,:;?!]|[，：、（）—])"
    r"|(?P<name>--?[a-z][\w-]*|[\w-]+(?:/[\w.*{}-]+)+|/[a-z][\w./{}-]*"
    r"|[^\W\d]\w*(?:(?:\.|::|->)\w+)+|\w*_\w+|[a-z]+n't\b|can't\b|[a-z]+\d*(?:-[a-z0-9]+)+|\w+)",
    re.IGNORECASE | re.ASCII,
)
_HUMP: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_TICKED: Final = re.compile(r"`([^`\n]{1,80})`")
_JOINTS: Final = re.compile(r"(::|->|[./=](?=\w))")
# What isn't done before something else is done after it: the negation negates nothing.
_SPACES: Final = re.compile(r"[a-z] (?=[a-z])", re.IGNORECASE)
_MOST_LETTERS: Final = 20
_SENTENCE: Final = re.compile(r"[^.;。;；]+")
_HEDGED: Final = re.compile(
    r"\b(?:never|not|no|cannot|\w+n't|nobody|none)\b.*\b(?:before|until|unless|without)\b"
    r"|[不没未无].{1,20}?(?:就不|不能|无法|不许|不得|不准)",
    re.IGNORECASE | re.DOTALL,
)
_TIMES: Final = frozenset("if when whenever once where 如果 若 的话".split())


@dataclass(slots=True)
class Token:
    """One piece of a statement.

    `key` is what it is matched by, `weight` how much it tells, `sign` is -1 where it is negated or
    the opposite of its concept; `parts` are the words within a name; `kind` is name, word, han or
    number. What stands in a condition is not `told`.
    """

    key: str
    kind: str
    weight: float
    place: float
    sign: int = 1
    negated: bool = False
    direct: bool = False
    told: bool = True
    polar: bool = False
    parts: tuple[str, ...] = ()
    clause: int = 0
    kin: frozenset[int] = lexicon.NO_KIN
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement's tokens in order, and what is noted over the whole of it.

    `values` are the members of kinds of which a thing has one, with those that are denied left
    out; `scopes` are stages, platforms and the like that it speaks of; `denied` are the clauses
    that are negated on the whole.
    """

    text: str
    tokens: tuple[Token, ...]
    cjk: bool
    values: frozenset[tuple[str, str]]
    scopes: frozenset[tuple[str, str]]
    denied: frozenset[int]


@lru_cache(maxsize=1024)
def read(text: str, stem: Stem) -> Reading:
    """The reading of a statement.

    >>> [(t.key, t.sign) for t in read("Never delete `t_room`", str).tokens]
    [('remove', -1), ('t_room', -1)]
    """
    plain = unicodedata.normalize("NFKC", text[:MOST_CHARACTERS]).replace("’", "'")
    if len(_SPACES.findall(plain)) > len(plain) / _MOST_LETTERS:  # English, or enough of it
        low = plain.casefold()
        for hints, pattern, made in lexicon.PHRASES:
            if any(hint in low for hint in hints):
                plain = pattern.sub(made, plain)
                low = plain.casefold()
    return _Reader(plain, stem).reading()


class _Reader:
    """Reads one statement from left to right."""

    def __init__(self, text: str, stem: Stem) -> None:
        self.text = text
        self.stem = stem
        self.words = lexicon.english_words(stem)
        self.kin = lexicon.english_kin(stem)
        self.tokens: list[Token] = []
        self.since = 0
        self.reach = 0  # how many more tokens the last negation covers
        self.told = True
        self._otherwise = False  # whether what follows a comma still depends on a condition
        self.clause = 0
        self.flips: dict[int, int] = {}
        self.values: set[tuple[str, str]] = set()
        self.scopes: set[tuple[str, str]] = set()
        self.hedged = [m.span() for m in _SENTENCE.finditer(text) if _HEDGED.search(m[0])]
        self.ticked = [m.span() for m in _TICKED.finditer(text)]

    def reading(self) -> Reading:
        at = 0
        for quantity in quantities(self.text):
            if self._within_name(quantity):
                continue
            self._pieces(at, quantity.start)
            self._put(Token(f"#{quantity.value:g}", "number", _NUMBER_WEIGHT, quantity.start,
                            quantity=quantity))  # fmt: skip
            at = max(at, quantity.end)
        self._pieces(at, len(self.text))
        length = max(1, len(self.text))
        for token in self.tokens:
            token.place /= length
        cjk = any(token.kind == "han" for token in self.tokens)
        return Reading(self.text, tuple(self.tokens), cjk,
                       frozenset(self.values), frozenset(self.scopes),
                       denied=frozenset(c for c, n in self.flips.items() if n % 2))  # fmt: skip

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
            if match["han"]:
                self._han(match["han"], match.start())
            elif match["end"] or match["bound"]:
                self._next_clause()
                self.told = self.told or bool(match["end"]) or not self._otherwise
            else:
                self._latin(match[0], match.start())

    def _next_clause(self) -> None:
        self.reach = 0
        self.clause += 1

    def _flip(self) -> None:
        self.flips[self.clause] = self.flips.get(self.clause, 0) + 1

    def _put(self, token: Token) -> None:
        token.clause = self.clause
        if (token.key, token.sign) in lexicon.DENYING:
            self._flip()
        if self.reach > 0:
            token.direct = self.since < 2
            self.since += 1
            self.reach -= 1
            token.negated = True
            token.sign = -token.sign
        token.told = self.told and not any(a <= token.place < b for a, b in self.hedged)
        self.tokens.append(token)

    def _note(self, word: str) -> None:
        if self.reach <= 0:
            self.values.update(lexicon.VALUES.get(word, ()))
        self.scopes.update(lexicon.SCOPES.get(word, ()))

    def _latin(self, piece: str, start: int) -> None:
        low = piece.casefold()
        self._note(low)
        if low in english.NEGATORS:
            self._flip()
            self.reach, self.since = _SCOPE, 0
            return
        self._turn(low)
        named = any(a <= start < b for a, b in self.ticked) or _is_name(piece)
        known = self._concept_of(low)
        shouted = piece.isupper() and known is not None and known[0] in lexicon.STRONG
        if named and "-" not in low and not shouted:
            known = None
        if known is not None:
            name, sign = known
            weight = _WEAK_WEIGHT if name in lexicon.WEAK else _CONCEPT_WEIGHT
            polar = name in lexicon.POLAR
            self._put(Token(name, "word", weight, start, sign, polar=polar, kin=self._kin_of(low)))
        elif named:
            self._name(piece, start)
        elif "-" in low:
            for part in filter(None, low.split("-")):
                self._latin(part, start)
        elif low in STOP_WORDS or (len(low) == 1 and not low.isdigit()):
            return
        elif low in english.LIGHT:
            self._put(Token(self.stem(low), "word", _LIGHT_WEIGHT, start))
        else:
            weight = 1.2 if piece[0].isupper() or self._beside_han(start) else 1.0
            self._put(Token(self.stem(low), "word", weight, start, kin=self._kin_of(low)))

    def _kin_of(self, low: str) -> frozenset[int]:
        return self.kin.get(self.stem(low), lexicon.NO_KIN)

    def _turn(self, low: str) -> None:
        """A word with which another clause begins."""
        if low in english.CONDITIONS or low in _TIMES:
            self._next_clause()
            self.told = False
            self._otherwise = low in english.CONDITIONS
        elif low in english.BOUNDS:
            self._next_clause()
            self.told = self.told or not self._otherwise

    def _beside_han(self, start: int) -> bool:
        return bool(self.tokens) and self.tokens[-1].kind == "han" and start > 0

    def _concept_of(self, low: str) -> tuple[str, int] | None:
        if low in STOP_WORDS and low not in self.words:
            return None
        return self.words.get(low) or self.words.get(self.stem(low))

    def _name(self, piece: str, start: int) -> None:
        """A name, a dotted one as its parts: `orders.status` is `orders` and `status`."""
        offset = 0
        for part in _JOINTS.split(piece):
            bare = part.strip("-*{}").casefold()
            if len(bare) > 1 or bare.isdigit():
                humps = [h.casefold() for h in _HUMP.findall(part) if len(h) > 1 or h.isdigit()]
                parts = tuple(self._part(hump) for hump in humps)
                key = bare.replace("-", "_")
                self._put(Token(key, "name", _NAME_WEIGHT, start + offset, parts=parts))
            offset += len(part)

    def _part(self, word: str) -> str:
        known = self.words.get(word) or self.words.get(self.stem(word))
        return known[0] if known else self.stem(word)

    def _han(self, run: str, start: int) -> None:
        """A run of Chinese: known words by the longest match, the rest by its characters."""
        at = 0
        while at < len(run) and len(self.tokens) < MOST_TOKENS:
            for length in range(min(lexicon.LONGEST, len(run) - at), 0, -1):
                if length == 2 and self._cuts_a_word(run, at):
                    continue
                if self._han_word(run[at : at + length], start + at):
                    break
            else:
                length = 1
                self._character(run[at], start + at)
            at += length

    def _cuts_a_word(self, run: str, at: int) -> bool:
        """Whether a familiar word of two characters ends within a longer word that is known."""
        if run[at : at + 2] not in chinese.FAMILIAR:
            return False
        most = min(lexicon.LONGEST, len(run) - at - 1)
        longer = (run[at + 1 : at + 1 + length] for length in range(4, most + 1))
        return any(word in lexicon.HAN_WORDS for word in longer)

    def _character(self, character: str, start: int) -> None:
        weight = _LIGHT_HAN_WEIGHT if character in chinese.LIGHT else _HAN_WEIGHT
        self._put(Token(character, "han", weight, start))

    def _han_word(self, word: str, start: int) -> bool:
        """Whether a piece is a known word, which then is taken in."""
        noted = word in lexicon.VALUES or word in lexicon.SCOPES
        if noted:
            self._note(word)
        if word in chinese.CONDITIONS:
            self._next_clause()
            self.told, self._otherwise = False, True
        elif word in _TIMES:
            self.told, self._otherwise = False, False
        if (known := lexicon.HAN_WORDS.get(word)) is not None:
            name, sign = known
            weak = name in lexicon.WEAK or len(word) == 1
            weight = _WEAK_WEIGHT if weak else _CONCEPT_WEIGHT
            self._put(Token(name, "word", weight, start, sign, polar=name in lexicon.POLAR,
                            kin=lexicon.HAN_KIN.get(word, lexicon.NO_KIN)))  # fmt: skip
            return True
        if word in lexicon.NOT_NEGATIONS:
            return True
        if word in lexicon.HAN_NEGATORS:
            self._flip()
            self.reach, self.since = _HAN_SCOPE, 0
            return True
        if word not in chinese.FUNCTION and (lines := lexicon.HAN_KIN.get(word)) is not None:
            weight = sum(_LIGHT_HAN_WEIGHT if c in chinese.LIGHT else _HAN_WEIGHT for c in word)
            self._put(Token(word, "word", weight, start, kin=lines))
            return True
        if (word in chinese.FAMILIAR and word not in lexicon.HAN_WORDS) or (
            noted and len(word) > 1
        ):
            for offset, character in enumerate(word):
                self._character(character, start + offset)
            return True
        return word in chinese.FUNCTION


@lru_cache(maxsize=4096)
def _is_name(piece: str) -> bool:
    """Whether a piece looks like a name: joints, inner capitals, digits, or all capitals."""
    if any(joint in piece for joint in "_/.") or piece.startswith("-"):
        return True
    if piece.isdigit():
        return False
    inner = piece[1:]
    return any(c.isupper() for c in inner) or any(c.isdigit() for c in piece)
