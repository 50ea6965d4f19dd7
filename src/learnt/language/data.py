"""The data files of the language room, read when needed, and their patterns searched together.

A language is a folder beside this file. Its `contents.txt` names its data files, so that one that
is missing is noticed. A data file is UTF-8. Its first line is `version 1`. A line `[name]` begins
a section; each other line is an entry: a pattern, then ` ## ` and an example that it must match.
Plain words need no example. ` # ` and lines that begin with `#` are comments.

>>> sorted(languages())[:2], entries("replies")["praise"][0].example != ""
(['de', 'en'], True)
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from learnt.core.records import Record
from learnt.errors import EnvironmentTrouble
from learnt.installed import installing

ROOT: Final = Path(__file__).parent
VERSION: Final = "version 1"
CONTENTS: Final = "contents"
_EXAMPLE: Final = " ## "
_SECTION: Final = re.compile(r"\[([^\[\]]+)\]\s*(?:#.*)?")


class PatternEntry(Record):
    """One entry: a pattern or a word, an example that it must match, and where it is written."""

    pattern: str
    example: str
    place: str


@cache
def languages(root: Path = ROOT) -> Mapping[str, tuple[str, ...]]:
    """The languages there are, by the folder's name, each with the names of its data files.

    Raises EnvironmentTrouble where there is none, or a folder does not say what belongs to it.
    """
    folders = sorted(path.parent.name for path in root.glob("*/*.txt"))
    contents = {code: _parsed(root, code, CONTENTS)[""] for code in dict.fromkeys(folders)}
    if not contents:
        raise unusable(str(root), "it holds no language")
    return {code: tuple(entry.pattern for entry in listed) for code, listed in contents.items()}


@cache
def entries(
    name: str, root: Path = ROOT, *, ascii_alone: bool = False
) -> Mapping[str, tuple[PatternEntry, ...]]:
    """The entries of a kind of data file by section, of all languages together.

    With `ascii_alone` without languages of whose examples none is ASCII: no text that is matches.
    Raises EnvironmentTrouble where a file is missing, damaged or of another version.
    """
    merged: dict[str, tuple[PatternEntry, ...]] = {}
    for sections in by_language(name, root):
        if ascii_alone and not any(e.example.isascii() for some in sections.values() for e in some):
            continue
        for section, listed in ((name, some) for name, some in sections.items() if some):
            merged[section] = merged.get(section, ()) + tuple(listed)
    return merged


def by_language(name: str, root: Path = ROOT) -> list[dict[str, list[PatternEntry]]]:
    """The sections of a kind of data file, a language each.

    Raises EnvironmentTrouble where a file is missing, damaged or of another version.
    """
    return [_parsed(root, code, name) for code, names in languages(root).items() if name in names]


def _parsed(root: Path, code: str, name: str) -> dict[str, list[PatternEntry]]:
    """The sections of one file; entries before the first section are in one without a name.

    Raises EnvironmentTrouble where it is missing, damaged, cut off or of another version.
    """
    path = root / code / f"{name}.txt"
    try:
        first, *lines = path.read_text("utf-8").split("\n")
    except FileNotFoundError:
        raise unusable(str(path), "it is missing") from None
    except (OSError, UnicodeDecodeError) as error:
        raise unusable(str(path), f"it cannot be read ({error})") from None
    if first.strip() != VERSION:
        raise unusable(f"{path}:1", f"it begins with {first[:40]!r} and not with {VERSION!r}")
    if lines[-1:] != [""]:
        raise unusable(f"{path}:{len(lines) + 1}", "its last line is cut off")
    section: list[PatternEntry] = []
    sections = {"": section}
    for number, line in enumerate(lines, 2):
        text = line.strip()
        if heading := _SECTION.fullmatch(text):
            section = sections.setdefault(heading[1], [])
        elif text and not text.startswith("#"):
            pattern, _, example = text.partition(_EXAMPLE)
            section.append(PatternEntry(pattern.rstrip(), example.strip(), f"{path}:{number}"))
    return sections


def unusable(place: str, why: str) -> EnvironmentTrouble:
    """The error for a data file that cannot be used; `place` is the file, or the file and line."""
    return EnvironmentTrouble(
        f"Learnt's data file {place} is not usable: {why}. Nothing was changed. Install Learnt "
        f"again, all of it ({installing()}): a part of another version may be left."
    )


# Commas and the like as they are typed without an input method, so that one pattern has both.
_NARROW: Final = str.maketrans("，；：！", ",;:!")
# A repeated group that ends in a repetition can take exponentially long.
_EXPLODES: Final = re.compile(r"(?<!\\)[+*}]\)(?:[+*](?!\+)|\{\d*,\})")
# A class that is not closed would reach into the next entry.
_CLOSED: Final = re.compile(r"(?:[^\\\[]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\])*+")


class Patterns(dict[str, re.Pattern[str]]):
    """Patterns by the name of what they mark: `listed` are a data file's entries by section.

    Each is compiled when it is first asked for; unless it is `narrow`, wide signs are others than
    narrow ones. Raises EnvironmentTrouble where an entry that is needed is no pattern, or may take
    exponentially long.
    """

    def __init__(
        self, listed: Mapping[str, Iterable[PatternEntry]], *, narrow: bool = True
    ) -> None:
        super().__init__()
        self._listed, self._narrow = listed, narrow

    def __missing__(self, section: str) -> re.Pattern[str]:
        self[section] = union(self._listed[section], narrow=self._narrow)
        return self[section]

    def first(self, text: str) -> dict[str, tuple[int, int]]:
        r"""Where the first match of each name begins and ends, of the names that match.

        >>> patterns = Patterns({"x": [PatternEntry(r"\bas (?:a|b)\b|^no", "", "")]})
        >>> patterns.first("So, as A"), patterns.first("None, as I said")
        ({'x': (4, 8)}, {'x': (0, 2)})
        """
        plain = text if text.isascii() else text.translate(_NARROW)
        searched = ((name, self[name].search(plain)) for name in self._listed)
        return {name: match.span() for name, match in searched if match}


@cache
def patterns_of(name: str, *, ascii_alone: bool) -> Patterns:
    """The patterns of a kind of data file; with `ascii_alone` those that ASCII texts need.

    Raises EnvironmentTrouble where a file is missing, damaged or of another version.
    """
    return Patterns(entries(name, ascii_alone=ascii_alone))


@cache
def phrases(name: str) -> Mapping[str, re.Pattern[str]]:
    """The sections of a kind of data file, each as one pattern that passes over case.

    Raises EnvironmentTrouble where a file is missing, damaged or of another version.
    """
    return Patterns(entries(name), narrow=False)


def union(entries: Iterable[PatternEntry], *, narrow: bool = True) -> re.Pattern[str]:
    """All entries as one pattern, which passes over case, and where `narrow` over wide signs.

    Raises EnvironmentTrouble where one of them is no pattern, or may take exponentially long.
    """
    listed = list(entries)
    try:
        if not all(_CLOSED.fullmatch(entry.pattern) for entry in listed):
            raise ValueError("a class is not closed")
        return _compiled("|".join(entry.pattern for entry in listed), narrow=narrow)
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


def _compiled(pattern: str, *, narrow: bool = True) -> re.Pattern[str]:
    if _EXPLODES.search(pattern):
        raise ValueError("a repetition is repeated, which may take exponentially long")
    return re.compile(pattern.translate(_NARROW) if narrow else pattern, re.IGNORECASE)
