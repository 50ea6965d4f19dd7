"""Takes the pictures of the dashboard that the docs show: nine weeks of an invented shop.

    python -m tools.screenshots

They go into `docs/images`. Fonts differ between machines, so nothing compares them; `tests/web`
looks at the same pages.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.browser import Theme, browsing, seen
from tests.support.dashboards import opened_dashboard
from tests.support.homes import throwaway
from tests.support.shop_weeks import live_in

IMAGES: Final = Path(__file__).resolve().parent.parent / "docs" / "images"
HEIGHT: Final = 760  # what a first screen shows


def main() -> int:
    """Take them all; 5 where no Chromium is here."""
    program = shutil.which("chromium")
    if program is None:
        print("No Chromium is installed: `make browser` says how.", file=sys.stderr)
        return 5
    with TemporaryDirectory(prefix="learnt-shop-") as folder, throwaway(Path(folder)) as home:
        known = live_in(home)
        shots: tuple[tuple[str, str, Theme], ...] = (
            ("today", "/", "light"),
            ("entry", f"/entry/{known['lock']}", "light"),
            ("decay", "/decay", "dark"),
        )
        with opened_dashboard(home) as page, browsing(program, Path(folder)) as browser:
            for name, path, theme in shots:
                page.keys.new_token()
                with seen(browser, page, theme=theme) as window:
                    window.page.set_viewport_size({"width": 1120, "height": HEIGHT})
                    window.go(path).page.screenshot(path=IMAGES / f"{name}-{theme}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
