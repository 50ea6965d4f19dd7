"""Marks: by what an entry is found where its words are not typed: a failure's lines, a file's name.

A mark is a hash. Of an error's line it is the hash of what tells this error from others: its names
with the words before them, and where a line has no name, its words. "No module named 'a'" and "No
module named 'b'" read alike and are cured otherwise: so the names decide.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Final

from learnt.core.digest.bare import DIAGNOSIS
from learnt.core.records import Record
from learnt.core.words import SIGNS, STOP_WORDS

BEGINNING: Final = 4_000  # characters of a result that are looked at, and so many of its end
END: Final = 12_000
LONGEST_LINE: Final = 400
REMEMBERED: Final = 256  # lines: each is asked for several times
MOST_LINES: Final = 20  # that name an error, of the first and as many of the last
BEHIND: Final = 3  # lines behind one that tells little
MOST_JOINED: Final = 8  # messages in a line
MOST_MARKS: Final = 200  # of one text
MOST_KEPT: Final = 8  # lines
SHARED: Final = "\n"  # begins the sign of words that a failure and its cure share; no line does
MOST_OTHERS: Final = 3  # names by which a line tells a cure's failure from this one
BEHIND_IT: Final = 2  # words of the part that follows a name
BESIDE: Final = 3  # words before a name, or behind it where there are none before
# What sort of name a part of a line has: none, a file's, what is written like one; and what is
# quoted, a host, a port or an address.
NONE, FILE, WRITTEN, QUOTED = 0, 1, 2, 3
# What a word tells: one that errors are told in, another, a name.
TOLD, PLAIN, NAME = 2, 4, 8
ENOUGH: Final = 8  # what a line, or a part of one, must tell
MOST_TOLD: Final = 24  # by one part: more words make it no more telling
SHARE: Final = 0.3  # of what the most telling line tells: a line that tells less is not kept

# What only moves a cursor or colours, and the exit code.
_NOISE: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|^\s*Exit code \d+\s*$", re.MULTILINE)
_TROUBLE: Final = re.compile(
    rf"(?<![A-Za-z-])(?i:{SIGNS['trouble']}|(?:{SIGNS['naming']})(?![\w-]))|{SIGNS['sure trouble']}"
)
_CLOSING: Final = re.compile(SIGNS["closing"], re.IGNORECASE)
_LEVEL: Final = re.compile(SIGNS["levels"])
_MET: Final = re.compile(rf"(?:\b(?:{SIGNS['leads']})\s*|\()$")
# In this order: an address, a host with its port, a place in a file, a path, what is quoted, a
# port, what differs each time, where messages are joined, a word.
_TOKEN: Final = re.compile(
    r"\w++://(?:[^\s/@'\"]{1,99}@)?(?P<url>[^\s'\"`<>)\],]+)"
    r"|(?<![\w./-])(?P<host>(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]+\.)+(?:com|org|net|[a-z]{5,})"
    r"|::|[a-z][a-z\d-]*(?=:\d{4})):\d{2,5})(?![\w.]|:\d)"
    r"|(?P<place>(?<![^\s:()'\"`,;=])(?:[A-Za-z]:)?[^\s:()'\"`,;=]++"
    r"(?:(?::\d++){1,2}(?:-\d++)?|\(\d++(?:,\d++)?\)|:\[\d++,\d++\])(?=[\s:,)\]'\"]|$):?)"
    r"|(?P<path>(?<![\w@])(?:[~.]{0,2}/|[A-Za-z]:\\)[^\s:()'\"`,;=\]]*)"
    r"|(?<=[{,])\s?\"[^\"\n]{1,60}\":"
    r"|(?<!\w)(?P<quoted>'[^'\n]{1,300}'|\"[^\"\n]{1,300}\"|[`‘][^`'’\n]{1,300}[`'’]|“[^”\n]{1,300}”)"
    r"(?!\w)"
    r"|(?:\b[Pp]orts?\s+|(?<=\d['\"], ))(?P<port>\d{2,5})\b"
    r"|(?P<passing>\b0x[0-9a-f]+\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b|[=<>~^]=?\s?v?\d[\w.*+-]*|(?<![\w-])v?\d(?:[\w.,:%+-]*[\w%])?)"
    r"|(?P<cut>[:;.,](?=\s|$)|\s(?:--?|[–—»›→>|])(?=\s)|[()\[\]{}])"
    r"|(?P<word>@?(?:(?<![\w-])--?(?=\w\w))?[^\W\d_][\w$]*(?:(?:::|->|[./@:+-])@?[\w$]+)*(?:\(\))?|_\w+)"
)
_AS_NAME: Final = re.compile(r"\w[_.:/$@>-]+\w|\d|[a-z][A-Z]|^[@_-]|\)$")
_FRAME: Final = re.compile(
    r"\W*\d+\s*\|.*|\W*\S+?(?::\d+){1,2}:?\s*(?:\w{2}\s*)?(?:[`'][^`'\n]*')?"
)
_JOINED: Final = re.compile(r"(?<=:)\s+")
_VERSION: Final = re.compile(r"(?:[@:=/ -]+v?\d[\w.+]*(?:-\w+)*|[-_]\d+)$|-(?=[a-z]*\d)\w{4,}$")
# Two dots or more, and no path: rather a host.
_FILE: Final = re.compile(r"(?!(?:[a-z][a-z\d-]*\.){2,}[a-z]+$)[\w./\\@~+-]*\.[a-z]{1,6}")
# What names a class of errors, and no single one.
_CLASS: Final = re.compile(
    r"(?:\w+[.:]+)*\w+(?:[Ee]rror|[Ee]xception|[Pp]anic|[Ww]arning)|[A-Za-z]{1,6}\d{2,6}|E(?:RR_)?[A-Z_]{4,}"
)
_MARKS: Final = "\"'`,;:()[]{}<>"
_RUN: Final = re.compile(r"(?!\d+(?![^\W_]))[^\W_]{2,}")


class Clause(Record):
    """What a part of a line says: words, its names and their sorts, how much it tells."""

    words: str
    names: tuple[str, ...]
    sort: int
    tells: int

    @property
    def key(self) -> str:
        """What is the same in the same error."""
        return " ".join((self.words, *self.names))


class _Word(Record):
    text: str
    sort: int
    tells: int


def of_name(name: str) -> str:
    """The mark of a file, by its path from the project's root, or of a thing, by its name.

    >>> of_name("src/a.py") == of_name("src/A.py"), len(of_name("orders"))
    (True, 16)
    """
    return _mark("name", name.casefold())


def of_error(text: str) -> frozenset[str]:
    """The marks of a failed call's result.

    >>> one = of_error("a/b.py:3: ModuleNotFoundError: No module named 'x'\\n1 failed in 0.2s")
    >>> two = of_error("E   ModuleNotFoundError: No module named 'x'")
    >>> other = of_error("E   ModuleNotFoundError: No module named 'y'")
    >>> bool(one & two), bool(one & other)
    (True, False)
    """
    keys = dict.fromkeys(part.key for line in naming(text) for part in parts(line))
    return frozenset(_mark("error", key) for key in [*keys][:MOST_MARKS])


def of_signs(signs: Iterable[str]) -> set[str]:
    """The marks of what is kept of a failure, or of a text that quotes one: those of its names."""
    return {_mark("error", part.key) for line in _deciding(signs) for part in parts(line)}


def _deciding(signs: Iterable[str]) -> list[str]:
    """The lines with names, if one of these tells of a trouble; else those that do."""
    texts = (sign for sign in signs if not sign.startswith(SHARED))
    lines = dict.fromkeys(line for text in texts for line in naming(text) if parts(line))
    named = [line for line in lines if parts(line)[0].sort >= WRITTEN]
    sure = [line for line in lines if _TROUBLE.search(line)]
    return named if named and (not sure or {*named} & {*sure}) else sure or [*lines]


def most_telling(result: str) -> list[str]:
    """The lines of a failed call's result, those that decide which failure it is first."""

    def weight(line: str) -> int:
        return sum(part.tells for part in parts(line)) * (1 + bool(_TROUBLE.search(line)))

    best = sorted(_deciding([result])[::-1], key=weight, reverse=True)
    return list(dict.fromkeys((*best, *naming(result))))


