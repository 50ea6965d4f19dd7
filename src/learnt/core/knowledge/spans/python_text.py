"""Python as tokens in which layout does not count, but the block that a statement is in does.

Not the interpreter's own tokenizer: that one stops at what does not parse, is slower, and differs
from version to version, which would make every citation drift with an upgrade.
"""

import re
from typing import Final

from learnt.core.knowledge.spans.texts import LINE, LONGEST_STRING, OWN_LINES, WORD, Tokens

_PREFIX = r"(?:\b[rRbBuUfF]{1,2})?"
_LEXER: Final = re.compile(
    r"\n[ \t\f]*"
    r"|#[^\n]*"
    rf"|{_PREFIX}\"\"\"[\s\S]*?\"\"\"|{_PREFIX}'''[\s\S]*?'''"
    rf"|{_PREFIX}\"(?:[^\"\\\n]|\\[\s\S]){{0,{LONGEST_STRING}}}\""
    rf"|{_PREFIX}'(?:[^'\\\n]|\\[\s\S]){{0,{LONGEST_STRING}}}'"
    r"|\.\d[\w.]*|\d(?:[eE][+-]\d|[\w.])*|\w+"
    r"|\*\*=?|//=?|>>=?|<<=?|->|[-+*/%&|^@=<>!:]=|\\\n|[^\w\s]"
)
_WORDS: Final = re.compile(WORD)
_STRING: Final = re.compile(r"([a-zA-Z]*)(\"\"\"|'''|\"|')([\s\S]*)\2")
_BRACES: Final = re.compile(r"(?<=\{)\s+|\s+(?=\})")
_PIECES: Final = re.compile(r"\\[\s\S]|\w+|[^\w]")
_PLAIN: Final = {"\\'": "'", '\\"': '"', "\\\n": " "}
_SHUT: Final = '"'
_OPENERS, _CLOSERS = frozenset("([{"), frozenset(")]}")
# After these a formatter puts brackets around what is long, and takes them away again.
_WRAPS: Final = frozenset(
    """return import in = if elif while assert del with except for yield await raise += -= *= /=
    |= &= -> :=""".split()
)
_HEADS: Final = frozenset(
    "if elif else for while with try except finally class def async match case".split()
)
_COMMENT: Final = "#"  # begins each word of a comment
_Row = list[tuple[str, int]]


def read_python(text: str) -> Tokens:
    """The tokens of a file.

    >>> read_python("if a:  return (b)").words == read_python("if (a):\\n  return b").words
    True
    >>> read_python("if a:\\n  b\\nc").words == read_python("if a:\\n  b\\n  c").words
    False
    """
    return _Python(text).tokens


