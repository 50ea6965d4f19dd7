"""What a command asks of a database: by Learnt itself, or by a server's own client."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from learnt.core.shell import UNSEEN, Command

MOST_SQL: Final = 8_000  # characters: what is longer takes long to understand
_ASSIGNED: Final = re.compile(r"(\w+)=.*", re.DOTALL)
_LAST: Final = re.compile(r"\s*(?:;|\\[gG])?\s*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked: a statement, or else the structure of `tables`.

    `database` is the name that the caller has for it, empty where it said none; `dialect` that of
    its server where the call tells it. `client` is the program that prints the answer, empty for a
    server of tools; `bare` that it prints no names of columns. `sure`: had it failed, the call
    would have failed. `around` are the lines that others print before the answer and after it.
    """

    sql: str = ""
    tables: tuple[str, ...] = ()
    database: str = ""
    dialect: str = ""
    client: str = ""
    bare: bool = False
    sure: bool = False
    around: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Client:
    """How a client is given its statement: by which option; its flags, and options with values."""

    dialect: str
    long: str
    short: str
    flags: str
    valued: str
    database: tuple[str, ...]
    bare: str  # flags by which it prints no names


_MYSQL: Final = _Client(
    dialect="mysql", long="--execute", short="e", flags="ABCEGHLNUXbnoqrstw", valued="uhPDS",
    database=("-D", "--database"), bare="N",
)  # fmt: skip
_PSQL: Final = _Client(
    dialect="postgres", long="--command", short="c", flags="AEHSXabeiqstwWxz1n", valued="dhpUvFRPT",
    database=("-d", "--dbname"), bare="t",
)  # fmt: skip
_CLIENTS: Final[Mapping[str, _Client]] = {"mysql": _MYSQL, "mariadb": _MYSQL, "psql": _PSQL}
_BARE_WORDS: Final = frozenset({"--skip-column-names", "--tuples-only"})
# With these a client goes on after an error, asks a file, or prints elsewhere.
_OTHERWISE: Final = re.compile(
    r"--(?:force|file|output|log-file|tee|source|init-command)(?:=.*)?|-[foLl].*"
)
_PROGRAMS: Final = frozenset({"learnt", "sqlite3", *_CLIENTS})
_WRAPPERS: Final[Mapping[str, str]] = {
    # and which of their short options take a value
    "sudo": "ugp", "env": "u", "time": "f", "nice": "n", "nohup": "", "command": "", "exec": "a",
    "timeout": "sk", "uv": "", "poetry": "", "pipenv": "", "run": "",
}  # fmt: skip
_CONTAINERS: Final = frozenset({"docker", "podman", "docker-compose", "kubectl", "nerdctl"})
_CONTAINER_VALUED: Final = "euwnc"
_NUMBERED: Final = re.compile(r"\d+(?:\.\d+)?[smh]?")
_SQLITE_VALUED: Final = frozenset({"-cmd", "-separator", "-nullvalue", "-newline"})
_SETTING: Final = re.compile(r"\.(?:mode|headers?|width|timeout|nullvalue)\b.*", re.IGNORECASE)


def question(command: Command) -> Asked | None:
    """What one command asks; None where it asks no database, or not one thing, or out of sight."""
    words = _program(command.words)
    if not words:
        return None
    program, given = _name(words[0]), words[1:]
    if program == "learnt":
        asked = _of_learnt(given, command.fed)
    elif program == "sqlite3":
        asked = _of_sqlite(given, command.fed)
    else:
        asked = _of_client(_CLIENTS[program], given, command.fed)
    if asked is None or UNSEEN in asked.sql or len(asked.sql) > MOST_SQL:
        return None
    # On standard error it says that it is what was kept; as JSON beside it.
    if program == "learnt" and not (
        command.complains or asked.sql or {"--fresh", "--json"} & set(given)
    ):
        return None
    client = "mysql" if program == "mariadb" else program
    return replace(asked, sql=_LAST.sub("", asked.sql), client=client)


def asks(command: Command) -> bool:
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
        elif _name(word) in _PROGRAMS:
            return words[at:]
        elif word in _CONTAINERS:
            at = _in_container(words, at + 1)
            return words[at:] if at < len(words) and _name(words[at]) in _CLIENTS else ()
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


