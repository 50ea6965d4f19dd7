"""Where a text holds credentials: by what they are called, by how they begin, by where they stand.

A value is a credential if it is assigned to a name of one, in whatever notation, unless it only
stands for one; if it begins as a service's tokens do; or if it stands where a command, a header or
an address has one. Chance is asked for where the name alone says too little.

Standard library only, and data: a copy of this file with these in it lies beside the hook.
"""

import re
from collections.abc import Iterator

from learnt.core import secret_places as places
from learnt.core.late_patterns import late, may_hold
from learnt.core.secret_values import (
    MARK,
    STARTS,
    HeldValue,
    by_chance,
    has_any,
    has_chance,
    is_mixed,
    is_one,
    is_token,
    like_a_password,
    many_sorts,
    names_one,
    of_a_service,
    part_of_chance,
    stands,
    wordy,
)
from learnt.core.words import SECRETS

Span = tuple[int, int, str]
Separators = list[tuple[str, re.Pattern[str]]]
# So many characters of values are judged for each of the text. What is left is taken for secret:
# it is no text that anybody wrote, and looking at all of it would take too long.
_JUDGED = 8
_FAR = 80  # characters that a spoken name may stand before its value

_ENDING = rf"(?:[_-]?(?:\d{{1,2}}|v\d|{SECRETS['endings']}))?"
# Where a name may begin, in lower case: letters alone, which is quick to look for.
_STEMS = late(f"{SECRETS['stems']}|{SECRETS['words']}")
_NAME = late(
    rf"(?:(?P<strong>{SECRETS['names']})|(?P<weak>{SECRETS['keys']})|"
    rf"(?P<pin>{SECRETS['numbers']})|(?P<faint>{SECRETS['chance']}))"
    rf"{_ENDING}(?P<more>(?:[_-][a-z0-9]{{1,12}}){{1,2}}(?=[\"']?[ \t]*[:=]))?"
    rf"(?![a-z0-9]|[_-][a-z])"
    rf"|(?P<other>{SECRETS['words']})"
)
_SPOKEN_NAME = late(
    rf"(?<![a-z])(?:{SECRETS['names']}|{SECRETS['numbers']})(?![a-z])|(?:{SECRETS['words']})"
)
_USERS = late(rf"(?<![a-z])(?:{SECRETS['users']})(?![a-z])")
_SENTENCE = late(r"(?m)^(?![ \t]*[$>#%+])(?:[^\n{};=<>|\\(]|[ \t]\(){8,600}$")
_BACKWARDS = late(
    rf"(?i)(?<![!-~])[/#;*(\"'`]{{0,3}}([!-~]{{6,200}})[ \t]{{1,3}}(?:{SECRETS['behind']})"
    rf"(?:[\w-]{{1,20}}[ \t]+){{0,2}}?[\w-]{{0,20}}"
    rf"(?:{SECRETS['names']}|{SECRETS['keys']}|(?:{SECRETS['qualifiers']})[ ._-]?key)(?![a-z0-9])"
)
_HEAD = late(
    r"(?m)^[ \t|\"]*[A-Za-z][\w .\"-]{0,40}"
    r"(?:[,;\t|][ \t\"]*[A-Za-z][\w .-]{0,40}\"?){1,12}[ |]*$(?=\n)"
)
_COLUMN = late(
    rf"(?:[a-z]{{1,20}}[ _-]?)?"
    rf"(?:{SECRETS['names']}|{SECRETS['keys']}|{SECRETS['words']}|key)"
)
_QUALIFIED = late(rf"(?:{SECRETS['qualifiers']})[ ._-]?$")
_NO_NAME = late(SECRETS["no names"], re.IGNORECASE)
_QUOTED = late(r"[brufLR@$&]{0,2}(\\?[\"'`]|%22|&quot;)(?!\1)([^\n]{1,600}?)\1")
_GROUPS = late(
    r"(?:(?=[A-Z -]*[0-9])(?=[0-9 -]*[A-Z])[A-Z0-9]{3,8}(?:[ -][A-Z0-9]{3,8}){2,9}"
    r"|(?:[a-z]{4}[ -]){3}[a-z]{4}|[0-9]{6}(?:-[0-9]{6}){3,9})(?![\w-])"
)
_PLAIN = late(r"[^\s\"'`<>,;\u2e80-\u9fff\uac00-\ud7ff\uff00-\uffef]{4,9999}")
_WHOLE = late(r"[^\s\"'`<>]{4,9999}")
_QUERY = late(r"[^\s\"'`<>&#;,]{4,9999}")
_ELEMENT = late(r"[^\s<>]{4,2000}(?=\s*</)")
_LINE = late("[A-Za-z0-9+/]{60}")
_OWN_NAME = late(r"[\w\"')\]][ \t]*[:=]+[ \t]*[\"'`]?$")
_OTHER_WORDS = tuple(SECRETS["other words"].split("|"))
# A run so long that it is a key if it is random. Digests, public keys and files say what they are.
_BARE_KEY = late(
    r"(?<![\w+/=.%@&:-])(?!AAAA|pk_|iVBOR|/9j/|R0lGO|UEsDB|H4sI|JVBER)[A-Za-z0-9+/_-]{60,172}={0,2}(?![\w+/=.%-])",
    re.ASCII,
)
_PUBLIC = ("pk_", "pk.", "pk-", "ph", "pub")  # begins what a service publishes
_LONG = late(r"[A-Z0-9]+$|(?=.*[A-Z])(?=.*[0-9])(?=.*[a-z])")


