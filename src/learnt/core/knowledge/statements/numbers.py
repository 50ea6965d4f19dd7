"""Numbers with their units, brought to one base: 2 h is 7,200 seconds, 4.8 万 is 48,000."""

import re
from dataclasses import dataclass
from typing import Final

TOLERANCE: Final = 0.05
_EXACT: Final = frozenset({"date", "clock", "version", "hex", "code"})
_CODE: Final = re.compile(
    r"(?:\b(?:ports?|codes?|status|errors?|exit(?: code)?|http|ids?|issue|line|rfc|cve)|localhost|"
    r"端口|错误码|状态码|返回码|编号)\W{0,3}$",
    re.IGNORECASE,
)
_IN_YEAR: Final = re.compile(r"\b(?:in|since|before|after|until|from|of) $", re.IGNORECASE)
_DAY: Final = 86_400.0
_MEASURED: Final = """
time 0.001: ms, msec, millisecond, milliseconds, 毫秒
time 1e-06: µs, μs, us, microseconds, 微秒
time 1: s, sec, secs, second, seconds, 秒钟, 秒
time 60: min, mins, minute, minutes, 分钟
time 3600: h, hr, hrs, hour, hours, 小时, 个小时
time 86400: d, day, days, 天, 日, 号
time 604800: week, weeks, 周, 个星期, 星期
time 2.62656e+06: month, months, 个月
time 7.88832e+06: quarter, quarters, 个季度, 季度
time 3.1536e+07: year, years, 年
size 1: byte, bytes, 字节
size 1000: kb, kib, kilobyte, kilobytes
size 1e+06: mb, mib, mi, megabyte, megabytes
size 1e+09: gb, gib, gi, g, gigabyte, gigabytes
size 1e+12: tb, tib, terabyte, terabytes
share 0.01: %, percent, per cent
money 1: eur, usd, euro, euros, dollars, chf, gbp
money 1: 元, 块
rate 1: hz
rate 1000: khz
rate 1e+06: mhz
rate 1e+09: ghz
voltage 1: v, volt, volts, 伏
voltage 0.001: mv, millivolt, millivolts, 毫伏
pixels 1: px, pixel, pixels, 像素
pressure 1000: kpa, 千帕
pressure 100000: bar
turns 1: rpm
energy 1: kwh, 度电
mass 1: kg, kilogram, kilograms, 公斤, 千克
mass 1000: tonne, tonnes, tons, 吨
mass 0.001: gram, grams, 克
bandwidth 1e+06: mbps, mbit/s
bandwidth 1e+09: gbps, gbit/s
length 1000: km, 公里
length 1: m, metres, meters, 米
length 0.01: cm, 厘米
length 0.001: mm, 毫米
throughput 1: qps, rps, tps
frames 1: fps
degrees 1: °c, ℃, °
"""  # what is measured, how many of its base, and how that is written
_UNITS: Final = {
    unit: (measure, float(count))
    for line in _MEASURED.strip().splitlines()
    for measure, count in [line.partition(":")[0].split()]
    for unit in line.partition(":")[2].strip().split(", ")
}
_SCALES: Final = {
    "k": 1e3, "thousand": 1e3, "万": 1e4, "million": 1e6, "m": 1e6, "亿": 1e8, "千": 1e3, "百": 1e2,
    "billion": 1e9,
}  # fmt: skip
_WORD_SCALES: Final = {"hundred": 1e2, "thousand": 1e3, "million": 1e6}
_NUMBER_WORDS: Final = {
    "zero": 0.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0,
    "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0,
    "thirteen": 13.0, "fourteen": 14.0, "fifteen": 15.0, "sixteen": 16.0, "eighteen": 18.0,
    "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "ninety": 90.0,
    "hundred": 100.0, "thousand": 1000.0, "dozen": 12.0, "half": 0.5, "quarter": 0.25,
    "single": 1.0, "third": 3.0, "fourth": 4.0, "fifth": 5.0, "sixth": 6.0, "seventh": 7.0,
}  # fmt: skip
_DIGITS: Final = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8, "九": 9,
}  # fmt: skip
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_MONTHS: Final = {
    name[:3]: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_ALL_UNITS: Final = "|".join(
    re.escape(unit) + (r"(?![a-z])" if unit[-1].isascii() and unit[-1].isalpha() else "")
    for unit in sorted(_UNITS, key=len, reverse=True)
)
_WORDS: Final = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_HAN: Final = "零〇一二两三四五六七八九十百千万亿"
_COUNTED: Final = (
    "个月|个小时|个季度|个星期|小时|分钟|秒|毫秒|天|日|周|年|月|个|条|台|次|种|层|级|张|份|项|路|"
    "步|类|列|行|位|字节|点|核|倍|人|批|款|名|家|套|组|件|页|字符|元|块|分|章|期|轮|档|单"
)
_FIND: Final = re.compile(
    rf"(?P<date>(?<!\d)(?:19|20)\d\d[-/](?:0?[1-9]|1[0-2])(?:[-/][0-3]?\d)?(?!\d|\.\d)"
    r"|(?<!\d)(?:19|20)\d\d ?年(?: ?\d{1,2} ?月(?: ?\d{1,2} ?[日号])?)?"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (?:19|20)\d\d\b)"
    r"|(?P<clock>(?<![\d:])[012]?\d:[0-5]\d(?::[0-5]\d)?(?: ?[ap]\.?m\b\.?)?(?![\d:])"
    r"|\b1?\d ?[ap]\.?m\b\.?|half past \w+"
    rf"|(?:晚上?|下午)?(?:[012]?\d|[{_HAN}]{{1,3}}) ?点(?![\d几多])(?:半)?)"
    r"|(?P<compound>\d+ ?(?:分钟?|min) ?\d+ ?(?:秒|s\b)|\d+ ?(?:小时|h) ?\d+ ?(?:分钟?|min))"
    r"|(?P<each>每一?个?(?:分钟|秒钟?|小时)|(?:per|every|each|once a) (?:second|minute|hour)\b)"
    r"|(?P<lone>\b(?:for|after|within) an? (?:second|minute|hour|day|week|month|year)\b)"
    r"|(?P<hex>\b0x[0-9a-f]+\b)"
    r"|(?P<version>(?<![\w.])v?\d+(?:\.\d+){2,}(?:\.x)?|(?<![\w.])\d+(?:\.\d+)*\.x\b)"
    r"|(?P<halfday>半个?(?:小时|年|天|月)|half an? (?:hour|year|day|month)|half hour)"
    rf"|(?P<percent>[百千万]分之(?:\d+|[{_HAN}]+)|一半|半数)"
    r"|(?P<number>(?:(?<![\w.])|(?<=[^\x00-\x7f])|(?<=[^\W\d]-))[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|(?:(?<![\w.])|(?<=[^\x00-\x7f]))[-−]?\d+(?:\.\d+)?)"
    rf"(?P<scale> ?[kK](?![a-zA-Z])| ?(?:thousand|million|billion)\b| ?[万亿千百]|m\b)?"
    rf"(?P<ordinal>st|nd|rd|th)?(?: ?-?(?P<unit>{_ALL_UNITS}))?"
    rf"|\b(?P<word>{_WORDS})\b(?P<wordscale>[ -](?:hundred|thousand|million)\b)?"
    rf"(?:[ -](?P<wordunit>{_ALL_UNITS}))?"
    rf"|第?(?P<han>[{_HAN}]+)[多余来]? ?(?P<hanunit>{_COUNTED})"
    rf"|(?P<bare>[二两三四五六七八九][{_HAN}]*[百千万亿][{_HAN}]*)",
    re.IGNORECASE,
)


