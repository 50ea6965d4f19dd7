"""Who did it: no script makes an event by a human of which nothing odd was seen."""

import json

from tests.support.attacks.scripts import played, variables
from tests.support.attacks.sets import Case
from tests.support.homes import Home

_BY_HUMANS = "SELECT kind, subject, payload ->> '$.seen' FROM events WHERE actor = 'human'"


def breaks(home: Home, case: Case) -> list[str]:
    """The human's events that look plain though nobody sat at a terminal."""
    before = len(home.rows(_BY_HUMANS)) if (home.path / "ledger.db").exists() else 0
    printed = played(home, case["script"], variables(home))
    home.here("status")  # what waits in the spool is taken in
    made = home.rows(_BY_HUMANS)[before:]
    plain = [f"{kind} {of}" for kind, of, seen in made if not json.loads(seen or "{}").get("odd")]
    return [f"{each} looks plain: {printed[-300:]}" for each in plain]
