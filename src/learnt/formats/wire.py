"""The frame a hook sends to the worker, and the answer: two small texts with a length in front.

    LEARNT/1 <bytes of head> <bytes of body>\\n<head><body>      hook to worker
    LEARNT/1 <bytes of answer>\\n<answer>                        worker to hook

The head is lines of `name=value`, percent-escaped where a value holds `%`, a newline or a carriage
return; the body is the hook's standard input, cut at LARGEST_BODY. The hook builds the same by
hand: a test holds the two together.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import field

from learnt.core.events import Sight
from learnt.core.records import Record

MAGIC: Final = b"LEARNT/1"
LARGEST_BODY: Final = 4 * 1024 * 1024
LARGEST_HEAD: Final = 64 * 1024
LONGEST_FIRST_LINE: Final = 64
_DIGITS: Final = 18

# The hook passes on these and no others: an agent's environment holds tokens.
ENVIRONMENT: Final = (
    "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_PID",
)  # fmt: skip


class BadFrame(ValueError):
    """What arrived is no frame of ours."""


class Frame(Record, kw_only=True):
    """One hook's report: `size` is its whole input's, of which `body` may be the beginning."""

    event: str
    agent: str = "claude-code"
    hook: str = ""
    size: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    sight: Sight = field(
        default_factory=Sight
    )  # never on the wire: what who took it in saw of its sender


def encode(frame: Frame) -> bytes:
    """The frame as bytes.

    >>> encode(Frame(event="Stop", body=b"{}"))[:14]
    b'LEARNT/1 42 2\\n'
    """
    pairs = {name: str(getattr(frame, name)) for name in ("event", "agent", "hook", "size")}
    pairs |= {f"env.{name}": value for name, value in frame.environment.items()}
    escaped = {ord(c): f"%{ord(c):02X}" for c in "%\n\r"}
    head = "".join(f"{name}={value.translate(escaped)}\n" for name, value in pairs.items())
    raw = head.encode("utf-8", "surrogateescape")
    return b"%s %d %d\n" % (MAGIC, len(raw), len(frame.body)) + raw + frame.body


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def lengths(first_line: bytes) -> tuple[int, int]:
    """The lengths of head and body that a first line (without its newline) announces.

    Raises BadFrame where it announces none, or too much.

    >>> lengths(b"LEARNT/1 10 200")
    (10, 200)
    """
    parts = first_line.split(b" ")
    counts = [_whole(part.decode("ascii", "replace")) for part in parts[1:]]
    if parts[0] != MAGIC or len(counts) != 2:
        raise BadFrame("not a frame of this protocol")
    head, body = counts
    if head is None or body is None:
        raise BadFrame("its lengths are no numbers")
    if head > LARGEST_HEAD or body > LARGEST_BODY:
        raise BadFrame("a frame beyond the agreed size")
    return head, body


def decode(raw: bytes) -> Frame:
    """The frame that the bytes hold. Raises BadFrame where they are not one whole frame."""
    first, newline, rest = raw.partition(b"\n")
    if not newline:
        raise BadFrame("no first line")
    head_length, body_length = lengths(first)
    if len(rest) != head_length + body_length:
        raise BadFrame("its length is not the one announced")
    pairs: dict[str, str] = {}
    for line in rest[:head_length].decode("utf-8", "surrogateescape").split("\n"):
        name, _, value = line.partition("=")
        pairs[name] = value.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
    size = _whole(pairs.get("size", ""))
    return Frame(
        event=pairs.get("event", ""),
        agent=pairs.get("agent", ""),
        hook=pairs.get("hook", ""),
        size=body_length if size is None else size,
        environment={name: pairs[f"env.{name}"] for name in ENVIRONMENT if f"env.{name}" in pairs},
        body=rest[head_length:],
    )


def encode_answer(answer: bytes) -> bytes:
    """The worker's answer as bytes: what the hook is to print, possibly nothing.

    >>> encode_answer(b"hi")
    b'LEARNT/1 2\\nhi'
    """
    return b"%s %d\n" % (MAGIC, len(answer)) + answer
