"""Numbers with their units, brought to one base, and which parts of things a text sets equal."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from learnt.core.records import Record
from learnt.core.words import SIGNS

_EQUAL: Final = re.compile(
    r"([A-Za-z_][\w$]{0,63}\.[\w$]{1,64})`? {0,3}={1,2} {0,3}`?"
    r"(?:[\w$]{1,64}\.(?=[\w$]{1,64}\.))?([A-Za-z_][\w$]{0,63}\.[\w$]+)"
)
_FILES: Final = frozenset(
    "py js ts rb go rs java kt php cs sql sh md txt csv json yml yaml html vue tsx jsx css xml"
    " models db sqlite log".split()
)


def parts_in(text: str, whole: str) -> set[str]:
    """The parts of a whole that a text names: `whole.part`, and no path, call or file.

    >>> sorted(parts_in("在film.rate列, film.title.text, Film.objects.all(), film.py", "film"))
    ['rate']
    """
    if whole.casefold() not in text.casefold():
        return set()
    own = rf"(?<![A-Za-z0-9_.])`?{re.escape(whole)}`?\.(?:`([^`\n]+)`|([A-Za-z0-9_$]+))"
    after = r"(?![A-Za-z0-9_$]|`?\(|`?\.`?\w)"
    parts = re.findall(own + after, text, re.IGNORECASE)
    return {(quoted or plain).casefold() for quoted, plain in parts} - _FILES


def set_equal(text: str) -> set[frozenset[str]]:
    """The parts of two wholes that a text sets equal.

    >>> set_equal("by `a.id = b.a_id` and c.x = 'y'") == {frozenset({"a.id", "b.a_id"})}
    True
    """
    pairs = {(left.casefold(), right.casefold()) for left, right in _EQUAL.findall(text)}
    return {frozenset(pair) for pair in pairs if len({part.partition(".")[0] for part in pair}) > 1}


EXACT: Final = frozenset({"date", "clock", "version", "hex", "code"})  # none is nearly another
_YEARS: Final = range(1970, 2100)


def _rows(name: str) -> list[list[str]]:
    return [[word.replace("_", " ") for word in row.split()] for row in SIGNS[name].split("|")]


def _values(name: str) -> dict[str, float]:
    return {word: float(value) for value, *words in _rows(name) for word in words}


def _any_of(words: Iterable[str]) -> str:
    """A pattern for these words, the longest first; behind a letter no other may follow."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(w) + "(?![a-z])" * ("a" <= w[-1] <= "z") for w in ordered)


def _sign(name: str, before: str = "", behind: str = "") -> re.Pattern[str]:
    return re.compile(f"{before}(?:{SIGNS[name]}){behind}", re.IGNORECASE)


_UNITS: Final = {
    unit: (measure, float(factor)) for measure, factor, *units in _rows("units") for unit in units
}
_SCALES: Final = _values("scales")
_WORDS: Final = _values("numbers")
_DIGITS: Final = {digit: int(value) for digit, value in _values("digits").items()}
_MONTHS: Final = {month: place for place, month in enumerate(SIGNS["months"].split(), 1)}
_AMOUNT: Final = (
    r"(?:(?P<number>(?:(?<![\w.])|(?<=[^\x00-\x7f])|(?<=[^\W\d]-))[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|(?:(?<![\w.])|(?<=[^\x00-\x7f]))[-−]?\d+(?:\.\d+)?)"
    rf"|\b(?P<word>{'|'.join(_WORDS)})\b)"
    rf"(?P<scale>[ -]?(?:{_any_of(_SCALES.keys() - {'m'})})|m\b)?(?:{SIGNS['ordinals']})?"
    rf"(?: ?-?(?P<unit>{_any_of(_UNITS)}))?"
)
_ALONE: Final = _sign("no numbers alone", behind="$")
_CODE: Final = _sign("codes", behind=r"\W{0,3}$")
_CODE_BEHIND: Final = _sign("codes behind", before=r"\s{0,2}")
_OF_A_YEAR: Final = _sign("of a year", behind="$")
_FORENOON, _AFTERNOON, _HALF = _sign("forenoon"), _sign("afternoon"), _sign("half")
_BOUND: Final = _sign("bounds", before=r"[<>≤≥]=?\s*$|")
_BOUND_BEHIND: Final = _sign("bounds behind", before=r"\s*\+|")
_COUNTED: Final = _sign("counted", before=r"\s*(?:$|[^\w\s(]|[\u4e00-\u9fff])|\s*")
_DATED: Final = _sign("dated")
_CLAUSE: Final = re.compile(r"[;,，；。.]\s|\n")


