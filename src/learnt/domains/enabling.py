"""The home's config.toml, edited: what is added is added, and every other byte stays."""

import json
import re
import tomllib
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

import tomlkit
from tomlkit.exceptions import TOMLKitError

_TABLE, _KEY = "domains", "enabled"
_BARE_END: Final = re.compile(r"(?<!\r)\n")


@dataclass(frozen=True, slots=True)
class NotEnabled:
    """The text was left alone: why, and the line that a person may write below `[domains]`."""

    why: str
    line: str


def enabling(text: str, domain: str) -> str | NotEnabled:
    """A config.toml that enables a domain; the text itself where it does already.

    >>> enabling("# mine\\n[domains]\\nenabled = ['x']  # and this\\n", "slots")
    '# mine\\n[domains]\\nenabled = [\\'x\\', "slots"]  # and this\\n'
    >>> enabling("[domains]\\nenabled = 1\\n", "slots")
    NotEnabled(why='enabled is no list of names', line='enabled = ["slots"]')
    """
    try:
        before = tomllib.loads(text)
    except ValueError as error:
        return NotEnabled(f"it is not TOML: {error}", _line([domain]))
    table = before.get(_TABLE, {})
    names = table.get(_KEY, []) if isinstance(table, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        return NotEnabled(f"{_KEY} is no list of names", _line([domain]))
    if domain in names:
        return text
    edited = _with_ends_of(text, _edited(text, domain))
    # The library rewrites some layouts, and breaks a few: nothing of that is taken.
    try:
        if edited and tomllib.loads(edited) == {
            **before,
            _TABLE: {**table, _KEY: [*names, domain]},
        }:
            return edited
    except ValueError:
        pass
    return NotEnabled("its layout is not understood", _line([*names, domain]))


def _line(names: list[str]) -> str:
    return f"{_KEY} = {json.dumps(names, ensure_ascii=False)}"


def _edited(text: str, domain: str) -> str:
    """What the library makes of it; empty where it fails."""
    try:
        document = tomlkit.parse(text)
        table: Any = document.get(_TABLE)
        if table is None:
            document[_TABLE] = {_KEY: [domain]}
        elif _KEY in table:
            table[_KEY].append(domain)
        else:
            table[_KEY] = [domain]
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, TypeError, LookupError, AttributeError):
        return ""


def _with_ends_of(before: str, after: str) -> str:
    """The later text with the earlier one's line ends; empty if it is more than one insertion."""
    added = len(after) - len(before)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    start = sum(1 for _ in same)
    if added <= 0 or before[start:] != after[start + added :]:
        return ""
    middle = after[start : start + added]
    middle = _BARE_END.sub("\r\n", middle) if "\r\n" in before else middle
    return before[:start] + middle + before[start:]
