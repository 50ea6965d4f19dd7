"""The skills of Learnt's own domains: there where their domain is enabled, and nowhere else."""

from pathlib import Path

import learnt
from learnt.surfaces.api.skills import SkillRegistry
from learnt.surfaces.web.dashboard import PAGES
from tests.cli.test_domains_enabled import enable
from tests.cli.test_skills_install import put
from tests.support.dashboards import opened_dashboard
from tests.support.homes import Home

SEEDS = sorted(
    file.parent.name
    for file in (Path(learnt.__file__).parent / "domains").glob("*/skills/*/SKILL.md")
)
ASKED = "bound the regret of UCB1 for a stochastic bandit, and say which database table means what"
SAYING = (
    ("skills", "list"),
    ("skills", "list", "--json"),
    ("skills", "search", ASKED),
    ("skills", "inject", "--task", ASKED),
    ("skills", "stats"),
    ("skills", "validate"),
    ("status",),
    ("status", "--json"),
    ("doctor",),
    ("recall", ASKED),
    ("health", "status"),
)


def everything_said(home: Home) -> str:
    """What commands and pages say after a prompt that the skills of both domains would fit."""
    home.told(ASKED)
    source = put(home.folder / "elsewhere" / "forms", f"First {ASKED}.")
    installing = home.here("skills", "install", str(source))
    said = [home.here(*words) for words in SAYING]
    with opened_dashboard(home) as page:
        page.enter()
        pages = [page.ask(each.path).text for each in PAGES if "{" not in each.path]
    texts = [each.output + each.errors for each in (installing, *said)]
    return "\n".join([*texts, *pages, home.told(ASKED, "s2")])


def test_of_a_domain_that_is_not_enabled_no_skill_is_named(home: Home) -> None:
    """By no list, page, report or prompt, and to no program; enabled, all of them are there."""
    home.install()
    before = everything_said(home)
    with SkillRegistry(home=home.path) as registry:
        held = [name for name in SEEDS if registry.get(name)]
    shown = [home.here("skills", "show", name).exit_code for name in SEEDS]

    assert (len(SEEDS), [name for name in SEEDS if name in before], held) == (5, [], [])
    assert set(shown) == {3}
    enable(home, "bandits", "database")
    listed = home.here("skills", "list").output
    assert [name for name in SEEDS if name not in listed] == []


def test_of_one_that_is_enabled_the_other_domains_skills_stay_away(home: Home) -> None:
    """Each domain brings its own."""
    enable(home, "database")
    listed = home.here("skills", "list").output

    assert [name for name in SEEDS if name in listed] == ["db-investigator"]
