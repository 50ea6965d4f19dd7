"""How close a document is to what is asked: one measure for entries and skills.

BM25F (Robertson and Zaragoza 2009): what a term counts in each field is added up before it
saturates. The usual lengths are fixed, so that no document moves another. `benchmarks.retrieval`
measures what the constants reach.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

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
    plain, aside = _ASIDE.sub("\n", text), " ".join(_ASIDE.findall(text))
    whole = _weights(terms_of(plain), terms_of(aside))
    questions = (_weights(terms_of(question), ()) for question in questions_in(plain))
    return WeighedQuery(whole, tuple(filter(None, questions)) or (whole,))


def questions_in(text: str) -> list[str]:
    """The last sentences of a text that ask, at most four."""
    asking = [sentence for sentence in _SENTENCE.findall(text) if sentence.endswith(_ASKS)]
    return asking[-MOST_QUESTIONS:]


def _weights(plain: Iterable[str], aside: Iterable[str]) -> dict[str, float]:
    """What each term weighs: the more, the oftener it stands there, by the logarithm."""
    counts, quoted = Counter(plain), Counter(aside)
    weights = {}
    for term, count in (counts + quoted).items():
        weight = 1 + math.log(count)
        if term not in counts:
            weight *= ASIDE
        if len(term) == 2 and _PARTICLE.search(term):
            weight *= ASIDE
        weights[term] = weight
    return weights


SATURATION: Final = 4.0  # BM25's k1, for the weights below
MOST: Final = SATURATION + 1


class Field(Record):
    """A part of a document: what a term counts there, and how much a long one takes from it.

    `usual` is the length, in terms, at which nothing is taken.
    """

    weight: float
    length: float  # BM25's b
    usual: float


# Of a skill its name, its description, the beginning of its text; of an entry what it is about
# (problem or fact, tags, entities), and what is to be done about it.
NAME: Final = Field(4.0, 0.0, 3.0)
DESCRIPTION: Final = Field(4.0, 0.3, 40.0)
TEXT: Final = Field(1.0, 0.75, 470.0)
HEADLINE: Final = Field(3.3, 0.5, 43.0)  # name and description as one, which saturates sooner
SUBJECT: Final = Field(4.0, 0.4, 20.0)
APPROACH: Final = Field(1.0, 0.75, 30.0)

ONCE: Final = MOST / 2  # what an entry scores that has each term once in its subject
Occurrences = Iterable[tuple[Field, int, int]]  # of one term: how often, among so many


def closeness(occurrences: Occurrences) -> float:
    """What one term says for a document, 0 to 5, by how often it stands in each of its fields.

    >>> closeness([(NAME, 1, 3)]), closeness([(TEXT, 1, 470)]), closeness([])
    (2.5, 1.0, 0.0)
    """
    weighed = math.fsum(
        field.weight * count / (1 - field.length + field.length * length / field.usual)
        for field, count, length in occurrences
        if count
    )
    return MOST * weighed / (SATURATION + weighed)


def measure(
    question: WeighedQuery, rarities: Mapping[str, float]
) -> Callable[[Mapping[str, float]], float]:
    """What tells how close a document is (0 to 5) by what each term says for it.

    That is to the whole text, and to the question in it that the document answers best.
    `rarities` are how much a term tells, where it is known: the sum is a part of what could be, so
    that it means the same in a home of ten and of a million.

    >>> both = WeighedQuery({"lock": 1.0, "port": 1.0}, [{"lock": 1.0}, {"port": 1.0}])
    >>> measure(both, {"lock": 2.0, "port": 2.0})({"lock": 2.5})
    1.875
    """
    parts = []
    for weights in (question.whole, *question.questions):
        known = {term: rarities[term] * weights[term] for term in weights if term in rarities}
        total = math.fsum(known.values())
        parts.append({term: worth / total for term, worth in known.items()})

    def close(shares: Mapping[str, float]) -> float:
        whole, *answers = (
            math.fsum(part[term] * share for term, share in shares.items() if term in part)
            for part in parts
        )
        return (whole + max(answers)) / 2

    return close


# What a cosine weighs that is one usual spread of its model above the least; of the best score by
# words, which is 1. A skill's vector is of its description alone, its words are of all its text.
SHARE: Final = 0.2
SKILL_SHARE: Final = 0.06
LINKED: Final = 0.4  # of SHARE, what nearness to the best that was found weighs
_Key = TypeVar("_Key")


def of_best(scores: Mapping[_Key, float]) -> dict[_Key, float]:
    """Each score as a part of the best, which is above 0."""
    most = max(scores.values(), default=0.0)
    return {key: score / most for key, score in scores.items()} if most > 0 else {}


def raised(
    scores: Mapping[_Key, float], cosines: Mapping[_Key, float], weight: float
) -> dict[_Key, float]:
    """The sum of score and cosine of all that has either, best first.

    What has no vector yet counts as the farthest that has one.

    >>> raised({"a": 1.0, "b": 0.75}, {"b": 0.9, "c": 0.5}, weight=1.0)
    {'b': 1.15, 'a': 1.0, 'c': 0.0}
    """
    least = min(cosines.values(), default=0.0)
    both = {
        key: scores.get(key, 0.0) + weight * (cosines.get(key, least) - least)
        for key in {**scores, **cosines}
    }
    return dict(sorted(both.items(), key=lambda pair: -pair[1]))
