"""A dashboard that the tests of a file share, where they change nothing."""

from collections.abc import Iterator

import pytest

from tests.support.browser import chromium
from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import throwaway

__all__ = ["chromium"]  # two cannot run in one process


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenDashboard]:
    """A dashboard of a home that remembers one thing, opened with its link."""
    with throwaway(tmp_path_factory.mktemp("shared")) as home:
        home.remember()
        with opened_dashboard(home) as opened:
            opened.enter()
            yield opened
