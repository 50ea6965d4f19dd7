"""SKILL.md as the Agent Skills specification has it: six keys of front matter, then Markdown."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from learnt.core.records import JsonValue
from learnt.core.skills.skills import LONGEST_DESCRIPTION

LONGEST_NAME: Final = 60  # the specification allows 64; four are left for a suffix


def slug(text: str) -> str:
    """A folder's name for a text: at most 60 characters, a hash for what ASCII can't spell.

    >>> slug("Hello, World! 2026"), slug("../../etc/passwd"), slug("")
    ('hello-world-2026', 'etc-passwd', 'untitled')
    >>> slug("数据库死锁") == slug("内存泄漏")
    False
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(c for c in plain if not unicodedata.combining(c))
    words = "-".join(re.findall(r"[a-z0-9]+", bare))
    if any(c.isalnum() and not c.isascii() for c in bare):
        mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        return f"{_cut(words, LONGEST_NAME - 7) or 'untitled'}-{mark}"
    return _cut(words, LONGEST_NAME) or "untitled"


def _cut(words: str, most: int) -> str:
    if len(words) <= most:
        return words
    return words[: most + 1].rpartition("-")[0] or words[:most]


def strict(front: Mapping[str, JsonValue], name: str, description: str, body: str) -> str:
    """A foreign skill that cannot be read as it stands: each key in its place, with its value.

    >>> print(strict({"model": "x", "disable-model-invocation": "true"}, "n", "Y", "Z"), end="")
    ---
    name: "n"
    description: "Y"
    model: "x"
    disable-model-invocation: true
    ---
    <BLANKLINE>
    Z
    """
    own = {"name", "description"}
    kept = {key: _plain(value) for key, value in front.items() if key not in own}
    return render(name, unmarked(description), {}, body, kept)


def _plain(value: JsonValue) -> JsonValue:
    """A value as it stood: what is true or false stays so, all else is text."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    text = unmarked(str(value))
    return {"true": True, "false": False}.get(text.casefold(), text)


def unmarked(text: str) -> str:
    """A text of the front matter without marks that end it.

    >>> unmarked("a --- b")
    'a — b'
    """
    # The specification's own reader takes any three hyphens for the end of the front matter.
    return re.sub(r"-{3,}", "—", text)


def render(
    name: str,
    description: str,
    metadata: Mapping[str, str],
    body: str,
    more: Mapping[str, JsonValue] | None = None,
) -> str:
    """A SKILL.md. The description is cut to what the specification allows, on one line.

    >>> render("locks", "Waits: how to", {}, "# Locks").splitlines()[1:3]
    ['name: "locks"', 'description: "Waits: how to"']
    """
    line = " ".join(description.split())
    if len(line) > LONGEST_DESCRIPTION:
        line = line[: LONGEST_DESCRIPTION - 1].rstrip() + "…"
    from learnt.formats import front_matter as yaml_front  # yaml takes longer than all the rest

    front: dict[str, Any] = {"name": name, "description": line, **(more or {})}
    if metadata:
        front["metadata"] = metadata
    return f"---\n{yaml_front.render(front)}---\n\n{body.strip()}\n"
