"""Facts in Markdown, each under a tag that says how far it can be trusted.

    <!-- decay: type=schema confirmed=2026-11-22 C0=1.0 alpha=3 beta=0 id=k-1a2b3c4d s=0.5 -->
    <!-- entities: t_room, t_booking -->
    - t_room.status 3 means "under repair"

`alpha`, `beta` and `s` (the shock) are 0 where they are missing; `id` names an entry wherever its
line moves. Unknown keys are kept. A tag in fenced code is none; a bad one is a finding and hides no
other. What is changed is the tag's values alone: every other byte of the file stays. This file goes
along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from learnt.core.knowledge.confidence import Belief, checked
from learnt.formats.fences import outside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LONGEST_LINE: Final = 20_000
_TAG = re.compile(r"<!--[ \t]*decay:[ \t]*(.*?)[ \t]*-->")
_ENTITIES = re.compile(r"<!--[ \t]*entities:[ \t]*(.*?)[ \t]*-->")
_PAIR = re.compile(r"([\w-]+)=(\S+)")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_REQUIRED: Final = ("type", "confirmed", "C0")


class Tagged(NamedTuple):
    """One fact. `line` counts from 1 and is the tag's; `context` the heading above it."""

    line: int
    belief: Belief
    id: str = ""
    text: str = ""
    context: str = ""
    entities: tuple[str, ...] = ()


class TagFinding(NamedTuple):
    """What is wrong with a line, in words."""

    line: int
    what: str


class TaggedText(NamedTuple):
    """What a file holds."""

    entries: tuple[Tagged, ...] = ()
    findings: tuple[TagFinding, ...] = ()


def read(text: str, today: date) -> TaggedText:
    """The facts of a file and what is wrong with others; today is what no date may be after.

    >>> tag = "<!-- decay: type=schema confirmed=2026-01-01 C0=1.0 -->"
    >>> page = read(f"# Rooms\\n{tag}\\n- status 3 is repair\\n", date(2026, 1, 2))
    >>> page.entries[0].text, page.entries[0].context
    ('status 3 is repair', 'Rooms')
    """
    lines = text.split("\n")
    entries: list[Tagged] = []
    findings: list[TagFinding] = []
    first = heading = ""
    seen: set[str] = set()
    for number, line in outside(lines):
        if len(line) > LONGEST_LINE:
            if "decay:" in line:
                findings.append(TagFinding(line=number + 1, what="a line too long to be read"))
            continue
        first = first or line.strip()
        if line.startswith("#"):
            heading = line.strip().lstrip("#").strip()
        tag = _TAG.search(line) if "decay:" in line else None
        if tag is None:
            if "decay:" in line and "<!--" in line:
                findings.append(TagFinding(line=number + 1, what="a tag that does not end"))
            continue
        try:
            entry = _entry(lines, number, tag[1], heading or first, today)
        except ValueError as error:
            findings.append(TagFinding(line=number + 1, what=str(error)))
            continue
        if _TAG.search(line, tag.end()):
            findings.append(TagFinding(line=number + 1, what="a second tag on one line"))
        if entry.id and entry.id in seen:
            findings.append(TagFinding(line=number + 1, what=f"the id {entry.id} a second time"))
        seen.add(entry.id)
        entries.append(entry)
    return TaggedText(entries=tuple(entries), findings=tuple(findings))


def _entry(lines: Sequence[str], number: int, inner: str, context: str, today: date) -> Tagged:
    pairs = dict(_PAIR.findall(inner))
    name = pairs.get("id", "")
    if name and not _ID.fullmatch(name):
        raise ValueError(f"{name[:80]!r} is no id")
    missing = [key for key in _REQUIRED if key not in pairs]
    if missing and name:
        raise ValueError(f"the numbers of {name} are in a ledger, not in this file")
    if missing:
        raise ValueError(f"a tag without {', '.join(missing)}")
    belief = checked(
        Belief(
            kind=pairs["type"],
            confirmed=_day(pairs["confirmed"], today),
            c0=_number(pairs, "C0"),
            alpha=_number(pairs, "alpha"),
            beta=_number(pairs, "beta"),
            shock=_number(pairs, "s"),
        )
    )
    entities, below = _below(lines, number)
    return Tagged(
        line=number + 1, belief=belief, id=name, text=below, context=context, entities=entities
    )


