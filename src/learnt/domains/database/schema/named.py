"""Which tables and columns a sentence names, by what is kept of the databases that are set up."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from learnt.core.json_values import JsonObject, member, text_of
from learnt.core.words import STOP_WORDS
from learnt.domain_ports import DomainHome
from learnt.domains.database.observed.spoken import is_of_databases, spelt, told
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.schema.objects import RELATIONS
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_$]{0,63}"
_TOKEN: Final = re.compile(rf"(?<![A-Za-z0-9_$./-]){_NAME}(?:\.{_NAME}){{0,2}}(?![A-Za-z0-9_/(])")
_MOST: Final = 20  # tables looked at for one sentence


def named(text: str, home: DomainHome) -> tuple[str, ...]:
    """Tables with their columns, as the sentence spells them; nothing where none is for sure one.

    Of a word of everyday language it is sure if the sentence calls it a table, names a column of
    it too, or speaks of rows and the like and calls nothing a table. What else it calls so, or is
    spelt like a column, is named as well: it may be one that nobody has looked at yet.
    """
    words = tuple(dict.fromkeys(match[0] for match in _TOKEN.finditer(text)))
    for connection in connections.every(home):
        cache = Cache(home, connection)
        tables = _tables(cache, connection, words)
        found = _sure(cache, text, words, tables)
        if found:
            columns = {name for own in found.values() for name in own}
            beside = (word for word in words if _is_column(word, columns, found))
            return tuple(dict.fromkeys((*found, *told(text), *beside, *spelt(text))))
    return ()


def _tables(cache: Cache, connection: Connection, words: Iterable[str]) -> Mapping[str, str]:
    """The words that are tables, each with its name in the list."""
    seen = cache.listed()
    told_of = seen.objects if seen is not None else ()
    listed = [str(one["name"]) for one in told_of if one.get("kind") in RELATIONS]
    names = {name.rpartition(".")[2].casefold(): name for name in listed}
    names |= {name.casefold(): name for name in listed}
    names |= {f"{connection.address.database}.{name}".casefold(): name for name in listed}
    found = ((word, _listed_as(word, names)) for word in words)
    return dict([(word, name) for word, name in found if name][:_MOST])


def _listed_as(word: str, names: Mapping[str, str]) -> str:
    """A table's name in the list, of its name or of one of its columns with it."""
    whole = word.casefold()
    return names.get(whole) or names.get(whole.rpartition(".")[0]) or ""


def _sure(
    cache: Cache, text: str, words: Iterable[str], tables: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """The tables that are meant for sure, each with the names of its columns."""
    kept = {str(one["name"]): one for one in cache.described(sorted({*tables.values()}))[0].objects}
    called = {name.casefold() for name in told(text)}
    open_to_any = is_of_databases(text) and not called
    found: dict[str, frozenset[str]] = {}
    for word, name in tables.items():
        columns = frozenset(_columns(kept.get(name, {})))
        beside = any(one.casefold() in columns and _is_telling(one) for one in words)
        plain = word.isalpha() and f"`{word}`" not in text
        if not plain or open_to_any or beside or word.casefold() in called:
            found[word] = columns
    return found


def _columns(told_of: JsonObject) -> Iterator[str]:
    every = told_of.get("columns")
    for one in every if isinstance(every, list) else ():
        yield text_of(member(one, "name")).casefold()


def _is_telling(word: str) -> bool:
    """Whether a word is more than one of everybody's."""
    return len(word) > 1 and word.casefold() not in STOP_WORDS


def _is_column(word: str, columns: set[str], tables: Iterable[str]) -> bool:
    return word not in tables and _is_telling(word) and word.casefold() in columns
