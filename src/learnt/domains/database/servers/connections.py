"""How a database is reached: a URL without a password, connections kept by a name, sessions.

The sessions of each sort of server are in the files beside this one.
"""

import json
import re
import ssl
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from importlib import import_module
from ipaddress import ip_address
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from msgspec import field

from learnt.core.records import Record
from learnt.core.safety import clean
from learnt.domain_ports import DomainHome
from learnt.domains.database.gate.verdicts import Name, Schemas, StatementNames
from learnt.errors import EnvironmentTrouble, NotFound, StatementFailed, UsageError

Dialect = Literal["mysql", "postgres", "sqlite"]  # servers, by how they read SQL
_SCHEMES: Final[dict[str, Dialect]] = {
    "mysql": "mysql", "mariadb": "mysql", "postgresql": "postgres", "postgres": "postgres",
    "sqlite": "sqlite",
}  # fmt: skip
_DRIVER_NAMES: Final = frozenset({"", "pymysql", "psycopg", "pysqlite"})
DRIVERS: Final[dict[Dialect, str]] = {
    "mysql": "mysql+pymysql",
    "postgres": "postgresql+psycopg",
    "sqlite": "sqlite",
}
PORTS: Final[dict[Dialect, int]] = {"mysql": 3306, "postgres": 5432, "sqlite": 0}
# What a URL may set besides, and to which words; everything else could undo what makes a session
# read only. The words for encryption are those of each server's own client.
OPTIONS: Final[dict[Dialect, dict[str, str]]] = {
    "mysql": {
        "ssl_ca": "",
        "ssl_mode": "disabled preferred required verify_ca verify_identity",
        "unix_socket": "",
    },
    "postgres": {
        "sslmode": "disable allow prefer require verify-ca verify-full",
        "sslrootcert": "",
    },
    "sqlite": {},
}
_UNREADABLE: Final = (
    "That URL names no database that is known here: mysql://user@host:3306/database, "
    "postgresql://user@host/database or sqlite:////path/to/file.db. Nothing was kept."
)
CONNECTIONS: Final = "database/connections"
PASSWORDS: Final = "database/passwords"
_LONGEST_NAME: Final = 100
_VERSION: Final = 1


class DbAddress(Record, kw_only=True):
    """A database on a server, or a file (then `database` is its whole path)."""

    dialect: Dialect
    database: str
    host: str = ""
    port: int = 0
    user: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def url(self) -> str:
        """It as a URL, which never holds a password.

        >>> address("mysql://me@db/shop").url
        'mysql+pymysql://me@db:3306/shop'
        """
        if self.dialect == "sqlite":
            return f"sqlite:///{quote(self.database)}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        who = f"{quote(self.user, safe='')}@" if self.user else ""
        asked = f"?{urlencode(self.options)}" if self.options else ""
        place = f"{host}:{self.port}/{quote(self.database, safe='')}"
        return f"{DRIVERS[self.dialect]}://{who}{place}{asked}"

    @property
    def server(self) -> str:
        """The host with its port."""
        return f"{self.host}:{self.port}"

    @property
    def place(self) -> str:
        """Where it is, for people: without the user.

        >>> address("postgresql://me@db/shop").place
        'db:5432/shop'
        """
        return f"{self.server}/{self.database}" if self.host else self.database


def address(url: str) -> DbAddress:
    """What a URL says.

    Raises UsageError where it holds a password or is none, without repeating it.

    >>> address("postgresql://me@[::1]:5433/shop?sslmode=require").options
    (('sslmode', 'require'),)
    """
    try:
        parts = urlsplit(url)
        port, password = parts.port, parts.password
    except ValueError as error:
        raise UsageError(_UNREADABLE) from error
    if password is not None or "pass" in parts.query.lower():
        raise UsageError(
            "A password in a URL stands in your shell's history and in the list of processes: "
            "change it, and leave it out here; it is asked for, or read with --password-stdin. "
            "Nothing was kept."
        )
    scheme, _, driver = parts.scheme.partition("+")
    dialect = _SCHEMES.get(scheme)
    if dialect is None or driver not in _DRIVER_NAMES:
        raise UsageError(_UNREADABLE)
    options = _options(dialect, parts.query)
    if dialect == "sqlite":
        file = unquote(parts.path).removeprefix("/")
        if parts.netloc or file in {"", ":memory:"}:
            raise UsageError(
                "An SQLite database is named by its file: sqlite:///beside.db, or "
                "sqlite:////the/whole/path.db. Nothing was kept."
            )
        return DbAddress(dialect=dialect, database=str(Path(file).expanduser().resolve()))
    if not parts.hostname:
        raise UsageError(_UNREADABLE)
    return DbAddress(
        dialect=dialect,
        database=unquote(parts.path.removeprefix("/")),
        host=parts.hostname,
        port=port or PORTS[dialect],
        user=unquote(parts.username or ""),
        options=options,
    )


