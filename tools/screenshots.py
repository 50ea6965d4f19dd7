"""Takes the pictures that the docs show: a session's screen, and nine weeks of an invented shop.

    python -m tools.screenshots [--all DIR]

They go into `docs/images`; with --all those of every page of the dashboard, in both themes and two
widths, into a folder, to be looked at. Fonts differ between machines, so nothing compares them;
`tests/web` looks at the same pages, and `tests/real` at such a session.
"""

import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from html import escape
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser

from tests.support.beside_client import Learnt
from tests.support.browser import NARROW, WIDE, Theme, browsing, seen
from tests.support.claude_code import ClaudeCode, find_client
from tests.support.dashboards import opened_dashboard
from tests.support.homes import throwaway
from tests.support.model_server import call, say
from tests.support.shop_weeks import SKILL, live_in

IMAGES: Final = Path(__file__).resolve().parent.parent / "docs" / "images"
HEIGHT: Final = 760  # what a first screen shows


PICTURES: Final[tuple[tuple[str, str, Theme], ...]] = (
    ("today", "/", "light"),
    ("decay", "/decay", "dark"),
)
PAGES: Final = {
    "today": "/", "review": "/review", "knowledge": "/knowledge", "entry": "/entry/{lock}",
    "disputed": "/entry/{refund}", "decay": "/decay", "skills": "/skills",
    "skill": f"/skills/{SKILL}", "effects": "/effects", "sessions": "/sessions",
    "misses": "/misses", "ledger": "/ledger", "why": "/ledger/{gateway}", "doctor": "/doctor",
}  # fmt: skip


def shots(every: bool) -> Iterator[tuple[str, str, Theme, int]]:
    """The name, the address, the theme and the width of each picture."""
    if not every:
        yield from ((f"{name}-{theme}", path, theme, 1120) for name, path, theme in PICTURES)
        return
    themes: tuple[Theme, ...] = ("light", "dark")
    for theme, width in product(themes, (WIDE, NARROW)):
        for name, path in PAGES.items():
            yield f"{name}-{theme}-{width}", path, theme, width


SAID: Final = (
    ("remember: the staging gateway listens on port 8443", "Noted."),
    ("Which port does the staging gateway listen on?", "Port 8443."),
    ("Add a footer to the invoice. Credit notes share the invoices' number range.", "It is there."),
    ("Thank you", "You are welcome."),
)
SCREEN: Final = (
    "margin: 0; padding: 18px; width: max-content; font: 14px monospace; "
    "background: #16191f; color: #dfe3ea"
)


def session(folder: Path, client: Path) -> list[str]:
    """What a person sees of a session of Claude Code, from its first prompt on."""
    learnt = Learnt(ClaudeCode(client, folder))
    learnt("init", "--agent", "claude", "--allow-tools")
    picks = "mcp__learnt__remember"
    first, second, third, fourth = (say(answer) for _, answer in SAID)
    found = call("ToolSearch", query=f"select:{picks}")
    quotes = call(picks, quote="Credit notes share the invoices' number range.")
    script = [first, second, found, quotes, third, fourth]
    try:
        with learnt.client.seen(learnt.client.project("shop"), script) as (pane, _):
            pane.until("mode on")
            for prompt, answer in SAID:
                pane.type(prompt)
                pane.until(answer)
            lines = pane.lines
    finally:
        learnt.stop()
    begins = next(at for at, line in enumerate(lines) if SAID[0][0] in line)
    ends = next(at for at, line in enumerate(lines) if SAID[-1][1] in line)
    return lines[begins : ends + 1]


def draw(browser: Browser, lines: list[str], file: Path) -> None:
    """Lines as a terminal shows them; few fonts have the corner of Claude Code's."""
    page, text = browser.new_page(), escape("\n".join(lines).replace("⎿", "└"))
    page.set_content(f'<pre style="{SCREEN}">{text}</pre>')
    page.locator("pre").screenshot(path=file)
    page.close()


def main() -> int:
    """Take them all; 5 where no Chromium is here. That of a session needs Claude Code."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "--all", type=Path, metavar="DIR", help="every page, both themes, two widths"
    )
    into = parser.parse_args().all
    program = shutil.which("chromium")
    if program is None:
        print("No Chromium is installed: `make browser` says how.", file=sys.stderr)
        return 5
    with TemporaryDirectory(prefix="learnt-shop-") as folder, throwaway(Path(folder)) as home:
        known = live_in(home)
        with opened_dashboard(home) as page, browsing(program, Path(folder)) as browser:
            for name, path, theme, width in shots(into is not None):
                page.keys.new_token()
                with seen(browser, page, theme=theme) as window:
                    window.page.set_viewport_size({"width": width, "height": HEIGHT})
                    file = (into or IMAGES) / f"{name}.png"
                    shown = window.go(path.format(**known)).page
                    shown.screenshot(path=file, full_page=into is not None)
            if client := find_client():
                lines = session(Path(folder) / "session", client)
                draw(browser, lines, (into or IMAGES) / "session.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
