"""Where a text holds credentials: by what they are called, by how they begin, by where they stand.

A value is a credential if it is assigned to a name of one, in whatever notation, unless it only
stands for one; if it begins as a service's tokens do; or if it stands where a command, a header or
an address has one. Chance is asked for where the name alone says too little.

Standard library only, and data: a copy of this file with these in it lies beside the hook.
"""

import re
from collections.abc import Iterator

from learnt.core import secret_places as places
from learnt.core.secret_prefixes import PREFIXES
from learnt.core.words import SECRETS

Span = tuple[int, int, str]
_MARK = "[redacted:"
_FAR = 80  # characters that a spoken name may stand before its value

_ENDING = r"(?:[_-]?(?:\d{1,2}|v\d|base|prod|dev|test|staging|live|value|new|old|current|plain))?"
# Where a name may begin, in lower case: letters alone, which is quick to look for.
_STEMS = re.compile(f"{SECRETS['stems']}|{SECRETS['words']}")
_NAME = re.compile(
    rf"(?:(?P<strong>{SECRETS['names']})|(?P<weak>{SECRETS['keys']})|(?P<faint>{SECRETS['chance']}))"
    rf"{_ENDING}(?![a-z0-9]|[_-][a-z])|(?P<other>{SECRETS['words']})"
)
_BACKWARDS = re.compile(
    rf"(?i)(?<![!-~])[/#;*(\"'`]{{0,3}}([!-~]{{6,200}})[ \t]{{1,3}}(?:{SECRETS['behind']})"
    rf"(?:[\w-]{{1,20}}[ \t]+){{0,2}}?[\w-]{{0,20}}"
    rf"(?:{SECRETS['names']}|{SECRETS['keys']}|api[ _-]?key)(?![a-z0-9])"
)
_QUALIFIED = re.compile(rf"(?:{SECRETS['qualifiers']})[ ._-]?$")
_NO_NAME = re.compile(SECRETS["no names"], re.IGNORECASE)
_QUOTED = re.compile(r"[brufLR@$&]{0,2}(\\?[\"'`]|%22|&quot;)(?!\1)([^\n]{1,600}?)\1")
_PLAIN = re.compile(r"[^\s\"'`<>,;\u2e80-\u9fff\uac00-\ud7ff\uff00-\uffef]{4,2000}")
_WHOLE = re.compile(r"[^\s\"'`<>]{4,2000}")
_QUERY = re.compile(r"[^\s\"'`<>&#;]{4,2000}")
_ELEMENT = re.compile(r"[^\s<>]{4,2000}(?=\s*</)")
_STAND_IN = re.compile(
    r"[$<{%*@#\[(…]|//|&lt;|\\?\$|\.\.\.|\w{2,20}://|arn:|!(?:Ref|Sub|Get)|(?:secretref|env|file|vault|ENC)[:\[(]|[/.~]/?[\w.-]+/"
    r"|process\.env|-|(?:Get|New|Read|ConvertTo|Import)-[A-Z]|os\.(?:environ|getenv)|.*(?:\.\.\.|…|\*{3}|x{4}|X{4})"
    rf"|(?i:{SECRETS['stand-ins']})"
)
_TYPES = re.compile(SECRETS["types"], re.IGNORECASE)
_STATES = re.compile(rf"(?i)(?:{SECRETS['states']})")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CLASSES = re.compile(r"[a-z]+|[A-Z]+|[0-9]+")
_CALL = re.compile(r"[A-Za-z_.]+\[|[A-Za-z_]\w*\.[\w.]*\[|[A-Za-z_][\w.]*\(")
_ODD = re.compile(r"[A-Za-z0-9][^\w.(){}\[\]:/|=][A-Za-z0-9]|[a-z][A-Z]\w*[a-z][A-Z]")
_SAID = re.compile("[A-Za-z]{8,}|(?:[A-Za-z]{2,12}-){2,}[A-Za-z]{2,}")
_OWN_NAME = re.compile(r"[\w\"')\]][ \t]*[:=]+[ \t]*[\"'`]?$")
_PUBLIC = ("pk_", "pk.", "pk-", "ph", "pub")  # begins what a service publishes
_LONG = re.compile(r"[A-Z0-9]+$|(?=.*[A-Z])(?=.*[0-9])(?=.*[a-z])")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SECRET_WORD = re.compile(rf"(?:{SECRETS['names']}|{SECRETS['keys']}|{SECRETS['chance']})s?")


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
        if end <= last or _MARK in text[max(0, start - len(_MARK)) : end]:
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
    for match in places.KEY.finditer(text):
        if match[0].startswith("-----") or _by_chance(match[0][:200], 0.4):
            yield match.start(), match.end(), "private-key"
    for kind, without, pattern in places.PLACES:
        if not any(word in lower for word in without.split("|")):
            continue  # most texts have none of these
        for match in pattern.finditer(text):
            group = match.lastindex or 1
            value = match[group]
            held = not _names_one(value) and f"/{value}:{value}" not in f"/{match[0]}"
            if held and _stands(value) and (kind != "webhook" or _part_of_chance(value)):
                yield *match.span(group), kind
    yield from _words(text, lower)
    for match in _BACKWARDS.finditer(text):
        value = match[1].rstrip("\"'`")
        if _mixed(value) and not _wordy(value) and _stands(value) and len(value) > 7:
            yield match.start(1), match.start(1) + len(value), "secret"
    yield from _by_place(text, lower)
    yield from _named(text, lower)