def found(text: str) -> list[Span]:
    """Where credentials stand, each with its kind, by place; none overlaps another.

    >>> found("API_KEY = 'a8Qx1zY2k9' # ok")
    [(11, 21, 'secret')]
    """
    held = sorted(_all(text), key=lambda span: (span[0], -span[1]))
    open_ = [at.span() for at in places.OPEN.finditer(text)] if held else []
    spans: list[Span] = []
    last = -1
    for start, end, kind in held:
        if end <= last or MARK in text[max(0, start - len(MARK)) : end]:
            continue
        if any(begin <= start and end <= close for begin, close in open_):
            continue
        start = max(start, last)
        spans.append((start, end, kind))
        last = end
    return spans


def _all(text: str) -> Iterator[Span]:
    """Every place that any of the rules holds for a credential, in no order."""
    lower = text.replace("\u0130", "i").lower()  # the one letter that would grow
    for match in places.KEY.finditer(text) if "private" in lower or _LINE.search(text) else ():
        if match[0].startswith("-----") or by_chance(match[0][:200], 0.4):
            yield match.start(), match.end(), "private-key"
    for kind, needs, pattern in places.PLACES:
        if not may_hold(lower, needs):
            continue  # most texts have none of these
        for match in pattern.finditer(text):
            group = match.lastindex or 1
            value = match[group]
            held = not names_one(value) and f"/{value}:{value}" not in f"/{match[0]}"
            sound = kind == "django-key" or stands(value)
            if held and sound and (kind != "webhook" or part_of_chance(value)):
                yield *match.span(group), kind
    yield from _words(text, lower)
    mixed, chance = has_any(text)
    if chance:
        yield from _bare(text)
    yield from _by_place(text, lower, mixed, chance)
    if mixed:
        yield from _columns(text)
        yield from _backwards(text)
        yield from _chosen(text, lower)
    if mixed and (_STEMS.search(lower) or _USERS.search(lower)):
        yield from _said(text)
    yield from _named(text, lower, mixed, chance)


def _words(text: str, lower: str) -> Iterator[Span]:
    """Words that begin as tokens do, and those of chance in a sentence about one."""
    for match in places.WORD.finditer(text):
        word = match[0]
        if word.startswith(STARTS) and is_token(word, text[match.start() : match.start() + 999]):
            rest = places.REST.match(text, match.end())
            yield match.start(), rest.end() if rest else match.end(), "token"
        elif _near_a_name(text, lower, match) or _has_a_head(word):
            yield *match.span(), "token"


def _bare(text: str) -> Iterator[Span]:
    """Tokens that nothing around them calls one."""
    for match in places.BARE.finditer(text):
        yield *match.span(), "token"
    for match in _BARE_KEY.finditer(text):
        if _LONG.match(match[0]) and by_chance(match[0], 0.4):
            yield *match.span(), "token"


def _has_a_head(word: str) -> bool:
    """Whether a word is a short head and a long tail of chance, as tokens of any service are."""
    tail = re.search(r"(?<![A-Za-z0-9])[A-Za-z0-9]{28,}$", word) if len(word) > 30 else None
    head = word[: tail.start()] if tail else ""
    if not tail or not 2 < len(head) < 40 or head.startswith(_PUBLIC) or head[-1] not in "_-":
        return False
    return by_chance(tail[0], 0.4) and not tail[0].islower()


def _near_a_name(text: str, lower: str, word: re.Match[str]) -> bool:
    """Whether a word of chance has no name of its own and stands in a sentence about a secret."""
    if len(word[0]) < 20:
        return False
    before = text[max(0, word.start() - 4) : word.start()]
    if before.endswith(tuple("/=@#%&?.-")) or _OWN_NAME.search(before):
        return False
    start, end = word.span()
    around = f"{lower[max(0, start - _FAR) : start]} {lower[end : end + _FAR // 2]}"
    plain = not _LONG.match(word[0]) or word[0].isupper() or "." in word[0]
    if (plain or not by_chance(word[0], 0.4)) and not of_a_service(word[0], around):
        return False
    names = (_NAME.match(around, stem.start()) for stem in _STEMS.finditer(around))
    return any(name and (name.lastgroup != "faint" or name[0] == "key") for name in names)


