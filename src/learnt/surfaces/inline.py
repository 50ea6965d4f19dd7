"""`learnt hook --inline EVENT`: what the worker would answer, where no process may stay."""

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Final

from learnt.bootstrap import opened
from learnt.errors import EnvironmentTrouble
from learnt.flows.sessions.answer import drain, keep, observation_of, respond
from learnt.formats.wire import ENVIRONMENT, Frame
from learnt.settings import Settings, load
from learnt.stores import hook_files
from learnt.stores.home_folder import prepare
from learnt.stores.processes import hook_sight
from learnt.stores.spool import FileSpool
from learnt.stores.system import SystemClock, SystemRandom
from learnt.surfaces import hook, hook_slow

SET_UP: Final = "SetUp"


def main(words: Sequence[str]) -> int:
    """Answer the event named first; `--home D` may follow. Always 0.

    `SetUp` in an event's place puts the hook's files into the home, as a plug-in has it done.
    """
    rest = [word for word in words if word != "--inline"]
    named = rest[rest.index("--home") + 1] if "--home" in rest[:-1] else None
    settings: Settings | None = None
    try:
        settings = load(os.environ, named)
        if settings.inside or not rest or rest[0] == "--home":
            return 0
        if rest[0] == SET_UP:
            prepare(settings.home)
            hook_files.set_up(settings.home)
            return 0
        body, size = hook.read_input()
        passed_on = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        frame = Frame(
            event=rest[0],
            hook=hook.VERSION,
            size=size,
            environment=passed_on,
            body=body,
            sight=hook_sight(os.getpid(), ours=True),
        )
        sys.stdout.buffer.write(_answer(settings, frame))
        sys.stdout.buffer.flush()
    except Exception as error:  # noqa: BLE001  # the hook's boundary: the prompt goes through
        if settings is not None and (settings.home / "logs").is_dir():
            hook_slow.note(str(settings.home), rest[0], error)
    return 0


def _answer(settings: Settings, frame: Frame) -> bytes:
    """The answer; where the ledger can't be opened the report waits in the spool."""
    with ExitStack() as stack:
        try:
            outside = stack.enter_context(opened(settings, patience_ms=1_000))
        except EnvironmentTrouble:
            report = observation_of(SystemClock(), SystemRandom(), frame)
            keep(FileSpool(settings.home), *report)
            raise
        with suppress(EnvironmentTrouble):
            drain(outside)
        return respond(outside, frame, lambda: False)