class _Python:
    """Reads a file once, logical line by logical line."""

    def __init__(self, text: str) -> None:
        self.tokens, self.levels = Tokens(), [0]
        self.indent = 0  # of the logical line that is being read
        self.row: _Row = []
        self.begun = -1  # where in the row the last plain string begins
        self.depth = 0  # of open brackets
        self.waiting: list[tuple[int, int, list[str]]] = []  # comments between statements
        line, fresh, indent = 0, True, 0
        for word in _LEXER.findall("\n" + text):
            mark = word[0]
            if mark == "\n":
                line += 1
                fresh, indent = True, len(word.expandtabs(8)) - 1
                if not self.depth:
                    self._flush()
                continue
            if mark == "#":
                # Marked: code that becomes a comment is not to be found in it.
                parts = [_COMMENT + part for part in _WORDS.findall(word.lstrip("#!: "))]
                if fresh and not self.depth:
                    self.waiting.append((line, indent, parts))
                elif self.row:
                    self.row += [(part, line) for part in parts]
                else:  # behind the head of a block
                    self._add(parts, line)
            elif mark == ";" and not self.depth:
                self._flush()
            elif word != "\\\n":
                if fresh and not self.row:
                    self.indent = indent
                self._take(word, line)
            fresh = False
            line += word.count("\n")
        self._flush()
        self._begin(0, line)

    def _add(self, parts: list[str], line: int) -> None:
        for part in parts:
            self.tokens.add(part, line)

    def _take(self, word: str, line: int) -> None:
        self.depth = max(0, self.depth + (word in _OPENERS) - (word in _CLOSERS))
        if len(word) > 1 and (match := _STRING.fullmatch(word)):
            self._string(match, line)
            return
        number = word[0].isdigit() or word[0] == "."
        self.row.append((word.casefold() if number else word, line))
        if word == ":" and not self.depth and self.row[0][0] in _HEADS:
            row = [each for each, _ in self.row]
            if row.count("lambda") < row.count(":"):  # what follows is its block, if on its line
                self._flush()
                self.indent += 1

    def _string(self, match: re.Match[str], line: int) -> None:
        """A string with its marks, joined with the string before it; of a long one its words."""
        prefix = "".join(sorted(match[1].casefold().replace("u", "")))
        content, long = match[3], len(match[2]) == 3
        shut = _SHUT * len(match[2])
        if not long and self.row and self.row[-1][0] == _SHUT and self.begun >= 0:
            self.row.pop()
            begun, at = self.row[self.begun]
            self.row[self.begun] = (max(begun, prefix + shut), at)
        else:
            self.begun = -1 if long else len(self.row)
            self.row.append((prefix + shut, line))
        content = _BRACES.sub("", content) if "f" in prefix and not long else content
        at = 0
        for part in (_WORDS if long else _PIECES).finditer(content):
            line += content.count("\n", at, part.start())
            at = part.start()
            self.row.append((_SHUT + _PLAIN.get(part[0], part[0]), line))
        self.row.append((shut, line + content.count("\n", at)))

    def _flush(self) -> None:
        """The logical line, or the head of a block, is complete."""
        row, self.row, self.depth, self.begun = _tidied(self.row), [], 0, -1
        if row:
            self._begin(self.indent, row[0][1])
            self.tokens.add(LINE, row[0][1])
            for word, line in row:
                self.tokens.add(word, line)

    def _begin(self, indent: int, line: int) -> None:
        """To the level of the next statement; comments before it belong where they are indented."""
        waiting, self.waiting = self.waiting, []
        inner = next((n for n, each in enumerate(waiting) if each[1] <= indent), len(waiting))
        for comments, at in (waiting[:inner], None), (waiting[inner:], line):
            if at is not None:
                self.tokens.level(self.levels, indent, comments[0][0] if comments else at)
            if comments:
                self.tokens.add(OWN_LINES, comments[0][0])
            for number, _, parts in comments:
                self._add(parts, number)


def _tidied(row: _Row) -> _Row:
    """Without commas before closing brackets, and brackets that only hold a line together."""
    while True:
        kept, starts = _Row(), list[int]()
        for at, (word, _) in enumerate(row):
            if word in _OPENERS:
                starts.append(len(kept))
            elif word in _CLOSERS and starts:
                start = starts.pop()
                before = kept[start - 1][0] if start else "="
                if kept[-1][0] == ",":
                    named = before.isidentifier() and before not in _WRAPS
                    call = named or before == "import" or before in _CLOSERS
                    # That of a tuple of one stays.
                    if word != ")" or call or sum(each == "," for each, _ in kept[start:]) > 1:
                        kept.pop()
                after = row[at + 1][0] if at + 1 < len(row) else ""
                if word == ")" and not starts and _idle([*kept, row[at]], start, before, after):
                    row = [*kept[:start], *kept[start + 1 :], *row[at + 1 :]]
                    break
            kept.append(row[at])
        else:
            return kept


def _idle(row: _Row, start: int, before: str, after: str) -> bool:
    """Whether the pair of round brackets that ends a row says nothing."""
    if start == len(row) - 2:
        return row[0][0] == "class" and start == 2
    after = "" if after.startswith(_COMMENT) else after
    asserted = row[0][0] == "assert"
    if before == "for" or after == "in":
        return before == "for" and after == "in"
    if before in _WRAPS or (before == "," and asserted):
        ends = {"", ":", "as"} if before in {"except", "with"} else {"", ":", "="}
        return after in ends or (after == "," and asserted)
    return False
