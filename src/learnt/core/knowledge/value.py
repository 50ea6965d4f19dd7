"""Whether a statement is worth anything to somebody who comes weeks later.

Rules count marks: what is bound to its hour, what a program printed, what is said to somebody,
what a glance at a name tells; and against them what speaks for worth: names, numbers, causes,
conditions. Their weights are fitted (`python -m benchmarks.worthless --fit`).
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

from learnt.core.knowledge.junk import WORTHLESS
from learnt.core.knowledge.value_words import (
    chinese,
    chinese_worth,
    english_address,
    english_time,
    english_worth,
)
from learnt.core.knowledge.value_words.names import surplus
from learnt.core.knowledge.value_words.patterns import Patterns
from learnt.core.knowledge.value_words.shapes import printed, terse
from learnt.core.knowledge.value_words.telling import told
from learnt.core.knowledge.value_words.textbook import MANNER, general, specific
from learnt.core.knowledge.value_words.weights import BIAS, WEIGHTS
from learnt.core.tokens import words

SORTS: Final = tuple(WORTHLESS)[1:]
LONGEST: Final = 1_000

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_QUOTED: Final = re.compile(
    r"`[^`\n]{1,120}`|\"[^\"\n]{1,160}\"|“[^”\n]{1,160}”|「[^」\n]{1,160}」"
)
_WIDE: Final = str.maketrans("，；：！？（）’‘", ",;:!?()''")
_NUMBER: Final = re.compile(r"\d")


@cache
def _english() -> Patterns:
    """Read where it is first asked for: whoever remembers nothing needn't wait for it."""
    strong = {
        "session": english_time.SESSION,
        "transient": english_time.TRANSIENT,
        "plan": english_time.PLAN,
        "speculation": english_time.GUESS,
        "instruction": english_address.INSTRUCTION,
        "praise": english_address.CHIT_CHAT,
        "vague": english_worth.VAGUE,
        "obvious": english_worth.OBVIOUS,
    }
    hints = {
        "session": english_time.SESSION_HINTS,
        "transient": english_time.TRANSIENT_HINTS,
        "plan": english_time.PLAN_HINTS,
        "speculation": english_time.GUESS_HINTS,
        "vague": (*english_worth.VAGUE_HINTS, *english_worth.VAGUE_MORE),
        "instruction": english_address.INSTRUCTION_HINTS,
        "praise": english_address.CHIT_CHAT_HINTS,
        "obvious": english_worth.OBVIOUS_HINTS,
        "general": english_worth.GENERAL_HINTS,
    }
    return _named(strong, hints, english_worth.SPEAKS)


@cache
def _chinese() -> Patterns:
    return _named(chinese.STRONG, chinese.HINTS, chinese_worth.SPEAKS)


Listed = Mapping[str, Iterable[str]]


def _named(strong: Listed, hints: Listed, speaks: Listed) -> Patterns:
    """Patterns by mark: a sort's own, its hints after a tilde, what speaks for worth after +."""
    kinds = (("", strong), ("~", hints), ("+", speaks), ("", MANNER))
    return Patterns({mark + name: some for mark, kind in kinds for name, some in kind.items()})


def marks(text: str) -> dict[str, float]:
    """What is counted in a statement, by name: the marks of each sort, and those of worth.

    >>> sorted(marks("`t_room` is a table").keys() & {"+named", "+quoted", "plan"})
    ['+named', '+quoted']
    """
    text = text[:LONGEST].strip()
    plain = _QUOTED.sub("□", text.translate(_WIDE))
    found: dict[str, float] = {}
    han = len(_HAN.findall(plain))
    if 4 * han < len(plain):
        _count(found, plain, _english())
    if han:
        _count(found, plain, _chinese())
    found["output"] = printed(text)
    manner = {name: found.pop(name, 0.0) for name in MANNER}
    own = len(specific(text))
    found["general"], wide = general(text, manner, own)
    found["general wide"] = wide
    found["general told"] = wide * min(1, found.get("~general", 0.0))
    found["output terse"] = terse(text)
    untold = surplus(text)
    if untold is not None:
        found["obvious="] = max(0.0, 1 - 4 * untold)
        found["obvious<"] = max(0.0, 1 - 2 * untold)
    found["+named"] = float(min(3, own))
    found["+digits"] = float(min(3, len(_NUMBER.findall(plain))))
    found["+quoted"] = float("□" in plain)
    spoken = {name for name, value in found.items() if value and name.startswith("+")}
    found["bare"] = float(not spoken)
    vague = max(0.0, found.get("~vague", 0.0) - 1)
    found["vague bare"] = vague * (not spoken & {"+named", "+digits", "+quoted"})
    found["vague unsaid"] = vague * (not spoken - {"+named", "+condition", "+contrast"})
    found |= weighed_words(told(text))
    return {name: value for name, value in found.items() if value}


def weighed_words(weight: float) -> dict[str, float]:
    """The mark that single words give, by its sign: a name with + for worth.

    >>> weighed_words(-0.5)
    {'words': 0.0, '+words': 0.5}
    """
    return {"words": max(0.0, weight), "+words": max(0.0, -weight)}


def _count(found: dict[str, float], text: str, patterns: Patterns) -> None:
    for name, hits in patterns.count(text, 3).items():
        most = {"~": 3, "+": 1}.get(name[0], 2)
        found[name] = float(min(found.get(name, 0) + hits, most))


def score(found: Mapping[str, float]) -> tuple[float, str]:
    """How far marks speak against a statement, worthless above 0, and for which sort.

    >>> score({"plan": 1.0, "~plan": 2.0})[1]
    'plan'
    """
    total = BIAS
    sorts = dict.fromkeys(SORTS, 0.0)
    for name, value in found.items():
        weighed = WEIGHTS.get(name, 0.0) * value
        total += weighed
        sort = name.split(" ")[0].strip("~=<")
        if sort in sorts:
            sorts[sort] += weighed
        elif name == "bare":
            sorts["vague"] += weighed
    # A textbook's words are in any sort of junk: what says more of it names the sort.
    if any(name in found for name in SORTS if name != "general"):
        sorts["general"] /= 2
    told = max(sorts, key=sorts.__getitem__)
    return total, told if sorts[told] > 0 else "vague"


def worthless(text: str, margin: float = 0.0) -> str:
    """Why a statement is worth nothing: a name in WORTHLESS; empty where it is worth keeping.

    `margin` is how far its marks may speak against it: VOUCHED for what somebody vouches for.

    >>> worthless("the"), worthless("orders.status is one of NEW, PAID, SHIPPED")
    ('says-nothing', '')
    """
    text = text[:LONGEST].strip()
    # A long text is looked into at its beginning: its words are many, and two are enough.
    if len(words(text[:80])) < 2 and len(words(text)) < 2:
        return "says-nothing"
    total, sort = _weighed(text)
    return sort if total > margin else ""


@lru_cache(maxsize=256)
def _weighed(text: str) -> tuple[float, str]:
    return score(marks(text))
