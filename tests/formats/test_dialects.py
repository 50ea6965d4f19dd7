"""One contract for every agent: what its hooks report, its settings, and its transcript.

`tests/data/agents` has what each client sent; Cursor's is by its documents. In each the same
happened: somebody asked why the build fails, a skill was launched, a command failed with 3, and a
file was edited.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.records import member, text_of
from learnt.core.sessions.turns import ToldCall, Turn
from learnt.flows.sessions.answer import command_of
from learnt.formats.agents import hook_settings
from learnt.formats.agents.dialects import (
    ACT,
    BY_NAME,
    CODEX,
    CURSOR,
    DIALECTS,
    PROMPT,
    STARTS,
    STEP,
    Answer,
    Dialect,
    dialect_of,
    reported_call,
)
from learnt.formats.agents.hook_settings import command, edited, restored
from learnt.formats.agents.reports import common
from learnt.formats.agents.settings_text import BadSettings
from learnt.formats.agents.transcripts import readable, records, results, spoken, turns
from learnt.formats.evidence.calls import of_call
from learnt.formats.observations import parse, pointers
from learnt.formats.wire import Frame

DATA = Path(__file__).parents[1] / "data" / "agents"
ASKED = "Why does the build fail?"
every = pytest.mark.parametrize("agent", DIALECTS, ids=[agent.id for agent in DIALECTS])
with_transcript = pytest.mark.parametrize(
    "agent", [agent for agent in DIALECTS if agent.sees.sessions == "yes"], ids=lambda a: a.id
)


def sent(agent: Dialect) -> dict[str, dict[str, Any]]:
    """What the client sent, by what happened."""
    value: dict[str, dict[str, Any]] = json.loads((DATA / f"{agent.id}.json").read_text("utf-8"))
    return value


def lines(agent: Dialect) -> list[bytes]:
    """The lines of the client's transcript."""
    return (DATA / f"{agent.id}.jsonl").read_bytes().split(b"\n")


def reported(agent: Dialect, event: str, payload: object) -> dict[str, Any]:
    """The pointers of a payload, as the worker and the spool make them."""
    body = json.dumps(payload).encode()
    return pointers(event, common(agent.id, event, parse(body)), of_call)


def call_told(agent: Dialect, event: str, payload: object) -> ToldCall | None:
    """The call that a payload tells of."""
    return reported_call(event, common(agent.id, event, parse(json.dumps(payload).encode())))  # type: ignore[arg-type]  # what JSON holds


@every
def test_a_prompt_is_reported_in_the_persons_words(agent: Dialect) -> None:
    """With its session, its episode and its folder, and nothing that hooks put beside it."""
    told = reported(agent, PROMPT, sent(agent)["prompt"])

    assert told["session"] and told["episode"] and told["cwd"] == "/project"
    said = common(agent.id, PROMPT, dict(sent(agent)["prompt"]))
    assert str(said["prompt"]).strip('"') == ASKED  # quoted where its command line does so


@every
def test_what_belongs_together_has_one_name(agent: Dialect) -> None:
    """Each report of a session names it; each of a prompt names that, but for Gemini CLI's."""
    payloads = sent(agent)
    events = {"start": "SessionStart", "prompt": PROMPT, "failed": STEP, "stop": "Stop"}
    told = {what: reported(agent, event, payloads[what]) for what, event in events.items()}

    assert len({each["session"] for each in told.values()}) == 1
    episodes = {told[what]["episode"] for what in ("prompt", "failed", "stop")}
    assert len(episodes - {""}) == 1
    assert told["start"]["detail"].get("source", "startup") == "startup"


@every
def test_a_failed_command_is_a_failed_call(agent: Dialect) -> None:
    """With its exit code, by the report or, where that is silent, by the transcript."""
    payload = sent(agent)["failed"]
    (call,) = reported(agent, STEP, payload)["detail"]["calls"]
    assert (call["tool"], bool(call["id"])) == ("Bash", True)
    if "rollout" in agent.sees.outcomes:
        assert not call["failed"]
        made = results(lines(agent))[call["id"]]
        seen = of_call(made.tool, made.input, made.response)
    else:
        assert call["failed"]
        seen = call["evidence"]

    assert (seen["good"], seen["code"]) == (False, 3)
    assert "No rule to make target" in str(seen["quote"])


