"""Whether a prompt is substantive enough to recall for: seed 002's rule, for every script."""

import re
from typing import Final

from learnt.core.tokens import UNSPACED
from learnt.core.words import SIGNS

LEAST_CHARACTERS: Final = 12
LEAST_WORDS: Final = 2
_WORD_CHARACTERS: Final = 4
_RUN = re.compile(rf"[{UNSPACED}]+")
# "/command", "@agent", "invoke x" and "use some-agent" already say who is to act.
_ADDRESSED = re.compile(rf"\s*(?:@|/|{SIGNS['addressed']})", re.IGNORECASE)


def should_recall(prompt: str) -> bool:
    """Whether to search for this prompt, and to count a miss if nothing is found.

    At least 12 characters and two words of four or more; a character of an unspaced script counts
    double, two of them a word.

    >>> should_recall("please restart"), should_recall("fix the auth bug")
    (True, False)
    >>> should_recall("use redis cluster well"), should_recall("use debug-detective please")
    (True, False)
    >>> should_recall("数据库连接池耗尽了怎么办")
    True
    """
    if _ADDRESSED.match(prompt):
        return False
    text = prompt.strip()
    unspaced = sum(len(run) for run in _RUN.findall(text))
    spaced = _RUN.sub(" ", text).split()
    count = sum(len(word) >= _WORD_CHARACTERS for word in spaced) + unspaced // 2
    return len(text) + unspaced >= LEAST_CHARACTERS and count >= LEAST_WORDS
