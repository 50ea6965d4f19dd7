"""What came back from a database."""

from collections.abc import Mapping
from dataclasses import dataclass

from learnt.core.json_values import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """What came back. `columns` and `rows` are None where they could not be told.

    `ran`: rows were seen, if not which; without it, and without rows, nobody can tell whether it
    ran. `failed` is what an error said; `shapes` are tables with all of their columns.
    """

    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[JsonValue, ...], ...] | None = None
    ran: bool = False
    whole: bool = True
    failed: str = ""
    refused: bool = False
    shapes: Mapping[str, tuple[str, ...]] | None = None
    gone: tuple[str, ...] = ()
