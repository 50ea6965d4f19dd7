"""A home in memory with databases of which some structure is kept."""

from dataclasses import dataclass, field
from pathlib import Path

from learnt.core.records import JsonObject, decode
from learnt.domain_ports import DomainHome
from learnt.domains.database.schema.cache import Cache, KeptTables
from learnt.domains.database.schema.objects import Described, Routine, TableOrView
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection, address
from learnt.file_ports import PrivateFiles
from tests.support.in_memory_files import InMemoryPrivateFiles


@dataclass
class Kept:
    """A home with databases of which something may be kept."""

    files: dict[str, PrivateFiles] = field(default_factory=dict)

    @property
    def home(self) -> DomainHome:
        """It as a domain sees it."""
        return DomainHome(
            folder=Path("/home"),
            files=lambda name: self.files.setdefault(name, InMemoryPrivateFiles()),
            now_ms=lambda: 90_000_000,
        )

    def database(self, name: str, identity: str = "one") -> Connection:
        """A database that is set up."""
        made = Connection(
            name=name, address=address(f"mysql://me@db/{name}_db"), identity={"server": identity}
        )
        connections.keep(self.home, made)
        return made

    def structure(self, of: Connection, *objects: JsonObject) -> None:
        """All that a database holds now, as it is stored."""
        cache = Cache(self.home, of)
        routines = {"procedure", "function"}
        records: list[Described] = [
            decode(Routine, stored) if stored["kind"] in routines else decode(TableOrView, stored)
            for stored in objects
        ]
        cache.keep_list(records)
        cache.keep(records)

    def digest(self, table: str) -> str | None:
        """What the domain tells of a table."""
        return KeptTables(self.home).digest(table)


def table(name: str, *columns: str) -> JsonObject:
    """A table with columns that hold whole numbers."""
    return {
        "kind": "table",
        "name": name,
        "columns": [{"name": one, "type": "INTEGER", "nullable": False} for one in columns],
    }
