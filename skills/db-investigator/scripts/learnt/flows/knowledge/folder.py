"""FactsAndFlaws mode: facts in Markdown files that work without a ledger; the file is the truth.

This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from learnt.core.knowledge import confidence as believing
from learnt.core.knowledge.confidence import Belief, Model, Trust, confidence, trust
from learnt.core.knowledge.kinds import KINDS
from learnt.errors import Conflict, NotFound, Refused, UsageError
from learnt.formats import decay_tags
from learnt.formats.decay_tags import Tagged

if TYPE_CHECKING:  # a command that starts for one scan loads no more than it must
    from collections.abc import Iterable, Sequence
    from datetime import date

    from learnt.file_ports import Topics

INDEX = "_index.md"
_NAMED = 8  # names of what a topic is about, in its row
BY_ID = {"success": 0.3, "failure": 1.5}  # what a check is worth where no weight is given, by id
_ROUTES = """# Topics

| read | when a question is about |
|---|---|
"""


class FolderFact(NamedTuple):
    """A fact of a file with its standing today. `file` is named as the caller named it."""

    file: str
    entry: Tagged
    level: float
    age_days: int

    @property
    def trust(self) -> Trust:
        """What its confidence deserves."""
        return trust(self.level)


class Flaw(NamedTuple):
    """What is wrong in a file, and where."""

    file: str
    line: int
    what: str


class FactsAndFlaws(NamedTuple):
    """What files hold: the facts as they stand, and what is wrong."""

    facts: tuple[FolderFact, ...] = ()
    flaws: tuple[Flaw, ...] = ()


class FactPlace(NamedTuple):
    """Which fact is meant: by its file and line, or by its id below a folder."""

    file: str = ""
    line: int = 0
    id: str = ""
    folder: str = ""


def look(
    topics: Topics, *, file: str = "", folder: str = "", today: date, model: Model = "posterior"
) -> FactsAndFlaws:
    """The facts of a file, or of every topic below a folder, as of today. Raises NotFound."""
    if file:
        text = topics.read(file)
        if text is None:
            raise NotFound(f"There is no file {file}.")
        return _read(file, text, today, model)
    parts = [
        _read(name, text, today, model)
        for name in topics.files(folder)
        if (text := topics.read(f"{folder}/{name}")) is not None
    ]
    return FactsAndFlaws(
        facts=tuple(fact for part in parts for fact in part.facts),
        flaws=tuple(flaw for part in parts for flaw in part.flaws),
    )


def _read(file: str, text: str, today: date, model: Model) -> FactsAndFlaws:
    page = decay_tags.read(text, today)
    return FactsAndFlaws(
        facts=tuple(
            FolderFact(
                file=file,
                entry=entry,
                level=confidence(entry.belief, today, model),
                age_days=(today - entry.belief.confirmed).days,
            )
            for entry in page.entries
        ),
        flaws=tuple(Flaw(file, *finding) for finding in page.findings),
    )


def by_confidence(facts: Iterable[FolderFact], *, highest_first: bool) -> list[FolderFact]:
    """The facts in order of confidence; those of equal confidence by file and line."""
    sign = -1 if highest_first else 1
    return sorted(facts, key=lambda fact: (sign * fact.level, fact.file, fact.entry.line))


def search(
    facts: Iterable[FolderFact], entities: Sequence[str], least: float | None
) -> list[FolderFact]:
    """The facts that name any of the entities (none: all), and reach `least`; best first."""
    wanted = {name.strip().casefold() for name in entities if name.strip()}
    matches = [
        fact
        for fact in facts
        if (not wanted or wanted & {name.casefold() for name in fact.entry.entities})
        and (least is None or fact.level >= least)
    ]
    return by_confidence(matches, highest_first=True)


def feedback(
    topics: Topics, place: FactPlace, result: str, today: date, weight: float | None = None
) -> FolderFact:
    """Record a `success`, `failure`, `reset` or `invalidate` of a fact; it as it is then.

    Without a weight 1.0 by file and line, by id what a check is worth. Raises NotFound where the
    fact is not there, Conflict where an id names several, UsageError for a weight that is none.
    """
    file = place.file or f"{place.folder}/{_file_of(topics, place, today)}"
    changed: list[FolderFact] = []

    def edit(text: str | None) -> str:
        if text is None:
            raise NotFound(f"There is no file {file} any more. Nothing was changed.")
        meant = _meant(_read(file, text, today, "posterior").facts, place, file)
        try:
            belief = _judged(meant.entry.belief, result, today, weight, by_id=bool(place.id))
            after = decay_tags.rewritten(text, meant.entry.line, belief)
        except ValueError as error:
            raise UsageError(f"{error}. Nothing was changed.") from error
        now = _read(file, after, today, "posterior").facts
        changed.append(next(fact for fact in now if fact.entry.line == meant.entry.line))
        return after

    topics.change(file, edit)
    return changed[0]


def _judged(
    belief: Belief, result: str, today: date, weight: float | None, *, by_id: bool
) -> Belief:
    if result == "reset":
        return believing.after_reset(belief, today)
    if result == "invalidate":
        return believing.after_invalidation(belief)
    if weight is None:
        weight = BY_ID[result] if by_id else 1.0
    if result == "success":
        return believing.after_success(belief, weight, today)
    return believing.after_failure(belief, weight)


def _meant(facts: Iterable[FolderFact], place: FactPlace, file: str) -> FolderFact:
    if place.id:
        matches = [fact for fact in facts if fact.entry.id == place.id]
        if len(matches) > 1:
            raise Conflict(f"{file} has the id {place.id} {len(matches)} times: name the line.")
    else:
        matches = [fact for fact in facts if fact.entry.line == place.line]
    if not matches:
        named = place.id or f"on line {place.line}"
        raise NotFound(f"{file} has no readable tag {named}. Nothing was changed.")
    return matches[0]


def _file_of(topics: Topics, place: FactPlace, today: date) -> str:
    facts = look(topics, folder=place.folder, today=today).facts
    files = sorted({fact.file for fact in facts if fact.entry.id == place.id})
    if not files:
        raise NotFound(f"No file below {place.folder} has the id {place.id}.")
    if len(files) > 1:
        raise Conflict(f"{' and '.join(files)} both have the id {place.id}: name file and line.")
    return files[0]


def inject(
    topics: Topics, folder: str, target: str, kind: str, content: str,
    entities: Sequence[str], today: date,
) -> tuple[str, int, str]:  # fmt: skip
    """Append a fact; its file, its tag's line and its id. Raises UsageError, Refused."""
    if kind not in KINDS:
        raise UsageError(f"{kind} is no kind of entry: {', '.join(KINDS)}. Nothing was written.")
    if not content.strip():
        raise UsageError("A fact without words is none. Nothing was written.")
    name = target.replace("\\", "/").rpartition("/")[2]
    if not name.endswith(".md") or name.startswith("."):
        raise UsageError(f"{target} is no Markdown file. Nothing was written.")
    if name == INDEX:
        raise Refused(f"{INDEX} is the routing table and holds no facts. Nothing was written.")
    path = f"{folder}/{name}"
    placed: list[tuple[int, str]] = []

    def edit(text: str | None) -> str:
        import hashlib

        spoken = f"{name}\n{content}\n{today}\n{0 if text is None else text.count('decay:')}"
        own = f"k-{hashlib.sha256(spoken.encode('utf-8', 'replace')).hexdigest()[:10]}"
        title = name[: -len(".md")].replace("_", " ").replace("-", " ").title()
        after, line = decay_tags.appended(text, title, kind, content, entities, own, today)
        placed.append((line, own))
        return after

    topics.change(path, edit)
    return path, *placed[0]