_HINT: Final = re.compile(
    rf"[\d每半{_HAN}]|\b(?:{_WORDS}|per|every|each|half|once|an?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Quantity:
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
    >>> [(q.measure, q.value) for q in quantities("kept for a week")]
    [('time', 604800.0)]
    """
    if _HINT.search(text) is None:
        return []
    return [found for match in _FIND.finditer(text) if (found := _read(match)) is not None]


def alike(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers are the same: within 5 %, but dates, versions and codes exactly.

    >>> [first, second] = quantities("2 hours, 119 minutes")
    >>> alike(first, second)
    True
    """
    if one.measure != other.measure and "" not in {one.measure, other.measure}:
        return False
    if {one.measure, other.measure} == {"code", ""}:
        return one.value == other.value
    if one.measure in _EXACT or other.measure in _EXACT:
        return one.measure == other.measure and one.value == other.value
    if one.measure == other.measure == "" and one.value > 1 and _broken(one.value):
        return one.value == other.value  # 3.16 and 3.24 are versions
    larger = max(abs(one.value), abs(other.value))
    return abs(one.value - other.value) <= TOLERANCE * larger


def _broken(value: float) -> bool:
    return value < 100 and value % 1 != 0


def _read(match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    for name in ("date", "clock", "compound", "each", "hex", "version", "halfday", "percent"):
        if match[name]:
            measure, value = _special(name, match[name].casefold())
            return Quantity(measure, value, start, end)
    if match["lone"]:
        return Quantity(*_UNITS[match["lone"].casefold().split()[-1]], start, end)
    if match["word"]:
        return _in_words(match)
    if match["han"]:
        unit = match["hanunit"]
        if match["han"] == "一" and unit not in _UNITS:
            return None
        measure, factor = _UNITS.get(unit, ("", 1.0))
        return Quantity(measure, chinese_number(match["han"]) * factor, start, end)
    if match["bare"]:
        return Quantity("", chinese_number(match["bare"]), start, end)
    value = float(match["number"].replace(",", "").replace("−", "-"))
    if start and match.string[start] in "-−" and match.string[start - 1].isdigit():
        value = -value  # a range, not a sign
    value *= _SCALES.get((match["scale"] or "").strip().casefold(), 1.0)
    measure, factor = _UNITS.get((match["unit"] or "").casefold(), ("", 1.0))
    if not match["unit"] and not match["scale"] and _coded(match.string, start, end, value):
        measure = "code"
    return Quantity(measure, value * factor, start, end)


def _in_words(match: re.Match[str]) -> Quantity | None:
    """A number in words: ten, ten thousand, two weeks; but one thing and a third one are none."""
    unit = (match["wordunit"] or "").casefold()
    word = match["word"].casefold()
    lone = word in {"one", "half", "quarter", "single", "double", "third"}
    if lone and not unit and not match["wordscale"]:
        return None
    measure, factor = _UNITS.get(unit, ("", 1.0))
    if match["wordscale"]:
        factor *= _WORD_SCALES[match["wordscale"][1:].casefold()]
    return Quantity(measure, _NUMBER_WORDS[word] * factor, *match.span())


def _coded(text: str, start: int, end: int, value: float) -> bool:
    """Whether a number names something, as a port or a year does: near to it is another one."""
    before = text[max(0, start - 14) : start]
    if _CODE.search(before) or text[end : end + 3].lstrip().startswith("端口"):
        return True
    return 1900 <= value < 2100 and _IN_YEAR.search(before) is not None


def _special(name: str, text: str) -> tuple[str, float]:
    """What a date, a time of day, a version, a half or a share in words comes to."""
    digits = [float(part) for part in re.findall(r"\d+", text)]
    if name == "date":
        month = _MONTHS.get(text[:3])
        if month:
            digits.append(float(month))
        return "date", digits[0] * 12 + (digits[1] if len(digits) > 1 else 0.0)
    if name == "clock":
        return "clock", _clock(text, digits)
    if name == "compound":
        long = "小时" in text or "h" in text
        return "time", digits[0] * (3600.0 if long else 60.0) + digits[1] * (60.0 if long else 1.0)
    if name == "each":
        seconds = 3600.0 if "小时" in text or "hour" in text else 60.0
        return "time", 1.0 if "秒" in text or "second" in text else seconds
    if name == "hex":
        return "hex", float(int(text, 16) % 2**53)
    if name == "version":
        return "version", sum(part / 1000**place for place, part in enumerate(digits[:4]))
    if name == "percent" and "半" in text:
        return "share", 0.5
    if name == "percent":
        rest = text[3:]
        part = {"百": 100.0, "千": 1_000.0, "万": 10_000.0}[text[0]]
        return "share", (float(rest) if rest.isdigit() else chinese_number(rest)) / part
    length = next((_UNITS[u][1] for u in ("小时", "年", "天") if u in text), 0.0) or next(
        (_UNITS[u][1] for u in ("hour", "year", "day", "month") if u in text), 30.4 * _DAY
    )
    return "time", length / 2


def _clock(text: str, digits: list[float]) -> float:
    """The hour of a day, with its minutes as a part of it."""
    if text.startswith("half past"):
        return _NUMBER_WORDS.get(text.split()[-1], 0.0) + 0.5
    if not digits:
        digits = [chinese_number("".join(c for c in text if c in _HAN))]
    hour = digits[0] + (digits[1] / 60 if len(digits) > 1 else 0.0) + ("半" in text) / 2
    evening = "p" in text or text.startswith(("晚", "下午"))
    if "a" in text and digits[0] == 12:
        return hour - 12
    return hour + 12 if evening and hour < 12 else hour


def chinese_number(text: str) -> float:
    """What a number in Chinese characters comes to.

    >>> chinese_number("三十五"), chinese_number("两万"), chinese_number("十")
    (35.0, 20000.0, 10.0)
    >>> chinese_number("四万五")
    45000.0
    """
    total = section = digit = 0
    last = 0
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
            last = 0 if not digit else last
            continue
        scale = last = _HAN_SCALES[character]
        if scale >= 10_000:
            total, section, digit = (total + section + digit or 1) * scale, 0, 0
        else:
            section, digit = section + (digit or 1) * scale, 0
    if digit and last >= 100 and text[-2] in _HAN_SCALES:
        digit *= last // 10  # 四万五 is 45,000
    return float(total + section + digit)
