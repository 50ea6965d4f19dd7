"""Templates to pages. What a template prints is escaped, and what is not seen is spelled out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import learnt
from learnt.core.visible_text import spelled_out
from learnt.formats.injection import day, moment

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


def _share(value: float | None) -> str:
    """A part of one in per cent."""
    return "not known" if value is None else f"{value:.0%}"


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
        self._environment.filters |= {"day": day, "moment": moment, "share": _share}
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
