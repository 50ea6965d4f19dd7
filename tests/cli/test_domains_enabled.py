"""A domain, from its line in config.toml to what the commands and `doctor` say of it."""

import json
from pathlib import Path

import pytest

from learnt.errors import UsageError
from learnt.settings import load
from tests.support.homes import Home
from tests.support.mcp_client import served_here
from tests.support.transcripts import session_lines

PAYS = "arm-3 pays 0.60 a pull on average, and never more than its first quote"
OFFER = ("knowledge", "capture", "--kind", "payoff", "--entities", "arm-3", "--content", PAYS)
TINY = Path(__file__).parents[1] / "data" / "tiny_domain"


def enable(home: Home, *names: str) -> None:
    """Name domains in the home's settings."""
    home.path.mkdir(exist_ok=True)
    (home.path / "config.toml").write_text(f"[domains]\nenabled = {json.dumps(names)}\n", "utf-8")


def test_its_kind_is_captured_shown_and_kept_when_it_is_off(home: Home) -> None:
    """Refused before it is enabled, with the kinds that there are."""
    refused = home.here(*OFFER)
    said = "'payoff' is none that is known here: schema"
    assert (2, True) == (refused.exit_code, said in refused.errors)
    enable(home, "slots")
    made = home.here(*OFFER)
    assert 0 == made.exit_code, made
    assert "payoff" in home.here("knowledge", "query", "arm-3").output
    enable(home)
    asked = home.here("knowledge", "query", "arm-3")
    assert "payoff" in asked.output


def test_doctor_tells_of_it_and_of_one_that_is_missing(home: Home) -> None:
    """And commands work all the same."""
    enable(home, "slots", "nowhere")
    assert 0 == home.here(*OFFER).exit_code
    said = home.here("doctor").output
    assert "domain slots" in said and "payoff" in said
    assert "domain nowhere" in said and "Install the package that brings it" in said


@pytest.mark.slow  # the next one shows the most of it
def test_an_agent_may_propose_its_kind(home: Home) -> None:
    """Over MCP; a kind that nobody knows, or that no fact has, is refused."""
    enable(home, "slots")
    with served_here(home) as server:
        told = server("propose", text=PAYS, kind="payoff", entities=["arm-3"])
        assert "admit" == told["verdict"], told.text
        for kind in ("gossip", "solution", ""):
            told = server("propose", text=f"{PAYS} {kind}", kind=kind)
            assert (told.failed, "kind" in told.text) == (True, True)


def test_a_server_of_tools_follows_the_settings(home: Home) -> None:
    """Without being started again; while they cannot be read what was so before holds."""
    home.remember()
    with served_here(home) as server:

        def verdict(text: str) -> object:
            told = server("propose", text=text, kind="payoff", entities=["arm-3"])
            return "refused" if told.failed else told["verdict"]

        assert "refused" == verdict(PAYS)
        enable(home, "slots")
        assert "admit" == verdict(PAYS)
        (home.path / "config.toml").write_text("[domains", "utf-8")
        assert "merge" == verdict(PAYS)
        enable(home)
        assert "refused" == verdict(PAYS)


def test_a_harvest_shows_what_a_domain_read(home: Home) -> None:
    """That a call held what an entry says, by the id of both."""
    enable(home, "slots")
    entry = json.loads(home.here(*OFFER, "--json").output)["id"]
    tool, given = "mcp__slots__pull", {"arm": "arm-3"}
    step = {"tool": tool, "input": given, "result": "200 pulls, mean 0.6", "failed": False}
    turn = {"prompt": "pull arm-3", "steps": [step]}
    folder, path = str(home.project), home.project / "s1.jsonl"
    lines = session_lines([turn], "s1", folder=folder)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    call = {"tool_name": tool, "tool_use_id": "s1-0-0", "tool_input": given,
            "tool_response": "200 pulls, mean 0.6"}  # fmt: skip
    more = {"transcript_path": str(path), "cwd": folder}
    home.fire("PostToolBatch", {**home.payload("PostToolBatch", "s1", tool_calls=[call]), **more})
    home.fire("SessionEnd", {**home.payload("SessionEnd", "s1", reason="other"), **more})
    found = home.here("knowledge", "harvest", "--session", "s1", "--json")
    told = json.loads(found.output)
    (session,) = told.get("sessions", [told])
    assert [{"entry": entry, "held": True, "evidence": "s1-0-0"}] == session["used"], found


@pytest.mark.parametrize(
    "line", ["enabled = 1", 'enabled = "slots"', "enabled = [1]", "enabled = ['']"]
)
def test_settings_that_name_no_domains_are_refused(tmp_path: Path, line: str) -> None:
    """Nothing is guessed."""
    (tmp_path / "config.toml").write_text(f"[domains]\n{line}\n", "utf-8")
    with pytest.raises(UsageError, match="enabled must be a list"):
        load({}, str(tmp_path))


def test_no_domain_is_enabled_by_itself(tmp_path: Path) -> None:
    """Though one is installed."""
    assert () == load({}, str(tmp_path)).domains


def test_its_command_is_there_once_it_is_enabled(home: Home) -> None:
    """In the list too; with settings that cannot be read Learnt's own are there all the same."""
    unknown = home.here("arms", "arm-1")
    assert (2, True) == (unknown.exit_code, "No such command" in unknown.errors)
    enable(home, "slots")
    assert "arms  " in home.here("--help").output
    said = home.here("arms", "arm-2", "arm-1")
    assert (0, "arm-1 arm-2\n") == (said.exit_code, said.output)
    (home.path / "config.toml").write_text("[domains", "utf-8")
    said = home.here("--help")
    assert (0, True, False) == (said.exit_code, "db  " in said.output, "arms  " in said.output)