def _by_place(text: str, lower: str, mixed: bool, chance: bool) -> Iterator[Span]:
    """Words of chance where a login, a call or a person gives one."""
    for match in places.LOGIN.finditer(text) if mixed and may_hold(lower, "log auth conf") else ():
        if by_chance(match[1], 0.25):
            yield *match.span(1), "token"
    for match in places.ARGUMENT.finditer(text) if chance else ():
        many = all(re.search(sort, match[2]) for sort in ("[a-z]", "[A-Z]", "[0-9]"))
        if many and by_chance(match[2], 0.45) and not match[2].startswith(_PUBLIC):
            yield *match.span(2), "token"
    for match in places.LOGIN_AS.finditer(text) if mixed else ():
        apart = text[match.start(1) - 1] == " " and like_a_password(match[1])
        odd = (apart or many_sorts(match[1])) and re.match(r"(?=.*[0-9])[^@\[\\`]+$", match[1])
        if odd and stands(match[1]):
            yield *match.span(1), "secret"
    if "cookie" in lower:
        yield from _cookies(text)


def _columns(text: str) -> Iterator[Span]:
    """Values of a table's columns that are called credentials."""
    for head in _HEAD.finditer(text):
        by = next(sign for sign in ("|", "\t", ";", ",") if sign in head[0])
        names = [name.strip(' "').lower() for name in head[0].split(by)]
        held = [at for at, name in enumerate(names) if _COLUMN.fullmatch(name)]
        start = head.end() + 1
        for row in text[start:].split("\n") if held else ():
            cells = row.split(by)
            if len(cells) != len(names):
                break
            for at in held:
                value = cells[at].strip(" \"'\r")
                begin = start + len(by.join(cells[:at])) + bool(at) + cells[at].find(value)
                mixed = is_mixed(value) or many_sorts(value)
                if len(value) > 5 and " " not in value and mixed and stands(value):
                    yield begin, begin + len(value), "secret"
            start += len(row) + 1


def _backwards(text: str) -> Iterator[Span]:
    """Values before the names that call them credentials."""
    for match in _BACKWARDS.finditer(text):
        value = match[1].rstrip("\"'`")
        if is_mixed(value) and not wordy(value) and stands(value) and len(value) > 7:
            yield match.start(1), match.start(1) + len(value), "secret"


def _chosen(text: str, lower: str) -> Iterator[Span]:
    """What is like a password where a command or a call is given one."""
    for needs, pattern in places.CHOSEN_PLACES:
        for match in pattern.finditer(text) if may_hold(lower, needs) else ():
            value = match[1]
            if stands(value) and (like_a_password(value) or by_chance(value, 0.3)):
                yield *match.span(1), "secret"


def _said(text: str) -> Iterator[Span]:
    """What people choose as passwords, in a sentence that speaks of one; code speaks otherwise."""
    for line in _SENTENCE.finditer(text):
        lower = line[0].replace("\u0130", "i").lower()
        names = [name.span() for name in _SPOKEN_NAME.finditer(lower)]
        users = [user.span() for user in _USERS.finditer(lower)]
        for word in places.CHOSEN.finditer(line[0]) if names or users else ():
            start, end = word.span(1)
            least = like_a_password(word[1])
            near = names + users if least > 1 else names
            away = (max(a - end, start - b) for a, b in near)
            if least and stands(word[1]) and any(0 <= far < 40 * least for far in away):
                yield line.start() + start, line.start() + end, "secret"


def _cookies(text: str) -> Iterator[Span]:
    """What of chance a header's cookies hold."""
    for header in places.COOKIE.finditer(text):
        for crumb in places.CRUMB.finditer(header[1]):
            if by_chance(crumb[1], 0.2):
                start = header.start(1) + crumb.start(1)
                yield start, start + len(crumb[1]), "cookie"


