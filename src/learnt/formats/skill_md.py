"""SKILL.md as the Agent Skills specification has it: six keys of front matter, then Markdown."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from learnt.core.records import JsonValue
from learnt.core.skills.skills import LONGEST_DESCRIPTION, is_sign

LONGEST_NAME: Final = 60  # bytes; the specification allows 64 characters


def slug(text: str) -> str:
    """A skill's name for a text in any script: its first words, as far as clients take them.

    Claude Code, Codex, Gemini CLI and opencode take small letters and digits of any script, and so
    does the specification's own validator. Accents of Latin letters go; the vowel signs of a script
    stay, which that validator alone does not take: without them its words are none.

    >>> slug("Hello, World! 2026"), slug("../../etc/passwd"), slug("")
    ('hello-world-2026', 'etc-passwd', 'untitled')
    >>> slug("Stripe 签名：验证失败"), slug("Überläufe im Cafe\u0301"), slug("Ошибка сборки")
    ('stripe-签名-验证失败', 'uberlaufe-im-cafe', 'ошибка-сборки')
    >>> slug("डेटाबेस त्रुटि"), slug("ที่อยู่")
    ('डेटाबेस-त्रुटि', 'ที่อยู่')
    """
    whole = unicodedata.normalize("NFKC", text.casefold())
    kept, before = "", ""
    for letter in unicodedata.normalize("NFKC", whole).lower():
        sign = is_sign(letter, before)
        if sign or unicodedata.category(letter)[0] != "M":  # other marks are no part of a name
            first = unicodedata.normalize("NFKD", letter)[0]
            before = first if first.isascii() else letter
            kept += before if sign or before.isalnum() else "-"
    words = unicodedata.normalize("NFKC", kept).split("-")
    return cut("-".join(filter(None, words)), LONGEST_NAME) or "untitled"


def cut(name: str, most: int) -> str:
    """A name's first words, of so many bytes at most."""
    head = name.encode("utf-8", "ignore")[: most + 1].decode("utf-8", "ignore")
    if len(name.encode("utf-8", "ignore")) > most:
        head = head.rpartition("-")[0] or head.encode()[:most].decode("utf-8", "ignore")
    return head.strip("-")


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
    """A SKILL.md. The description is cut to what the specification allows, on one line."""
    line = " ".join(description.split())
    if len(line) > LONGEST_DESCRIPTION:
        line = line[: LONGEST_DESCRIPTION - 1].rstrip() + "…"
    from learnt.formats import front_matter as yaml_front  # yaml takes longer than all the rest

    front: dict[str, Any] = {"name": name, "description": line, **(more or {})}
    if metadata:
        front["metadata"] = metadata
    return f"---\n{yaml_front.render(front)}---\n\n{body.strip()}\n"
