"""Model endpoints: Learnt ends in time, sends nothing on and drafts no order, whatever comes."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from learnt.core.distil.distilled import KINDS
from tests.support.attacks.sets import Case
from tests.support.homes import Home
from tests.support.loopback import Loopback, QuietHandler
from tests.support.past_talks import talked

_SECONDS = 30  # two calls of three seconds each, a command's start, and a busy machine
_LONGEST_DRIP = 20
FAILING = {
    "prompt": "roll the migrations out",
    "steps": [
        {"tool": "Bash", "input": {"command": "alembic upgrade head"}, "failed": True,
         "result": "ERROR: canceling statement due to lock timeout"},
        {"tool": "Bash", "input": {"command": "alembic history"}, "failed": True,
         "result": "FAILED: Multiple head revisions are present"},
        {"tool": "Bash", "input": {"command": "alembic merge heads"}, "failed": False,
         "result": "Generating the merge ... done"},
    ],
}  # fmt: skip


class Hostile(Loopback):
    """Plays the answers of a case, the last one again and again; counts what it was asked."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        self.answers, self.asked, self.stopped = answers, 0, False
        super().__init__(_Handler)


class _Handler(QuietHandler):
    server: Hostile

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        answers = self.server.answers
        answer = answers[min(self.server.asked, len(answers) - 1)] if answers else {}
        self.server.asked += 1
        self._wait(float(answer.get("wait_s", 0)))
        data = _data(answer)
        try:
            self.send_response(int(answer.get("status", 200)))
            named = {name.casefold() for name in answer.get("headers", {})}
            for name, value in answer.get("headers", {}).items():
                self.send_header(name, str(value))
            if "content-type" not in named:
                self.send_header("content-type", "application/json")
            if not named & {"content-length", "transfer-encoding"}:
                self.send_header("content-length", str(len(data)))
            self.end_headers()
            if answer.get("cut"):
                self.wfile.write(data[: len(data) // 2])
                self.connection.close()
            elif drip := float(answer.get("drip_s", 0)):
                for at in range(min(len(data), int(_LONGEST_DRIP / drip))):
                    self.wfile.write(data[at : at + 1])
                    self._wait(drip)
            else:
                self.wfile.write(data)
        except (OSError, ValueError):
            return  # whoever asked has gone

    do_GET = do_PUT = do_HEAD = do_POST

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.server.stopped:
            time.sleep(min(0.05, seconds))


def _data(answer: dict[str, Any]) -> bytes:
    if "body_hex" in answer:
        return bytes.fromhex(answer["body_hex"]) * int(answer.get("repeat", 1))
    if "content" not in answer:
        return str(answer.get("body", "")).encode("utf-8", "surrogatepass") * int(
            answer.get("repeat", 1)
        )
    message = {"role": "assistant", "content": answer["content"]}
    return json.dumps({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }).encode()  # fmt: skip


@contextmanager
def _servers(case: Case) -> Iterator[tuple[Hostile, Hostile]]:
    with Hostile([]) as other, Hostile([]) as server:
        written = json.dumps(case["answers"]).replace("{other}", other.url)
        server.answers = json.loads(written.replace("{self}", server.url))
        for answer in server.answers:
            if isinstance(answer.get("content"), str):
                answer["content"] = _in_our_fields(answer["content"], case["poison"])
        yield server, other
        server.stopped = other.stopped = True


def breaks(home: Home, case: Case) -> list[str]:
    """What went wrong when a session was distilled by the endpoint."""
    talked(home, "s1", FAILING)
    with _servers(case) as (server, other):
        config = f'[models]\nuse = "openai:small"\nurl = "{server.url}/v1"\nseconds = 3\n'
        (home.path / "config.toml").write_text(config, encoding="utf-8")
        began = time.monotonic()
        said = home.here("skills", "distil", "--session", "s1", "--engine", "model")
        took = time.monotonic() - began
        wrong = [f"took {took:.0f} s"] if took > _SECONDS else []
        wrong += ["another host was asked"] if other.asked else []
        wrong += ["never asked"] if not server.asked else []
        wrong += [f"asked {server.asked} times"] if server.asked > 6 else []
    if said.exit_code not in {0, 1, 5}:
        wrong.append(f"ended with {said.exit_code}: {said.errors[-200:]}")
    if said.exit_code and not said.errors.strip():
        wrong.append("said nothing of why")
    if "\x1b" in said.output + said.errors:
        wrong.append("wrote to the terminal what the endpoint sent")
    return [*wrong, *(_drafted(home, case["poison"]) if case["poison"] else [])]


def _drafted(home: Home, poison: str) -> list[str]:
    """The drafts and notes that hold it; not those whose person is shown that line first."""
    drafts = [
        home.here("evolve", "show", each["id"], "--json").json["proposals"][0]
        for each in home.here("evolve", "list", "--json").json["proposals"]
    ]
    notes = home.here("recall", "alembic database migration upgrade", "--json").json["entries"]
    return [
        f"{what} holds it: {json.dumps(each, ensure_ascii=False)[-400:]}"
        for what, given in (("a draft", drafts), ("a note", notes))
        for each in given
        if _plain(poison) in _plain(json.dumps(each, ensure_ascii=False))
        and not any(
            _plain(poison)[:20] in _plain(finding["message"])
            for finding in each.get("findings", ())
        )
    ]


def _plain(text: str) -> str:
    return re.sub(r"[\s\\]+", " ", text).casefold()


def _in_our_fields(content: str, poison: str) -> str:
    """A reply in the fields that Learnt asks for, as far as it is one; the poison first."""
    try:
        reply = json.loads(content)
        skill, body = reply["skill"], reply["skill"]["body"]
        lines = [line for line in body.split("\n") if line.strip()]
        at = next((n for n, line in enumerate(lines) if poison[:8] in line), 0)
        skill = {
            "title": skill["name"],
            "description": skill["description"],
            "when": skill["description"],
            "steps": [*lines[at:], *lines[:at]],
        }
        memories = [
            {
                "category": next(iter(KINDS)),
                "title": each["problem"],
                "content": each["approach"],
                "confidence": 0.9,
            }
            for each in reply.get("memories", [])
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return content
    return json.dumps({"skill": skill, "memories": memories}, ensure_ascii=False)
