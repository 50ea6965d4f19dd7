"""What a credential looks like: by chance, by its sorts of characters, by what only stands for one.

Standard library only, and data: a copy of this file with these in it lies beside the hook.
"""

import re

from learnt.core.late_patterns import late
from learnt.core.secret_prefixes import NAMES, PREFIXES
from learnt.core.words import SECRETS

MARK = "[redacted:"
_STAND_IN = late(
    r"[$<{\[(…]|@[A-Za-z_.{]|#(?:\W|\w*$)|%[A-Za-z_]+%$|%[({]|%[sd]\b|&lt;|\\?\$|\.\.\.|\w{2,20}://|arn:|!(?:Ref|Sub|Get)|(?:secretref|env|file|vault|ENC)[:\[(]"
    r"|process\.env|(?:Get|New|Read|ConvertTo|Import)-[A-Z]|os\.(?:environ|getenv)|.*(?:\.\.\.|…|\*{3}|x{4}|X{4})"
    rf"|(?i:{SECRETS['stand-ins']})"
)
_PATH = late(r"//|[/.~]/?[\w.-]+/|-{1,2}[A-Za-z]?[a-z]*(?:-[a-z]+)*(?:[=>]|$)|\*(?:\*|$)")
_TYPES = late(SECRETS["types"], re.IGNORECASE)
_STATES = late(rf"(?i)(?:{SECRETS['states']})")
_PARTS = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CLASSES = late(r"[a-z]+|[A-Z]+|[0-9]+")
_CALL = late(r"[A-Za-z_.]+\[|[A-Za-z_]\w*\.[\w.]*\[|[A-Za-z_][\w.]*\(")
_ODD = late(r"[A-Za-z0-9][^\w.(){}\[\]:/|=][A-Za-z0-9]|[a-z][A-Z]\w*[a-z][A-Z]")
_NAMED = late(r"[a-z0-9]+(?:[._/-][a-z0-9]+)+")  # as objects of a cluster are
_PLAIN_WORD = late("[A-Z]?[a-z]{4,}[0-9]{0,4}")
_NUMBERED = late(
    "(?!(?:base|utf|oauth|http|bits?|rfc|argon|pbkdf|x)[0-9])[A-Za-z]{4,}[0-9]{2,4}[!?.]?", 2
)
_SIGN = late("[A-Za-z0-9][!#$%^&*+~@][A-Za-z0-9]")
_SAID = late("[A-Za-z]{8,}|(?:[A-Za-z]{2,12}-){2,}[A-Za-z]{2,}")
_UUID = late(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SECRET_WORD = late(rf"(?:{SECRETS['names']}|{SECRETS['keys']}|{SECRETS['chance']})s?")

_WORDS = late(
    r"[-_./]?(?:(?:[A-Z]?[a-z]+|[A-Z]+)?\d{0,4}[-_.=/~+]++)+(?:[A-Z]?[a-z]+|[A-Z]+)?\d{0,4}"
)
_ALPHABETS = {
    "h": "[0-9A-Fa-f]", "a": "[A-Za-z0-9]", "w": r"[\w-]", "b": r"[\w+/=-]", "t": r"[\w+/=.~%-]"
}  # fmt: skip


def _shapes(table: str) -> dict[str, list[str]]:
    """The shapes of each word of a table of `secret_prefixes`."""
    shape, held = "", dict[str, list[str]]()
    for word in table.split():
        if word.endswith(":"):
            shape = word[:-1]
        else:
            held.setdefault(word, []).append(shape)
    return held


_BEGUN, _BESIDE = _shapes(PREFIXES), _shapes(NAMES)
STARTS = tuple(_BEGUN)


class HeldValue:
    """What follows a name: where, how it was written, and the character after it."""

    def __init__(self, value: str, start: int, sort: str, quoted: bool, after: str) -> None:
        self.value, self.start, self.sort = value, start, sort
        self.quoted, self.after = quoted, after


def has_any(text: str) -> tuple[bool, bool]:
    """Whether any word is mixed, and whether any is long and changes between sorts of characters.

    Where none is, no part of a text is: most rules need not be compiled.

    >>> has_any("rename the login page"), has_any("port8443"), has_any("k/src/a8Qx1zY2k9Lm0")
    ((False, False), (True, False), (True, True))
    """
    words = {word for word in text.split() if len(word) > 3}
    digits = {word for word in words if any(map(str.isdigit, word))}
    changes = {word: len(_CLASSES.findall(word)) for word in words if len(word) > 15}
    mixed = any(any(map(str.isalpha, word)) for word in digits) or _SIGN.search(text) is not None
    return (
        mixed or any(count > 4 for count in changes.values()),
        any(count > (4 if word in digits else 7) for word, count in changes.items()),
    )


def is_one(called: str, held: HeldValue) -> bool:
    """Whether a value that follows a name is a credential, and not what only stands for one.

    >>> is_one("strong", HeldValue("hunter2", 0, "assigned", False, ""))
    True
    """
    value = held.value
    if len(value) < 4 or not stands(value) or names_one(value):
        return False
    if not held.quoted and (held.after in ("(", "[") or _CALL.match(value)):
        return False
    if called in ("faint", "session"):
        chance = has_chance(value) and not (called == "session" and _UUID.fullmatch(value))
        return chance and held.sort not in ("beside", "tagged")
    if held.sort == "grouped":
        return called in ("weak", "strong", "pin")
    if called == "strong":
        return _is_password(held)
    if called == "other" and held.sort == "beside":
        return value.isdigit() or many_sorts(value) or (is_mixed(value) and not wordy(value))
    if held.quoted and " " in value:
        return _odd_phrase(value)
    if called == "other" and held.sort not in ("called", "listed"):
        return len(value) > 5 - value.isdigit() and value.isascii()
    return _is_number(called, held)


def _is_number(called: str, held: HeldValue) -> bool:
    """Whether what is called a token or a number is one: digits and letters, by chance."""
    value, sort = held.value, held.sort
    if sort == "beside" and called == "weak":
        return by_chance(value, 0.3) and not re.match(r"\d+[.:]\d", value)
    if called == "pin" and sort in ("spoken", "assigned", "beside") and value.isdigit():
        return 3 < len(value) < 9
    if called == "weak" and sort in ("flag", "shell"):
        return len(value) > 7 and is_mixed(value)
    return len(value) > 5 and is_mixed(value) and not wordy(value)


def _is_password(held: HeldValue) -> bool:
    """Whether what is called a password or a secret is one, by how it was written."""
    value, sort = held.value, held.sort
    if sort == "given" and _NAMED.fullmatch(value):
        return False
    if held.quoted and " " in value:
        return _odd_phrase(value)
    if sort == "beside" and re.search(r"[/:(\[]", value):
        return by_chance(value, 0.3) and not re.match(r"\d+[.:]\d", value)
    if sort == "called" and value.isalpha() and len(value) > 7:
        return not _STATES.fullmatch(value)
    if sort != "given" and _NUMBERED.fullmatch(value):
        return True
    if sort in ("called", "listed", "beside"):
        return len(value) > 5 and is_mixed(value) and not wordy(value)
    ends = held.after in ("", "\n", "\r") and _PLAIN_WORD.fullmatch(value)
    plain = ends and sort == "assigned" and not _STATES.fullmatch(value)
    return bool(held.quoted or plain or sort in ("shell", "tagged", "flag") or _told(value, sort))


def _odd_phrase(value: str) -> bool:
    odd = re.findall(r"[^\w\s.,'-]", value)
    return len(odd) > 4 or any(by_chance(part, 0.3) for part in value.split())


def _told(value: str, sort: str) -> bool:
    """Whether a bare word behind a password's name is one: odd characters, or said to be it."""
    if is_mixed(value) and sort != "spoken":
        return True
    if value.isdigit() and len(value) > 5:
        return True
    if sort != "spoken":
        return _ODD.search(value) is not None
    if _STATES.fullmatch(re.split("[-_]", value)[-1]):
        return False
    return is_mixed(value) or many_sorts(value) or _SAID.fullmatch(value) is not None


def is_token(word: str, text: str) -> bool:
    """Whether what follows a token's beginning has the shape that its service gives it."""
    for size in range(2, 45):
        for shape in _BEGUN.get(word[:size], ()):
            value = _shaped(text[size:], shape)
            stands_in = not varied(value) or "xxxx" in value.lower() or _WORDS.fullmatch(value)
            if not stands_in and (len(value) <= _most(shape) or by_chance(value, 0.2)):
                return True
    last = re.split("[_-]", word)[-1]
    return varied(last) and by_chance(word, 0.22 if re.search("[0-9]", word) else 0.35)


def _shaped(text: str, shape: str) -> str:
    """What a text begins with of a shape's alphabet; empty if that is less than its least."""
    run = re.match(f"{_ALPHABETS[shape[0]]}{{{shape[1:].partition('-')[0]},}}", text, re.ASCII)
    return run[0] if run else ""


def _most(shape: str) -> int:
    return int(shape.partition("-")[2] or shape[1:])


def of_a_service(value: str, around: str) -> bool:
    """Whether a value has the shape of tokens of a service whose name stands around it."""
    return any(
        len(_shaped(value, shape)) == len(value) <= _most(shape)
        for name, shapes in _BESIDE.items()
        if name in around
        for shape in shapes
    )


def has_chance(value: str) -> bool:
    """Whether a value is of chance where its name alone says little: a token, or a UUID.

    >>> has_chance("a8Qx1zY2k9Lm0pQr"), has_chance("handleResetToken")
    (True, False)
    """
    least = 0.25 if re.search("[0-9]", value) else 0.45
    token = by_chance(value, least) and re.fullmatch(r"[\w.~+/=%:-]+", value)
    return bool(_UUID.fullmatch(value) or (token and not wordy(value)))


def stands(value: str) -> bool:
    """Whether a value stands for itself, and is neither a variable nor a placeholder.

    >>> stands("$PASSWORD"), stands("hunter2")
    (False, True)
    """
    labelled = (
        value.isalpha() and not value.isascii() and not value.isupper() and not value.islower()
    )
    path = _PATH.match(value) and not by_chance(value, 0.5)
    return not (MARK in value or _STAND_IN.match(value) or path or labelled) and varied(value)


def varied(value: str) -> bool:
    """Whether a value has more than three characters that differ.

    >>> varied("xxxyyy"), varied("hunter2")
    (False, True)
    """
    return len(set(value.lower())) > 3


def names_one(value: str) -> bool:
    """Whether a value is itself a name of a credential, or of a type.

    >>> names_one("form.password_confirm"), names_one("supersecret"), names_one("str")
    (True, False, True)
    """
    if _TYPES.fullmatch(value):
        return True
    if re.search(r"\d", value) or not re.fullmatch(r"[\w. :>-]+", value):
        return False
    return any(_SECRET_WORD.fullmatch(part.lower()) for part in [value, *_PARTS.findall(value)])


def many_sorts(value: str) -> bool:
    """Whether a word has three sorts of characters, as passwords do and a language's do not.

    >>> many_sorts("Sunny9day"), many_sorts("sunnyday")
    (True, False)
    """
    sorts = ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9_./:-]")
    return len(value) > 6 and sum(re.search(sort, value) is not None for sort in sorts) > 2


