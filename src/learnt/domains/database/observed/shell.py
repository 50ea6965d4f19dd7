"""A shell line as its simple commands: words, what is fed to each, and where their output goes.

What is not understood whole (subshells, functions, a quote that is left open) is nothing at all.
"""

import re
from dataclasses import dataclass, field
from typing import Final

UNSEEN: Final = "\0"  # stands in a word where the shell puts something that the line does not tell
_OPERATOR: Final = re.compile(r"&&|\|\||\|&|[;|\n]|&(?!>)")
_REDIRECT: Final = re.compile(r"<<<|<<-?|&>>?|>>|>\||>&|<&|<>|[<>]")
_VARIABLE: Final = re.compile(r"\$(?:\w+|[?$!#@*-]|\{[^{}\n]{0,200}\})")
_PLAIN: Final = re.compile(r"[^\s'\"\\$`|&;<>()#]+|#")
_QUOTED: Final = re.compile(r"[^\"\\$`]+")
_ESCAPED: Final = frozenset('$`"\\')


@dataclass(slots=True)
class Simple:
    """A command, with the operators before and after it.

    `fed` is what stands in the line for it to read; `printed` whether its output is shown, and
    `complains` whether its errors are.
    """

    before: str
    words: list[str] = field(default_factory=list)
    after: str = ";"
    fed: str | None = None
    printed: bool = True
    complains: bool = True


class _UnclearError(Exception):
    """The line holds what is not understood."""


