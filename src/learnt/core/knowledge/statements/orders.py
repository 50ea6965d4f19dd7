"""What stands where: what comes first, what is listed, which value belongs to which key."""

import re
from typing import Final

from learnt.core.knowledge.statements.matching import Matching
from learnt.core.knowledge.statements.readings import Reading

_TELLING: Final = 0.5
_SENTENCE: Final = re.compile(r"[^.;。;；!?]+(?:[.;](?=\S)[^.;。;；!?]+)*")
_COMMA: Final = re.compile(r"[,，:：](?!\S*_)|、")
_BEFORE: Final = re.compile(r"\bbefore\b|\bfollowed by\b", re.IGNORECASE)
_AFTER: Final = re.compile(r"\bafter\b", re.IGNORECASE)
_ANY: Final = re.compile(
    r"\b(?:before|after|first|then|followed|afterwards|later|next|finally)\b|[先才再前后]",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(r"\bfirst\b|先", re.IGNORECASE)
_THEN: Final = re.compile(
    r"\b(?:then|afterwards|later|subsequently|next|finally|follow)\b|然后|随后|才|再|最后|后(?=[切放推执跑删改])",
    re.IGNORECASE,
)
_HAN_BEFORE: Final = re.compile(r"之前|以前|(?<![目提])前(?![端缀台置者后面])")
_HAN_AFTER: Final = re.compile(r"之后|以后|(?<![最前])后(?![端缀台来者续面])")
_LIST: Final = re.compile(
    r"[\w.\-]+(?:(?:\s*[,、]\s*(?:and |or )?|\s+(?:and|or)\s+|\s*[和与或]\s*)[\w.\- ]{1,20}){2,}"
)
_LONGEST_ITEM: Final = 14
_HEAD: Final = re.compile(r"^.*(?:取值为?|[有为是含:：])")
_COUNTED: Final = re.compile(r"[一二两三四五六七八九十]?[种类个项]?$|等$")
_PART: Final = re.compile(r"\s*[,、]\s*(?:and |or )?|\s+(?:and|or)\s+|\s*[和与或]\s*")


def reversed_order(matching: Matching) -> float:
    """Whether what one puts first the other puts later, and the other way round."""
    if not all(_ANY.search(reading.text) for reading in (matching.one, matching.other)):
        return 0.0
    ranks_one, ranks_other = ranks(matching.one), ranks(matching.other)
    if not ranks_one or not ranks_other:
        return 0.0
    agree = 0.0
    against = {1: 0.0, 2: 0.0}
    keys = [[t.key for t in r.tokens] for r in (matching.one, matching.other)]
    for a, b in matching.pairs:
        if any(k.count(matching.one.tokens[a].key) > 1 for k in keys):
            continue
        here, there = ranks_one.get(a, 0), ranks_other.get(b, 0)
        if here and there:
            weight = matching.one.tokens[a].weight
            if here == there:
                agree += weight
            else:
                against[here] += weight
    both = all(against.values()) and sum(against.values()) > agree
    return 1.0 if both else 0.5 if sum(against.values()) > _TELLING and not agree else 0.0


def ranks(reading: Reading) -> dict[int, int]:
    """For each token that an order is told of: 1 for what comes first, 2 for what comes later."""
    found: dict[int, int] = {}
    text = reading.text
    spans = []
    for sentence in _SENTENCE.finditer(text):
        spans += _parts(sentence[0], sentence.start())
    for at, token in enumerate(reading.tokens):
        place = round(token.place * len(text))
        for start, end, rank in spans:
            if start <= place < end:
                found[at] = rank
    return found


def _parts(sentence: str, at: int) -> list[tuple[int, int, int]]:
    """The spans of a sentence with their ranks."""
    end = len(sentence)
    for mark, early in ((_BEFORE, 2), (_AFTER, 1)):
        if match := mark.search(sentence):
            late = 3 - early
            comma = _COMMA.search(sentence, match.end())
            stop = comma.start() if comma else end
            if not sentence[: match.start()].strip(" ,`"):
                cuts = [(match.end(), stop, early), (stop, end, late)]
            else:
                start = max(sentence.rfind(bound, 0, match.start()) for bound in (",", " and "))
                cuts = [(max(start, 0), match.start(), late), (match.end(), stop, early)]
            return [(at + a, at + b, rank) for a, b, rank in cuts]
    first = _FIRST.search(sentence)
    if match := _THEN.search(sentence, first.end() if first else 0):
        start = first.start() if first and first[0] == "先" else 0
        cut = match.start()
        if not sentence[match.end() :].strip(" ,.`") or not first:
            comma = _COMMA.search(sentence)
            cut = comma.start() if comma else cut
        return [(at + start, at + cut, 1), (at + cut, at + end, 2)]
    for mark, rank in ((_HAN_BEFORE, 2), (_HAN_AFTER, 1)):
        if match := mark.search(sentence):
            commas = [c.end() for c in _COMMA.finditer(sentence, 0, match.start())]
            start = commas[-1] if commas else 0
            return [(at + start, at + match.start(), rank), (at + match.end(), at + end, 3 - rank)]
    return []


def other_set(one: str, other: str) -> float:
    """Whether both list things, and either list has one that the other text doesn't name."""
    ours, theirs = listed(one), listed(other)
    if not ours or not theirs or not ours & theirs:
        return 0.0
    low_one, low_other = one.casefold(), other.casefold()
    mine = any(item not in low_other for item in ours)
    new = any(item not in low_one for item in theirs)
    return 1.0 if mine and new else 0.5 if mine or new else 0.0


def listed(text: str) -> frozenset[str]:
    """The longest list of three short things or more in a text.

    >>> sorted(listed("one of red, green or blue"))
    ['blue', 'green', 'red']
    """
    best: frozenset[str] = frozenset()
    if not ("," in text or "、" in text):
        return best
    for match in _LIST.finditer(text.replace("`", "").replace('"', "")):
        items = [item.strip() for item in _PART.split(match[0])]
        items = [item for item in items if item]
        if len(items) < 3:
            continue
        short = [items[0].split()[-1], *items[1:-1], items[-1].split()[0]]
        short = [_COUNTED.sub("", _HEAD.sub("", item)).casefold() for item in short]
        if all(item and len(item) <= _LONGEST_ITEM and len(item.split()) < 3 for item in short):
            found = frozenset(short)
            best = max(best, found, key=len)
    return best
