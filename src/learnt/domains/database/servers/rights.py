"""What an account can do besides reading, in words for people."""

import re
from typing import Final

from learnt.domains.database.servers.connections import Connection

_EVERYTHING: Final = "ALL PRIVILEGES"
_GRANTED: Final = re.compile(r"(?P<what>[A-Z][A-Z_, ]*) on (?P<where>\S.*)", re.DOTALL)
_WORDS: Final = {
    "anything: a superuser": "anything, as a superuser",
    "use pg_write_all_data": "write every table (pg_write_all_data)",
    "use pg_write_server_files": "write files on the server (pg_write_server_files)",
    "use pg_execute_server_program": "run programs on the server (pg_execute_server_program)",
    "more than reading": "something that is not known here",
}


def told(could_write: str) -> str:
    """What a session's `could_write` says, as it ends a sentence.

    >>> told("ALL PRIVILEGES on *.*; INSERT, UPDATE on `shop`.*; DROP on `shop`.`room`")
    'anything on the whole server; INSERT, UPDATE in the database `shop`; DROP on `shop`.`room`'
    >>> told("use pg_write_all_data; create schemas; write film")
    'write every table (pg_write_all_data); create schemas; write film'
    """
    return "; ".join(_WORDS.get(one) or _granted(one) for one in could_write.split("; "))


def _granted(one: str) -> str:
    said = _GRANTED.fullmatch(one)
    if said is None:
        return one
    what = "anything" if said["what"] == _EVERYTHING else said["what"]
    if said["where"] == "*.*":
        return f"{what} on the whole server"
    database = said["where"].removesuffix(".*")
    return f"{what} {'on' if database == said['where'] else 'in the database'} {database}"


def warning(connection: Connection) -> str:
    """What is said of an account that can do more than read; empty where it cannot."""
    if not connection.could_write:
        return ""
    name = connection.name
    if connection.address.dialect == "sqlite":
        return (
            f"You can write the file of {name} as well. Learnt only reads; a file that you can do "
            "no more with is safer."
        )
    return (
        f"The account of {name} can do more than read: {told(connection.could_write)}. Learnt only "
        "reads; an account that can do no more is safer."
    )
