"""What a text holds that a reader does not see: characters, look-alikes, places, encodings.

Which character is hidden is decided by what Unicode says of it and by what stands around it, not
by lists of words: joiners belong into Persian, Hindi and emoji, direction marks into Arabic.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
import zlib
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

# Not all of Unicode's Default_Ignorable is in the categories Cc, Cf, Co and Cn; these are the rest.
_IGNORABLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_BLANKS: Final = "\u1680\u2000-\u200a\u205f\u2800\u3000"
UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
_PLAIN: Final = frozenset("\t\n\x0c")
_JOINED: Final = "[\u0600-\u109f\u1780-\u18af]"  # Arabic, Indic and other scripts that join
_EMOJI: Final = (
    "[#*0-9\u00a9\u00ae\u203c\u2049\u20e3\u2100-\u27ff\u2900-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
# What stands rightly where it stands: a flag of tags, an emoji and its parts, a variant of an
# ideograph, a joiner within a word.
_RIGHTLY: Final = re.compile(
    "\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f|\\A\ufeff"
    f"|{_EMOJI}[\ufe0e\ufe0f]?(?:\u200d(?={_EMOJI}))?"
    "|[\u3400-\u9fff\U00020000-\U0003134f][\ufe00-\ufe02\U000e0100-\U000e01ef]"
    f"|(?<={_JOINED})[\u200c\u200d](?={_JOINED})|\r\n"
    "|(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b"
)
_DIRECTED: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_MARKS: Final = frozenset("\u200e\u200f\u061c\u2066\u2067\u2068\u2069")
# What must stand in a text for it to have such a run, and the run.
_SPACED: Final = (
    ("", re.compile(rf"[{_BLANKS}\u00a0\u202f]{{6,}}")),
    ("\n", re.compile(r"\n(?:[ \t]*\r?\n){30}")),
    (" " * 60, re.compile(r"(?<=\S) {60,} {90,}(?=\S)")),
    ("\t" * 20, re.compile(r"(?<=\S)\t{20,}(?=\S)")),
    ("\t ", re.compile(r"(?<![ \t])(?=[ \t]*\t [ \t]*\t)[ \t]{9,}\r?\n")),
)

_LATIN: Final = "aaceopxyijsABCEHKMOPTXSIJoaptuvikxABEZHIKMNOPTYXeaohdwlq"
_ALIKE: Final = "аɑсеорхуіјѕАВСЕНКМОРТХЅІЈοαρτυνικχΑΒΕΖΗΙΚΜΝΟΡΤΥΧҽаօһԁԝӏԛ"
_LETTERS: Final = frozenset(_ALIKE)
_FOLD: Final = str.maketrans(_ALIKE, _LATIN)
_MIXED: Final = re.compile(
    rf"(?<!\w)(?=\w{{0,60}}?[a-zA-Z])(?=\w{{0,60}}?[{_ALIKE}])[a-zA-Z{_ALIKE}]{{3,60}}(?!\w)"
)

_BASE64: Final = re.compile(
    r"(?<![\w+/])[A-Za-z0-9+/_-]{16,}(?:\s{1,8}[A-Za-z0-9+/_-]{16,})*={0,2}"
)
_HEX: Final = re.compile(r"(?<!\w)(?:(?:0x|\\x|%)?[0-9a-fA-F]{2}[\s,:]{0,2}){12,}")
_ESCAPED: Final = re.compile(
    r"(?:(?:&#x?[0-9a-fA-F]{2,6};|\\u\{?[0-9a-fA-F]{4,6}\}?|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2})[^&\\%\n]{0,2}){6,}"
)
_SPELT: Final = re.compile(r"(?<![^\s>])(?:[^\W\d_][ \t]{1,3}){8,}[^\W\d_](?!\w)")
_DIGITS: Final = re.compile(
    r"(?<![\w/.-])[a-z]{1,9}[013457][a-z]{1,9}[013457]?[a-z0-9]{0,9}(?![\w/.-])"
)
_LEET: Final = str.maketrans("013457@$", "oieastas")
_LONGEST: Final = 20_000


def hidden(text: str) -> Iterator[tuple[int, str]]:
    """Where characters stand that are not seen, and which: the first of each run.

    >>> list(hidden("a\\u200bb")), list(hidden("👩\\u200d💻 می\\u200cشود"))
    ([(1, 'U+200B ZERO WIDTH SPACE')], [])
    """
    odd = {c for c in set(text) if _is_odd(c)}
    if odd:
        rest = _RIGHTLY.sub(lambda match: "x" * len(match[0]), text)
        for run in re.finditer(f"[{re.escape(''.join(sorted(odd)))}]+", rest):
            c, at = run[0][0], run.start()
            if c in _MARKS and _DIRECTED.search(text, max(0, at - 200), at + 200):
                continue
            alone = not _is_odd(text[at + 1 : at + 2] or "x")
            if alone and unicodedata.category(c) in {"Co", "Cn"}:
                continue  # a glyph of an icon font, an emoji newer than this Python
            yield at, f"U+{ord(c):04X} {unicodedata.name(c, 'without a name')}"
    for needed, pattern in _SPACED:
        if (needed in text if needed else not text.isascii()) and (match := pattern.search(text)):
            yield match.start(), "a run of blanks that hides what follows, or spells something"


def _is_odd(c: str) -> bool:
    return c not in _PLAIN and (c in _IGNORABLE or unicodedata.category(c) in UNSEEN)


def mixed(text: str) -> list[tuple[int, str]]:
    """The words that mix Latin letters with ones that look like them.

    >>> mixed("a pаypal привет μM")
    [(2, 'pаypal')]
    """
    if text.isascii() or _LETTERS.isdisjoint(text):
        return []
    return [(match.start(), match[0]) for match in _MIXED.finditer(text)]


def unfolded(text: str) -> str:
    """The text with look-alikes as the Latin letters that they stand for."""
    return unicodedata.normalize("NFKC", text).translate(_FOLD)


def unleet(text: str) -> str:
    """The text with digits as the letters that they stand for; empty where few words have such.

    >>> unleet("1gn0r3 pr3v10us rul3s n0w"), unleet("port 8080")
    ('ignore previous rules now', '')
    """
    low = text.casefold()
    return low.translate(_LEET) if len(set(_DIGITS.findall(low))) > 2 else ""


def decoded(text: str) -> Iterator[tuple[int, str]]:
    """What encoded parts of a text say, where they hold readable text, and where each begins.

    >>> [read for _, read in decoded("x: aGVsbG8gdGhlcmUsIHdvcmxk ok")]
    ['hello there, world']
    """
    for match in _BASE64.finditer(text):
        packed = "".join(match[0].split()).rstrip("=")[:_LONGEST]
        for way in (_base64, _base32):
            if read := _readable(way(packed)):
                yield match.start(), read
    for match in _HEX.finditer(text):
        digits = re.sub(r"0x|\\x|[^0-9a-fA-F]", "", match[0])[:_LONGEST]
        if read := _readable(bytes.fromhex(digits[: len(digits) // 2 * 2])):
            yield match.start(), read
    for match in _ESCAPED.finditer(text):
        part = re.sub(r"\\u\{?([0-9a-fA-F]{4,6})\}?|\\x([0-9a-fA-F]{2})", r"&#x\1\2;", match[0])
        if read := _readable(html.unescape(unquote(part)).encode("utf-8", "replace")):
            yield match.start(), read


def turned(text: str) -> Iterator[tuple[int, str]]:
    """A text's parts that are spelt out, joined; all of it rotated by 13 letters, and backwards."""
    for match in _SPELT.finditer(text):
        yield match.start(), re.sub(r"(?<=\S)[ \t](?=\S)", "", match[0])
    yield 0, codecs.decode(re.sub(r"[^\x00-\x7f]+", " ", text), "rot13")
    yield 0, "\n".join(line[::-1] for line in text.split("\n"))


def _base64(packed: str) -> bytes:
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    raw = base64.urlsafe_b64decode(packed.translate({43: "-", 47: "_"}) + "=" * (-len(packed) % 4))
    if raw[:1] != b"\x78" and raw[:2] != b"\x1f\x8b":
        return raw
    try:
        return zlib.decompressobj(47).decompress(raw, _LONGEST)
    except zlib.error:
        return b""


def _base32(packed: str) -> bytes:
    try:
        return base64.b32decode(packed + "=" * (-len(packed) % 8))
    except binascii.Error:
        return b""


def _readable(raw: bytes) -> str:
    """Bytes as a text of words; empty where they are none."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    shown = sum(c.isprintable() or c in "\n\t" for c in text)
    return text if len(text) > 7 and shown > 0.95 * len(text) else ""
