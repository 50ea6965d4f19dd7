"""Builds the documentation as a site in `build/site`, from `mkdocs.yml`; no network.

A link that leads nowhere, a page without a place and a host that a browser would ask are refused.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort

ROOT = Path(__file__).resolve().parent.parent
# Where a browser fetches what an attribute names, without a click. A link counts by its `rel`.
_FETCHED: Final = frozenset({"src", "srcset", "poster", "data", "background"})
_NOT_FETCHED: Final = frozenset({"canonical", "next", "prev", "alternate", "license", "author"})
_FOREIGN: Final = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
_IN_STYLES: Final = re.compile(
    r"""(?:@import\s*|url\()\s*["']?\s*((?:https?:)?//[^"')\s]+)""", re.IGNORECASE
)
_IN_DRAWINGS: Final = re.compile(r"""<(?!a\b)[^<>]*\bhref\s*=\s*["'](https?://[^"']+)""")
_PARAGRAPH: Final = re.compile(r"<p>((?:(?!</p>).)*)</p>", re.DOTALL)
_ROW: Final = re.compile(r"^(?:[-*] |1\. |\|).*", re.MULTILINE)


class _Fetches(HTMLParser):
    """Gathers what a page makes a browser fetch from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        told = [value for name, value in given.items() if name in _FETCHED]
        if tag == "link" and not _NOT_FETCHED & set(given.get("rel", "").split()):
            told.append(given.get("href", ""))
        self.found += [value for value in told if _FOREIGN.match(value)]


def fetched_from_elsewhere(name: str, text: str) -> list[str]:
    """The addresses on other hosts that a browser would ask on its own for a file of a site.

    >>> fetched_from_elsewhere("a.html", '<a href="https://a.org">a</a><img src="//b.org/b.png">')
    ['//b.org/b.png']
    >>> fetched_from_elsewhere("a.css", "@import url(https://fonts.example/a.css); a { b: url(c) }")
    ['https://fonts.example/a.css']
    """
    found = []
    if name.endswith(".html"):
        page = _Fetches()
        page.feed(text)
        found += page.found
    if name.endswith(".svg"):
        found += _IN_DRAWINGS.findall(text)
    if name.endswith((".html", ".css", ".svg")):
        found += _IN_STYLES.findall(text)
    return found


def run_in(page: str) -> list[str]:
    """The first words of lists and tables that a page shows as running text.

    Markdown wants a blank line before them here, where other readers of it do not.

    >>> run_in("<p>Two:\\n- one</p><p>one -\\n two</p>")
    ['- one']
    """
    return [row[:40] for text in _PARAGRAPH.findall(page) for row in _ROW.findall(text)]


def refusals(site: Path) -> Iterator[str]:
    """A line for each thing that is wrong with a built site."""
    for path in sorted(site.rglob("*")):
        if path.suffix in {".html", ".css", ".svg"}:
            name, text = path.relative_to(site).as_posix(), path.read_text("utf-8")
            for address in fetched_from_elsewhere(name, text):
                yield f"{name}: a browser would fetch {address}"
            for row in run_in(text):
                yield f"{name}: a list or table without a blank line before it: {row}"


def places(nav: Any, docs: Path) -> Any:
    """The order of pages, with each folder that it names replaced by the pages in it.

    >>> places([{"Here": ["a.md"]}], Path("docs"))
    [{'Here': ['a.md']}]
    """
    match nav:
        case list():
            return [places(part, docs) for part in nav]
        case dict():
            return {title: places(part, docs) for title, part in nav.items()}
        case str() if nav.endswith("/"):
            return [f"{nav}{path.name}" for path in sorted((docs / nav).glob("*.md"))]
    return nav


def configured(target: Path | None = None, root: Path = ROOT) -> MkDocsConfig:
    """The configuration as it is built; into another folder where one is given."""
    more = {"site_dir": str(target)} if target else {}
    config = load_config(str(root / "mkdocs.yml"), **more)
    config.nav = places(config.nav, Path(config.docs_dir))
    return config


def main() -> int:
    """Build it; 1 with the reasons where something is refused."""
    config = configured()
    try:
        build(config)
    except Abort as reason:
        print(reason, file=sys.stderr)
        return 1
    site = Path(config.site_dir)
    refused = list(refusals(site))
    print(*refused, sep="\n", end="\n" if refused else "")
    print(f"{site.relative_to(ROOT) / 'index.html'}: the first page")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
