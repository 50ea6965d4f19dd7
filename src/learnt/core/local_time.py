"""A wall time as the clock of whoever reads it shows it."""

from datetime import UTC, datetime


def local(ms: int) -> datetime:
    """A wall time in milliseconds, with the zone of this machine."""
    at = datetime.fromtimestamp(ms / 1_000, UTC)
    try:
        return at.astimezone()
    except ValueError:  # TZ names a zone more than a day away
        return at
