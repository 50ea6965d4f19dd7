"""The workflows for GitHub, which were never run there: what a reading of them can hold."""

import re
from typing import Any

import pytest
import yaml

from tools.release import ROOT, project

FOLDER = ROOT / ".github" / "workflows"
NAMES = ("test.yml", "release.yml")
# A version, or the branch by which the index's own action names one.
AT_A_MAJOR_VERSION = re.compile(r"[\w-]+/[\w-]+@(?:release/)?v\d+")
TARGETS = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def read(name: str) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    return found


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in read(name)["jobs"].values() for step in job["steps"]]


def test_there_are_two() -> None:
    """One tests, one releases; both say that they were never run."""
    assert sorted(NAMES) == sorted(path.name for path in FOLDER.iterdir())
    for name in NAMES:
        assert "not run there yet" in (FOLDER / name).read_text("utf-8").splitlines()[0]
    assert "never ran on GitHub" in (ROOT / "docs" / "release.md").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_what_it_calls_is_there(name: str) -> None:
    """Each target of make; each action at a major version; each job ends by itself."""
    called = re.findall(r"make ([\w-]+)", " ".join(step.get("run", "") for step in steps(name)))

    assert called and set(called) <= set(TARGETS)
    used = [step["uses"] for step in steps(name) if "uses" in step]
    assert used and all(AT_A_MAJOR_VERSION.fullmatch(action) for action in used)
    assert all(job["timeout-minutes"] <= 60 for job in read(name)["jobs"].values())


def test_the_tests_run_on_each_system_and_python_that_is_named() -> None:
    """Linux and macOS, and the versions of the classifiers."""
    matrix = read("test.yml")["jobs"]["test"]["strategy"]["matrix"]
    named = [line.rpartition(":: ")[2] for line in project()["classifiers"]]

    assert ["ubuntu-latest", "macos-latest"] == matrix["os"]
    assert [name for name in named if re.fullmatch(r"3\.\d+", name)] == matrix["python"]
    assert ["3.11", "3.12", "3.13", "3.14"] == matrix["python"]


def test_no_job_has_a_right_that_it_does_not_use() -> None:
    """To read, to all; a token of the index's, to the job that publishes what another built."""
    assert {"contents": "read"} == read("test.yml")["permissions"]
    release = read("release.yml")
    assert {} == release["permissions"]
    rights = {name: job.get("permissions") for name, job in release["jobs"].items()}
    assert {"build": {"contents": "read"}, "publish": {"id-token": "write"}} == rights
    assert "pypi" == release["jobs"]["publish"]["environment"]
    assert not any("run" in step for step in release["jobs"]["publish"]["steps"])
    assert [] == [name for name in NAMES if "secrets" in (FOLDER / name).read_text("utf-8")]


@pytest.mark.parametrize("name", NAMES)
def test_no_step_pastes_what_a_stranger_may_write_into_a_command(name: str) -> None:
    """A branch's or a tag's name comes in as a variable, and a checkout leaves no token behind."""
    assert [] == [step["run"] for step in steps(name) if "${{" in step.get("run", "")]
    checkouts = [
        step for step in steps(name) if step.get("uses", "").startswith("actions/checkout")
    ]
    assert checkouts and all(step["with"]["persist-credentials"] is False for step in checkouts)
