"""A database asked as `learnt db` does it, its structure as the JSON that is printed and kept."""

from collections.abc import Iterable, Sequence

from learnt.core.json_values import JsonObject
from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Refused
from learnt.domains.database.schema import structure
from learnt.domains.database.schema.objects import Described, ObjectName
from learnt.domains.database.servers.answers import QueryRows, answer
from learnt.domains.database.servers.sessions import Session
from learnt.formats.answers import to_json


def ask(session: Session, sql: str, *, limit: int = 100) -> QueryRows | Refused:
    """What a statement gives, or why it is refused: it is judged first."""
    verdict = judge(sql, session.dialect)
    return verdict if isinstance(verdict, Refused) else answer(session, verdict, limit=limit)


def described(
    session: Session, names: Sequence[str] | None = None
) -> tuple[list[JsonObject], Sequence[str]]:
    """Tables and views, all or those named, and the names that nothing has."""
    relations, missing = structure.described(session, names)
    return as_json(relations), missing


def listed(session: Session) -> list[JsonObject]:
    """All objects by name."""
    return as_json(structure.listed(session))


def as_json(objects: Iterable[Described | ObjectName]) -> list[JsonObject]:
    """Objects as they are printed and kept."""
    every = [to_json(each) for each in objects]
    return [each for each in every if isinstance(each, dict)]
