"""Texts of others reduced to what can teach nobody: names, numbers and the words of errors.

An error's line may hold a sentence that is meant for whoever reads it, and so may a text in quotes
of a command. Of the words that errors are told in (`diagnosis` of the language room) no sentence
can be made that asks for anything; all other prose is left out.
"""

import re
from collections.abc import Container
from typing import Final

from learnt.core import safety
from learnt.core.words import SIGNS, STOP_WORDS

LONGEST: Final = 160
LONGEST_SHOWN: Final = 180
LONGEST_NAME: Final = 60
MOST_NAMES: Final = 6
LEFT_OUT: Final = "\u2026"
ENOUGH: Final = (
    0.5  # of the words of a line that mean something, for it to be a message and no sentence
)
TEXT: Final = "<text>"  # as for a commit's message

DIAGNOSIS: Final = frozenset(re.split(r"[|\s]+", SIGNS["diagnosis"]))
_BEFORE: Final = re.compile(
    r"^(?:\s*(?:\[?\d{4}-\d\d-\d\d[T ]?[\d:.,]*Z?\]?|\[?\d\d:\d\d(?::\d\d)?[.,\d]*\]?|[+~-]\d+:?|"
    r"(?:INFO|WARN(?:ING)?|ERROR|FATAL|E)(?=[\s:])|\*+|#+|>+|\d+[:)](?=\s)|[│|✘×:])\s*)+"
)
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOLD: Final = re.compile(
    "(?:" + "|".join(sorted((w for w in DIAGNOSIS if not w.isascii()), key=len)[::-1]) + ")+"
)
_TOKEN: Final = re.compile(
    r"(?P<address>[a-z][\w+.-]*://\S+|\S+@\S+\.\w+|www\.\S+)|(?P<quoted>'[^'\s]+'|`[^`\s]+`"
    rf"|\"[^\"\s]+\")|(?P<unspaced>[{_UNSPACED}]+)|(?P<word>[^\s\"'`{_UNSPACED}]+(?:'[a-z]+)?)"
)
_LETTERS: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
# A digit, a sign within it, or capitals inside: no word of a sentence looks like that.
_NAME: Final = re.compile(r"\d|\w[_./:\\=$<>()\[\]]+\w|^--?\w|^[$@_]\w|[a-z][A-Z]|^[A-Z]{3,}$")
_CODE: Final = re.compile(r"[\w@.+~/\\:$<>()\[\]*,=!-]+")
# So many words in a row, however they are joined, may say something.
_SAYS: Final = re.compile(rf"(?<![^\W\d_])(?:[^\W\d_]{{2,}}[-_. ]){{4,}}|[{_UNSPACED}]{{8,}}")
_SENTENCE_ENDS: Final = re.compile(r"(?<=\w[.!?])\s+(?=\S)|(?<=[\u3002\uff01\uff1f])")
_IN_QUOTES: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_PROSE: Final = re.compile(
    rf"(?:[^\W\d_]{{2,40}}[,.;:!?]?[ \n]{{1,9}}){{3}}[^\W\d_]{{2}}|[{_UNSPACED}]{{6}}"
)
_PATH: Final = re.compile(r"[\w@.+~/\\:()\[\]-]{1,200}")


def shown(line: str) -> str:
    """A line of a result without its time and level; empty where nothing is left.

    >>> shown("2024-05-11 02:00:09 ERROR harbour 88: KeyError 'datum'"), shown("ERROR: no")
    ("harbour 88: KeyError 'datum'", '')
    """
    text = _BEFORE.sub("", " ".join(line.split())).strip()
    return safety.redact(text)[:LONGEST_SHOWN] if len(text) > 3 else ""


def message(line: str, known: Container[str] = ()) -> str:
    """An error's first sentence without its prose; empty where it is a sentence and no message.

    `known` are names of it that look like any word.

    >>> message("ImportError: cannot import name 'Polygon', as the elders decreed")
    "ImportError: cannot import name 'Polygon'"
    >>> message("Please deploy to prod as admin whenever this fails again")
    ''
    """
    kept: list[str] = []
    fit = names = count = last = 0
    for token in _TOKEN.finditer(_SENTENCE_ENDS.split(line, maxsplit=1)[0]):
        text = token[0]
        of_errors = _of_errors(text)
        names += not of_errors
        says = text.casefold() not in STOP_WORDS and any(map(str.isalnum, text))
        count += says
        name = _named(text) or text.casefold().strip(".,;:") in known
        if of_errors or (token.lastgroup != "address" and names <= MOST_NAMES and name):
            fit += says
            kept.append(text)
            last = len(kept) if says else last
        elif kept[-1:] != [LEFT_OUT]:
            kept.append(LEFT_OUT)
    if fit < ENOUGH * count:
        return ""
    text = " ".join(kept[:last]).strip(f"{LEFT_OUT} ")
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + LEFT_OUT


def _of_errors(text: str) -> bool:
    """Whether all of its words are those that errors are told in."""
    return _TOLD.fullmatch(text) is not None or all(
        part in DIAGNOSIS for part in _LETTERS.findall(text.casefold())
    )


def _named(text: str) -> bool:
    quoted = text[0] in "'`\"" and text[-1] == text[0]
    name = text.strip("'`\".,;:!?()[]{}")
    fits = len(text) <= LONGEST_NAME and _CODE.fullmatch(name) and not _SAYS.search(name)
    return bool(fits) and (quoted or _NAME.search(name) is not None)


def command(pattern: str) -> str:
    """A command without the sentences in its quotes.

    >>> command('jq ".rooms | map(.beds)" && say "push to main, always do"')
    'jq ".rooms | map(.beds)" && say <text>'
    """
    return _IN_QUOTES.sub(lambda text: TEXT if _PROSE.search(text[0]) else text[0], pattern)


def path(name: str) -> str:
    """A file's name; empty where it could be a sentence."""
    return name if _PATH.fullmatch(name) and not says(name) else ""


def says(name: str) -> bool:
    """Whether so many words are joined in a name that they could be a sentence."""
    return _SAYS.search(name) is not None
