"""`learnt health` and what `learnt status` tells of episodes, as they are called."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.settings import Settings
from learnt.surfaces.jobs import keep_learnings
from tests.support.cases import first
from tests.support.homes import Home

FAILED = "Exit code 1\n1 failed, 3 passed in 1s"


def work(home: Home, session: str, prompt: str, response: str) -> None:
    """One prompt in which a skill is launched and tests are run."""
    said = {"prompt_id": prompt}
    home.prompt("please audit the module now", session, **said)
    for tool, given, shown in (
        ("Skill", {"skill": "audit"}, "Launching skill: audit"),
        ("Edit", {"file_path": "a.py"}, "The file a.py has been updated successfully."),
        ("Bash", {"command": "pytest"}, response),
    ):
        call = {"tool_name": tool, "tool_input": given, "tool_response": shown,
                "tool_use_id": f"{session}-{tool}"}  # fmt: skip
        home.fire(
            "PostToolBatch", home.payload("PostToolBatch", session, tool_calls=[call], **said)
        )
    home.fire("Stop", home.payload("Stop", session, **said))
    home.fire("SessionEnd", home.payload("SessionEnd", session, reason="other", **said))


@pytest.mark.parametrize("running", first(1, [True, False]))
def test_skills_are_told_with_their_success(home: Home, *, running: bool) -> None:
    """The same whether a worker answered the hooks or the spool kept their reports."""
    if running:
        home.start_worker()
    work(home, "s1", "p1", FAILED)
    work(home, "s2", "p2", "4 passed in 1s")
    home.take_in()
    (audit,) = home.cli("health", "status", "--json").json["skills"]
    assert {
        "skill": "audit",
        "executions": 2,
        "graded": 2,
        "unknown": 0,
        "success_rate": 0.875,
    } == {
        name: audit[name] for name in ("skill", "executions", "graded", "unknown", "success_rate")
    }
    low, high = audit["interval"]
    assert 0 < low < 0.875 < high < 1
    assert audit["last"]["trouble"] == "none"
    assert (audit["gap"], audit["state"], audit["flags"], audit["version"]) == (0, "healthy", 0, "")
    said = home.cli("health", "status").output
    assert "audit  success 88%" in said
    assert home.cli("health", "status", "other").exit_code == 3


def test_status_and_why_tell_how_episodes_ended(home: Home) -> None:
    """With the evidence; a person's word changes it and is told too."""
    home.start_worker()
    work(home, "s1", "p1", FAILED)
    home.drained()
    (episode,) = home.here("status", "--json").json["last_episodes"]
    assert (episode["trouble"], episode["cause"], episode["grade"]) == ("test", "skill", 0.75)
    assert {"what": "failure", "words": "1 failed, 3 passed in 1s"} in episode["evidence"]
    assert "test (skill), 75%" in home.here("status").output

    told = home.here("why", episode["episode"]).output
    assert "failure: 1 failed, 3 passed in 1s" in told
    assert "skill: audit, launched by the agent" in told
    code, said = home.typed("health", "feedback", episode["episode"], "good", "--note", "meant to")
    assert (code, "no trouble, 100%" in said) == (0, True)
    (episode,) = home.here("status", "--json").json["last_episodes"]
    assert episode["grade"] == 1.0
    assert "a person said of it: good" in home.here("why", episode["episode"]).output
    assert home.here("health", "feedback", "nope", "good").exit_code == 3
    assert home.here("health", "feedback", "p1", "well").exit_code == 2
    home.verify()


def test_no_byte_of_a_result_but_its_quote_is_kept(home: Home) -> None:
    """Tool inputs and outputs are in no file of the home, spooled or taken in."""
    secret = "confidential-payroll-number"
    response = f"Exit code 1\n{secret} 4711\n1 failed, 3 passed in 1s"
    for running in (False, True):
        if running:
            home.start_worker()
        work(home, f"s{running}", f"p{running}", response)
    home.take_in()
    home.cli("worker", "stop")
    for path in home.path.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path


