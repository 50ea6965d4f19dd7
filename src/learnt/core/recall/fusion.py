"""Closeness by words and by meaning as one score, the same in a home of five and of a million.

The scores are added. Ranks are never mixed: the weaker list would pull the stronger one down.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

# What a cosine weighs that is one usual spread of its model above the least; of the best score by
# words, which is 1. A skill's vector is of its description alone, its words are of all its text.
SHARE: Final = 0.2
SKILL_SHARE: Final = 0.06
LINKED: Final = 0.4  # of SHARE, what nearness to the best that was found weighs
_Key = TypeVar("_Key")


def of_best(scores: Mapping[_Key, float]) -> dict[_Key, float]:
    """Each score as a part of the best, which is above 0.

    >>> of_best({"a": 8.0, "b": 6.0})
    {'a': 1.0, 'b': 0.75}
    """
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
