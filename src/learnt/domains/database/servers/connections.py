"""Named connections: how a database is reached, kept without its password."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from learnt.domain_ports import DomainHome
from learnt.domains.database.servers.addresses import DbAddress, address
from learnt.errors import NotFound, UsageError

CONNECTIONS: Final = "database/connections"
_LONGEST_NAME: Final = 100
_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A database by a name of the user's.

    `identity` is the server as it was last seen; `could_write` what the account could do besides
    reading; `in_the_open` whether what is asked travels to another machine unencrypted.
    """

    name: str
    address: DbAddress
    identity: Mapping[str, str] = field(default_factory=dict)
    could_write: str = ""
    in_the_open: bool = False


def checked_name(name: str) -> str:
    """A name that can be typed and shown; UsageError for any other.

    >>> checked_name("shop-订单")
    'shop-订单'
    """
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"A connection's name has 1 to {_LONGEST_NAME} characters that can be seen. "
            "Nothing was kept."
        )
    return name


def keep(home: DomainHome, connection: Connection) -> str:
    """Keep it, in place of one of that name; where it lies."""
    stored = {
        "version": _VERSION,
        "name": connection.name,
        "url": connection.address.url,
        "identity": dict(connection.identity),
        "could_write": connection.could_write,
        "in_the_open": connection.in_the_open,
    }
    text = json.dumps(stored, ensure_ascii=False, indent=2) + "\n"
    return home.files(CONNECTIONS).write(connection.name, text)


def kept_connection(home: DomainHome, name: str) -> Connection | None:
    """The connection of a name; None where there is none that can be read."""
    return _read(home.files(CONNECTIONS).read(name) or "")


def every(home: DomainHome) -> Sequence[Connection]:
    """All of them, by name."""
    return sorted(filter(None, map(_read, home.files(CONNECTIONS).all())), key=attrgetter("name"))


def named(home: DomainHome, name: str) -> Connection:
    """The connection of a name, or the only one; NotFound where there is none."""
    if name and (connection := kept_connection(home, name)) is not None:
        return connection
    there = every(home)
    if not there:
        raise NotFound("No database is set up yet: learnt db setup. Nothing was asked.")
    if not name and len(there) == 1:
        return there[0]
    names = ", ".join(connection.name for connection in there)
    if not name:
        raise UsageError(f"Which database? --name one of: {names}. Nothing was asked.")
    raise NotFound(f"No database is set up as {name}; there are: {names}. Nothing was asked.")


def _read(text: str) -> Connection | None:
    try:
        stored = json.loads(text)
        return Connection(
            name=str(stored["name"]),
            address=address(str(stored["url"])),
            identity={str(key): str(value) for key, value in stored["identity"].items()},
            could_write=str(stored["could_write"]),
            in_the_open=bool(stored.get("in_the_open", False)),
        )
    except (ValueError, KeyError, TypeError, AttributeError, UsageError):
        return None