@every
def test_a_failure_is_told_for_its_note(agent: Dialect) -> None:
    """The error's lines begin with the exit code; of Codex they stand in the rollout."""
    payloads = sent(agent)
    event = "PostToolUseFailure" if "told failure" in payloads else STEP
    call = call_told(agent, event, payloads.get("told failure", payloads["failed"]))

    if "rollout" in agent.sees.outcomes:
        assert call is None
    else:
        assert call is not None and call.error.startswith(("Exit code 3\n", "Error: "))
        assert "No rule to make target" in call.error


@every
def test_an_edited_file_is_told_by_its_whole_path(agent: Dialect) -> None:
    """With the text that changed, by which the things in it are found."""
    payloads = sent(agent)
    event = "PostToolUse" if "told file" in payloads else STEP
    call = call_told(agent, event, payloads.get("told file", payloads["file"]))

    assert call is not None and call.path == "/project/src/app.py"
    assert "port = 2" in call.changed
    (made,) = reported(agent, STEP, payloads["file"])["detail"]["calls"]
    assert made["tool"] in {"Edit", "Write"} and not made["failed"]
    assert made["evidence"]["kind"] == "edit"
    assert made["evidence"]["file"] == "/project/src/app.py"


@every
def test_a_launched_skill_is_named(agent: Dialect) -> None:
    """By the call of a tool of its own, or by the read of its file where there is no such tool."""
    (call,) = reported(agent, STEP, sent(agent)["skill"])["detail"]["calls"]

    assert call["skill"] == "tidy"
    assert call["evidence"].get("good") is not False


@pytest.mark.parametrize(
    ("agent", "tool"),
    [("gemini-cli", "mcp_learnt_recall"), ("opencode", "learnt_recall"),
     ("codex", "mcp__learnt__recall")],
)  # fmt: skip
def test_calls_of_learnts_own_server_are_known_by_one_name(agent: str, tool: str) -> None:
    """Whatever the agent calls them: what they answer is no evidence."""
    payload = {"session_id": "s", "tool_name": tool, "tool_input": {}, "tool_response": "kept"}
    (call,) = reported(dialect_of(agent), STEP, payload)["detail"]["calls"]

    assert call["tool"] == "mcp__learnt__recall" and call["evidence"]["family"] == "learnt"


@every
def test_reports_hold_no_contents(agent: Dialect) -> None:
    """Neither a prompt, nor a result, nor a person's address."""
    for what, payload in sent(agent).items():
        kept = json.dumps(reported(agent, STEP if "tool_name" in payload else "Stop", payload))
        assert ASKED not in kept and "@" not in kept and "port = 2" not in kept, what


@every
def test_what_an_unknown_version_adds_changes_nothing(agent: Dialect) -> None:
    """Fields and events that nobody knows are passed over."""
    more = {"agent_version": "99.0", "new": {"deep": [1]}, "user_email": "ann@example.com"}
    for what, payload in sent(agent).items():
        event = {"prompt": PROMPT, "start": "SessionStart"}.get(what, STEP)
        assert reported(agent, event, payload) == reported(agent, event, {**payload, **more})
    assert reported(agent, "NotKnownYet", sent(agent)["prompt"])["session"]


