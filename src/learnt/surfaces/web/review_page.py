"""Review: the one queue, and one item of it as a person decides on it."""

import hashlib
from typing import Final
from urllib.parse import quote

from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.records import Record
from learnt.errors import NotFound
from learnt.flows.governance.explain import Story, explain
from learnt.flows.governance.listing import ProposalTexts
from learnt.flows.governance.review import ReviewItem, pieces
from learnt.flows.health.evaluate import WindowComparison
from learnt.flows.knowledge.rewording import sheet_of
from learnt.flows.knowledge.standing import alike
from learnt.flows.recall.search import entry_of
from learnt.formats.injection import Note
from learnt.formats.sheet_md import written
from learnt.ports import Outside
from learnt.surfaces.cli.context import Call
from learnt.surfaces.cli.evolve import Look, looked_at
from learnt.surfaces.web.pages import Answer, Page, Visit, part_of, sorts_of

MOST_STEPS: Final = 30  # of a story
_WITHOUT_STORY: Final = {ReviewSort.IMPORT, ReviewSort.RULES, ReviewSort.REGRESSION}


class ReviewedItem(Record, kw_only=True):
    """An item with all that its decision needs. `seen` is the seal of what is shown of it.

    `position` counts from 1, beyond `waiting` for a piece of an import; `look` is a proposal's,
    `twin` is what a candidate may repeat.
    """

    item: ReviewItem
    position: int
    waiting: int
    before: ReviewItem | None
    after: ReviewItem | None
    seen: str
    look: Look | None = None
    comparison: WindowComparison | None = None
    twin: Note | None = None
    texts: tuple[Answer, ...] = ()
    stories: tuple[Story, ...] = ()


def review(visit: Visit) -> Answer:
    """The queue, what is worth most first."""
    items = visit.waiting.items(visit.outside, visit.folder)
    sorts = [sort for sort in ReviewSort if visit.asked.get("sort") == sort]
    chosen = [item for item in items if not sorts or item.sort in sorts]
    return dict(
        waiting=len(items),
        sorts=sorts_of(items),
        sort=sorts[0] if sorts else "",
        part=part_of(chosen, visit.number("part")),
    )


def reviewed(visit: Visit) -> ReviewedItem:
    """One item, found again. Raises NotFound where it does not wait any more."""
    items = visit.waiting.items(visit.outside, visit.folder)
    waiting, named = len(items), (visit.named["sort"], visit.named["id"])
    brought = (item for item in items if item.sort is ReviewSort.IMPORT)
    items = [*items, *(piece for item in brought for piece in pieces(item))]
    at = next((at for at, each in enumerate(items) if (each.sort, each.id) == named), None)
    item = None if at is None else visit.waiting.as_now(visit.outside, items[at])
    if at is None or item is None:
        visit.waiting.forget()
        raise NotFound(
            f"{named[1]} does not wait any more as it did: somebody decided on it, or it changed. "
            "The queue has what waits now, the ledger its story."
        )
    outside, look, twin, stories = visit.outside, None, None, list[Story]()
    if isinstance(item.found, ProposalTexts):
        look = looked_at(call_of(visit), outside, item.found)
    if ReviewChoice.MERGE in item.choices and len(item.parts) == 1:
        with outside.ledger.reading() as reader:
            entry = entry_of(reader, item.parts[0].id)
        twin = alike(outside, visit.folder, entry) if entry else None
    if item.sort not in _WITHOUT_STORY:
        names: list[str] = [part.id for part in item.parts] or [item.id]
        stories = [explain(outside, name, MOST_STEPS) for name in names]
    return ReviewedItem(
        item=item,
        position=at + 1,
        waiting=waiting,
        before=items[at - 1] if at not in {0, waiting} else None,
        after=items[at + 1] if at + 1 not in {waiting, len(items)} else None,
        seen=seal(item, look),
        look=look,
        comparison=item.found if isinstance(item.found, WindowComparison) else None,
        twin=twin,
        texts=_texts(outside, item),
        stories=tuple(stories),
    )


def path_of(item: ReviewItem) -> str:
    """Where an item has its page."""
    return f"/review/{item.sort}/{quote(item.id, safe='')}"


def call_of(visit: Visit) -> Call:
    """The command's own call, by which a proposal is looked at and accepted as in `review`."""
    return Call(str(visit.settings.home), visit.folder, as_json=False)


def seal(item: ReviewItem, look: Look | None) -> str:
    """What a decision is bound to: the texts that were shown, and of a proposal its place."""
    shown = (item.sort, item.id, item.subject, *((part.id, part.text) for part in item.parts))
    place = (look.shown.seal, look.shown.content) if look else ()
    return hashlib.sha256(repr((*shown, *place)).encode("utf-8", "replace")).hexdigest()[:16]


def _texts(outside: Outside, item: ReviewItem) -> tuple[Answer, ...]:
    """Its entries or draft as texts that a person would change; a solution's parts are labelled."""
    if ReviewChoice.EDIT not in item.choices:
        return ()
    if isinstance(item.found, ProposalTexts):
        return (dict(id="", text=item.found.draft, labelled=False),)
    sheets = ((part.id, sheet_of(outside, part.id)) for part in item.parts)
    return tuple(
        dict(id=id, text=written(sheet, ""), labelled=not sheet.text) for id, sheet in sheets
    )


REVIEW: Final = Page("/review", "Review", "Review", "review.html", review)
ITEM: Final = Page("/review/{sort}/{id:path}", "Review", "Review", "review_item.html", reviewed)
