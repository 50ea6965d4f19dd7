"""Which statement a tool call asked of a database, or of which tables it asked the structure."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.json_values import member, text_of
from learnt.domain_ports import ToolCall

_SHELL: Final = re.compile(r"Bash|PowerShell|(?:local_)?shell|(?:exec|run_shell|execute)_command")
_TOOL: Final = re.compile(r"mcp__(?P<server>.+?)__(?P<tool>[^_].*)")
_QUERIES: Final = re.compile(r"(?:^|[_-])(?:query|sql|select)(?:[_-]|$)", re.IGNORECASE)
_DESCRIBES: Final = re.compile(
    r"(?:^|[_-])(?:describe|get|show|list)[_-]?(?:table|columns?|table[_-]?(?:schema|structure))$",
    re.IGNORECASE,
)
_STATEMENT: Final = ("sql", "query", "statement", "sql_query")
_TABLE: Final = ("table", "table_name", "tableName", "name")
_DOCUMENT: Final = re.compile(
    r"<<-?\s*(['\"]?)(?P<end>\w{1,40})\1[ \t]*\n(?P<text>.*?)\n\s*(?P=end)[ \t]*(?:\n|$)", re.DOTALL
)
_UNKNOWN: Final = re.compile(r"\$[({\w]")  # what the shell puts there is not seen
_BETWEEN: Final = frozenset({"&&", ";", "||", "|", "|&", "&", "\n"})
_JOINED: Final = frozenset({"&&", ";", "\n"})
_CLIENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "mysql": ("-e", "--execute"),
    "mariadb": ("-e", "--execute"),
    "psql": ("-c", "--command"),
}
_PROGRAMS: Final = frozenset({"learnt", "sqlite3", *_CLIENTS})
_WRAPPERS: Final = frozenset("sudo env time nice nohup command exec uv poetry pipenv run".split())
_DIALECTS: Final = (("mysql", "mysql"), ("maria", "mysql"), ("p(?:ost)?g", "postgres"),
                    ("psql", "postgres"), ("sqlite", "sqlite"))  # fmt: skip
LONGEST: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked: a statement, or else the structure of `tables`.

    `database` is the name that the caller has for it, empty where it said none; `dialect` that of
    its server where the call tells it.
    """

    sql: str = ""
    tables: tuple[str, ...] = ()
    database: str = ""
    dialect: str = ""


def asked(call: ToolCall) -> Asked | None:
    """The one question of a call; None where it asks no database, several things, or out of sight.

    >>> asked(ToolCall(tool="mcp__pg__query", input={"sql": "select 1"}, response=None))
    Asked(sql='select 1', tables=(), database='', dialect='postgres')
    >>> command = 'cd /srv && learnt db query --name shop --sql "select 1" --json'
    >>> asked(ToolCall(tool="Bash", input={"command": command}, response=None)).database
    'shop'
    """
    if _SHELL.fullmatch(call.tool):
        return _of_shell(text_of(member(call.input, "command")))
    named = _TOOL.fullmatch(call.tool)
    if named is None:
        return None
    dialect = _dialect(call.tool)
    given = (text_of(member(call.input, key)) for key in _STATEMENT)
    sql = next(filter(None, given), "")
    if _QUERIES.search(named["tool"]) and sql and len(sql) <= LONGEST:
        return Asked(sql=sql, dialect=dialect)
    tables = (text_of(member(call.input, key)) for key in _TABLE)
    table = next(filter(None, tables), "")
    if _DESCRIBES.search(named["tool"]) and table:
        return Asked(tables=(table,), dialect=dialect)
    return None


def _dialect(name: str) -> str:
    found = (dialect for word, dialect in _DIALECTS if re.search(word, name, re.IGNORECASE))
    return next(found, "")


def _of_shell(command: str) -> Asked | None:
    """The question of a shell line: the only one in it, and its output nobody else's input."""
    if len(command) > LONGEST:
        return None
    document = _DOCUMENT.search(command)
    fed = document["text"] if document else ""
    if document:
        command = f"{command[: document.start()]} {command[document.end() :]}"
    asking = [
        (before, words, after)
        for before, words, after in _commands(command)
        if _question(words, fed) is not None
    ]
    if len(asking) != 1:
        return None
    before, words, after = asking[0]
    if not {before, after} <= _JOINED:
        return None
    found = _question(words, fed)
    quoted = document is None or bool(document[1])
    return None if found is None or (not quoted and _UNKNOWN.search(fed)) else found


def _commands(command: str) -> Sequence[tuple[str, Sequence[str], str]]:
    """The commands of a line, each with what stands before and after it."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;\n<>")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    try:
        tokens = [_plain(token) for token in lexer]
    except ValueError:  # a quote that is not closed
        return []
    found: list[tuple[str, Sequence[str], str]] = []
    words: list[str] = []
    before = ";"
    for token in [*tokens, ";"]:
        if token not in _BETWEEN:
            words.append(token)
            continue
        if words:
            found.append((before, words, token))
            before, words = token, []
    return found


def _plain(token: str) -> str:
    return token.strip("\n") or "\n"


def _question(words: Sequence[str], fed: str) -> Asked | None:
    """What one command asks; None where it asks no database."""
    words = [word for word in words if not re.fullmatch(r"\w+=\S*", word)]
    at = next((n for n, word in enumerate(words) if _program(word) in _PROGRAMS), -1)
    if at < 0 or not _WRAPPERS.issuperset(words[:at]):
        return None
    program, given = _program(words[at]), words[at + 1 :]
    if program == "learnt":
        return _of_learnt(given, fed)
    if program == "sqlite3":
        plain = [word for word in given if not word.startswith("-")]
        sql = plain[1] if len(plain) == 2 else fed
    else:
        sql = _option(given, *_CLIENTS[program]) or fed
    if not sql or _UNKNOWN.search(sql):
        return None
    return Asked(sql=sql, dialect=_dialect(program))


def _of_learnt(given: Sequence[str], fed: str) -> Asked | None:
    if given[:1] == ["--home"]:
        given = given[2:]
    elif given[:1] and given[0].startswith("--home="):
        given = given[1:]
    if given[:1] != ["db"]:
        return None
    database = _option(given, "--name")
    if given[1:2] == ["structure"]:
        tables = _option(given, "--tables").split(",")
        return Asked(tables=tuple(filter(None, map(str.strip, tables))), database=database)
    sql = _option(given, "--sql") if given[1:2] == ["query"] else ""
    sql = fed if sql == "-" else sql
    if not sql or (_UNKNOWN.search(sql) and not fed):
        return None
    return Asked(sql=sql, database=database)


def _program(word: str) -> str:
    return word.rpartition("/")[2]


def _option(words: Sequence[str], *names: str) -> str:
    for at, word in enumerate(words):
        if word in names and at + 1 < len(words):
            return words[at + 1]
        for name in names:
            if name.startswith("--") and word.startswith(f"{name}="):
                return word.removeprefix(f"{name}=")
    return ""
