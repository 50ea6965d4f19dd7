"""What is ready announces itself: no command is needed between a recall and a draft."""

import json
from pathlib import Path

import pytest

from tests.cli.test_skill_trials import file, tried
from tests.support.homes import APPROACH, Home, wait_until

__all__ = ["file"]  # a fixture

MISSES = (
    "How do I roll out a feature flag gradually?",
    "Which feature flag percent is safe for a rollout?",
    "Please kill that feature flag everywhere now",
)


def proposed(home: Home) -> dict[str, str]:
    """The kinds and targets of what waits."""
    listed = home.here("evolve", "list", "--status", "pending", "--json").json["proposals"]
    return {each["kind"]: each["target"] for each in listed}


def ended(home: Home, session: str) -> None:
    """The session ends, as its hook tells."""
    home.fire("SessionEnd", home.payload("SessionEnd", session, reason="exit"))


def started(home: Home, session: str, source: str = "startup") -> str:
    """What a session's start shows on the person's screen."""
    began = home.payload("SessionStart", session, source=source)
    output = home.fire("SessionStart", began).output
    return str(json.loads(output).get("systemMessage", "")) if output else ""


@pytest.fixture
def used(home: Home) -> Home:
    """Three sessions with hooks and a worker, of which the third has not ended yet."""
    home.remember()
    home.start_worker()
    for number, session in enumerate(("s1", "s2", "s3")):
        started(home, session)
        home.answered(session=session)
        home.prompt(MISSES[number], session)
        if session != "s3":
            ended(home, session)
    return home


def test_the_third_recall_makes_a_draft_at_that_sessions_end(used: Home) -> None:
    """Neither before it, nor by a command; the next start says so once, and `status` too."""
    assert {} == proposed(used)
    ended(used, "s3")
    wait_until(lambda: len(proposed(used)) == 2, f"the proposals\n{used.worker_log()}", seconds=60)

    assert {"new-skill", "routing"} == proposed(used).keys()
    line = "1 draft and 1 other proposal are ready: learnt review"
    assert started(used, "s4").startswith(line)
    assert "/learnt-draft" in started(used, "s5")
    assert line not in started(used, "s5", "resume")
    assert "1 draft(s), 1 route(s) wait for you: `learnt review`" in used.here("status").output
    assert APPROACH in used.here("review").output
    assert "" == used.worker_log()
    used.verify()


def test_what_was_edited_outside_is_found_at_a_sessions_end(used: Home) -> None:
    """And candidates that proved themselves count, as a sweep makes them."""
    used.here("evolve", "analyze")
    used.here("evolve", "list")
    name = used.here("evolve", "list", "--json").json["proposals"][0]["id"]
    assert 0 == used.accept(name)[0]
    (file,) = (used.project / ".agents").rglob("SKILL.md")
    file.write_text(f"{file.read_text('utf-8')}\nMine.\n", "utf-8")
    transcript = used.folder / "transcript.jsonl"
    transcript.write_text('{"type": "user"}\n', "utf-8")
    ended(used, "s3")

    wait_until(lambda: "outside-edit" in proposed(used), used.worker_log(), seconds=60)


def test_a_purge_says_which_drafts_go_along(used: Home) -> None:
    """To the person who purges, before they type the phrase; then nothing is announced."""
    used.here("evolve", "analyze")
    (entry,) = used.here("evolve", "stats", "--json").json["reuse"]["top"]
    planned = used.here("purge", "--entry", entry["entry"], "--dry-run", typed="").output
    assert "What waited for you and was made of it goes as well: skill-" in planned
    assert 0 == used.purge("--entry", entry["entry"]).exit_code

    assert {"routing"} == proposed(used).keys()
    assert "1 proposal is ready: learnt review" == started(used, "s4")


def test_status_names_a_trial_that_goes_on(home: Home, file: Path) -> None:
    """A person sees which skill's texts are compared, and the command that says how far it is."""
    assert home.here("status", "--json").json["in_trial"] == []
    tried(home, file)
    assert home.here("status", "--json").json["in_trial"] == ["locks"]
    said = home.here("status").output
    assert "locks: two of its texts are compared: `learnt skills trial locks`" in said
