"""What any door to a text model promises, and any text model."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.core.governance.model_calls import Question
from learnt.errors import ModelUnusable, Refused
from learnt.exchanges.providers import ProviderModel
from learnt.ports import Outside, TextModel
from learnt.stores.home_folder import FileModelDoor
from tests.support.chat_server import Answer, ChatServer
from tests.support.in_memory_model import ScriptedModel


def test_the_door_is_passed_again_once_it_was_left(outside: Outside) -> None:
    """One after the other, also after one who failed."""
    with pytest.raises(ValueError, match="inside"), outside.model_door.passed():
        raise ValueError("inside")
    with outside.model_door.passed():
        pass


def test_the_door_lets_one_through(tmp_path: Path) -> None:
    """A second waits and is refused."""
    (tmp_path / "run").mkdir()
    door, other = FileModelDoor(tmp_path), FileModelDoor(tmp_path, patience=0.1)
    with door.passed(), pytest.raises(Refused, match="under way"), other.passed():
        raise AssertionError


@pytest.fixture(params=["scripted", "openai:small", "anthropic:small"])
def model(request: pytest.FixtureRequest) -> Iterator[TextModel]:
    """A model that says hello once, and nothing sensible after that."""
    use = str(request.param)
    with ChatServer([Answer("hello"), Answer(raw=b"?")]) as server:
        match use.partition(":")[0]:
            case "scripted":
                yield ScriptedModel(["hello"])
            case kind:
                url = server.url + ("/v1" if kind == "openai" else "")
                yield ProviderModel(use, url, "", 20)


def test_a_model_answers_or_is_unusable(model: TextModel) -> None:
    """A reply has its text and is billed; where there is none the error names the trouble."""
    said = model.complete(Question("You are brief.", "Say hello."))
    assert ("hello", False) == (said.text, said.cut)
    assert said.tokens_in > 0 < said.tokens_out
    with pytest.raises(ModelUnusable) as raised:
        model.complete(Question("", "And again?"))
    assert raised.value.trouble and model.name


def test_a_model_answers_within_an_event_loop(model: TextModel) -> None:
    """A program that embeds Learnt may run one in the same thread."""

    async def embedding() -> str:
        return model.complete(Question("You are brief.", "Say hello.")).text

    assert "hello" == asyncio.run(embedding())
