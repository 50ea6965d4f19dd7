"""Which words of a prompt are searched for: of a long one not the first alone."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Final

from learnt.core.tokens import Stem, pieces
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


@dataclass(frozen=True, slots=True)
class Sought:
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
    yield from (line for line, told in plain[::-1] if _SURE.search(told))
    yield from (line for line, told in plain if _TROUBLE.search(told))


def _stems(text: str, stem: Stem) -> list[Word]:
    return [tuple(map(stem, word)) for word in pieces(text)]


def _cut(lines: Iterable[str]) -> str:
    return "\n".join(line[-LONGEST_LINE:] for line in lines)


def _bounded(words: Iterable[Word]) -> Iterator[Word]:
    seen: set[str] = set()
    for word in words:
        if len(seen.union(word)) > MOST_TERMS:
            return
        seen.update(word)
        if word:
            yield word