def agree(error: str, signs: Iterable[str]) -> int:
    """How much the lines tell that a failure shares with what is kept of one; 0 if others decide.

    A part that reads alike and has other names speaks against it.
    """
    here = [part for line in naming(error) for part in parts(line)]
    keys = {part.key for part in here}
    words = {part.words for part in here if part.sort >= WRITTEN}
    lines = list(map(parts, _deciding(signs)))
    agreeing = [{part.words for part in line if part.key in keys} for line in lines]
    shared = against = 0
    for at, line in enumerate(lines):
        elsewhere = set().union(*agreeing[:at], *agreeing[at + 1 :])
        other = [p for p in line if p.key not in keys and p.sort >= WRITTEN]
        differs = sum(part.tells for part in other if part.words in words - elsewhere)
        against += differs
        shared += 0 if differs else sum(part.tells for part in line if part.key in keys)
    # Where both quote a name and none is shared, the quoted ones decide.
    quoted = [{part.key for part in some if part.sort == QUOTED} for some in (chain(*lines), here)]
    if all(quoted) and quoted[0].isdisjoint(quoted[1]):
        return 0
    return shared if shared > against else 0


def runs_of(text: str) -> frozenset[str]:
    """The runs of letters and digits of a text, without numbers, of its beginning and its end."""
    return frozenset(_RUN.findall(_ends(text).casefold()))


