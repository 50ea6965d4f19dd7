"""Which characters of a text a reader does not see, and the text without them or with their names.

An invisible character has one place and one form there: in an emoji's own sequence as Unicode lists
it, or where a script's letters need a joiner. A text writes a sign or a word in one form. So nobody
can choose between forms that look alike, and no choice carries a message. Standard library only: a
copy of this file lies beside the hook.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

TYPE_CHECKING = False  # the module that has it takes the hook long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

# Default_Ignorable but neither of category C nor Z, and signs that look like nothing: the Braille
# blank, the head of a note that is none, the object replacement; the frame of a key, which is seen in an emoji alone.
IGNORABLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u20e3\u3164\uffa0\u2800\ufffc\U0001d159"
) | frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
# The blanks that people type beside the plain one: the unbroken (also narrow), the thin, the ideographs'
# own. Their words keep them; whatever is shown or written has a plain one in their place.
BLANKS: Final = "\u00a0\u202f\u2009\u3000"
WIDE: Final = "[\u3001-\u9fff\uff01-\uff60]"  # an ideograph, a kana, their marks
_STACK: Final = 4  # marks of its own script on a letter
# The sequences of emoji that Unicode 17 lists. J is the joiner, V the selector, T a tone of the skin,
# P a person. What stands in `_STYLED` may have a selector.
_SEQUENCES: Final = (
    "P(?:J(?:[🌾🍳🍼🎄🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦯🦰-🦳🦼🦽🩰]|[⚕⚖✈]V)(?:J➡V)?|J❤V(?:J💋)?JP|J[🤝🐰🫯]JP|(?:JP)?(?:J[👦👧🧒]T?){1,2})"
    "|(?:[⛹🏋🏌🕵][VT]|[🏃🏄🏊👮👯👰👱👳👷💁💂💆💇🙅-🙇🙋🙍🙎🚣🚴-🚶🤦🤵🤷-🤹🤼-🤾🦸🦹🧍-🧏🧔🧖-🧟]T?)J[♀♂]V(?:J➡V)?"
    "|[🏃🚶🧎]T?J➡V|🫱TJ🫲T|🏳VJ(?:🌈|⚧V)|🏴J☠V|👁VJ🗨V|❤VJ[🔥🩹]|⛓VJ💥|🐻J❄V|[🐈🐦]J⬛|🐕J🦺|🐦J🔥|😶J🌫V|😮J💨|😵J💫"
    "|🍄J🟫|🍋J🟩|🙂J[↔↕]V|[#*0-9]V\u20e3|🏴\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_STYLED: Final = (
    "[©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-☄☎☑☔☕☘☝☠☢☣☦☪☮☯☸-☺♀♂♈-♓♟♠♣♥♦♨♻♾♿⚒-⚗⚙⚛⚜⚠⚡⚧⚪⚫⚰⚱⚽⚾⛄⛅⛈⛏⛑⛓⛔⛩⛪⛰-⛵⛷-⛺⛽✂✈✉✌✍✏✒✔✖✝✡✳✴"
    "❄❇❣❤➡⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙🅰🅱🅾🅿🈂🈷🌡🌤-🌬🌶🍽🎖🎗🎙-🎛🎞🎟🏋-🏎🏔-🏟🏳🏵🏷🐿👁📽🕉🕊🕯🕰🕳-🕹🖇🖊-🖍🖐🖥🖨🖱🖲🖼🗂-🗄🗑-🗓🗜-🗞🗡🗣🗨🗯🗳🗺🛋🛍-🛏🛠-🛥🛩🛰🛳]"
)
# Of these the selector changes nothing, and of those before it is rare; the others are emoji with it alone. In each
# of the three groups a text's signs have it all or none.
_EMOJI: Final = frozenset(
    "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛔⛪⛲⛳⛵⛺⛽⬛⬜⭐⭕"
)
_LEGAL: Final = frozenset("©®™")
_ARABIC: Final = "[\u0620-\u064a\u066e-\u06d3\u06d5\u06ee-\u06ff]"
_ALONE: Final = "\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0649\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef"
_INDIC: Final = "[\u0900-\u0dff\u1000-\u109f\u1780-\u17ff]"
_VIRAMAS: Final = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u103a\u17d2"
_RAS: Final = "[\u0930\u09b0\u0a30\u0ab0\u0b30\u0c30\u0cb0\u0d30]"
_JOINED: Final = (
    "[\u0590-\u109f\u1780-\u18af\u200c\u200d]+"  # words of scripts with joiners or marks
)
_MARKED: Final = "[^\\W\\d_][\u0300-\u0362]+"
_SELECTED: Final = f"{_STYLED}V?(?!T)"


def _spelt(pattern: str) -> str:
    for sign, meant in (("P", "[👨👩🧑]T?"), ("T", "[🏻-🏿]"), ("J", "\u200d"), ("V", "\ufe0f")):
        pattern = pattern.replace(sign, meant)
    return pattern


_PLACES: Final = _spelt("|".join((
    "\r\n",
    "\\A\ufeff",
    _SEQUENCES,
    f"(?<={_ARABIC})(?<![{_ALONE}])\u200c(?={_ARABIC})|(?<={_ARABIC})J(?!{_ARABIC}|[\u200cJ])",
    f"(?<=[{_VIRAMAS}])(?:[\u200cJ](?={_INDIC})|J(?![\u200cJ]))|(?<={_RAS})J(?=[{_VIRAMAS}])",
    "(?<=[\u2801-\u28ff])\u2800(?=[\u2801-\u28ff])",
    f"({_SELECTED})",
)))  # fmt: skip


@lru_cache(maxsize=4096)
def _is_odd(c: str) -> bool:
    return c not in "\t\n " and (unicodedata.category(c)[0] in "CZ" or c in IGNORABLE)


@lru_cache(maxsize=4096)
def _is_mark(c: str) -> bool:
    return unicodedata.category(c)[0] == "M" and c not in IGNORABLE


# Each sign and word that could be written with or without what is not seen.
_UNITS: Final = _spelt(f"{_SEQUENCES.replace('V', 'V?')}|({_SELECTED})|({_MARKED})|{_JOINED}")
_compiled: Final = lru_cache(re.compile)  # when first needed


@lru_cache(maxsize=4096)
def _stand(marks: str, base: str) -> bool:
    """Whether marks may stand on a character: a script's own on its letters, accents on ours."""
    scripts = {unicodedata.name(c, "?").split(" ")[0] for c in marks + base}
    if all("\u0300" <= c <= "\u0362" for c in marks):
        bare = unicodedata.normalize("NFD", base + marks)
        return base.isalpha() and len(bare) < 4 and bool(scripts & {"LATIN", "GREEK", "CYRILLIC"})
    return len(scripts) == 1 and bool(base) and len(set(marks)) == len(marks) <= _STACK


