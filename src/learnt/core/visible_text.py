"""Which characters of a text a reader does not see, and the text without them or with their names.

Decided by what Unicode says of a character and by what stands around it, not by a list of attacks:
joiners belong into Persian, Hindi and emoji, direction marks beside Arabic. Standard library only:
a copy of this file lies beside the hook.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

TYPE_CHECKING = False  # the module that has it takes the hook long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
# Default_Ignorable but in none of those categories, and signs that look like nothing: the Braille
# blank, the object replacement.
_IGNORABLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\ufffc") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
# The blanks that people type: the usual, the unbroken (also narrow), the thin, the ideographs' own.
_BLANKS: Final = frozenset(" \u00a0\u202f\u2009\u3000")
_PLAIN: Final = frozenset("\t\n")
_JOINED: Final = "[\u0600-\u109f\u1780-\u18af]"  # Arabic, Indic and other scripts that join
_VIRAMAS: Final = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u103a\u17d2"
_DIRECTED: Final = "[\u0590-\u05ff\u0608-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_EMOJI: Final = (
    "[\u00a9\u00ae\u203c\u2049\u2100-\u218b\u2190-\u2426\u2460-\u27ff\u2900-\u2b73\u3030\u303d\u3297\u3299"
    "\U0001f004\U0001f0cf\U0001f170-\U0001f1ad\U0001f1e6-\U0001f202\U0001f210-\U0001f23b"
    "\U0001f250\U0001f251\U0001f300-\U0001f6ff\U0001f7e0-\U0001f7eb\U0001f900-\U0001f9ff\U0001fa70-\U0001faff]"
)
# Marks that stand over any letter, up to four of them; those of one script stand in that script.
_MARKS: Final = "[\u0300-\u034e\u0350-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_RIGHTLY: Final = "|".join((
    f"(?<!{_MARKS}{{4}}){_MARKS}",
    "\r\n",
    "\\A\ufeff",
    "\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f",  # a flag of tags
    "[#*0-9]\ufe0f?\u20e3",  # a key
    f"{_EMOJI}[\ufe0e\ufe0f]?(?:\u200d(?={_EMOJI}))?",
    "[\u3400-\u9fff\U00020000-\U0003134f][\ufe00-\ufe02\U000e0100-\U000e010f]",
    "(?<=[\u1820-\u18aa])[\u180b-\u180f]",
    f"(?<={_JOINED})[\u200c\u200d](?={_JOINED})",
    f"(?<=[{_VIRAMAS}])[\u200c\u200d]",  # a letter's own form, also where the word ends
    "(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b",
    f"(?<={_DIRECTED})[\u200e\u200f\u061c]|[\u200e\u200f\u061c](?=.?{_DIRECTED})",
    f"{_DIRECTED}(?:[ -~]|{_DIRECTED}){{0,40}}[\u200e\u200f\u061c](?![\u200e\u200f\u061c])",
    "(?<=[\u2801-\u28ff])\u2800|\u2800(?=[\u2801-\u28ff])",
))


@lru_cache(maxsize=4096)
def _is_odd(c: str) -> bool:
    category = unicodedata.category(c)
    blank = category == "Zs" and c not in _BLANKS
    mark = category in {"Mn", "Me"}
    return c not in _PLAIN and (blank or mark or category in UNSEEN or c in _IGNORABLE)


@lru_cache(maxsize=64)
def _pattern(odd: str) -> re.Pattern[str]:
    general = re.compile(_MARKS)
    scripts = (c for c in odd if unicodedata.category(c) == "Mn" and not general.match(c))
    marks = "".join(c for c in scripts if c not in _IGNORABLE)
    in_script = f"|(?<=[^\x00-\x7f])[{re.escape(marks)}]" if marks else ""
    return re.compile(f"{_RIGHTLY}{in_script}|([{re.escape(odd)}])")


def with_hidden(text: str, told: Callable[[str], str]) -> str:
    """The text with each character that is not seen as `told` gives it.

    >>> with_hidden("a\\ue000b", lambda c: "?")
    'a?b'
    """
    odd = "".join(sorted(filter(_is_odd, set(text))))
    if not odd:
        return text
    return _pattern(odd).sub(lambda match: told(match[1]) if match[1] else match[0], text)


def hidden(text: str) -> list[tuple[int, str]]:
    """Where runs of characters begin that are not seen, and the name of the first of each.

    >>> hidden("a\\u200bb"), hidden("👩\\u200d💻 می\\u200cشود")
    ([(1, 'U+200B ZERO WIDTH SPACE')], [])
    """
    odd = "".join(sorted(filter(_is_odd, set(text))))
    found, after = [], -1
    for match in _pattern(odd).finditer(text) if odd else ():
        if match[1] is None:
            continue
        if match.start() != after:
            name = unicodedata.name(match[1], "without a name")
            found.append((match.start(), f"U+{ord(match[1]):04X} {name}"))
        after = match.end()
    return found


def visible(text: str) -> str:
    """The text without characters that are not seen, and with plain ends of lines.

    >>> visible("a\\u200bb\\x00c\\r\\nd\\ufe00")
    'abc\\nd'
    """
    while (seen := with_hidden(text, lambda _: "").replace("\r\n", "\n")) != text:
        text = seen  # what is taken out may have stood beside what it made right
    return text


def spelled_out(text: str) -> str:
    """The text with each character that is not seen as its number, for a terminal or a page.

    >>> spelled_out("a\\x1b[2J\\ufe00b\\tc")
    'a⟨U+001B⟩[2J⟨U+FE00⟩b\\tc'
    """
    return with_hidden(text, lambda c: f"⟨U+{ord(c):04X}⟩")
