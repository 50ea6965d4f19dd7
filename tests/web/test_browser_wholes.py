"""In a real browser: a skill whose new text did no better, and an import that waits as one."""

import json

import pytest
from playwright.sync_api import Browser, expect

from learnt.bootstrap import opened
from learnt.flows.recall.search import entry_of
from learnt.settings import Settings
from tests.cli.test_health_evaluate import TEXT, regressed
from tests.support.browser import seen
from tests.support.dashboards import opened_dashboard
from tests.support.homes import Home


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