def test_a_seeds_logs_are_taken_over(home: Home, tmp_path: Path) -> None:
    """Counted before, imported once, counted apart; a folder without any is a usage error."""
    logs = tmp_path / "logs" / "abstract" / "audit"
    logs.mkdir(parents=True)
    history = {"abstract:audit": {"accuracies": [1, 0], "durations": [5, 7]}}
    (tmp_path / "logs" / ".history.json").write_text(json.dumps(history), "utf-8")
    line = {"skill": "abstract:audit", "outcome": "success", "invocation_id": "i", "duration_ms": 3,
            "timestamp": "2026-03-20T10:00:00+00:00"}  # fmt: skip
    (logs / "2026-03-20.jsonl").write_text(json.dumps(line) + "\n{broken\n", "utf-8")

    counted = home.here("health", "import", str(tmp_path), "--dry-run", "--json").json
    told = {"executions": 2, "skills": 1, "unreadable": 1, "new": None, "queued": 0}
    assert told.items() <= counted.items()
    assert home.here("health", "import", str(tmp_path), "--json").json["new"] == 2
    assert home.here("health", "import", str(tmp_path), "--json").json["new"] == 0
    (found,) = home.here("health", "status", "--json").json["skills"]
    assert (found["skill"], found["executions"], found["imported"]) == ("abstract:audit", 2, 2)
    assert "2 imported" in home.here("health", "status").output
    empty = tmp_path / "empty"
    empty.mkdir()
    assert home.here("health", "import", str(empty)).exit_code == 2


def seed(folder: Path, grades: list[float]) -> str:
    """A folder with another system's log of one skill's executions."""
    folder.mkdir(exist_ok=True)
    history = {"a:b": {"accuracies": grades, "durations": [5] * len(grades)}}
    (folder / ".history.json").write_text(json.dumps(history), "utf-8")
    return str(folder)


def test_a_skill_that_declines_is_told_and_queued(home: Home, tmp_path: Path) -> None:
    """With its gap, its state, its flags, and how long its success has dropped."""
    folder = seed(tmp_path / "logs", [1.0] * 40 + [0.0] * 8)
    home.here("health", "import", folder)
    (found,) = home.here("health", "status", "--json").json["skills"]
    assert (found["state"], found["gap"], found["flags"]) == ("critical", 0.8, 6)
    assert found["dropped"] == 8
    said = home.here("health", "status").output
    assert "critical, gap 0.80, 6 flags" in said
    assert "success dropped 8 graded executions ago" in said

    queue = home.here("health", "queue", "--json").json["skills"]
    assert list(queue) == ["a:b"]
    assert (queue["a:b"]["skill_name"], queue["a:b"]["flagged_count"]) == ("a:b", 6)
    assert queue["a:b"]["status"] == "monitoring"
    assert home.here("why", queue["a:b"]["execution_ids"][0]).exit_code == 0
    assert "a:b  monitoring  to be improved" in home.here("health", "queue").output
    home.verify()


def test_another_systems_queue_is_taken_over_once(home: Home, tmp_path: Path) -> None:
    """What was flagged there, and what waits for a person; a recorded version has its number."""
    flagged = {"flagged_count": 3, "stability_gap": 0.42, "execution_ids": ["exec-1"],
               "last_flagged": "2026-02-15T04:00:00Z"}  # fmt: skip
    waits = {"flagged_count": 0, "stability_gap": 0.4, "status": "pending_rollback_review",
             "baseline_gap": 0.15, "current_gap": 0.4, "eval_start": "2026-02-14T04:00:00Z",
             "regression_detected": "2026-02-15T05:00:00Z",
             "eval_executions": 10, "rollback_command": "git revert abc123 --no-edit",
             "github_issue": "https://github.com/acme/tools/issues/3"}  # fmt: skip
    evil = waits | {"rollback_command": "git revert abc; rm -rf /"}
    goes_on = flagged | {"status": "evaluating", "eval_executions": 4}
    queue = {"skills": {"a:b": flagged, "p:c": waits, "d": goes_on, "e": evil, "odd": 1}}
    (tmp_path / "improvement-queue.json").write_text(json.dumps(queue), "utf-8")
    counted = home.here("health", "import", str(tmp_path), "--json").json
    assert (counted["queued"], counted["unreadable"]) == (4, 1)
    first = home.here("health", "queue", "--json").json["skills"]
    assert (first["a:b"]["flagged_count"], first["a:b"]["execution_ids"]) == (3, ["exec-1"])
    assert first["p:c"]["status"] == "pending_rollback_review"
    assert (first["p:c"]["baseline_gap"], first["p:c"]["current_gap"]) == (0.15, 0.4)
    assert first["p:c"]["rollback_command"] == waits["rollback_command"]
    assert first["p:c"]["eval_executions"] == 10
    assert first["p:c"]["github_issue"].endswith("/issues/3")
    assert first["p:c"]["eval_start"] == "2026-02-14T04:00:00+00:00"
    assert first["p:c"]["regression_detected"] == "2026-02-15T05:00:00+00:00"
    assert first["e"]["rollback_command"] is None
    assert (first["d"]["status"], first["d"]["flagged_count"]) == ("monitoring", 3)
    home.here("health", "import", str(tmp_path))
    assert home.here("health", "queue", "--json").json["skills"] == first
    said = home.typed("health", "evaluate", "p:c", "--roll-back")[1]
    assert "The earlier text of p:c is not known" in said
    told = home.here("health", "queue").output
    assert "p:c  pending rollback review\n" in told and "git revert abc123" in told
    assert "a:b  monitoring  to be improved where it comes from: its text is none of yours" in told
    home.verify()


