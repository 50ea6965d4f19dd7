"""A program's runs are learnt from: skills graded, and what they teach proposed, never written."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from learnt.errors import UsageError
from learnt.surfaces.api.evolver import (
    Budget,
    ContinualLearningLoop,
    FailedAttempt,
    ProofRecord,
    SkillEvolver,
)
from learnt.surfaces.api.skills import SkillRegistry
from tests.support.in_memory_model import ScriptedModel

LOST = [
    FailedAttempt("bound-2", "the variance term is lost", "Apply Markov."),
    FailedAttempt("plot", "matplotlib finds no display on the server", "Call show()."),
]
SHOWN = [ProofRecord(lemma_id="bound-2", proof_text="Apply Bernstein, then sum over the rounds.")]
REPLY = {
    "title": "Loose bounds", "description": "Tightens a bound that is too loose.",
    "when": "A union bound is loose", "steps": ["Peel over dyadic scales"],
    "tags": ["bounds"], "roles": ["prover"], "stages": ["proving"],
}  # fmt: skip


@dataclass
class SeedAttempt:
    """The seed's own record."""

    lemma_id: str
    attempt_text: str
    failure_reason: str
    iteration: int = 1


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[SkillRegistry]:
    """A registry in a home of its own, with one skill of the user's."""
    folder = tmp_path / "skills" / "regret-bounds"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        "---\nname: regret-bounds\ndescription: Bounds a regret.\ntags: [regret-rate]\n---\n\nDo.\n"
    )
    with SkillRegistry(tmp_path / "skills", home=tmp_path / "home") as opened:
        yield opened


def draft(registry: SkillRegistry, proposal: str) -> str:
    """The text that waits."""
    from learnt.flows.governance.listing import shown

    return shown(registry.shelf().outside, proposal).draft or ""


def test_a_run_proposes_what_helped_and_what_did_not_and_writes_no_skill(
    registry: SkillRegistry, tmp_path: Path
) -> None:
    """A draft for each subject, marked as an agent's words; the same run teaches nothing twice."""
    loop = ContinualLearningLoop(registry)
    run = loop.post_run(LOST, SHOWN, session_id="c2d22ab8-57ab")
    texts = [draft(registry, fate.proposal) for fate in run.distilled.fates]
    assert [fate.what for fate in run.distilled.fates] == ["new", "new"] and len(texts) == 2
    assert "1. Apply Bernstein, then sum over the rounds." in texts[0]
    assert "- Apply Markov.: the variance term is lost" in texts[0]
    assert "Call show()." in texts[1] and "Bernstein" not in texts[1]
    assert all('source: "distilled"' in text for text in texts)
    assert all('rests-on: "a model"' in text for text in texts)
    assert [path.name for path in (tmp_path / "skills").iterdir()] == ["regret-bounds"]
    again = loop.post_run(LOST, SHOWN, session_id="c2d22ab8-57ab")
    assert again.distilled.finding == "It was distilled before, and nothing was added since."


def test_a_failure_and_four_successes_are_too_little_but_for_madmax(
    registry: SkillRegistry,
) -> None:
    """By rules successes alone teach what worked alike in three sessions, and nothing else."""
    four = [ProofRecord(lemma_id=f"l-{n}", proof_text=f"way {n}") for n in range(4)]
    little = ContinualLearningLoop(registry).post_run(LOST[:1], four, session_id="a")
    assert little.distilled.fates == () and "too little" in little.distilled.finding
    five = ContinualLearningLoop(registry).post_run([], [*four, *SHOWN], session_id="b")
    assert five.distilled.finding.startswith("Not enough of the same kind")
    how = "Bound the tail by Bernstein, then sum over all dyadic blocks"
    shown = [ProofRecord(lemma_id="tail", proof_text=how)]
    same = [ContinualLearningLoop(registry).post_run([], shown, session_id=s) for s in "xyz"]
    assert [0, 0, 1] == [len(each.distilled.fates) for each in same]
    most = ContinualLearningLoop(registry, mode="madmax").post_run(LOST[:1], four, session_id="c")
    assert [fate.what for fate in most.distilled.fates] == ["new"]


def test_records_with_the_seeds_fields_are_taken(registry: SkillRegistry) -> None:
    """`lemma_id`, `attempt_text` and `failure_reason`, whatever class they are of."""
    tried = [SeedAttempt("bound-2", "Apply Markov.", "the variance term is lost")]
    made = SkillEvolver(registry).distill_from_session(tried, SHOWN)
    (fate,) = made.fates
    assert "Apply Markov.: the variance term is lost" in draft(registry, fate.proposal)


def test_skills_are_graded_by_how_the_run_went(registry: SkillRegistry) -> None:
    """Unknown names are passed over; where nobody says how it went, nothing is graded."""
    loop = ContinualLearningLoop(registry)
    loop.post_run([], [], injected_skills=["regret-bounds"])
    assert [skill.meta.usage_count for skill in registry.get_by_tags(["regret-rate"])] == [0]
    loop.post_run([], [], succeeded=False, injected_skills=["regret-bounds", "no-such"])
    registry.reload()
    (skill,) = registry.get_by_tags(["regret-rate"])
    assert (skill.meta.usage_count, skill.meta.success_rate) == (1, 0.0)


def test_the_process_reward_says_which_failures_are_looked_at_first(
    registry: SkillRegistry,
) -> None:
    """Six failures: the one of which it says nothing stays out; an error of its own counts as 0."""

    def score(failure: FailedAttempt) -> float:
        if failure.what == "l-0":
            raise ValueError("no model")
        return 7

    lost = [FailedAttempt(f"l-{n}", f"reason {n}") for n in range(6)]
    loop = ContinualLearningLoop(registry, mode="rl", score=score)
    run = loop.post_run(lost, [], session_id="r", refuted=["l-1"])
    assert dict(run.rewards) == {"l-0": 0.0, "l-1": -0.5, **{f"l-{n}": 1.0 for n in range(2, 6)}}
    told = "".join(draft(registry, each.proposal) for each in run.distilled.fates if each.proposal)
    assert "reason 1" in told and "reason 0" not in told
    assert ContinualLearningLoop(registry, score=score).post_run(lost[:1], []).rewards == ()


def test_a_model_that_is_handed_in_drafts_within_its_budget(registry: SkillRegistry) -> None:
    """Its metadata are in the draft; past the budget nothing is sent, and the caller is told."""
    with pytest.raises(UsageError, match="budget"):
        SkillEvolver(registry, ScriptedModel())
    model = ScriptedModel([json.dumps(REPLY)])
    evolver = SkillEvolver(registry, model, Budget(9_000, 0))
    (fate,) = evolver.distill_from_session(LOST, SHOWN, session_id="m").fates
    text = draft(registry, fate.proposal)
    assert fate.skill == "loose-bounds" and "Peel over dyadic scales" in text
    assert 'agent_roles: "prover"' in text and 'pipeline_stages: "proving"' in text
    assert "Apply Bernstein" in model.asked[0].text
