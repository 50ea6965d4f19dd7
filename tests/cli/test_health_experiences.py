"""`learnt health experiences`, their import, and what hooks print of them."""

import hashlib
import json
import os
import socket
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_health import work
from tests.support.forked import LEARNT
from tests.support.homes import Home, recorded, until_told

PASSED = "4 passed in 1s"
TASK = "Generate API documentation from OpenAPI spec"
SEED = {
    "task_description": TASK,
    "approach_taken": "Used jinja2 templates with structured extraction",
    "outcome": "success",
    "duration_ms": 4200,
    "tools_used": ["Read", "Write", "Bash"],
    "key_decisions": ["Template-based over freeform generation"],
    "stored_at": "2026-03-20T10:00:00+00:00",
}


def typed(home: Home, session: str) -> dict[str, Any]:
    words = {"prompt": "/audit the module", "command_name": "audit"}
    return home.payload("UserPromptExpansion", session, **{**recorded("UserPromptExpansion"),
                        "session_id": session, "cwd": str(home.project), **words})  # fmt: skip


def launched(home: Home, session: str, prompt: str) -> dict[str, Any]:
    given = {**recorded("PostToolUse-skill"), "session_id": session, "prompt_id": prompt,
             "tool_input": {"skill": "audit"}, "cwd": str(home.project)}  # fmt: skip
    return home.payload("PostToolUse", **given)


def context(output: bytes, event: str) -> str:
    told = json.loads(output)["hookSpecificOutput"]
    assert told["hookEventName"] == event
    return str(told["additionalContext"])


def test_a_hook_tells_what_went_well(home: Home) -> None:
    """Of a typed skill and of the agent's own, by worker and inline, byte for byte alike."""
    home.start_worker()
    work(home, "s1", "p1", PASSED)
    home.drained()
    (past,) = home.here("health", "experiences", "audit", "--json").json["experiences"]
    assert (past["task_description"], past["outcome"]) == ("please audit the module now", "success")
    assert past["approach_taken"] == "edit of a.py; tests passed (4 passed, 0 failed)"
    assert past["tools_used"] == ["Edit", "Bash"]
    assert "edit of a.py; tests passed" in home.here("health", "experiences").output
    assert "No past success" in home.here("health", "experiences", "none").errors

    fired = until_told(lambda: home.fire("UserPromptExpansion", typed(home, "s2")), "audit the")
    text = context(fired[-1].output, "UserPromptExpansion")
    assert "Similar past successes of this skill" in text
    home.prompt("now audit the other module", "s3", prompt_id="p3")
    payload = launched(home, "s3", "p3")
    assert context(home.fire("PostToolUse", payload).output, "PostToolUse") == text
    home.prompt("now audit the other module", "s4", prompt_id="p3")
    home.drained()
    done = subprocess.run(
        [str(LEARNT), "hook", "--inline", "PostToolUse", "--home", str(home.path)],
        input=json.dumps({**payload, "session_id": "s4"}).encode(),
        env=home.agents_environment,
        capture_output=True,
        check=True,
    )
    assert context(done.stdout, "PostToolUse") == text
    home.verify()


