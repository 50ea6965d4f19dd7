"""A shell line as its simple commands: words, what is fed to each, and where their output goes.

Standard library only: a byte-for-byte copy of this file lies beside the hook. There are no
dataclasses in it, since they take longer to load than all of this takes to run.

What is not understood (subshells, functions, a quote that is left open) makes a line unclear; its
commands are then a guess, each as far as it can be told.
"""

import re

UNSEEN = "\0"  # stands in a word where the shell puts something that the line does not tell
PIPES = ("|", "|&")
DEEPEST = 3  # substitutions in each other that are read
# These start the command that follows, which is the one that counts.
WRAPPERS = frozenset(
    """
    sudo env time nice nohup command exec timeout stdbuf xvfb-run npx pnpx bunx uvx winpty unbuffer
    then do if !
    """.split()
)
_SUBSTITUTION = r"\$\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)|`[^`]*+`"  # one that holds another, no more
_VARIABLE = r"\$(?:\w+|[?$!#@*-]|\{[^{}\n]{0,200}\})"
_PIECE = re.compile(
    r"(?P<blank>[ \t\r]+)|(?P<joined>\\\r?\n)|(?P<escaped>\\.)"
    r"|(?P<redirect>(?P<which>\d*)(?P<how><<<|<<-?|&>>?|>>|>\||>&|<&|<>|[<>]))"
    r"|(?P<operator>&&|\|\||\|&|[;|\n&()])"
    r"|(?P<single>'[^']*+')"
    rf"|(?P<double>\"(?:[^\"\\$`]|\\.|{_SUBSTITUTION}|\$)*+\")"
    rf"|(?P<substituted>{_SUBSTITUTION}|\$'[^']*+')|(?P<variable>{_VARIABLE})"
    r"|(?P<plain>[^\s'\"\\$`|&;<>()#]+|[#$])|(?P<odd>.)",
    re.DOTALL,
)
# Compiled when it is needed: the hook reads few lines with one.
_INSIDE = rf"\\(?P<escaped>[$`\"\\\n])|{_SUBSTITUTION}|{_VARIABLE}"
_NESTED = re.compile(r"[(`\\]")


class ShellCommand:
    """A command, with the operators before and after it.

    `words` are its words as the program gets them, `raw` the same as they are written, and `bare`
    the same with `''` for what stands in quotes or is substituted. `fed` is what stands in the
    line for it to read; `printed` whether its output is shown, and `complains` whether its errors
    are. `inner`: it runs within a substitution; `ends` say where its output goes, and as written
    what is fed to it.
    """

    __slots__ = (
        "after", "bare", "before", "complains", "ends", "fed", "inner", "printed", "raw", "words",
    )  # fmt: skip

    def __init__(self, before: str) -> None:
        self.before, self.after = before, ";"
        self.words: list[str] = []
        self.raw: list[str] = []
        self.bare: list[str] = []
        self.ends: list[str] = []
        self.fed: str | None = None
        self.printed = self.complains = True
        self.inner = False

    def redirect(self, which: str, how: str, target: str) -> None:
        """Send its output, or what it reads, elsewhere."""
        if how.startswith("<"):
            self.fed = target if how == "<<<" else UNSEEN
        elif how.startswith("&") or (how == ">&" and not target.isdigit()):
            self.printed = self.complains = False
        elif how == ">&" and which == "2" and target == "1":
            self.complains = self.printed
        elif how == ">&" and which in {"", "1"} and target == "2":
            self.printed = self.complains
        elif how != ">&" and which == "2":
            self.complains = False
        elif how != ">&" and which in {"", "1"}:
            self.printed = False


