"""A person is asked once where routes go; a rule that keeps bearing on prompts is offered."""

import pytest

from tests.adversity.accepting import missed
from tests.flows.test_contents_at_a_start import LINT
from tests.support.homes import Home

MISSES = ("feature flag rollout?", "which feature flag?", "kill that feature flag")


def proposed(home: Home) -> str:
    """The one proposal that is new."""
    (name,) = home.here("evolve", "analyze", "--json").json["new"]
    return str(name)


def test_a_route_goes_into_the_file_that_its_person_named_once(home: Home) -> None:
    """Asked at the first; with the seed's table and samples; undone to the byte."""
    missed(home, MISSES)
    name, file = proposed(home), home.project / "docs" / "routing.md"
    code, said = home.typed("evolve", "accept", name, answers=["CLAUDE.md", "docs/routing.md", "y"])

    assert (0, True) == (code, "no agent reads by itself" in said), said
    text = file.read_text("utf-8")
    assert "### TODO-agent — covers prompts about feature, flag" in text
    assert "| Signal | Real human phrasing |\n|---|---|\n| repeated unrouted prompt" in text
    assert [True] * 3 == [f'- "{miss}"' in text for miss in MISSES]
    assert 'file = "docs/routing.md"' in (home.path / "config.toml").read_text("utf-8")
    assert 0 == home.typed("evolve", "undo", name)[0] and not file.exists()
    assert 0 == home.typed("evolve", "accept", name, answers=["y"])[0] and file.exists()
    assert not (home.project / "CLAUDE.md").exists()


def test_review_asks_for_the_file_of_routes_before_it_writes(home: Home) -> None:
    """And shows it again, since that is another file than was shown."""
    missed(home, MISSES)
    proposed(home)
    code, said = home.typed("review", answers=["a", "docs/routing.md", "y", "q"])

    assert 0 == code, said
    assert (home.project / "docs" / "routing.md").exists()


@pytest.mark.parametrize("file", ["AGENTS.md", ".claude/CLAUDE.md", "../x.md", "/x.md", "routes"])
def test_what_agents_read_holds_no_route(home: Home, file: str) -> None:
    """Nor does a file outside the project, or one that is no Markdown."""
    assert 2 == home.typed("config", "routes.file", file)[0]


@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md"])
def test_a_rule_that_keeps_bearing_on_prompts_is_offered_to_the_agents_file(
    home: Home, name: str
) -> None:
    """Between marks, in the person's own words; no skill is made of it."""
    file = home.project / name
    file.write_text("# Mine\n", "utf-8")
    assert 0 == home.typed("remember", LINT)[0]
    for session in ("s1", "s2", "s3"):
        home.told("please run make lint before the push to main", session)
    rule = proposed(home)

    assert "rule" == home.here("evolve", "list", "--json").json["proposals"][0]["kind"]
    assert 0 == home.accept(rule)[0]
    text = file.read_text("utf-8")
    assert text.startswith("# Mine\n\n<!-- learnt: ") and text.endswith("<!-- /learnt -->\n")
    assert f"\n{LINT}\n" in text
    assert 0 == home.typed("evolve", "undo", rule)[0]
    assert "# Mine\n" == file.read_text("utf-8")
