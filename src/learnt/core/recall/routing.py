"""Whether a prompt is worth a recall (seed 002's rule), and which topics it leads to."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from learnt.core.tokens import UNSPACED, names
from learnt.core.words import SIGNS

MOST_TOPICS: Final = 2
LEAST_CHARACTERS: Final = 12
LEAST_WORDS: Final = 2
_WORD_CHARACTERS: Final = 4
_RUN = re.compile(rf"[{UNSPACED}]+")
# "/command", "@agent", "invoke x" and "use some-agent" already say who is to act.
_ADDRESSED = re.compile(rf"\s*(?:@|/|{SIGNS['addressed']})", re.IGNORECASE)
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
    """
    owners = mentioned | {name.rpartition(".")[0] for name in mentioned}
    for entity in entities:
        name = entity.casefold().removesuffix("()")
        if name in owners or name.rpartition(".")[0] in mentioned:
            return True
        if _WORD.fullmatch(name) and name in prompt:
            return True
    return False


def of_two_topics(items: Sequence[tuple[str, T]]) -> list[T]:
    """The items in order, of the first two topics alone; those without a topic always stay.

    >>> of_two_topics([("a", 1), ("b", 2), ("c", 3), ("a", 4), ("", 5)])
    [1, 2, 4, 5]
    """
    topics: list[str] = []
    kept = []
    for topic, item in items:
        if topic and topic not in topics:
            if len(topics) == MOST_TOPICS:
                continue
            topics.append(topic)
        kept.append(item)
    return kept


def should_recall(prompt: str) -> bool:
    """Whether to search for this prompt, and to count a miss if nothing is found.

    At least 12 characters and two words of four or more; a character of an unspaced script counts
    double, two of them a word.

    >>> should_recall("please restart"), should_recall("fix the auth bug")
    (True, False)
    >>> should_recall("数据库连接池耗尽了怎么办")
    True
    """
    if _ADDRESSED.match(prompt):
        return False
    text = prompt.strip()
    unspaced = sum(len(run) for run in _RUN.findall(text))
    spaced = _RUN.sub(" ", text).split()
    count = sum(len(word) >= _WORD_CHARACTERS for word in spaced) + unspaced // 2
    return len(text) + unspaced >= LEAST_CHARACTERS and count >= LEAST_WORDS
