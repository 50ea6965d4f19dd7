"""A domain, from its line in config.toml to what the commands and `doctor` say of it."""

import json
from pathlib import Path

import pytest

from learnt.errors import UsageError
from learnt.settings import load
from tests.support.homes import Home

PAYS = "arm-3 pays 0.60 a pull on average, and never more than its first quote"
OFFER = ("knowledge", "capture", "--kind", "payoff", "--entities", "arm-3", "--content", PAYS)


def enable(home: Home, *names: str) -> None:
    """Name domains in the home's settings."""
    home.path.mkdir(exist_ok=True)
    (home.path / "config.toml").write_text(f"[domains]\nenabled = {json.dumps(names)}\n", "utf-8")


def test_its_kind_is_captured_shown_and_kept_when_it_is_off(home: Home) -> None:
    """Refused before it is enabled, with the kinds that there are."""
    refused = home.here(*OFFER)
    assert (2, True) == (refused.exit_code, "payoff is no kind of entry: schema" in refused.errors)
    enable(home, "bandits")
    made = home.here(*OFFER)
    assert 0 == made.exit_code, made
    assert "payoff" in home.here("knowledge", "query", "arm-3").output
    enable(home)
    asked = home.here("knowledge", "query", "arm-3")
    assert "payoff" in asked.output


def test_doctor_tells_of_it_and_of_one_that_is_missing(home: Home) -> None:
    """And commands work all the same."""
    enable(home, "bandits", "nowhere")
    assert 0 == home.here(*OFFER).exit_code
    said = home.here("doctor").output
    assert "domain bandits" in said and "payoff" in said
    assert "domain nowhere" in said and "Install the package that brings it" in said


@pytest.mark.parametrize(
    "line", ["enabled = 1", 'enabled = "bandits"', "enabled = [1]", "enabled = ['']"]
)
def test_settings_that_name_no_domains_are_refused(tmp_path: Path, line: str) -> None:
    """Nothing is guessed."""
    (tmp_path / "config.toml").write_text(f"[domains]\n{line}\n", "utf-8")
    with pytest.raises(UsageError, match="enabled must be a list"):
        load({}, str(tmp_path))


def test_no_domain_is_enabled_by_itself(tmp_path: Path) -> None:
    """Though one is installed."""
    assert () == load({}, str(tmp_path)).domains
