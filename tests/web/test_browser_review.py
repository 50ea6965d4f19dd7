"""Review in a real browser: every way to decide, hostile texts, both themes, keys alone."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from learnt.core.visible_text import spelled_out
from tests.support.browser import NARROW, WIDE, Seen, Theme, seen
from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import Home
from tests.support.waiting import (
    HOSTILE,
    OTHER,
    SEVEN,
    candidate,
    dispute,
    draft,
    remembered,
    skill_file,
)


@pytest.fixture
def page(home: Home) -> Iterator[OpenDashboard]:
    """A dashboard that nobody opened yet."""
    with opened_dashboard(home) as dashboard:
        yield dashboard


def undo(window: Seen) -> None:
    """Take back what was decided last."""
    with window.page.expect_navigation():
        window.page.get_by_role("button", name="Undo").first.click()


def test_a_draft_is_edited_accepted_and_taken_back(chromium: Browser, page: OpenDashboard) -> None:
    """By the buttons of its page, after the phrase; the terminal tells each step."""
    draft(page.home)
    with seen(chromium, page) as window:
        window.go("/review").page.get_by_role("link", name="restore-the-queue").click()
        window.give_phrase()
        window.page.get_by_text("Edit", exact=True).click()
        field = window.page.get_by_label("What it is to say")
        field.fill(field.input_value().replace("Stop the workers", "Halt every worker"))
        window.press("Keep my draft")
        window.go(page.items()[0])
        assert "+1. Halt every worker." in window.text
        window.press("Accept: write it")
        assert "Halt every worker" in skill_file(page.home).read_text("utf-8")
        assert "Nothing waits for you." in window.text
        undo(window)
        expect(window.page.locator("main")).to_contain_text("What would change")

    assert not skill_file(page.home).exists()
    assert 4 == len(page.told)


def test_a_draft_is_rejected_with_a_note(chromium: Browser, page: OpenDashboard) -> None:
    """It is gone from the queue, and its note is kept."""
    name = draft(page.home)
    with seen(chromium, page) as window:
        window.go(page.items()[0])
        window.give_phrase()
        window.page.get_by_text("Reject", exact=True).first.click()
        window.page.get_by_label("Why, if you like").fill("We have one")
        window.press("Reject")
        assert f"{name} is rejected" in window.text
    [shown] = page.home.here("evolve", "show", name, "--json").json["proposals"]
    assert ("rejected", "We have one") == (shown["status"], shown["note"])


def test_disputes_and_candidates_are_decided(chromium: Browser, page: OpenDashboard) -> None:
    """A side that holds, then back, both, back, one of both; a candidate is vouched for."""
    dispute(page.home)
    name = candidate(page.home)
    with seen(chromium, page) as window:
        window.go("/review").page.get_by_role("link", name="Booking status 7").click()
        window.give_phrase()
        for button in ("The older one holds", "Both hold"):
            window.press(button)
            undo(window)
            expect(window.page.locator("h1")).to_have_text("Dispute")
        window.page.get_by_text("Merge", exact=True).click()
        window.page.get_by_label("The newer one's").check()
        window.press("Make them one")
        expect(window.page.locator("h1")).to_have_text("Candidate")
        window.press("Vouch for it")
        assert f"{name} is validated" in window.text
    kept = page.home.here("recall", "-k", "9", "--json").json["entries"]

    assert {"validated"} == {each["stage"] for each in kept}
    assert OTHER in json.dumps(kept) and SEVEN not in json.dumps(kept)


def test_a_candidate_is_edited_and_another_one_retired(
    chromium: Browser, page: OpenDashboard
) -> None:
    """The text of the field is what is kept."""
    candidate(page.home)
    with seen(chromium, page) as window:
        window.go(page.items()[0])
        window.give_phrase()
        window.page.get_by_text("Edit", exact=True).click()
        window.page.get_by_label("What it is to say").fill("Room numbers repeat across hotels")
        window.press("Keep my text")
        candidate(page.home, "db7 listens on 6432, not 5432: a pool")
        window.go("/review").page.get_by_role("link", name="db7 listens").click()
        window.press("Retire it")
        assert "is retired" in window.text
    [kept] = page.home.here("recall", "-k", "9", "--json").json["entries"]

    assert ("Room numbers repeat across hotels", "validated") == (kept["text"], kept["stage"])


def test_hostile_texts_are_shown_spelled_out(chromium: Browser, page: OpenDashboard) -> None:
    """Twenty of them: each is to be read as it is, runs nothing, and changes nothing around it."""
    remembered(page.home, HOSTILE)
    with seen(chromium, page) as window:
        window.go("/review")
        rows = [row.inner_text() for row in window.page.locator("a.title").all()]
        assert sorted(map(_plain, HOSTILE)) == sorted(map(_plain, rows))
        paths = [row.get_attribute("href") for row in window.page.locator("a.title").all()]
        for path in paths:
            window.go(str(path))
            if window.page.get_by_label("Phrase").count():
                window.give_phrase()
            shown = _plain(window.page.locator("main p.text").inner_text())
            field = window.page.get_by_label("What it is to say").input_value()
            assert shown in map(_plain, HOSTILE) and shown == _plain(field)
            assert 1 == window.page.locator("h1:visible").count()
            strange = "main :is(script, img, svg, iframe, style, base, [onload], [onerror])"
            assert 0 == window.page.locator(strange).count()
        assert window.page.evaluate("() => window.hacked === undefined")


def _plain(text: str) -> str:
    return " ".join(spelled_out(text).split())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_the_review(chromium: Browser, page: OpenDashboard, theme: Theme) -> None:
    """axe-core finds nothing, and nothing reaches out of a narrow or a wide window."""
    dispute(page.home)
    draft(page.home)
    candidate(page.home)
    for width in (NARROW, WIDE):
        with seen(chromium, page, width=width, theme=theme) as window:
            window.go("/review")
            paths = [row.get_attribute("href") for row in window.page.locator("a.title").all()]
            found = [*window.violations(), *window.too_wide()]
            for path in paths:
                window.go(str(path))
                found += window.violations()
                if window.page.get_by_label("Phrase").count():
                    window.give_phrase()
                window.page.evaluate(
                    "() => document.querySelectorAll('details').forEach(each => each.open = true)"
                )
                found += [*window.violations(), *window.too_wide()]

            assert [] == found


def test_a_draft_is_accepted_by_keys_alone(chromium: Browser, page: OpenDashboard) -> None:
    """Past the navigation by the link to the content; where the keys are is seen."""
    draft(page.home)
    path = page.items()[0]
    with seen(chromium, page) as window:
        window.go(path)
        keys = window.page.keyboard
        keys.press("Tab")
        expect(window.page.get_by_text("Skip to the content")).to_be_focused()
        keys.press("Enter")
        _tab_to(window, "Phrase")
        keys.type(page.keys.phrase)
        with window.page.expect_navigation():
            keys.press("Enter")
        _tab_to(window, "Accept: write it")
        keys.press("Enter")
        expect(window.page.locator("h1")).to_have_text("Review")

    assert skill_file(page.home).exists()


def _tab_to(window: Seen, name: str) -> None:
    """Tab on until what is so called has the keys, and shows that."""
    told = """() => {
      const at = document.activeElement;
      return [at.labels?.[0]?.textContent ?? at.textContent, getComputedStyle(at).outlineStyle];
    }"""
    for _ in range(40):
        window.page.keyboard.press("Tab")
        text, outline = window.page.evaluate(told)
        if text.strip() == name:
            assert "none" != outline
            return
    raise AssertionError(f"{name} is not reached by Tab")


def test_the_theme_is_switched_and_stays(chromium: Browser, page: OpenDashboard) -> None:
    """From the system's to light and dark; the next page has it from the start."""
    with seen(chromium, page, theme="dark") as window:
        ground = "() => getComputedStyle(document.documentElement).backgroundColor"
        dark = window.page.evaluate(ground)
        window.page.get_by_role("button", name="Theme").click()
        light = window.page.evaluate(ground)
        assert dark != light
        window.go("/review")
        assert light == window.page.evaluate(ground)


def test_what_is_new_comes_by_itself(chromium: Browser, page: OpenDashboard) -> None:
    """The list that is open gets it; a form that is open is left alone, and told of."""
    name = draft(page.home)
    with seen(chromium, page) as window:
        window.go("/review")
        candidate(page.home)
        expect(window.page.locator("a.title")).to_have_count(2)
        window.page.get_by_role("link", name="restore-the-queue").click()
        window.give_phrase()
        candidate(page.home, "db7 listens on 6432, not 5432: a pool")
        expect(window.page.get_by_text("Something new was recorded")).to_be_visible()
        assert name in window.page.url
