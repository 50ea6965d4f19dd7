"""A quote is whole sentences of a prompt, or items of its lists, as they were typed."""

import re
from typing import Final

LONGEST_QUOTE: Final = 4_000  # characters
LEAST_QUOTED: Final = 4  # letters and digits
_ABBREVIATED: Final = r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bapprox\.)(?<!\bcf\.)"
_ITEM: Final = r"[ \t]*(?:[-*+•‣–][ \t]|\d{1,3}[.)、]|[a-zA-Z][.)][ \t])[ \t]*"
_MORE: Final = rf"(?:(?!{_ITEM})[ \t]*\S[^\n]*(?:\n|\Z))*"  # lines that go on with an item
# Where a sentence or an item may begin. The end of a line alone ends none: a "never" may stand
# before it.
_BEGINS: Final = re.compile(
    rf"(?<=[.!?…]){_ABBREVIATED}\s+(?=\S)|(?<=[。！？])\s*|\n[ \t]*\n\s*|\n(?={_ITEM})",
    re.IGNORECASE,
)
_MARK: Final = re.compile(_ITEM)
# The line that leads in a list, and the items behind it up to the end of a text.
_LEAD_IN: Final = re.compile(
    rf"^(?:[^\n]*[:：][ \t]*\n\s*|(?!{_ITEM})[^\n]*\S[ \t]*\n)"
    rf"(?=(?:{_ITEM}[^\n]*\n{_MORE}\s*)*\Z)",
    re.MULTILINE,
)
_ITEMS: Final = re.compile(rf"(?:{_ITEM}[^\n]*(?:\n|\Z){_MORE})+")


def widened(quote: str, own: str) -> str:
    """The whole sentences or items of a person's own text that a quote is of; empty for none.

    White space counts for nothing.

    >>> widened("push to main", "Please note. We never push to main. Thanks")
    'We never push to main.'
    """
    match = re.search(r"\s+".join(map(re.escape, quote.split())), own)
    if match is None or sum(map(str.isalnum, quote)) < LEAST_QUOTED:
        return ""
    breaks = [
        (each.start(), each.end())
        for each in _BEGINS.finditer(own)  # the point of an item's number ends no sentence
        if not _MARK.fullmatch(own[own.rfind("\n", 0, each.start()) + 1 : each.end()])
    ]
    start = max((end for _, end in breaks if end <= match.start()), default=0)
    end = min((start for start, _ in breaks if start >= match.end()), default=len(own))
    if _MARK.match(own[start:]) and (lead := _LEAD_IN.search(own[:start])):
        rest = _ITEMS.match(own, lead.end())
        end = max(end, rest.end() if rest else end)
        return own[lead.start() : end].strip()  # its heading may say "not"
    text = own[start:end].strip()
    item = _MARK.match(text)
    return text[item.end() :].strip() if item and "\n" not in text else text
