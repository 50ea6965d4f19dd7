"""Words and identifiers of any script: what recall matches on."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from learnt.core.words import SIMPLIFIED, STOP_PAIRS, STOP_WORDS

# Scripts written without spaces (and Hangul, whose words agglutinate) are matched by bigrams.
UNSPACED: Final = (
    "\u0e01-\u0e3a\u0e40-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
# Case is passed over for the few letters alone: with a class of whole scripts, which know no case,
# each of their characters would be looked at when the pattern is compiled, at every start.
_PIECE = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)|(?P<named>(?i:c\+\+|[cf]#|\.net\b))|(?P<word>[^\W_{UNSPACED}]+(?:[_-]+[^\W_{UNSPACED}]+)*(?:'(?i:[a-z]{{1,2}})\b)?)"
)
_NAMED: Final = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}
_JOINTS = re.compile(r"[_-]+")
_LONGEST: Final = 64
_CHARACTERS: Final = str.maketrans("’‘" + SIMPLIFIED[::2], "''" + SIMPLIFIED[1::2])
_LETTERS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ı": "i", "\u0307": ""}) | {
    c: unicodedata.normalize("NFD", chr(c))[0] for c in range(0x390, 0x3CF)
}  # a dotted I leaves its dot behind; Greek capitals mostly stand without accents


def _plain(text: str) -> str:
    """The text in its compatible form, Chinese simplified, without marks that stay apart.

    Vowel signs of Indic scripts and diacritics of Arabic would part a word; without them its
    letters stand together, on both sides of a match alike.
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", text).translate(_CHARACTERS)
    if composed.isalnum():  # nothing but letters: no marks to look for one by one
        return composed
    return "".join(c for c in composed if not unicodedata.category(c).startswith("M"))


def _humps(piece: str) -> list[str]:
    if piece.islower() or piece.isupper() or (piece.isalpha() and piece[1:].islower()):
        return [piece]
    parts, start = [], 0
    for i in range(1, len(piece)):
        before, here, after = piece[i - 1], piece[i], piece[i + 1 : i + 2]
        rises = here.isupper() and (before.islower() or after.islower())
        if rises or here.isdigit() != before.isdigit():
            parts.append(piece[start:i])
            start = i
    return [*parts, piece[start:]]


@lru_cache(maxsize=8_192)
def _identifier(word: str) -> tuple[str, ...]:
    """An identifier joined (its spellings meet), and its parts; no stop words, no letters."""
    pieces = _JOINTS.split(word.split("'")[0])
    parts = [part for piece in pieces for part in _humps(piece)]
    spellings = ["".join(pieces), *(p for p in parts if len(parts) > 1 < len(p))]
    folded = (each.casefold().translate(_LETTERS) for each in spellings)
    return tuple(p[:_LONGEST] for p in folded if len(p) > 1 and p not in STOP_WORDS)


def words(text: str) -> list[str]:
    """The words of a text in order, repeated as they repeat: letters and digits only.

    Identifiers give themselves and their parts, however they are spelt; runs of unspaced scripts
    give their bigrams. Stop words and single letters are left out.

    >>> words("Why does createUser fail in C++?")
    ['createuser', 'create', 'user', 'fail', 'cplusplus']
    >>> words("数据库死锁")
    ['数据', '据库', '库死', '死锁']
    """
    return [word for piece in pieces(text) for word in piece]


def pieces(text: str) -> list[tuple[str, ...]]:
    """The words of a text in order, those of one identifier, or of one run, together.

    >>> pieces("createUser 死锁了")
    [('createuser', 'create', 'user'), ('死锁', '锁了')]
    """
    every: list[tuple[str, ...]] = []
    for match in _PIECE.finditer(_plain(text)):
        piece = match[0]
        if match["unspaced"]:
            pairs = [piece[i : i + 2] for i in range(len(piece) - 1)] or [piece]
            every.append(tuple(pair for pair in pairs if pair not in STOP_PAIRS))
        elif match["named"]:
            every.append((_NAMED[piece.casefold()],))
        elif piece.casefold() not in STOP_WORDS:
            every.append(_identifier(piece))
    return every


_BEGINS_UNSPACED: Final = re.compile(f"[{UNSPACED}]")


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script that is written without spaces: a bigram.

    >>> is_unspaced("死锁"), is_unspaced("lock")
    (True, False)
    """
    return _BEGINS_UNSPACED.match(word) is not None


_NAME = re.compile(
    r"`([^`\n]{2,80})`"
    r"|(?<![\w./@-])("
    r"(?:[\w-]+/)+[\w.-]*\w"  # a path
    r"|[A-Za-z_]\w*(?:(?:\.|::|->)\w+)+(?:\(\))?"  # dotted, or a member
    r"|[A-Za-z](?=\w*_\w)\w++(?:\(\))?"  # snake
    r"|[a-z][a-z0-9]*[A-Z]\w*(?:\(\))?|[A-Z][a-z0-9]+[A-Z]\w*(?:\(\))?"  # camel
    r"|--?[a-z][\w-]+"  # a flag
    r"|[A-Z][A-Z0-9-]{2,}"  # in capitals
    r"|[a-z]+\d*(?:-[a-z0-9]+)+"  # with hyphens
    r")(?![\w/])",
    re.ASCII,
)


def names(text: str) -> list[str]:
    """The names that a text mentions, as they are spelt, each once: paths, identifiers, flags.

    >>> names("`id` of t_room is read by getRoom() in src/rooms.py, see --all")
    ['id', 't_room', 'getRoom()', 'src/rooms.py', '--all']
    """
    return list(dict.fromkeys(match[1] or match[2] for match in _NAME.finditer(text)))


Stem = Callable[[str], str]


def terms(text: str, stem: Stem) -> list[str]:
    """The words of a text brought to their stems, in order, repeated as they repeat.

    >>> terms("locking locks", lambda word: word.removesuffix("ing").removesuffix("s"))
    ['lock', 'lock']
    """
    return [stem(word) for word in words(text)]


def estimate(text: str) -> int:
    """About how many tokens a text has: a quarter of its bytes; too many for unspaced scripts.

    >>> estimate("12345"), estimate("")
    (2, 0)
    """
    return -(-len(text.encode("utf-8", "replace")) // 4)
