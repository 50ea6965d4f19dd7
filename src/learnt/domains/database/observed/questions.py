"""What a tool call asked of a database, and what came back.

A statement, or the structure of tables, is asked of a server of tools, or by a command: Learnt
itself, or a server's own client. Back come rows, a table's columns, an error, or only that it went
well. Learnt's own answers are read, and what the usual servers of tools answer: rows as JSON
objects or lists, bare or under a name. Of what a server's own client prints its errors are read.
"""

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from learnt.core.records import JsonValue, Record, member, strings, text_of
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


LOOKED_AT: Final = 2_000_000
_LONGEST_PYTHON: Final = 100_000
_UNDER: Final = ("rows", "data", "result", "results", "records", "content", "objects")
_MORE: Final = ("truncated", "has_more", "hasMore", "is_truncated", "isTruncated")
_SAYS: Final = frozenset(
    "error failed message code success status detail details hint ok sql query isError type name"
    " errno sqlState sqlMessage".split()
)
_ERROR: Final = re.compile(
    r"\W{0,4}(?:[\w.]{1,60}:? ){0,2}(?:\w{0,40}error|\w{0,40}exception|traceback|failed|failure)\b|"
    r"psql: .*|SQLSTATE\[\w{5}\]|\d{4} \(\w{5}\): |"
    r"[^|\t]{0,80}(?:\bdoes(?:n't| not) exist\b|\bUnknown (?:column|table)\b|"
    r"\bno such (?:table|column)\b|\bsyntax error\b)",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"\b(?:no|0|zero) (?:matching )?(?:rows?|results?|records?|data)\b|\bempty\b|\bnothing\b|"
    r"\bnot (?:allowed|permitted|supported|found)\b|\bdenied\b|\bonly select|\binvalid\b|"
    r"\b(?:cannot|can't|could not|unable|refused|timed? ?out|too (?:large|long|many)|exceeds)\b",
    re.IGNORECASE,
)
# What clients write where they keep a long result back, or cut it.
_CUT: Final = re.compile(
    r"<persisted-output>|Output too large|characters? truncated|(?:chars|lines) truncated|"
    r"\[truncated\]|exceeds maximum allowed|… ?\(\d[\d,]* (?:characters|chars|lines)\)"
)
_LOOKALIKE: Final = re.compile(r"\btype\b.*\btext\b|\btext\b.*\btype\b", re.I | re.DOTALL)
_OBJECT: Final = re.compile(r"(?:(?:foreign )?table|(?:materialized )?view) (\S.*?)(?:  -- .*)?")
_COLUMN: Final = re.compile(r"  ([^\s(|].*?)  \S.*")
_NOWHERE: Final = r"there is no such table, view(?: or routine|, routine or trigger)"
_OTHER: Final = re.compile(
    r"  (?:key \(|\(|\||(?:unique )?index \S|trigger \S).*|"
    rf"\S.*: {_NOWHERE}|(?:procedure|function|trigger) .*"
)
_KEPT: Final = re.compile(r"^As seen .* ago; --fresh asks the server\.$", re.MULTILINE)
_BEGINS: Final = re.compile(r"^[ \t]*(?=[{\[])", re.MULTILINE)
_GONE: Final = re.compile(rf"^(\S.*): {_NOWHERE}$", re.MULTILINE)
_COLUMN_NAME: Final = ("Field", "column_name", "COLUMN_NAME", "Column", "name")
_TYPED: Final = frozenset({"type", "data_type", "datatype", "column_type", "dtype", "udt_name"})
_NOTHING_ASKED: Final = Asked()
_COUNTED: Final = re.compile(r"(\d{1,12}) rows?(; there is more.*)?")


class QueryResult(Record, kw_only=True):
    """What came back. `columns` and `rows` are None where they could not be told.

    `ran`: rows were seen, if not which; without it, and without rows, nobody can tell whether it
    ran. `failed` is what an error said; `shapes` are tables with all of their columns.
    """

    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[JsonValue, ...], ...] | None = None
    ran: bool = False
    whole: bool = True
    failed: str = ""
    refused: bool = False
    shapes: Mapping[str, tuple[str, ...]] | None = None
    gone: tuple[str, ...] = ()


def read_result(response: JsonValue, *, failed: bool, of: Asked = _NOTHING_ASKED) -> QueryResult:
    """What a response to a question says.

    >>> read_result('{"columns": ["n"], "rows": [[3]], "truncated": false}', failed=False).rows
    ((3,),)
    >>> read_result('[{"type": "text", "text": "[]"}]', failed=False).rows
    ()
    """
    # Rows of a table may look like a wrapped answer.
    lookalike = isinstance(response, str) and _LOOKALIKE.search(of.sql) is not None
    text = response if lookalike and isinstance(response, str) else text_in(response)
    text = text if of.client else _unwrapped(text)
    cut = len(text) > LOOKED_AT or _CUT.search(text[:4_000]) or _CUT.search(text[-4_000:])
    inner = _within(text[:LOOKED_AT], of.around)
    if failed:
        return _failed(inner if inner is not None else text[:LOOKED_AT])
    if inner is None:
        return QueryResult()
    if of.client not in {"", "learnt"}:
        told = not of.sure and not cut and _ERROR.match(_first(inner))
        return QueryResult(failed=inner if told else "")
    return QueryResult(ran=of.sure, whole=False) if cut else _answered(inner, of)


