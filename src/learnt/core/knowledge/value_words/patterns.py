"""Hundreds of patterns searched for at once: only those whose first letters a text has.

A search costs more the more patterns there are, and a statement is short. So each pattern is
listed under the letters with which its matches begin, and tried where a text has them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

# Commas and the like as they are typed without an input method, so that one pattern has both.
_NARROW: Final = str.maketrans("，；：！", ",;:!")
# Such a part sees capitals; the others are searched for in lower case.
_CASED: Final = re.compile(r"(?<!\\)[A-Z]|\(\?-i")
_STARTS: Final = re.compile(r"\b\w")
_HEAD: Final = 6
_MOST_HEADS: Final = 200


class _Part(NamedTuple):
    """One alternative: what it marks, and whether it sees capitals."""

    name: str
    pattern: str
    cased: bool


# The lengths of the beginnings, and the numbers of the parts under each.
_Index = tuple[tuple[int, ...], dict[str, list[int]]]


class Patterns:
    """Patterns by the name of what they mark."""

    def __init__(self, listed: Mapping[str, Iterable[str]]) -> None:
        at_word: dict[str, list[int]] = {}
        anywhere: dict[str, list[int]] = {}
        rest: dict[str, list[str]] = {}
        self._parts: list[_Part] = []
        for name, patterns in listed.items():
            for part in (p for one in patterns for p in alternatives(one.translate(_NARROW))):
                begins = () if part.startswith("^") else heads(part.removeprefix(r"\b"))
                if not begins:
                    rest.setdefault(name, []).append(part)
                    continue
                index = at_word if part.startswith(r"\b") else anywhere
                for head in begins:
                    index.setdefault(head, []).append(len(self._parts))
                self._parts.append(_Part(name, part, _sees_case(part)))
        self._at_word, self._anywhere = _by_length(at_word), _by_length(anywhere)
        known = len(self._parts)
        for name, parts in rest.items():
            self._parts += [_Part(name, part, _sees_case(part)) for part in _merged(parts)]
        self._always = range(known, len(self._parts))
        self._compiled: dict[int, re.Pattern[str]] = {}

    def count(self, text: str, most: int) -> dict[str, int]:
        r"""How many places match each name, counted up to `most`.

        >>> Patterns({"x": [r"\bas (?:a|b)\b|^no"]}).count("No, as a and as b", 9)
        {'x': 3}
        """
        lower = text.lower()
        asked = set(self._always)
        if self._at_word[1]:
            starts = [match.start() for match in _STARTS.finditer(lower)]
            asked.update(_under(self._at_word, lower, starts))
        if self._anywhere[1]:
            asked.update(_under(self._anywhere, lower, range(len(lower))))
        found: dict[str, int] = {}
        for number in asked:
            name, _, cased = self._parts[number]
            before = found.get(name, 0)
            if before >= most:
                continue
            pattern = self._compiled.get(number) or self._compile(number)
            for _ in pattern.finditer(text if cased else lower):
                before += 1
                if before >= most:
                    break
            if before:
                found[name] = before
        return found

    def _compile(self, number: int) -> re.Pattern[str]:
        """A part compiled where it is first asked for: most are never, in a short run."""
        part = self._parts[number]
        pattern = re.compile(part.pattern, re.IGNORECASE if part.cased else re.NOFLAG)
        self._compiled[number] = pattern
        return pattern


def _under(index: _Index, text: str, places: Sequence[int]) -> Iterable[int]:
    """The parts listed under what begins at some places of a text."""
    lengths, listed = index
    begun = {text[at : at + length] for length in lengths for at in places}
    return (number for head in begun & listed.keys() for number in listed[head])


def _by_length(listed: dict[str, list[int]]) -> _Index:
    return tuple(sorted({len(head) for head in listed})), listed


def _sees_case(part: str) -> bool:
    return _CASED.search(part) is not None


def _merged(parts: list[str]) -> list[str]:
    """Parts without a known beginning, joined where they are searched for alike."""
    joined: dict[tuple[bool, str], list[str]] = {}
    for part in parts:
        before = next((b for b in ("^", r"\b") if part.startswith(b)), "")
        key = _sees_case(part), before
        joined.setdefault(key, []).append(part.removeprefix(before))
    return [f"{before}(?:{'|'.join(some)})" for (_, before), some in joined.items()]


def alternatives(pattern: str) -> list[str]:
    """A pattern's alternatives at its top level.

    >>> alternatives(r"a|(?:b|c)[|]d")
    ['a', '(?:b|c)[|]d']
    """
    parts, start = [], 0
    for at, depth in _structure(pattern):
        if pattern[at] == "|" and not depth:
            parts.append(pattern[start:at])
            start = at + 1
    return [*parts, pattern[start:]]


def _structure(pattern: str) -> Iterable[tuple[int, int]]:
    """Where parentheses and bars stand outside classes, and how deep."""
    depth, at = 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = pattern.index("]", at + 2)
        elif char == "(":
            yield at, depth
            depth += 1
        elif char == ")":
            depth -= 1
            yield at, depth
        elif char == "|":
            yield at, depth
        at += 1


def heads(part: str) -> tuple[str, ...]:
    """The letters with which a pattern's matches begin, in lower case; none where it isn't known.

    >>> sorted(heads("(?:to|from) (?:us)?")), heads("a?b")
    (['from ', 'to '], ())
    """
    found = {begun for begun, _ in _begun(part)}
    return () if "" in found or len(found) > _MOST_HEADS else tuple(sorted(found))


def _begun(part: str) -> set[tuple[str, bool]]:
    """The beginnings of a part, each with whether what follows it is known as well."""
    found = {("", True)}
    at = 0
    while at < len(part) and any(going for _, going in found):
        pieces, at = _piece(part, at)
        if pieces is None or part[at : at + 1] in ("?", "*", "{"):
            return {(begun, False) for begun, _ in found}
        repeated = part[at : at + 1] == "+"
        found = {
            (whole[:_HEAD], going and more and not repeated and len(whole) < _HEAD)
            for begun, going in found
            for piece, more in (pieces if going else {("", False)})
            for whole in (begun + piece,)
        }
        at += repeated
    return found


def _piece(part: str, at: int) -> tuple[set[tuple[str, bool]] | None, int]:
    """What one item of a pattern begins with, and where the next one stands."""
    char = part[at]
    if part.startswith("(?:", at):
        end = at + next(
            i for i, depth in _structure(part[at:]) if part[at + i] == ")" and not depth
        )
        inside = alternatives(part[at + 3 : end])
        return {one for alternative in inside for one in _begun(alternative)}, end + 1
    if char == "[":
        end = part.index("]", at + 2)
        members = part[at + 1 : end]
        simple = members[0] != "^" and not any(char in members for char in "\\-[")
        return {(m.lower(), True) for m in members} if simple else None, end + 1
    if part.startswith("\\d", at):
        return {(digit, True) for digit in "0123456789"}, at + 2
    if char.isalnum() or char in " ,'-/<>=#@_:;!，。":
        return {(char.lower(), True)}, at + 1
    return None, at + 1
