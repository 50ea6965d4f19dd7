"""Homes to be mistreated: each test has its own, and nothing outlives it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.homes import Home, throwaway


@pytest.fixture
def home_at() -> Iterator[Callable[[Path, str], Home]]:
    """Makes homes with names of the test's choice."""
    with ExitStack() as stack:
        yield lambda folder, name: stack.enter_context(throwaway(folder, name))
