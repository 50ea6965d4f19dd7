"""The parts of things that a text names, as `whole.part`, and which it sets equal."""

import re
from typing import Final

_EQUAL: Final = re.compile(
    r"([A-Za-z_][\w$]{0,63}\.[\w$]{1,64})`? {0,3}={1,2} {0,3}`?"
    r"(?:[\w$]{1,64}\.(?=[\w$]{1,64}\.))?([A-Za-z_][\w$]{0,63}\.[\w$]+)"
)
_FILES: Final = frozenset(
    "py js ts rb go rs java kt php cs sql sh md txt csv json yml yaml html vue tsx jsx css xml"
    " models db sqlite log".split()
)


def parts_in(text: str, whole: str) -> set[str]:
    """The parts of a whole that a text names: `whole.part`, and no path, call or file.

    >>> sorted(parts_in("在film.rate列, film.title.text, Film.objects.all(), film.py", "film"))
    ['rate']
    """
    if whole.casefold() not in text.casefold():
        return set()
    own = rf"(?<![A-Za-z0-9_.])`?{re.escape(whole)}`?\.(?:`([^`\n]+)`|([A-Za-z0-9_$]+))"
    after = r"(?![A-Za-z0-9_$]|`?\(|`?\.`?\w)"
    parts = re.findall(own + after, text, re.IGNORECASE)
    return {(quoted or plain).casefold() for quoted, plain in parts} - _FILES


def set_equal(text: str) -> set[frozenset[str]]:
    """The parts of two wholes that a text sets equal.

    >>> set_equal("by `a.id = b.a_id` and c.x = 'y'") == {frozenset({"a.id", "b.a_id"})}
    True
    """
    pairs = {(left.casefold(), right.casefold()) for left, right in _EQUAL.findall(text)}
    return {frozenset(pair) for pair in pairs if len({part.partition(".")[0] for part in pair}) > 1}