def _words(text: str, lower: str) -> Iterator[Span]:
    """Words that begin as tokens do, and those of chance in a sentence about one."""
    for match in places.WORD.finditer(text):
        word = match[0]
        begins = word.startswith(PREFIXES) and _varied(re.split("[_-]", word)[-1])
        if begins and _is_token(word):
            rest = places.REST.match(text, match.end())
            yield match.start(), rest.end() if rest else match.end(), "token"
        elif _near_a_name(text, lower, match) or _has_a_head(word):
            yield *match.span(), "token"


def _is_token(word: str) -> bool:
    """Whether what follows a token's beginning is of chance, and no words."""
    if re.search("[A-Za-z0-9]{28}", word):
        return True
    if not re.search("[0-9]", word):
        return _by_chance(word, 0.35)
    runs = re.findall("[A-Za-z0-9]{16,}", word)
    return _by_chance(word, 0.22) or any(_LONG.match(run) for run in runs)


def _has_a_head(word: str) -> bool:
    """Whether a word is a short head and a long tail of chance, as tokens of any service are."""
    tail = re.search(r"[A-Za-z0-9]{28,}$", word) if len(word) > 30 else None
    head = word[: tail.start()] if tail else ""
    if not tail or not 2 < len(head) < 24 or head.startswith(_PUBLIC) or head[-1] not in "_-":
        return False
    return _by_chance(tail[0], 0.45) and not tail[0].islower()


def _near_a_name(text: str, lower: str, word: re.Match[str]) -> bool:
    """Whether a word of chance has no name of its own and stands in a sentence about a secret."""
    if len(word[0]) < 20 or not _LONG.match(word[0]) or word[0].isupper() or "." in word[0]:
        return False
    before = text[max(0, word.start() - 4) : word.start()]
    if before.endswith(tuple("/=@#%&?.-")) or _OWN_NAME.search(before):
        return False
    if not _by_chance(word[0], 0.4):
        return False
    start, end = word.span()
    around = f"{lower[max(0, start - _FAR) : start]} {lower[end : end + _FAR // 2]}"
    names = (_NAME.match(around, stem.start()) for stem in _STEMS.finditer(around))
    return any(name and (name.lastgroup != "faint" or name[0] == "key") for name in names)


def _by_place(text: str, lower: str) -> Iterator[Span]:
    """Words of chance where a login, a call or a person gives one."""
    for match in places.LOGIN.finditer(text):
        if _by_chance(match[1], 0.25):
            yield *match.span(1), "token"
    for match in places.ARGUMENT.finditer(text):
        many = all(re.search(sort, match[2]) for sort in ("[a-z]", "[A-Z]", "[0-9]"))
        if many and _by_chance(match[2], 0.45) and not match[2].startswith(_PUBLIC):
            yield *match.span(2), "token"
    for match in places.SECOND.finditer(text):
        yield *match.span(1), "token"
    for match in places.LOGIN_AS.finditer(text):
        odd = _many_sorts(match[1]) and re.match(r"(?=.*[0-9])[^@\[\\`]+$", match[1])
        if odd and _stands(match[1]):
            yield *match.span(1), "secret"
    if "cookie" in lower:
        yield from _cookies(text)


