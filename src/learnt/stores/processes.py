"""Processes and terminals as /proc tells of them, and what goes with an event by a human."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, NewEvent, Sight
from learnt.core.governance import actors
from learnt.core.safety import clean
from learnt.ports import Writer

_DEEPEST, _NEAR = 32, 4
_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh", "busybox"})
_PROC: Final = Path("/proc")
_LARGEST: Final = 1 << 18  # bytes of an environment
_LOOPBACK: Final = f"{int.from_bytes(bytes((127, 0, 0, 1)), sys.byteorder):08X}"  # as /proc has it
_MARKED: Final = re.compile(rb"(?:^|\0)(%s)=[^\0]" % "|".join(actors.AGENT_MARKERS).encode())


def own_sight() -> Sight:
    """What this process sees of who called it: its terminal and what is above."""
    try:
        descriptor = sys.stdin.fileno()
        terminal, device = os.ttyname(descriptor), os.fstat(descriptor).st_rdev
    except (OSError, ValueError):
        terminal, device = "", 0
    chain = _chain(os.getpid())
    return actors.judged(
        actors.Scene(chain, terminal, device, _holders(device, chain, everyone=True))
    )


def hook_sight(process: int | None, *, ours: bool = False) -> Sight:
    """What is seen of a report's sender (None: unnamed); `ours`: it is known to be a hook."""
    if process is None or not (_PROC / "self" / "stat").exists():
        return Sight(by="hook_only")
    chain = _chain(process)
    at = actors.client_of(chain)
    client = None if at is None else _scene(chain[at:])
    return actors.of_hook(
        chain, client, ours=ours or b"learnt_hook.main" in _read(process, "cmdline")
    )


def runner_of(process: int | None) -> int:
    """The process that runs the agent whose hook this is, the next above that is no shell; or 0."""
    above = _chain(process)[1:_NEAR] if process else ()
    return next((each.id for each in above if each.id > 1 and each.name not in _SHELLS), 0)


def is_alive(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except (OverflowError, ProcessLookupError):
        return False
    except OSError:
        return True  # another user's
    return True


def page_sight(own: Sight, port: int, asking: int) -> Sight:
    """What is seen of a decision on a page: the terminal, and the browser by its ports."""
    held = _socket(asking, port)
    folders = (path for path in _PROC.iterdir() if path.name.isdecimal()) if held else ()
    asked = next((int(path.name) for path in folders if held in _links(path / "fd")), None)
    return actors.of_page(own, () if asked is None else _chain(asked))


def _socket(port: int, to: int) -> str:
    """The name of the socket that joins two ports of this machine; empty where there is none."""
    ends = [f"{_LOOPBACK}:{port:04X}", f"{_LOOPBACK}:{to:04X}"]
    with suppress(OSError):
        rows = map(str.split, (_PROC / "net" / "tcp").read_text("ascii", "replace").splitlines())
        return next((f"socket:[{row[9]}]" for row in rows if row[1:3] == ends), "")
    return ""


def _links(folder: Path) -> set[str]:
    """Where the links of a folder lead, as far as they may be read."""
    found = set()
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                found.add(str(path.readlink()))
    return found


@lru_cache(maxsize=64)
def _scene(chain: tuple[actors.Process, ...]) -> actors.Scene:
    """An agent's program, which sends many reports, at its terminal."""
    device = chain[0].terminal
    number = actors.pseudo(device)
    terminal = f"{device:#x}" if number is None else f"/dev/pts/{number}"
    return actors.Scene(chain, terminal, device, _holders(device, chain))


def _chain(process: int) -> tuple[actors.Process, ...]:
    """A process and those above it."""
    chain: list[actors.Process] = []
    while process > 0 and len(chain) < _DEEPEST:
        before, _, rest = _read(process, "stat").rpartition(b")")
        if not rest:
            break
        words, name = rest.split(), before.partition(b"(")[2].decode("utf-8", "replace")
        program, marker = _about(process, name, words[19])
        parent, session, terminal = int(words[1]), int(words[3]), int(words[4]) & 0xFFFFFFFF
        chain.append(actors.Process(process, name, program, parent, session, terminal, marker))
        process = parent
    return tuple(chain)


@lru_cache(maxsize=256)
def _about(process: int, name: str, began: bytes) -> tuple[str, str]:
    """The program of a process and an agent's marker in its environment; each hook waits for it."""
    program = ""
    with suppress(OSError):
        path = Path(f"/proc/{process}/exe").readlink()
        program = path.name.removesuffix(" (deleted)")
    marked = _MARKED.search(_read(process, "environ"))
    return program, marked[1].decode() if marked else ""


def _read(process: int, name: str) -> bytes:
    with suppress(OSError):
        descriptor = os.open(f"/proc/{process}/{name}", os.O_RDONLY)
        try:
            return os.read(descriptor, _LARGEST)
        finally:
            os.close(descriptor)
    return b""


def _holders(
    device: int, chain: tuple[actors.Process, ...], *, everyone: bool = False
) -> tuple[actors.Process, ...]:
    """Who holds the other end of a pseudo-terminal: of those above, else of `everyone`."""
    number = actors.pseudo(device)
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


_cleaned = lru_cache(maxsize=64)(clean)  # the same traces go with event after event


class Witness:
    """Tells what is seen of a person while an event is recorded: by default of this process."""

    def __init__(self, own: Callable[[], Sight]) -> None:
        self._sees = own

    @contextmanager
    def told(self, sight: Sight) -> Iterator[None]:
        """Meanwhile events come of a report that was looked at when it came."""
        before, self._sees = self._sees, lambda: sight
        try:
            yield
        finally:
            self._sees = before

    def of(self, draft: NewEvent, writer: Writer) -> Sight | None:
        """What goes with a draft, its texts kept; None where it is by no human."""
        if draft.actor is not Actor.HUMAN:
            return None
        sight = self._sees()
        kept = tuple(writer.keep("trace", _cleaned(trace)) for trace in sight.traces)
        return replace(sight, traces=kept)
