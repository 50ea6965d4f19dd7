"""`learnt hook --inline EVENT`: the hook's whole work in one process, where nothing may stay.

It answers byte for byte what the worker would, and like the hook it never breaks a prompt.
"""

import os
import sys
from collections.abc import Sequence

from learnt.bootstrap import opened
from learnt.flows.sessions.drain import drain
from learnt.formats.wire import ENVIRONMENT, Frame
from learnt.settings import Settings, load
from learnt.surfaces import hook, hook_slow
from learnt.surfaces.respond import respond


def frame_of(event: str) -> Frame:
    """The frame that the hook would send from here."""
    body, size = hook.read_input()
    environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    return Frame(event=event, hook=hook.VERSION, size=size, environment=environment, body=body)


def main(words: Sequence[str]) -> int:
    """Answer the event named first; `--home D` may follow. Always 0."""
    rest = [word for word in words if word != "--inline"]
    named = rest[rest.index("--home") + 1] if "--home" in rest[:-1] else None
    settings: Settings | None = None
    try:
        settings = load(os.environ, named)
        if settings.inside or not rest or rest[0] == "--home":
            return 0
        frame = frame_of(rest[0])
        with opened(settings, patience_ms=1_000) as outside:
            drain(outside)
            answer = respond(outside, frame, lambda: False)
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    except Exception as error:  # noqa: BLE001  # the hook's boundary: the prompt goes through
        if settings is not None and (settings.home / "logs").is_dir():
            hook_slow.note(str(settings.home), rest[0], error)
    return 0
