"""Database servers that all tests of a process share; each test file has a database of its own."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.database_servers import Server

# The drivers are loaded by whoever asks for a server: tests of the core run without them.


@pytest.fixture(scope="session")
def maria() -> Iterator["Server"]:
    """A MariaDB of the tests' own."""
    from tests.support.database_servers import mariadb

    with mariadb() as server:
        yield server


@pytest.fixture(scope="session")
def elephant() -> Iterator["Server"]:
    """A PostgreSQL of the tests' own."""
    from tests.support.database_servers import postgres

    with postgres() as server:
        yield server
