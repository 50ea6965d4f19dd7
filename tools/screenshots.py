"""Takes the pictures of the dashboard that the docs show: nine weeks of an invented shop.

    python -m tools.screenshots [--all DIR]

They go into `docs/images`; with --all those of every page, in both themes and two widths, into a
folder, to be looked at. Fonts differ between machines, so nothing compares them; `tests/web` looks
at the same pages.
"""

import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.browser import NARROW, WIDE, Theme, browsing, seen
from tests.support.dashboards import opened_dashboard
from tests.support.homes import throwaway
from tests.support.shop_weeks import SKILL, live_in

IMAGES: Final = Path(__file__).resolve().parent.parent / "docs" / "images"
HEIGHT: Final = 760  # what a first screen shows


PICTURES: Final[tuple[tuple[str, str, Theme], ...]] = (
    ("today", "/", "light"),
    ("entry", "/entry/{lock}", "light"),
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


def main() -> int:
    """Take them all; 5 where no Chromium is here."""
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
