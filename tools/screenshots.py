"""Takes the pictures that the docs show: a session's screen, and nine weeks of an invented shop.

    python -m tools.screenshots

They go into `docs/images`. Fonts differ between machines, so nothing compares them; `tests/web`
looks at every page of the dashboard, and `tests/real` at such a session.
"""

import shutil
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser

from tests.support.beside_client import Learnt
from tests.support.browser import Theme, browsing, seen
from tests.support.claude_code import ClaudeCode, find_client
from tests.support.dashboards import opened_dashboard
from tests.support.homes import throwaway
from tests.support.model_server import call, say
from tests.support.shop_weeks import live_in

IMAGES: Final = Path(__file__).resolve().parent.parent / "docs" / "images"
WIDE, HEIGHT = 1120, 760  # what a first screen shows


PICTURES: Final[tuple[tuple[str, str, Theme], ...]] = (
    ("today", "/", "light"),
    ("decay", "/decay", "dark"),
)
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
    program = shutil.which("chromium")
    if program is None:
        print("No Chromium is installed: `make browser` says how.", file=sys.stderr)
        return 5
    with TemporaryDirectory(prefix="learnt-shop-") as folder, throwaway(Path(folder)) as home:
        live_in(home)
        with opened_dashboard(home) as page, browsing(program, Path(folder)) as browser:
            for name, path, theme in PICTURES:
                page.keys.new_token()
                with seen(browser, page, theme=theme) as window:
                    window.page.set_viewport_size({"width": WIDE, "height": HEIGHT})
                    window.go(path).page.screenshot(path=IMAGES / f"{name}-{theme}.png")
            if client := find_client():
                lines = session(Path(folder) / "session", client)
                draw(browser, lines, IMAGES / "session.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