def _cookies(text: str) -> Iterator[Span]:
    """What of chance a header's cookies hold."""
    for header in places.COOKIE.finditer(text):
        for crumb in places.CRUMB.finditer(header[1]):
            if _by_chance(crumb[1], 0.2):
                start = header.start(1) + crumb.start(1)
                yield start, start + len(crumb[1]), "cookie"


def _named(text: str, lower: str) -> Iterator[Span]:
    """Values whose names call them credentials."""
    for stem in _STEMS.finditer(lower):
        name = _NAME.match(lower, stem.start())
        if not name:
            continue
        before = text[max(0, name.start() - 40) : name.start()]
        whole = re.split(r"[^\w.-]", before)[-1] + text[name.start() : name.end()]
        sort = name.lastgroup or ""
        if name[0].startswith("sess"):
            sort = "session"
        elif sort == "faint" and _QUALIFIED.search(before.lower()):
            sort = "weak"
        if sort != "other" and (_NO_NAME.search(whole) or _inside_a_word(sort, name[0], whole)):
            continue
        if value := _value(text, name, whole, sort):
            yield *value, "secret"


def _inside_a_word(sort: str, name: str, whole: str) -> bool:
    """Whether a name is only the end of another word, as in `monkey`.

    >>> _inside_a_word("faint", "key", "monkey"), _inside_a_word("faint", "key", "fooKey")
    (True, False)
    """
    before = whole[: -len(name)][-1:]
    camel = whole[-len(name)].isupper() and before.islower()
    if sort == "faint" or name == "pw":
        return before.isalpha() and not camel and not whole.isupper()
    return whole.lower().endswith(("bypass", "compass", "trespass", "surpass", "impasse"))


def _value(text: str, name: re.Match[str], whole: str, called: str) -> tuple[int, int] | None:
    """Where the value of a name stands, if it has one that is a credential."""
    began = name.end() - len(whole)
    before = text[max(0, began - 80) : began]
    for sort, pattern in places.SEPARATORS:
        if between := pattern.match(text, name.end()):
            held = _held(text, between, _sorted(sort, between[0], whole, before), whole, before)
            if held and _fits(held, between[0], whole) and _is_one(called, held):
                return held.start, held.start + len(held.value)
    return None


class _Held:
    """What follows a name: where, how it was written, and the character after it."""

    def __init__(self, value: str, start: int, sort: str, quoted: bool, after: str) -> None:
        self.value, self.start, self.sort = value, start, sort
        self.quoted, self.after = quoted, after


def _sorted(sort: str, between: str, whole: str, before: str) -> str:
    """How a value is given to its name, told by what stands around the name; empty for not."""
    if sort == "listed" and "|" in between:
        return sort if before.rpartition("\n")[2].lstrip().startswith("|") else ""
    if sort == "listed" and re.search(r"\([ \t]*[\"']$", before):
        return "assigned"
    if sort == "beside" and re.search(r"\b(?:ENV|setx|export|set)[ \t]$", before):
        return "flag"
    near = between == "=" or (sort == "beside" and len(between) == 1)
    return "flag" if near and whole.startswith("-") else sort


def _held(text: str, between: re.Match[str], sort: str, whole: str, before: str) -> _Held | None:
    """The value behind what joins it to its name, as long as its notation makes it."""
    at = between.end()
    if (quoted := _QUOTED.match(text, at)) and sort:
        return _Held(quoted[2], quoted.start(2), sort, True, "")
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
    return _Held(value, at, sort, False, text[end : end + 1])


def _fits(held: _Held, between: str, whole: str) -> bool:
    """Whether a short name, or a bracket, is followed by what no sentence would have there."""
    bracket = held.sort == "beside" and "(" in between
    if re.search("[:=：]", between) or not (bracket or whole.lower() in ("pass", "pw")):
        return True
    plain = re.fullmatch("[A-Z]?[a-z_]+|[A-Z_]+|[^\x00-\x7f]+", whole)
    return plain is not None and _many_sorts(held.value)


