"""Knowledge: what is known, by words and by what it is; one entry, its course and its history."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from learnt.core.identifiers import EntryId, entry_subject
from learnt.errors import NotFound
from learnt.flows.governance.explain import Step, chapter
from learnt.flows.health.effects import measured
from learnt.flows.knowledge import browse
from learnt.flows.knowledge.course import MarkedPoint, course_of
from learnt.flows.knowledge.disputes import said_for
from learnt.flows.knowledge.freshness import Fresh, standing_of
from learnt.surfaces.answers.measured import effect_in_words
from learnt.surfaces.answers.memories import EntryAnswer, listed
from learnt.surfaces.web.pages import ListPart, Page, Visit, part_of

STEPS: Final = 20  # of a history, in one part


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeList:
    """What was asked for, and what of it is there."""

    asked: browse.Filters
    counts: Mapping[str, Mapping[str, int]]
    all: int
    part: ListPart[browse.Head]
    entries: tuple[EntryAnswer, ...]


def knowledge(visit: Visit) -> KnowledgeList:
    """The entries that fit, a part of them whole."""
    fields = {
        name: visit.asked.get(name, "") for name in ("words", "kind", "trust", "stage", "topic")
    }
    marks = {name: bool(visit.asked.get(name)) for name in ("disputed", "everywhere")}
    asked = browse.Filters(**fields, **marks)  # type: ignore[arg-type]  # each by its name
    found = browse.known(visit.outside, visit.folder, asked)
    part = part_of(found.heads, visit.number("part"))
    hits = browse.shown(visit.outside, visit.folder, (head.id for head in part.rows))
    return KnowledgeList(
        asked=asked, counts=found.counts, all=found.all, part=part, entries=listed(hits).entries
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OneEntry:
    """An entry: what it says, how it stands, how that came, and its history in parts."""

    entry: EntryAnswer
    fresh: Fresh
    arguments: Mapping[EntryId, tuple[str, ...]]  # what was said for it and its rivals
    course: list[MarkedPoint]
    effect: str  # empty where no coin ever decided on it
    history: tuple[Step, ...]
    part: ListPart[int]


def entry(visit: Visit) -> OneEntry:
    """An entry by its id. Raises NotFound."""
    outside, name = visit.outside, EntryId(visit.named["name"])
    hits = browse.shown(outside, visit.folder, [name])
    if not hits:
        raise NotFound(f"There is no entry {name}. Knowledge lists those that there are.")
    of = hits[0].entry
    story, steps = chapter(outside, entry_subject(name), visit.number("part"), STEPS)
    known = measured(outside, name) if of.live and of.units else []
    total = len(steps) + story.left_out
    number, parts = steps.start // STEPS + 1, -(-total // STEPS)
    return OneEntry(
        entry=listed(hits).entries[0],
        fresh=standing_of(outside, of, visit.folder),
        arguments=said_for(outside, (name, *of.disputes)),
        course=course_of(outside, name),
        effect=effect_in_words(known[0].effect) if known else "",
        history=story.events,
        part=ListPart(rows=steps, number=number, parts=parts, total=total),
    )


CHART: Final = ("uplot.js", "uplot.css")
LIST: Final = Page(
    path="/knowledge",
    title="Knowledge",
    place="Knowledge",
    template="knowledge.html",
    look=knowledge,
)
ENTRY: Final = Page(
    path="/entry/{name}",
    title="Entry",
    place="Knowledge",
    template="entry.html",
    look=entry,
    vendor=CHART,
)
