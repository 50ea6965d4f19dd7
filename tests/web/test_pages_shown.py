"""What pages show: texts spelled out and escaped, lists in parts, files that are as they came."""

import hashlib
import html
import json
import re
from pathlib import Path

import pytest

from learnt.core.visible_text import hidden, spelled_out
from learnt.surfaces.web.pages import FOLDER
from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import Home
from tests.support.waiting import HOSTILE, candidate, many_drafts, remembered

_ATTACKS = Path(__file__).parents[1] / "data" / "attack_texts"


def _attacks(name: str) -> list[str]:
    rows = map(json.loads, (_ATTACKS / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [str(row["text"]) for row in rows]


@pytest.mark.parametrize(
    "texts",
    [HOSTILE, _attacks("dev_tern_hidden"), _attacks("dev_tern_commanding")],
    ids=["hostile", "hidden", "commanding"],
)
def test_whatever_a_text_holds_is_read_on_the_page(home: Home, texts: list[str]) -> None:
    """In the list and on its own page: nothing unseen is left, and no sign is markup."""
    texts = [text for text in texts if text.strip()][:50]  # as many as a part of the list has
    remembered(home, texts)
    with opened_dashboard(home) as page:
        page.enter()
        page.give_phrase()
        answers = [page.ask("/review"), *(page.ask(path) for path in page.items())]

    whole = " ".join("".join(each.text for each in answers).split())
    assert [] == hidden("".join(each.text for each in answers))
    for text in texts:
        told = " ".join(spelled_out(text).split())
        assert told[:200] in html.unescape(whole), text
    for sign in ("<script>window", "<img src=x", "<svg onload", "<iframe", "<style>", "<base"):
        assert sign not in whole


@pytest.mark.parametrize("count", [120, pytest.param(10_000, marks=pytest.mark.slow)])
def test_open_proposals_are_shown_in_parts(home: Home, count: int) -> None:
    """However many there are: fifty at a time, each with its page; the last part is the rest."""
    many_drafts(home, count)
    with opened_dashboard(home) as page:
        page.enter()
        first, last = page.ask("/review"), page.ask("/review?part=99999999")
        item = page.ask(page.items()[-1])

    assert f"Part 1 of {-(-count // 50)}, {count:,} in all" in first.text
    assert 50 == first.text.count('class="title"')
    assert f"Part {-(-count // 50)} of" in last.text
    assert 200 == item.code and f"50 of {count:,}" in item.text


def test_one_sort_is_listed_alone(home: Home) -> None:
    """What the address says that is no sort, and no number, is left out."""
    many_drafts(home, 60)
    candidate(home)
    with opened_dashboard(home) as page:
        page.enter()
        one = page.ask("/review?sort=candidate")
        parts = page.ask("/review?sort=draft&part=2")
        odd = page.ask("/review?sort=%3Cb%3E&part=-1&part=x&x=%ff")

    assert 1 == one.text.count('class="title"')
    assert 'href="?sort=draft&amp;part=1"' in parts.text
    assert (200, 50) == (odd.code, odd.text.count('class="title"'))


def test_what_is_not_ours_is_as_it_came() -> None:
    """Each file of others' has its version, its licence and its hash on record."""
    vendor = FOLDER / "static" / "vendor"
    told = (vendor / "README.md").read_text("utf-8")
    rows = re.findall(
        r"^\| (\S+) \| .* \| (\d+\.\d+\.\d+) \| .*`(\S+)` \| ([0-9a-f]{64}) \|$", told, re.M
    )
    licences = {licence for _, _, licence, _ in rows}

    assert {path.name for path in vendor.iterdir()} == {
        "README.md", *licences, *(name for name, *_ in rows)
    }  # fmt: skip
    for name, version, licence, digest in rows:
        assert digest == hashlib.sha256((vendor / name).read_bytes()).hexdigest()
        assert "MIT" in (vendor / licence).read_text("utf-8") and version in told


def test_pages_ask_no_other_machine_and_hold_no_code() -> None:
    """No address of elsewhere, no script, style or handler within a template."""
    for path in sorted((FOLDER / "templates").glob("*.html")):
        text = path.read_text("utf-8")
        assert not re.search(r"https?://|\sstyle=|\son\w+=|<style|javascript:|\|\s*safe", text), (
            path
        )
        assert all(" src=" in tag for tag in re.findall(r"<script[^>]*>", text)), path


def test_nothing_is_recorded_by_being_looked_at(home: Home) -> None:
    """What is in the spool stays there: a page takes nothing in."""
    candidate(home)
    with opened_dashboard(home) as page:
        page.enter()
        before = page.events()
        _walk(page)
        assert before == page.events()


def _walk(page: OpenDashboard) -> None:
    seen, ahead = set[str](), ["/"]
    while ahead:
        path = ahead.pop()
        seen.add(path)
        found = re.findall(r'href="(/[^"]*)"', page.ask(html.unescape(path)).text)
        ahead += [each for each in found if each not in seen and each not in ahead]
