"""The word lists of every language folder, made ready to be looked up.

A language is a folder beside this package that holds `words/` (what is of no language lies in this
package's own): `concepts.txt`, `negators.txt`,
`function_words.txt`, `contrasts.txt`, `orders.txt` and `values.txt`, each optional. The lists of
all folders are looked up as one. In a list `#` begins a comment. A line of concepts is
`name: words | opposites`; `~` before the name says that its words tell little of a subject, `!`
that its opposites exclude each other wherever they stand. A line of values is `kind: members`,
those that mean the same joined by `=`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from learnt.core.words import STOP_WORDS

PACKAGE: Final = Path(__file__).parent.parent
WEAK_MARK: Final = "~"
STRONG_MARK: Final = "!"
LONGEST_WORD: Final = 6  # characters of an unspaced word


@dataclass(frozen=True, slots=True)
class Concept:
    """What a word stands for: a name shared by its synonyms, and -1 for an opposite.

    `polar`: its opposites exclude each other; `weak`: it tells little of a statement's subject.
    """

    name: str
    sign: int
    polar: bool
    weak: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The lists of all languages; Latin words by their stem as well as in full."""

    concepts: dict[str, Concept]
    values: dict[str, tuple[tuple[str, str], ...]]
    negators: frozenset[str]
    not_negations: frozenset[str]
    function_words: frozenset[str]
    contrasts: frozenset[str]

    def concept(self, word: str, stem: Callable[[str], str]) -> Concept | None:
        """The concept of a word in lower case; None for one that no list has."""
        if word in self.concepts:
            return self.concepts[word]
        return None if word in self.function_words else self.concepts.get(stem(word))


@cache
def lists(stem: Callable[[str], str]) -> Lists:
    """The lists of every language folder; `stem` brings a Latin word to its stem."""
    folders = _folders()
    concepts: dict[str, Concept] = {}
    for folder in folders:
        for word, concept in _concepts(folder):
            concepts.setdefault(word, concept)
    for word, concept in tuple(concepts.items()):
        concepts.setdefault(stem(word) if word.isascii() else word, concept)
    values: dict[str, tuple[tuple[str, str], ...]] = {}
    for folder in folders:
        for word, member in _members(folder):
            values[word] = (*values.get(word, ()), member)
    every = {name: _words(folders, name) for name in _PLAIN}
    return Lists(
        concepts=concepts,
        values=values,
        negators=every["negators.txt"],
        not_negations=every["not_negations.txt"],
        contrasts=every["contrasts.txt"],
        function_words=every["function_words.txt"] | (STOP_WORDS - concepts.keys()),
    )


def pattern_lines(name: str) -> dict[str, list[str]]:
    """The patterns of a list, of all languages, by the mark before their colon."""
    marked: dict[str, list[str]] = {}
    for folder in _folders():
        for line in _lines(folder, name):
            mark, _, pattern = line.partition(":")
            marked.setdefault(mark.strip(), []).append(pattern.strip())
    return marked


@cache
def _folders() -> tuple[Path, ...]:
    """The package itself, which holds what is of no language, and each language's folder."""
    entries = sorted(PACKAGE.iterdir())
    return tuple(entry for entry in entries if (entry / "words").is_dir())


_PLAIN: Final = ("negators.txt", "not_negations.txt", "function_words.txt", "contrasts.txt")


def _lines(folder: Path, name: str) -> Iterator[str]:
    path = folder / "words" / name
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            if text := line.partition("#")[0].strip():
                yield text


def _words(folders: tuple[Path, ...], name: str) -> frozenset[str]:
    return frozenset(
        word for folder in folders for line in _lines(folder, name) for word in line.split()
    )


def _concepts(folder: Path) -> Iterator[tuple[str, Concept]]:
    for line in _lines(folder, "concepts.txt"):
        name, _, rest = line.partition(":")
        sides = rest.split("|")
        marks = name[: len(name) - len(name.lstrip(WEAK_MARK + STRONG_MARK))]
        name, weak, polar = name[len(marks) :], WEAK_MARK in marks, STRONG_MARK in marks
        for sign, side in zip((1, -1), sides, strict=False):
            concept = Concept(name, sign, polar=polar, weak=weak)
            for word in side.split():
                yield word, concept


def _members(folder: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    for line in _lines(folder, "values.txt"):
        kind, _, rest = line.partition(":")
        for member in rest.split():
            spellings = member.split("=")
            for word in spellings:
                yield word, (kind, spellings[0])
