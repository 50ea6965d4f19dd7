"""Debian's Chromium, driven as a person drives it; without it the tests are skipped."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, Self

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.support.dashboards import OpenDashboard
from tests.support.homes import skip

AXE: Final = Path(__file__).parents[2] / ".tools" / "node_modules" / "axe-core" / "axe.min.js"
WIDE, NARROW = 1280, 375
Theme = Literal["light", "dark"]


def chromium_or_skip() -> str:
    """Where Chromium is."""
    found = shutil.which("chromium")
    if found is None:
        skip("No Chromium is installed: `make browser` says how.")
    return str(found)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for a file's tests: while it is there, no other event loop can run."""
    with browsing(chromium_or_skip(), tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@contextmanager
def browsing(program: str, folder: Path) -> Iterator[Browser]:
    """A browser without a window, whose own files lie in the folder."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-background-networking"],
            env={"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        )
        try:
            yield browser
        finally:
            browser.close()


class Seen:
    """A page in the browser, opened by the dashboard's link; nothing else may be asked."""

    def __init__(self, context: BrowserContext, dashboard: OpenDashboard) -> None:
        self.dashboard, self._context = dashboard, context
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", lambda said: self._heard(said.type, said.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self._dialog(dialog.message))
        context.on("request", lambda asked: self._asked(asked.url))
        self.go(dashboard.link)
        self.page.wait_for_url(f"{dashboard.origin}/")

    def _heard(self, kind: str, text: str) -> None:
        if kind == "error":
            self.errors.append(text)

    def _dialog(self, text: str) -> None:
        self.errors.append(f"a dialog: {text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.dashboard.origin, "data:", "blob:")):
            self.foreign.append(url)

    def go(self, path: str) -> Self:
        """Open a page of the dashboard."""
        self.page.goto(path if path.startswith("http") else self.dashboard.origin + path)
        return self

    @property
    def text(self) -> str:
        """What is to be read of its main part."""
        return self.page.inner_text("main")

    def give_phrase(self) -> None:
        """Type what stands on the terminal."""
        self.page.get_by_label("Phrase").fill(self.dashboard.keys.phrase)
        self.press("Go on")

    def press(self, button: str) -> None:
        """Press a button that sends a form, and wait for the page that answers."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=button, exact=True).first.click()

    def too_wide(self) -> list[str]:
        """What reaches out of the window to the right, but for what scrolls by itself."""
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll("body *")].filter(each => {
              const at = each.getBoundingClientRect();
              return at.width && at.right > innerWidth + 1 && !each.closest(".scroll, .diff");
            }).map(each => `${each.tagName}.${each.className} ${each.textContent.slice(0, 40)}`)"""
        )
        return found

    def violations(self) -> list[str]:
        """What axe-core finds: rule, and where."""
        if not AXE.is_file():
            skip("axe-core is not installed: `make client` says how.")
        self.page.evaluate(AXE.read_text("utf-8"))  # as a tool of the browser's, beside the policy
        found = self.page.evaluate("() => axe.run()")
        return [
            f"{each['id']}: {node['html'][:160]}"
            for each in found["violations"]
            for node in each["nodes"]
        ]


@contextmanager
def seen(
    browser: Browser, dashboard: OpenDashboard, *, width: int = WIDE, theme: Theme = "light"
) -> Iterator[Seen]:
    """A browser window that the dashboard's link was opened in; it must stay without errors."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    try:
        window = Seen(context, dashboard)
        yield window
        assert not window.foreign + window.errors, window.foreign + window.errors
    finally:
        context.close()