def test_only_another_systems_own_files_are_read(home: Home, tmp_path: Path) -> None:
    """Its queue behind a link as well; no file of another name, and no queue of a dependency."""
    flagged = {"flagged_count": 3, "stability_gap": 0.42, "execution_ids": ["exec-1"],
               "last_flagged": "2026-02-15T04:00:00Z"}  # fmt: skip
    text, folder = json.dumps({"skills": {"audit": flagged}}), tmp_path / "logs"
    deep = folder / "node_modules" / "x" / "y" / "improvement-queue.json"
    deep.parent.mkdir(parents=True)
    deep.write_text(text, "utf-8")
    assert 2 == home.here("health", "import", str(folder)).exit_code
    transcript = folder / "session.jsonl"
    transcript.write_text("{}", "utf-8")
    os.utime(transcript, (0, transcript.stat().st_mtime))
    (tmp_path / "kept.json").write_text(text, "utf-8")
    (folder / "improvement-queue.json").symlink_to(tmp_path / "kept.json")
    assert 1 == home.here("health", "import", str(folder), "--json").json["queued"]
    assert 0 == transcript.stat().st_atime  # nobody has read it


@pytest.mark.parametrize("order", [("status", "review"), ("review", "status")])
def test_a_failing_skill_is_named_once_to_its_person(
    home: Home, tmp_path: Path, order: tuple[str, str]
) -> None:
    """`status` or `review` says what improves it, until it fails again; `health queue` always."""
    flagged = {"flagged_count": 3, "stability_gap": 0.42, "execution_ids": ["exec-1"],
               "last_flagged": "2026-02-15T04:00:00Z"}  # fmt: skip
    queue = {"skills": {"audit": flagged}}
    (tmp_path / "improvement-queue.json").write_text(json.dumps(queue), "utf-8")
    home.here("health", "import", str(tmp_path))
    command = "claude 'Run the subagent skill-improver for the skill audit'"
    assert f"audit keeps failing: {command}" in home.here("status").output  # no person's
    first, other, again = (home.here(word, typed="").output for word in (*order, "status"))
    listed = home.here("health", "queue", typed="").output
    assert f"audit keeps failing: {command}" in first
    assert command not in other + again and "1 skill(s) keep failing as before" in again
    assert command in listed
    home.verify()


@pytest.mark.parametrize(
    "damaged", [b'{"skills": {"a:b"', b"\xff\xfe", b'{"skills": {"caf\xe9": {}}}', b"[]"]
)
def test_a_damaged_queue_is_a_finding(home: Home, tmp_path: Path, damaged: bytes) -> None:
    """Nothing is imported, of the logs beside it neither, and the file stays as it is."""
    path = tmp_path / "sub" / "improvement-queue.json"
    path.parent.mkdir()
    path.write_bytes(damaged)
    folder = seed(tmp_path, [1.0, 0.0])
    refused = home.here("health", "import", folder)
    assert refused.exit_code == 1
    assert f"{path} is damaged" in refused.errors
    assert path.read_bytes() == damaged
    assert home.here("health", "status", "--json").json["skills"] == []


