"""A wall time as the clock of whoever reads it shows it."""

from datetime import UTC, datetime


def local(ms: int) -> datetime:
    """A wall time in milliseconds, with the zone of this machine."""
    return datetime.fromtimestamp(ms / 1_000, UTC).astimezone()