def saying(result: str) -> str:
    """The lines of a failed call's result that may name its error."""
    lines = (line.strip()[:LONGEST_LINE] for line in _ends(result).splitlines())
    return "\n".join(filter(_tells, lines))


def others(error: str, signs: Iterable[str], approach: str) -> tuple[str, ...]:
    """The names in an approach that it shares with the failure it cured, and not with this one."""
    lacks = runs_of(" ".join(x for x in signs if x.startswith(SHARED))) - runs_of(error)
    names = (word.strip(_MARKS) for word in approach.split() if lacks & runs_of(word))
    return tuple(dict.fromkeys(names))[:MOST_OTHERS]


def naming(text: str) -> list[str]:
    """The lines of a text that name an error, in order; where none does, all that may."""
    raw = _NOISE.sub("", _ends(text)).splitlines()
    lines = list(dict.fromkeys(_summed(line[:LONGEST_LINE]) for line in raw))
    at = [n for n, line in enumerate(lines) if _TROUBLE.search(line)]
    at = [*at[:MOST_LINES], *at[MOST_LINES:][-MOST_LINES:]]
    # What a line that tells little speaks of, the next ones often say.
    chosen = dict[int, None]()
    for n in at:
        behind = range(n, min(n + 1 + BEHIND, len(lines)))
        first = next((at for at in behind if _tells(lines[at]) and parts(lines[at])), n)
        chosen |= dict.fromkeys((n, first))
    sure = [lines[n] for n in sorted(chosen) if _tells(lines[n])]
    return sure if any(map(parts, sure)) else list(filter(_tells, lines))[: 2 * MOST_LINES]


def _ends(text: str) -> str:
    """What is looked at of a text."""
    return text if len(text) <= BEGINNING + END else f"{text[:BEGINNING]}\n{text[-END:]}"


def _summed(line: str) -> str:
    """A line without what sums up before the error that it tells."""
    pieces = _JOINED.split(line.strip())
    closing = [at for at, piece in enumerate(pieces) if _CLOSING.search(piece)]
    rest = " ".join(pieces[closing[-1] + 1 :]) if closing else ""
    return rest if _TROUBLE.search(rest) else line.strip()


def _tells(line: str) -> bool:
    """Whether a line may name an error: it quotes no code and sums nothing up."""
    return bool(line) and not _CLOSING.search(line) and not _FRAME.fullmatch(line)


@lru_cache(maxsize=REMEMBERED)
def parts(line: str) -> tuple[Clause, ...]:
    """What tells the error of a line from others: its parts with names, or else its words.

    >>> [(each.words, each.names) for each in parts("src/a.ts(3,5): error: No name 'Box'.")]
    [('no name', ('box',))]
    """
    whole = tuple(_parts(line))
    end = len(line)
    for start in [match.end() for match in _JOINED.finditer(line)][-MOST_JOINED:][::-1]:
        # What stands before the last trouble is where it came from.
        behind = tuple(_parts(line[start:])) if _TROUBLE.search(line[start:end]) else ()
        if behind and (not whole or behind[0].sort >= whole[0].sort):
            whole = behind
            break
        end = start
    return whole


def _parts(line: str) -> Iterator[Clause]:
    groups = _promoted([group for group in _split(line) if group])
    whole = [word for group in groups for word in group]
    sort = max((word.sort for word in whole), default=NONE)
    sorts = range(sort, min(sort, WRITTEN) - 1, -1) if sort else ()
    named = [part for kind in sorts for part in _named(groups, kind) if part.tells >= ENOUGH]
    plain = Clause(_text(whole), (), NONE, _sum(whole))
    yield from named or ([plain] if plain.tells >= ENOUGH else [])


