"""The signs by which talk is told apart: requests, rules, decisions, troubles, thanks."""

import re
from dataclasses import dataclass
from functools import cache

from learnt.core.digest.remark_words import chinese, english


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """A pattern for each sign, over all languages."""

    takes_up: re.Pattern[str]
    remember: re.Pattern[str]
    decided: re.Pattern[str]
    rule: re.Pattern[str]
    states: re.Pattern[str]
    asks: re.Pattern[str]
    task: re.Pattern[str]
    wish: re.Pattern[str]
    passing: re.Pattern[str]
    past: re.Pattern[str]
    taken_back: re.Pattern[str]
    agrees: re.Pattern[str]
    trouble: re.Pattern[str]
    cured: re.Pattern[str]
    thanks: re.Pattern[str]
    is_it_so: re.Pattern[str]


@cache
def signs() -> Signs:
    """Compiled when first asked for, which takes a while."""

    def of(name: str) -> re.Pattern[str]:
        found: list[str] = []
        for language in (english, chinese):
            patterns = getattr(language, name)
            found.extend([patterns] if isinstance(patterns, str) else patterns)
        return re.compile("|".join(f"(?:{one})" for one in found), re.IGNORECASE)

    taken = f"(?:{english.TAKES_UP}\\b|{chinese.TAKES_UP})"
    return Signs(
        takes_up=re.compile(rf"^\W*(?:{taken}[\s,.!，。！、~…;:]+)+", re.IGNORECASE),
        remember=of("REMEMBER"),
        decided=of("DECIDED"),
        rule=of("RULE"),
        states=of("STATES"),
        asks=of("ASKS"),
        task=of("TASK"),
        wish=re.compile(f"(?:{english.WISH})|{chinese.WISH}", re.IGNORECASE),
        passing=of("PASSING"),
        past=of("PAST"),
        taken_back=of("TAKEN_BACK"),
        agrees=of("AGREES"),
        trouble=of("TROUBLE"),
        cured=of("CURED"),
        thanks=of("THANKS"),
        is_it_so=of("IS_IT_SO"),
    )


def tells_of_trouble(text: str) -> bool:
    """Whether a text tells of something that does not work.

    >>> tells_of_trouble("the harbour sync dies"), tells_of_trouble("add a page")
    (True, False)
    """
    return signs().trouble.search(text) is not None


def tells_of_a_cure(text: str) -> bool:
    """Whether a reply says that it works now.

    >>> tells_of_a_cure("flicker gone!"), tells_of_a_cure("好了")
    (True, True)
    """
    return signs().cured.search(text[:80]) is not None


def thanks(text: str) -> bool:
    """Whether a reply thanks, or is content.

    >>> thanks("nice, now the footer"), thanks("still red")
    (True, False)
    """
    return signs().thanks.search(text[:80]) is not None


def asks_for_something(text: str) -> bool:
    """Whether a sentence asks, or tells what to do now.

    >>> asks_for_something("add a page"), asks_for_something("the page is blue")
    (True, False)
    """
    known = signs()
    return bool(
        known.asks.search(text)
        or known.wish.search(text)
        or known.task.match(known.takes_up.sub("", text))
    )


def asks_whether(text: str) -> bool:
    """Whether a sentence asks for a yes.

    >>> asks_whether("so CI signs them, is that right?"), asks_whether("why does it flicker")
    (True, False)
    """
    return signs().is_it_so.search(text) is not None
