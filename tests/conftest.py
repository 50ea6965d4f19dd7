"""What every test stands on: no network, no home of the user's, no marker of an agent's."""

import gc
import itertools
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from learnt.core.governance.actors import AGENT_MARKERS
from learnt.settings import HOME_VARIABLE, INSIDE_VARIABLE
from tests.support.homes import Home, throwaway
from tests.support.side_by_side import Scheduling

pytest_plugins = ["tests.support.shared_servers"]

# Every write of a ledger waits for the disk. Where there is room for them the files of the tests
# lie in memory: pytest and tests/support/database_servers.py put them where this variable says.
_IN_MEMORY = Path("/dev/shm")
if _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))

# Properties are tried on the same examples in every run: few each time, more in `make test-all`.
# HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("quick", deadline=None, derandomize=True, max_examples=25)
hypothesis.settings.register_profile("thorough", deadline=None, derandomize=True, max_examples=150)
hypothesis.settings.register_profile(
    "explore",
    deadline=None,
    max_examples=3_000,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    """Side by side, each process gets what belongs together."""
    return Scheduling(config, log)


# What collecting makes stays to the end: nobody needs to look through it for garbage.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is collected, of what the tests make."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders for users, each a new one: numbered by pytest, it would count thousands each time."""
    folder = tmp_path_factory.mktemp("users")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def surroundings(users: Iterator[Path]) -> Iterator[None]:
    """A test's environment holds nothing of the machine's user and of who started it."""
    kept = dict(os.environ)
    for name in (*AGENT_MARKERS, INSIDE_VARIABLE, "CLAUDE_PROJECT_DIR", "CLAUDE_PID"):
        os.environ.pop(name, None)
    scratch = next(users)
    scratch.mkdir()
    os.environ[HOME_VARIABLE] = str(scratch / "learnt")
    os.environ["CLAUDE_CONFIG_DIR"] = str(scratch / "claude")
    os.environ["HOME"] = str(scratch)
    os.environ["CI"] = "true"
    yield
    for name in os.environ.keys() - kept.keys():
        del os.environ[name]
    for name, value in kept.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


class NetworkUsed(AssertionError):
    """A test reached for the network."""


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Only this machine can be reached from a test's own process."""
    really = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        loopback = not isinstance(address, tuple) or address[0] in {"127.0.0.1", "::1"}
        if not loopback:
            raise NetworkUsed(str(address))
        really(self, address)

    socket.socket.connect = connect  # type: ignore[method-assign, assignment]  # the guard itself
    yield
    socket.socket.connect = really  # type: ignore[method-assign]  # and its end


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A home with the hook's files, and no worker yet."""
    with throwaway(tmp_path) as made:
        yield made
