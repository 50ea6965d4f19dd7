"""The lists of words, made ready to be looked up."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from learnt.core.knowledge.statements import chinese, english, kin, rivals


def _concepts(text: str) -> Iterator[tuple[str, str, int]]:
    """Each word of a list with its concept and its sign."""
    for line in text.strip().splitlines():
        name, _, rest = line.partition(":")
        for sign, side in zip((1, -1), rest.split("|"), strict=False):
            for word in side.split():
                yield word, name.strip(), sign


@lru_cache(maxsize=4)
def english_words(stem: Callable[[str], str]) -> dict[str, tuple[str, int]]:
    """The concept and the sign of each English word, by its stem and as it is spelt."""
    found: dict[str, tuple[str, int]] = {}
    for word, name, sign in _concepts(english.CONCEPTS + kin.OPPOSITES):
        found.setdefault(word, (name, sign))
    for word, name, sign in _concepts(english.CONCEPTS + kin.OPPOSITES):
        found.setdefault(stem(word), (name, sign))
    return found


def _chinese() -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for word, name, sign in _concepts(chinese.CONCEPTS + kin.OPPOSITES):
        found.setdefault(word, (name, sign))
    return found


@lru_cache(maxsize=4)
def english_kin(stem: Callable[[str], str]) -> dict[str, frozenset[int]]:
    """The lines of `kin` that each English word stands in, by its stem."""
    return {stem(word): lines for word, lines in _KIN.items() if word.isascii()}


def _kin() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for at, line in enumerate(kin.KIN.strip().splitlines()):
        for word in line.split():
            found.setdefault(word, set()).add(at)
    return {word: frozenset(lines) for word, lines in found.items()}


def _members(text: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """The kinds that each word is a member of, with the member that it stands for."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for line in text.strip().splitlines():
        name, _, rest = line.partition(":")
        for member in rest.split():
            same = member.split("=")
            for word in same:
                found[word] = (*found.get(word, ()), (name, same[0]))
    return found


def _hints(pattern: str) -> tuple[str, ...]:
    """For each alternative of a pattern the longest piece that must be there, in lower case.

    >>> _hints(r"\\bturn(?:ed)? down\\b|\\bat all\\b")
    (' down', 'at all')
    """
    found, depth, run, runs = [], 0, "", [""]
    for sign in [*_SIGN.findall(pattern), "|"]:
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and len(sign) == 1 and (sign.isalpha() or sign in " '-"):
            run += sign
            continue
        if sign in {"?", "*"} and depth == 0:
            run = run[:-1]
        runs.append(run)
        run = ""
        if sign == "|" and depth == 0:
            found.append(max(runs, key=len).casefold())
            runs = [""]
    return tuple(found)


_SIGN: Final = re.compile(r"\\.|\[[^\]]*\]|.", re.DOTALL)
PHRASES: Final = tuple((_hints(p.pattern), p, made) for p, made in english.PHRASES)
"""Each phrase with what a text must hold for it to be looked for."""
HAN_WORDS: Final = _chinese()
_KIN: Final = _kin()
HAN_KIN: Final = {
    word: lines for word, lines in _KIN.items() if not word.isascii() and len(word) > 1
}
NO_KIN: Final[frozenset[int]] = frozenset()
VALUES: Final = _members(rivals.RIVALS)
SCOPES: Final = _members(rivals.SCOPES)
HAN_NEGATORS: Final = frozenset(chinese.NEGATORS)
NOT_NEGATIONS: Final = frozenset(chinese.NOT_NEGATIONS)
LONGEST: Final = 6
# Concepts that tell little of what a statement is about.
WEAK: Final = frozenset(
    """
    stored run show get send return use set value mean compute number find see same about otherwise
    apply happen always exclusive include cause fix vanish allow require fail also full newest
    after before exist maximum old add create change part quickly reach name directly meanwhile
    unique miss anyone enable automatic help first valid support big small move finish only-after
    """.split()
)
# Concepts whose opposites are opposed indeed, wherever they stand.
STRONG: Final = frozenset(
    """
    require enable running synchronous ascending nullable mutable automatic sensitive round-up
    signed encrypted permanent gross global big-endian order-relation refundable stacking serial
    strict hot compress wide unique public cause fix support local valid free soft-delete immediate
    limitless in-place stateful inside external parallel streaming dynamic paid optimistic ordered
    tracked changeable pull deep recoverable per-project consecutive inherited expires weekend
    daytime per-one open-close cascade high row-wise ahead pro-rata order-relation newest
    """.split()
) | {name for _, name, _ in _concepts(kin.OPPOSITES)}
# Concepts, with their signs, that deny the clause that they stand in.
DENYING: Final = frozenset({
    ("allow", -1),
    ("require", -1),
    ("support", -1),
    ("include", -1),
    ("miss", 1),
    ("lose", 1),
    ("fail", 1),
    ("valid", -1),
})
POLAR: Final = frozenset(
    """
    remove fail allow require enable running support synchronous ascending include nullable maximum
    first local mutable public automatic sensitive unique positive increase round-up fast signed
    encrypted always full hot same safe stable permanent valid cached known left horizontal global
    strict gross free big-endian order-relation refundable client stacking serial compress wide
    newest old exclusive after cause fix soft-delete immediate limitless in-place stateful
    inside external parallel streaming dynamic paid optimistic ordered tracked changeable pull deep
    recoverable per-project consecutive inherited expires weekend daytime per-one open-close cascade
    high row-wise ahead pro-rata maximum
    """.split()
) | {name for _, name, _ in _concepts(kin.OPPOSITES)}
