"""The pages that only show, in the real browser: charts, sliders, narrow windows, both themes."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from learnt.core.identifiers import EntryId
from tests.support.browser import NARROW, WIDE, Theme, seen
from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import Home
from tests.support.shop_weeks import SKILL, live_in
from tests.support.waiting import candidate

Shop = tuple[OpenDashboard, dict[str, EntryId]]
_HIDES = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, value: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def shop(home: Home) -> Iterator[Shop]:
    """A dashboard of nine weeks of a shop, and its entries by short names."""
    known = live_in(home)
    with opened_dashboard(home) as page:
        yield page, known


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_the_pages(chromium: Browser, shop: Shop, theme: Theme) -> None:
    """axe-core finds nothing, and nothing reaches out of a narrow or a wide window."""
    page, known = shop
    paths = [
        "/", "/knowledge", f"/entry/{known['refund']}", "/decay", "/skills", f"/skills/{SKILL}",
        "/effects", "/sessions", "/misses", "/ledger", f"/ledger/{known['gateway']}", "/doctor",
    ]  # fmt: skip
    for width in (WIDE, NARROW):
        page.keys.new_token()
        with seen(chromium, page, width=width, theme=theme) as window:
            window.go("/sessions")
            session = window.page.locator("a[href^='/sessions/']").first.get_attribute("href")
            for path in (*paths, str(session), "/review", "/nothing-is-here"):
                window.go(path)
                assert ([], []) == (window.violations(), window.too_wide()), (path, width)
            window.errors.clear()  # the browser's own about the last page, which is none


def test_sliders_compute_while_they_move_and_the_form_does_without(
    chromium: Browser, shop: Shop
) -> None:
    """The numbers and the address follow; the curve is drawn of the table beside it."""
    with seen(chromium, shop[0]) as window:
        window.go("/decay?kind=schema&days=90&failures=0&shocks=0")
        assert "0.763" in window.text
        window.page.locator("#failures").fill("4")
        window.page.get_by_text("0.259", exact=False).first.wait_for()
        assert "failures=4" in window.page.url
        assert 1 == window.page.locator("canvas").count()
        window.page.get_by_text("The numbers as a table").click()
        assert "365" in window.page.locator(".scroll table").inner_text()


def test_a_chart_follows_the_theme(chromium: Browser, shop: Shop) -> None:
    """It is drawn again in the theme's colours when that is switched."""
    with seen(chromium, shop[0]) as window:
        window.go("/decay")
        before = json.dumps(window.page.locator("canvas").evaluate("c => c.toDataURL()"))
        for _ in range(2):
            window.page.locator("[data-theme-switch]").click()
        assert before != json.dumps(window.page.locator("canvas").evaluate("c => c.toDataURL()"))


def test_a_page_that_nobody_sees_gives_its_connection_away(chromium: Browser, shop: Shop) -> None:
    """A browser has six to a host: the ninth tab opens all the same."""
    with seen(chromium, shop[0]) as window:
        window.go("/")
        for _ in range(8):
            window.page.evaluate(_HIDES)
            window.page = window.page.context.new_page()
            window.page.goto(f"{shop[0].origin}/knowledge", timeout=10_000)
        assert "Knowledge" in window.text


def test_what_somebody_opened_is_not_closed_by_what_is_new(chromium: Browser, shop: Shop) -> None:
    """The page says that there is something new, and waits."""
    page, _ = shop
    with seen(chromium, page) as window:
        window.go("/decay")
        window.page.get_by_text("The numbers as a table").click()
        window.page.evaluate("document.activeElement.blur()")
        candidate(page.home, "db7 listens on 6432, not 5432: a pool")
        window.page.get_by_text("Something new was recorded").wait_for(timeout=20_000)
        assert 1 == window.page.locator("details[open]").count()
