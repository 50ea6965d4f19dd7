"""Which way a prompt leads: to the facts about what it names, of two topics at most."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from learnt.core.tokens import UNSPACED, names

MOST_TOPICS: Final = 2
_WORD: Final = re.compile(rf"[{UNSPACED}]{{2,}}")

T = TypeVar("T")


def named_in(prompt: str) -> frozenset[str]:
    """The names that a prompt mentions, whatever their case, calls without their brackets.

    >>> sorted(named_in("Why is T_ROOM read by getRoom()?"))
    ['getroom', 't_room']
    """
    return frozenset(name.casefold().removesuffix("()") for name in names(prompt))


def leads_to(prompt: str, mentioned: frozenset[str], entities: Iterable[str]) -> bool:
    """Whether a prompt that mentions these names speaks of one of the entities.

    A name counts whole, with or without what it belongs to, on either side: a column leads to its
    table and a table to its columns. A word of an unspaced script counts where it stands.

    >>> leads_to("what does t_room.id hold", named_in("what does t_room.id hold"), ["T_ROOM"])
    True
    >>> leads_to("a room", named_in("a room"), ["t_room"])
    False
    """
    owners = mentioned | {name.rpartition(".")[0] for name in mentioned}
    for entity in entities:
        known = entity.casefold().removesuffix("()")
        if known in owners or known.rpartition(".")[0] in mentioned:
            return True
        if _WORD.fullmatch(known) and known in prompt:
            return True
    return False


def of_two_topics(found: Sequence[tuple[str, T]]) -> list[T]:
    """The items, each behind its topic, in their order: those of the first two topics alone.

    Items without a topic always stay.

    >>> of_two_topics([("a", 1), ("b", 2), ("c", 3), ("a", 4), ("", 5)])
    [1, 2, 4, 5]
    """
    topics: list[str] = []
    kept = []
    for topic, item in found:
        if topic and topic not in topics:
            if len(topics) == MOST_TOPICS:
                continue
            topics.append(topic)
        kept.append(item)
    return kept
