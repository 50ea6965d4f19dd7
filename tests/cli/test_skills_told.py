"""What commands on skills say of their answers: who decides, what was given, how it was found."""

import logging
from dataclasses import asdict
from pathlib import Path

import pytest

from learnt.surfaces.api.skills import SkillInjector, SkillRegistry, Task
from tests.cli.test_domains_enabled import enable
from tests.cli.test_skills_api import put
from tests.support.homes import Home


@pytest.fixture
def folder(home: Home) -> Path:
    """The skills of the project."""
    folder = home.project / ".agents" / "skills"
    put(folder, "short", "agent_roles: [writer]\n", about="Frees queues", body="Stop them.")
    put(folder, "zlong", "agent_roles: [writer]\n", about="Frees queues", body="word " * 400)
    return folder


def test_every_agents_folders_are_sources(home: Home) -> None:
    """Those of the project and those of the user, each named by its layer."""
    own = (".agents", ".codex", ".gemini", ".cursor", ".config/opencode")
    shared = (".agents", ".claude", ".gemini", ".opencode", ".cursor", ".github")
    told = {
        "user": [home.config, *(home.folder / "user" / name for name in own)],
        "project": [home.project / name for name in shared],
    }
    for layer, folders in told.items():
        for at, folder in enumerate(folders):
            put(folder / "skills", f"{layer}-{at}")
    listed = home.here("skills", "list", "--project", str(home.project), "--json").json["skills"]
    expected = {f"{layer}-{at}": layer for layer in told for at in range(len(told[layer]))}
    assert expected == {s["name"]: s["layer"] for s in listed if s["layer"] in told}


def test_uses_of_a_skill_that_comes_with_learnt_are_kept(home: Home) -> None:
    """In the ledger, for the next process too; no file of the package is touched."""
    enable(home, "bandits")
    for success in (True, False):
        with SkillRegistry(home.folder / "mine", home=home.path) as registry:
            skill = registry.get("ucb-regret-analysis")
            assert skill is not None
            text = Path(skill.file_path).read_bytes()
            registry.update_stats("ucb-regret-analysis", success)
    with SkillRegistry(home.folder / "mine", home=home.path) as registry:
        skill = registry.get("ucb-regret-analysis")
        assert skill is not None and text == Path(skill.file_path).read_bytes()
        assert (2, 0.7) == (skill.meta.usage_count, skill.meta.success_rate)


def test_only_a_person_pins(home: Home, folder: Path) -> None:
    """Which instructions come first is theirs to say, and no longer as well."""
    for words in (["short"], ["short", "--off"]):
        refused = home.cli("skills", "pin", *words, environment={"CLAUDECODE": "1"})
        assert 1 == refused.exit_code
        assert f"ask them to run `learnt skills pin {' '.join(words)}`" in refused.errors
    assert not home.here("skills", "show", "short", "--json").json["skill"]["pinned"]
    assert 0 == home.typed("skills", "pin", "short")[0]
    assert home.here("skills", "show", "short", "--json").json["skill"]["pinned"]


def test_what_does_not_fit_into_the_budget_is_named_as_left_out(home: Home, folder: Path) -> None:
    """`skills` are those that the block holds whole; on the error stream it says so too."""
    words = ("skills", "inject", "--role", "writer", "--budget", "100")
    answer = home.here(*words, "--json").json
    assert (["short"], ["zlong"]) == (answer["skills"], answer["left_out"])
    assert "Stop them." in answer["block"] and "zlong" not in answer["block"]
    assert "zlong was left out: it does not fit into 100 tokens" in home.here(*words).errors
    nothing = home.here(*words[:-1], "1")
    assert "no skill fits" not in nothing.errors and "short was left out" in nothing.errors


def test_a_program_is_warned_of_what_does_not_fit(
    home: Home, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By name, in the log."""
    with SkillRegistry(folder, home=home.path) as registry, caplog.at_level(logging.WARNING):
        records = registry.get_by_role("writer")
        SkillInjector(registry).render_for_prompt(records, budget=100)
    assert "zlong is left out" in caplog.text and "short is" not in caplog.text


def test_an_answer_says_how_the_text_was_looked_for(home: Home, folder: Path) -> None:
    """By words, since no embedder is asked; by tags alone no text is looked for."""
    task = ("skills", "inject", "--task", "queues", "--role", "writer", "--json", "--strategy")
    told = [home.here(*task, how).json["ranked_by"] for how in ("tag", "semantic", "hybrid")]
    assert ["", "words", "words"] == told
    assert "words" == home.here("skills", "search", "queues", "--json").json["ranked_by"]


def test_a_task_has_the_fields_of_the_seed() -> None:
    """By the same names and with the same defaults; what was not begun has no times."""
    task = asdict(Task(task_id="t1", depends_on=["t0"], outputs={"proof": "x"}))
    assert task.pop("created_at") is not None
    assert task == {
        "task_id": "t1", "name": "", "agent_role": "", "description": "", "inputs": {},
        "outputs": {"proof": "x"}, "status": "pending", "depends_on": ["t0"],
        "gate_required": False, "retries": 0, "max_retries": 3, "error_message": "",
        "started_at": None, "completed_at": None,
    }  # fmt: skip


def test_who_asks_for_a_role_that_no_skill_has_is_told(home: Home) -> None:
    """The block is empty, and another way to choose is named."""
    done = home.here("skills", "inject", "--task", "anything", "--role", "nobody")
    assert (0, "") == (done.exit_code, done.output)
    assert "no skill fits" in done.errors and "--strategy semantic" in done.errors
