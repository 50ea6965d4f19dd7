"""What the structure of a conversation adds to the words of a turn: its neighbours, its session.

An answer often repeats no word of the question before it. `benchmarks/conversations.py` measures
what the constants bring.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from learnt.core.recall.dates import Days, touches
from learnt.core.recall.ranking import LENGTH, SATURATION

NEIGHBOURS: Final = 0.3  # of a turn's score goes to each turn beside it,
FADES: Final = 0.5  # and this part of that to each one further on,
REACH: Final = 4  # so far
ANSWERS: Final = 0.6  # of a question's score goes to the turn behind it
SESSION: Final = 0.2  # what the session adds that is most about it
DATED: Final = 0.2  # what a session adds of a time that the question names
TYPICAL: Final = 20  # terms of a turn
SPREAD: Final = 1.2  # turns with a term, of a session of usual length, that make it half about it
SCALE: Final = (1 + SATURATION) / 255  # of an impact
QUESTION: Final = ("?", "\uff1f", "\u061f")  # at its end


@dataclass(frozen=True, slots=True)
class HitSession:
    """A session that shares terms with a question.

    `asks` has a byte for each turn: 1 where it ends in a question. `own` is the score of turns by
    the words in them, `holding` the worth of each term and how many turns it stands in.
    """

    asks: bytes
    time: Days
    own: dict[int, float] = field(default_factory=dict)
    holding: list[tuple[float, int]] = field(default_factory=list)


def impact(count: int, length: int) -> int:
    """What a term counts for, 1 to 255, that stands so often in a turn of so many terms.

    >>> impact(1, 20), impact(2, 20), impact(1, 2000)
    (134, 176, 7)
    """
    damping = SATURATION * (1 - LENGTH + LENGTH * length / TYPICAL)
    return max(1, round(255 * count / (count + damping)))


def priors(
    hit: Mapping[int, HitSession], usual: float, asked: Collection[Days]
) -> dict[int, float]:
    """What each session adds to its turns; `usual` are the turns of one on average."""
    about = {}
    for key, session in hit.items():
        room = SPREAD * (1 + len(session.asks) / usual) / 2
        about[key] = sum(worth * count / (count + room) for worth, count in session.holding)
    most = max(about.values(), default=0.0) or 1.0  # none has a word of it
    return {
        key: SESSION * about[key] / most + DATED * touches(session.time, asked)
        for key, session in hit.items()
    }


def score(session: HitSession, number: int) -> float:
    """The score of a turn, with what its neighbours and a question before it give.

    >>> hit = HitSession(b"\\1\\0\\0", (0, 0), own={0: 1})
    >>> [round(score(hit, number), 2) for number in range(3)]
    [1.0, 0.9, 0.15]
    """
    own, share = session.own.get, NEIGHBOURS
    total = own(number, 0.0)
    for far in range(1, REACH + 1):
        total += share * (own(number - far, 0.0) + own(number + far, 0.0))
        share *= FADES
    if number and session.asks[number - 1]:
        total += ANSWERS * own(number - 1, 0.0)
    return total
