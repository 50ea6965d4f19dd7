"""A provider's model, asked of a scripted server that may do anything."""

import gzip
import os
import time

import pytest

from learnt.core.governance.model_calls import Completion, Question
from learnt.errors import ModelUnusable
from learnt.exchanges.providers import ProviderModel
from tests.support.chat_server import Answer, ChatServer

QUESTION = Question("Be brief.", "What failed?", '{"type": "object"}', 100)
KEY = "sk-abcdefgh1234567890abcdefgh"
DIALECTS = {"openai:small": "/v1", "ollama:qwen3": "/v1", "anthropic:claude-x": ""}


def model(server: ChatServer, use: str = "openai:small", seconds: float = 20) -> ProviderModel:
    os.environ["OWN_KEY"] = KEY
    return ProviderModel(use, server.url + DIALECTS[use], "OWN_KEY", seconds)


@pytest.mark.parametrize("use", DIALECTS)
def test_each_dialect_is_spoken(use: str) -> None:
    """Instructions, question, limit and key go; text, tokens and whether it was cut come back."""
    with ChatServer([Answer("It was the \u6570.", tokens=(7, 3), finish="length")]) as server:
        said = model(server, use).complete(QUESTION)
        path, headers, body = server.asked[0]

    assert Completion("It was the \u6570.", True, 7, 3) == said
    assert 100 == body.get("max_tokens", body.get("max_completion_tokens"))
    assert all(text in str(body) for text in ("Be brief.", "What failed?", "one JSON object"))
    sent = {name.lower(): value for name, value in headers.items()}
    assert KEY in sent.get("authorization", sent.get("x-api-key", ""))
    assert path.endswith(("/chat/completions", "/messages"))


BAD = {
    "garbage": (Answer(raw=b"\xff\x00{{{"), "no reply"),
    "no JSON object": (Answer(raw=b"[1, 2]"), "no reply"),
    "another shape": (Answer(raw=b'{"choices": "none"}'), "no reply"),
    "empty": (Answer(raw=b""), "no reply"),
    "a stream": (
        Answer(raw=b'data: {"x": 1}\n\ndata: [', headers=(("content-type", "text/event-stream"),)),
        "no reply",
    ),
    "too long": (Answer(raw=b'{"x": "' + b"y" * 3_000_000), "no reply"),
    "packed": (
        Answer(raw=gzip.compress(b"{}"), headers=(("content-encoding", "gzip"),)), "no reply"
    ),
    "an error that shows the key": (Answer(raw=KEY.encode(), status=401), "http 401"),
    "too many questions": (Answer(raw=b"{}", status=429), "http 429"),
    "broken": (Answer(raw=b"{}", status=500), "http 500"),
    "slow": (Answer(pause=3.0), "time-out"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_what_a_server_does_wrong_is_one_error(kind: str) -> None:
    """Asked once, no key in the message; what was turned down costs nothing."""
    answer, trouble = BAD[kind]
    started = time.monotonic()
    with ChatServer([answer, Answer("a retry")]) as server:
        with pytest.raises(ModelUnusable) as raised:
            model(server, seconds=1.0 if answer.pause else 20).complete(QUESTION)
        assert 1 == len(server.asked)
    assert trouble == raised.value.trouble
    assert KEY not in str(raised.value)
    assert (trouble in {"http 401", "http 429"}) is raised.value.free
    assert time.monotonic() - started < 15


def test_a_redirect_is_not_followed() -> None:
    """Neither the question nor the key goes anywhere else."""
    with ChatServer([Answer("elsewhere")]) as other:
        away = Answer(raw=b"", status=307, headers=(("location", f"{other.url}/v1/x"),))
        with ChatServer([away]) as server, pytest.raises(ModelUnusable):
            model(server).complete(QUESTION)
        assert [] == other.asked


@pytest.mark.parametrize("url", ["http://192.0.2.1/v1", "ftp://127.0.0.1", "http://127.0.0.1:1/v1"])
def test_no_plain_address_but_this_machines_is_asked(url: str) -> None:
    """Nothing is sent unencrypted to another machine; where nobody listens there is no reply."""
    with pytest.raises(ModelUnusable, match="gave no reply"):
        ProviderModel("openai:small", url, "", 5).complete(QUESTION)


def test_a_missing_key_sends_nothing() -> None:
    """The variable is named, and it costs nothing."""
    with ChatServer() as server:
        asked = ProviderModel("openai:small", server.url, "NOT_SET", 5)
        with pytest.raises(ModelUnusable, match="NOT_SET") as raised:
            asked.complete(QUESTION)
        assert ([], True) == (server.asked, raised.value.free)


def test_an_unknown_provider_is_unusable() -> None:
    """As a message, whatever the library raises."""
    with pytest.raises(ModelUnusable, match="nobody:x gave no reply"):
        ProviderModel("nobody:x", "", "", 5).complete(QUESTION)
