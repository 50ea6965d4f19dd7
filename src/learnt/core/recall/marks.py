"""Marks: by what an entry is found where its words are not typed: a failure's lines, a file's name.

A mark is a hash. Of an error's line it is the hash of what tells this error from others: its words
and names, without paths, numbers, times and addresses, which differ the next time.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from learnt.core.digest.bare import DIAGNOSIS
from learnt.core.words import SIGNS, STOP_WORDS

BEGINNING: Final = 4_000  # characters of a result that are looked at, and so many of its end
END: Final = 12_000
LONGEST_LINE: Final = 400
REMEMBERED: Final = 256  # lines: each is asked for several times
MOST_LINES: Final = 20  # that name an error, of the first and as many of the last
BEHIND: Final = 3  # lines behind one that tells little
MOST_FLAGS: Final = 3  # in a message
MOST_PARTS: Final = 8  # of a line
MOST_MARKS: Final = 200  # of one text
MOST_KEPT: Final = 8  # lines
# What a word tells: one that errors are told in, another, a file's name, or quoted, any name.
TOLD, PLAIN, PLACE, FILE, NAMED = 2, 4, 5, 6, 8
# What a line, or its end, must tell; what another part of it must with a name, what its beginning.
ENOUGH, PART_TELLS, MUCH = 8, 14, 16
MOST_TOLD: Final = 24  # by one line: more words make it no more telling
SHARE: Final = 0.3  # of what the most telling line tells: a line that tells less is not kept

_NOISE: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|^\s*Exit code \d+\s*$", re.MULTILINE)
_TROUBLE: Final = re.compile(
    rf"(?<![A-Za-z-])(?i:{SIGNS['trouble']}|(?:{SIGNS['naming']})(?![\w-]))|{SIGNS['sure trouble']}"
)
_NO_TROUBLE: Final = re.compile(SIGNS["no trouble"])
_CLOSING: Final = re.compile(SIGNS["closing"], re.IGNORECASE)
# A place in a file; of what else looks like a path the last part stays.
_PLACE: Final = re.compile(
    r"(?<![^\s:()'\"`,;=])(?:[A-Za-z]:)?[^\s:()'\"`,;=]++"
    r"(?:(?::\d++){1,2}(?:-\d++)?|\(\d++(?:,\d++)?\)|:\[\d++,\d++\])(?=[\s:,)\]'\"]|$):?"
)
# What stands before the last of these is where the error came from.
_LEVELLED: Final = re.compile(SIGNS["levelled"], re.IGNORECASE)
_LEADS: Final = re.compile(r"\s\w{2,4}(?=\s+(?:['\"`‘][\w.@~+-]*/|[.~]{0,2}/))")  # at, from
_FOLDERS: Final = re.compile(
    r"(?<![\w@.+~%$:/\\-])(?:\w++://|[A-Za-z]:\\)?(?:[\w@.+~%$:-]*+[/\\])++"
)
_CHANGING: Final = re.compile(
    r"\b0x[0-9a-f]+\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b"
    r"|\b[\w.]+(?:-\w+)*-(?=[a-z]*\d)\w{4,}\b(?:-\w+)*|\b[\w-]*[A-Za-z][-_]\d+\b(?![.:-])|(?<!\w)\d[\d.,:_TZ-]*(?:[a-zA-Z%µ]{1,3}\b)?",
    re.IGNORECASE,
)
_WORD: Final = re.compile(
    r"['\"`‘“<](?P<quoted>[^\s'\"`‘’“”<>]+)['\"`’”>]"
    r"|(?P<word>/?(?:(?<![\w-])--?(?=\w\w))?[^\W\d_][\w$]*(?:(?:::|->|[.-])[\w$]+)*|_\w+)"
)
_CODE: Final = re.compile(r"^-|\d|\w[_.:$>-]+\w|[a-z][A-Z]|^[A-Z]{3,}$")
_PARTS: Final = re.compile(r"[:;.,]\s+|\s[-–—»›→>|]\s|\s[(\[]|[)\]](?:\s|$)")
_LEVEL: Final = re.compile(SIGNS["levels"])
_FILE: Final = re.compile(r"[\w.-]+\.[a-z]{1,6}")
# What names a class of errors, and no single one.
_CLASS: Final = re.compile(r"(?:\w+[.:]+)*\w+(?:error|exception|panic)|[a-z]{1,6}\d{2,6}")


def of_name(name: str) -> str:
    """The mark of a file, by its path from the project's root, or of a thing, by its name.

    >>> of_name("src/a.py") == of_name("src/A.py"), len(of_name("orders"))
    (True, 16)
    """
    return _mark("name", name.casefold())


def of_error(text: str) -> Mapping[str, int]:
    """The marks of a failed call's result, or of a text that quotes one; how much each tells.

    >>> one = of_error("a/b.py:3: ModuleNotFoundError: No module named 'x'\\n1 failed in 0.2s")
    >>> two = of_error("E   ModuleNotFoundError: No module named 'x'")
    >>> other = of_error("E   ModuleNotFoundError: No module named 'y'")
    >>> bool(one.keys() & two.keys()), bool(one.keys() & other.keys())
    (True, False)
    """
    every = dict(pair for line in naming(text) for pair in keys_of(line))
    return {_mark("error", key): every[key] for key in list(every)[:MOST_MARKS]}


def naming(text: str) -> list[str]:
    """The lines of a text that name an error, in order; where none does, all that may."""
    if len(text) > BEGINNING + END:
        text = f"{text[:BEGINNING]}\n{text[-END:]}"
    lines = list(dict.fromkeys(x[:LONGEST_LINE].strip() for x in _clean(text).splitlines()))
    at = [n for n, line in enumerate(lines) if _TROUBLE.search(_NO_TROUBLE.sub("", line))]
    ends = at if len(at) <= 2 * MOST_LINES else [*at[:MOST_LINES], *at[-MOST_LINES:]]
    # What a line that tells little speaks of, the next ones often say.
    told = dict[int, None]()
    for n in ends:
        full = not lines[n].endswith(":") and keys_of(lines[n])
        told |= dict.fromkeys([n] if full else range(n + lines[n].endswith(":"), n + 1 + BEHIND))
    some = (lines[n] for n in told if n < len(lines))
    sure = list(filter(_tells, some))
    if any(map(keys_of, sure)):
        return sure
    rest = list(filter(_tells, lines))
    return [*rest[:MOST_LINES], *rest[MOST_LINES:][-MOST_LINES:]]


def _tells(line: str) -> bool:
    """Whether a line may name an error: it sums nothing up, and is no command with its flags."""
    return bool(line) and not _CLOSING.search(line) and line.count(" -") <= MOST_FLAGS


def _clean(text: str) -> str:
    """A result without signs that only move a cursor or colour, and without its exit code."""
    return _NOISE.sub("", text)


@lru_cache(maxsize=REMEMBERED)
def keys_of(line: str) -> tuple[tuple[str, int], ...]:
    """What tells the error of a line from others, whole and by its parts; how much each tells.

    >>> keys_of("src/a.ts(3,5): error TS2304: Cannot find name 'Box'.")
    (('cannot find name box', 14),)
    >>> keys_of("Error: 3 of 12 failed")
    ()
    """
    told = line[max((match.end() for match in _LEVELLED.finditer(line)), default=0) :]
    return _keys(told if sum(_words(_lasting(told)).values()) >= ENOUGH else line)


def _keys(line: str) -> tuple[tuple[str, int], ...]:
    parts = [part for part in map(_words, _PARTS.split(_lasting(line))) if part][:MOST_PARTS]
    # One word alone is a label.
    names = [len(part) > 1 and bool({NAMED, FILE} & {*part.values()}) for part in parts]
    ends = len(parts)
    while ends > 1 and {*parts[ends - 1].values()} <= {0, PLACE, FILE}:
        ends -= 1  # what follows is where it was met
    found: dict[str, int] = {}
    for first in range(ends):
        for last in range(first, len(parts)):
            words = {
                word: tells for part in parts[first : last + 1] for word, tells in part.items()
            }
            tells, to_end = sum(words.values()), last >= ends - 1
            whole = to_end and not first
            named = bool({NAMED, FILE} & {*words.values()}) and not any(names[last + 1 :])
            # Where the names stand in another part, they are what tells it from others.
            begins = not any(len(part) > 1 for part in parts[:first])
            fit = named or (to_end and not any(names[:ends])) or whole
            fit = fit or (begins and tells >= MUCH)
            if fit and tells >= (ENOUGH if to_end else PART_TELLS) and (len(words) > 1 or whole):
                found.setdefault(" ".join(words), min(MOST_TOLD, tells))
    line_words = _words(_lasting(line))
    classes = [at for at, word in enumerate(line_words) if _CLASS.fullmatch(word)]
    behind = dict(list(line_words.items())[classes[-1] :]) if classes else {}
    if sum(behind.values()) >= ENOUGH and ends == len(parts):
        found.setdefault(" ".join(behind), min(MOST_TOLD, sum(behind.values())))
    placeless = [word for word, tells in line_words.items() if tells != PLACE]
    if sum(line_words[word] for word in placeless) >= PART_TELLS:
        found.setdefault(" ".join(placeless), MOST_TOLD)
    return tuple(found.items())


def quoted(error: str, text: str) -> int:
    """How much that line of an error tells whose words all stand in a text; 0 where none does.

    >>> quoted("a.py:3: ImportError: No module named 'attrs'", "CI says: no module named attrs")
    12
    """
    there = _words(_lasting(text)).keys()
    told = (key for line in naming(error) for key in keys_of(line))
    return max((tells for key, tells in told if there >= {*key.split()}), default=0)


def _lasting(text: str) -> str:
    """A text without what differs the next time."""
    return _CHANGING.sub(" ", _FOLDERS.sub("/", _LEADS.sub(": ", _PLACE.sub(" ", text))))


def _words(text: str) -> dict[str, int]:
    """The words of a part of a line, and how much each tells."""
    found: dict[str, int] = {}
    for match in _WORD.finditer(text):
        word, quoted = match["quoted"] or match["word"], match["quoted"] is not None
        low = word.casefold().lstrip("/")
        if quoted or (len(low) > 1 and not _LEVEL.fullmatch(low)):
            found[low] = _worth(word, low, quoted=quoted)
    return found


def _worth(word: str, low: str, *, quoted: bool) -> int:
    if word.startswith("/") or _FILE.fullmatch(word):
        return FILE if quoted else PLACE
    if low in STOP_WORDS:
        return 0
    if low in DIAGNOSIS or _CLASS.fullmatch(low):
        return TOLD
    return NAMED if quoted or _CODE.search(word) else PLAIN


def _mark(kind: str, text: str) -> str:
    return blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def lines_kept(results: Iterable[str], passed: str) -> tuple[str, ...]:
    """The naming lines of failed calls, of each error one; what a call that passed says is none."""
    fine = {key for line in naming(passed) for key, _ in keys_of(line)}
    lines: dict[str, tuple[str, int]] = {}
    for line in (line for result in results for line in naming(result)):
        keys = [(key, tells) for key, tells in keys_of(line) if key not in fine]
        if keys:
            lines.setdefault(keys[0][0], (line, max(tells for _, tells in keys)))
    most = max((tells for _, tells in lines.values()), default=0)
    return tuple(line for line, tells in lines.values() if tells >= SHARE * most)[:MOST_KEPT]
