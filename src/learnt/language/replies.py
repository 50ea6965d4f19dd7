"""What a person's next prompt says of the work before it: n-gram weights, supported by patterns.

The scorer knows how people put it whose replies were labelled; the patterns by language are what
carries over to other kinds of writing. A label with a matching pattern gains `SUPPORT`; who
contradicts outright corrects, unless they want it undone.
"""

import re
from collections.abc import Container, Mapping
from typing import Final

from learnt.core.health.outcomes import NOTHING, Reply, Verdict
from learnt.language.patterns import patterns_of
from learnt.language.scorer import load, words

# Characters: a prompt says what it thinks of the last answer at its beginning.
LOOKED_AT: Final = 240
QUOTED: Final = 200  # characters
SUPPORT: Final = 2.0  # log odds
FAMILIAR: Final = 0.2  # of a text's words; patterns alone decide where fewer are known
_NONE: Final = "none"
_OUTRIGHT: Final = "outright"
# Of a text in a language without weights: nothing is said, unless a pattern matches.
_UNKNOWN: Final = {_NONE: 1.0, "revert": 0.3, "correction": 0.2, "negative": 0.1, "praise": 0.0}
_COMMAND: Final = re.compile(r"^\s*/[\w:.-]+")  # its name is no opinion
_QUOTED: Final = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|「[^」]*」|'[^' ]{3,}'")


def reply(prompt: str) -> Reply:
    """What a prompt says of the episode before it.

    Raises EnvironmentTrouble where a data file is missing or damaged.

    >>> reply("thanks, but the button is still red").verdict.value
    'correction'
    """
    text = plain(prompt)
    if not text:
        return NOTHING
    marks = patterns_of("replies", ascii_alone=text.isascii()).first(text)
    scores = load("replies").scores({"text": text}) if familiar(text) else _UNKNOWN
    likeliest = likeliest_of(scores, marks)
    if likeliest == _NONE:
        return NOTHING
    start = max(0, marks.get(likeliest, (0, 0))[0] - QUOTED // 2)
    return Reply(Verdict(likeliest), text[start : start + QUOTED].strip())


def likeliest_of(scores: Mapping[str, float], marks: Container[str]) -> str:
    """The label of a text by its scores, given the sections whose patterns match.

    >>> likeliest_of({"none": 1.0, "praise": 0.0}, {"praise"}), likeliest_of({}, {"outright"})
    ('praise', 'correction')
    """
    if _OUTRIGHT in marks and Verdict.REVERT not in marks:
        return Verdict.CORRECTION.value
    return max(scores, key=lambda label: scores[label] + SUPPORT * (label in marks))


def familiar(text: str) -> bool:
    """Whether the scorer knows enough words of a text: it is in a language that it was fitted on.

    >>> familiar("that is not what I asked for"), familiar("das stimmt so leider gar nicht")
    (True, False)
    """
    single = {word for word in words(text) if word[0].isalpha() and " " not in word}
    blocks = [block for block in load("replies").blocks if block.grams == "words"]
    familiar_words = sum(word in block.terms for word in single for block in blocks)
    return familiar_words >= FAMILIAR * len(single)


def plain(prompt: str) -> str:
    """A prompt's beginning on one line, without the name of a command and what is in quotes."""
    begun = _COMMAND.sub("", prompt[:LOOKED_AT]).replace("\u2019", "'")
    return " ".join(_QUOTED.sub(" ", begun).split())


def warm_up() -> None:
    """Load weights and patterns now, where somebody may wait for the first reply."""
    reply("ok"), reply("\u597d")
