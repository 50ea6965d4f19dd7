"""The home's config.toml, edited: what is added is added, and every other byte stays."""

import json
import re
import tomllib
from dataclasses import dataclass
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

    >>> enabling("# mine\\n[domains]\\nenabled = ['x']  # and this\\n", "bandits")
    '# mine\\n[domains]\\nenabled = [\\'x\\', "bandits"]  # and this\\n'
    >>> enabling("[domains]\\nenabled = 1\\n", "bandits")
    NotEnabled(why='enabled is no list of names', line='enabled = ["bandits"]')
    """
    try:
        before = tomllib.loads(text)
    except ValueError as error:
        return NotEnabled(f"it is not TOML: {error}", _line([domain]))
    named = _named(before)
    if named is None:
        return NotEnabled(f"{_KEY} is no list of names", _line([domain]))
    if domain in named:
        return text
    wanted = {**before, _TABLE: {**before.get(_TABLE, {}), _KEY: [*named, domain]}}
    found = _inserted(text, _edited(text, domain))
    # The library rewrites some layouts, and breaks a few: nothing of that is taken.
    if found is None or not _says(found, wanted):
        return NotEnabled("its layout is not understood", _line([*named, domain]))
    return found


def _line(names: list[str]) -> str:
    return f"{_KEY} = {json.dumps(names, ensure_ascii=False)}"


def _named(config: dict[str, Any]) -> list[str] | None:
    """The names that are enabled; None where that is no list of names."""
    table = config.get(_TABLE, {})
    named = table.get(_KEY, []) if isinstance(table, dict) else None
    if not isinstance(named, list) or not all(isinstance(one, str) and one for one in named):
        return None
    return named


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


def _inserted(before: str, after: str) -> str | None:
    """The later text with the earlier one's line ends; None if more was done than one insertion."""
    added = len(after) - len(before)
    start = 0
    while start < len(before) and start < len(after) and before[start] == after[start]:
        start += 1
    if added <= 0 or before[start:] != after[start + added :]:
        return None
    middle = after[start : start + added]
    if "\r\n" in before:
        middle = _BARE_END.sub("\r\n", middle)
    return before[:start] + middle + before[start:]


def _says(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except ValueError:
        return False
