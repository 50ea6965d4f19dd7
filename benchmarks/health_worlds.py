"""Simulated skills whose success drops, and the best that can be done about it: for `health.py`.

Nothing here knows how Learnt decides. What watches a skill comes in as a callable that is given one
grade after another and says of each whether it raises an alarm; after an alarm it goes on.
"""

import math
import random  # noqa: TID251  # seeded: the same worlds in every run
from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median

Watch = Callable[[float], bool]
CELLS = 200  # of the lattice that an oracle's score is put on


def life(rate: float, seed: str) -> Iterator[float]:
    """A skill's grades without end, 1 or 0, at one rate."""
    chance = random.Random(seed).random
    while True:
        yield 1.0 if chance() < rate else 0.0


def false_alarms(
    watches: Callable[[], Watch], rate: float, taught: int, skills: int, seed: int
) -> float:
    """Alarms in 1,000 executions of skills that stay as they are, after they were taught."""
    alarms = 0
    for skill in range(skills):
        saw, grades = watches(), life(rate, f"{seed} steady {rate} {skill}")
        for _ in range(taught):
            saw(next(grades))
        alarms += sum(map(saw, islice(grades, 1_000)))
    return alarms / skills


def delay(
    watches: Callable[[], Watch], drop: tuple[float, float], taught: int, skills: int, seed: int
) -> float:
    """The median of executions from a drop to its alarm; it comes as soon as a skill is taught.

    That is the worst moment: the score of what watches is at its lowest.
    """
    found: list[int] = []
    for skill in range(skills):
        saw = watches()
        healthy, dropped = (life(rate, f"{seed} {drop} {rate} {skill}") for rate in drop)
        for _ in range(taught):
            saw(next(healthy))
        took = (count for count, grade in enumerate(dropped, start=1) if saw(grade))
        found.append(next(took))
    return median(found)


def oracle(before: float, after: float) -> Callable[[], Watch]:
    """A CUSUM that knows both rates, with one false alarm in 1,000 executions."""
    failure, success = math.log((1 - after) / (1 - before)), math.log(after / before)
    low, high = 0.1, 20.0
    while high - low > 0.005:
        middle = (low + high) / 2
        if run_length(before, failure, success, middle) < 1_000:
            low = middle
        else:
            high = middle

    def watch() -> Watch:
        score = 0.0

        def saw(grade: float) -> bool:
            nonlocal score
            score = max(0.0, score if score < high else 0.0) + (success if grade else failure)
            return score >= high

        return saw

    return watch


def run_length(rate: float, failure: float, success: float, limit: float) -> float:
    """Executions to a CUSUM's false alarm: those of a cycle by the chance of an alarm in it.

    A cycle begins at 0 and ends there or at the limit. A step between two cells of the
    lattice is shared by both.
    """
    cell = limit / CELLS
    steps = [
        (chance * share, int(whole) + more)
        for chance, step in ((1 - rate, failure), (rate, success))
        for whole in (math.floor(step / cell),)
        for more, share in ((1, step / cell - whole), (0, 1 - step / cell + whole))
    ]
    mass, took, over = {0: 1.0}, 0.0, 0.0
    while (held := sum(mass.values())) > 1e-9:
        took += held
        moved: dict[int, float] = {}
        for place, part in mass.items():
            for chance, step in steps:
                if place + step >= CELLS:
                    over += part * chance
                elif place + step > 0:
                    moved[place + step] = moved.get(place + step, 0.0) + part * chance
        mass = moved
    return took / over if over else math.inf
