"""A scripted stand-in for OpenAI's chat API and Anthropic's messages, on loopback only.

Unlike `model_server` it misbehaves: each answer of its script is a body, a status and a pause.
"""

import json
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.support.loopback import Loopback, QuietHandler


class Answer(NamedTuple):
    """What comes back: a text as the dialect has it, or these very bytes."""

    text: str = "ok"
    raw: bytes | None = None
    status: int = 200
    pause: float = 0.0
    headers: tuple[tuple[str, str], ...] = ()
    tokens: tuple[int, int] = (10, 5)
    finish: str = "stop"


class ChatServer(Loopback):
    """Plays a script while it is entered; keeps what it was sent in `asked`."""

    def __init__(self, script: Sequence[Answer] = ()) -> None:
        self.script = list(script)
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        super().__init__(_Handler)


class _Handler(QuietHandler):
    server: ChatServer

    def do_POST(self) -> None:
        body = self.body()
        self.server.asked.append((self.path, dict(self.headers), body))
        answer = self.server.script.pop(0) if self.server.script else Answer(status=500, raw=b"{}")
        time.sleep(answer.pause)
        made = _anthropic if self.path.endswith("/messages") else _openai
        data = answer.raw if answer.raw is not None else json.dumps(made(answer, body)).encode()
        try:
            self.send_response(answer.status)
            for name, value in (("content-type", "application/json"), *answer.headers):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            return  # whoever asked has gone


def _openai(answer: Answer, body: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer.text}
    sent, came = answer.tokens
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        "usage": {"prompt_tokens": sent, "completion_tokens": came, "total_tokens": sent + came},
    }


def _anthropic(answer: Answer, body: dict[str, Any]) -> dict[str, Any]:
    stops = {"stop": "end_turn", "length": "max_tokens"}
    sent, came = answer.tokens
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [{"type": "text", "text": answer.text}],
        "stop_reason": stops[answer.finish],
        "stop_sequence": None,
        "usage": {"input_tokens": sent, "output_tokens": came},
    }