def _in_container(words: Sequence[str], at: int) -> int:
    at = words.index("exec", at) if "exec" in words[at:] else len(words)
    at = _past_options(words, at + 1, _CONTAINER_VALUED) + 1
    return _past_options(words, at, _CONTAINER_VALUED)


def _of_client(client: _Client, given: Sequence[str], fed: str | None) -> Asked | None:
    """The one statement that a client is given, by its option or by what it reads."""
    asked: list[str] = []
    rest: list[str] = []
    at, bare = 0, False
    cluster = re.compile(rf"-([{client.flags}]*){client.short}")
    while at < len(given):
        word, after = given[at], given[at + 1] if at + 1 < len(given) else ""
        flags = cluster.fullmatch(word)
        if flags is not None or word == client.long:
            asked.append(after)
            bare = bare or (flags is not None and client.bare in flags[1])
            at += 2
            continue
        if word.startswith(f"{client.long}="):
            asked.append(word.partition("=")[2])
        elif _OTHERWISE.fullmatch(word):
            return None
        elif len(word) == 2 and word[0] == "-" and word[1] in client.valued:
            rest += [word, after] if word in client.database else []
            at += 1
        elif re.fullmatch(rf"-[{client.flags}]+", word):
            bare = bare or client.bare in word
        elif word in _BARE_WORDS:
            bare = True
        else:
            rest.append(word)
        at += 1
    if len(asked) > 1 or not (asked or fed):
        return None
    return Asked(
        sql=asked[0] if asked else fed or "",
        database=_database(client, rest),
        dialect=client.dialect,
        bare=bare,
        # Of what psql reads it goes on after an error, and ends well.
        sure=bool(asked) or client is not _PSQL,
    )


def _database(client: _Client, rest: Sequence[str]) -> str:
    named = option(rest, *client.database) or next(
        (word for word in rest if not word.startswith("-")), ""
    )
    if "://" in named:
        named = re.split(r"[?#]", named.partition("://")[2].partition("/")[2])[0]
    return named if re.fullmatch(r"[\w$-]{1,64}", named) else ""


def _of_sqlite(given: Sequence[str], fed: str | None) -> Asked | None:
    plain, at, bare = list[str](), 0, True
    while at < len(given):
        word = given[at].replace("--", "-", 1)
        if word in _SQLITE_VALUED:
            at += 1
        elif word.startswith("-"):
            bare = bare and word not in {"-header", "-json"}
            if word == "-init":
                return None
        else:
            plain.append(given[at])
        at += 1
    asked = plain[1:] or (fed or "").split("\n")
    settings = [line for line in asked if line.strip().startswith(".")]
    statements = [line for line in asked if line not in settings]
    if not all(_SETTING.fullmatch(line.strip()) for line in settings):
        return None
    if not plain or (len(statements) > 1 and plain[1:]) or not "\n".join(statements).strip():
        return None
    return Asked(
        sql="\n".join(statements),
        dialect="sqlite",
        bare=bare and not settings,
        sure=bool(plain[1:]),
    )


def _of_learnt(given: Sequence[str], fed: str | None) -> Asked | None:
    if given and given[0].partition("=")[0] == "--home":
        given = given[1 if "=" in given[0] else 2 :]
    if given[:1] != ["db"] or "--offline" in given:
        return None  # what was kept, however old
    database = option(given, "--name")
    if given[1:2] == ["structure"]:
        tables = filter(None, map(str.strip, option(given, "--tables").split(",")))
        return Asked(tables=tuple(tables), database=database, sure=True)
    sql = option(given, "--sql") if given[1:2] == ["query"] else ""
    sql = fed or "" if sql == "-" else sql
    return Asked(sql=sql, database=database, sure=True) if sql else None


def option(words: Sequence[str], *names: str) -> str:
    """The value of an option; empty where it is not given, or twice."""
    values = [after for word, after in pairwise(words) if word in names]
    for word in words:
        name, sign, value = word.partition("=")
        values += [value] if sign and name in names and name.startswith("--") else []
    return values[0] if len(values) == 1 else ""