def _options(dialect: Dialect, query: str) -> tuple[tuple[str, str], ...]:
    """What a URL sets besides, each once and with a word that is known.

    >>> _options("mysql", "ssl_mode=VERIFY_CA&ssl_ca=ca.pem")
    (('ssl_ca', 'ca.pem'), ('ssl_mode', 'verify_ca'))
    """
    asked, settable = parse_qsl(query, keep_blank_values=True), OPTIONS[dialect]
    if unknown := {name for name, _ in asked} - settable.keys():
        raise UsageError(
            f"The URL sets what cannot be set here: {', '.join(sorted(unknown))[:80]}. Known: "
            f"{', '.join(settable) or 'nothing'}. Nothing was kept."
        )
    options = {name: value.lower() if settable[name] else value for name, value in asked}
    if len(options) < len(asked):
        raise UsageError("The URL sets the same thing twice. Nothing was kept.")
    for name, value in options.items():
        words = settable[name].split()
        if words and value not in words:
            raise UsageError(f"{name} is one of: {', '.join(words)}. Nothing was kept.")
    if "ssl_ca" in options and not options.get("ssl_mode", "verify").startswith("verify"):
        raise UsageError(
            f"With ssl_mode={options['ssl_mode']} nothing is held against ssl_ca: leave one of "
            "them out, or say verify_ca or verify_identity. Nothing was kept."
        )
    return tuple(sorted(options.items()))


def in_the_open(at: DbAddress, *, encrypted: bool) -> bool:
    """Whether questions and answers travel to another machine for anybody between to read.

    >>> in_the_open(address("mysql://me@db.example/shop"), encrypted=False)
    True
    >>> in_the_open(address("mysql://me@127.0.0.1/shop"), encrypted=False)
    False
    """
    here = not at.host or at.host.lower() == "localhost" or "unix_socket" in dict(at.options)
    if encrypted or here:
        return False
    try:
        return not ip_address(at.host).is_loopback
    except ValueError:
        return True


