"""A skill's text brought up to its notes: what a note says otherwise now is replaced, or quoted."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from learnt.core.governance.in_step import NoteChange
from learnt.core.identifiers import handle
from learnt.core.records import Record
from learnt.core.skills.skills import LONGEST_DESCRIPTION
from learnt.core.tokens import UNSPACED
from learnt.formats import skill_text
from learnt.formats.front_matter import edited
from learnt.formats.injection import Note, one_line

_MARK: Final = "> **Out of date.**"
_WARNING: Final = re.compile(rf"^{re.escape(_MARK)}.*\n\n?", re.MULTILINE)
_EMPTIED: Final = re.compile(r"^[-*][ \t]*\n", re.MULTILINE)  # an item without its words
_PIECE: Final = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+|\s+|.")
_LEAST: Final = 4  # characters that are looked for
_LONGEST: Final = 600  # of a note that is quoted


class NewsOfNote(Record):
    """What became of a note that a skill was made of; `now` is the note that holds, if one does."""

    then: Note
    change: NoteChange
    now: Note | None


def brought_up(text: str, news: Sequence[NewsOfNote]) -> str:
    """The text as it should be after what became of its notes; earlier warnings go.

    Where the words that a note no longer says do not stand in it, a warning quotes the new ones.
    """
    text = _WARNING.sub("", text)
    read = skill_text.read(text, "")
    body, described = read.body, read.description
    front, warnings = text.removesuffix(body), []
    for each in news:
        swaps = list(_swaps(each))
        if swapped := _swapped(body, swaps):
            body, described = swapped, _swapped(described, swaps, some=True)
        elif each.change is not NoteChange.HOLDS:
            warnings.append(_warning(each))
    if read.front and described != read.description:
        front = edited(front, "description", described[:LONGEST_DESCRIPTION])
    if not warnings:
        return front + body
    title, line, rest = body.partition("\n") if body.startswith("# ") else ("", "", body)
    return f"{front}{title}{line}{line}{''.join(warnings)}\n{rest.lstrip(chr(10))}"


def _swaps(news: NewsOfNote) -> Iterator[tuple[str, str]]:
    """The words that a note said and no longer says, each with those in its place."""
    then, now = news.then, news.now
    if now is None or news.change not in {NoteChange.CORRECTED, NoteChange.REPLACED}:
        return
    parts = [(then.text, now.text), (then.problem, now.problem), (then.approach, now.approach)]
    parts += zip_longest(then.cautions, now.cautions, fillvalue="")
    alike = bool(then.text) is bool(now.text)
    for was, said in parts if alike else [(then.said, now.said)]:
        yield from _other_words(was, said)


def _other_words(was: str, said: str) -> Iterator[tuple[str, str]]:
    old, new = _PIECE.findall(was), _PIECE.findall(said)
    for tag, start, end, first, last in SequenceMatcher(None, old, new, False).get_opcodes():
        if tag == "equal":
            continue
        # What is too short to be told from other words is looked for with those around it.
        while len("".join(old[start:end]).strip()) < _LEAST and (start > 0 or end < len(old)):
            back, on = min(1, start), min(1, len(old) - end)
            start, end, first, last = start - back, end + on, first - back, last + on
        yield "".join(old[start:end]), "".join(new[max(0, first) : last])


def _swapped(text: str, swaps: Sequence[tuple[str, str]], *, some: bool = False) -> str:
    """The text with words replaced; empty where it lacks any of them, unless `some` will do."""
    for was, now in swaps:
        edges = [r"\b" if one.isascii() and one.isalnum() else "" for one in (was[:1], was[-1:])]
        looked_for = r"\s+".join(map(re.escape, was.split()))
        there = re.compile(looked_for.join(edges)).split(text) if looked_for else [text]
        if len(there) == 1 and not some:
            return ""
        text = now.strip().join(there)
        if not now.strip():
            text = _EMPTIED.sub("", text)
    return text if swaps else ""


def _warning(news: NewsOfNote) -> str:
    now = news.now
    told = f"The note {handle(news.then.id)} that this was made of {news.change}."
    said = f' It says now: "{one_line(now.said)[:_LONGEST]}".' if now else ""
    if news.change is NoteChange.DISPUTED and now:
        said = f' Another note says: "{one_line(now.said)[:_LONGEST]}".'
    return f"{_MARK} {told}{said} Check what rests on it before you follow it.\n"