def _at(text: str) -> Iterator[int]:
    """Where characters stand that are not seen, or that have no place there; in no order."""
    odd = set(filter(_is_odd, set(text)))
    marks = "".join(sorted(filter(_is_mark, set(text))))
    if odd:
        found = (m for m in _compiled(_PLACES).finditer(text) if (m[1] or "-")[0] not in odd)
        right = {at for match in found for at in range(*match.span())}
        yield from (at for at, c in enumerate(text) if c in odd and at not in right)
    for match in re.finditer(f"[{re.escape(marks)}]+", text) if marks else ():
        base = text[max(0, match.start() - 3) : match.start()].rstrip("\u200c\u200d")[-1:]
        if not _stand(match[0], base):
            yield from range(*match.span())
    if odd or marks:
        yield from _unlike(text)


def _unlike(text: str) -> Iterator[int]:
    """Where a sign or a word stands in one of several forms that look alike."""
    forms: dict[str, set[str]] = {}
    choices: dict[tuple[bool, bool], set[bool]] = {}  # of a group: selectors that its signs have
    found = [(match, _visible_unit(match[0])) for match in _compiled(_UNITS).finditer(text)]
    for match, seen in found:
        forms.setdefault(seen, set()).add(match[0])
        if match[1]:
            choices.setdefault(_group(seen), set()).add(seen != match[0])
    composed = any(map(_is_composed, frozenset(text)))
    for match, seen in found:
        mixed = match[1] and len(choices[_group(seen)]) > 1
        if len(forms[seen]) > 1 or mixed or (match[2] and seen != match[2] and composed):
            yield from (
                match.start() + at for at, c in enumerate(match[0]) if _is_odd(c) or _is_mark(c)
            )


def _group(sign: str) -> tuple[bool, bool]:
    return sign in _EMOJI, sign in _LEGAL


@lru_cache(maxsize=4096)
def _is_composed(letter: str) -> bool:
    return "\u0300" <= unicodedata.normalize("NFD", letter)[1:][-1:] <= "\u0362"


@lru_cache(maxsize=4096)
def _visible_unit(unit: str) -> str:
    return unicodedata.normalize("NFC", "".join(c for c in unit if not _is_odd(c)))


def with_hidden(text: str, told: Callable[[str], str]) -> str:
    """The text with each character that is not seen as `told` gives it.

    >>> with_hidden("a\\ue000b", lambda c: "?")
    'a?b'
    """
    parts, after = [], 0
    for at in sorted(set(_at(text))):
        parts += [text[after:at], told(text[at])]
        after = at + 1
    return "".join(parts) + text[after:]


def hidden(text: str) -> list[tuple[int, str]]:
    """Where runs of characters begin that are not seen, and the name of the first of each.

    >>> hidden("a\\u200bb"), hidden("👩\\u200d💻 می\\u200cشود 3\\xa0€")
    ([(1, 'U+200B ZERO WIDTH SPACE')], [])
    """
    places = sorted({at for at in _at(text) if text[at] not in BLANKS})
    return [
        (at, f"U+{ord(text[at]):04X} {unicodedata.name(text[at], 'without a name')}")
        for before, at in zip([-2, *places], places, strict=False)
        if at != before + 1
    ]


def visible(text: str) -> str:
    """The text without characters that are not seen, and with plain blanks and ends of lines.

    >>> visible("a\\u200bb\\x00c\\r\\nd\\ufe00\\xa0e")
    'abc\\nd e'
    """
    if text.isascii() and text.isprintable():
        return text
    text = re.sub(_MARKED, lambda match: unicodedata.normalize("NFC", match[0]), text)
    text = re.sub(f"[\u1680\u2000-\u200a\u205f{BLANKS}]", " ", text)
    while (seen := with_hidden(text, lambda _: "").replace("\r\n", "\n")) != text:
        text = seen  # what is taken out may have stood beside what it made right
    return text


def spelled_out(text: str) -> str:
    """The text with each character that is not seen as its number, for a terminal or a page.

    >>> spelled_out("a\\x1b[2J\\ufe00b\\tc")
    'a⟨U+001B⟩[2J⟨U+FE00⟩b\\tc'
    """
    return with_hidden(text, lambda c: " " if c in BLANKS else f"⟨U+{ord(c):04X}⟩")