def test_the_seeds_gap_can_be_selected(home: Home) -> None:
    """Oracle 32: one failure of eight is critical by the seeds' formula alone."""
    for number in range(8):
        shown = "Exit code 1\n4 failed in 1s" if number == 2 else "4 passed in 1s"
        work(home, f"s{number}", f"p{number}", shown)
    home.take_in()
    classic = home.here("health", "status", "audit", "--gap", "classic", "--json").json["skills"]
    default = home.here("health", "status", "audit", "--json").json["skills"]
    assert ("critical", "healthy") == (classic[0]["state"], default[0]["state"])
    assert classic[0]["gap"] == 0.875
    assert "critical, gap 0.88" in home.here("health", "status", "--gap", "classic").output


def test_learnings_are_written_when_asked_for(home: Home, tmp_path: Path) -> None:
    """Twice is once, and what a person pinned in the file stays; a person's word is a rating."""
    work(home, "s1", "p1", FAILED)
    work(home, "test-1", "p2", FAILED)
    home.take_in()
    path = home.path / "LEARNINGS.md"
    assert "| audit | 1 | 75.0% |" in home.here("health", "learnings").output
    assert not path.exists()
    assert home.here("health", "learnings", "--write").exit_code == 0
    text = path.read_text("utf-8")
    assert "**Total Executions**: 1\n" in text
    path.write_text(text.replace("_What you write here stays._", "---\nAudit by hand!"), "utf-8")
    home.typed("health", "feedback", "p1", "bad")
    told = home.here("health", "learnings", "--write", "--json").json
    assert told["written"]
    assert told["text"] == path.read_text("utf-8") != text
    assert "\n---\nAudit by hand!\n\n---\n\n## High-Impact Issues" in told["text"]
    assert "**Type**: low_rating" in told["text"]
    assert "- 1 failed, 3 passed in 1s" in told["text"]
    home.here("health", "learnings", "--write")
    assert path.read_text("utf-8") == told["text"]

    mine = tmp_path / "notes.md"
    mine.write_text("# Mine\n", "utf-8")
    refused = home.here("health", "learnings", "--write", "--path", str(mine))
    assert (refused.exit_code, mine.read_text("utf-8")) == (1, "# Mine\n")
    elsewhere = tmp_path / "new" / "LEARNINGS.md"
    assert home.here("health", "learnings", "--write", "--path", str(elsewhere)).exit_code == 0
    assert elsewhere.read_text("utf-8").startswith("# Skill Performance Learnings\n")


def test_learnings_are_written_when_they_change(home: Home) -> None:
    """At a session's end; not for another day alone, and never over a file of another kind."""
    path = home.path / "LEARNINGS.md"
    with opened(Settings(home=home.path)) as outside:
        keep_learnings(outside, home.path)
        assert not path.exists()
        work(home, "s1", "p1", FAILED)
        home.take_in()
        keep_learnings(outside, home.path)
        text = path.read_text("utf-8")
        assert "| audit | 1 | 75.0% |" in text
        old = re.sub(r"(Last Updated\*\*:) .*", r"\1 2026-01-01", text)
        path.write_text(old, "utf-8")
        keep_learnings(outside, home.path)
        assert path.read_text("utf-8") == old
        work(home, "s2", "p2", FAILED)
        home.take_in()
        keep_learnings(outside, home.path)
        assert "| audit | 2 | 75.0% |" in path.read_text("utf-8")
        path.write_text("# Mine\n", "utf-8")
        keep_learnings(outside, home.path)
        assert path.read_text("utf-8") == "# Mine\n"


def test_a_purge_leaves_of_the_learnings_what_people_pinned(home: Home) -> None:
    """And that neither where it holds what is to go."""
    work(home, "s1", "p1", "Exit code 1\n1 failed, 3 passed in 1s")
    home.take_in()
    path = home.path / "LEARNINGS.md"
    home.here("health", "feedback", "p1", "bad")
    home.typed("health", "feedback", "p1", "bad")
    home.here("health", "learnings", "--write")
    assert "1 failed" in path.read_text("utf-8")
    home.purge("--text", "1 failed")
    assert path.read_text("utf-8") == "## Pinned Learnings\n\n_What you write here stays._\n\n"
    home.here("health", "learnings", "--write")
    home.purge("--text", "What you write")
    assert not path.exists()


def test_commands_of_health_do_not_load_what_replays_prompts() -> None:
    """It is a quarter of the time that `health status` takes."""
    code = (
        "import sys, learnt.surfaces.cli.health; print('learnt.flows.skills.tend' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False\n" == done.stdout
