"""Which statement a tool call asked of a database, or of which tables it asked the structure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from learnt.core.json_values import member, text_of
from learnt.core.shell import PIPES, UNSEEN, Command, read
from learnt.domain_ports import ToolCall
from learnt.domains.database.observed.clients import MOST_SQL, Asked, asks, question

_SHELL: Final = re.compile(r"Bash|PowerShell|(?:local_)?shell|(?:exec|run_shell|execute)_command")
_TOOL: Final = re.compile(r"mcp__(?P<server>.+?)__(?P<tool>[^_].*)")
_QUERIES: Final = re.compile(r"(?:^|[_-])(?:query|sql|select)(?:[_-]|$)", re.IGNORECASE)
_DESCRIBES: Final = re.compile(
    r"(?:^|[_-])(?:describe|get|show|list)[_-]?(?:table|columns?|table[_-]?(?:schema|structure))$",
    re.IGNORECASE,
)
_STATEMENT: Final = ("sql", "query", "statement", "sql_query")
_TABLE: Final = ("table", "table_name", "tableName", "name")
_DIALECTS: Final = (("mysql", "mysql"), ("maria", "mysql"), ("postgres|(?<![a-z])pg", "postgres"),
                    ("psql", "postgres"), ("sqlite", "sqlite"))  # fmt: skip
# Commands that print nothing, and change nothing about which program a name starts.
_QUIET: Final = frozenset("cd export source . set true : sleep unset mkdir umask".split())
_HEADING: Final = re.compile(r"[^\[\]{}|\t]{0,200}")
LONGEST: Final = 20_000


def asked(call: ToolCall) -> Asked | None:
    """The one question of a call; None where it asks no database, several things, or out of sight.

    >>> asked(ToolCall(tool="mcp__pg__query", input={"sql": "select 1"}, response=None)).dialect
    'postgres'
    >>> command = 'cd /srv && learnt db query --name shop --sql "select 1" --json'
    >>> asked(ToolCall(tool="Bash", input={"command": command}, response=None)).database
    'shop'
    """
    if _SHELL.fullmatch(call.tool):
        asked_by_line = _of_shell(text_of(member(call.input, "command")))
        # How a client ended is not how PowerShell says that the call did.
        sure = call.tool != "PowerShell"
        return asked_by_line if sure or not asked_by_line else replace(asked_by_line, sure=False)
    named, dialect = _TOOL.fullmatch(call.tool), _dialect(call.tool)
    if named is None:
        return None
    sql, table = _first_text(call, _STATEMENT), _first_text(call, _TABLE)
    if _QUERIES.search(named["tool"]) and sql and len(sql) <= MOST_SQL:
        return Asked(sql=sql, dialect=dialect)
    if _DESCRIBES.search(named["tool"]) and table:
        return Asked(tables=(table,), dialect=dialect)
    return None


def _first_text(call: ToolCall, keys: Sequence[str]) -> str:
    return next(filter(None, (text_of(member(call.input, key)) for key in keys)), "")


def asks_database(call: ToolCall) -> bool:
    """Whether a call asks a database at all, also where nobody can tell what, or what came of it.

    >>> given = {"command": 'psql -c "select 1 from t" | head -1'}
    >>> asks_database(ToolCall(tool="Bash", input=given, response=None))
    True
    >>> given = {"command": 'make test && psql -c "select 1 from t"'}
    >>> asks_database(ToolCall(tool="Bash", input=given, response=None))
    False
    """
    if not _SHELL.fullmatch(call.tool):
        server = _TOOL.fullmatch(call.tool) is not None and _dialect(call.tool) != ""
        return (server and _first_text(call, _STATEMENT) != "") or asked(call) is not None
    commands = _commands(text_of(member(call.input, "command")))
    others = [command for command in commands if not asks(command)]
    # A test beside it is no question; what is in a pipe with it is of the question.
    beside = [
        command.words[0] for command in others if not {command.before, command.after} & {*PIPES}
    ]
    return len(others) < len(commands) and all(
        program == "echo" or _is_quiet(program) for program in beside
    )


def _commands(line: str) -> Sequence[Command]:
    """The commands of a line that is understood whole; of any other none."""
    shell = read(line) if len(line) <= LONGEST else None
    every = shell.commands if shell is not None and shell.clear else ()
    return [command for command in every if not command.inner]


def _dialect(tool: str) -> str:
    matching = (dialect for word, dialect in _DIALECTS if re.search(word, tool, re.IGNORECASE))
    return next(matching, "")


def _of_shell(line: str) -> Asked | None:
    """The question of a shell line: the only one in it, its output shown and nobody else's."""
    commands = _commands(line)
    asking = [at for at, command in enumerate(commands) if asks(command)]
    if len(asking) != 1 or any(command.after not in {"&&", ";", "\n"} for command in commands):
        return None
    at, client = asking[0], commands[asking[0]]
    asked, above, below = question(client), _headings(commands[:at]), _headings(commands[at + 1 :])
    if asked is None or not client.printed or above is None or below is None:
        return None
    sure = asked.sure and all(command.after == "&&" for command in commands[at:-1])
    return replace(asked, sure=sure, around=(above, below)) if sure or client.complains else None


def _headings(others: Sequence[Command]) -> tuple[str, ...] | None:
    """The lines that other commands print; None where nobody can tell."""
    lines: list[str] = []
    for command in others:
        program, given = command.words[0], " ".join(command.words[1:])
        if program == "echo" and not given.startswith("-") and command.printed:
            if not _HEADING.fullmatch(given.replace(UNSEEN, "")):
                return None
            lines += given.split("\n")
        elif not _is_quiet(program) or any(word.startswith("PATH=") for word in command.words):
            return None
    return tuple(lines)


def _is_quiet(program: str) -> bool:
    return program in _QUIET or re.match(r"\w+=", program) is not None
