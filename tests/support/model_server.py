"""A scripted stand-in for the Anthropic Messages API, on loopback only.

The "model" plays a list of turns. A request that offers tools belongs to a conversation and takes
the first turn that fits it; any other (a title, a probe of the quota) is an errand, answered with
one fixed word, so that errands never eat the script. Out of script, the model says "done".
"""

import json
import os
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias

from tests.support.loopback import Loopback, QuietHandler

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One reply of the scripted model: content blocks, or an API error where `status` is one.

    With `match` it waits for a request in whose newest text the pattern is found.
    """

    blocks: tuple[Json, ...] = ()
    match: str | None = None
    status: HTTPStatus = HTTPStatus.OK

    def fits(self, request: "Request") -> bool:
        return self.match is None or re.search(self.match, request.newest_text) is not None


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def tool_use(name: str, /, **arguments: Any) -> Json:
    return {"type": "tool_use", "name": name, "input": arguments}


def say(words: str, *, match: str | None = None) -> Turn:
    return Turn(blocks=(text(words),), match=match)


def call(name: str, /, **arguments: Any) -> Turn:
    return Turn(blocks=(tool_use(name, **arguments),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as the client sent it."""

    method: str
    path: str
    body: Json

    @property
    def is_conversation(self) -> bool:
        return self.path.endswith("/v1/messages") and bool(self.body.get("tools"))

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Role and text of every message, oldest first."""
        return [(m["role"], _text_of(m.get("content"))) for m in self.body.get("messages", [])]

    @property
    def newest_text(self) -> str:
        """What the model got since it last spoke: the prompt, and what hooks put beside it.

        Some models get a hook's context in the prompt's own message, some in one that follows it.
        """
        newest: list[str] = []
        for role, words in reversed(self.messages):
            if role == "assistant":
                break
            newest.append(words)
        return "\n".join(reversed(newest))

    @property
    def visible_text(self) -> str:
        """All that the model would read: the system prompt, then every message."""
        system = _text_of(self.body.get("system"))
        return "\n".join([system, *(words for _, words in self.messages)])


def _text_of(content: Any) -> str:
    """The text of a message's content: a string, or a list of blocks, nested or not."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (block.get("text") or block.get("content") or block.get("input") for block in content)
    return "\n".join(
        json.dumps(part, ensure_ascii=False) if isinstance(part, dict) else _text_of(part)
        for part in parts
    )


class ModelServer(Loopback):
    """Plays a script while it is entered; keeps every request in `requests`."""

    def __init__(self, script: Sequence[Turn] = ()) -> None:
        self.requests: list[Request] = []
        self._left = list(script)
        self._lock = threading.Lock()
        super().__init__(_Handler)

    @property
    def conversation(self) -> list[Request]:
        """The requests that the script was played to, oldest first."""
        with self._lock:
            return [request for request in self.requests if request.is_conversation]

    def answer(self, request: Request) -> Turn:
        """Note the request; give the turn to play."""
        with self._lock:
            self.requests.append(request)
            if not request.is_conversation:
                return say("ok")
            turn = next((turn for turn in self._left if turn.fits(request)), None)
            if turn is None:
                return say("done")
            self._left.remove(turn)
            return turn


class _Handler(QuietHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._send_json({})

    def do_GET(self) -> None:
        self.server.answer(Request(method="GET", path=self.path, body={}))
        self._send_json({"data": [], "has_more": False, "first_id": None, "last_id": None})

    def do_POST(self) -> None:
        body = self.body()
        path = self.path.partition("?")[0]
        turn = self.server.answer(Request(method="POST", path=path, body=body))
        if path.endswith("/count_tokens"):
            self._send_json({"input_tokens": len(json.dumps(body)) // 4 + 1})
        elif turn.status is not HTTPStatus.OK:
            error = {"type": "invalid_request_error", "message": "a scripted error"}
            self._send_json({"type": "error", "error": error}, turn.status)
        elif body.get("stream"):
            self._send_events(_message(body, turn))
        else:
            self._send_json(_message(body, turn))

    def _send_json(self, value: Json, status: HTTPStatus = HTTPStatus.OK) -> None:
        data = b"" if self.command == "HEAD" else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_events(self, message: Json) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")  # what ends a body without a length
        self.end_headers()
        for event in _events(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())


def _message(body: Json, turn: Turn) -> Json:
    blocks = [
        block | {"id": f"toolu_{os.urandom(12).hex()}"} if block["type"] == "tool_use" else block
        for block in turn.blocks
    ]
    calls_tools = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": f"msg_{os.urandom(12).hex()}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": blocks,
        "stop_reason": "tool_use" if calls_tools else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }


def _events(message: Json) -> Iterator[Json]:
    """The message as the server-sent events that a client puts together."""
    yield {"type": "message_start", "message": message | {"content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        empty: Json = {"text": ""}
        delta: Json = {"type": "text_delta", "text": block.get("text")}
        if block["type"] == "tool_use":
            arguments = json.dumps(block["input"])
            empty, delta = {"input": {}}, {"type": "input_json_delta", "partial_json": arguments}
        yield {"type": "content_block_start", "index": index, "content_block": block | empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}
