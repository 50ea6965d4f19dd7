"""The real Claude Code as a text model: what it is asked, and that no hook sees it."""

import os

import pytest

from learnt.bootstrap import opened
from learnt.core.governance.model_calls import Question
from learnt.exchanges.text_model.agent_programs import AgentModel
from learnt.settings import Settings
from tests.support.beside_client import Learnt
from tests.support.model_server import ModelServer


@pytest.mark.slow
def test_claude_is_asked_without_tools_hooks_or_a_session(learnt: Learnt) -> None:
    """One request with our words; no transcript stays and nothing is there to harvest."""
    client = learnt.client
    learnt.init()
    question = Question("You distil skills.", "What failed twice?", most_tokens=300)
    with ModelServer() as server:
        os.environ.update(client.environment | {"ANTHROPIC_BASE_URL": server.url})
        os.environ["PATH"] = f"{client.binary.parent}:{os.environ['PATH']}"
        said = AgentModel("claude", 60).complete(question)
        asked = [request for request in server.requests if request.path.endswith("/messages")]

    assert ("ok", 10, 10) == (said.text, said.tokens_in, said.tokens_out)
    assert said.micro_usd is not None
    assert 1 == len(asked)
    assert [300, []] == [asked[0].body["max_tokens"], asked[0].body["tools"]]
    assert "You distil skills." in asked[0].visible_text
    assert "What failed twice?" in asked[0].newest_text
    assert [] == list((client.config / "projects").rglob("*.jsonl"))
    with opened(Settings(home=learnt.home)) as outside, outside.ledger.reading() as reader:
        assert [] == list(reader.sessions_observed())
    assert [] == list((learnt.home / "spool").glob("*.json"))
