"""Which tables and columns a sentence names, by what is kept of the databases that are set up."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from learnt.core.words import STOP_WORDS
from learnt.domain_ports import DomainHome
from learnt.domains.database.observed.spoken import called_tables, is_of_databases, spelt
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.schema.objects import RELATIONS, TableOrView
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
        sure = _sure(cache, text, words, _tables(cache, connection, words))
        if sure:
            columns = {name for names in sure.values() for name in names}
            beside = (word for word in words if word not in sure and _is_column(word, columns))
            return tuple(dict.fromkeys((*sure, *called_tables(text), *beside, *spelt(text))))
    return ()


def _tables(cache: Cache, connection: Connection, words: Iterable[str]) -> Mapping[str, str]:
    """The words that are tables, or columns behind theirs, each with the table's listed name."""
    listed = [each.name for each in cache.objects() if each.kind in RELATIONS]
    names = {name.rpartition(".")[2].casefold(): name for name in listed}
    names |= {name.casefold(): name for name in listed}
    names |= {f"{connection.address.database}.{name}".casefold(): name for name in listed}
    folded = ((word, word.casefold()) for word in words)
    matches = (
        (word, names.get(whole) or names.get(whole.rpartition(".")[0])) for word, whole in folded
    )
    return dict([(word, name) for word, name in matches if name][:_MOST])


def _sure(
    cache: Cache, text: str, words: Iterable[str], tables: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """The tables that are meant for sure, each with the names of its columns."""
    described = cache.described(sorted({*tables.values()}))[0].objects
    kept = {each.name: each for each in described if isinstance(each, TableOrView)}
    called = {name.casefold() for name in called_tables(text)}
    open_to_any = is_of_databases(text) and not called
    sure: dict[str, frozenset[str]] = {}
    for word, name in tables.items():
        columns = kept[name].columns if name in kept else ()
        names = frozenset(column.name.casefold() for column in columns)
        beside = any(_is_column(each, names) for each in words)
        plain = word.isalpha() and f"`{word}`" not in text
        if not plain or open_to_any or beside or word.casefold() in called:
            sure[word] = names
    return sure


def _is_column(word: str, columns: Collection[str]) -> bool:
    """Whether a word is one of these columns, and more than one of everybody's."""
    return len(word) > 1 and word.casefold() in columns and word.casefold() not in STOP_WORDS
