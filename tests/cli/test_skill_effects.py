"""`health effect` tells the effect of a skill's newer text, and names what it could not measure."""

from pathlib import Path

from learnt.core.identifiers import ProjectId
from learnt.ports import Outside
from tests.cli.test_skill_trials import begins, ends, file, outside, played, project, tried
from tests.support.homes import Home

__all__ = ["file", "outside", "project"]  # fixtures


def test_a_promoted_skill_has_an_effect_by_its_uses(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """With an interval that holds however often one looks, and what the text changed."""
    tried(home, file)
    _, sessions = played(outside, project, file, new_wins=True)

    (skill,) = home.here("health", "effect", "--json").json["skills"]
    known = skill["effect"]
    assert ("locks", "promoted", "better") == (skill["skill"], skill["verdict"], known["ruling"])
    assert 8 < known["units"] <= sessions + 1
    assert -0.5 < known["low"] <= 0.9 < known["estimate"] <= known["high"] == 1
    said = home.here("health", "effect").output
    assert f"{known['units']} uses" in said and "(skill, promoted)" in said


def test_a_use_after_its_trial_changes_no_effect(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Whichever text the coin drew last, what is read from then on is the one that won."""
    tried(home, file)
    played(outside, project, file, new_wins=True)
    known = home.here("health", "effect", "--json").json["skills"]
    for number, success in enumerate((False, True, False)):
        begins(outside, project, f"later{number}")
        ends(outside, f"later{number}", success=success)

    assert known == home.here("health", "effect", "--json").json["skills"]


def test_what_could_not_be_measured_is_named_with_the_reason(home: Home, file: Path) -> None:
    """Notes while effects are off, and a skill that no trial compared."""
    home.here("remember", "The staging gateway listens on port 8443", typed="")
    assert 0 == home.here("health", "effect").exit_code
    told = home.here("health", "effect", "--json").json["unmeasured"]
    assert {"share": 0.0, "warning": 0, "waiting": 1} == {
        k: told[k] for k in told if k != "untried"
    }
    assert "since effects are off" in home.here("health", "effect").output
