"""The glossary: one word for one thing, and the program's names are made of them."""

import ast
import re

from tests.architecture.source import sources
from tools.ceilings import UNCLEAR
from tools.docs import ROOT

ROWS = [row.split("\t") for row in (ROOT / "docs" / "glossary.tsv").read_text("utf-8").splitlines()]
NAMED = {
    part
    for source in sources()
    for node in ast.walk(source.tree)
    for name in (getattr(node, "id", ""), getattr(node, "name", ""), getattr(node, "attr", ""))
    if isinstance(name, str)
    for part in re.findall("[a-z]+", re.sub("([A-Z])", r"_\1", name).lower())
}


def test_each_word_has_one_meaning() -> None:
    """And the three sorts share none, but for a verb that is a noun too."""
    words = [(sort, word) for sort, word, _ in ROWS]
    assert len(set(words)) == len(words)
    assert UNCLEAR.isdisjoint(word for sort, word, _ in ROWS if sort != "never alone")


def test_the_programs_names_are_made_of_these_words() -> None:
    """Each word of the glossary is a part of some name of the package."""
    parts = {word: re.findall("[a-z]+", word) for sort, word, _ in ROWS if sort != "never alone"}
    stems = {name[:5] for name in NAMED}
    missing = [word for word, all_ in parts.items() if not any(p[:5] in stems for p in all_)]
    assert [] == missing


def test_the_rows_are_in_order() -> None:
    """Nouns, verbs and what stands never alone; verbs by the alphabet."""
    sorts = [sort for sort, _, _ in ROWS]
    assert sorts == sorted(sorts, key=["noun", "verb", "never alone"].index)
    verbs = [word for sort, word, _ in ROWS if sort == "verb"]
    assert sorted(verbs) == verbs