def begin(topics: Topics, folder: str, today: date) -> bool:
    """Make a folder with its routing table; False where that is there already."""
    if topics.read(f"{folder}/{INDEX}") is not None:
        return False
    routes = index(topics, folder, today)
    topics.change(f"{folder}/{INDEX}", lambda text: routes if text is None else text)
    return True


def index(topics: Topics, folder: str, today: date) -> str:
    """The routing table of a folder with a row for each of its topics; what it has stays."""
    text, facts = topics.read(f"{folder}/{INDEX}"), look(topics, folder=folder, today=today).facts
    for file in topics.files(folder):
        about = [name for fact in facts if fact.file == file for name in fact.entry.entities]
        text = routed(text, file, about)
    return _ROUTES if text is None else text


def route(topics: Topics, folder: str, topic: str, about: Sequence[str]) -> None:
    """Have the routing table name a topic and what it is about, where that is new."""
    path = f"{folder}/{INDEX}"
    before = topics.read(path)
    if routed(before, topic, about) != before:
        topics.change(path, lambda text: routed(text, topic, about))


def routed(text: str | None, topic: str, about: Sequence[str]) -> str:
    """A routing table with a topic's row; names are added to a row of the table, no more than fit.

    >>> routed(None, "rooms.md", ["t_room"]).splitlines()[-1]
    '| [rooms.md](rooms.md) | t_room |'
    >>> routed("- [Rooms](rooms.md), by me", "rooms.md", ["t_room"])
    '- [Rooms](rooms.md), by me\\n'
    """
    text = _ROUTES if text is None else text
    newline = "\r\n" if "\r\n" in text else "\n"
    lines, start = text.rstrip("\r\n").split(newline), f"| [{topic}]({topic}) |"
    named = [decay_tags.harmless(name).replace("|", " ") for name in about]
    at = next((n for n, line in enumerate(lines) if f"({topic})" in line), None)
    if at is None:
        rows = [n for n, line in enumerate(lines) if line.startswith("|")]
        at = rows[-1] + 1 if rows else len(lines)
        lines.insert(at, f"{start} |" if rows else f"- [{topic}]({topic})")
    if lines[at].startswith(start):  # another form is a person's own, and stays
        there = [name.strip() for name in lines[at][len(start) :].rstrip("| ").split(",")]
        wanted = [name for name in dict.fromkeys([*there, *named]) if name]
        lines[at] = f"{start} {', '.join(wanted[: max(_NAMED, len(there))])} |"
    return newline.join([*lines, ""])
