"""What is asked and offered in an investigation, written down beforehand: `tools/investigation`."""

from dataclasses import dataclass
from typing import Literal

Expected = Literal["in", "known", "right", "out"]
TOOL, AGENT, USER = "tool", "agent", "user"


@dataclass(frozen=True, slots=True)
class Said:
    """Something offered: its kind, its words, who vouches for it, and the steps that led to it.

    A `tool` vouches by the call of the last of these steps, or of the task's last. `expected` is
    what the script's author would have decided, by hand and beforehand.
    """

    kind: str
    text: str
    by: str = AGENT
    led: tuple[int, ...] = ()
    about: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    expected: Expected = "out"


@dataclass(frozen=True, slots=True)
class Task:
    """A question, the statements that answer it, and what is offered afterwards.

    `holds` is what an answer must say where it is given from knowledge alone.
    """

    asked: str
    steps: tuple[str, ...]
    offers: tuple[Said, ...]
    holds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """What is asked on one day; `orders` are the owner's beforehand, `business` what they do."""

    day: int
    tasks: tuple[Task, ...]
    business: str = ""
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """An investigation: the database's name, what it is in words, the rounds, the day after."""

    name: str
    what: str
    rounds: tuple[Round, ...]
    last_day: int
