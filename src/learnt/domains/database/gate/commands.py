"""What is no query and only looks: SHOW, DESCRIBE and HELP of MySQL, SHOW of PostgreSQL, PRAGMA.

Each form is written out here. What runs is put together anew from the words, names and texts that
were found; a condition behind WHERE is looked through as the one of a query.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from sqlglot import TokenType
from sqlglot.errors import SqlglotError

from learnt.domains.database import lists
from learnt.domains.database.gate import grammar
from learnt.domains.database.gate.verdicts import Allowed, Refused
from learnt.domains.database.servers.addresses import Dialect

Judge = Callable[[str], Allowed | Refused]
Form = Callable[[str, Judge], Allowed | Refused | None]

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
    return "|".join(
        re.sub("<([A-Z]+)>", lambda name: _PATTERNS[name[1]], form)
        for form in lists.lines("show", heading)
    )


_SHOW: Final = re.compile(
    rf"(?P<what>{_forms('others')})|(?P<list>{_forms('lists')})"
    rf"(?: LIKE (?P<like>{_TEXT})| WHERE (?P<where>.+))?",
    re.IGNORECASE | re.DOTALL,
)
_DESCRIBE: Final = re.compile(
    rf"(?!(?:SELECT|TABLE|WITH|VALUES)\b){_TABLE}(?: {_WORD})?|"
    r"(?P<other>(?:FORMAT = \w+ )?FOR CONNECTION \d+)",
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


def command(text: str, dialect: Dialect, judge: Judge) -> Allowed | Refused | None:
    """What becomes of a command; None for what is none, and may be a query."""
    first = _FIRST.fullmatch(text)
    form = _COMMANDS[dialect].get(first["word"].upper()) if first else None
    if first is None or form is None:
        return None
    try:
        words = " ".join(_words(first["rest"], dialect))
    except (SqlglotError, ValueError):
        return Refused("not-understood")
    if " ; " in f" {words} ":
        return Refused("several")
    return form(words, judge)


def _words(text: str, dialect: Dialect) -> Iterator[str]:
    """Words and signs, with names and texts quoted in one way; a text with a line's end is none."""
    for token in grammar.tokens(text, dialect):
        if token.token_type == TokenType.STRING:
            if text[token.start] not in "'\"":
                raise ValueError("the parser took the rest for one word")
            if dialect == "mysql":
                yield "'" + token.text.replace("\\", "\\\\").replace("'", "\\'") + "'"
            else:
                yield "'" + token.text.replace("'", "''") + "'"
        elif token.token_type == TokenType.IDENTIFIER:
            quote = "`" if dialect == "mysql" else '"'
            yield quote + token.text.replace(quote, quote * 2) + quote
        elif token.token_type in {TokenType.PARAMETER, TokenType.SESSION_PARAMETER}:
            yield token.text
        else:
            yield from token.text.split()


def _shown(words: str, judge: Judge) -> Allowed | Refused:
    found = _SHOW.fullmatch(words)
    if found is None:
        return Refused("not-a-read", f"SHOW {words}"[:60])
    if found["where"] is None:
        return Allowed(_close(f"SHOW {words}"))
    condition = _CHARSET.sub(lambda one: one[1] or f"`{one[2]}`", found["where"])
    inner = judge(f"SELECT 1 FROM t WHERE {condition}")
    if isinstance(inner, Refused):
        return inner
    _, _, condition = inner.sql.partition(" WHERE ")
    return Allowed(_close(f"SHOW {found['list']}") + f" WHERE {condition}")


def _close(words: str) -> str:
    """Words without the gaps that only the forms need."""
    return _GAPS.sub(lambda found: found[1] or found[2] or "", words)


def _described(words: str, _judge: Judge) -> Allowed | Refused | None:
    if _DESCRIBE.fullmatch(words) is None:
        return None
    return Allowed(
        _close(f"EXPLAIN {words}" if "CONNECTION" in words.upper() else f"DESCRIBE {words}")
    )


def _helped(words: str, _judge: Judge) -> Allowed | Refused:
    if re.fullmatch(_TEXT, words):
        return Allowed(f"HELP {words}")
    return Refused("not-a-read", "HELP")


def _setting(words: str, _judge: Judge) -> Allowed | Refused:
    if _SETTING.fullmatch(words):
        return Allowed(_close(f"SHOW {words}"))
    return Refused("not-a-read", f"SHOW {words}"[:60])


def _pragma(words: str, _judge: Judge) -> Allowed | Refused:
    found = _PRAGMA.fullmatch(words)
    if found is None:
        return Refused("not-a-read", f"PRAGMA {words}"[:60])
    name = found["name"].lower()
    told = f"{found['schema']}.{name}" if found["schema"] else name
    of = found["of"] or found["set"]
    if of is None:
        known = name in lists.words("sqlite", "telling") | lists.words("sqlite", "looking")
        return Allowed(f"PRAGMA {told}") if known else Refused("not-a-read", f"PRAGMA {told}"[:60])
    if name not in lists.words("sqlite", "looking"):
        return Refused("writes", f"PRAGMA {words}"[:60])
    if not re.fullmatch(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+", of):
        return Refused("not-understood", f"PRAGMA {words}"[:60])
    return Allowed(f"PRAGMA {told}({of})")


_COMMANDS: Final[
    Mapping[Dialect, Mapping[str, Callable[[str, Judge], Allowed | Refused | None]]]
] = {
    "mysql": {
        "SHOW": _shown,
        "DESC": _described,
        "DESCRIBE": _described,
        "EXPLAIN": _described,
        "HELP": _helped,
    },
    "postgres": {"SHOW": _setting},
    "sqlite": {"PRAGMA": _pragma},
}