def _failed(text: str) -> QueryResult:
    """Whether it was refused or failed, and what was said; or the structure."""
    value = _json(text)
    if isinstance(value, Mapping) and "refused" in value:
        return QueryResult(refused=True)
    if shown := _structure(value):
        return shown
    if value is None and (drawn := _drawn(text)) is not None:
        return drawn
    return QueryResult(failed=_error_in(value) or text or "it failed")


def _answered(text: str, of: Asked) -> QueryResult:
    """What Learnt or a server of tools answers, where the call itself went well."""
    value = _json(text)
    value = _python(text) if value is None else value
    if isinstance(value, Mapping) and "refused" in value:
        return QueryResult(refused=True)
    if failure := _error_in(value):
        return QueryResult(failed=failure)
    if not of.sql and of.client == "learnt":
        shown = _structure(value) if isinstance(value, Mapping) else _drawn(text)
        return shown or QueryResult()
    if value is not None:
        return _rows(value)
    if _ERROR.match(_first(text)):
        return QueryResult(failed=text)
    result = _printed(text)
    if result.rows is not None or result.ran or of.client:
        return result
    lines = list(filter(str.strip, text.split("\n")))
    return QueryResult(ran=len(lines) > 1 and _NONE.search(text[:300]) is None)


def _printed(text: str) -> QueryResult:
    """What `learnt db query` prints for people: rows and their number; one value of them is read.

    >>> _printed("n\\n4800\\n1 row\\n").rows
    (('4800',),)
    """
    lines = text.strip().splitlines()
    at = next((at for at in range(len(lines))[:-4:-1] if _COUNTED.fullmatch(lines[at])), 0)
    counted = _COUNTED.fullmatch(lines[at]) if lines else None
    if counted is None:
        return QueryResult()
    if counted[1] == "0":
        return QueryResult(rows=() if not counted[2] else None, whole=not counted[2])
    if counted[1] == "1" and at >= 2:
        name, value = (line.rstrip() for line in lines[at - 2 : at])
        if name and "  " not in name + value:
            return QueryResult(columns=(name,), rows=((value,),), whole=not counted[2], ran=True)
    return QueryResult(whole=not counted[2], ran=True)


def _error_in(value: JsonValue) -> str:
    """What an object says that is the word of an error, and no row that has such a column."""
    if not isinstance(value, Mapping) or not _SAYS.issuperset(value):
        return ""
    own = (text_of(value.get(name)) for name in ("failed", "error"))
    nested = text_of(member(value.get("error"), "message"))
    failing = value.get("success") is False or value.get("ok") is False or value.get("isError")
    worded = text_of(value.get("message")) if failing or value.get("status") == "error" else ""
    return next(filter(None, (*own, nested, worded)), "")


def _first(text: str) -> str:
    return next(filter(str.strip, text.split("\n")), "")[:400]


def _within(text: str, around: tuple[tuple[str, ...], tuple[str, ...]]) -> str | None:
    """What stands between the lines that others print; None where those are not there."""
    above, below = around
    lines = text.split("\n")
    while below and lines and not lines[-1].strip():
        lines.pop()
    last = len(lines) - len(below)
    if len(lines) < len(above) + len(below):
        return None
    printed_by_others = zip((*above, *below), (*lines[: len(above)], *lines[last:]), strict=True)
    for heading, line in printed_by_others:
        pattern = r"[\w./: -]{0,80}".join(map(re.escape, heading.split(UNSEEN)))
        if re.fullmatch(pattern, line.rstrip("\r")) is None:
            return None
    return "\n".join(lines[len(above) : last]) if above or below else text


def text_in(response: JsonValue) -> str:
    """The text of a response, whatever its client wraps it in."""
    if isinstance(response, str):
        inner = _json(response[:LOOKED_AT]) if '"text"' in response[:200] else None
        return text_in(inner) if _is_wrapped(inner) else response
    if isinstance(response, Mapping):
        if _is_wrapped(response.get("content")):
            return text_in(response.get("content"))
        printed = [text_of(response.get(name)) for name in ("stdout", "stderr")]
        return "\n".join(filter(None, printed)) or json.dumps(response, ensure_ascii=False)
    if isinstance(response, Sequence) and _is_wrapped(response):
        return "\n".join(text_of(member(part, "text")) for part in response)
    return json.dumps(response, ensure_ascii=False) if isinstance(response, Sequence) else ""


