"""What a text holds that a reader does not see, and the sentences of a skill's file."""

import base64
import codecs
import html
import re
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, takewhile
from typing import Final
from urllib.parse import unquote

from learnt.core.visible_text import BLANKS, WIDE

# What must stand in a text for it to have such a run, and the run.
_SPACED: Final = (
    ("", re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]{6,}")),
    ("\n", re.compile(r"\n(?:[ \t]*\r?\n){30}")),
    # A table's cell hides nothing.
    (" " * 60, re.compile(r"(?<=\S) {150,}(?=\S)(?!\|[ \t]*\r?\n)")),
    ("\t" * 20, re.compile(r"(?<=\S)\t{20,}(?=\S)")),
    ("\t ", re.compile(r"(?<![ \t])(?=[ \t]*\t [ \t]*\t)[ \t]{9,}\r?\n")),
)

# The places that have a blank of their own: between digits, beside a sign, before an ideograph.
_FORMS: Final = r"(?<=\d)(B)(?=\d)|(?<=«)(B)|(B)(?=[!%:;?»€])|(?:(?<=W)|^)(B+)(?=W)|(B)"
_BLANK: Final = re.compile(_FORMS.replace("B", f"[ {BLANKS}]").replace("W", WIDE), re.MULTILINE)

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
_LONGEST: Final = 20_000


def readable(content: bytes) -> str:
    """What can be read of a file's bytes: all of a text, the readable runs of anything else."""
    with suppress(UnicodeDecodeError):
        return content.decode("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8")
    return "\n".join(run.decode() for run in re.findall(rb"[\x20-\x7e]{12,}", content))


def gaps(text: str) -> Iterator[tuple[int, str]]:
    """Where a run of blanks begins that hides what follows, or spells something."""
    for needed, pattern in _SPACED:
        if (needed in text if needed else not text.isascii()) and (match := pattern.search(text)):
            yield match.start(), "a run of blanks that hides what follows, or spells something"


def blanks(text: str) -> list[tuple[int, str]]:
    """The blanks in another form than most in such a place: which ones they are could spell a text.

    >>> [at for at, _ in blanks("a b\\xa0c d 10\\xa0000")]
    [3]
    """
    places: dict[tuple[object, str], dict[str, list[int]]] = {}
    for match in () if set(BLANKS).isdisjoint(text) else _BLANK.finditer(text):
        forms = places.setdefault((match.lastindex, text[match.end()] if match[3] else ""), {})
        for at in range(*match.span()):
            forms.setdefault(text[at], []).append(at)
    rare = (same for forms in places.values() for same in sorted(forms.values(), key=len)[:-1])
    return [(at, "a blank in another form than most") for at in sorted(chain(*rare))]


def mixed(text: str) -> list[tuple[int, str]]:
    """The words that mix Latin letters with ones that look like them."""
    if text.isascii() or _LETTERS.isdisjoint(text):
        return []
    return [(match.start(), match[0]) for match in _MIXED.finditer(text)]


def unfolded(text: str) -> str:
    """The text with look-alikes as the Latin letters that they stand for."""
    return unicodedata.normalize("NFKC", text).translate(_FOLD)


def decoded(text: str) -> Iterator[tuple[int, str]]:
    """What encoded parts of a text say, where they hold readable text, and where each begins."""
    for match in _BASE64.finditer(text):
        packed = "".join(match[0].split()).rstrip("=")[:_LONGEST]
        if read := _readable(_base64(packed)):
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


def _readable(raw: bytes) -> str:
    """Bytes as a text of words; empty where they are none."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    shown = sum(c.isprintable() or c in "\n\t" for c in text)
    return text if len(text) > 7 and shown > 0.95 * len(text) else ""


SHORTEST: Final = 12  # characters of what can mislead anybody
LONGEST: Final = 1_000  # characters that are compared at once
_TITLE: Final = re.compile(r"#{1,6}(?:[ \t]+\S+){1,4}")
_END: Final = re.compile(r"(?<=[.!?])[\"'”»)*_]*\s+|(?<=[。！？])|\n")


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each line of a text, cut where a sentence ends; without titles of up to four words."""
    start = 0
    for match in [*_END.finditer(text), None]:
        end = match.start() if match else len(text)
        for at in range(start, end, LONGEST):
            part = text[at : min(end, at + LONGEST)].strip()
            long = SHORTEST if part.isascii() else SHORTEST // 3
            if len(part) >= long and not _TITLE.fullmatch(part):
                yield at, part
        start = match.end() if match else end


_VERSION: Final = re.compile(r"(?<=\w)[-_ ]?v?\d+$")


def alike(name: str, other: str) -> bool:
    """Whether a hasty reader takes one name for the other."""
    return skeleton(_VERSION.sub("", name)) == skeleton(other)


def skeleton(name: str) -> str:
    """What a hasty reader sees: no separators, look-alikes and plural folded."""
    plain = unfolded(name).casefold().replace("rn", "m").replace("vv", "w")
    return re.sub(r"[\W_]", "", plain.translate(str.maketrans("01i35", "ollee"))).removesuffix("s")


def near(a: str, b: str) -> bool:
    """Whether one letter was added, lost, changed or swapped."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return a == b
    at = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))))
    x, y = a[at:], b[at:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[1::-1] + x[2:] == y)
