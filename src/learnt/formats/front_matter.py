"""YAML front matter: written strictly (block style, quoted texts), read leniently."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from learnt.core.json_values import JsonValue

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

    >>> adaptation_block([("1.0.0", "2026-01-01", "install", {})]).splitlines()[:3]
    ['adaptation:', '  version_history:', '  - version: "1.0.0"']
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
