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
        self.tokens = Tokens()
        self.levels = [0]
        self.indent = 0  # of the logical line that is being read
        self.row: _Row = []
        self.begun = -1  # where in the row the last plain string begins
        self.open: list[int] = []  # where in the row its open brackets stand
        self.waiting: list[tuple[int, int, list[str]]] = []  # comments between statements
        line, fresh, indent = 0, True, 0
        for word in _LEXER.findall("\n" + text):
            mark = word[0]
            if mark == "\n":
                line += 1
                fresh, indent = True, len(word.expandtabs(8)) - 1
                if not self.open:
                    self._flush()
                continue
            if mark == "\\" and word != "\\":
                line += 1
            elif mark == "#":
                self._comment(word, (line, indent), fresh=fresh)
            elif mark == ";" and not self.open:
                self._flush(keep=True)
            else:
                if not self.row:
                    self.indent = indent if fresh else self.indent
                self._take(word, line)
                line += word.count("\n") if len(word) > 1 else 0
            fresh = False
        self._flush()
        self._begin(0, line)

    def _take(self, word: str, line: int) -> None:
        if word in _OPENERS:
            self.open.append(len(self.row))
        elif word in _CLOSERS:
            self._close(word)
        if word[-1] in "\"'" and len(word) > 1:
            self._string(word, line)
        else:
            number = word[0].isdigit() or word[0] == "."
            self.row.append((word.casefold() if number else word, line))

    def _close(self, word: str) -> None:
        """A comma before a closing bracket goes, but for that of a tuple of one."""
        start = self.open.pop() if self.open else -1
        if self.row and self.row[-1][0] == ",":
            inner = [token for token, _ in self.row[start + 1 :]]
            before = self.row[start - 1][0] if start > 0 else ""
            named = before[:1].isidentifier() and before not in _WRAPS
            call = named or before == "import" or before in _CLOSERS
            if word != ")" or call or inner.count(",") > 1:
                self.row.pop()

    def _string(self, word: str, line: int) -> None:
        """A string with its marks, joined with the string before it; of a long one its words."""
        match = _STRING.fullmatch(word)
        if match is None:
            self.row.append((word, line))
            return
        prefix = "".join(sorted(match[1].casefold().replace("u", "")))
        quote, content = match[2], match[3]
        if len(quote) == 3:
            self.begun = -1
            self.row.append((prefix + '"""', line))
            at = 0
            for part in _WORDS.finditer(content):
                line += content.count("\n", at, part.start())
                at = part.start()
                self.row.append((_SHUT + part[0], line))
            self.row.append(('"""', line + content.count("\n", at)))
            return
        if self.row and self.row[-1][0] == _SHUT and self.begun >= 0:
            self.row.pop()
            begun, at = self.row[self.begun]
            self.row[self.begun] = (max(begun, prefix + _SHUT), at)
        else:
            self.begun = len(self.row)
            self.row.append((prefix + _SHUT, line))
        if "f" in prefix:
            content = _BRACES.sub("", content)
        for part in _PIECES.findall(content):
            self.row.append((_SHUT + _PLAIN.get(part, part), line))
            line += part.count("\n")
        self.row.append((_SHUT, line))

    def _comment(self, word: str, place: tuple[int, int], *, fresh: bool) -> None:
        """A comment's words, each marked: code that becomes a comment is not to be found in it."""
        parts = [_COMMENT + part for part in _WORDS.findall(word.lstrip("#!: "))]
        if fresh and not self.open:
            self.waiting.append((*place, parts))
        else:
            self.row += [(part, place[0]) for part in parts]

    def _flush(self, *, keep: bool = False) -> None:
        """The logical line is complete; with `keep` the next one is on the same level."""
        row, self.row, self.open, self.begun = self.row, [], [], -1
        if not row:
            return
        level = self.indent
        self._begin(level, row[0][1])
        head, body = _split(_unwrapped(row))
        self._say(head)
        if body:
            self.tokens.level(self.levels, level + 1, body[0][1])
            self._say(body)
        if keep and body:
            self.indent = level + 1

    def _begin(self, indent: int, line: int) -> None:
        """To the level of the next statement; comments before it belong where they are indented."""
        waiting, self.waiting = self.waiting, []
        inner = 0
        while inner < len(waiting) and waiting[inner][1] > indent:
            inner += 1
        self._tell(waiting[:inner])
        self.tokens.level(self.levels, indent, waiting[inner][0] if inner < len(waiting) else line)
        self._tell(waiting[inner:])

    def _tell(self, comments: list[tuple[int, int, list[str]]]) -> None:
        for line, _, _ in comments[:1]:
            self.tokens.add(OWN_LINES, line)
        for line, _, parts in comments:
            for part in parts:
                self.tokens.add(part, line)

    def _say(self, row: _Row) -> None:
        self.tokens.add(LINE, row[0][1])
        for word, line in row:
            self.tokens.add(word, line)


def _match(row: _Row, start: int) -> int:
    depth = 0
    for at in range(start, len(row)):
        word = row[at][0]
        depth += (word in _OPENERS) - (word in _CLOSERS)
        if not depth:
            return at
    return -1


def _unwrapped(row: _Row) -> _Row:
    """A logical line without the brackets that only hold it together."""
    at = 0
    while at < len(row):
        word, before = row[at][0], row[at - 1][0] if at else "="
        if word in _OPENERS:
            end = _match(row, at)
            if end < 0:
                return row
            if word == "(" and _idle(row, at, end, before):
                inner = row[at + 1 : end]
                row = row[:at] + inner + row[end + 1 :]
                continue
            at = end
        at += 1
    return row


def _idle(row: _Row, start: int, end: int, before: str) -> bool:
    """Whether a pair of round brackets says nothing."""
    after = row[end + 1][0] if end + 1 < len(row) else ""
    after = "" if after.startswith(_COMMENT) else after
    if end == start + 1:
        return row[0][0] == "class" and start == 2
    if before == "for":
        return after == "in"
    asserted = before == "," and row[0][0] == "assert"
    lambdas = before == ":" and any(word == "lambda" for word, _ in row[:start])
    wraps = before in _WRAPS or asserted or lambdas
    ends = {"", ":", "as"} if before in {"except", "with"} else {"", ":", "="}
    return wraps and (after in ends or (after == "," and row[0][0] == "assert"))


def _split(row: _Row) -> tuple[_Row, _Row]:
    """A statement's head and what stands on the same line behind its colon."""
    if row[0][0] not in _HEADS:
        return row, []
    depth = lambdas = 0
    for at, (word, _) in enumerate(row):
        depth += (word in _OPENERS) - (word in _CLOSERS)
        if word == "lambda":
            lambdas += 1
        elif word == ":" and not depth:
            if lambdas:
                lambdas -= 1
                continue
            rest = row[at + 1 :]
            comment = not rest or rest[0][0].startswith(_COMMENT)
            return (row, []) if comment else (row[: at + 1], rest)
    return row, []
