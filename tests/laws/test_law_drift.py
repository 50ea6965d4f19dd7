"""Another layout is never drift, and another token always is, whatever the text."""

import re

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.knowledge.citations import Cited
from learnt.core.knowledge.spans.prints import Text, find, take
from learnt.core.knowledge.spans.texts import read
from tests.laws.strategies import texts

KEY = b"k" * 32
WORDS = frozenset(
    """
    as if in is or and def del for not try elif else from pass with
    async await break class false match raise while yield assert case except global import return
    """.split()
)


def _free(word: str) -> bool:
    """Whether it may be a name."""
    return word not in WORDS


_names = st.from_regex(r"[a-z]{2,6}", fullmatch=True).filter(_free)
_calls = st.builds(
    lambda target, name, given: (target, name, tuple(given)),
    _names, _names, st.lists(_names | st.integers(0, 999).map(str), min_size=1, max_size=4),
)  # fmt: skip
_programs = st.lists(_calls, min_size=1, max_size=6)
_paths = st.sampled_from(["a.py", "a.js", "a.css", "a.md", "a.yaml", "a.sql", "a.html", "a.c"])


def written(program: list[tuple[str, str, tuple[str, ...]]], width: int, comma: str) -> str:
    """A program in one layout: its arguments on so many lines."""
    lines = []
    for target, name, arguments in program:
        gap = "\n" + " " * width if width else " "
        inner = f",{gap}".join(arguments)
        lines.append(f"{target} = {name}({gap if width else ''}{inner}{comma})")
    return ("\n" * (1 + width % 3)).join(lines) + "\n"


@given(_programs, st.integers(0, 9), st.integers(1, 9))
def test_another_layout_is_never_drift(
    program: list[tuple[str, str, tuple[str, ...]]], one: int, two: int
) -> None:
    """Line breaks, indentation, blank lines and last commas."""
    before, after = written(program, one, ""), written(program, two, ",")
    for path in ("a.py", "a.js"):
        taken = take(KEY, Text(before, path), Cited())
        assert taken is not None
        assert find(KEY, Text(after, path), Cited(), taken[2])


@given(_programs, st.data())
def test_another_token_is_always_drift(
    program: list[tuple[str, str, tuple[str, ...]]], data: st.DataObject
) -> None:
    """A name or a number that was replaced, wherever it stands."""
    text = written(program, 0, "")
    place = data.draw(st.sampled_from(list(re.finditer(r"\w+", text))))
    other = text[: place.start()] + "other_name" + text[place.end() :]
    number = text[: place.start()].count("\n") + 1
    for span in (Cited(), Cited(first=number, last=number)):
        taken = take(KEY, Text(text, "a.py"), span)
        assert taken is not None
        assert None is find(KEY, Text(other, "a.py"), span, taken[2])


@given(texts, _paths, st.sampled_from(["\n", "\n\n", "  \n", "\r\n"]))
def test_whatever_is_read_is_found_again(text: str, path: str, end: str) -> None:
    """Any text, as any kind of file: as it was, and with other ends of lines."""
    taken = take(KEY, Text(text, path), Cited())
    if taken is not None:
        assert find(KEY, Text(text, path), Cited(), taken[2])
        assert find(KEY, Text(text + end, path), Cited(), taken[2])
    tokens = read(text, path)
    assert len(tokens.words) == len(tokens.lines)
    assert tokens.lines == sorted(tokens.lines)