@every
@given(st.data())
def test_payloads_of_wrong_types_are_reported_all_the_same(
    agent: Dialect, data: st.DataObject
) -> None:
    """A member of any other type costs that member alone: there is a report, of names and sizes."""
    odd: st.SearchStrategy[object] = st.sampled_from([
        None,
        0,
        True,
        1.5,
        "",
        "x",
        [],
        [None],
        [{}],
        {},
        {"a": []},
    ])
    what, payload = data.draw(st.sampled_from(sorted(sent(agent).items())))
    changed = {
        name: data.draw(odd) if data.draw(st.booleans()) else v for name, v in payload.items()
    }
    for event in ("SessionStart", PROMPT, STEP, "Stop", "SessionEnd"):
        told = reported(agent, event, changed)
        call_told(agent, event, changed)

        assert all(isinstance(told[name], str) for name in ("session", "episode", "cwd")), what
    reported(agent, STEP, [changed])
    assert parse(json.dumps(payload).encode()[: data.draw(st.integers(0, 200))]) is not None


@every
def test_an_answer_is_one_json_object(agent: Dialect) -> None:
    """The context by the agent's own name of the event, the notice beside it; empty for nothing."""
    told = json.loads(agent.output(STARTS, Answer('a "note"\n数', "Saved.")))

    if agent is CURSOR:
        assert told == {"additional_context": 'a "note"\n数'}
    else:
        assert told["hookSpecificOutput"] == {
            "hookEventName": agent.named(STARTS), "additionalContext": 'a "note"\n数',
        }  # fmt: skip
        assert "Saved." == told["systemMessage"]
    assert agent.output(STEP, Answer()) == b""


@every
def test_what_is_answered_before_a_command_decides_nothing(agent: Dialect) -> None:
    """Whether it may run stays with the agent and the person: only a text is put beside it."""
    told = json.loads(agent.output(ACT, Answer("a rule")))

    context = {"hookEventName": ACT, "additionalContext": "a rule"}
    assert told == (
        {"additional_context": "a rule"} if agent is CURSOR else {"hookSpecificOutput": context}
    )


@every
def test_a_command_is_told_before_it_runs(agent: Dialect) -> None:
    """By each agent that takes a text then, under another name than the report that follows."""
    assert agent.accepts_context(ACT) == (ACT in agent.events) == ("act" in sent(agent))
    if not agent.accepts_context(ACT):
        return
    payload = sent(agent)["act"]
    frame = Frame(event=ACT, agent=agent.id, body=json.dumps(payload).encode())

    assert command_of(frame) == "make build; exit 3"
    told = reported(agent, ACT, payload)
    assert told["detail"]["tool_use_id"] == f"before {payload['tool_use_id']}"
    assert told["session"] and told["episode"] and "make" not in json.dumps(told)
    for other in ({"tool_name": "Read"}, {"tool_input": None}, {"tool_input": {"command": 7}}):
        odd = replace(frame, body=json.dumps({**payload, **other}).encode())
        assert command_of(odd) == ""


HOME = "/home/ann/.local/share/learnt"
THEIRS = {
    "groups": '{\n    "description": 1,\n    "hooks":'
    ' {"%s": [{"hooks": [{"command": "mine"}]}]}\n}',
    "list": '{\n  "version": 1,\n  "hooks": {\n    "%s": [{"command": "mine"}]\n  }\n}\n',
}


def ours(event: str) -> str:
    """The command of this home."""
    return command("/usr/bin/python3", HOME, event)


def texts_before(agent: Dialect) -> list[str]:
    """Settings as they may be before: none, and one with hooks of somebody else's."""
    theirs = THEIRS.get(agent.form)
    return ["", "{}\n", theirs % agent.named("Stop")] if theirs else [""]


@every
def test_settings_are_edited_once_and_restored(agent: Dialect) -> None:
    """Twice is once, what is others' stays, and taking out leaves what was there."""
    belongs = hook_settings.belongs_to(HOME)
    for before in texts_before(agent):
        after = edited(before, belongs, ours, dialect=agent)

        assert after == edited(after, belongs, ours, dialect=agent)
        for event in agent.events:
            assert json.dumps(ours(agent.argument(event)), ensure_ascii=False) in after
        assert "mine" not in before or "mine" in after
        left = restored(after, belongs, agent)
        if agent.form == "plugin":
            assert left == ""
        elif "mine" in before:
            assert json.loads(left) == json.loads(before)
        else:
            assert "learnt_hook" not in left
        assert restored(before, belongs, agent) == before