class Connection(Record, kw_only=True):
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
    """A name that can be typed and shown. Raises UsageError for any other.

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
    return home.files(CONNECTIONS).write(connection.name, clean(as_text(connection)))


def as_text(connection: Connection) -> str:
    """It as its file has it."""
    stored = {
        "version": _VERSION,
        "name": connection.name,
        "url": connection.address.url,
        "identity": dict(connection.identity),
        "could_write": connection.could_write,
        "in_the_open": connection.in_the_open,
    }
    return json.dumps(stored, ensure_ascii=False, indent=2) + "\n"


def kept_connection(home: DomainHome, name: str) -> Connection | None:
    """The connection of a name; None where there is none that can be read."""
    return _read(home.files(CONNECTIONS).read(name) or "")


def every(home: DomainHome) -> Sequence[Connection]:
    """All of them, by name."""
    return sorted(filter(None, map(_read, home.files(CONNECTIONS).all())), key=attrgetter("name"))


def named(home: DomainHome, name: str) -> Connection:
    """The connection of a name, or the only one. Raises NotFound, UsageError for one of several."""
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


_DENIED: Final = frozenset({1045, 3159})  # MariaDB, MySQL: this account, or this server
_OTHER_NAME: Final = re.compile("certificate is not valid for|does not match host name")


class NoAuthority(OSError):
    """The file that ssl_ca names cannot be read, or holds no certificate."""


def mysql_asks(at: DbAddress) -> dict[str, Any]:
    """How the driver is set up for encryption; by itself it encrypts where the server can.

    A CA alone asks for all that can be verified with it.

    Raises NoAuthority where a CA's file cannot be read.

    >>> mysql_asks(address("mysql://me@db/shop?ssl_mode=disabled"))
    {'ssl_disabled': True}
    """
    options = dict(at.options)
    mode = options.get("ssl_mode") or ("verify_identity" if "ssl_ca" in options else "preferred")
    if mode == "preferred":
        return {}
    if mode == "disabled":
        return {"ssl_disabled": True}
    file = options.get("ssl_ca")
    try:
        context = ssl.create_default_context(cafile=file)
    except OSError as error:
        raise NoAuthority(0, f"ssl_ca={file} cannot be read: {error.strerror or error}") from error
    # Certificates that MySQL makes for itself do not keep to the letter, and Python 3.13 would.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.check_hostname = mode == "verify_identity"
    if mode == "required":
        context.verify_mode = ssl.CERT_NONE
    return {"ssl": context}


def encryption_todo(at: DbAddress, error: Exception, message: str) -> str:
    """What to do where encryption is what failed; empty where it is not.

    >>> at = address("postgresql://me@db/shop")
    >>> encryption_todo(at, OSError(), "password authentication failed")
    ''
    """
    mode, file, least, signed, most = (
        ("sslmode", "sslrootcert", "disable", "verify-ca", "verify-full")
        if at.dialect == "postgres"
        else ("ssl_mode", "ssl_ca", "disabled", "verify_ca", "verify_identity")
    )
    todo, code = "", error.args[0] if error.args else 0
    if code in _DENIED and (mode, least) in at.options:
        todo = (
            "Check the account and the password. If both are right, the server may require "
            f"encryption: leave {mode}={least} out of the URL"
        )
    elif _OTHER_NAME.search(message):
        todo = (
            f"The server's certificate is not for {at.host}, so another machine may be answering "
            "in its place. If you know that this is your server, write the name in its certificate "
            f"into the URL, or {mode}={signed} to check only who signed the certificate"
        )
    elif isinstance(error, NoAuthority) or ("certificate" in message and "pg_hba" not in message):
        todo = (
            f"Write {file}=FILE into the URL; FILE holds the certificate (PEM) of the authority "
            f"that signed the server's. {mode}={most} also checks that it is for {at.host}"
        )
    elif "SSL" in message and "pg_hba" not in message:  # whose rules end with "SSL on" or "SSL off"
        todo = (
            "The two sides did not agree on encryption: set it up on the server. "
            f"{mode}={least} in the URL turns it off; then anyone on the way can read everything"
        )
    return todo and f"{todo} (learnt db setup keeps the URL again)."


# Without cryptography PyMySQL reaches no usual account of MySQL 8 that is not encrypted.
EXTRA: Final = frozenset("sqlglot sqlalchemy pymysql cryptography psycopg".split())


class Limits(Record, kw_only=True):
    """How long a statement may take, and how long a server may take to answer at all."""

    seconds: float = 30.0
    connect_seconds: int = 10


class Rows(Record):
    """What a statement gives: the names of its columns, and its rows as they come."""

    columns: Sequence[str]
    rows: Iterator[Sequence[object]]


class DbSession(ABC):
    """A session in which the server itself lets nothing be written: what each server's share.

    It is reopened by itself after an answer was left unread.
    """

    dialect: Dialect
    _connection: Any

    def __init__(self, address: DbAddress, password: str | None, limits: Limits) -> None:
        self._address, self._password, self._limits = address, password, limits

    @abstractmethod
    def reading(self, sql: str) -> AbstractContextManager[Rows]:
        """Run one statement in a transaction of its own that only reads; what is unread is lost.

        PostgreSQL finds names of the system's schema alone: other tables need theirs. Raises
        LearntError where it fails or takes too long.
        """

    def schemas(self, uses: StatementNames) -> tuple[Schemas, Schemas]:
        """The schemas of tables and of types that name none; empty where none is needed."""
        return {}, {}

    def reached(self, relations: Collection[Name], types: Collection[Name]) -> Sequence[Name]:
        """What of interest tables and types lead to: its kind, and its name or text."""
        return ()

    def shadowed(self, calls: Collection[str]) -> Sequence[str]:
        """Functions of somebody's own that are called where the server has none of the name."""
        return ()

    @abstractmethod
    def identity(self) -> Mapping[str, str]:
        """What tells this server and database from every other."""

    @abstractmethod
    def could_write(self) -> str:
        """What the account could do besides reading; empty where it could not."""

    @abstractmethod
    def encrypted(self) -> bool:
        """Whether what goes to the server and back is read by nobody between."""

    def raw(self) -> Any:
        """The driver's own connection, which only reads."""
        return self._connection

    def close(self) -> None:
        """End it. One that broke before is ended already."""
        with suppress(Exception):
            self._connection.close()

    def _unreachable(self, message: object, todo: str = "") -> EnvironmentTrouble:
        """No session came about; what to do, where that is known better than where to look."""
        right = (
            "the server runs and the name, the account and the password are right (learnt db setup)"
            if self._address.host
            else "the file is there, is an SQLite database, and may be read"
        )
        return EnvironmentTrouble(
            f"The database {self._address.place} cannot be reached: "
            f"{without(self._password, message).rstrip('.')}. Nothing was asked. "
            f"{todo or f'Look whether {right}.'}"
        )

    def _broken(self, message: object) -> EnvironmentTrouble:
        """A session ended before its answer did."""
        why = without(self._password, message) or "nobody says why"
        return EnvironmentTrouble(
            f"The connection to {self._address.place} broke off: {why}. What had come so far is "
            "not shown, since it is not known what is missing. Ask again."
        )

    def failed(self, message: object) -> StatementFailed:
        """The server could not run a statement."""
        words = without(self._password, message)
        return StatementFailed(f"The server could not run it: {words}")

    def _too_slow(self) -> StatementFailed:
        return StatementFailed(
            f"Stopped after {self._limits.seconds:g} s. Narrow the question, or give it more with "
            "--timeout."
        )


def begun(address: DbAddress, password: str | None, limits: Limits) -> DbSession:
    """A session; EnvironmentTrouble where the server cannot be reached or refuses the account.

    A driver is loaded when its server is asked.
    """
    module = import_module(f"{__package__}.{address.dialect}")
    session: DbSession = module.SESSION(address, password, limits)
    return session


def session_with(home: DomainHome, connection: Connection, seconds: float) -> DbSession:
    """A session with the kept password, as `begun` gives it."""
    at = connection.address
    password = None if at.dialect == "sqlite" else home.passwords(PASSWORDS).read(connection.name)
    return begun(at, password, Limits(seconds=seconds))


def without(password: str | None, message: object) -> str:
    """A driver's message in one line, and never the password.

    >>> without("hunter2", "no hunter2\\nhere")
    'no ***'
    """
    text = str(message).strip().partition("\n")[0][:400]
    return text.replace(password, "***") if password else text
