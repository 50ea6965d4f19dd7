"""The home's config.toml, edited: one setting is added or changed, and every other byte stays."""

import json
import re
import tomllib
from typing import Any, Final

from learnt.core.records import Record

_BARE_END: Final = re.compile(r"(?<!\r)\n")


class Unedited(Record):
    """The text was left alone: why, and the line that a person may write below `[section]`."""

    why: str
    line: str


def with_setting(text: str, section: str, name: str, value: object) -> str | Unedited:
    """A config.toml in which a setting has a value; the text itself where it has it already.

    >>> with_setting("# mine\\n[effects]\\nshare = 0.1 # and this\\n", "effects", "share", 0.2)
    '# mine\\n[effects]\\nshare = 0.2 # and this\\n'
    >>> with_setting("effects = 1\\n", "effects", "share", 0.2)
    Unedited(why='effects is no table', line='share = 0.2')
    """
    line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    try:
        before = tomllib.loads(text)
    except ValueError as error:
        return Unedited(f"it is not TOML: {error}", line)
    table = before.get(section, {})
    if not isinstance(table, dict):
        return Unedited(f"{section} is no table", line)
    if name in table and table[name] == value and type(table[name]) is type(value):
        return text
    edited = _in_one_place(text, _edited(text, section, name, value))
    # The library rewrites some layouts, and breaks a few: nothing of that is taken.
    try:
        if edited and tomllib.loads(edited) == {**before, section: {**table, name: value}}:
            return edited
    except ValueError:
        pass
    return Unedited("its layout is not understood", line)


def _edited(text: str, section: str, name: str, value: object) -> str:
    """What the library makes of it; empty where it fails."""
    import tomlkit  # it takes long to load
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        table: Any = document.get(section)
        before = None if table is None else table.get(name)
        if table is None:
            document[section] = {name: value}
        elif (
            isinstance(before, list) and isinstance(value, list) and value[: len(before)] == before
        ):
            before.extend(value[len(before) :])
        else:
            table[name] = value
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, TypeError, LookupError, AttributeError):
        return ""


def _in_one_place(before: str, after: str) -> str:
    """The later text with the earlier one's line ends; empty if more than a value was replaced."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    tail = range(1, most - start + 1)
    end = next((at - 1 for at in tail if before[-at] != after[-at]), most - start)
    if not after or set("#\n") & set(before[start : len(before) - end]):
        return ""
    middle = after[start : len(after) - end]
    middle = _BARE_END.sub("\r\n", middle) if "\r\n" in before else middle
    return before[:start] + middle + before[len(before) - end :]
