"""How likely a skill's next execution is to succeed, by its grades so far."""

from collections.abc import Iterable
from itertools import product
from typing import Final

EXPECTED: Final = 0.7  # success of a skill of which nothing is known yet
KEPT: Final = (1.0, 0.9, 0.7)  # what is left of an execution's weight when the next one comes
DOUBTS: Final = (1.0, 4.0)  # for how many executions the expectation counts
SHARED: Final = 0.05  # of the weight, given out anew each time: another memory may fit from now on


def forecast(grades: Iterable[float], expected: float = EXPECTED) -> float:
    """The probability of success, by six beta posteriors that differ in memory and doubt.

    Each says its own; the weight of its word is how well it foretold the grades so far (their log
    loss), so a skill that changes often is soon judged by its last runs and a steady one by all
    (Herbster & Warmuth, Machine Learning 32, 1998). `expected` is best what the library's other
    skills reach.

    >>> forecast([]), round(forecast([1] * 20), 2), round(forecast([1] * 20 + [0] * 3), 2)
    (0.7, 0.95, 0.53)
    """
    expected = min(max(expected, 0.01), 0.99)  # nothing is certain
    rules = list(product(KEPT, DOUBTS))
    weights = [1 / len(rules)] * len(rules)
    sums, counts = [0.0] * len(KEPT), [0.0] * len(KEPT)

    def said() -> list[float]:
        each = zip(sums, counts, strict=True)
        return [(s + doubt * expected) / (n + doubt) for (s, n), doubt in product(each, DOUBTS)]

    for grade in grades:
        weights = [
            weight * chance**grade * (1 - chance) ** (1 - grade)
            for weight, chance in zip(weights, said(), strict=True)
        ]
        whole = sum(weights)
        weights = [(1 - SHARED) * weight / whole + SHARED / len(rules) for weight in weights]
        sums = [kept * s + grade for kept, s in zip(KEPT, sums, strict=True)]
        counts = [kept * n + 1 for kept, n in zip(KEPT, counts, strict=True)]
    return sum(weight * chance for weight, chance in zip(weights, said(), strict=True))
