"""Scripted stand-ins for the models of Codex, Gemini CLI and opencode, on loopback only.

A script is the one of `model_server`: a request that offers tools takes the next turn. Any other,
and one for an answer in a form (a title), is an errand and answered with one word. `requests` keeps
the bodies as the clients sent them.
"""

import json
import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from tests.support.loopback import Loopback, QuietHandler
from tests.support.model_server import Turn, say

Json = dict[str, Any]


class OtherModel(Loopback):
    """Plays a script while it is entered, in the form of whichever API is asked."""

    def __init__(self, script: Sequence[Turn] = ()) -> None:
        self.requests: list[Json] = []
        self._left = list(script)
        self._lock = threading.Lock()
        super().__init__(_Handler)

    def answer(self, body: Json) -> Turn:
        """Note the request; give the turn to play."""
        with self._lock:
            if not body.get("tools") or "format" in body.get("text", {}):
                return say("ok")
            self.requests.append(body)
            return self._left.pop(0) if self._left else say("done")


class _Handler(QuietHandler):
    server: OtherModel

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"data": [], "models": []}))

    def do_POST(self) -> None:
        body, path = self.body(), self.path.partition("?")[0]
        turn = self.server.answer(body)
        if path.endswith("/responses"):
            self._send_events(_responses(turn))
        elif path.endswith("/chat/completions"):
            self._send_events([*_completions(body, turn), "[DONE]"])
        elif path.endswith(":streamGenerateContent"):
            self._send_events([_generated(turn)])
        elif path.endswith(":countTokens"):
            self._send("application/json", json.dumps({"totalTokens": 10}))
        else:
            self._send("application/json", json.dumps(_generated(turn)))

    def _send_events(self, events: Sequence[Json | str] | Iterator[Json]) -> None:
        texts = [each if isinstance(each, str) else json.dumps(each) for each in events]
        self._send("text/event-stream", "".join(f"data: {text}\r\n\r\n" for text in texts))

    def _send(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _responses(turn: Turn) -> Iterator[Json]:
    yield {"type": "response.created", "response": {"id": "resp"}}
    for block in turn.blocks:
        if block["type"] == "text":
            content = [{"type": "output_text", "text": block["text"]}]
            item: Json = {"type": "message", "role": "assistant", "id": "m", "content": content}
        else:
            called = {"call_id": f"call_{os.urandom(6).hex()}", "name": block["name"]}
            given: Json = {"type": "function_call", "arguments": json.dumps(block["input"])}
            if block["name"] == "apply_patch":  # which takes a text and no arguments
                given = {"type": "custom_tool_call", "input": block["input"]["patch"]}
            if block["name"] == "tool_search":  # by which servers' tools are found
                given = {"type": "tool_search_call", "arguments": block["input"]}
                given["execution"] = "client"
            if block["name"].startswith("mcp__"):
                space, _, called["name"] = block["name"].rpartition("__")
                given["namespace"] = space
            item = {"id": "f", **called, **given}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    done = {"id": f"resp_{os.urandom(6).hex()}", "output": [], "usage": usage}
    yield {"type": "response.completed", "response": done}


def _completions(body: Json, turn: Turn) -> Iterator[Json]:
    words = "".join(block["text"] for block in turn.blocks if block["type"] == "text")
    calls = [
        {
            "index": number,
            "id": f"call_{os.urandom(6).hex()}",
            "type": "function",
            "function": {"name": block["name"], "arguments": json.dumps(block["input"])},
        }
        for number, block in enumerate(b for b in turn.blocks if b["type"] == "tool_use")
    ]
    delta: Json = {"role": "assistant", "content": words or None}
    delta |= {"tool_calls": calls} if calls else {}
    made = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": body.get("model")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    yield {**made, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    ended = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}
    yield {**made, "choices": [ended], "usage": usage}


def _generated(turn: Turn) -> Json:
    parts = [
        {"text": block["text"]}
        if block["type"] == "text"
        else {"functionCall": {"name": block["name"], "args": block["input"]}}
        for block in turn.blocks
    ]
    content = {"role": "model", "parts": parts}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash"}
