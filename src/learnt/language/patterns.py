"""The patterns of data files: a section's are searched for together, compiled when first needed."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from learnt.language.data import PatternEntry, entries, unusable

# Commas and the like as they are typed without an input method, so that one pattern has both.
_NARROW: Final = str.maketrans("，；：！", ",;:!")
# A repeated group that ends in a repetition can take exponentially long.
_EXPLODES: Final = re.compile(r"(?<!\\)[+*}]\)(?:[+*](?!\+)|\{\d*,\})")
# A class that is not closed would reach into the next entry.
_CLOSED: Final = re.compile(r"(?:[^\\\[]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\])*+")


class Patterns:
    """Patterns by the name of what they mark: `listed` are a data file's entries by section.

    Each method raises EnvironmentTrouble where an entry that it needs is no pattern, or may take
    exponentially long.
    """

    def __init__(self, listed: Mapping[str, Iterable[PatternEntry]]) -> None:
        self._listed = listed
        self._compiled: dict[str, re.Pattern[str]] = {}

    def first(self, text: str) -> dict[str, tuple[int, int]]:
        r"""Where the first match of each name begins and ends, of the names that match.

        >>> patterns = Patterns({"x": [PatternEntry(r"\bas (?:a|b)\b|^no", "", "")]})
        >>> patterns.first("So, as A"), patterns.first("None, as I said")
        ({'x': (4, 8)}, {'x': (0, 2)})
        """
        plain = text if text.isascii() else text.translate(_NARROW)
        searched = ((name, self._pattern(name).search(plain)) for name in self._listed)
        return {name: match.span() for name, match in searched if match}

    def _pattern(self, name: str) -> re.Pattern[str]:
        if name not in self._compiled:
            self._compiled[name] = union(self._listed[name])
        return self._compiled[name]


@cache
def patterns_of(name: str, *, ascii_alone: bool) -> Patterns:
    """The patterns of a kind of data file; with `ascii_alone` those that ASCII texts need.

    Raises EnvironmentTrouble where a file is missing, damaged or of another version.
    """
    return Patterns(entries(name, ascii_alone=ascii_alone))


def union(entries: Iterable[PatternEntry]) -> re.Pattern[str]:
    """All entries as one pattern, which passes over case and whether signs are wide.

    Raises EnvironmentTrouble where one of them is no pattern, or may take exponentially long.
    """
    listed = list(entries)
    try:
        if not all(_CLOSED.fullmatch(entry.pattern) for entry in listed):
            raise ValueError("a class is not closed")
        return _compiled("|".join(entry.pattern for entry in listed))
    except (re.error, ValueError):
        for entry in listed:
            compiled(entry)
        raise


def compiled(entry: PatternEntry) -> re.Pattern[str]:
    """One entry as a pattern.

    Raises EnvironmentTrouble where it is none, or may take exponentially long.
    """
    try:
        return _compiled(entry.pattern)
    except (re.error, ValueError) as error:
        why = f"{entry.pattern[:80]!r} cannot be searched for ({error})"
        raise unusable(entry.place, why) from None


def _compiled(pattern: str) -> re.Pattern[str]:
    if _EXPLODES.search(pattern):
        raise ValueError("a repetition is repeated, which may take exponentially long")
    return re.compile(pattern.translate(_NARROW), re.IGNORECASE)


class _Phrases(dict[str, re.Pattern[str]]):
    """The sections of a data file; each is compiled when it is first asked for."""

    def __init__(self, listed: Mapping[str, Iterable[PatternEntry]]) -> None:
        super().__init__()
        self._listed = listed

    def __missing__(self, section: str) -> re.Pattern[str]:
        entries = "|".join(entry.pattern for entry in self._listed[section])
        self[section] = re.compile(entries, re.IGNORECASE)
        return self[section]


@cache
def phrases(name: str) -> Mapping[str, re.Pattern[str]]:
    """The sections of a kind of data file, each as one pattern that passes over case.

    Raises EnvironmentTrouble where a file is missing, damaged or of another version.
    """
    return _Phrases(entries(name))
