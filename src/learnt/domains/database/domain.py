"""The database domain: what Learnt knows of asking databases, as a plug-in like any other.

It has no kinds of its own: schemas, rules and patterns are everybody's.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from learnt.domain_ports import (
    About,
    Command,
    Domain,
    DomainHome,
    Extracted,
    Finding,
    SeedSkill,
    ToolCall,
)

if TYPE_CHECKING:
    from learnt.file_ports import CitedThings

NAME: Final = "database"
SKILL: Final = SeedSkill(
    name="db-investigator", package="learnt.domains.database", folder="db-investigator"
)


def _queried(call: ToolCall) -> Extracted:
    # Loaded with the first call that is read: whoever only recalls pays nothing for it.
    from learnt.domains.database.extractor import queried

    return queried(call)


def _spoken(text: str, home: DomainHome) -> About:
    # Likewise.
    from learnt.domains.database.observed.spoken import kind_told, spoken
    from learnt.domains.database.schema.named import named

    names = named(text, home) or spoken(text)
    return About(entities=names, kind=kind_told(text) if names else "")


def _tables(home: DomainHome) -> "CitedThings":
    from learnt.domains.database.schema.tables import KeptTables

    return KeptTables(home)


def _group() -> object:
    from learnt.domains.database.commands.group import db

    return db


def looked_over(home: DomainHome) -> Iterator[Finding]:
    """How it is with each database that is set up, without asking any."""
    from learnt.domains.database.schema.cache import Cache
    from learnt.domains.database.servers import connections
    from learnt.domains.database.servers.sessions import EXTRA

    missing = sorted(package for package in EXTRA if find_spec(package) is None)
    if missing:
        what = "results of queries are not read" if "sqlglot" in missing else "some can't be asked"
        yield Finding(
            domain=NAME,
            level="problem",
            said=f"not installed: {', '.join(missing)}; {what}",
            todo='pipx install "learnt[database]"',
        )
    every = connections.every(home)
    if not every:
        todo = "learnt db setup"
        yield Finding(domain=NAME, level="ok", said="no database is set up", todo=todo)
    for one in every:
        kept = Cache(home, one).listed()
        if kept is None:
            said = f"{one.name}: nothing is kept of its structure, so cited tables are not checked"
            todo = f"learnt db structure --name {one.name}"
            yield Finding(domain=NAME, level="warning", said=said, todo=todo)
        else:
            said = (
                f"{one.name}: tables, views and routines: {len(kept.objects)}, seen {kept.age} ago"
            )
            yield Finding(domain=NAME, level="ok", said=said)


DOMAIN: Final = Domain(
    name=NAME,
    extractors=(_queried,),
    text_extractors=(_spoken,),
    skills=(SKILL,),
    commands={
        "db": Command(
            summary="Ask databases, reading only; their structure, kept for offline.", load=_group
        )
    },
    cited_things=_tables,
    doctor=looked_over,
)
