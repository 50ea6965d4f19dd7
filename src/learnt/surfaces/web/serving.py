"""`learnt dashboard` as a process: its port, its link and phrase on the terminal, its end."""

import json
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Final

from learnt.errors import EnvironmentTrouble
from learnt.settings import Settings
from learnt.stores.atomic import write_atomically
from learnt.stores.processes import own_sight
from learnt.stores.system import SystemRandom
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.loopback import HOST, bound, server_of
from learnt.surfaces.open_home import code_on_disk
from learnt.surfaces.web.app import make_app
from learnt.surfaces.web.dashboard import Dashboard
from learnt.surfaces.web.gate import ENTRANCE, Keys
from learnt.surfaces.web.kept_queue import KeptQueue
from learnt.surfaces.worker_client import CARD, running

PORT: Final = 4747


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardCall:
    """What the command was asked for; `open_browser` opens an address, False where it cannot."""

    settings: Callable[[], Settings]
    folder: str
    port: int | None
    tell: Callable[[str], None]
    open_browser: Callable[[str], bool] | None


def serve(asked: DashboardCall) -> int:
    """Serve the dashboard until it is told to end; always 0. Raises EnvironmentTrouble."""
    home = asked.settings().home
    other = running(home)
    listening = _listening(asked)
    port = listening.getsockname()[1]
    keys = Keys(SystemRandom())
    before = code_on_disk()
    ledgers = Ledgers(*(LedgerThread(asked.settings, looks=True) for _ in range(2)))
    dashboard = Dashboard(
        ledgers=ledgers,
        keys=keys,
        port=port,
        folder=asked.folder,
        tell=asked.tell,
        sight=own_sight(),
        waiting=KeptQueue(ledgers.slow.submit),
        current=lambda: before is not None and code_on_disk() == before,
    )
    ledgers.quick.submit(lambda outside: dashboard.waiting.items(outside, asked.folder))
    card = home / "run" / CARD
    write_atomically(card, json.dumps({"port": port, "pid": os.getpid()}))
    if other is not None:
        asked.tell(f"Another dashboard of this home runs as process {other.pid}; both work.")
    _greet(asked, keys, port)
    try:
        with suppress(KeyboardInterrupt):  # how it is ended
            served = server_of(make_app(dashboard), log_level="error", timeout_graceful_shutdown=1)
            served.run(sockets=[listening])
    finally:
        ledgers.close()
        if (now := running(home)) is not None and now.pid == os.getpid():
            card.unlink(missing_ok=True)
    asked.tell("The dashboard has ended.")
    return 0


def _listening(asked: DashboardCall) -> socket.socket:
    wanted = asked.port or PORT
    try:
        return bound(wanted)
    except OSError as error:
        if asked.port:
            raise EnvironmentTrouble(
                f"Port {wanted} of this machine cannot be had ({error.strerror}). Nothing was "
                "started; without --port a free one is taken."
            ) from error
        asked.tell(f"Port {wanted} is taken ({error.strerror}); another one is used.")
        return bound(0)


def _link(keys: Keys, port: int) -> str:
    return f"http://{HOST}:{port}{ENTRANCE}?token={keys.token}"


def _greet(asked: DashboardCall, keys: Keys, port: int) -> None:
    link = _link(keys, port)
    asked.tell(f"The dashboard of {asked.settings().home}, for {asked.folder}")
    asked.tell(f"Open this link; it works once:\n\n  {link}\n")
    asked.tell(f"Before your first decision the page asks for this phrase:\n\n  {keys.phrase}\n")
    asked.tell("Enter shows another link, for another browser. Ctrl-C ends the dashboard.")
    if asked.open_browser is not None and not asked.open_browser(link):
        asked.tell("No browser could be opened here: open the link yourself.")

    def read() -> None:
        with suppress(OSError, ValueError):  # the terminal is gone
            while sys.stdin.readline():
                keys.new_token()
                asked.tell(f"  {_link(keys, port)}")

    Thread(target=read, daemon=True).start()
