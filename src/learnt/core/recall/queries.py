"""What is looked for: the terms of a text, each with its weight, for whatever is searched."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from learnt.core.records import Record
from learnt.core.words import SIGNS

END: Final = 10_000  # characters of a long text's beginning, and of its end, that are searched for
ASIDE: Final = 0.3  # what a term weighs that is only quoted, and a pair with a particle in it
MOST_QUESTIONS: Final = 4
# Code between fences, and long quotations: pasted text that says little of what is wanted.
_ASIDE: Final = re.compile(
    r'```.*?(?:```|\Z)|"[^"\n]{40,}"|“[^”\n]{40,}”|‘[^’\n]{40,}’|「[^」\n]{40,}」', re.DOTALL
)
_SENTENCE: Final = re.compile(r"[^.!?。！？؟\n]++[.!?。！？؟\n]?|[?？؟]")
_ASKS: Final = ("?", "？", "؟")
_PARTICLE: Final = re.compile(SIGNS["particles"])


class WeighedQuery(Record):
    """The weights of a text's terms, and of each question's in it alone (of the text's if none)."""

    whole: Mapping[str, float]
    questions: Sequence[Mapping[str, float]]


def weighed(text: str, terms_of: Callable[[str], Iterable[str]]) -> WeighedQuery:
    """What a text asks for, its terms as `terms_of` gives them, repeated as they repeat.

    >>> asked = "The pool is slow. Which pool? Which port?"
    >>> weighed(asked, lambda text: text.lower().split()).questions
    ({'which': 1.0, 'pool?': 1.0}, {'which': 1.0, 'port?': 1.0})
    """
    if len(text) > 2 * END:
        text = f"{text[:END]}\n{text[-END:]}"
    said, aside = _ASIDE.sub("\n", text), " ".join(_ASIDE.findall(text))
    whole = _weights(terms_of(said), terms_of(aside))
    questions = (_weights(terms_of(question), ()) for question in questions_in(said))
    return WeighedQuery(whole, tuple(filter(None, questions)) or (whole,))


def questions_in(text: str) -> list[str]:
    """The last sentences of a text that ask, at most four.

    >>> questions_in("The pool is slow. Which pool? Which port?")
    [' Which pool?', ' Which port?']
    """
    found = [sentence for sentence in _SENTENCE.findall(text) if sentence.endswith(_ASKS)]
    return found[-MOST_QUESTIONS:]


def _weights(said: Iterable[str], aside: Iterable[str]) -> dict[str, float]:
    """What each term weighs: the more, the oftener it stands there, by the logarithm."""
    counts, quoted = Counter(said), Counter(aside)
    weights = {}
    for term, count in (counts + quoted).items():
        weight = 1 + math.log(count)
        if term not in counts:
            weight *= ASIDE
        if len(term) == 2 and _PARTICLE.search(term):
            weight *= ASIDE
        weights[term] = weight
    return weights
