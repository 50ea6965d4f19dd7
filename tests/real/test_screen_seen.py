"""What the model reads at a session's start, and what the person sees on the screen meanwhile."""

import json

import pytest

from tests.real.test_other_agents_seen import client as other
from tests.support.beside_client import APPROACH, PROBLEM, Learnt
from tests.support.model_server import say
from tests.support.other_clients import Codex, GeminiCli, OtherClient

WISHES = [
    "the staging gateway listens on port 8443",
    "the invoice export writes UTF-8 files",
    "the nightly backup is kept for thirty days",
    "the billing team owns the tariff table",
]
GAVE = "Learnt gave the agent:"
# Without a sign at its end: some clients take a question mark for a key of their own.
ASKED = "The gradle build fails with unsupported class file major version 65, tell me why"
NOTES = "Notes from earlier work on this project"
ANSWERS = ["The first answer.", "The second answer."]
STARTED = {"codex": "Ask Codex", "gemini": "Type your message"}


def test_the_contents_are_read_and_the_notice_is_seen(learnt: Learnt) -> None:
    """Claude Code: the note's line in the first request; on the screen what was used and saved."""
    learnt.init()
    project = learnt.client.project("alpha")
    handle = learnt.remember(project)[-5:]
    for wish in WISHES:  # a busy machine is asked again
        with learnt.client.seen(project, list(map(say, ANSWERS))) as (pane, server):
            pane.until("mode on")
            pane.type(ASKED)
            pane.until(ANSWERS[0])
            pane.type(f"Remember: {wish}")
            pane.until(ANSWERS[1])
            screen = pane.text
        first = server.conversation[0].visible_text
        if NOTES in first and GAVE in screen:
            break

    assert NOTES in first and f"{handle} " in first and PROBLEM[:40] in first
    assert f"UserPromptSubmit says: {GAVE}" in screen, screen
    assert "says: Learnt saved" in screen and wish in screen


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Codex, GeminiCli], ids=lambda kind: kind.program)
def test_another_agents_screen_shows_it_as_well(learnt: Learnt, kind: type[OtherClient]) -> None:
    """The contents in its first request, the lines on its screen; a wish says what it waits for."""
    agent, project = other(kind, learnt), learnt.client.project("alpha")
    handle = learnt.remember(project)[-5:]
    for wish in WISHES:  # a busy machine is asked again
        with agent.seen(project, list(map(say, ANSWERS))) as (pane, model):
            pane.until(STARTED[kind.program])
            pane.type(ASKED)
            pane.until(ANSWERS[0])
            pane.type(f"Remember: {wish}")
            pane.until("learnt review")
            screen = pane.text
        first = json.dumps(model.requests[0])
        if NOTES in first and GAVE in screen:
            break

    assert NOTES in first and f"{handle} " in first and APPROACH in first
    assert GAVE in screen, screen
