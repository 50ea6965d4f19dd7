"""What a page is, its template, and where the queue is kept between requests.

A page is a function from a `Visit` to what its template is given as `answer`, and a `Page` that
names it. A page changes nothing; `deciding.py` has what does.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import field

import learnt
from learnt.core.records import Record
from learnt.core.visible_text import spelled_out
from learnt.formats.injection import day, moment
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.surfaces.web.kept_queue import KeptQueue

T = TypeVar("T")
Answer = dict[str, object]  # what a template is given, by name
A_PART: Final = 50  # rows of a list that is shown in parts
# The places of the navigation, in their order.
PLACES: Final = ("Today", "Review", "Knowledge", "Skills", "Sessions", "Ledger", "Doctor")


class Visit(Record, kw_only=True):
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


class Page(Record):
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


class ListPart(Record, Generic[T], kw_only=True):
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


def part_at(rows: range, total: int, most: int) -> ListPart[int]:
    """The part of a list that some of its rows are."""
    parts = max(1, -(-total // most))
    return ListPart(rows=rows, number=rows.start // most + 1, parts=parts, total=total)


FOLDER: Final = Path(__file__).parent
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def _shown(value: object) -> object:
    """What stands on the page for a value, by the rule of the terminal."""
    if isinstance(value, Markup):
        return Markup(spelled_out(value))  # escaped by then, and this adds no sign of markup
    return spelled_out(value) if isinstance(value, str) else value


class Templates:
    """All templates, read at the start: a newer Learnt on the disk changes none of them."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_shown,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
        )
        self._environment.filters |= {
            "day": day,
            "moment": moment,
            "share": lambda part: "not known" if part is None else f"{part:.0%}",
        }
        self._environment.globals["version"] = learnt.__version__
        for name in self._environment.list_templates():
            self._environment.get_template(name)

    def page(self, template: str, values: Mapping[str, object]) -> str:
        """A template filled."""
        return self._environment.get_template(template).render(values)


def static_files() -> dict[str, tuple[bytes, str]]:
    """The files of static/ by their names, each with its type: none other is ever looked for."""
    folder = FOLDER / "static"
    return {
        str(path.relative_to(folder)): (path.read_bytes(), TYPES[path.suffix])
        for path in sorted(folder.rglob("*"))
        if path.suffix in TYPES
    }
