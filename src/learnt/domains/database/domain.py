"""The database domain: what Learnt knows of asking databases, as a plug-in like any other.

It has no kinds of its own: schemas, rules and patterns are everybody's.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any, Final

from learnt import domain_ports
from learnt.installed import installing

NAME: Final = "database"
SKILL: Final = domain_ports.SeedSkill(
    name="db-investigator", package="learnt.domains.database", folder="skills/db-investigator"
)


def _late(place: str) -> Callable[..., Any]:
    """A function that is loaded when it is first called: whoever only recalls pays nothing."""
    return lambda *given, **more: resolve_name(f"{__package__}.{place}")(*given, **more)


def _spoken(text: str, home: domain_ports.DomainHome) -> domain_ports.About:
    names = _late("schema.cache:named")(text, home)
    kind = _late("observed.spoken:kind_of_fact")(text, named=bool(names))
    return domain_ports.About(entities=names, kind=kind)


def looked_over(home: domain_ports.DomainHome) -> Iterator[domain_ports.DomainFinding]:
    """How it is with each database that is set up, without asking any."""
    from learnt.domains.database.schema.cache import Cache
    from learnt.domains.database.servers import connections
    from learnt.domains.database.servers.connections import EXTRA

    finding = partial(domain_ports.DomainFinding, domain=NAME)
    if missing := sorted(package for package in EXTRA if find_spec(package) is None):
        what = "results of queries are not read" if "sqlglot" in missing else "some can't be asked"
        what = f"not installed: {', '.join(missing)}; {what}"
        yield finding(level="problem", said=what, todo=installing("database"))
    set_up = connections.every(home)
    if not set_up:
        yield finding(level="ok", said="no database is set up", todo="learnt db setup")
    for connection in set_up:
        name, kept = connection.name, Cache(home, connection).listed()
        if kept is None:
            what = "nothing is kept of its structure, so cited tables are not checked"
            todo = f"learnt db structure --name {name}"
            yield finding(level="warning", said=f"{name}: {what}", todo=todo)
        else:
            what = f"tables, views, routines and triggers: {len(kept.objects)}, seen {kept.age} ago"
            yield finding(level="ok", said=f"{name}: {what}")


def erased(home: domain_ports.DomainHome, goes: domain_ports.Goes) -> Iterator[str]:
    """Erase connections, their passwords and what is kept of databases; tell what went."""
    from learnt.domains.database.schema.cache import STRUCTURE, Cache
    from learnt.domains.database.servers import connections
    from learnt.domains.database.servers.connections import CONNECTIONS, PASSWORDS

    for connection in connections.every(home):
        if goes(connections.as_text(connection)):
            home.passwords(PASSWORDS).remove(connection.name)
            Cache(home, connection).drop()
    for store in (CONNECTIONS, PASSWORDS, STRUCTURE):
        if count := home.files(store).erase(goes):
            yield f"{store} ({count})"


DOMAIN: Final = domain_ports.Domain(
    name=NAME,
    extractors=(_late("extractor:queried"),),
    text_extractors=(_spoken,),
    asks=_late("observed.spoken:asks"),
    skills=(SKILL,),
    commands={
        "db": domain_ports.Command(
            summary="Ask databases, reading only; their structure, kept for offline.",
            load=partial(resolve_name, "learnt.domains.database.commands.group:db"),
        )
    },
    cited_things=_late("schema.cache:KeptTables"),
    doctor=looked_over,
    erase=erased,
)