def put(folder: Path, skill: str, seed: dict[str, Any], name: str = "") -> Path:
    digest = hashlib.sha256(str(seed.get("task_description")).encode()).hexdigest()[:12]
    path = folder / "experience-library" / skill / (name or f"{digest}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(seed), "utf-8")
    return path


def test_a_seeds_library_is_taken_over(home: Home, tmp_path: Path) -> None:
    """Each file once, by the seed's names; what is wrong with others is said, and hides none."""
    path = put(tmp_path, "abstract_audit", SEED)
    assert path.name == "f1c1385dc369.json"
    (path.parent / "broken.json").write_text('{"task_desc', "utf-8")
    (path.parent / "bytes.json").write_bytes(b"\xff\xfe")
    put(tmp_path, "abstract_audit", {**SEED, "task_description": "Fail", "outcome": "failure"})
    put(tmp_path, "abstract_audit", {**SEED, "task_description": "Other"}, "aaaaaaaaaaaa.json")
    put(tmp_path, "", {**SEED, "task_description": "Stored under dots"}, "../bbbbbbbbbbbb.json")
    outside = tmp_path / "elsewhere.txt"
    outside.write_text(json.dumps(SEED), "utf-8")
    put(tmp_path, "linked", SEED).unlink()
    (tmp_path / "experience-library" / "linked" / path.name).symlink_to(outside)

    dry = home.here("health", "import", str(tmp_path), "--dry-run", "--json").json
    assert (dry["experiences"], dry["new_experiences"]) == (1, None)
    said = home.here("health", "import", str(tmp_path), "--json").json
    assert (said["experiences"], said["new_experiences"]) == (1, 1)
    assert said["findings"] == [
        "abstract_audit/09230b3dbc35.json: no success",
        "abstract_audit/aaaaaaaaaaaa.json: not the name of its task",
        "abstract_audit/broken.json: damaged, or no experience",
        "abstract_audit/bytes.json: damaged, or no experience",
        "bbbbbbbbbbbb.json: no skill has that name",
        f"linked/{path.name}: damaged, or no experience",
    ]
    assert home.here("health", "import", str(tmp_path), "--json").json["new_experiences"] == 0
    found = home.here("health", "experiences", "abstract:audit", "--json").json["experiences"]
    assert [(past["task_description"], past["imported"]) for past in found] == [(TASK, True)]
    assert {name: found[0][name] for name in SEED if name != "stored_at"} == {
        name: value for name, value in SEED.items() if name != "stored_at"
    }
    shown = home.here("health", "experiences", "abstract:audit").output
    assert "Used jinja2 templates" in shown and "imported" in shown
    home.verify()


@pytest.mark.parametrize("shared", [(), ("--scope", "project", "--shared")])
def test_init_adds_the_hook_of_launches_and_uninstall_takes_it_out(
    home: Home, shared: tuple[str, ...]
) -> None:
    """To what an earlier version registered; somebody's own hook of the same event stays."""
    file = home.config / "settings.json" if not shared else home.project / ".claude/settings.json"
    file.parent.mkdir(exist_ok=True)
    theirs = {"matcher": "Skill", "hooks": [{"type": "command", "command": "notify"}]}
    file.write_text(json.dumps({"hooks": {"PostToolUse": [theirs]}}), "utf-8")
    assert home.here("init", *shared).exit_code == 0
    settings = json.loads(file.read_text("utf-8"))
    kept, ours = settings["hooks"]["PostToolUse"]
    assert (kept, ours["matcher"]) == (theirs, "Skill")
    settings["hooks"]["PostToolUse"] = [theirs]  # as an earlier version left it
    file.write_text(json.dumps(settings), "utf-8")

    assert home.here("init", *shared).exit_code == 0
    assert [theirs, ours] == json.loads(file.read_text("utf-8"))["hooks"]["PostToolUse"]
    assert home.here("uninstall").exit_code == 0
    assert {"hooks": {"PostToolUse": [theirs]}} == json.loads(file.read_text("utf-8"))


def test_a_hook_that_waited_in_vain_for_an_answer_says_so(home: Home) -> None:
    """Of a skill's call as of a prompt: what the worker would have told was not told."""
    payloads = {"UserPromptExpansion": typed(home, "s1"), "PostToolUse": launched(home, "s1", "p1"),
                "Stop": home.payload("Stop")}  # fmt: skip
    (home.path / "run").mkdir(exist_ok=True)
    command = home.path / "bin" / "worker.json"
    words = ["/bin/true", *json.loads(command.read_text("utf-8"))[1:]]  # none is started
    command.write_text(json.dumps(words), "utf-8")
    with closing(socket.socket(socket.AF_UNIX)) as deaf:
        back = Path.cwd()
        os.chdir(home.path / "run")
        deaf.bind("worker.sock")
        os.chdir(back)
        deaf.listen(8)
        for event, payload in payloads.items():
            assert home.fire(event, payload).output == b""
    held = [json.loads((home.path / "spool" / name).read_text()) for name in home.spooled()]
    waited = ["Late", "Late", "PostToolUse", "Stop", "UserPromptExpansion"]
    assert sorted(one["event"] for one in held) == waited
    late = [one["detail"] for one in held if one["event"] == "Late"]
    call = payloads["PostToolUse"]["tool_use_id"]
    assert {"tool_use_id": call, "permission_mode": "default", "skill": "audit"} in late