@dataclass(slots=True)
class _Reader:
    """Where it is in the line, and what was found up to there."""

    line: str
    at: int = 0
    word: list[str] | None = None
    quoted: bool = False
    redirect: tuple[str, str] | None = None  # which output, and how: its target is the next word
    documents: list[tuple[Simple, str, bool]] = field(default_factory=list)
    found: list[Simple] = field(default_factory=list)
    now: Simple = field(default_factory=lambda: Simple(before=";"))

    def read(self) -> list[Simple]:
        """Every command of the line."""
        while self.at < len(self.line):
            self._step(self.line[self.at])
        self._end(";")
        if self.documents:
            raise _UnclearError
        return self.found

    def _step(self, char: str) -> None:
        if char in " \t\r":
            self._close()
            self.at += 1
        elif char == "\\":
            self._escape()
        elif char in "'\"":
            self._quotes(char)
        elif char in "$`":
            self._add(self._expansion())
        elif char in "()" or (char == "#" and self.word is None):
            self._comment(char)
        elif char in "|&;\n<>":
            self._punctuation()
        elif (found := _PLAIN.match(self.line, self.at)) is not None:
            self._add(found[0])
            self.at = found.end()
        else:  # white space that no shell knows
            raise _UnclearError

    def _add(self, text: str) -> None:
        if self.word is None:
            self.word = []
        self.word.append(text)

    def _close(self) -> None:
        """The word ends: it is the command's, or where a redirection leads."""
        if self.word is None:
            return
        word, self.word = "".join(self.word), None
        quoted, self.quoted = self.quoted, False
        if self.redirect is None:
            self.now.words.append(word)
            return
        (which, how), self.redirect = self.redirect, None
        if how == "<<<":
            self.now.fed = word
        elif how.startswith("<<"):
            self.documents.append((self.now, word, quoted))
        elif how.startswith("<"):
            self.now.fed = UNSEEN
        elif how.startswith("&") or (how == ">&" and not word.isdigit()):
            self.now.printed = self.now.complains = False
        elif how == ">&":
            self._copied(which, word)
        elif which == "2":
            self.now.complains = False
        elif which in {"", "1"}:
            self.now.printed = False

    def _copied(self, which: str, word: str) -> None:
        """One output goes where another goes by now."""
        if which == "2" and word == "1":
            self.now.complains = self.now.printed
        elif which in {"", "1"} and word == "2":
            self.now.printed = self.now.complains

    def _escape(self) -> None:
        escaped = self.line[self.at + 1 : self.at + 2]
        if escaped == "\r" and self.line[self.at + 2 : self.at + 3] == "\n":
            self.at += 3
            return
        if escaped != "\n":
            self._add(escaped)
        self.at += 2

    def _quotes(self, char: str) -> None:
        self.quoted = True
        self._add("")
        self.at += 1
        if char == "'":
            end = self.line.find("'", self.at)
            if end < 0:
                raise _UnclearError
            self._add(self.line[self.at : end])
            self.at = end + 1
            return
        while self.line[self.at : self.at + 1] != '"':
            self._inside()
        self.at += 1

    def _inside(self) -> None:
        """The next piece of what stands in double quotes."""
        if (found := _QUOTED.match(self.line, self.at)) is not None:
            self._add(found[0])
            self.at = found.end()
            return
        char, after = self.line[self.at : self.at + 1], self.line[self.at + 1 : self.at + 2]
        if not char:
            raise _UnclearError
        if char != "\\":
            self._add(self._expansion())
            return
        self._add("" if after == "\n" else after if after in _ESCAPED else f"\\{after}")
        self.at += 2

    def _expansion(self) -> str:
        """What a `$` or a backtick stands for; the place behind it."""
        if (found := _VARIABLE.match(self.line, self.at)) is not None:
            self.at = found.end()
            return UNSEEN
        if self.line[self.at] == "`" or self.line[self.at + 1 : self.at + 2] in {"(", "{", "'"}:
            self.at = self._substituted()
            return UNSEEN
        self.at += 1
        return "$"

    def _substituted(self) -> int:
        """Where a substitution ends. One that holds another is unclear."""
        opened = self.line[self.at : self.at + 2]
        closing = {"$(": ")", "$'": "'"}.get(opened, "`")
        start = self.at + (1 if closing == "`" else 2)
        end = self.line.find(closing, start)
        if end < 0 or opened == "${" or re.search(r"[(`\\]", self.line[start:end]):
            raise _UnclearError
        return end + 1

    def _comment(self, char: str) -> None:
        if char != "#":
            raise _UnclearError
        end = self.line.find("\n", self.at)
        self.at = len(self.line) if end < 0 else end

    def _punctuation(self) -> None:
        if (found := _REDIRECT.match(self.line, self.at)) is not None:
            which = ""
            if self.word is not None and not self.quoted and "".join(self.word).isdigit():
                which, self.word = "".join(self.word), None
            self._close()
            if self.redirect is not None:
                raise _UnclearError
            self.redirect = (which, found[0])
            self.at = found.end()
            return
        operator = _OPERATOR.match(self.line, self.at)
        if operator is None:
            raise _UnclearError
        self.at = operator.end()
        self._end(operator[0])

    def _end(self, operator: str) -> None:
        self._close()
        if self.redirect is not None:
            raise _UnclearError
        if self.now.words:
            self.now.after = operator
            self.found.append(self.now)
            self.now = Simple(before=operator)
        elif operator not in {";", "\n"}:
            raise _UnclearError
        if operator == "\n":
            self._documents()

    def _documents(self) -> None:
        """What stands in the lines below for the commands above."""
        for command, end, quoted in self.documents:
            stop = re.compile(rf"^[ \t]*{re.escape(end)}[ \t]*\r?$", re.MULTILINE)
            found = stop.search(self.line, self.at)
            if found is None:
                raise _UnclearError
            text = self.line[self.at : found.start()].removesuffix("\n")
            command.fed = text if quoted or not re.search(r"[$`\\]", text) else UNSEEN
            self.at = found.end()
        self.documents = []


def commands(line: str) -> list[Simple] | None:
    """The commands of a line; None where it is not understood whole.

    >>> [(one.words, one.after) for one in commands("cd /srv && psql -c 'select 1' 2>&1")]
    [(['cd', '/srv'], '&&'), (['psql', '-c', 'select 1'], ';')]
    >>> commands('psql -c "select $x"')[0].words[2] == f"select {UNSEEN}"
    True
    >>> commands("f() { ls; }") is None, commands("echo 'open") is None
    (True, True)
    """
    try:
        return _Reader(line).read()
    except _UnclearError:
        return None
