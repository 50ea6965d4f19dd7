"""Review in a real browser: every way to decide, hostile texts, both themes, keys alone."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from learnt.bootstrap import opened
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.core.visible_text import spelled_out
from learnt.flows.recall.search import entry_of
from learnt.flows.skills.keep_in_step import revise
from learnt.formats.draft_md import ROUTES
from learnt.settings import Settings
from learnt.surfaces.skills_here import open_shelf
from tests.adversity.accepting import missed
from tests.cli.test_health_evaluate import TEXT, regressed
from tests.support.browser import NARROW, WIDE, Seen, Theme, seen
from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import Home
from tests.support.waiting import (
    HOSTILE,
    OTHER,
    SEVEN,
    SKILL,
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


CITED = "The gateway of staging listens on port 8443"
ORDERS = (
    "t_order.amount holds cents, t_invoice.amount whole euros",
    "t_order.state 7 means cancelled by the guest, 8 by the hotel",
    "t_order.created_at is local time of the hotel, not UTC",
)
NEW = "Stop the workers, then look.\n"
TOLD = "Restores the queue after a crash. Use when jobs hang in it."


def stale(home: Home) -> None:
    """A fact of a person's, and a file that it cites and that says something else since."""
    file = home.project / "gateway.py"
    file.write_text("PORT = 8443\n", "utf-8")
    home.here("knowledge", "capture", "--kind", "schema", CITED, "--cite", "gateway.py", typed="")
    file.write_text("PORT = 9000\n", "utf-8")


def as_it_stands(home: Home) -> None:
    """A person's words that say little."""
    home.here("remember", "be careful with it", typed="")


def rules(home: Home) -> None:
    """Two notes of a person's that read as standing rules."""
    for text in ("Always run make lint before you push", "We pin SQLAlchemy below 2.1"):
        home.here("knowledge", "capture", "--kind", "business_rule", text, typed="")


def edited(home: Home) -> None:
    """A skill that was accepted, and a line in its file that Learnt did not write."""
    home.accept(draft(home), "--project", str(home.project))
    with skill_file(home).open("a", encoding="utf-8") as file:
        file.write("\nA line of mine.\n")
    home.here("evolve", "analyze")


def revised(home: Home) -> None:
    """Another text of a skill that is there."""
    file = skill_file(home)
    file.parent.mkdir(parents=True)
    file.write_text(f"---\nname: {file.parent.name}\ndescription: {TOLD}\n---\n\nLook.\n", "utf-8")
    settings, given = Settings(home=home.path), SkillDraft(name=SKILL, description=TOLD, body=NEW)
    with opened(settings) as outside, open_shelf(outside, settings, str(home.project)) as on:
        revise(on, on.known.skills[SKILL], given)


def routed(home: Home) -> None:
    """Three prompts of one subject that found nothing."""
    missed(home, ("feature flag rollout?", "which feature flag?", "kill that feature flag"))
    home.here("evolve", "analyze")


def topics(home: Home) -> None:
    """Three facts of one subject."""
    for text in ORDERS:
        home.here("knowledge", "capture", "--kind", "schema", text, typed="")
    home.here("knowledge", "publish")


def of_project(home: Home, name: str) -> str:
    """What a file of the project says; empty where there is none."""
    file = home.project / name
    return file.read_text("utf-8") if file.exists() else ""


class Case(NamedTuple):
    """What waits, the button that decides it, and what is so then and was not before."""

    made: Callable[[Home], None]
    button: str
    so: Callable[[Home], bool]


TOPICS = [f".agents/knowledge/{name}.md" for name in ("_index", "schema_map")]
FILE = f".agents/skills/{SKILL}/SKILL.md"
CASES = {
    "stale": Case(stale, "It holds", lambda home: not waits(home, "stale")),
    "as-it-stands": Case(as_it_stands, "It holds", lambda home: not waits(home, "as-it-stands")),
    "rules": Case(rules, "Make them rules", lambda home: not waits(home, "rules")),
    "edit": Case(edited, "Count it as accepted", lambda home: not waits(home, "edit")),
    "skill": Case(revised, "Accept: write it", lambda home: NEW in of_project(home, FILE)),
    "route": Case(routed, "Accept: write it", lambda home: "flag" in of_project(home, ROUTES)),
    "topic": Case(
        topics, "Accept: write it", lambda home: any(map(partial(of_project, home), TOPICS))
    ),
}


def waits(home: Home, sort: str) -> bool:
    """Whether something of a sort waits."""
    return any(item["sort"] == sort for item in home.here("review", "--json").json["items"])


