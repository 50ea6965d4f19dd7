"""SKILL.md as the Agent Skills specification has it: six keys of front matter, then Markdown."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

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
    """A foreign skill as the specification has it: keys that it does not know go under metadata.

    >>> print(strict({"version": "1.0", "metadata": {"a": {"b": ["c"]}}}, "x", "Y", "Z"), end="")
    ---
    name: "x"
    description: "Y"
    metadata:
      version: "1.0"
      a.b: "c"
    ---
    <BLANKLINE>
    Z
    """
    own = {
        key: text.replace(", ", " ") if key == "allowed-tools" else text
        for key in ("license", "compatibility", "allowed-tools")
        for _, text in _leaves(key, front.get(key))
    }
    unknown = {
        key: value for key, value in front.items() if key not in {"name", "description", *own}
    }
    nested = unknown.pop("metadata", None)
    metadata = dict(_leaves("", unknown)) | dict(_leaves("", nested))
    return render(name, unmarked(description), metadata, body, own)


def _leaves(path: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), part)
    elif isinstance(value, list):
        plain = all(isinstance(part, str) for part in value)
        text = ", ".join(map(str, value)) if plain else json.dumps(value, ensure_ascii=False)
        yield path, unmarked(text)
    elif value is not None:
        yield path, unmarked(str(value))


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
    more: Mapping[str, str] | None = None,
) -> str:
    """A SKILL.md. The description is cut to what the specification allows, on one line.

    >>> render("locks", "Waits: how to", {}, "# Locks").splitlines()[1:3]
    ['name: "locks"', 'description: "Waits: how to"']
    """
    line = " ".join(description.split())
    if len(line) > LONGEST_DESCRIPTION:
        line = line[: LONGEST_DESCRIPTION - 1].rstrip() + "…"
    from learnt.formats import front_matter as yaml_front  # yaml takes longer than all the rest

    front: dict[str, str | Mapping[str, str]] = {"name": name, "description": line, **(more or {})}
    if metadata:
        front["metadata"] = metadata
    return f"---\n{yaml_front.render(front)}---\n\n{body.strip()}\n"
