"""A key of a SKILL.md's front matter, or a list of its body, changed; every other byte stays."""

from collections.abc import Mapping
from itertools import pairwise

import yaml

from learnt.errors import Refused
from learnt.formats import front_matter
from learnt.formats.fences import outside
from learnt.formats.skill_text import LOADER, is_mark


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
    new = [] if value is None else front_matter.render({key: value}).splitlines()
    block = [line + end for line in new]
    first = after = last
    for (name, start), (_, following) in pairwise([*starts, ("", last)]):
        if name == key:
            first, after = start, following
            break
    while after > first + 1 and (lines[after - 1][0] == "#" or not lines[after - 1].strip()):
        after -= 1  # a comment before the next key belongs to that
    return "".join([*lines[:first], *block, *lines[after:]])


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