@pytest.mark.parametrize("sort", CASES)
def test_each_sort_is_decided_and_taken_back(chromium: Browser, home: Home, sort: str) -> None:
    """By the button of its page, after the phrase; then it waits again."""
    case = CASES[sort]
    case.made(home)
    with opened_dashboard(home) as page, seen(chromium, page) as window:
        window.go(f"/review?sort={sort}").page.locator("main ol a.title").first.click()
        window.give_phrase()
        assert not case.so(home)
        window.press(case.button)
        assert case.so(home), window.text
        window.go("/review")
        with window.page.expect_navigation():
            window.page.get_by_role("button", name="Undo").first.click()
        expect(window.page.locator("h1")).not_to_have_text("Review")
        assert waits(home, sort) and not case.so(home)


def test_what_is_skipped_waits(chromium: Browser, home: Home) -> None:
    """The next one is shown."""
    candidate(home)
    dispute(home)
    with opened_dashboard(home) as page, seen(chromium, page) as window:
        window.go(page.items()[0])
        window.give_phrase()
        first = window.page.url
        window.page.get_by_role("link", name="Skip to the next").click()
        expect(window.page).not_to_have_url(first)
    assert waits(home, "candidate") and waits(home, "dispute")


def test_the_newer_side_holds_and_a_side_is_edited(chromium: Browser, home: Home) -> None:
    """Taken back in between."""
    dispute(home)
    with opened_dashboard(home) as page, seen(chromium, page) as window:
        window.go(page.items()[0])
        window.give_phrase()
        window.press("The newer one holds")
        with window.page.expect_navigation():
            window.page.get_by_role("button", name="Undo").first.click()
        window.page.get_by_text("Edit the newer one").click()
        window.page.get_by_label("What it is to say").last.fill("Booking status 7 is for no-shows")
        window.page.get_by_role("button", name="Keep my text").last.click()
        expect(window.page.locator("h1")).to_have_text("Review")
    texts = [entry["text"] for entry in home.here("recall", "-k", "9", "--json").json["entries"]]
    assert "Booking status 7 is for no-shows" in texts


@pytest.mark.parametrize(
    ("button", "then", "left"),
    [
        ("Roll back", "rolled-back", "Look at it."),
        ("Keep the new text", "kept", "Look twice."),
        ("Investigate first", "pending_rollback_review", "Look twice."),
    ],
)
def test_a_regression_is_decided(
    chromium: Browser, home: Home, button: str, then: str, left: str
) -> None:
    """Rolled back the file has its text of before; nothing offers to undo what stays decided."""
    file = home.project / ".agents" / "skills" / "audit" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT.format(body="Look at it."), "utf-8")
    regressed(home)
    home.here("health", "evaluate")  # as the worker does when a session ends
    with opened_dashboard(home) as page, seen(chromium, page) as window:
        window.go(page.items()[0])
        assert "Look twice." in window.text
        window.give_phrase()
        window.press(button)
        expect(window.page.locator("h1")).to_have_text("Review")
        assert 0 == window.page.get_by_role("button", name="Undo").count()
    (shown,) = home.here("health", "evaluate", "--json").json["skills"]

    assert then == shown["status"]
    assert left in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("button", "stage"), [("Vouch for all of it", "validated"), ("Retire all of it", "retired")]
)
def test_an_import_is_decided_as_a_whole(
    chromium: Browser, home: Home, button: str, stage: str
) -> None:
    """And taken back as a whole: then it waits again."""
    facts = ["The cache lives in redis 7", "Invoices are numbered per year"]
    lines = "".join(json.dumps({"text": fact}) + "\n" for fact in facts)
    (home.project / "facts.jsonl").write_text(lines, "utf-8")
    home.here("import", "facts.jsonl", "--yes")
    names = [part["id"] for part in home.here("review", "--json").json["items"][0]["parts"]]

    def stages() -> list[str]:
        with opened(Settings(home=home.path)) as outside, outside.ledger.reading() as reader:
            found = [entry_of(reader, name) for name in names]
        return [str(entry.stage) for entry in found if entry]

    with opened_dashboard(home) as page, seen(chromium, page) as window:
        window.go(page.items()[0])
        window.give_phrase()
        window.press(button)
        assert [stage] * 2 == stages()
        assert "2 of 2 pieces are " in window.text and "Nothing waits for you." in window.text
        with window.page.expect_navigation():
            window.page.get_by_role("button", name="Undo").first.click()
        expect(window.page.locator("h1")).to_have_text("Import")

    assert ["candidate"] * 2 == stages()
