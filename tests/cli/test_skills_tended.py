"""Skills are looked after: by `evolve analyze`, and in the worker's job."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.settings import Settings
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.sqlite_skills import SqliteSkills
from learnt.stores.stemming import porter
from tests.flows.shelved import Shelved
from tests.flows.stage import Stage
from tests.flows.test_tend import DAY_MS, accepted
from tests.support.homes import Home
from tests.support.in_memory import FixedClock


@pytest.fixture
def unused(home: Home) -> Path:
    """A skill of ours that nobody used, for 61 days and in 20 sessions."""
    folder = home.folder / "user" / ".agents" / "skills"
    with opened(Settings(home=home.path)) as real:
        clock = FixedClock(real.clock.now_ms() - 61 * DAY_MS)
        key = (home.path / "key").read_bytes()
        around = Surroundings(key=key, clock=clock, random=real.random, stem=porter)
        ledger = SqliteLedger(home.path, around)
        library = SqliteSkills([SkillSource(str(folder), SkillLayer.USER)])
        shelf = Shelved(folder, library, Stage(replace(real, clock=clock, ledger=ledger)))
        shelf.put("queues", "Frees waiting queues.")
        accepted(shelf)
        for number in range(20):
            clock.ms += 1_000
            shelf.stage.begin(f"t{number}")
        library.close()
        ledger.close()
    return folder / "queues" / "SKILL.md"


def waiting(home: Home) -> list[tuple[str, str]]:
    listed = home.here("evolve", "list", "--json").json["proposals"]
    return [(proposal["kind"], proposal["target"]) for proposal in listed]


def test_what_is_never_used_is_proposed_for_the_archive_when_asked(
    home: Home, unused: Path
) -> None:
    """By `evolve analyze`, once."""
    (made,) = home.here("evolve", "analyze", "--json").json["new"]
    assert [("retire", str(unused))] == waiting(home) and made
    assert [] == home.here("evolve", "analyze", "--json").json["new"]


def test_and_after_a_session_by_the_worker(home: Home, unused: Path) -> None:
    """In the job that looks after skills."""
    transcript = home.folder / "transcript.jsonl"
    transcript.write_text('{"type": "user"}\n', "utf-8")
    with opened(Settings(home=home.path)) as outside:
        stage = Stage(outside, reports=1_000)
        ended = {"session": "s9", "cwd": str(home.project), "transcript": str(transcript)}
        stage.prompt("brew the tea for the ninth floor", **ended)
        stage.report("SessionEnd", **ended)
    words = ["-m", "learnt.surfaces.jobs", "--home", str(home.path), "harvest"]
    done = subprocess.run(
        [sys.executable, "-I", *words], env=home.environment, capture_output=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    assert [("retire", str(unused))] == waiting(home)
