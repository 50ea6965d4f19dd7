"""An agent's settings as a text: read as the agent reads it, and edited in place."""

import json
import re
from collections.abc import Container, Iterator
from typing import Any, Final

from learnt.formats.agents.dialects import CLAUDE_CODE, Dialect

_ALL_OFF: Final = "disableAllHooks"
_HALF: Final = re.compile("[\ud800-\udfff]")
_STRING: Final = r'("(?:[^"\\]|\\.)*")'
_PASSED: Final = {  # what agents pass over in JSON
    "comments": re.compile(_STRING + r"|//[^\n]*|/\*.*?\*/", re.DOTALL),
    "commas": re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL),
}
Settings = dict[str, Any]


class BadSettings(ValueError):
    """The file is not what its agent reads; it must not be touched."""


def parse(text: str, dialect: Dialect = CLAUDE_CODE) -> Settings:
    """The settings of a file's text, as its agent reads them; an empty file has none.

    Raises BadSettings where the agent would not take it for settings.
    """
    try:
        bare = _bare(text, dialect.reads)
        decoder = _DECODER if "odd members" in dialect.reads else _STRICT
        value = decoder.decode(bare) if bare.strip() else {}
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"not JSON that {dialect.title} reads: {error}") from error
    if not isinstance(value, dict):
        raise BadSettings("not a JSON object")
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict | None):
        raise BadSettings('its "hooks" is not an object')
    if decoder is _STRICT and not _plain(hooks, value):
        raise BadSettings('it may hold "description" and "hooks", an object of lists, alone')
    if dialect is CLAUDE_CODE and not isinstance(value.get(_ALL_OFF, False), bool):
        raise BadSettings(f'its "{_ALL_OFF}" is neither true nor false')
    return value


def _plain(hooks: Any, value: Settings) -> bool:
    events = hooks.values() if isinstance(hooks, dict) else [None]
    groups = [each for told in events for each in (told if isinstance(told, list) else [None])]
    return value.keys() <= {"hooks", "description"} and all(isinstance(g, dict) for g in groups)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _without_doubles(pairs: list[tuple[str, Any]]) -> Settings:
    if len(value := dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)  # of a key that stands twice the last
_STRICT: Final = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_without_doubles)


def _bare(text: str, reads: Container[str]) -> str:
    """A text as JSON: what its agent passes over is blank, and all else is in its place."""
    if "odd bytes" not in reads:
        text.encode()
    if "mark" in reads and text.startswith("\ufeff"):
        text = " " + text[1:]
    for sort, passed in _PASSED.items():
        if sort in reads:
            text = passed.sub(lambda seen: seen[1] or re.sub(r"\S", " ", seen[0]), text)
    return text


def render(settings: Settings, like: str) -> str:
    """A text that holds these settings: what did not change stays byte for byte.

    What is new is indented as the old text was.

    >>> render({"a": 1e400, "b": 2}, '{\\n    "a": 1e400 // much\\n}')
    '{\\n    "a": 1e400,\\n    "b": 2 // much\\n}'
    """
    bare = _bare(like, {"mark", "odd bytes", *_PASSED})
    if not bare.strip():
        like = like[: like.startswith("\ufeff")] + "{}\n"
        bare = like
    lines = bare.split("\n")
    indented = next((line for line in lines[1:] if line.strip() not in {"", "}"}), "  x")
    indent = indented[: len(indented) - len(indented.lstrip())] or "  "
    edits = _edits(bare, bare.index("{"), settings, indent, "\n")
    for start, end, text in sorted(edits, reverse=True):
        # Half a character can be spelt, not written.
        told = _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
        like = like[:start] + (told.replace("\n", "\r\n") if "\r\n" in like else told) + like[end:]
    return like


_Part = tuple[Any, int, int, int, Any]  # a key, its start, its value's start and end, the value


def _parts(text: str, at: int) -> tuple[list[_Part], int]:
    """The parts of the container at a place, and where it ends."""
    parts, place = list[_Part](), _after(text, at + 1)
    while text[place] not in "]}":
        key, start = "", place
        if text[at] == "{":
            key, place = _DECODER.raw_decode(text, place)
            place = _after(text, _after(text, place) + 1)
        value, end = _DECODER.raw_decode(text, place)
        parts.append((key, start, place, end, value))
        place = _after(text, end)
        place = _after(text, place + 1) if text[place] == "," else place
    return parts, place


def _after(text: str, place: int) -> int:
    while text[place].isspace():
        place += 1
    return place


def _paired(parts: list[_Part], new: Any) -> tuple[list[tuple[bool, Any]], list[tuple[str, Any]]]:
    """Of each part whether it stays and its new value; and what of a container is new."""
    if isinstance(new, dict):
        last = {key: number for number, (key, *_) in enumerate(parts)}
        told = enumerate(parts)
        pairs = [(k in new, new.get(k) if last[k] == n else v) for n, (k, *_, v) in told]
        return pairs, [
            (f"{json.dumps(k, ensure_ascii=False)}: ", new[k]) for k in new if k not in last
        ]
    pairs, left = [], list(new)
    for number, (*_, value) in enumerate(parts):
        # An element is another's successor where there are as many left.
        many = len(parts) - number <= len(left) and isinstance(value, dict | list)
        stays = bool(left) and (left[0] == value or many)
        pairs.append((stays, left.pop(0) if stays else None))
    return pairs, [("", value) for value in left]


def _edits(text: str, at: int, new: Any, indent: str, line: str) -> Iterator[tuple[int, int, str]]:
    """What to write where, so that the container at a place becomes this one."""
    parts, end = _parts(text, at)
    pairs, added = _paired(parts, new)
    staying = [number for number, (stays, _) in enumerate(pairs) if stays]
    if not staying:
        if parts or added:
            yield at, end + 1, _written(new, indent, line)
        return
    for number, ((_, start, begins, ends, value), (stays, wanted)) in enumerate(
        zip(parts, pairs, strict=True)
    ):
        if not stays and number > staying[0]:
            yield parts[number - 1][3], ends, ""
        elif not stays:
            yield start, parts[number + 1][1], ""
        elif wanted != value and isinstance(value, dict | list) and type(value) is type(wanted):
            yield from _edits(text, begins, wanted, indent, line + indent)
        elif wanted != value:
            yield begins, ends, _written(wanted, indent, line + indent)
    ends = parts[staying[-1]][3]
    told = [f",{line}{indent}{key}{_written(value, indent, line + indent)}" for key, value in added]
    if told and "\n" not in text[ends:end]:
        told.append(line)
    yield ends, ends, "".join(told)


def _written(value: Any, indent: str, line: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent).replace("\n", line)
