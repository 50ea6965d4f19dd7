"""The documentation as a site: every page has a place, every link leads somewhere, all is local."""

import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs", reason="mkdocs is not installed: make set-up")
pytest.importorskip("material", reason="mkdocs-material is not installed: make set-up")

from mkdocs.commands.build import build
from mkdocs.exceptions import Abort

from tests.support.cases import first
from tools.site import ROOT, configured, fetched_from_elsewhere, refusals, run_in

DOCS = ROOT / "docs"
CONFIG = (ROOT / "mkdocs.yml").read_text("utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It, built once."""
    target = tmp_path_factory.mktemp("site")
    build(configured(target))
    return target


def pages(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [page for part in parts for page in pages(part)]


def small(folder: Path, page: str) -> Path:
    """A folder with the project's own configuration, and one page of its own."""
    (folder / "docs" / "design").mkdir(parents=True)
    for name in pages(configured().nav):
        (folder / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text("# Page\n", "utf-8")
    (folder / "docs" / "index.md").write_text(page, "utf-8")
    own = CONFIG.replace("tools/site_theme", str(ROOT / "tools" / "site_theme"))
    (folder / "mkdocs.yml").write_text(own, "utf-8")
    return folder


def test_every_page_has_its_place() -> None:
    """Once, in one of four parts, which are in the order in which one learns."""
    nav = configured().nav
    assert nav is not None
    placed = pages(nav)

    assert sorted(placed) == sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md"))
    parts = [title for part in nav if isinstance(part, dict) for title in part]
    assert ["Tutorial", "How-to", "Reference", "Explanation"] == parts


def test_it_is_built_and_nothing_in_it_is_refused(site: Path) -> None:
    """Strictly: a warning would have ended it."""
    assert (site / "index.html").exists() and (site / "images" / "demo.svg").exists()
    assert [] == list(refusals(site))


def test_its_scripts_and_styles_lie_beside_it(site: Path) -> None:
    """A page opened as a file searches by one script more, which is there with its licence."""
    page = (site / "design" / "014-site.html").read_text("utf-8")
    assert 'src="../assets/javascripts/iframe-worker.js"' in page
    licence = site / "assets" / "javascripts" / "iframe-worker.LICENSE.txt"
    assert "Permission is hereby granted" in licence.read_text("utf-8")


@pytest.mark.parametrize(
    "page",
    first(
        1,
        [
            "[no such heading](why.md#none)",
            "[gone](gone.md)",
            "[elsewhere](/cli.md)",
            "![x](images/x.svg)",
        ],
    ),
)
def test_a_link_that_leads_nowhere_stops_the_build(page: str, tmp_path: Path) -> None:
    """To a heading, a page, the root of a disk, a picture."""
    with pytest.raises(Abort):
        build(configured(tmp_path / "site", small(tmp_path / "source", f"# Page\n\n{page}\n")))


def test_a_page_without_a_place_stops_the_build(tmp_path: Path) -> None:
    """Nobody would find it."""
    source = small(tmp_path / "source", "# Page\n")
    (source / "docs" / "lost.md").write_text("# Lost\n", "utf-8")
    with pytest.raises(Abort):
        build(configured(tmp_path / "site", source))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script src="https://cdn.example/a.js"></script>'),
        ("a.html", '<img srcset="//cdn.example/a.png 2x">'),
        ("a.html", '<link rel="stylesheet" href="https://fonts.example/css">'),
        ("a.html", '<link rel="preconnect" href="https://fonts.example">'),
        ("a.html", "<style>a { b: url('https://cdn.example/a.png') }</style>"),
        ("a.css", '@import "https://fonts.example/css";'),
        ("a.svg", '<svg><image href="https://cdn.example/a.png"/></svg>'),
    ],
)
def test_what_a_browser_would_fetch_from_elsewhere_is_found(name: str, text: str) -> None:
    """In pages, styles and drawings."""
    assert 1 == len(fetched_from_elsewhere(name, text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<a href="https://example.org">a link is followed by a click</a>'),
        ("a.html", '<link rel="canonical" href="https://example.org/a">'),
        ("a.html", '<script src="../a.js"></script><img src="data:image/png;base64,AA">'),
        ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><a href="https://example.org"/></svg>'),
    ],
)
def test_what_it_does_not_fetch_is_let_be(name: str, text: str) -> None:
    """Links, names of languages, what lies beside it."""
    assert [] == fetched_from_elsewhere(name, text)


def test_a_list_that_would_be_shown_as_running_text_is_found() -> None:
    """Readers of Markdown differ in whether it needs a blank line."""
    assert ["- one", "- two"] == run_in("<p>These:\n- one\n- two</p>")
    assert [] == run_in("<p>from 3\nto 4 - or 5</p><ul><li>one</li></ul>")


@pytest.mark.slow
def test_a_browser_asks_no_other_host_and_finds_by_words(site: Path) -> None:
    """Opened as files, without a server; in dark and light."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium: apt-get install chromium")
    asked: set[str] = set()
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_context(color_scheme=scheme).new_page()
            page.on("request", lambda request: asked.add(request.url))
            for name in ("index", "demo", "cli", "design/014-site"):
                page.goto((site / f"{name}.html").as_uri())
                page.wait_for_load_state("networkidle")
            page.locator("[data-md-component=search-query]").fill("purge")
            page.wait_for_selector(".md-search-result__item", timeout=20_000)
        browser.close()

    assert asked and [] == [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
