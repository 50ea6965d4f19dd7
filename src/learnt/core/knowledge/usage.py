"""Whether a call used what an entry says: what was merely shown changes nothing."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

LEAST_TOKENS: Final = 2
SHORTEST_NAME: Final = 3

_CODE: Final = re.compile(r"`([^`\n]{4,400})`")
_TOKEN: Final = re.compile(r"[^\s\"'`;|&()<>]{2,}")
_EDITED: Final = re.compile(
    r"^(?:Changed .*?: )?[+-] .*$", re.MULTILINE
)  # a line of a file, and no command
_GENERAL: Final = re.compile(r"<(?:text|date|id|hash|tmp|number)>|\u2026")


def applied(approach: str, cautions: Iterable[str], command: str) -> bool:
    """Whether a command holds all tokens of an approach's command that no caution's holds too.

    >>> approach = "What worked: `TARGET=rpi3a mix firmware`"
    >>> applied(approach, ["`mix firmware` fails"], "TARGET=rpi3a mix firmware && mix upload")
    True
    >>> applied(approach, ["`mix firmware` fails"], "mix firmware")
    False
    """
    given, approach = set(_TOKEN.findall(command)), _EDITED.sub("", approach)
    failing = [set(_TOKEN.findall(code)) for text in cautions for code in _CODE.findall(text)]
    parts = (set(_TOKEN.findall(_GENERAL.sub(" ", code))) for code in _CODE.findall(approach))
    return any(
        len(tokens) >= LEAST_TOKENS and tokens <= given and not any(map(tokens.issubset, failing))
        for tokens in parts
    )


def touched(names: Sequence[str], text: str) -> bool:
    """Whether a call's text names what an entry is about: a file, a table, an identifier.

    >>> touched(["src/rooms.py"], '{"command": "pytest tests/test_rooms.py SRC/rooms.py"}')
    True
    >>> touched(["id"], "identity"), touched(["t_room"], "open t_room_2")
    (False, False)
    """
    plain = text.casefold()
    return any(
        len(name) >= SHORTEST_NAME
        and re.search(rf"(?<![\w./-]){re.escape(name.casefold())}(?![\w-])", plain)
        for name in names
    )
