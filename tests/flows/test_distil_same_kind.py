"""Successes alone become a skill where the same steps worked in three sessions for one task."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from learnt.core.distil.distilled import NOT_ENOUGH
from learnt.core.events import Actor, Kind
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.flows.governance.purge import Target, purge
from learnt.stores.sqlite_skills import SqliteSkills
from tests.flows.test_distil import PAGE, WORKS, Bench
from tests.support.sessions_told import Turn, edited, ran, said


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    source = SkillSource(str(tmp_path / "skills"), SkillLayer.USER)
    library = SqliteSkills([source], tmp_path / "skills.index")
    yield Bench(tmp_path / "skills", library)
    library.close()


def deployed(cluster: str, *more: dict[str, Any]) -> list[Turn]:
    """The same three commands for a cluster, once; each worked."""
    return [
        said(
            f"put {cluster} on the new version",
            ran(f"tofu plan -out plan.bin -var-file env/{cluster}.tfvars", "2 to add"),
            ran(f"tofu apply plan.bin --cluster {cluster}", "added"),
            ran(f"smoke --env {cluster} --all", "ok"),
            *more,
        )
    ]


def test_the_same_steps_in_three_sessions_make_a_draft(bench: Bench) -> None:
    """Neither in one nor in two; what differed stays open, and the draft says how often it was."""
    assert [] == bench.played(deployed("eu"), "s1")
    assert [] == bench.played(deployed("us"), "s2")
    (fate,) = bench.played(deployed("asia"), "s3")

    assert "new" == fate.what
    text = bench.draft(fate)
    assert "1. Run `tofu plan -out plan.bin -var-file env/<…>.tfvars`" in text
    assert "3. Run `smoke --env <…> --all`" in text
    assert "These 3 commands worked in 3 sessions (" in text
    assert [] == list(bench.home.outside.ledger.verify())


def test_else_it_says_that_there_is_not_enough_of_the_same_kind(bench: Bench) -> None:
    """Where all went well: with two sessions, and with commands of three kinds of task."""
    for name, turns in (("s1", deployed("eu")), ("s2", deployed("us"))):
        bench.home.session(name, turns)
        assert NOT_ENOUGH == bench.distil(name).finding
    docs = deployed("asia", edited("docs/deploy.md", "", "How we deploy, step by step."))
    bench.home.session("s3", docs)
    made = bench.distil("s3")
    assert ((), NOT_ENOUGH) == (made.fates, made.finding)


def test_what_a_page_may_have_said_counts_for_nothing(bench: Bench) -> None:
    """A task in which a page was read is no evidence."""
    for name in ("s1", "s2", "s3"):
        assert [] == bench.played(deployed(name, PAGE), name)


def test_one_command_again_and_again_is_no_procedure(bench: Bench) -> None:
    """However many sessions run it."""
    for name in ("s1", "s2", "s3", "s4"):
        assert [] == bench.played([said("roll it out", WORKS)], name)


def test_a_session_that_is_purged_counts_no_more(bench: Bench) -> None:
    """Its steps are erased with it."""
    bench.played(deployed("eu"), "s1")
    bench.played(deployed("us"), "s2")
    outside = bench.home.outside
    purge(outside, Target(session="s1"), Actor.HUMAN)

    assert [] == bench.played(deployed("asia"), "s3")
    with outside.ledger.reading() as reader:
        kept = [each.payload.get("worked") for each in reader.events(kind=Kind.HARVESTED)]
        assert 2 <= len([refs for refs in kept if refs])
        assert [] == list(reader.contents_with("env/eu.tfvars"))
