"""YAML front matter: written strictly, read leniently, and one key or list of a SKILL.md edited."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import yaml

from learnt.core.records import JsonValue
from learnt.errors import Refused
from learnt.formats.fences import outside
from learnt.formats.skill_text import LOADER, is_mark

_FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?\n)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


class _Quoted(str):
    """A text written in double quotes whatever it holds: `true`, `1.0` and `a: b` stay texts."""

    __slots__ = ()


# The one in C is ten times as quick, where the library was built with it.
class _Writer(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # a class chosen as it is loaded
    """Block style, quoted texts."""


_Writer.add_representer(
    _Quoted,
    lambda writer, text: writer.represent_scalar("tag:yaml.org,2002:str", str(text), style='"'),
)


def render(front: Mapping[str, str | Mapping[str, Any]]) -> str:
    """The block between the marks, one key a line, in the given order.

    >>> render({"name": "locks", "metadata": {"version": "1.0"}})
    'name: "locks"\\nmetadata:\\n  version: "1.0"\\n'
    """

    def quoted(value: Any) -> object:
        if isinstance(value, list):
            return [quoted(item) for item in value]
        if isinstance(value, Mapping):
            return {key: quoted(item) for key, item in value.items()}
        return _Quoted(value) if isinstance(value, str) else value

    return yaml.dump(
        quoted(front), Dumper=_Writer, sort_keys=False, allow_unicode=True, width=1_000_000
    )


def adaptation_block(
    versions: Sequence[tuple[str, str, str, Mapping[str, float]]], current: str = ""
) -> str:
    """The block that tells in a front matter of a skill's versions, as seeds 001 and 003 have it.

    Each is a number, a time, what changed, and how it did until then; `current` is the current
    one, else the last.
    """
    names = ("version", "timestamp", "change_summary", "baseline_metrics")
    rows = [zip(names, version[: 4 if version[3] else 3], strict=False) for version in versions]
    block = {
        "version_history": list(map(dict, rows)),
        "rollback_available": len(versions) > 1,
        "current_version": current or (versions[-1][0] if versions else "1.0.0"),
    }
    return render({"adaptation": block})


def read(text: str) -> Mapping[str, JsonValue]:
    """The front matter of a file: empty where there is none or it is broken.

    >>> read("---\\nname: locks\\n---\\n# Locks"), read("no front matter")
    ({'name': 'locks'}, {})
    """
    front = _FRONT.match(text)
    if front is None:
        return {}
    try:
        value = yaml.safe_load(front[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def edited(text: str, key: str, value: str | Mapping[str, str] | None) -> str:
    """The text with a key's value replaced, added at the end, or taken out (None).

    Raises Refused where the front matter is missing or no YAML in block style: then nobody can
    tell where the value ends.

    >>> edited("---\\nname: a # mine\\nx: 1\\n---\\nBody", "x", "2")
    '---\\nname: a # mine\\nx: "2"\\n---\\nBody'
    """
    lines = text.splitlines(keepends=True)
    last = next((at for at, line in enumerate(lines) if at and is_mark(line)), None)
    if last is None or not is_mark(lines[0].removeprefix("\ufeff")):
        raise Refused("It has no front matter between two lines of ---. Nothing was changed.")
    try:
        root = yaml.compose("".join(lines[1:last]), Loader=LOADER) or yaml.MappingNode("", [])
    except yaml.YAMLError:
        root = None
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise Refused("Its front matter is no YAML of one key a line. Nothing was changed.")
    starts = [(str(key.value), key.start_mark.line + 1) for key, _ in root.value]
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    new = [] if value is None else render({key: value}).splitlines()
    block = [line + end for line in new]
    first = after = last
    for (name, start), (_, following) in pairwise([*starts, ("", last)]):
        if name == key:
            first, after = start, following
            break
    while after > first + 1 and (lines[after - 1][0] == "#" or not lines[after - 1].strip()):
        after -= 1  # a comment before the next key belongs to that
    return "".join([*lines[:first], *block, *lines[after:]])


def beneath_metadata(text: str, key: str, value: str | None) -> str:
    """One key below `metadata` changed, as if its lines were a front matter of their own.

    Raises Refused where these are not one key a line.
    """
    rows = text.splitlines(keepends=True)
    without = edited(text, "metadata", None).splitlines(keepends=True)
    first = 1 + next((at for at, row in enumerate(without) if row != rows[at]), len(without))
    last = first + len(rows) - len(without) - 1
    block = rows[first:last]
    further = len(block[0]) - len(block[0].lstrip()) if block else 0
    if not further or any(row[:further].strip() for row in block):
        raise Refused("Its metadata is not written one key a line. Nothing was changed.")
    mark = rows[0].removeprefix("\ufeff")
    inner = edited("".join([mark, *(row[further:] for row in block), mark]), key, value)
    indented = [block[0][:further] + row for row in inner.splitlines(keepends=True)[1:-1]]
    return "".join([*rows[:first], *indented, *rows[last:]])


def numbered(text: str, number: str) -> str:
    """The text with the number of its version, where it tells one already or below `metadata`.

    Without a front matter in which that can be written it stays as it is.
    """
    try:
        if "version" in read(text):
            return edited(text, "version", number)
        return with_metadata(text, "version", number)
    except Refused:
        return text


def with_metadata(text: str, key: str, value: str) -> str:
    """The text with a value below `metadata`. Raises Refused where that cannot be written."""
    if read(text).get("metadata"):
        return beneath_metadata(text, key, value)
    return edited(text, "metadata", {key: value})


def with_item(text: str, heading: str, item: str) -> str:
    """The text with an item first in the list below a heading, added at the end if missing.

    >>> with_item("# A\\n\\n## C\\n\\n- x\\n", "C", "y"), with_item("# A", "C", "y")
    ('# A\\n\\n## C\\n\\n- y\\n- x\\n', '# A\\n\\n## C\\n\\n- y\\n')
    """
    lines = text.splitlines(keepends=True)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if own := [at for at, line in outside(lines) if line.rstrip() == f"## {heading}"]:
        list_at = own[0] + 1 + (not "".join(lines[own[0] + 1 : own[0] + 2]).strip())
        return "".join([*lines[:list_at], f"- {item}{end}", *lines[list_at:]])
    gap = "" if text.endswith("\n") else end
    return f"{text}{gap}{end}## {heading}{end}{end}- {item}{end}"
