"""Whether a sentence of a prompt is its author's own plain word, and nobody else's.

By its form first: it asks nothing, quotes no sentence, and what stands behind a colon was led in by
words of the author's own. Then by who speaks in it (`voices` of the remarks' patterns): a report, a
supposition, a denial or a joke is no wish, whatever it says.
"""

import re
from collections.abc import Sequence
from typing import Final

from learnt.language.patterns import phrases

_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff"
_QUOTED: Final = re.compile(
    r"[\"\u201c\u201d\u201e\u00ab\u00bb](?P<double>[^\"\u201c\u201d\u201e\u00ab\u00bb]+)"
    r"[\"\u201c\u201d\u00ab\u00bb]|(?<!\w)['\u2018\u201a\u2039](?P<single>[^'\u2018\u2019\u203a]+)"
    r"['\u2019\u203a](?!\w)|[\u300c\u300e](?P<corner>[^\u300d\u300f]+)[\u300d\u300f]"
    r"|`(?P<code>[^`]+)`|\[(?P<title>[^\]]+)\]\(\S+\)|\((?P<aside>[^)]+)\)"
)
# Three words, or six characters of a script without spaces, may be a sentence; a name is less.
_SENTENCE: Final = re.compile(
    rf"[^\W\d_]+[,.;:!?]?\s+\S*[^\W\d_]\S*\s+\S*[^\W\d_]|[{_UNSPACED}]{{6}}"
)
_PROSE: Final = re.compile(rf"(?:[^\W\d_]+,?\s+){{3}}[^\W\d_]+|[{_UNSPACED}]{{6}}")
_OPEN: Final = re.compile(r"[\"\u201c\u201e\u00ab\u300c\u300e]")
_COLON: Final = re.compile(
    r":(?=\s|[\"\u201c\u201e\u00ab])|\uff1a|:(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_GAP: Final = re.compile(r"\n[ \t]*\n\s*")
_COMMENT: Final = re.compile(
    r"^\s*(?:/[/*] |\*|#|--|<!--|;;|[+-][A-Z])|[{};]\s*(?://|/\*)|[\w,.] (?://|/\*|#) \w"
)
_SPAN: Final = re.compile(
    r"\"[^\"]{24,2000}\"|[\u201c\u201e\u00ab][^\u201d\u00bb]{12,2000}|[\u300c\u300e][^\u300d\u300f]{6,2000}"
)
# Two items of a list, in a line or below each other.
_LISTED: Final = re.compile(
    r"(?:(?<=\s)|(?<=[(\uff08?\uff1f:\uff1a,])|^)(?:1\s?[.)\u3001][^\n]{2,200}?\s\(?2\s?[.)\u3001]"
    r"|[aA](?:[.)]\s[^\n]{2,200}?\s\(?[bB][.)]| [^\n]{2,60}? B )"
    r"|[a-zA-Z]\)\s[^\n]{0,400}\n[b-zB-Z]\))",
    re.MULTILINE,
)
PLACE: Final = re.compile(r"(?<=[=<>(,])\s?\?")  # a question mark that keeps a place in a query
_LINK: Final = re.compile(r"\[[^\]]*\]\(|^\S*://\S+\s*$")


def quotes(sentence: str) -> bool:
    """Whether a sentence holds somebody's sentence, or begins to.

    >>> quotes('the poster reads «Never deploy on a Friday.»'), quotes('it is called "main"')
    (True, False)
    """
    rest = sentence
    for match in _QUOTED.finditer(sentence):
        kind = str(match.lastgroup)
        if (_PROSE if kind in {"code", "aside"} else _SENTENCE).search(match[kind]):
            return kind != "aside"
        rest = rest.replace(match[0], " ", 1)
    return _OPEN.search(rest) is not None


def plainly(prompt: str, sentences: Sequence[str]) -> list[bool]:
    """Of each sentence of a prompt whether it is plain, and of nobody else's text.

    What stands in a list, or on the lines below a sentence that is not plain, may be a paste. So
    may a paragraph above or below one that asks, or that speaks of a text.

    >>> plainly("Priya wrote:\\n\\nalways cc me", ["Priya wrote:", "always cc me"])
    [False, False]
    """
    told, at, end = [], 0, len(prompt)
    if listed := _LISTED.search(prompt):
        end = listed.start()
    spans = [match.span() for match in _SPAN.finditer(prompt)]
    gaps = [match.span() for match in _GAP.finditer(prompt)]
    # What is spoken of as "this" further down is what stood above it.
    lines = ((end, prompt[end : prompt.find("\n", end) % (len(prompt) + 1)]) for _, end in gaps)
    begins = max((end for end, line in lines if _points(line)), default=0)
    for sentence in sentences:
        at = max(at, prompt.find(sentence, at))
        quoted = any(opens < at < closes for opens, closes in spans)
        told.append(begins <= at < end and not quoted and plain(sentence))
        below = prompt.find("\n", at)
        if _points(sentence):
            end = min([end, *(gap for gap, _ in gaps if gap >= at)])
        if _led_in(sentence) or phrases("remarks")["supposes"].search(sentence):
            end = min(end, at + 1)
        elif below >= 0 and not (told[-1] or _asks(sentence)):
            end = min(end, below)
    return told


def plain(sentence: str) -> bool:
    """Whether its author says it, and as it is.

    >>> plain("from now on, use pnpm in this repo"), plain("Anna says we must always squash.")
    (True, False)
    """
    said = phrases("remarks")
    if _COMMENT.search(sentence) or _LINK.search(sentence) or quotes(sentence):
        return False
    if _led_in(sentence):
        return False
    if _asks(sentence) and said["politely"].search(sentence) is None:
        return False
    return said["voices"].search(sentence) is None


def _points(sentence: str) -> bool:
    """Whether it asks, or speaks of a text that stands above or below."""
    return _asks(sentence) or phrases("remarks")["points"].search(sentence) is not None


def _asks(sentence: str) -> bool:
    return "?" in PLACE.sub("", sentence) or "\uff1f" in sentence


def standing(sentence: str) -> bool:
    """Whether it says itself that it is meant to hold beyond the task, and is no symptom.

    >>> standing("never push to main"), standing("push it to main")
    (True, False)
    """
    said = phrases("remarks")
    if said["standing"].search(sentence) is None:
        return False
    if said["politely"].search(sentence):
        return True
    symptom = said["symptom"].search(sentence) and said["trouble"].search(sentence)
    return not symptom and said["asks"].search(sentence) is None


def _led_in(sentence: str) -> bool:
    """Whether a colon stands in it that none of the author's own words lead in."""
    said = phrases("remarks")
    bare = _QUOTED.sub(" ", sentence)
    leads = [bare[: colon.start()] for colon in _COLON.finditer(bare)]
    own = (said["leads"], said["remember"], said["decided"], said["standing"])
    return any(
        said["voices"].search(lead) or not any(words.search(lead) for words in own)
        for lead in leads[-1:]
    )
