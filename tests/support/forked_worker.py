"""A worker forked off the tests' process: as one of its own, without loading the package again.

That its start works as well is tried where hooks start it, and by `learnt worker start`.
"""

import gc
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Final, NoReturn

from learnt.surfaces import worker, worker_client
from learnt.surfaces.hook_slow import PASSED_ON

_SECONDS: Final = 20.0
_ANOTHERS: Final = 5.0  # seconds for a worker that a hook started at the same moment


def start(home: Path) -> int | None:
    """The worker's process id once it answers; None where it ended instead."""
    for name in ("run", "logs"):
        (home / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    process = os.fork()
    if process == 0:
        _become(home)
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until:
        card = worker_client.ping(home)
        if card is not None:
            return card.pid
        if process and os.waitpid(process, os.WNOHANG) != (0, 0):
            # It leaves at once where another holds the home, which may not answer yet.
            process, until = 0, min(until, time.monotonic() + _ANOTHERS)
        time.sleep(0.005)
    return None


def _become(home: Path) -> NoReturn:
    """Be the home's worker, as `hook_slow.start_worker` starts it."""
    code = 70
    try:
        gc.disable()  # the parent's objects are not the child's to close
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        log = os.open(home / "logs" / "worker.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), log, log)):
            os.dup2(file, number)
        os.closerange(3, 4096)
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # to its end
        given = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        os.environ.clear()
        os.environ.update(given)
        sys.argv = ["learnt worker", "--home", str(home)]
        code = worker.main()
    except BaseException:
        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
        raise
    finally:
        os._exit(code)
