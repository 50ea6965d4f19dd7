"""Dashboards of throw-away homes."""

from collections.abc import Iterator

import pytest

from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import Home


@pytest.fixture
def page(home: Home) -> Iterator[OpenDashboard]:
    """A dashboard of a home that remembers one thing, opened with its link."""
    home.remember()
    with opened_dashboard(home) as opened:
        opened.enter()
        yield opened
