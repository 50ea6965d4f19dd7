"""Which statement a tool call asked of a database, or of which tables it asked the structure.

By a server of tools, or by a command: Learnt itself, or a server's own client.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from learnt.core.records import Record, member, text_of
from learnt.core.shell import PIPES, UNSEEN, ShellCommand, read
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
_DIALECTS: Final = (("mysql", "mysql"), ("maria", "mysql"), ("postgres|(?<![a-z])pg", "postgres"),
                    ("psql", "postgres"), ("sqlite", "sqlite"))  # fmt: skip
# Commands that print nothing, and change nothing about which program a name starts.
_QUIET: Final = frozenset("cd export source . set true : sleep unset mkdir umask".split())
_HEADING: Final = re.compile(r"[^\[\]{}|\t]{0,200}")
LONGEST: Final = 20_000
MOST_SQL: Final = 8_000  # characters: what is longer takes long to understand
_ASSIGNED: Final = re.compile(r"(\w+)=.*", re.DOTALL)
_LAST: Final = re.compile(r"\s*(?:;|\\[gG])?\s*\Z")


class Asked(Record, kw_only=True):
    """What was asked: a statement, or else the structure of `tables`.

    `database` is the name that the caller has for it, empty where it said none; `dialect` that of
    its server where the call tells it. `client` is the program that prints the answer, empty for a
    server of tools. `sure`: had it failed, the call would have failed. `around` are the lines that
    others print before the answer and after it.
    """

    sql: str = ""
    tables: tuple[str, ...] = ()
    database: str = ""
    dialect: str = ""
    client: str = ""
    sure: bool = False
    around: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


# The option of a statement, perhaps behind flags, by server; and short options with values.
_ASKING: Final = {
    "mysql": re.compile(r"-[ABCEGHLNUXbnoqrstw]*e|--execute(?:=.*)?", re.DOTALL),
    "postgres": re.compile(r"-[AEHSXabeiqstwWxz1n]*c|--command(?:=.*)?", re.DOTALL),
}
_VALUED: Final = {"mysql": "uhPDS", "postgres": "dhpUvFRPT"}
# With these a client goes on after an error, asks a file, or prints elsewhere.
_OTHERWISE: Final = re.compile(
    r"--(?:force|file|output|log-file|tee|source|init-command)(?:=.*)?|-[foLl].*"
)
_WRAPPERS: Final[Mapping[str, str]] = {
    # and which of their short options take a value
    "sudo": "ugp", "env": "u", "time": "f", "nice": "n", "nohup": "", "command": "", "exec": "a",
    "timeout": "sk", "uv": "", "poetry": "", "pipenv": "", "run": "",
}  # fmt: skip
_CONTAINERS: Final = frozenset({"docker", "podman", "docker-compose", "kubectl", "nerdctl"})
_IN_CONTAINERS: Final = frozenset({"mysql", "mariadb", "psql"})
_CONTAINER_VALUED: Final = "euwnc"
_NUMBERED: Final = re.compile(r"\d+(?:\.\d+)?[smh]?")
_SQLITE_VALUED: Final = frozenset({"-cmd", "-separator", "-nullvalue", "-newline"})
_SETTING: Final = re.compile(r"\s*\.(?:mode|headers?|width|timeout|nullvalue)\b.*", re.IGNORECASE)
_LEARNT_VALUED: Final = frozenset({"--name", "--sql", "--limit", "--timeout", "--home"})


def asked(call: ToolCall) -> Asked | None:
    """The one question of a call; None where it asks no database, several things, or out of sight.

    >>> asked(ToolCall(tool="mcp__pg__query", input={"sql": "select 1"}, response=None)).dialect
    'postgres'
    >>> command = 'cd /srv && learnt db query --name shop --sql "select 1" --json'
    >>> asked(ToolCall(tool="Bash", input={"command": command}, response=None)).database
    'shop'
    >>> given = {"command": 'learnt db query "select 2" --name shop'}
    >>> asked(ToolCall(tool="Bash", input=given, response=None)).sql
    'select 2'
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


def _commands(line: str) -> Sequence[ShellCommand]:
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


def _headings(others: Sequence[ShellCommand]) -> tuple[str, ...] | None:
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


def question(command: ShellCommand) -> Asked | None:
    """What one command asks; None where it asks no database, or not one thing, or out of sight."""
    words = _program(command.words)
    if not words:
        return None
    program, given = _name(words[0]), words[1:]
    asked = _READERS[program](given, command.fed)
    if asked is None or UNSEEN in asked.sql or len(asked.sql) > MOST_SQL:
        return None
    # On standard error it says that it is what was kept; as JSON beside it.
    if program == "learnt" and not (
        command.complains or asked.sql or {"--fresh", "--json"} & set(given)
    ):
        return None
    client = "mysql" if program == "mariadb" else program
    return replace(asked, sql=_LAST.sub("", asked.sql), client=client)


def asks(command: ShellCommand) -> bool:
    """Whether a command starts a client at all."""
    return bool(_program(command.words))


def _name(word: str) -> str:
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe")


