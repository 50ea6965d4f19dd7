"""Where a symbol stands in a text: a function, a class, a setting, a heading; by simple rules."""

import re
from collections.abc import Sequence
from typing import Final

from learnt.core.knowledge.spans import texts

_NAMED: Final = frozenset({"def", "class"})
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_SECTION: Final = re.compile(r"\s*\[+\s*(.+?)\s*\]+\s*(?:#.*)?$")
_WORDS_ONLY: Final = re.compile(r"[^\w]+")
_INTRODUCES: Final = (
    r"(?:function|class|interface|struct|enum|union|fn|func|def|type|trait|impl|module|namespace"
    r"|const|let|var|static|table|view|index|trigger|procedure|macro_rules!|define|sub|local"
    r"|if not exists)"
)
_LOOKED_AT: Final = 1_000  # characters of a line in which a name is introduced
_OPEN, _SHUT = frozenset("{(["), frozenset("})]")


def extent(text: str, path: str, tokens: texts.Tokens, symbol: str) -> tuple[int, int] | None:
    """The first and the last line of a symbol; None where there is none of the name.

    >>> from learnt.core.knowledge.spans.texts import read
    >>> said = "a = 1\\n\\ndef f(x):\\n    return x\\n\\nb = 2\\n"
    >>> extent(said, "a.py", read(said, "a.py"), "f")
    (3, 4)
    """
    suffix = texts.suffix_of(path)
    if suffix in {"py", "pyi"}:
        return _in_python(tokens, symbol.removesuffix("()").split("."))
    lines = [line[:_LOOKED_AT] for line in texts.clean(text).split("\n")]
    if suffix in texts.PROSE:
        return _section(lines, symbol)
    if suffix in texts.BY_LEVEL:
        return _by_indent(lines, symbol.split("."))
    if suffix in {"toml", "ini", "cfg"}:
        return _table(lines, symbol)
    return _by_brackets(lines, tokens, symbol.removesuffix("()"))


def _in_python(tokens: texts.Tokens, names: Sequence[str]) -> tuple[int, int] | None:
    """A definition with its decorators, or a name that is set, of a class where one is named."""
    words, starts, depth = tokens.words, list[tuple[int, int]](), 0
    for at, word in enumerate(words):
        depth += (word == texts.DEEPER) - (word == texts.HIGHER)
        if word in {texts.LINE, texts.OWN_LINES}:
            starts.append((depth, at + (word == texts.LINE)))
    starts.append((0, len(words)))
    first, low, high = 0, 0, len(starts) - 1
    for name in names:
        found = [
            n for n in range(low, high) if _names(words[starts[n][1] : starts[n][1] + 3], name)
        ]
        if not found:
            return None
        low = first = min(found, key=lambda n: starts[n][0])  # the outermost, then the first
        while first and words[starts[first - 1][1]] == "@":
            first -= 1
        high = next(n for n in range(low + 1, len(starts)) if starts[n][0] <= starts[low][0])
    last = starts[high][1] - 1
    while words[last] in texts.EDGES:
        last -= 1
    return tokens.lines[starts[first][1]], tokens.lines[last]


def _names(head: Sequence[str], name: str) -> bool:
    head = head[1:] if head[0] == "async" else head
    if head[0] in _NAMED:
        return head[1:2] == [name]
    return head[0] == name and head[1:2] in (["="], [":"])


def _section(lines: Sequence[str], symbol: str) -> tuple[int, int] | None:
    wanted, heading, fenced = _slug(symbol), None, False
    for number, line in enumerate(lines, 1):
        fenced ^= bool(_FENCE.match(line))
        match = None if fenced else _HEADING.match(line)
        if match is None:
            continue
        if heading is not None and len(match[1]) <= heading[1]:
            return heading[0], number - 1
        if heading is None and _slug(match[2]) == wanted:
            heading = number, len(match[1])
    return None if heading is None else (heading[0], len(lines))


def _slug(text: str) -> str:
    return _WORDS_ONLY.sub("-", text.casefold()).strip("-")


def _table(lines: Sequence[str], symbol: str) -> tuple[int, int] | None:
    """A section by its name in brackets, else a setting's line."""
    begun = 0
    for number, line in enumerate(lines, 1):
        match = _SECTION.match(line)
        if match and begun:
            return begun, number - 1
        if match and match[1] == symbol:
            begun = number
    if begun:
        return begun, len(lines)
    name = re.compile(rf"\s*{re.escape(symbol)}\s*[=:]")
    setting = next((number for number, line in enumerate(lines, 1) if name.match(line)), None)
    return None if setting is None else (setting, setting)


def _by_indent(lines: Sequence[str], names: Sequence[str]) -> tuple[int, int] | None:
    first, last = 1, len(lines)
    for name in names:
        key = re.compile(rf"(\s*(?:- )?)[\"']?{re.escape(name)}[\"']?\s*:")
        first = next((n for n in range(first, last + 1) if key.match(lines[n - 1])), 0)
        if not first:
            return None
        indent = _indent(lines[first - 1])
        end = first
        while end < last and (not lines[end].strip() or _indent(lines[end]) > indent):
            end += 1
        last = end
    return first, last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _by_brackets(lines: Sequence[str], tokens: texts.Tokens, symbol: str) -> tuple[int, int] | None:
    """From the line that introduces it to the end of the brackets that follow."""
    name = re.escape(symbol)
    edge = r"(?<![\w$-])", r"(?![\w$-])"
    ways = (
        rf"\b{_INTRODUCES}\s+[\"'`]?{edge[0]}{name}{edge[1]}",
        rf"^\s*(?:[\w$<>\[\]*&:]+\s+)*[*&]?{edge[0]}{name}{edge[1]}\s*(?:[=:(]|\{{)",
        rf"^\s*[^/\n]*{edge[0]}{name}{edge[1]}[^;]*\{{",
    )
    for way in ways:
        pattern = re.compile(way, re.IGNORECASE if way is ways[0] else 0)
        for number, line in enumerate(lines, 1):
            if pattern.search(line):
                return number, _closed(tokens, number)
    return None


def _closed(tokens: texts.Tokens, first: int) -> int:
    """The last line of what begins on a line, behind the brackets of arguments and of a body."""
    start, _ = tokens.within(first, first)
    depth, last = 0, first
    for at in range(start, len(tokens.words)):
        word, line = tokens.words[at], tokens.lines[at]
        if not depth and line > last and word not in _OPEN:
            return last
        last = line
        depth += (word in _OPEN) - (word in _SHUT)
        if not depth and word in {"}", ";"}:
            return last
    return last
