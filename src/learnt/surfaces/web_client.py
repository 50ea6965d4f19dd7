"""Where a home's dashboard runs, for links that lead into it."""

import json
import os
from pathlib import Path
from typing import Final, NamedTuple

from learnt.stores.plain_files import bytes_of

CARD: Final = "dashboard.json"  # in the home's folder `run`
_LARGEST: Final = 1 << 12


class DashboardCard(NamedTuple):
    """The dashboard that was started last and still runs."""

    port: int
    pid: int

    def link(self, path: str) -> str:
        """The address of a page."""
        return f"http://127.0.0.1:{self.port}{path}"


def running(home: Path) -> DashboardCard | None:
    """The home's dashboard; None where none runs."""
    try:
        told = json.loads(bytes_of(home / "run" / CARD, _LARGEST) or b"{}")
        card = DashboardCard(int(told["port"]), int(told["pid"]))
        os.kill(card.pid, 0)
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None
    return card