def _program(words: Sequence[str]) -> Sequence[str]:
    """The words from the client's name on, behind what only starts it; none for any other."""
    at = 0
    while at < len(words):
        word = words[at]
        if (assigned := _ASSIGNED.fullmatch(word)) is not None and assigned[1] != "PATH":
            at += 1
        elif _name(word) in _READERS:
            return words[at:]
        elif word in _CONTAINERS:
            at = words.index("exec", at + 1) if "exec" in words[at + 1 :] else len(words)
            at = _past_options(words, at + 1, _CONTAINER_VALUED) + 1
            at = _past_options(words, at, _CONTAINER_VALUED)
            return words[at:] if at < len(words) and _name(words[at]) in _IN_CONTAINERS else ()
        elif word in _WRAPPERS:
            at = _past_options(words, at + 1, _WRAPPERS[word])
            at += word == "timeout" and at < len(words) and bool(_NUMBERED.fullmatch(words[at]))
        else:
            return ()
    return ()


def _past_options(words: Sequence[str], at: int, valued: str) -> int:
    while at < len(words) and words[at].startswith("-"):
        option = words[at]
        at += 2 if len(option) == 2 and option[1] in valued else 1
        if option == "--":
            break
    return at


def _of_client(dialect: str, given: Sequence[str], fed: str | None) -> Asked | None:
    """The one question that a server's own client is given, by its option or by what it reads."""
    asking = [at for at, word in enumerate(given) if _ASKING[dialect].fullmatch(word)]
    if len(asking) > 1 or not (asking or fed) or any(map(_OTHERWISE.fullmatch, given)):
        return None
    rest, sql = list(given), fed or ""
    for at in asking:
        _, joined, sql = rest.pop(at).partition("=")
        sql = sql if joined else "".join(rest[at : at + 1])
        del rest[at : at + (not joined)]
    database = option(rest, "-D", "--database", "-d", "--dbname")
    if not database:
        valued = tuple(f"-{letter}" for letter in _VALUED[dialect])
        bare = (
            word
            for before, word in pairwise(["", *rest])
            if not word.startswith("-") and before not in valued
        )
        database = next(bare, "")
    if "://" in database:
        database = re.split(r"[?#]", database.partition("://")[2].partition("/")[2])[0]
    return Asked(
        sql=sql,
        database=database if re.fullmatch(r"[\w$-]{1,64}", database) else "",
        dialect=dialect,
        sure=bool(asking) or dialect == "mysql",  # of what psql reads it goes on after an error
    )


def _of_sqlite(given: Sequence[str], fed: str | None) -> Asked | None:
    """The one question that SQLite's client is given; None where it gets orders beside settings."""
    plain, orders, words = list[str](), list[str](), iter(given)
    for word in words:
        name = word.replace("--", "-", 1)
        if name == "-init":
            return None
        if name in _SQLITE_VALUED:
            value = next(words, "")
            orders += [value] if name == "-cmd" else []
        elif not name.startswith("-"):
            plain.append(word)
    lines = plain[1:] or (fed or "").split("\n")
    asked = [line for line in lines if not line.strip().startswith(".")]
    orders += [line for line in lines if line not in asked]
    several, sql = len(asked) > 1 and plain[1:], "\n".join(asked)
    if several or not (plain and sql.strip() and all(map(_SETTING.fullmatch, orders))):
        return None
    return Asked(sql=sql, dialect="sqlite", sure=bool(plain[1:]))


def _of_learnt(given: Sequence[str], fed: str | None) -> Asked | None:
    if given and given[0].partition("=")[0] == "--home":
        given = given[1 if "=" in given[0] else 2 :]
    if given[:1] != ["db"] or "--offline" in given:
        return None  # what was kept, however old
    database = option(given, "--name")
    if given[1:2] == ["structure"]:
        tables = filter(None, map(str.strip, option(given, "--tables").split(",")))
        return Asked(tables=tuple(tables), database=database, sure=True)
    sql = option(given, "--sql") or _statement(given[2:]) if given[1:2] == ["query"] else ""
    sql = fed or "" if sql == "-" else sql
    return Asked(sql=sql, database=database, sure=True) if sql else None


def _statement(given: Sequence[str]) -> str:
    """The one word that is no option and no option's value."""
    bare = [
        word
        for before, word in pairwise(["", *given])
        if before not in _LEARNT_VALUED and (word == "-" or not word.startswith("-"))
    ]
    return bare[0] if len(bare) == 1 else ""


_READERS: Final[Mapping[str, Callable[[Sequence[str], str | None], Asked | None]]] = {
    "learnt": _of_learnt,
    "sqlite3": _of_sqlite,
    "mysql": partial(_of_client, "mysql"),
    "mariadb": partial(_of_client, "mysql"),
    "psql": partial(_of_client, "postgres"),
}


def option(words: Sequence[str], *names: str) -> str:
    """The value of an option; empty where it is not given, or twice."""
    values = [after for word, after in pairwise(words) if word in names]
    for word in words:
        name, sign, value = word.partition("=")
        values += [value] if sign and name in names and name.startswith("--") else []
    return values[0] if len(values) == 1 else ""
