"""What an agent did in a session, step by step: its calls with their evidence, its changes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from learnt.core import safety
from learnt.core.digest import commands
from learnt.core.digest.remarks import Reading
from learnt.core.health.outcomes import CallEvidence
from learnt.core.records import JsonValue, Record, member, text_of
from learnt.core.sessions.turns import Made, Turn
from learnt.core.tokens import words

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
_PATCH: Final = "*** Begin Patch"
_PATCHED: Final = re.compile(r"(?m)^\*\*\* (?:Add|Update|Delete) File: ")
_SERVED: Final = "mcp__"  # begins the name of a tool that a server offers
ALIKE: Final = 2 / 3  # of the words of the shorter question, in two that ask the same


def reads_pages(tool: str, arguments: JsonValue = None) -> bool:
    """Whether a call brings in a page, or another's answer: text of no file and no command here.

    >>> reads_pages("Bash", {"command": "env /usr/bin/curl -s https://a.example"})
    True
    >>> reads_pages("mcp__tracker__read"), reads_pages("Bash", {"command": "pytest"})
    (True, False)
    """
    if tool in _HERE:
        return bool(_FETCHES & set(commands.programs(text_of(member(arguments, "command")))))
    return _EDITS.fullmatch(tool) is None and tool not in _OWN


class Change(Record):
    """What was put into a file; `seen`: a hook saw these very texts."""

    path: str
    old: str
    new: str
    seen: bool = False


class ToolStep(Record):
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
        asked = self.made.input
        texts = map(text_of, asked.values()) if self.served and isinstance(asked, Mapping) else ()
        return text_of(member(asked, "command")) or max(texts, key=len, default="")

    @property
    def repeatable(self) -> str:
        """Of a command what may help another time."""
        return self.command if self.served else commands.repeatable(self.command)

    @property
    def result(self) -> str:
        """Its result as text."""
        return safety.strip_private(text_of(self.made.response))

    @property
    def edits(self) -> bool:
        """Whether it changed a file."""
        return _EDITS.fullmatch(self.made.tool) is not None

    @property
    def changes(self) -> Iterator[Change]:
        """What it put into files."""
        return changes_of(self.made, seen=bool(self.call.edit))

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


class Talk(Record):
    """A session's turns, the evidence of their calls by id, and the reading of each prompt."""

    turns: Sequence[Turn]
    calls: Mapping[str, CallEvidence]
    readings: Sequence[Reading]

    def step(self, made: Made, turn: int) -> ToolStep:
        """A call with its evidence."""
        return ToolStep(made=made, call=self.calls.get(made.id, CallEvidence()), turn=turn)


def changes_of(made: Made, *, seen: bool = False) -> Iterator[Change]:
    """What a call put into files."""
    path = text_of(member(made.input, "file_path")) or text_of(member(made.input, "path"))
    edits = member(made.input, "edits")
    rows: Sequence[JsonValue] = edits if isinstance(edits, list) else [made.input]
    for row in rows:
        new = text_of(member(row, "new_string")) or text_of(member(row, "content"))
        if new.startswith(_PATCH):
            yield from _patched(new, seen=seen)
        else:
            yield Change(path=path, old=text_of(member(row, "old_string")), new=new, seen=seen)


def _patched(patch: str, *, seen: bool) -> Iterator[Change]:
    """What a patch of Codex puts into files, hunk by hunk."""
    for part in _PATCHED.split(patch)[1:]:
        name, *lines = part.split("\n")
        for hunk in re.split(r"(?m)^@@.*$", "\n".join(lines)):
            rows = [row for row in hunk.split("\n") if row[:1] in {"+", "-", " "}]
            old, new = ("\n".join(r[1:] for r in rows if r[0] != mark) for mark in "+-")
            if old != new:
                yield Change(path=name.strip(), old=old, new=new, seen=seen)
