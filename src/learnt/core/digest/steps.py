"""What an agent did in a session, step by step: its calls with their evidence, its changes."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core import safety
from learnt.core.digest import commands
from learnt.core.digest.remarks import Reading
from learnt.core.health.outcomes import CallEvidence
from learnt.core.json_values import JsonValue, member, text_of
from learnt.core.sessions.turns import Made, Turn
from learnt.core.tokens import words

LONGEST_COMMAND: Final = 110
LOOKS: Final = frozenset({"look", "read"})

_EDITS: Final = re.compile(
    r"(?:Multi|Notebook)?Edit|Write|apply_patch|str_replace.*|write_file|replace"
)
# Tools in which only the user and the agent speak, and programs that print nothing of others.
_OWN: Final = frozenset("TodoWrite AskUserQuestion EnterPlanMode ExitPlanMode KillShell".split())
_HERE: Final = frozenset("Bash Read Grep Glob LS NotebookRead BashOutput".split())
_FETCHES: Final = frozenset((
    *"curl wget http https xh lynx w3m elinks links glab".split(),
    *(f"gh {what}" for what in "issue pr api release search gist discussion".split()),
))
_SILENT: Final = frozenset(
    "cd mkdir rmdir rm cp mv ln touch chmod true false sleep export unset set wait pwd".split()
)
_SILENT_GIT: Final = frozenset("add commit switch checkout stash restore init mv rm".split())
_SERVED: Final = "mcp__"  # begins the name of a tool that a server offers
ALIKE: Final = 2 / 3  # of the words of the shorter question, in two that ask the same


def foreign(tool: str, given: JsonValue = None, own: Container[str] = ()) -> bool:
    """Whether a call may bring in what others wrote: all do but those known to bring no text.

    `own` are the files that the session changed, which are the user's.

    >>> foreign("WebFetch"), foreign("Bash", {"command": "cat NOTES"}), foreign("mcp__a__b")
    (True, True, True)
    >>> foreign("Edit"), foreign("Bash", {"command": "mkdir -p a && cd a"})
    (False, False)
    """
    if tool == "Read":
        return text_of(member(given, "file_path")) not in own
    if command := text_of(member(given, "command")):
        return not all(_is_silent(part) for part in commands.parts(command))
    return _EDITS.fullmatch(tool) is None and tool not in _OWN


def reads_pages(tool: str, given: JsonValue = None) -> bool:
    """Whether a call brings in a page, or another's answer: text of no file and no command here.

    >>> reads_pages("Bash", {"command": "env /usr/bin/curl -s https://a.example"})
    True
    >>> reads_pages("mcp__tracker__read"), reads_pages("Bash", {"command": "pytest"})
    (True, False)
    """
    if tool in _HERE:
        return bool(_FETCHES & set(commands.programs(text_of(member(given, "command")))))
    return foreign(tool, given)


def _is_silent(words: Sequence[str]) -> bool:
    program, rest = words[0], words[1:2]
    return program in _SILENT or (program == "git" and set(rest) <= _SILENT_GIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What was put into a file."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStep:
    """A call with what is known of it."""

    made: Made
    call: CallEvidence
    turn: int

    @property
    def failed(self) -> bool:
        """Whether it failed, and that means something."""
        return self.call.kind not in LOOKS and (
            self.call.good is False or (self.made.failed and self.call.good is None)
        )

    @property
    def command(self) -> str:
        """The command, or what a server was asked; empty for other tools."""
        given = self.made.input
        texts = map(text_of, given.values()) if self.served and isinstance(given, Mapping) else ()
        return text_of(member(given, "command")) or max(texts, key=len, default="")

    @property
    def result(self) -> str:
        """Its result as text."""
        return safety.strip_private(text_of(self.made.response))

    @property
    def edits(self) -> bool:
        """Whether it changed a file."""
        return _EDITS.fullmatch(self.made.tool) is not None

    @property
    def served(self) -> str:
        """The names of a server and of its tool; empty for other tools."""
        server, mark, tool = self.made.tool.partition(_SERVED)
        return " ".join(tool.split("__")) if mark and not server else ""

    @property
    def question(self) -> frozenset[str]:
        """The words of what a server, or a program by a text in its line, was asked."""
        return frozenset(words(self.command)) if self.served else commands.question(self.command)

    def is_of(self, other: "ToolStep") -> bool:
        """Whether it is of the same matter as another: the same question, program or file.

        Another question is no other try of the same, whichever program it is put to.
        """
        same_tool = self.made.tool == other.made.tool
        if not same_tool or not self.command or not other.command:
            return False
        one, two = self.question, other.question
        same = set(commands.programs(self.command)) & set(commands.programs(other.command))
        if self.served or (same and one and two):
            return len(one & two) >= max(1, ALIKE * min(len(one), len(two)))
        same -= {"learnt"}
        return bool(same or commands.things(self.command) & commands.things(other.command))


@dataclass(frozen=True, slots=True)
class Talk:
    """A session's turns, the evidence of their calls by id, and the reading of each prompt."""

    turns: Sequence[Turn]
    calls: Mapping[str, CallEvidence]
    readings: Sequence[Reading]

    def step(self, made: Made, turn: int) -> ToolStep:
        """A call with its evidence."""
        return ToolStep(made=made, call=self.calls.get(made.id, CallEvidence()), turn=turn)

    def foreign(self, first: int, last: int) -> bool:
        """Whether in these turns the agent had read what others may have written.

        What failed and what passed is read as well; its lines are held to a bar of their own.
        """
        own = {path for turn in self.turns for path in changed(turn)}
        return any(
            foreign(made.tool, made.input, own) and not self._tries(made)
            for turn in self.turns[first : last + 1]
            for made in turn.calls
        )

    def _tries(self, made: Made) -> bool:
        step = self.step(made, 0)
        looks = step.call.kind in LOOKS or reads_pages(made.tool, made.input)
        return bool(step.command) and not looks


def results_of(turns: Sequence[Turn]) -> list[tuple[str, bool]]:
    """The results of all calls, and whether each is a page, or another's answer, as a whole."""
    every = (made for turn in turns for made in turn.calls)
    return [(text_of(made.response), reads_pages(made.tool, made.input)) for made in every]


def changes_of(made: Made) -> Iterator[Change]:
    """What a call put into files."""
    path = text_of(member(made.input, "file_path")) or text_of(member(made.input, "path"))
    edits = member(made.input, "edits")
    rows: Sequence[JsonValue] = edits if isinstance(edits, list) else [made.input]
    for row in rows:
        new = text_of(member(row, "new_string")) or text_of(member(row, "content"))
        yield Change(path=path, old=text_of(member(row, "old_string")), new=new)


def changed(turn: Turn) -> list[str]:
    """The files that a turn changed, in order."""
    edits = [made for made in turn.calls if _EDITS.fullmatch(made.tool) and not made.failed]
    return [change.path for made in edits for change in changes_of(made)]


def ran(turn: Turn) -> list[str]:
    """The commands of a turn that did something, as patterns."""
    given = [text_of(member(made.input, "command")) for made in turn.calls]
    return [
        f"`{text}`"
        for command in given
        if commands.programs(command) and len(text := commands.pattern(command)) <= LONGEST_COMMAND
    ]