def _named(text: str, lower: str, mixed: bool, chance: bool) -> Iterator[Span]:
    """Values whose names call them credentials."""
    weak = mixed or may_hold(lower, "' \" ` %22 &quot;")
    enough = {"faint": chance, "session": chance, "weak": weak}
    separators = [(sort, at) for sort, needs, at in places.SEPARATORS if may_hold(lower, needs)]
    left, taken = _JUDGED * len(text), 0
    for stem in _STEMS.finditer(lower):
        name = _NAME.match(lower, stem.start()) if stem.start() >= taken else None
        if not name:
            continue
        before = text[max(0, name.start() - 40) : name.start()]
        whole = re.split(r"[^\w.-]", before)[-1] + text[name.start() : name.end()]
        more = bool(name["more"])
        sort = next(each for each in ("strong", "weak", "pin", "faint", "other") if name[each])
        if name[0].startswith("sess"):
            sort = "session"
        elif sort == "faint" and _QUALIFIED.search(before.lower()):
            sort = "weak"
        if more and sort != "faint":
            sort = "faint"  # what else it is called may be of another thing
        elif more:
            continue
        if not enough.get(sort, True):
            continue
        if sort != "other" and (_NO_NAME.search(whole) or _inside_a_word(sort, name[0], whole)):
            continue
        value, is_secret = _value(text, name, whole, sort, separators)
        left -= value[1] - value[0]
        if is_secret or (left < 0 and value[0] < value[1]):
            yield *value, "secret"
            taken = value[1] if left < 0 else taken


def _inside_a_word(sort: str, name: str, whole: str) -> bool:
    """Whether a name is only the end of another word, as in `monkey`.

    >>> _inside_a_word("faint", "key", "monkey"), _inside_a_word("faint", "key", "fooKey")
    (True, False)
    """
    before = whole[: -len(name)][-1:]
    camel = whole[-len(name)].isupper() and before.islower()
    if sort in ("faint", "pin"):
        return before.isalpha() and not camel and not whole.isupper()
    return whole.lower().endswith(_OTHER_WORDS)


def _value(
    text: str, name: re.Match[str], whole: str, called: str, separators: Separators
) -> tuple[tuple[int, int], bool]:
    """Where the value of a name stands, empty for none, and whether it is a credential."""
    span, is_secret = (name.end(), name.end()), False
    began = name.end() - len(whole)
    before = text[max(0, began - 80) : began]
    for sort, pattern in separators:
        if between := pattern.match(text, name.end()):
            held = _held(text, between, _sorted(sort, between[0], whole, before), whole, before)
            if held and _fits(held, between[0], whole):
                span = held.start, held.start + len(held.value)
                is_secret = is_one(called, held) or of_a_service(held.value, whole.lower())
            if is_secret:
                break
    return span, is_secret


def _sorted(sort: str, between: str, whole: str, before: str) -> str:
    """How a value is given to its name, told by what stands around the name; empty for not."""
    if sort == "listed" and "|" in between:
        return sort if before.rpartition("\n")[2].lstrip().startswith("|") else ""
    if sort == "listed" and re.search(r"\([ \t]*[\"']$", before):
        return "assigned"
    if sort == "beside" and re.search(r"\b(?:ENV|setx|export|set)[ \t]$", before):
        return "flag"
    near = between == "=" or (sort == "beside" and len(between) == 1)
    return "flag" if near and whole.startswith("-") and whole[-1].islower() else sort


def _held(
    text: str, between: re.Match[str], sort: str, whole: str, before: str
) -> HeldValue | None:
    """The value behind what joins it to its name, as long as its notation makes it."""
    at = between.end()
    if (quoted := _QUOTED.match(text, at)) and sort:
        return HeldValue(quoted[2], quoted.start(2), sort, True, "")
    if (groups := _GROUPS.match(text, at)) and sort in ("assigned", "spoken", "beside"):
        return HeldValue(groups[0], at, "grouped", False, "")
    query, shell = before.endswith(("?", "&")), whole.isupper() and between[0] == "="
    shape = _WHOLE if shell or sort == "flag" else _QUERY if query else _PLAIN
    plain = (_ELEMENT if sort == "tagged" else shape).match(text, at)
    if sort in ("", "called") or not plain:
        return None
    after = text[plain.end() : plain.end() + 1]
    value = re.split(r"\\[nrt\"']", plain[0])[0]
    value = value.rstrip(".!?)]}:\\" if sort == "spoken" else ")]},;\\")
    alone = between[0] == "=" and after not in (",", ")") and "(" not in before.rpartition("\n")[2]
    if shell or query or (alone and value.isalpha() and len(value) > 5):
        sort = "shell"
    elif sort == "spoken" and ":" in between[0]:
        sort = "assigned"
    end = at + len(value)
    return HeldValue(value, at, sort, False, text[end : end + 1])


def _fits(held: HeldValue, between: str, whole: str) -> bool:
    """Whether a short name, or a bracket, is followed by what no sentence would have there."""
    bracket = held.sort == "beside" and "(" in between and "<" not in between
    if whole.lower() == "pass" and held.value.isalpha() and between[0] == ":":
        return held.quoted
    if re.search("[:=：]", between) or not (bracket or whole.lower() in ("pass", "pw")):
        return True
    plain = re.fullmatch("[A-Z]?[a-z_]+|[A-Z_]+|[^\x00-\x7f]+", whole)
    return plain is not None and (many_sorts(held.value) or has_chance(held.value))