@every
def test_an_older_command_gives_way(agent: Dialect) -> None:
    """After the interpreter moved there is one hook an event, the one of today."""
    belongs = hook_settings.belongs_to(HOME)
    old = edited("", belongs, lambda event: command("/old/python", HOME, event), dialect=agent)

    new = edited(old, belongs, ours, dialect=agent)

    assert new == edited("", belongs, ours, dialect=agent) and "/old/python" not in new


def test_a_hook_at_an_event_of_old_gives_way() -> None:
    """Codex's PostCompact was registered once; today the start after it does the same."""
    today = edited("", hook_settings.belongs_to(HOME), ours, dialect=CODEX)
    old = json.loads(today)
    old["hooks"]["PostCompact"] = old["hooks"]["SessionStart"]

    assert (
        edited(
            json.dumps(old, indent=2) + "\n", hook_settings.belongs_to(HOME), ours, dialect=CODEX
        )
        == today
    )


@every
@pytest.mark.parametrize(
    "text",
    ['{"hooks": 1}', "[]", "hooks = true", "{", '{"a": NaN}'],
)
def test_settings_that_are_not_understood_are_refused(agent: Dialect, text: str) -> None:
    """By an error that says why."""
    belongs = hook_settings.belongs_to(HOME)
    with pytest.raises(BadSettings):
        edited(text, belongs, ours, dialect=agent)


@with_transcript
def test_a_transcript_is_read_as_turns(agent: Dialect) -> None:
    """The prompt as it was typed, each call with its result, and what the agent said."""
    (turn,) = turns(lines(agent))

    assert turn.prompt == ASKED
    assert turn.at_ms > 0 and turn.ended_ms >= turn.at_ms
    assert [call.tool for call in turn.calls][-2:] == ["Bash", "Edit"]
    failed, edit = turn.calls[-2:]
    assert failed.failed and str(failed.response).startswith("Exit code 3\n")
    assert not edit.failed and text_of(member(edit.input, "file_path")).endswith("src/app.py")
    said = [(each.by_agent, each.text) for each in spoken(lines(agent))]
    assert said == [(False, ASKED), (True, "It is fixed.")]
    assert turn.tokens > 0


@with_transcript
def test_a_half_written_transcript_is_read_as_far_as_it_goes(agent: Dialect) -> None:
    """Cut at any byte, its last line is passed over; foreign bytes and lines cost themselves."""
    whole = b"\n".join(lines(agent))
    calls = 0
    for end in range(0, len(whole), 97):
        told = turns(whole[:end].split(b"\n"))
        assert len(told) <= 1
        assert calls <= (calls := sum(len(turn.calls) for turn in told))
    noise = [b"\xff\xfe", b'{"type":"user"', b'{"type":"response_item","payload":7}', b"[]"]
    noise += [b'{"type":"gemini","id":{},"toolCalls":[3,{}]}', b'{"type":"user","id":1}']

    def comparable(turn: Turn) -> tuple[object, ...]:
        return turn.prompt, turn.calls, turn.tokens

    assert list(map(comparable, turns([*noise, *lines(agent), *noise]))) == list(
        map(comparable, turns(lines(agent)))
    )
    assert not readable([b"{}", b""])


@every
def test_the_capability_table_is_filled(agent: Dialect) -> None:
    """Each cell says yes, no or part, and but for yes why."""
    for name in agent.sees.__struct_fields__:
        told, _, why = getattr(agent.sees, name).partition(":")
        assert told in {"yes", "no", "part"} and (told == "yes" or why.strip()), name
    assert agent.tried and BY_NAME[agent.name] is agent is dialect_of(agent.id)


def test_a_call_of_codex_without_arguments_has_none() -> None:
    """`{}` as a text is an empty input, and no command."""
    told = {"type": "function_call", "call_id": "1", "name": "list_dir", "arguments": "{}"}
    line = json.dumps({"timestamp": "", "type": "response_item", "payload": told})
    assert '"input": {}' in json.dumps([record for _, record in records([line])])
