"""The real Claude Code: what is remembered serves the next prompt; of a near note it is asked."""

import pytest

from tests.support.beside_client import Learnt
from tests.support.model_server import say

GATEWAY = "the staging gateway listens on port 8443"
ASKED = "Which port does the staging gateway listen on?"
TEN, MORE = "Remember: the upload limit is 10 MB", "Remember: the upload limit is 25 MB"
LIMIT = "What is the upload limit in MB?"


@pytest.mark.slow
def test_what_is_remembered_serves_the_next_prompt(learnt: Learnt) -> None:
    """Typed at the client's own prompt; of two that may conflict each names the other."""
    learnt.init()
    project = learnt.client.project("alpha")
    prompts = (f"Remember: {GATEWAY}", ASKED, TEN, MORE, LIMIT)
    answers = [f"Answer {number}." for number in range(len(prompts))]

    run = learnt.client.run_interactive(
        project, list(zip(prompts, answers, strict=True)), list(map(say, answers))
    )

    # The first of a worker may be kept too late to be told of: what it takes is loaded then.
    _, shown, kept, near, asked = (run.asking(prompt).newest_text for prompt in prompts)
    assert "Saved [" in kept
    assert " TRUST 2" in shown and GATEWAY in shown
    assert "Does it repeat or contradict [" in near and "|narrows|different)" in near
    assert " TRUST 2" in asked and "may conflict with [" in asked


@pytest.mark.slow
def test_the_command_counts_as_much(learnt: Learnt) -> None:
    """`/memory remember`, which `init` added: the expansion event shows whose words they are."""
    learnt.init()
    project = learnt.client.project("alpha")
    prompts = (f"/memory remember {GATEWAY}", ASKED)
    answers = [f"Answer {number}." for number in range(len(prompts))]

    run = learnt.client.run_interactive(
        project, list(zip(prompts, answers, strict=True)), list(map(say, answers))
    )

    shown = run.asking(ASKED).newest_text
    assert " TRUST 2" in shown and GATEWAY in shown
