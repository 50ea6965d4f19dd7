"""Which session an agent's process is in now: it may have begun another one since it was asked."""

from typing import Final

from learnt.core.events import Kind, payload_of
from learnt.core.identifiers import plain_or_hashed
from learnt.core.payloads.session_events import SessionStarted
from learnt.ports import Outside

LOOKED_AT: Final = 200  # starts of sessions, the newest


def current_session(outside: Outside, named: str) -> str:
    """The session that the process of a named one began, or went back to, last.

    What an agent starts beside itself learns the session's name once; /clear and /resume change it
    while the process stays. The name itself where nothing tells of another.
    """
    if not named:
        return ""
    own = plain_or_hashed(outside.ledger.key, named)
    with outside.ledger.reading() as reader:
        latest_first = list(reader.events(kind=Kind.SESSION_STARTED, newest=LOOKED_AT))
        place = next((n for n, e in enumerate(latest_first) if e.where.session == own), None)
        process = "" if place is None else payload_of(SessionStarted, latest_first[place]).process
        if not process:
            return named
        current: str | None = own
        for event in reversed(latest_first[:place]):
            started = payload_of(SessionStarted, event)
            if started.process == process:
                if started.source == "startup":
                    break  # another process by now, with the number of the first
                current = event.where.session
        names = reader.sessions_observed()
        return next((n for n in names if plain_or_hashed(outside.ledger.key, n) == current), named)
