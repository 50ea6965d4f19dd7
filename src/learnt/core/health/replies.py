"""What a person's next prompt says of the episode before it, by rules, in English and Chinese.

Praise that is negated is none ("not great"), and blame that is negated is praise ("nothing wrong",
「没有不对」): those are looked for first and taken out. Of what is left a revert counts before a
correction, a correction before a negative word, and any of them before praise ("thanks, but …").
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from learnt.core.health import reply_words

LOOKED_AT: Final = 600  # a prompt says what it thinks of the last answer at its beginning
QUOTED: Final = 200
SHORT: Final = 60  # who complains of what was just done need not say of what

Said = Literal["revert", "correction", "negative", "praise", ""]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a prompt says of what came before it, and the words that say so."""

    said: Said
    quote: str = ""


NOTHING: Final = Reply("")
_BLAME: Final[tuple[tuple[Said, re.Pattern[str]], ...]] = (
    ("revert", reply_words.REVERT),
    ("correction", reply_words.CORRECTION),
    ("negative", reply_words.NEGATIVE),
)


def judge(prompt: str) -> Reply:
    """What a prompt says of the episode before it.

    >>> judge("thanks, but the button is still red").said
    'correction'
    >>> judge("not bad at all").said, judge("没有不对的地方，可以发了").said
    ('praise', 'praise')
    >>> judge("Now add a page for the settings").said
    ''
    """
    text = " ".join(prompt[:LOOKED_AT].split()).replace("’", "'")
    plain = re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|「[^」]*」|'[^' ]{3,}'", " ", text)
    fine = reply_words.FINE.search(plain)
    blamed = reply_words.FINE.sub(" ", plain)
    if reply_words.ELSEWHERE.match(blamed):
        return NOTHING
    if (outright := reply_words.OUTRIGHT.match(blamed)) and not reply_words.BUT.search(blamed):
        return Reply("praise", _around(blamed, outright))
    for said, pattern in _BLAME:
        found = pattern.search(blamed)
        if found and (said != "negative" or _of_the_last(blamed, found)):
            return Reply(said, _around(blamed, found))
    praise = reply_words.PRAISE.search(reply_words.NOT_PRAISE.sub(" ", plain))
    if praise or fine:
        return Reply("praise", _around(plain, praise or fine))
    return NOTHING


def _of_the_last(text: str, found: re.Match[str]) -> bool:
    """Whether what is no good is the last answer, not a trouble told at length for the first time.

    >>> text = "The build of the old branch fails with an error about a missing class, any idea?"
    >>> _of_the_last(text, re.search("fails", text))
    False
    """
    return len(text) <= SHORT or bool(reply_words.POINTING.search(text[: found.end()]))


def _around(text: str, found: re.Match[str] | None) -> str:
    """The words around a match, as a quote."""
    start = max(0, (found.start() if found else 0) - QUOTED // 2)
    return text[start : start + QUOTED].strip()
