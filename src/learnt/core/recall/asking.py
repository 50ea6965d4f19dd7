"""Which words of a prompt are searched for, whether it is worth a recall, and its topics."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import Final, TypeVar

from learnt.core.records import Record
from learnt.core.tokens import UNSPACED, Stem, names, pieces
from learnt.core.words import SIGNS

MOST_TERMS: Final = 64  # of a prompt, the rest is repetition or paste
SHORT: Final = 800  # characters, of which all are searched for
END: Final = 300  # characters of a longer one's beginning, and of its end
LOOKED_AT: Final = 20_000  # characters at either end that are looked through for telling lines
MOST_LINES: Final = 4  # of questions, and of errors
LONGEST_LINE: Final = 300

_TROUBLE: Final = re.compile(rf"{SIGNS['trouble']}|✘|×", re.IGNORECASE)
_NO_TROUBLE: Final = re.compile(SIGNS["no trouble"])
_SURE: Final = re.compile(SIGNS["sure trouble"])

Word = tuple[str, ...]  # one word with its parts, as `tokens.pieces` gives them


class Sought(Record):
    """What is searched for: words by their stems; of these `pasted` weigh half."""

    words: tuple[Word, ...]
    pasted: frozenset[str] = frozenset()

    @property
    def terms(self) -> list[str]:
        """All parts of the words, each once."""
        return list(dict.fromkeys(chain.from_iterable(self.words)))


def sought(prompt: str, stem: Stem) -> Sought:
    """What a prompt is searched by.

    Of a long one its beginning, its end, its questions and the lines that name an error have the
    same share. What is not of its first or last line, nor a question, counts as pasted.

    >>> sought("why does createUser fail?", str).words
    (('createuser', 'create', 'user'), ('fail',))
    """
    if len(prompt) <= SHORT:
        return Sought(tuple(_bounded(_stems(prompt, stem))))
    beginning, end = prompt[:LOOKED_AT], prompt[-LOOKED_AT:]
    lines = list(dict.fromkeys([*beginning.strip().split("\n"), *end.strip().split("\n")]))
    questions = [line for line in lines if line.rstrip().endswith(("?", "？"))][-MOST_LINES:]
    parts = (
        _stems(prompt[:END], stem),
        _stems(prompt[-END:], stem)[::-1],  # its last words are the likeliest to be typed
        _stems(_cut(questions), stem),
        _stems(_cut(islice(chain(_naming(beginning), _naming(end)), MOST_LINES)), stem),
    )
    typed = _stems(f"{lines[0][:END]}\n{lines[-1][-END:]}\n{_cut(questions)}", stem)
    words = tuple(_bounded(chain.from_iterable(zip_longest(*parts, fillvalue=()))))
    return Sought(words, frozenset(chain.from_iterable(words)) - {*chain.from_iterable(typed)})


def _naming(text: str) -> Iterator[str]:
    """The lines that name a trouble: the last that does so surely first."""
    lines = [line for line in dict.fromkeys(text.split("\n")) if line.strip()]
    plain = [(line, _NO_TROUBLE.sub("", line)) for line in lines]
    yield from (line for line, bare in plain[::-1] if _SURE.search(bare))
    yield from (line for line, bare in plain if _TROUBLE.search(bare))


def _stems(text: str, stem: Stem) -> list[Word]:
    return [tuple(map(stem, word)) for word in pieces(text)]


def _cut(lines: Iterable[str]) -> str:
    return "\n".join(line[-LONGEST_LINE:] for line in lines)


def _bounded(words: Iterable[Word]) -> Iterator[Word]:
    terms: set[str] = set()
    for word in words:
        if len(terms.union(word)) > MOST_TERMS:
            return
        terms.update(word)
        if word:
            yield word


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
    """
    if _ADDRESSED.match(prompt):
        return False
    text = prompt.strip()
    unspaced = sum(len(run) for run in _RUN.findall(text))
    spaced = _RUN.sub(" ", text).split()
    count = sum(len(word) >= _WORD_CHARACTERS for word in spaced) + unspaced // 2
    return len(text) + unspaced >= LEAST_CHARACTERS and count >= LEAST_WORDS
