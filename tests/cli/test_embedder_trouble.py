"""`doctor` names the trouble of an embedder, and search goes on by words."""

import json
from importlib.util import find_spec

import pytest

from tests.support.chat_server import Answer, ChatServer
from tests.support.homes import Home

pytestmark = pytest.mark.skipif(
    find_spec("openai") is None, reason="openai is not installed: the extra `models`"
)

FACT = "The release train leaves on tuesdays at noon"
CONFIG = """\
[search]
embedder = "openai:small"
url = "{}/v1"

[models]
seconds = 1
"""


def served(vectors: str) -> Answer:
    """The answer of a server that gives these vectors, as JSON."""
    usage = '"usage": {"prompt_tokens": 3, "total_tokens": 3}'
    return Answer(
        raw=f'{{"object": "list", "model": "small", "data": {vectors}, {usage}}}'.encode()
    )


def vector(at: int, *numbers: float) -> str:
    """One vector of such an answer."""
    return json.dumps({"object": "embedding", "index": at, "embedding": numbers})


TROUBLES = {
    "it fails": Answer(status=500, raw=b"{}"),
    "it hangs": Answer(pause=3, raw=b"{}"),
    "its vector has a NaN": served(f"[{vector(0, float('nan'), 1.0)}]"),
    "its vector is nothing": served(f"[{vector(0, 0.0, 0.0)}]"),
    "it gives none": served("[]"),
    "it gives one too many": served(f"[{vector(0, 1.0)}, {vector(1, 1.0)}]"),
    "it answers no JSON": Answer(raw=b"<html>"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_what_is_degraded_is_named_and_words_go_on(home: Home, trouble: str) -> None:
    """A warning that says what to do, and what shares a word with the question is found."""
    home.install()
    home.here("knowledge", "capture", "--kind", "business_rule", FACT, typed="")
    with ChatServer([TROUBLES[trouble]] * 4) as server:
        (home.path / "config.toml").write_text(CONFIG.format(server.url), encoding="utf-8")
        probes = home.here("doctor", "--ask-model", "--json").json["probes"]
        (probe,) = (probe for probe in probes if probe["name"] == "embedder")
        hit = home.here("recall", "release train")

    assert 2 <= len(server.asked), "by both"
    assert "warning" == probe["level"]
    assert "openai:small" in probe["said"]
    assert "search goes by words alone" in probe["todo"]
    assert (0, True) == (hit.exit_code, FACT in hit.output)
    assert "by words alone" in hit.errors
