"""The real Claude Code leaves descriptions out of its list of skills: those that `doctor` names."""

import json

import pytest

from learnt.core.skills.selection import Listed, cut_off, room
from tests.support.beside_client import Learnt
from tests.support.model_server import say

ABOUT = "Reads tide tables. " * 36


@pytest.mark.slow
def test_the_descriptions_that_do_not_fit_are_those_that_were_computed(learnt: Learnt) -> None:
    """In 1 % of a million tokens, the client's own skills first; one more or less may fit."""
    client = learnt.client
    project = client.project("alpha")
    names = [f"tides-{number:02}" for number in range(60)]
    for name in names:
        file = client.config / "skills" / name / "SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text(f"---\nname: {name}\ndescription: {ABOUT}\n---\n\nx\n", "utf-8")
    listed = json.dumps(client.run(project, "Which skills?", [say("Those.")]).requests[0].body)
    bare = {name for name in names if f"- {name}: Reads" not in listed}
    assert all(f"- {name}" in listed for name in names)
    computed = cut_off([Listed(name, ABOUT.strip()) for name in names], *room({}, 1_000_000))
    assert 20 < len(bare) < 40
    assert len(bare ^ set(computed.names)) <= 1