def _is_one(called: str, held: _Held) -> bool:
    """Whether a value that follows a name is a credential, and not what only stands for one."""
    value, sort = held.value, held.sort
    if len(value) < 4 or not _stands(value) or _names_one(value):
        return False
    if not held.quoted and (held.after in ("(", "[") or _CALL.match(value)):
        return False
    if called in ("faint", "session"):
        chance = _has_chance(value) and not (called == "session" and _UUID.fullmatch(value))
        return chance and sort not in ("beside", "tagged")
    if held.quoted and " " in value:
        odd = re.findall(r"[^\w\s.,'-]", value)
        return len(odd) > 4 or any(_by_chance(part, 0.3) for part in value.split())
    if sort == "beside" and (called == "weak" or re.search(r"[/:(\[]", value)):
        return _by_chance(value, 0.3) and not re.match(r"\d+[.:]\d", value)
    if sort == "called" and called == "strong" and value.isalpha() and len(value) > 7:
        return not _STATES.fullmatch(value)
    if called == "weak" or sort in ("called", "listed", "beside"):
        return len(value) > 5 and _mixed(value) and not _wordy(value)
    if called == "other":
        return len(value) > 5 and value.isascii()
    return held.quoted or sort in ("shell", "tagged", "flag") or _told(value, sort)


def _told(value: str, sort: str) -> bool:
    """Whether a bare word behind a password's name is one: odd characters, or said to be it."""
    if _mixed(value) and sort != "spoken":
        return True
    if value.isdigit() and len(value) > 5:
        return True
    if sort != "spoken":
        return _ODD.search(value) is not None
    if _STATES.fullmatch(re.split("[-_]", value)[-1]):
        return False
    return _mixed(value) or _SAID.fullmatch(value) is not None


def _has_chance(value: str) -> bool:
    """Whether a value is of chance where its name alone says little: a token, or a UUID."""
    least = 0.25 if re.search("[0-9]", value) else 0.45
    token = _by_chance(value, least) and re.fullmatch(r"[\w.~+/=%:-]+", value)
    return bool(_UUID.fullmatch(value) or (token and not _wordy(value)))


def _stands(value: str) -> bool:
    """Whether a value stands for itself, and is neither a variable nor a placeholder."""
    return _MARK not in value and not _STAND_IN.match(value) and _varied(value)


def _varied(value: str) -> bool:
    return len(set(value.lower())) > 3


def _names_one(value: str) -> bool:
    """Whether a value is itself a name of a credential, or of a type.

    >>> _names_one("form.password_confirm"), _names_one("supersecret"), _names_one("str")
    (True, False, True)
    """
    if _TYPES.fullmatch(value):
        return True
    if any(character.isdigit() for character in value) or not re.fullmatch(r"[\w. :>-]+", value):
        return False
    return any(_SECRET_WORD.fullmatch(part.lower()) for part in [value, *_PARTS.findall(value)])


def _many_sorts(value: str) -> bool:
    """Whether a word has three sorts of characters, as passwords do and a language's do not."""
    sorts = ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9_./:-]")
    return len(value) > 6 and sum(re.search(sort, value) is not None for sort in sorts) > 2


def _mixed(value: str) -> bool:
    """Whether a value has letters and digits, or is a run of chance without any digit."""
    letters = any(character.isalpha() for character in value)
    digits = any(character.isdigit() for character in value)
    return (letters and digits) or _by_chance(value, 0.4)


def _wordy(value: str) -> bool:
    """Whether a value is a path, a date, a version, a call or a number rather than a token."""
    if re.match(r"\d+(?:[.:]\d+)+(?![\w!-])|\d+[.:]\d+[.+~-]", value):
        return True
    return not _by_chance(value, 0.35) and re.fullmatch(
        r"v?\d[\d.:TZ_+-]*[a-z]{0,2}|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[\w.-]*/[\w./-]*\.\w{1,6}|[a-z]+(?:[_.-][a-z]+)+[_.-]?\d{1,2}|[\w.]+\(.*|[A-Za-z]{2,}\d{1,3}",
        value,
    ) is not None  # fmt: skip


def _part_of_chance(path: str) -> bool:
    return any(_by_chance(part, 0.2) or _UUID.fullmatch(part) for part in path.split("/"))


def _by_chance(value: str, least: float) -> bool:
    """Whether a word of 16 characters or more changes between sorts of characters as chance does.

    `least` is how often, of all it could; a name changes seldom.

    >>> _by_chance("dUrSsmsKItZjZq0GsdjxUK5rkKBZUzYv", 0.4), _by_chance("handleResetToken", 0.4)
    (True, False)
    """
    runs = [len(run) for run in _CLASSES.findall(value)]
    count = sum(runs)
    if count < 16 or (value.isalpha() and (value.islower() or value.isupper())):
        return False
    return (len(runs) - 1) / (count - 1) >= least
