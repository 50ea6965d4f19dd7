"""A text as tokens in which layout does not count: white space, line breaks, quotes, commas.

Names, numbers, strings, operators, the words of comments and their order do. Each family of files
is read by rules of its own; what is unknown is read as code whose quotes differ in meaning.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final
from zlib import crc32

from learnt.core.tokens import UNSPACED

PROSE: Final = frozenset({"md", "markdown", "rst", "txt", "adoc", ""})
MARKUP: Final = frozenset({"html", "htm", "xml", "svg", "vue", "svelte"})
# Whose two quotes mean the same; of all others they do not.
ALIKE: Final = frozenset({"js", "jsx", "mjs", "cjs", "ts", "tsx", "css", "scss", "less", "json"})
STYLES: Final = frozenset({"css", "scss", "less"})
BY_LEVEL: Final = frozenset({"yaml", "yml"})
HASHED: Final = frozenset({"yaml", "yml", "toml", "sh", "bash", "rb", "cfg", "ini", "tf", "r"})
DASHED: Final = frozenset({"sql", "lua", "hs", "ada"})
LONGEST_STRING: Final = 2_000

DEEPER: Final = "\x01"
HIGHER: Final = "\x02"
LINE: Final = "\n"
OWN_LINES: Final = "#|"  # begins a comment of Python that has its lines to itself
EDGES: Final = frozenset({DEEPER, HIGHER, LINE})
_NOTHING = "\x00"


@dataclass(slots=True)
class Tokens:
    """Tokens in order, each with the number of the line it begins in, from 1."""

    words: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, word: str, line: int) -> None:
        """One more."""
        self.words.append(word)
        self.lines.append(line)

    def within(self, first: int, last: int) -> tuple[int, int]:
        """The range of the tokens that begin in these lines, without edges at its start."""
        start, end = bisect_right(self.lines, first - 1), bisect_right(self.lines, last)
        while start < end and self.words[start] in EDGES:
            start += 1
        while end > start and self.words[end - 1] in EDGES:
            end -= 1
        return start, end

    def level(self, levels: list[int], indent: int, line: int) -> None:
        """The marks of a block that begins there, or of those that end; `levels` are the open."""
        while levels[-1] > indent:
            levels.pop()
            self.add(HIGHER, line)
        if levels[-1] < indent:
            levels.append(indent)
            self.add(DEEPER, line)

    def begins(self, at: int) -> bool:
        """Whether a line, or in Python a statement, begins with the token there."""
        return at == 0 or self.words[at - 1] in EDGES or self.lines[at - 1] != self.lines[at]

    def ends(self, at: int) -> bool:
        """Whether a line, or in Python a statement, ends before the token there."""
        count = len(self.words)
        if at < count and self.words[at] == "," and at + 1 < count:
            at += 1  # one more item after the last is not a change of the last
        return at >= count or self.begins(at)

    def word(self, at: int) -> str:
        """The token there; a mark for none."""
        return self.words[at] if 0 <= at < len(self.words) else _NOTHING


def checksum(word: str) -> int:
    """A number of 32 bits; equal words have equal ones, and others hardly ever."""
    return crc32(word.encode("utf-8", "surrogatepass"))


def summed(words: Sequence[str]) -> list[int]:
    """The running sums of checksums, from 0."""
    checksums = {word: checksum(word) for word in set(words)}
    return [0, *accumulate(map(checksums.__getitem__, words))]


_BARE: Final = re.compile(r"\\\w|\w+")


def bare(text: str) -> list[str]:
    """The words of a text alone, whatever is in between: the same in every layout.

    >>> bare("a = u'B\\n' 'c'") == bare('A=("b\\nC")')
    True
    """
    words = _BARE if text.isascii() else rf"\\\w|[{UNSPACED}]|[^\W{UNSPACED}]+"
    return [word for word in re.findall(words, text.casefold()) if word != "u"]


def suffix_of(path: str) -> str:
    """The ending of a file's name, in lower case, without the dot.

    >>> suffix_of("src/A.PY"), suffix_of("Makefile"), suffix_of(".env")
    ('py', 'makefile', 'env')
    """
    return path.rpartition("/")[2].rpartition(".")[2].casefold()


def clean(text: str) -> str:
    """The text with lines that end alike, and no mark of its byte order."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def read(text: str, path: str) -> Tokens:
    """The tokens of a whole file, by its name.

    >>> read("a = [1,\\n 2,]  // x", "a.js").words
    ['a', '=', '[', '1', ',', '2', ']', '//x']
    >>> read("One  two\\nthree.", "a.md").words
    ['One', 'two', 'three', '.']
    """
    suffix = suffix_of(path)
    if suffix in {"py", "pyi"}:
        from learnt.core.knowledge.spans.python_text import read_python

        return read_python(clean(text))
    return _Plain(clean(text), suffix).tokens