def _promoted(groups: list[list[_Word]]) -> list[list[_Word]]:
    """With a word as a name that stands alone beside what is said of it: `protoc: not found`."""
    promoted = list(groups)
    for at, group in enumerate(groups):
        word = group[0]
        if len(group) == 1 and word.tells == PLAIN and not word.sort:
            beside = (*groups[at + 1 : at + 2], *groups[max(0, at - 1) : at])
            if any(len(other) > 1 and max(w.tells for w in other) == TOLD for other in beside):
                promoted[at] = [_Word(word.text, WRITTEN, NAME)]
    return promoted


def _named(groups: Sequence[Sequence[_Word]], sort: int) -> Iterator[Clause]:
    """By the names of a sort, with the words beside: before, behind or in the next group."""
    plain = [[word for word in group if not word.sort] for group in groups] + [[]]
    for at, group in enumerate(groups):
        names = [word for word in group if word.sort == sort]
        if names:
            lead = [word for word in group[: group.index(names[0])] if not word.sort]
            others = plain[at][:BESIDE], plain[at + 1][-BEHIND_IT:], plain[at - 1][-BESIDE:]
            beside = next(filter(_sum, (lead[-BESIDE:], *others)), [])
            if _sum(beside) or sort == QUOTED:
                texts = tuple(dict.fromkeys(word.text for word in names))
                yield Clause(_text(beside), texts, sort, _sum([*beside, *names]))


def _text(words: Iterable[_Word]) -> str:
    return " ".join(word.text for word in words)


def _sum(words: Sequence[_Word]) -> int:
    return min(MOST_TOLD, sum({word.text: word.tells for word in words}.values()))


def _split(line: str) -> Iterator[list[_Word]]:
    group: list[_Word] = []
    at = 0
    while match := _TOKEN.search(line, at):
        kind, text, at = match.lastgroup or "", match[match.lastgroup or 0], match.end()
        if kind == "cut":
            yield group
            group = []
        elif kind == "quoted":
            group += _quoted(text[1:-1], met=_MET.search(line[: match.start()]) is not None)
        elif kind in {"url", "host", "port"}:
            met = kind == "url" and _MET.search(line[: match.start()])
            group += [] if met else [_Word(text.casefold().strip("./"), QUOTED, NAME)]
        elif kind == "path":
            group += _file(text)
        elif kind == "word" and (word := _word(text)):
            group.append(word)
    yield group


def _quoted(text: str, *, met: bool) -> Iterator[_Word]:
    """What is quoted: a name, or a path that may have been met only there."""
    path = text[0] in "/~:" or ("/" in text and text[0] != "@" and (met or _FILE.fullmatch(text)))
    name = _VERSION.sub("", " ".join(text.strip("./").casefold().split()))
    if path:
        yield from () if met else _file(text)
    elif any(map(str.isalnum, name)) and not _LEVEL.fullmatch(name):
        yield _Word(name, WRITTEN if " " in name else QUOTED, NAME)


def _file(text: str) -> Iterator[_Word]:
    name = re.split(r"[/\\]", text.rstrip("/\\"))[-1].casefold()
    if name:
        yield _Word(name, FILE, PLAIN)


def _word(text: str) -> _Word | None:
    low = text.casefold()
    if _LEVEL.fullmatch(low) or len(low) < 2:
        return None
    if low in STOP_WORDS:
        return _Word(low, NONE, 0)
    if low in DIAGNOSIS or _CLASS.fullmatch(text):
        return _Word(low, NONE, TOLD)
    if _FILE.fullmatch(low):
        return next(_file(low), None)
    if _AS_NAME.search(text):
        return _Word(_VERSION.sub("", low) or low, WRITTEN, NAME)
    return _Word(low, NONE, PLAIN)


def _mark(kind: str, text: str) -> str:
    return blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def lines_kept(results: Iterable[str], passed: str) -> tuple[str, ...]:
    """The naming lines of failed calls, of each error one; what a call that passed says is none."""
    fine = {part.key for line in naming(passed) for part in parts(line)}
    lines: dict[str, str] = {}
    for line in chain.from_iterable(map(naming, results)):
        if keys := [part.key for part in parts(line) if part.key not in fine]:
            lines.setdefault(keys[0], line)
    return tuple(lines.values())[:MOST_KEPT]
