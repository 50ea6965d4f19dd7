"""What a person's next prompt says of the episode before it, by rules, in English and Chinese.

Praise that is negated is none ("not great"), and blame that is negated is praise ("nothing wrong",
「没有不对」): those are looked for first and taken out. Of what is left a revert counts before a
correction, a correction before a negative word, and any of them before praise ("thanks, but …").
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from learnt.core.health.reply_words import chinese, english

LOOKED_AT: Final = 240  # a prompt says what it thinks of the last answer at its beginning
QUOTED: Final = 200
SHORT: Final = 60  # who complains of what was just done need not say of what

_COMMAND = re.compile(r"^\s*/[\w:.-]+")  # its name is no opinion
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|「[^」]*」|'[^' ]{3,}'")

Said = Literal["revert", "correction", "negative", "praise", ""]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a prompt says of what came before it, and the words that say so."""

    said: Said
    quote: str = ""


NOTHING: Final = Reply("")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """The patterns by which a prompt is judged, as `reply_words` has them."""

    fine: re.Pattern[str]
    elsewhere: re.Pattern[str]
    task: re.Pattern[str]
    anew: re.Pattern[str]
    outright: re.Pattern[str]
    but: re.Pattern[str]
    blame: tuple[tuple[Said, re.Pattern[str]], ...]
    pointing: re.Pattern[str]
    praise: re.Pattern[str]
    not_praise: re.Pattern[str]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)


@cache
def _words(*, both: bool) -> _Words:
    """Compiled when first asked for, which takes a while; English prompts need English alone."""

    def of(name: str) -> re.Pattern[str]:
        return _any(*getattr(english, name), *(getattr(chinese, name) if both else ()))

    return _Words(
        fine=of("FINE"),
        elsewhere=of("ELSEWHERE"),
        task=of("TASK"),
        anew=of("ANEW"),
        outright=of("OUTRIGHT"),
        but=of("BUT"),
        blame=(
            ("revert", of("REVERT")),
            ("correction", of("CORRECTION")),
            ("negative", of("NEGATIVE")),
        ),
        pointing=of("POINTING"),
        praise=of("PRAISE"),
        not_praise=of("NOT_PRAISE"),
    )


def warm_up() -> None:
    """Compile all patterns now, where somebody may wait for the first judgement."""
    _words(both=False), _words(both=True)


def judge(prompt: str) -> Reply:
    """What a prompt says of the episode before it.

    >>> judge("thanks, but the button is still red").said
    'correction'
    >>> judge("not bad at all").said, judge("没有不对的地方，可以发了").said
    ('praise', 'praise')
    >>> judge("Now add a page for the settings").said
    ''
    """
    text = " ".join(_COMMAND.sub("", prompt[:LOOKED_AT]).split()).replace("’", "'")
    words = _words(both=not text.isascii())
    plain = _QUOTED.sub(" ", text)
    fine = words.fine.search(plain)
    blamed = words.fine.sub(" ", plain)
    if words.elsewhere.match(blamed):
        return NOTHING
    if words.task.search(blamed) and not words.anew.search(blamed):
        return _praise(words, plain, fine)
    if (outright := words.outright.match(blamed)) and not words.but.search(blamed):
        return Reply("praise", _around(blamed, outright))
    for said, pattern in words.blame:
        found = pattern.search(blamed)
        if found and (said != "negative" or _of_the_last(words, blamed, found)):
            return Reply(said, _around(blamed, found))
    return _praise(words, plain, fine)


def _praise(words: _Words, plain: str, fine: re.Match[str] | None) -> Reply:
    praise = words.praise.search(words.not_praise.sub(" ", plain))
    return Reply("praise", _around(plain, praise or fine)) if praise or fine else NOTHING


def _of_the_last(words: _Words, text: str, found: re.Match[str]) -> bool:
    """Whether no good is the last answer, not a trouble told at length for the first time."""
    return len(text) <= SHORT or bool(words.pointing.search(text[: found.end()]))


def _around(text: str, found: re.Match[str] | None) -> str:
    """The words around a match, as a quote."""
    start = max(0, (found.start() if found else 0) - QUOTED // 2)
    return text[start : start + QUOTED].strip()
