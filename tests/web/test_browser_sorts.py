"""In the real browser: what is rarer in the queue is decided, and taken back, as the rest is."""

import json
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from learnt.bootstrap import opened
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.flows.recall.search import entry_of
from learnt.flows.skills.keep_in_step import revise
from learnt.formats.draft_md import ROUTES
from learnt.settings import Settings
from learnt.surfaces.skills_here import open_shelf
from tests.adversity.accepting import missed
from tests.cli.test_health_evaluate import TEXT, regressed
from tests.support.browser import seen
from tests.support.dashboards import opened_dashboard
from tests.support.homes import Home
from tests.support.waiting import SKILL, candidate, dispute, draft, skill_file

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
