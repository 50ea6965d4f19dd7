"""The record of what `init` did to other programs' files: a small JSON text in the home."""

import json
from collections.abc import Iterable
from dataclasses import asdict

from learnt.core.json_values import JsonValue, member, text_of
from learnt.core.records import decode
from learnt.flows.setup.register import Registration


def parse(text: str | None) -> list[Registration]:
    """The registrations a text holds; none where there is no text or it is not ours.

    >>> parse(None)
    []
    """
    try:
        value: JsonValue = json.loads(text or "[]")
    except ValueError:
        return []
    rows = value if isinstance(value, list) else []
    return [decode(Registration, row) for row in rows if text_of(member(row, "file"))]


def render(registrations: Iterable[Registration]) -> str:
    """The text that holds them, one a file.

    >>> parse(render([])), render([])
    ([], '[]')
    """
    by_file = {registration.file: registration for registration in registrations}
    return json.dumps([asdict(row) for row in by_file.values()], ensure_ascii=False, indent=1)
