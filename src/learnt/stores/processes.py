"""Processes and terminals as /proc tells of them; of another system no more than the terminal."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

from learnt.core.events import Sight
from learnt.core.governance.actors import AGENT_MARKERS
from learnt.core.governance.sights import Process, Scene, client_of, judged, of_hook, pseudo

_DEEPEST: Final = 32
_PROC: Final = Path("/proc")
_MARKERS: Final = {marker.encode(): marker for marker in AGENT_MARKERS}


def own_sight() -> Sight:
    """What this process sees of who called it: its terminal and what is above."""
    try:
        descriptor = sys.stdin.fileno()
        terminal, device = os.ttyname(descriptor), os.fstat(descriptor).st_rdev
    except (OSError, ValueError):
        terminal, device = "", 0
    chain = _chain(os.getpid())
    return judged(Scene(chain, terminal, device, _holders(device, chain, everyone=True)))


def hook_sight(process: int | None, *, ours: bool = False) -> Sight:
    """What is seen of the process that sent a hook's report; `ours`: it is known to be a hook.

    None is a process that this system does not name.
    """
    if process is None or not (_PROC / "self" / "stat").exists():
        return Sight(by="hook_only")
    chain = _chain(process)
    at = client_of(chain)
    client = None
    if at is not None:
        device = chain[at].terminal
        number, above = pseudo(device), chain[at:]
        terminal = f"{device:#x}" if number is None else f"/dev/pts/{number}"
        client = Scene(above, terminal, device, _holders(device, above))
    return of_hook(chain, client, ours=ours or b"learnt_hook.main" in _read(process, "cmdline"))


def _chain(process: int) -> tuple[Process, ...]:
    """A process and those above it."""
    chain: list[Process] = []
    while process > 0 and len(chain) < _DEEPEST:
        before, _, rest = _read(process, "stat").rpartition(b")")
        if not rest:
            break
        words = rest.split()
        set_ = (name for name, _, value in _variables(process) if value and name in _MARKERS)
        found = Process(
            id=process,
            name=before.partition(b"(")[2].decode("utf-8", "replace"),
            program=_program(process),
            parent=int(words[1]),
            session=int(words[3]),
            terminal=int(words[4]) & 0xFFFFFFFF,
            marker=next((_MARKERS[name] for name in set_), ""),
        )
        chain.append(found)
        process = found.parent
    return tuple(chain)


def _variables(process: int) -> Iterable[tuple[bytes, bytes, bytes]]:
    return (pair.partition(b"=") for pair in _read(process, "environ").split(b"\0"))


def _read(process: int, name: str) -> bytes:
    with suppress(OSError):
        return (_PROC / str(process) / name).read_bytes()
    return b""


def _program(process: int) -> str:
    with suppress(OSError):
        return (_PROC / str(process) / "exe").readlink().name.removesuffix(" (deleted)")
    return ""


def _holders(
    device: int, chain: tuple[Process, ...], *, everyone: bool = False
) -> tuple[Process, ...]:
    """Who holds the other end of a pseudo-terminal: of those above, else of `everyone`."""
    number = pseudo(device)
    if number is None:
        return ()
    above = tuple(each for each in chain[1:] if _holds(each.id, number))
    if above or not everyone:
        return above
    others = {int(path.name) for path in _PROC.iterdir() if path.name.isdecimal()} - {chain[0].id}
    return tuple(_chain(process)[0] for process in sorted(others) if _holds(process, number))


def _holds(process: int, number: int) -> bool:
    folder, held = _PROC / str(process), ("tty-index:", str(number))
    with suppress(OSError):
        for path in (folder / "fd").iterdir():
            with suppress(OSError):
                if path.readlink().name == "ptmx":
                    told = (folder / "fdinfo" / path.name).read_text("ascii", "replace").split()
                    if held in pairwise(told):
                        return True
    return False