_CHARACTER = rf"[{UNSPACED}]"
WORD: Final = rf"{_CHARACTER}|[^\W{UNSPACED}]+|-{{3,}}|={{4,}}|[^\w\s]"

_STRING = rf'"(?:[^"\\\n]|\\.){{0,{LONGEST_STRING}}}"'
_SINGLE = rf"(?<!\w)'(?:[^'\\\n]|\\.){{0,{LONGEST_STRING}}}'"


_CODE: Final = r"//+(?!\S{0,200}//)|/\*+|\*{1,80}/"  # bounded: else a row of stars is slow
_PARTS: Final = {
    "prose": "",
    "markup": "",
    "alike": f"{_STRING}|{_SINGLE}|{_CODE}|",
    "level": rf"{_STRING}|{_SINGLE}|(?<!\S)#+|",
    "hashed": rf"{_STRING}|(?<!\S)#+|",
    "dashed": f"{_STRING}|--+|",
    "other": f"{_STRING}|{_CODE}|",
}


_FAMILIES: Final = {
    suffix: family
    for family, suffixes in (
        ("prose", PROSE), ("markup", MARKUP), ("alike", ALIKE), ("hashed", HASHED),
        ("level", BY_LEVEL), ("dashed", DASHED),
    )
    for suffix in suffixes
}  # fmt: skip
_CLOSERS: Final = frozenset(")]}")
_MARKS: Final = {"alike": "//", "other": "//", "level": "#", "hashed": "#", "dashed": "--"}


class _Plain:
    """Reads what is not Python, once."""

    def __init__(self, text: str, suffix: str) -> None:
        self.tokens = Tokens()
        self.family = _FAMILIES.get(suffix, "other")
        # What formatters put before a closing bracket, or leave out.
        self.spare = "" if self.family == "prose" else ",;" if suffix in STYLES else ","
        self.mark = _MARKS.get(self.family, "")
        self.line = 0
        self.levels = [0]
        self.noting = False  # from a comment's mark to the end of its line
        fresh, indent = True, 0
        # Line breaks with what indents, strings, comments' marks, words.
        for word in re.findall(rf"\n[ \t]*|{_PARTS[self.family]}{WORD}", "\n" + text):
            if word[0] == "\n":
                self.line += 1
                fresh, indent = True, len(word.expandtabs(8)) - 1
                self.noting = False
            else:
                self._take(word, fresh, indent)
                fresh = False

    def _take(self, word: str, fresh: bool, indent: int) -> None:
        if self.mark and word.startswith(self.mark):
            self.noting = True
            return
        if self.noting:
            # Marked: code that becomes a comment is not to be found in it.
            self.tokens.add(self.mark + self._same(word), self.line)
            return
        words = self.tokens.words
        if fresh:
            if self._continues(word):
                return
            if self.family == "level":
                self.tokens.level(self.levels, indent, self.line)
        if word in _CLOSERS and words and words[-1] in self.spare:
            words.pop()
            self.tokens.lines.pop()
        self.tokens.add(self._same(word), self.line)

    def _continues(self, word: str) -> bool:
        """Whether it only goes on with what a line above began: a quotation, a comment's star."""
        if self.family == "prose":
            return word == ">"
        return word == "*" and self.mark == "//"

    def _same(self, word: str) -> str:
        """A word without what formatters choose: quotes where both mean the same, long rules."""
        if self.family in {"alike", "level"} and len(word) > 1 and word[0] in "\"'":
            return '"' + word[1:-1].replace("\\'", "'").replace('\\"', '"')
        if word == "'" and self.family == "markup":
            return '"'
        return word[:3] if word[:3] in {"---", "==="} else word