class Line:
    """A line as it was read: its commands, whether it is clear, and its text without comments.

    In `text` what the line feeds to programs is `<<…`, with the rest of the line announcing it.
    """

    def __init__(self, line: str, depth: int = 0) -> None:
        self.clear, self.commands, self.text = True, list[ShellCommand](), line
        self._line, self._depth = line, depth
        self._now = ShellCommand(";")
        self._word: list[tuple[str, str, str]] = []  # each piece as it comes, as written, bare
        self._redirect: tuple[str, str, int] | None = None  # which output, how, where in the line
        self._documents: list[tuple[ShellCommand, str, bool, int]] = []
        self._cuts: list[tuple[int, int, str]] = []
        self._read()

    def _read(self) -> None:
        at = 0
        while (match := _PIECE.match(self._line, at)) is not None:
            kind, text, at = match.lastgroup or "", match[0], match.end()
            if kind == "redirect" and self._word and match["which"]:
                # The digits end a word; they name no output.
                self._piece("plain", match["which"])
                self._redirected("", match["how"], match.start("how"))
            elif kind == "redirect":
                self._redirected(match["which"], match["how"], match.start())
            elif kind == "operator":
                self._end(text)
                at = self._read_documents(at) if text == "\n" else at
            elif text == "#" and not self._word:
                end = self._line.find("\n", at)
                end = len(self._line) if end < 0 else end
                self._cuts.append((match.start(), end, ""))
                at = end
            elif kind == "blank" or (kind == "odd" and text.isspace()):
                self.clear = self.clear and kind == "blank"
                self._close()
            elif kind == "joined":
                # A shell would make one word of what is on either side.
                behind = self._line[at : at + 1]
                self.clear = self.clear and (not self._word or behind in {"", " ", "\t", "\r"})
                self._close()
            else:
                self._piece(kind, text)
        self._end(";")
        self.clear = self.clear and not self._documents
        last, kept = 0, ""
        for start, end, instead in sorted(self._cuts):
            if start >= last:
                last, kept = end, kept + self._line[last:start] + instead
        self.text = kept + self._line[last:]

    def _piece(self, kind: str, text: str) -> None:
        seen, bare = text, text
        if kind == "escaped":
            seen = text[1:]
        elif kind == "single":
            seen, bare = text[1:-1], "''"
        elif kind == "double":
            seen, bare = re.sub(_INSIDE, self._expanded, text[1:-1]), "''"
            self.clear = self.clear and "$(" not in re.sub(_INSIDE, "", text)
        elif kind == "substituted":
            seen, bare = self._substituted(text), "''"
        elif kind == "variable":
            seen = UNSEEN
        elif kind == "odd":
            self.clear = False
        self._word.append((seen, text, bare))

    def _expanded(self, match: "re.Match[str]") -> str:
        if match["escaped"]:
            return "" if match["escaped"] == "\n" else match["escaped"]
        return self._substituted(match[0])

    def _substituted(self, text: str) -> str:
        """What a substitution stands for; its commands are read too."""
        if text.startswith(("$(", "`")):
            inner = text[1:-1].removeprefix("(")
            self.clear = self.clear and _NESTED.search(inner) is None
            if self._depth < DEEPEST and not inner.startswith("("):
                for command in Line(inner, self._depth + 1).commands:
                    command.inner = True
                    self.commands.append(command)
        elif text.startswith("$'"):
            self.clear = self.clear and _NESTED.search(text) is None
        return UNSEEN

    def _redirected(self, which: str, how: str, start: int) -> None:
        self._close()
        self.clear = self.clear and self._redirect is None
        self._redirect = (which, how, start)

    def _close(self) -> None:
        """The word ends: it is the command's, or where a redirection leads."""
        if not self._word:
            return
        seen, raw, bare = ("".join(parts) for parts in zip(*self._word, strict=True))
        quoted = any(text[0] in "'\"" for _, text, _ in self._word)
        self._word = []
        if self._redirect is None:
            self._now.words.append(seen)
            self._now.raw.append(raw)
            self._now.bare.append(bare)
            return
        (which, how, start), self._redirect = self._redirect, None
        if how in {"<<", "<<-"}:
            self._documents.append((self._now, seen, quoted, start))
        else:
            self._now.redirect(which, how, seen)
            self._now.ends += [f"{'<<' if '<' in how else '>'}{raw}"] * ("&" not in how)

    def _end(self, operator: str) -> None:
        self._close()
        self.clear = self.clear and self._redirect is None and operator not in "()"
        operator = "<(" if operator == "(" and self._redirect else operator
        self._redirect = None
        if self._now.words:
            self._now.after = operator
            self.commands.append(self._now)
            self._now = ShellCommand(operator)
        elif operator not in {";", "\n"}:
            self.clear = False
            self._now.before = self._now.before if self._now.before in PIPES else operator

    def _read_documents(self, at: int) -> int:
        """What stands in the lines below for the commands above; the place behind it."""
        for command, word, quoted, start in self._documents:
            stop = re.compile(rf"^[ \t]*{re.escape(word)}[ \t]*\r?$", re.MULTILINE)
            match = stop.search(self._line, at)
            end, behind = (match.start(), match.end()) if match else (len(self._line),) * 2
            self.clear = self.clear and match is not None
            text = self._line[at:end].removesuffix("\n")
            command.ends.append(f"<< {text}")
            command.fed = text if quoted or not re.search(r"[$`\\]", text) else UNSEEN
            at = behind
            self._cuts.append((start, behind, "<<\u2026"))
        self._documents = []
        return at


def read(line: str) -> Line:
    """A line's commands.

    >>> [(one.words, one.after) for one in read("cd /srv && curl -d 'a b' host 2>&1").commands]
    [(['cd', '/srv'], '&&'), (['curl', '-d', 'a b', 'host'], ';')]
    >>> read('curl -d "a $x"').commands[0].words[2] == f"a {UNSEEN}"
    True
    """
    return Line(line)
