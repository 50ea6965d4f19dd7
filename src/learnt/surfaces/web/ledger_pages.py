"""The ledger: the latest events, and why something is as it is, as a timeline."""

from dataclasses import dataclass
from typing import Final

from learnt.core.identifiers import Subject
from learnt.flows.governance.explain import Step, Story, chapter, latest
from learnt.surfaces.web.pages import A_PART, ListPart, Page, Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestEvents:
    """Events, the latest first, each with whose it is; `before_ms` is where those before begin."""

    events: list[tuple[Step, Subject]]
    before_ms: int | None
    older_than: int | None  # what was asked


def ledger(visit: Visit) -> LatestEvents:
    """The latest events, or those before a moment."""
    text = visit.asked.get("before", "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
    events, more = latest(visit.outside, A_PART, asked)
    return LatestEvents(events=events, before_ms=more, older_than=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneStory:
    """A part of a story."""

    name: str
    story: Story
    part: ListPart[int]


def story(visit: Visit) -> OneStory:
    """Why something is as it is, by any id. Raises NotFound."""
    name = visit.named.get("name") or visit.asked.get("id", "").strip()
    told, steps = chapter(visit.outside, name, visit.number("part"), A_PART)
    total = len(steps) + told.left_out
    number, parts = steps.start // A_PART + 1, max(1, -(-total // A_PART))
    return OneStory(
        name=name, story=told, part=ListPart(rows=steps, number=number, parts=parts, total=total)
    )


LEDGER: Final = Page(
    path="/ledger", title="Ledger", place="Ledger", template="ledger.html", look=ledger
)
ASKED_WHY: Final = Page(path="/why", title="Why", place="Ledger", template="why.html", look=story)
WHY: Final = Page(
    path="/ledger/{name:path}", title="Why", place="Ledger", template="why.html", look=story
)
