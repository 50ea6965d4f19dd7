"""What is no query and only looks: SHOW, DESCRIBE and HELP of MySQL, SHOW of PostgreSQL, PRAGMA.

Each form is written out here. What runs is put together again from the words, names and texts that
were found; a condition behind WHERE is looked through as the one of a query.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from sqlglot import TokenType
from sqlglot.errors import SqlglotError

from learnt.domains.database import lists
from learnt.domains.database.gate import grammar
from learnt.domains.database.gate.verdicts import Allowed, Denied
from learnt.domains.database.servers.connections import Dialect

Judge = Callable[[str], Allowed | Denied]
Verdict = Allowed | Denied | None

_NAME: Final = r"(?:`(?:[^`]|``)+`|[\w$]+)"
_TEXT: Final = r"'(?:[^'\\]|\\.)*'"
_TABLE: Final = rf"{_NAME}(?: \. {_NAME})?"
_WORD: Final = rf"(?:{_TEXT}|{_NAME})"
_PATTERNS: Final = {
    "NAME": _NAME,
    "TEXT": _TEXT,
    "TABLE": _TABLE,
    "OF": rf"(?:FROM|IN) {_NAME}",
    "WHO": rf"(?:CURRENT_USER(?: \( \))?|CURRENT_ROLE|{_WORD}(?: @ {_WORD})?)",
    "PARTS": "ALL|BLOCK IO|CONTEXT SWITCHES|CPU|IPC|MEMORY|PAGE FAULTS|SOURCE|SWAPS",
    "LIMIT": r"(?: LIMIT \d+(?: (?:,|OFFSET) \d+)?)?",
}


def _forms(heading: str) -> str:
    forms = "|".join(lists.sections("show")[heading])
    return re.sub("<([A-Z]+)>", lambda name: _PATTERNS[name[1]], forms)


_SHOW: Final = re.compile(
    rf"(?P<what>{_forms('others')})|(?P<list>{_forms('lists')})"
    rf"(?: LIKE (?P<like>{_TEXT})| WHERE (?P<where>.+))?",
    re.IGNORECASE | re.DOTALL,
)
_DESCRIBE: Final = re.compile(
    rf"(?!(?:SELECT|TABLE|WITH|VALUES)\b){_TABLE}(?: {_WORD})?|"
    r"(?:FORMAT = \w+ )?FOR CONNECTION \d+",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(
    r"ALL|TIME ZONE|TRANSACTION ISOLATION LEVEL|SESSION AUTHORIZATION|"
    r"\w+(?: \. \w+)?|\"\w+\"",
    re.IGNORECASE,
)
_PRAGMA: Final = re.compile(
    r"(?:(?P<schema>\w+) \. )?(?P<name>\w+)(?: = (?P<set>.+)| \( (?P<of>.+) \))?", re.DOTALL
)
# What stands in quotes is left as it is.
_GAPS: Final = re.compile(rf"({_TEXT}|`(?:[^`]|``)+`)| ?([.@(]) | (?=\))")
# A word of the grammar that is a column of two of the lists.
_CHARSET: Final = re.compile(rf"({_TEXT}|`(?:[^`]|``)+`)|\b(CHARSET)\b", re.IGNORECASE)
_FIRST: Final = re.compile(
    r"(?:\s|/\*(?:[^*]|\*(?!/))*+\*/|--[^\n]*\n|#[^\n]*\n)*+(?P<word>[a-z]+)\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)


def command(text: str, dialect: Dialect, judge: Judge) -> Verdict:
    """What becomes of a command; None for what is none, and may be a query."""
    first = _FIRST.fullmatch(text)
    form = _COMMANDS[dialect].get(first["word"].upper()) if first else None
    if first is None or form is None:
        return None
    try:
        words = " ".join(_words(first["rest"], dialect))
    except (SqlglotError, ValueError):
        return Denied("not-understood")
    return Denied("several") if " ; " in f" {words} " else form(words, judge)


def _words(text: str, dialect: Dialect) -> Iterator[str]:
    """Words and signs, with names and texts quoted in one way; a text with a line's end is none."""
    for token in grammar.tokens(text, dialect):
        if token.token_type == TokenType.STRING:
            if text[token.start] not in "'\"":
                raise ValueError("the parser took the rest for one word")
            escapes = {"\\": "\\\\", "'": "\\'"} if dialect == "mysql" else {"'": "''"}
            yield f"'{token.text.translate(str.maketrans(escapes))}'"
        elif token.token_type == TokenType.IDENTIFIER:
            quote = "`" if dialect == "mysql" else '"'
            yield quote + token.text.replace(quote, quote * 2) + quote
        elif token.token_type in {TokenType.PARAMETER, TokenType.SESSION_PARAMETER}:
            yield token.text
        else:
            yield from token.text.split()


def _show_mysql(words: str, judge: Judge) -> Verdict:
    form = _SHOW.fullmatch(words)
    if form is None:
        return Denied("not-a-read", f"SHOW {words}"[:60])
    if form["where"] is None:
        return Allowed(_close(f"SHOW {words}"))
    condition = _CHARSET.sub(lambda word: word[1] or f"`{word[2]}`", form["where"])
    inner = judge(f"SELECT 1 FROM t WHERE {condition}")
    if isinstance(inner, Denied):
        return inner
    _, _, condition = inner.sql.partition(" WHERE ")
    return Allowed(_close(f"SHOW {form['list']}") + f" WHERE {condition}")


def _close(words: str) -> str:
    """Words without the gaps that only the forms need."""
    return _GAPS.sub(lambda gap: gap[1] or gap[2] or "", words)


def _describe(words: str, _judge: Judge) -> Verdict:
    if _DESCRIBE.fullmatch(words) is None:
        return None
    verb = "EXPLAIN" if "CONNECTION" in words.upper() else "DESCRIBE"
    return Allowed(_close(f"{verb} {words}"))


def _plain(form: re.Pattern[str], verb: str, words: str, _judge: Judge) -> Verdict:
    asked = f"{verb} {words}"
    return Allowed(_close(asked)) if form.fullmatch(words) else Denied("not-a-read", asked[:60])


def _pragma(words: str, _judge: Judge) -> Verdict:
    form = _PRAGMA.fullmatch(words)
    if form is None:
        return Denied("not-a-read", f"PRAGMA {words}"[:60])
    name, looking = form["name"].lower(), lists.words("sqlite", "looking")
    written = f"PRAGMA {form['schema']}.{name}" if form["schema"] else f"PRAGMA {name}"
    of = form["of"] or form["set"]
    if of is None:
        harmless = name in lists.words("sqlite", "telling") | looking
        return Allowed(written) if harmless else Denied("not-a-read", written[:60])
    if name not in looking:
        return Denied("writes", f"PRAGMA {words}"[:60])
    if not re.fullmatch(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+", of):
        return Denied("not-understood", f"PRAGMA {words}"[:60])
    return Allowed(f"{written}({of})")


_COMMANDS: Final[Mapping[Dialect, Mapping[str, Callable[[str, Judge], Verdict]]]] = {
    "mysql": {
        "SHOW": _show_mysql,
        "HELP": partial(_plain, re.compile(_TEXT), "HELP"),
        **dict.fromkeys(("DESC", "DESCRIBE", "EXPLAIN"), _describe),
    },
    "postgres": {"SHOW": partial(_plain, _SETTING, "SHOW")},
    "sqlite": {"PRAGMA": _pragma},
}