def _unwrapped(text: str) -> str:
    """The text that a server's own library put under one name, as it does beside the plain one.

    >>> _unwrapped('{"result": "[]"}'), _unwrapped('{"result": []}')
    ('[]', '{"result": []}')
    """
    value = _json(text[:LOOKED_AT]) if text[:12].lstrip().startswith('{"result"') else None
    only = isinstance(value, Mapping) and set(value) == {"result"}
    return text_of(member(value, "result")) or text if only else text


def _is_wrapped(value: JsonValue) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return False
    return all(
        isinstance(part, Mapping)
        and part.get("type") in {"text", "image", "resource"}
        and not set(part) - {"type", "text", "annotations", "data", "mimeType", "resource"}
        for part in value
    )


def _json(text: str) -> JsonValue:
    """The value that begins a line and is an object or a list, if it is the only one."""
    start = _BEGINS.search(text)
    if start is None:
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(text, start.end())
    except (ValueError, RecursionError):
        return None
    rest = text[end : end + 2_001].strip()
    alone = len(rest) < 2_000 and _BEGINS.search(rest) is None
    return value if alone and isinstance(value, Mapping | list) else None


def _python(text: str) -> JsonValue:
    """Rows as Python writes them, which some servers of tools answer.

    >>> _python("[{'n': 4800, 'of': None}]"), _python("[{'at': Decimal('1')}]")
    ([{'n': 4800, 'of': None}], None)
    """
    if not text.startswith("[{'") or len(text) > _LONGEST_PYTHON:
        return None
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _rows(value: JsonValue) -> QueryResult:
    """Rows as lists with their columns' names, or as objects."""
    if isinstance(value, Mapping):
        whole = not any(value.get(name) is True for name in _MORE)
        columns, rows = _listed(value.get("columns")), _listed(value.get("rows"))
        cells = [tuple(row) for row in map(_listed, rows or ()) if row is not None]
        if columns is not None and rows is not None and len(cells) == len(rows):
            names = tuple(text_of(name) or text_of(member(name, "name")) for name in columns)
            return QueryResult(columns=names, rows=tuple(cells), whole=whole, ran=bool(cells))
        under = [value[name] for name in _UNDER if _listed(value.get(name)) is not None]
        return replace(_rows(under[0]), whole=whole) if len(under) == 1 else QueryResult()
    listed = _listed(value) or ()
    objects = [row for row in listed if isinstance(row, Mapping)]
    names = tuple(objects[0]) if objects else ()
    if len(objects) != len(listed):
        return QueryResult()
    if any(tuple(row) != names for row in objects):
        return QueryResult(ran=True)
    values = tuple(tuple(row.values()) for row in objects)
    return QueryResult(columns=names or None, rows=values, ran=bool(objects))


def _listed(value: JsonValue) -> Sequence[JsonValue] | None:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else None


def _structure(value: JsonValue) -> QueryResult | None:
    """Learnt's own `db structure`, as JSON; what was kept tells of no table as it is now."""
    objects = _listed(member(value, "objects"))
    if objects is None or not isinstance(value, Mapping) or "missing" not in value:
        return None
    if value.get("age_seconds"):
        return QueryResult()
    shapes = {
        text_of(member(shown, "name")): tuple(text_of(member(column, "name")) for column in columns)
        for shown in objects
        if (columns := _listed(member(shown, "columns")))
    }
    return QueryResult(shapes=shapes, gone=tuple(filter(None, strings(value.get("missing")))))


def _drawn(text: str) -> QueryResult | None:
    """A structure as Learnt prints it for people; None for any other text, and what was kept."""
    if _KEPT.search(text):
        return None
    gone = tuple(_GONE.findall(text))
    shapes = _shapes([line.rstrip() for line in text.split("\n")])
    return QueryResult(shapes=shapes, gone=gone) if shapes or gone else None


def _shapes(lines: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Tables with their columns; one with a line that is not understood is left out."""
    shapes: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if (opened := _OBJECT.fullmatch(line)) is not None:
            name = opened[1]
            shapes[name] = []
        elif not line or _OTHER.fullmatch(line):
            continue
        elif name and (column := _COLUMN.fullmatch(line)) is not None:
            shapes.setdefault(name, []).append(column[1])
        else:
            shapes.pop(name, None)
            name = ""
    return {name: tuple(columns) for name, columns in shapes.items() if columns}


def column_names(came: QueryResult) -> tuple[str, ...]:
    """The names in rows that tell of a table's columns, a row each; nothing where they tell else.

    >>> column_names(read_result('[{"Field": "id", "Type": "int"}]', failed=False))
    ('id',)
    """
    if came.columns is None or came.rows is None or not came.whole:
        return ()
    at = next((came.columns.index(name) for name in _COLUMN_NAME if name in came.columns), -1)
    # A `name` is anything's, but for rows that have a type beside it.
    typed = _TYPED & {name.casefold() for name in came.columns}
    if at < 0 or (came.columns[at] in {"name", "Column"} and not typed):
        return ()
    names = tuple(text_of(row[at]) for row in came.rows if len(row) > at)
    return names if all(names) else ()
