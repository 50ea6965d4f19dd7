"""A database asked as `learnt db` does it, its structure as the JSON that is printed and kept."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any

from learnt.core.records import JsonObject
from learnt.domains.database.commands.query import QueryRows, answer
from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Denied
from learnt.domains.database.schema import reflection
from learnt.domains.database.schema.objects import Described, ObjectName
from learnt.domains.database.servers.connections import DbSession, Limits, address, begun
from learnt.formats.answers import to_json
from tests.support.database_servers import PASSWORD


def opened(url: str, password: str | None = PASSWORD, **limits: Any) -> "closing[DbSession]":
    """A session with the database that a URL names."""
    return closing(begun(address(url), password, Limits(**limits)))


def ask(session: DbSession, sql: str, *, limit: int = 100) -> QueryRows | Denied:
    """What a statement gives, or why it is refused: it is judged first."""
    verdict = judge(sql, session.dialect)
    return verdict if isinstance(verdict, Denied) else answer(session, verdict, limit=limit)


def described(
    session: DbSession, names: Sequence[str] | None = None
) -> tuple[list[JsonObject], Sequence[str]]:
    """Tables and views, all or those named, and the names that nothing has."""
    relations, missing = reflection.described(session, names)
    return as_json(relations), missing


def listed(session: DbSession) -> list[JsonObject]:
    """All objects by name."""
    return as_json(reflection.listed(session))


def as_json(objects: Iterable[Described | ObjectName]) -> list[JsonObject]:
    """Objects as they are printed and kept."""
    every = [to_json(each) for each in objects]
    return [each for each in every if isinstance(each, dict)]
