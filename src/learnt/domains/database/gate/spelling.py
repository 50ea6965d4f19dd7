"""How a statement is spelled: what can't be read with certainty, before anything is parsed."""

import re
import unicodedata
from collections.abc import Mapping
from itertools import accumulate
from typing import Final

from learnt.domains.database.gate.verdicts import Refused
from learnt.domains.database.servers.addresses import Dialect

DEEPEST: Final = 120  # brackets in brackets

# Texts, names in quotes and comments, whichever begins first; by server, for they differ.
# One that is never closed goes on to the end, so that looking takes as long as the text.
_NOTE: Final = r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_APART: Final[Mapping[Dialect, re.Pattern[str]]] = {
    "mysql": re.compile(
        r"'(?:[^'\\]|\\.|'')*+(?:'|\\?\Z)|\"(?:[^\"\\]|\\.|\"\")*+(?:\"|\\?\Z)|`[^`]*+(?:`|\Z)|"
        rf"(?P<code>/\*[Mm]?!)|{_NOTE}|--(?=\s|$)[^\n]*|\#[^\n]*",
        re.DOTALL,
    ),
    "postgres": re.compile(
        r"(?<!\w)[eE]'(?:[^'\\]|\\.|'')*+(?:'|\\?\Z)|'[^']*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|"
        rf"(?<!\w)\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|\Z)|{_NOTE}|--[^\n]*",
        re.DOTALL,
    ),
    "sqlite": re.compile(
        r"'[^']*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|\[[^\]]*+(?:\]|\Z)|"
        rf"{_NOTE}|--[^\n]*",
        re.DOTALL,
    ),
}
# The end of a text to some, and what came from bytes that are no text.
_NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")
_WORD: Final = re.compile(r"\w*[^\W\d_a-zA-Z]\w*")
# Scripts whose letters look like Latin ones.
_ALIKE: Final = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")


def odd(text: str, dialect: Dialect) -> Refused | None:
    """Why a statement can't be read with certainty; None where it can.

    >>> odd("SELECT '\uff1b' -- \uff1b", "mysql") is None
    True
    >>> odd("SELECT 1\uff1b", "mysql").reason, odd("/*!50000 DROP TABLE t */", "mysql").reason
    ('not-understood', 'version-comment')
    """
    if _NO_TEXT.search(text):
        return Refused("not-understood", "a character that nobody sees")
    if any(match.groupdict().get("code") for match in _APART[dialect].finditer(text)):
        return Refused("version-comment")
    plain = _APART[dialect].sub(" ", text)
    if any(not sign.isprintable() and sign not in "\n\t\r" for sign in plain):
        return Refused("not-understood", "a character that nobody sees")
    if not plain.isascii() and (alike := _look_alike(plain)):
        return Refused("not-understood", f"{alike} outside of quotes, which looks like another")
    depth = accumulate((sign in "([{") - (sign in ")]}") for sign in plain)
    return Refused("too-deep") if max(depth, default=0) > DEEPEST else None


def _look_alike(plain: str) -> str:
    """A character that a server or a reader may take for another, if there is one."""
    for sign in plain:
        if sign > "~" and unicodedata.normalize("NFKC", sign) != sign:
            return sign
    for word in _WORD.findall(plain):
        latin = any(sign.isascii() and sign.isalpha() for sign in word)
        for sign in word:
            if latin and unicodedata.name(sign, "").startswith(_ALIKE):
                return str(sign)
    return ""
