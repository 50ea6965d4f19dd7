"""The word lists of every language folder, made ready to be looked up.

A language is a folder beside this package that holds `words/` (what is of no language lies in this
package's own): `concepts.txt`, `negators.txt`, `not_negations.txt`, `function_words.txt`,
`contrasts.txt`, `orders.txt` and `values.txt`, each optional, and `contents.txt`, which names those
that are there. They begin as all data files do. The lists of all folders are looked up as one. In a
list `#` begins a comment. A line of concepts is `name: words | opposites`; `~` before the name says
that its words tell little of a subject, `!` that its opposites exclude each other wherever they
stand. A line of values is `kind: members`, those that mean the same joined by `=`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from learnt.core.words import STOP_WORDS
from learnt.language.data import ROOT, lines_of

WEAK_MARK: Final = "~"
STRONG_MARK: Final = "!"
LONGEST_WORD: Final = 6  # characters of an unspaced word


class Concept(NamedTuple):
    """What a word stands for: a name shared by its synonyms, and -1 for an opposite.

    `polar`: its opposites exclude each other; `weak`: it tells little of a statement's subject.
    """

    name: str
    sign: int
    polar: bool
    weak: bool


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of all languages; Latin words by their stem as well as in full."""

    concepts: dict[str, Concept]
    values: dict[str, list[tuple[str, str]]]
    negators: frozenset[str]
    not_negations: frozenset[str]
    contrasts: frozenset[str]
    function_words: frozenset[str]

    def concept(self, word: str, stem: Callable[[str], str]) -> Concept | None:
        """The concept of a word in lower case; None for one that no list has."""
        if word in self.concepts:
            return self.concepts[word]
        return None if word in self.function_words else self.concepts.get(stem(word))


@cache
def lists(stem: Callable[[str], str]) -> Lists:
    """The lists of every language folder; `stem` brings a Latin word to its stem."""
    concepts: dict[str, Concept] = {}
    for word, concept in _concepts():
        concepts.setdefault(word, concept)
    for word, concept in tuple(concepts.items()):
        concepts.setdefault(stem(word) if word.isascii() else word, concept)
    values: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for kind, members in _marked("values.txt"):
        for spellings in (member.split("=") for member in members.split()):
            for word in spellings:
                values[word].append((kind, spellings[0]))
    negators, not_negations, contrasts, function_words = (
        frozenset(word for line in _lines(f"{name}.txt") for word in line.split())
        for name in ("negators", "not_negations", "contrasts", "function_words")
    )
    function_words |= STOP_WORDS - concepts.keys()
    return Lists(concepts, dict(values), negators, not_negations, contrasts, function_words)


def pattern_lines(name: str) -> dict[str, list[str]]:
    """The patterns of a list, of all languages, by the mark before their colon."""
    marked: defaultdict[str, list[str]] = defaultdict(list)
    for mark, pattern in _marked(name):
        marked[mark.strip()].append(pattern.strip())
    return marked


def _lines(name: str) -> Iterator[str]:
    """The lines of a list, folder by folder, without comments."""
    for contents in sorted(ROOT.glob("*/words/contents.txt")):
        if name.removesuffix(".txt") in lines_of(contents):
            for line in lines_of(contents.parent / name):
                if text := line.partition("#")[0].strip():
                    yield text


def _marked(name: str) -> Iterator[tuple[str, str]]:
    """What stands before and after the colon of each line."""
    for line in _lines(name):
        mark, _, rest = line.partition(":")
        yield mark, rest


def _concepts() -> Iterator[tuple[str, Concept]]:
    for marked, words in _marked("concepts.txt"):
        name = marked.lstrip(WEAK_MARK + STRONG_MARK)
        marks = marked.removesuffix(name)
        for sign, side in zip((1, -1), words.split("|"), strict=False):
            concept = Concept(name, sign, polar=STRONG_MARK in marks, weak=WEAK_MARK in marks)
            yield from ((word, concept) for word in side.split())
