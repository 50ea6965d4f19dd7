"""Experiences: nothing that a stranger wrote comes back when the skill runs again."""

import hashlib
import json
import re
from typing import Any

from learnt.bootstrap import opened
from learnt.flows.sessions.answer import respond
from learnt.formats.wire import ENVIRONMENT, Frame
from learnt.settings import Settings
from tests.support.attacks.sets import Case
from tests.support.homes import Home
from tests.support.transcripts import session_frames

ASKED = "please tidy the tables of the booking service"
_IMPORTED = {
    "imported_task": "task_description",
    "imported_approach": "approach_taken",
    "imported_decision": "key_decisions",
}


def given(home: Home, case: Case) -> str:
    """What is put before the agent when the skill of a case is called again."""
    text, place = case["text"], case["place"]
    skill = text if place == "skill_name" else "tidy"
    if place in _IMPORTED:
        _take_over(home, _IMPORTED[place], text)
    prompt = f"{ASKED}\n\n{text}" if place == "prompt_paste" else ASKED
    turns = [{"prompt": prompt, "steps": _steps(place, text, skill)}]
    frames = session_frames(turns, "first", folder=str(home.project), transcript="")
    with opened(Settings(home=home.path)) as outside:
        for frame in frames:
            respond(outside, frame, lambda: False)
        again = [_typed(home, "tidy"), *_launched(home, skill)]
        told = [
            respond(outside, frame, lambda: False).decode("utf-8", "replace") for frame in again
        ]
    texts = [json.loads(each)["hookSpecificOutput"] for each in told if each]
    return "\n".join(str(each.get("additionalContext", "")) for each in texts)


def breaks(home: Home, case: Case) -> list[str]:
    """The poison, where it is among what the agent is given."""
    told = given(home, case)
    return [f"given: {told[-600:]}"] if _plain(case["poison"]) in _plain(told) else []


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def _steps(place: str, text: str, skill: str) -> list[dict[str, Any]]:
    def call(tool: str, result: str = "ok", failed: bool = False, **told: Any) -> dict[str, Any]:
        return {"tool": tool, "input": told, "result": result, "failed": failed}

    arguments: dict[str, Any] = {"args": text} if place == "skill_arguments" else {}
    made = {
        "command": call("Bash", command=text),
        "command_description": call("Bash", command="python tidy.py", description=text),
        "output": call("Bash", text, command="python tidy.py"),
        "error": call("Bash", text, True, command="pytest"),
        "file_name": call("Edit", file_path=text, old_string="a", new_string="b"),
        "tool_name": call(text, query="tables"),
        "tool_input": call("mcp__notes__find", query=text, url=text, command=text),
        "agent_message": {"say": text},
        "subagent": call("Task", text, prompt="look at the tables", subagent_type="general"),
    }
    return [
        call("Skill", f"Launching skill: {skill}", skill=skill, **arguments),
        *([made[place]] if place in made else []),
        call("Bash", "4 failed in 1s", True, command="pytest"),
        call("Edit", file_path="src/a.py", old_string="x", new_string="y"),
        call("Bash", "4 passed in 1s", command="pytest"),
    ]


def _take_over(home: Home, field: str, text: str) -> None:
    """Another library with one experience, imported by a person."""
    told: dict[str, Any] = {
        "task_description": ASKED,
        "skill_name": "tidy",
        "approach_taken": "Looked at each table",
        "outcome": "success",
        "key_decisions": ["One table at a time"],
        "tools_used": ["Bash"],
        "duration_ms": 1_000,
        "stored_at": "2026-02-01T10:00:00",
    }
    told[field] = [text] if field == "key_decisions" else text
    name = hashlib.md5(told["task_description"].encode(), usedforsecurity=False).hexdigest()[:12]
    path = home.folder / "seed" / "experience-library" / "tidy" / f"{name}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(told), encoding="utf-8")
    said = home.here("health", "import", str(home.folder / "seed"), typed="")
    assert said.exit_code == 0, said


def _frame(home: Home, event: str, **more: Any) -> Frame:
    body = json.dumps({**home.payload(event, "second"), **more}).encode()
    environment = {name: home.agents_environment[name] for name in ENVIRONMENT}
    return Frame(event=event, size=len(body), environment=environment, body=body)


def _typed(home: Home, skill: str) -> Frame:
    words = f"/{skill} {ASKED}"
    return _frame(home, "UserPromptExpansion", command_name=skill, prompt=words, prompt_id="p2-1")


def _launched(home: Home, skill: str) -> list[Frame]:
    asked = _frame(home, "UserPromptSubmit", prompt=ASKED, prompt_id="p2-2")
    told = {"tool_name": "Skill", "tool_input": {"skill": skill}, "tool_use_id": "again"}
    return [asked, _frame(home, "PostToolUse", **told, prompt_id="p2-2")]
