"""What a page of the dashboard is: where it lies, what it answers, and the template that shows it.

A page is one module: a function from a `Visit` to a typed answer, and a `Page` that names it. The
template is given the answer as `answer`. A page changes nothing; `deciding.py` has what does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from learnt.ports import Outside
from learnt.settings import Settings
from learnt.surfaces.web.kept_queue import KeptQueue

T = TypeVar("T")
A_PART: Final = 50  # rows of a list that is shown in parts
# The places of the navigation, in their order.
PLACES: Final = ("Today", "Review", "Knowledge", "Skills", "Sessions", "Ledger", "Doctor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request for a page: the home as it is open now, and what was asked.

    `folder` is that of the project; `named` are the parts of the path that the page's route names,
    `asked` the fields of the query, `waiting` what waits for a person. Each flow takes a fresh look
    at the ledger.
    """

    outside: Outside
    settings: Settings
    folder: str
    named: Mapping[str, str]
    asked: Mapping[str, str]
    waiting: KeptQueue = field(default_factory=KeptQueue)

    def number(self, field: str, default: int = 1) -> int:
        """A field that is a whole number from 1; the default where it is none."""
        text = self.asked.get(field, "")
        return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 9 else default


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page. `place` is the place of the navigation that it belongs to.

    `vendor` are files of static/vendor that it needs besides.
    """

    path: str
    title: str
    place: str
    template: str
    look: Callable[[Visit], object]
    vendor: tuple[str, ...] = ()
    slow: bool = False  # it may read all there is: what is quick does not wait for it


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPart(Generic[T]):
    """A part of a long list: `number` of `parts`, from 1."""

    rows: Sequence[T]
    number: int
    parts: int
    total: int


def part_of(rows: Sequence[T], number: int, most: int = A_PART) -> ListPart[T]:
    """One part of a list, the last one where there are not so many.

    >>> part_of("abcde", 2, most=2)
    ListPart(rows='cd', number=2, parts=3, total=5)
    """
    parts = max(1, -(-len(rows) // most))
    number = min(max(number, 1), parts)
    part = rows[(number - 1) * most : number * most]
    return ListPart(rows=part, number=number, parts=parts, total=len(rows))