class Quantity(Record):
    """A number in a text: what it measures, its value in the base, and where it stands."""

    measure: str
    value: float
    start: int
    end: int


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text, in order; months and years count as days.

    >>> [(q.measure, q.value) for q in quantities("after 2 h, at most 4.8k rows or 5 %")]
    [('time', 7200.0), ('', 4800.0), ('share', 0.05)]
    >>> [(q.measure, q.value) for q in quantities("半小时内三次，约 120 万行")]
    [('time', 1800.0), ('', 3.0), ('', 1200000.0)]
    """
    quantities = []
    for match in _FIND.finditer(text):
        kind = match.lastgroup or ""
        read = _amount(match) if kind == "amount" else _KINDS[kind][1](match[0].casefold())
        if read is not None:
            quantities.append(Quantity(*read, *match.span()))
    return quantities


def is_other(text: str, number: Quantity, measured: float, named: bool) -> bool:
    """Whether a number is not of the measured sort: a bound, another year, or (`named`) a count.

    >>> text = "the largest has 2 decimals"
    >>> is_other(text, quantities(text)[0], 11.99, True)
    True
    """
    counts = named and _COUNTED.match(text, number.end) is None
    return counts or are_years(number.value, measured) or is_bound(text, number)


def is_bound(text: str, number: Quantity) -> bool:
    """Whether a number in a text is none that something has, but one that it may not pass.

    >>> [is_bound(text, quantities(text)[0]) for text in ("over 100 are let", "100 are let")]
    [True, False]
    >>> [is_bound(text, quantities(text)[0]) for text in ("100 at most", "each hotel has 100")]
    [True, True]
    """
    before = _CLAUSE.split(text[max(0, number.start - 300) : number.start])[-1]
    return bool(_BOUND.search(before) or _BOUND_BEHIND.match(text, number.end))


def are_years(recorded: float, measured: float) -> bool:
    """Whether two numbers may be two years, which are never nearly the same.

    >>> are_years(2006, 2007), are_years(2006, 2006), are_years(2006.5, 2007), are_years(4800, 4801)
    (True, False, False, False)
    """
    return recorded != measured and recorded in _YEARS and measured in _YEARS


def is_dated(text: str) -> bool:
    """Whether a text says when it was so: it is not made wrong by how it is now.

    >>> is_dated("100 were let in 2019"), is_dated("as of the move 100 are"), is_dated("100 let")
    (True, True, False)
    """
    return _DATED.search(text) is not None or any(
        number.measure == "date" or (number.measure == "code" and number.value in _YEARS)
        for number in quantities(text)
    )


_Read = tuple[str, float] | None


def _amount(match: re.Match[str]) -> _Read:
    """A number in digits or in words, with its scale and its unit."""
    text, start, word = match.string, match.start(), match["word"]
    scale, unit = (match["scale"] or "").strip(" -").casefold(), (match["unit"] or "").casefold()
    if word and not scale and not unit and _ALONE.match(word):
        return None
    value = (
        _WORDS[word.casefold()] if word else float(match["number"].lstrip("-−").replace(",", ""))
    )
    if text[start] in "-−" and not text[:start][-1:].isdigit():
        value = -value  # behind a digit it is the sign of a range
    measure, factor = _UNITS.get(unit, ("", 1.0))
    value *= _SCALES.get(scale, 1.0)
    if not (word or scale or unit) and _is_code(text, match, value):
        measure = "code"
    return measure, value * factor


def _is_code(text: str, match: re.Match[str], value: float) -> bool:
    """Whether a number names something, as a port or a year does: near to it is another one."""
    before = text[max(0, match.start() - 14) : match.start()]
    if _CODE.search(before) or _CODE_BEHIND.match(text, match.end()):
        return True
    return 1900 <= value < 2100 and _OF_A_YEAR.search(before) is not None


def _digits(text: str) -> list[float]:
    return [float(part) for part in re.findall(r"\d+", text)]


def _date(text: str) -> _Read:
    year, month, *_ = (*_digits(text), _MONTHS.get(text[:3], 0.0), 0.0)
    return "date", year * 12 + month


def _clock(text: str) -> _Read:
    digits = _digits(text) or [_WORDS.get(text.split()[-1]) or chinese_number(text)]
    hour = digits[0] + sum(digits[1:2]) / 60 + bool(_HALF.search(text)) / 2
    if _FORENOON.search(text) and digits[0] == 12:
        return "clock", hour - 12
    return "clock", hour + 12 if hour < 12 and _AFTERNOON.search(text) else hour


def _together(text: str, first: float, second: float) -> _Read:
    count, rest = _digits(text)
    return "time", count * first + rest * second


def _unit_of(text: str) -> tuple[str, float]:
    unit = max(filter(text.endswith, _UNITS), key=len, default="")
    return _UNITS.get(unit, ("", 1.0))


def _half(text: str) -> _Read:
    measure, factor = _unit_of(text)
    return measure or "share", factor / 2


def _part(text: str) -> _Read:
    """A share in words: 百分之五 is 0.05."""
    rest = text[3:]
    return "share", (float(rest) if rest.isdigit() else chinese_number(rest)) / _SCALES[text[0]]


def _numeral(text: str) -> _Read:
    """A number in Chinese characters with what is counted; one thing is no number."""
    (measure, factor), value = _unit_of(text), chinese_number(text)
    return None if value == 1 and not measure else (measure, value * factor)


def _version(text: str) -> _Read:
    return "version", sum(part / 1000**place for place, part in enumerate(_digits(text)[:4]))


def chinese_number(text: str) -> float:
    """What a number in Chinese characters comes to; others are passed over.

    >>> chinese_number("三十五"), chinese_number("两万"), chinese_number("十个")
    (35.0, 20000.0, 10.0)
    >>> chinese_number("四万五")
    45000.0
    """
    total = section = digit = 0.0
    step = 1.0  # a tenth of the scale that stands right before a last digit
    for character in text:
        if character in _DIGITS:
            before, digit = digit, _DIGITS[character]
            step = step if digit and not before else 1.0
        elif scale := _SCALES.get(character):
            if scale >= 10_000:
                total, section = (total + section + digit or 1) * scale, 0
            else:
                section += (digit or 1) * scale
            digit, step = 0, scale / 10
    return total + section + digit * step


# What is looked for, the special before the plain, and what reads it.
_KINDS: Final[Mapping[str, tuple[str, Callable[[str], _Read]]]] = {
    "date": (
        r"(?<!\d)(?:19|20)\d\d[-/](?:0?[1-9]|1[0-2])(?:[-/][0-3]?\d)?(?!\d|\.\d)|" + SIGNS["dates"],
        _date,
    ),
    "clock": (
        rf"(?<![\d:])[012]?\d:[0-5]\d(?::[0-5]\d)?(?: ?(?:{SIGNS['half of a day']}))?(?![\d:])"
        rf"|{SIGNS['clocks']}",
        _clock,
    ),
    "minutes": (SIGNS["minutes and seconds"], lambda text: _together(text, 60.0, 1.0)),
    "hours": (SIGNS["hours and minutes"], lambda text: _together(text, 3600.0, 60.0)),
    "one": (SIGNS["one of a unit"], _unit_of),
    "hex": (r"\b0x[0-9a-f]+\b", lambda text: ("hex", float(int(text, 16) % 2**53))),
    "version": (r"(?<![\w.])v?\d+(?:\.\d+){2,}(?:\.x)?|(?<![\w.])\d+(?:\.\d+)*\.x\b", _version),
    "half": (SIGNS["half of a unit"], _half),
    "part": (SIGNS["parts"], _part),
    "amount": (_AMOUNT, lambda _: None),
    "numeral": (SIGNS["numerals"], _numeral),
}
_FIND: Final = re.compile(
    "|".join(f"(?P<{kind}>{pattern})" for kind, (pattern, _) in _KINDS.items()), re.IGNORECASE
)
