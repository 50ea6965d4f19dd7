"""An edit as it is shown: the lines that a hook saw change, as code that can teach nobody.

Comments and strings that say something are left out, and so is prose that stands between them. What
stays is marked as the lines of a diff are, so that nothing in it reads as a line of Learnt's own.
"""

import re
from collections.abc import Container, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain
from textwrap import dedent
from typing import Final

from learnt.core import safety
from learnt.core.digest.bare import LEFT_OUT, path, says
from learnt.core.digest.commands import SUBCOMMANDS
from learnt.core.digest.steps import Change
from learnt.core.knowledge.spans.keywords import KEYWORDS
from learnt.core.tokens import UNSPACED
from learnt.core.words import STOP_WORDS

LONGEST: Final = 400  # characters of the edits of a cure, with the names of the files
LONGEST_LINE: Final = 160
AROUND: Final = 40  # characters before what differs in a longer line
LOOKED_AT: Final = 8_000
MOST_LINES: Final = 200  # of either side of an edit
MOST_SHOWN: Final = 16  # of one edit
MOST_FILES: Final = 6
REST: Final = 12  # characters for which no further line is begun

_PRIVATE: Final = re.compile(r"</?private\b", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))(?:#+|//+!?|/\*+|\*+/?|<!--|--+|;+)\s+")
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_WORD: Final = r"(?<![\w$@./-])[^\W\d_]{2,40}(?![\w$(=@/-]|\.\w)"
_RUN: Final = re.compile(rf"{_WORD}(?:[^\S\n]+{_WORD}){{2,}}|[{UNSPACED}]{{6,}}")
_SENTENCE: Final = re.compile(rf"{_WORD}(?:[,.;:!?]?\s+{_WORD}){{2,}}|[{UNSPACED}]{{6,}}")
_NOTE: Final = re.compile(rf"{_WORD}[,.;!?]?\s+{_WORD}|{_SENTENCE.pattern}|[{UNSPACED}]{{2,}}")
_HUMPS: Final = re.compile(r"[a-z][A-Z]")
_LETTERS: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")


def told(changes: Sequence[Change], speaking: Container[str]) -> list[str]:
    """What was changed, the last edits first to be shown, in order: files, and behind each lines.

    Of an edit that no hook saw only its file is named. `speaking` are lines that may not be shown.
    """
    fit = [change for change in changes if path(change.path) and change.path not in speaking]
    blocks: list[tuple[str, list[str]]] = []
    rest = LONGEST
    for change in reversed(fit):
        lines = [line for line in lines_of(change) if line not in speaking]
        kept = _within(lines, rest - len(_head(change.path)))
        if kept:
            blocks.append((change.path, kept))
            rest -= len(_head(change.path)) + sum(map(len, kept)) + len(kept)
    shown = [name for name, _ in blocks]
    others = [name for name in dict.fromkeys(change.path for change in fit) if name not in shown]
    found = [f"Changed: {', '.join(others[-MOST_FILES:])}"] if others else []
    for at, (name, kept) in enumerate(blocks := blocks[::-1]):
        if not at or blocks[at - 1][0] != name:
            kept[0] = f"{_head(name)} {kept[0]}"
        found += kept
    return found


def _head(name: str) -> str:
    return f"Changed {name}:"


def asked_of(changes: Sequence[Change]) -> Iterator[str]:
    """The texts of edits that must not speak to their reader."""
    yield from (change.path for change in changes)
    yield from chain.from_iterable(map(lines_of, changes))


def lines_of(change: Change) -> list[str]:
    """The lines that an edit took away and put in, as they may be shown; none that no hook saw.

    >>> lines_of(Change(path="a.py", old="x = f(1)  # as the page said", new="x = f(2)", seen=True))
    ['- x = f(1)', '+ x = f(2)']
    """
    if not change.seen or _PRIVATE.search(f"{change.old}{change.new}"):
        return []  # where the private part begins or ends, the file tells, and not the edit
    old, new = _lines(change.old), _lines(change.new)
    found: list[tuple[str, str]] = []
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            gone, come = [*map(plain, old[a:b])], [*map(plain, new[c:d])]
            # What only moved to the right or left is told where nothing else is.
            if {*map(str.strip, gone)} != {*map(str.strip, come)}:
                same = {*map(str.strip, gone)} & {*map(str.strip, come)}
                gone, come = ([x for x in xs if x.strip() not in same] for xs in (gone, come))
            found += _cut([*filter(None, gone)], [*filter(None, come)])
    texts = dedent("\n".join(text for _, text in found)).split("\n")
    marked = (f"{mark} {text}" for (mark, _), text in zip(found, texts, strict=False))
    return list(dict.fromkeys(marked))[:MOST_SHOWN]


def _lines(text: str) -> list[str]:
    whole = safety.redact(safety.strip_private(text[:LOOKED_AT]))
    return [line.expandtabs(4).rstrip() for line in whole.split("\n")[:MOST_LINES]]


def plain(line: str) -> str:
    """A line of a file without what it says to people; empty where nothing else is in it.

    >>> plain("  retries: 5  # never lower this"), plain('log("please ask the owner first")')
    ('  retries: 5', 'log("…")')
    >>> plain("return x if x else y"), plain("push straight to production")
    ('return x if x else y', '')
    """
    for comment in _COMMENT.finditer(line):
        if _NOTE.search(line, comment.end()):
            line = line[: comment.start()].rstrip()
            break
    runs = not SUBCOMMANDS.isdisjoint(line.split())

    def left(run: re.Match[str]) -> str:
        return run[0] if _is_code(run[0].split(), runs=runs) else LEFT_OUT

    line = _RUN.sub(left, _QUOTED.sub(lambda text: _SENTENCE.sub(left, text[0]), line))
    line = " ".join(LEFT_OUT if says(word) and _speaks(word) else word for word in line.split(" "))
    return line.rstrip() if any(map(str.isalnum, line)) else ""


def _is_code(words: Sequence[str], *, runs: bool) -> bool:
    """Whether half of the words are keywords or names, or none is a sentence's in a command."""
    plain_words = [word.casefold().strip(",.;:!?") for word in words]
    names = sum(
        p in KEYWORDS or bool(_HUMPS.search(w)) for p, w in zip(plain_words, words, strict=True)
    )
    command = runs and STOP_WORDS.isdisjoint({*plain_words} - SUBCOMMANDS)
    return command or (len(words) > 1 and 2 * names >= len(words))


def _speaks(word: str) -> bool:
    """Whether a name of many parts has those of a sentence."""
    parts = [part.casefold() for part in _LETTERS.findall(word)]
    return len([part for part in parts if part in STOP_WORDS and part not in KEYWORDS]) > 1


def _cut(gone: list[str], come: list[str]) -> list[tuple[str, str]]:
    """Lines with their marks, long ones from a little before what differs in them."""
    start = 0
    if len(gone) == len(come) == 1 and max(map(len, gone + come)) > LONGEST_LINE:
        pairs = enumerate(zip(gone[0], come[0], strict=False))
        start = max(0, next((at for at, (a, b) in pairs if a != b), 0) - AROUND)
    lines = [*(("-", text) for text in gone), *(("+", text) for text in come)]
    return [(mark, _window(text, start)) for mark, text in lines]


def _window(text: str, start: int) -> str:
    after = LEFT_OUT * (len(text) > start + LONGEST_LINE)
    return f"{LEFT_OUT * bool(start)}{text[start : start + LONGEST_LINE]}{after}"


def _within(lines: list[str], most: int) -> list[str]:
    """As many lines as fit: what was put in before what was taken away."""
    kept, rest = set[int](), most
    for at in sorted(range(len(lines)), key=lambda at: (lines[at][0] != "+", at)):
        if len(lines[at]) < rest:
            kept.add(at)
            rest -= len(lines[at]) + 1
        if rest < REST:
            break
    return [lines[at] for at in sorted(kept)]
