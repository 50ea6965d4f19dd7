"""Where a home's worker listens for what is posted to it: a port of its own, and a token."""

import json
import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from learnt.errors import EnvironmentTrouble
from learnt.formats.agents.hook_settings import ADDRESS
from learnt.ports import Random
from learnt.stores.atomic import explained, write_atomically
from learnt.stores.plain_files import opened

DOORWAY: Final = "http.json"  # in the home, its owner's alone
MISSED: Final = "logs/missed"  # a byte for each prompt that nobody was there to be told of
_LARGEST: Final = 4_096
# Below the ports that systems give to whoever calls out: those would take it by chance.
_FIRST, _PORTS, _TRIES = 20_000, 12_000, 64


class Doorway(NamedTuple):
    """A port on this machine's own address, and what whoever posts there must show."""

    port: int
    token: str


def doorway(home: Path) -> Doorway | None:
    """The home's doorway; None where there is none, or where others could read its token."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        with opened(home / DOORWAY, os.O_NOFOLLOW) as (descriptor, size):
            if descriptor < 0 or not 0 < size <= _LARGEST:
                return None
            about = os.fstat(descriptor)
            if stat.S_IMODE(about.st_mode) & 0o077 or about.st_uid != os.geteuid():
                return None
            told = json.loads(os.pread(descriptor, _LARGEST, 0))
        port, token = told["port"], told["token"]
        if isinstance(token, str) and len(token) >= 32 and 0 < int(port) < 1 << 16:
            return Doorway(int(port), token)
    return None


def make_doorway(home: Path, random: Random) -> Doorway:
    """A new doorway of the home, with a port that is free now.

    Raises EnvironmentTrouble where no port is free, or the home cannot be written.
    """
    for _ in range(_TRIES):
        port = _FIRST + int.from_bytes(random.bytes(4), "big") % _PORTS
        try:
            listen_at(port).close()
        except OSError:
            continue
        made = Doorway(port, random.bytes(32).hex())
        with explained(home / DOORWAY, "written"):
            write_atomically(home / DOORWAY, json.dumps(made._asdict()))
        return made
    raise EnvironmentTrouble(
        f"No port of {ADDRESS} can be listened on. Nothing was changed; `learnt init --transport "
        "command` needs none."
    )


def listen_at(port: int) -> socket.socket:
    """A socket that listens there, for this machine alone. Raises OSError where it is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((ADDRESS, port))
        listening.listen(64)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    return listening


def missed(home: Path) -> int:
    """How many prompts were read from transcripts, since nobody was up to be told of them."""
    path = home / MISSED
    return path.stat().st_size if path.is_file() else 0


def count_missed(home: Path, prompts: int) -> None:
    """Count prompts that were read from transcripts."""
    if prompts:
        with (home / MISSED).open("ab") as file:
            file.write(b"." * prompts)
