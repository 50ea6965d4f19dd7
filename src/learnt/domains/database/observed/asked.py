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
        found = _of_shell(text_of(member(call.input, "command")))
        # How a client ended is not how PowerShell says that the call did.
        return replace(found, sure=False) if found and call.tool == "PowerShell" else found
    named = _TOOL.fullmatch(call.tool)
    if named is None:
        return None
    dialect = _dialect(call.tool)
    given = (text_of(member(call.input, key)) for key in _STATEMENT)
    sql = next(filter(None, given), "")
    if _QUERIES.search(named["tool"]) and sql and len(sql) <= MOST_SQL:
        return Asked(sql=sql, dialect=dialect)
    tables = (text_of(member(call.input, key)) for key in _TABLE)
    table = next(filter(None, tables), "")
    if _DESCRIBES.search(named["tool"]) and table:
        return Asked(tables=(table,), dialect=dialect)
    return None


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
        told = any(text_of(member(call.input, key)) for key in _STATEMENT)
        server = _TOOL.fullmatch(call.tool) is not None and _dialect(call.tool) != ""
        return (server and told) or asked(call) is not None
    line = text_of(member(call.input, "command"))
    every = _commands(line)
    others = [one for one in every if not asks(one)]
    # A test beside it is no question; what is in a pipe with it is of the question.
    beside = (one for one in others if not {one.before, one.after} & {*PIPES})
    return len(others) < len(every) and all(
        one.words[0] == "echo" or _is_quiet(one.words[0]) for one in beside
    )


def _commands(line: str) -> Sequence[Command]:
    """The commands of a line that is understood whole; of any other none."""
    found = read(line) if len(line) <= LONGEST else None
    return [one for one in found.commands if not one.inner] if found and found.clear else []


def _dialect(name: str) -> str:
    found = (dialect for word, dialect in _DIALECTS if re.search(word, name, re.IGNORECASE))
    return next(found, "")


def _of_shell(line: str) -> Asked | None:
    """The question of a shell line: the only one in it, its output shown and nobody else's."""
    every = _commands(line)
    at = [n for n, one in enumerate(every) if asks(one)]
    if len(at) != 1:
        return None
    command, before, after = every[at[0]], every[: at[0]], every[at[0] + 1 :]
    found = question(command)
    if found is None or not command.printed:
        return None
    if any(one.after not in {"&&", ";", "\n"} for one in every):
        return None
    above, below = _headings(before), _headings(after)
    if above is None or below is None:
        return None
    seen = all(one.after == "&&" for one in every[at[0] : -1])
    sure = found.sure and seen
    if not sure and not command.complains:
        return None
    return replace(found, sure=sure, around=(above, below))


def _headings(others: Sequence[Command]) -> tuple[str, ...] | None:
    """The lines that other commands print; None where nobody can tell."""
    lines: list[str] = []
    for one in others:
        program, given = one.words[0], one.words[1:]
        said = " ".join(given)
        if program == "echo" and not said.startswith("-") and one.printed:
            if not _HEADING.fullmatch(said.replace(UNSEEN, "")):
                return None
            lines += said.split("\n")
        elif not _is_quiet(program) or any(word.startswith("PATH=") for word in one.words):
            return None
    return tuple(lines)


def _is_quiet(program: str) -> bool:
    return program in _QUIET or re.match(r"\w+=", program) is not None
