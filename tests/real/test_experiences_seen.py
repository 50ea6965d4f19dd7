"""The real Claude Code gets what went well when a skill ran before."""

import pytest

from tests.real.test_what_happened import PASSING, play, with_skill
from tests.support.beside_client import Learnt
from tests.support.model_server import call, say

HEAD = "Similar past successes of this skill"


@pytest.mark.slow
def test_a_skill_is_told_what_went_well(learnt: Learnt) -> None:
    """At a typed skill and at the agent's own launch, the model reads it; once in a session."""
    project = learnt.client.project("alpha")
    learnt.init()
    with_skill(project, "audit")
    (project / "tests").mkdir()
    (project / "tests" / "test_it.py").write_text(PASSING, "utf-8")
    tests = call("Bash", command="python3 -m unittest discover -s tests", description="Run them")
    play(learnt, project, "Please audit the billing module", call("Skill", skill="audit"), tests)
    (past,) = learnt.json("health", "experiences", "audit")["experiences"]
    assert past["task_description"] == "Please audit the billing module"

    run = learnt.client.run(project, "/audit the billing tests", [say("Done.")])
    assert HEAD in run.requests[-1].newest_text, run.requests[-1]
    assert "tests passed" in run.requests[-1].newest_text

    script = [call("Skill", skill="audit"), call("Skill", skill="audit"), say("Done.")]
    run = learnt.client.run(project, "Audit the billing module again", script)
    seen = [str(request.body).count(HEAD) for request in run.requests]
    assert seen == [0, 1, 1], seen
    learnt("rebuild", "--verify")