def is_mixed(value: str) -> bool:
    """Whether a value has letters and digits, or is a run of chance without any digit.

    >>> is_mixed("hunter2"), is_mixed("hunter")
    (True, False)
    """
    letters = any(character.isalpha() for character in value)
    digits = any(character.isdigit() for character in value)
    return (letters and digits) or by_chance(value, 0.4)


def like_a_password(value: str) -> int:
    """How much a word of a sentence is like a password: 2 with a sign, 1 by digits, or 0.

    >>> like_a_password("Sommer2024!"), like_a_password("tiger99"), like_a_password("utf8mb4")
    (2, 1, 0)
    """
    if not varied(value) or names_one(value):
        return 0
    if re.search("[A-Za-z0-9][!#$%^&*+~@].|[0-9][!?#$*]$", value) and many_sorts(value):
        return 2
    if re.fullmatch("[0-9a-f]+", value):
        return 0
    runs = len(_CLASSES.findall(value))
    mixed = is_mixed(value) and value.isalnum()
    return int(bool(_NUMBERED.fullmatch(value) or (mixed and runs > 4)))


def wordy(value: str) -> bool:
    """Whether a value is a path, a date, a version, a call or a number rather than a token.

    >>> wordy("2024-05-01"), wordy("a8Qx1zY2k9")
    (True, False)
    """
    if re.match(r"\d+(?:[.:]\d+)+(?![\w!-])|\d+[.:]\d+[.+~-]", value):
        return True
    return not by_chance(value, 0.35) and re.fullmatch(
        r"v?\d[\d.:TZ_+-]*[a-z]{0,2}|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[\w.-]*/[\w./-]*\.\w{1,6}|[a-z]+(?:[_.-][a-z]+)+[_.-]?\d{1,2}|[\w.]+\(.*|[A-Za-z]{2,}\d{1,3}|[\w.:-]+(?:==|:)v?\d+(?:\.\d+)+\S*",
        value,
    ) is not None  # fmt: skip


def part_of_chance(path: str) -> bool:
    """Whether a part of a path is of chance.

    >>> part_of_chance("services/T0/a8Qx1zY2k9Lm0pQr"), part_of_chance("docs/how_to")
    (True, False)
    """
    odd = any(by_chance(part, 0.2) or _UUID.fullmatch(part) for part in path.split("/"))
    return odd and path[:1] != "-" and not _WORDS.fullmatch(path)


def by_chance(value: str, least: float) -> bool:
    """Whether a word of 16 characters or more changes between sorts of characters as chance does.

    `least` is how often, of all it could; a name changes seldom.

    >>> by_chance("dUrSsmsKItZjZq0GsdjxUK5rkKBZUzYv", 0.4), by_chance("handleResetToken", 0.4)
    (True, False)
    """
    runs = [len(run) for run in _CLASSES.findall(value)]
    count = sum(runs)
    if count < 16 or (value.isalpha() and (value.islower() or value.isupper())):
        return False
    return (len(runs) - 1) / (count - 1) >= least