def _number(pairs: Mapping[str, str], key: str) -> float:
    value = pairs.get(key, "0")
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"{key}={value[:40]} is no number") from None


def _day(value: str, today: date) -> date:
    try:
        if not _DATE.fullmatch(value):
            raise ValueError
        day = date.fromisoformat(value)
    except ValueError:
        raise ValueError(f"confirmed={value[:40]} is no day") from None
    if day > today:
        raise ValueError(f"confirmed={value} is in the future")
    return day


def _below(lines: Sequence[str], number: int) -> tuple[tuple[str, ...], str]:
    after = [line.strip()[:LONGEST_LINE] for line in lines[number + 1 : number + 3]]
    about = _ENTITIES.search(after[0]) if after and "entities:" in after[0] else None
    names: tuple[str, ...] = ()
    if about:
        names = tuple(name.strip() for name in about[1].split(",") if name.strip())
        after = after[1:]
    own = after[0] if after and not ("decay:" in after[0] and _TAG.search(after[0])) else ""
    return names, (own[2:] if own.startswith("- ") else own).strip()


def _spelt(value: float) -> str:
    """A number as a tag has it: whole ones without a point, but for C0.

    >>> _spelt(3.0), _spelt(0.3), _spelt(0.1 + 0.2)
    ('3', '0.3', '0.3')
    """
    rounded = round(value, 9)
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)


def rewritten(text: str, line: int, belief: Belief) -> str:
    """The file with the tag on a line rewritten. Raises ValueError where that line has no tag."""
    lines = text.split("\n")
    tag = _TAG.search(lines[line - 1]) if 0 < line <= len(lines) else None
    if tag is None:
        raise ValueError(f"line {line} has no tag")
    inner = tag[1]
    values = {
        "confirmed": belief.confirmed.isoformat(),
        "C0": repr(float(belief.c0)),
        "alpha": _spelt(belief.alpha),
        "beta": _spelt(belief.beta),
    }
    if belief.shock or "s" in dict(_PAIR.findall(inner)):
        values["s"] = _spelt(belief.shock)
    for key, value in values.items():
        # Of a key that stands twice the last value counts; one that is missing goes to the end.
        spans = [pair.span(2) for pair in _PAIR.finditer(inner) if pair[1] == key]
        start, end = spans[-1] if spans else (len(inner), len(inner))
        inner = inner[:start] + (value if spans else f" {key}={value}") + inner[end:]
    own = lines[line - 1]
    lines[line - 1] = own[: tag.start(1)] + inner + own[tag.end(1) :]
    return "\n".join(lines)


def appended(
    text: str | None, title: str, kind: str, content: str, entities: Iterable[str], name: str,
    today: date,
) -> tuple[str, int]:  # fmt: skip
    """The file with one more fact at its end, made where there is none; and the line of its tag."""
    start = f"# {title}\n\n> Facts that were found out, each with how far it can be trusted.\n"
    before = start if text is None else text
    newline = "\r\n" if "\r\n" in before else "\n"
    head = before if before.endswith("\n") or not before else before + newline
    named = [harmless(entity).replace(",", " ") for entity in entities]
    tag = f"<!-- decay: type={kind} confirmed={today.isoformat()} C0=1.0 id={name} -->"
    lines = ["", tag, *([f"<!-- entities: {', '.join(named)} -->"] if named else [])]
    lines.append(f"- {harmless(content)}")
    return head + "".join(line + newline for line in lines), head.count("\n") + 2


def harmless(text: str) -> str:
    """A text on one line that neither begins nor ends a comment.

    >>> harmless("a\\n--> <!-- decay: x")
    'a --&gt; &lt;!-- decay: x'
    """
    return " ".join(text.split()).replace("<!--", "&lt;!--").replace("-->", "--&gt;")
