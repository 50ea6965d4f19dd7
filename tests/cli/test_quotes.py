"""An agent saves a quote, over MCP and in its shell; the hooks tell which session it is of."""

import json

import pytest

from learnt.core.events import Kind
from tests.support.homes import Home
from tests.support.mcp_client import SESSION, served

SHARED = "credit notes share the number range with invoices"
PROMPT = f"the invoice pdf needs a new footer. {SHARED}. so print it on both"


def before_call(home: Home, tool: str, call: str, **given: str) -> None:
    """The hook before a call of the agent's."""
    named = {"tool_name": tool, "tool_use_id": call, "tool_input": given}
    home.fire("PreToolUse", home.payload("PreToolUse", SESSION, **named))


@pytest.fixture
def typed(home: Home) -> Home:
    """A home in whose session a person has typed a prompt."""
    home.start_worker()
    home.fire("SessionStart", home.payload("SessionStart", SESSION, source="startup"))
    home.prompt(PROMPT, SESSION)
    home.drained()
    return home


def test_a_quote_over_mcp_is_proved_by_the_calls_id(typed: Home) -> None:
    """A hook saw the call in the session; a call that no hook saw proves nothing."""
    before_call(typed, "mcp__learnt__remember", "toolu_1", quote=SHARED)
    with served(typed) as server:
        proved = server.called("toolu_1", "remember", quote=SHARED, kind="schema")
        unseen = server.called("toolu_2", "remember", quote="we always squash")
        unnamed = server("remember", quote="we never squash at night")
        bad = server.called("toolu_1", "remember", quote="we use tabs everywhere")
    assert (f"{SHARED}.", "validated", "schema") == (
        proved["text"], proved["stage"], proved["kind"],
    )  # fmt: skip
    assert ["candidate", "candidate"] == [each["stage"] for each in (unseen, unnamed)]
    assert all("learnt review" in each["said"] for each in (unseen, unnamed))
    assert bad.failed and "No prompt that was typed in this session" in bad.text
    (note,) = [
        entry
        for entry in typed.here("recall", "credit notes", "--json").json["entries"]
        if entry["stage"] == "validated"
    ]
    assert "VERIFY" == note["trust"] and "picked" in note["kept"]
    told = typed.prompt("and now the footer", SESSION)
    assert "The agent picked this out of your words" in told.notice


def test_a_quote_in_a_shell_is_proved_by_the_command(typed: Home) -> None:
    """A session that is only named by a variable proves nothing."""
    agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION}
    unseen = typed.cli("remember", "--quote", SHARED, "--json", environment=agent)
    assert ("candidate", 0) == (json.loads(unseen.output)["stage"], unseen.exit_code)
    before_call(typed, "Bash", "toolu_3", command=f'learnt remember --quote "{SHARED}"')
    seen = typed.cli("remember", "--quote", SHARED, environment=agent)
    assert "it counts as VERIFY until the user confirms it" in seen.output
    assert 2 == len(typed.events(Kind.REMEMBERED))


def test_a_person_who_quotes_themselves_just_remembers(home: Home) -> None:
    """On a terminal of their own."""
    said = home.here("remember", "--quote", "we always squash", typed="")
    assert 0 == said.exit_code and "Remembered" in said.output


def test_what_was_typed_is_forgotten_at_the_sessions_end(typed: Home) -> None:
    """And whenever what it holds is erased."""
    kept = typed.path / "prompts"
    (file,) = kept.glob("*.jsonl")
    assert 0o600 == file.stat().st_mode & 0o777
    typed.fire("SessionEnd", typed.payload("SessionEnd", SESSION, reason="other"))
    typed.drained()
    assert [] == list(kept.glob("*.jsonl"))


def test_status_says_that_an_agent_saved_as_much_as_it_may(home: Home) -> None:
    """The ninth is refused with the reason, and the person hears of it."""
    done = [home.here("remember", "--quote", f"server {n} has {n} cores") for n in range(9)]
    assert [0] * 8 + [1] == [min(each.exit_code, 1) for each in done]
    assert "saved 8 quotes, which is the limit" in done[-1].errors + done[-1].output
    assert "an agent saved as many of your sentences" in home.here("status").output
