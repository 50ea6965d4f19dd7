"""Descriptions learn from use: by a command, by `evolve analyze`, and in the worker's job."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.settings import Settings
from learnt.stores.sqlite_skills import SqliteSkills
from tests.flows.shelved import Shelved
from tests.flows.stage import Stage
from tests.flows.test_tune import accepted, worked
from tests.support.homes import Home


@pytest.fixture
def skill(home: Home) -> Path:
    """A skill of the user's that sessions wanted, in words that it does not say."""
    folder = home.folder / "user" / ".agents" / "skills"
    with opened(Settings(home=home.path)) as outside:
        library = SqliteSkills([SkillSource(str(folder), SkillLayer.USER)])
        shelf = Shelved(folder, library, Stage(outside))
        shelf.put("queues", "Frees waiting queues.")
        shelf.put("tea", "Brews tea.")
        worked(shelf, 6)
        library.close()
    return folder / "queues" / "SKILL.md"


def test_a_person_sees_the_gain_and_accepts(home: Home, skill: Path) -> None:
    """`skills tune NAME` proposes, `evolve show` says the gain, and the file is as accepted."""
    said = home.here("skills", "tune", "queues")
    assert "used for 6 prompts, called by name after 6, offered in vain for " in said.output
    assert "of 6 held-out prompts that it was wanted for, offered for 0 before" in said.output
    (tuning,) = home.here("skills", "tune", "queues", "--json").json["skills"]
    assert ("waits", 6) == (tuning["status"], tuning["gain"]["gained"])
    shown = home.here("evolve", "show", tuning["proposal"]).output
    assert "a description that is found more often: of 6 held-out" in shown
    assert 0 == home.accept(tuning["proposal"])[0]
    assert tuning["description"] in skill.read_text("utf-8")
    home.verify()


def test_unasked_what_is_ours_alone(home: Home, skill: Path) -> None:
    """`evolve analyze` and the worker's job after a session tend what a person accepted."""
    new = home.here("evolve", "analyze", "--json").json["new"]
    assert [] == [name for name in new if not name.startswith("route-")]
    transcript = home.folder / "transcript.jsonl"
    transcript.write_text('{"type": "user"}\n', "utf-8")
    with opened(Settings(home=home.path)) as outside:
        shelf = Shelved(skill.parent.parent, SqliteSkills([]), Stage(outside, reports=1_000))
        accepted(shelf)
        ended = {"session": "s9", "cwd": str(home.project), "transcript": str(transcript)}
        shelf.stage.prompt("brew the tea for the ninth floor", **ended)
        shelf.stage.report("SessionEnd", **ended)
    words = ["-m", "learnt.surfaces.jobs", "--home", str(home.path), "harvest"]
    done = subprocess.run(
        [sys.executable, "-I", *words], env=home.environment, capture_output=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    listed = home.here("evolve", "list", "--json").json["proposals"]
    (waiting,) = (proposal for proposal in listed if proposal["kind"] != "routing")
    assert ("new-version", str(skill)) == (waiting["kind"], waiting["target"])
    assert [] == home.here("evolve", "analyze", "--json").json["new"]


def test_doctor_names_the_descriptions_that_claude_code_leaves_out(home: Home) -> None:
    """Those least used first, by the share of the window that its settings give it."""
    folder = home.config / "skills"
    for number in range(12):
        file = folder / f"skill-{number:02}" / "SKILL.md"
        file.parent.mkdir(parents=True)
        about = "It waits. " * 70
        file.write_text(f"---\nname: skill-{number:02}\ndescription: {about}\n---\n\nx\n", "utf-8")

    def probe() -> dict[str, str]:
        probes = json.loads(home.here("doctor", "--json").output)["probes"]
        (told,) = (one for one in probes if one["name"] == "skill list")
        assert isinstance(told, dict)
        return told

    with opened(Settings(home=home.path)) as outside:
        shelf = Shelved(folder, SqliteSkills([]), Stage(outside))
        shelf.asked("please wait for the old harbour crane", used="skill-11")
        shelf.ended()
    told = probe()
    assert "ok" == told["level"]
    assert told["said"].endswith("a model of 200,000 tokens has no room for 10 descriptions")
    (home.config / "settings.json").write_text('{"skillListingBudgetFraction": 0.004}', "utf-8")
    told = probe()
    assert "warning" == told["level"]
    assert told["said"].endswith(
        "it leaves out 4 descriptions: skill-10, skill-09, skill-08, skill-07"
    )
