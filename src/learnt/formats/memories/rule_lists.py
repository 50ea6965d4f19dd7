"""Lists in files that agents read (CLAUDE.md, AGENTS.md, rules): each bullet is offered as a fact.

A bullet that ends with a colon stands before those below it. Headings are tags. What is no bullet
is not taken, since nobody can tell where a fact ends in it.
"""

import re
from collections.abc import Iterator

from learnt.core.knowledge.brought import Brought, Bundle
from learnt.formats.fences import outside

_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)")
_TODO = re.compile(r"\[[ xX]\][ \t]")
_MARKUP = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_LONGEST_TAG = 60


def parse(name: str, text: str) -> Bundle:
    """The bullets of a file as facts.

    >>> bundle = parse("CLAUDE.md", "# Ports\\n- Local:\\n  - the api listens on 8080\\n")
    >>> [(one.place, one.text, one.tags) for one in bundle.pieces]
    [('CLAUDE.md:3', 'Local: the api listens on 8080', ('Ports',))]
    """
    pieces = tuple(
        Brought(text=said, tags=tags, place=f"{name}:{line}") for line, said, tags in _facts(text)
    )
    findings = () if pieces else (f"{name}: no list of facts in it",)
    return Bundle(pieces=pieces, findings=findings)


def _facts(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    above: list[tuple[int, str]] = []  # bullets that introduce others: their indents and texts
    tags: tuple[str, ...] = ()
    for line, indent, said in _bullets(text):
        if indent < 0:
            tags, above = ((said.strip("# ")[:_LONGEST_TAG],) if said.strip("# ") else ()), []
            continue
        above = [each for each in above if each[0] < indent]
        if said.endswith((":", "：")):
            above.append((indent, said))
        elif not _TODO.match(said) and re.search(r"\w", said):
            yield line, " ".join([*(each for _, each in above), said]), tags


def _bullets(text: str) -> Iterator[tuple[int, int, str]]:
    """Each bullet with its line, its indent and its whole text; a heading has the indent -1."""
    lines = _FRONT.sub(lambda front: "\n" * front[0].count("\n"), text).split("\n")
    open_bullet: tuple[int, int, str] | None = None
    for number, line in [*outside(lines), (len(lines), "")]:
        bullet = _BULLET.match(line)
        goes_on = open_bullet and not bullet and line.startswith((" ", "\t")) and line.strip()
        if open_bullet and goes_on:
            open_bullet = (*open_bullet[:2], f"{open_bullet[2]} {line.strip()}")
            continue
        if open_bullet:
            yield open_bullet
        open_bullet = None
        if bullet:
            indent = len(bullet[1].expandtabs(4))
            open_bullet = (number + 1, indent, _MARKUP.sub("", bullet[2]).strip())
        elif line.startswith("#"):
            yield number + 1, -1, line.strip()
