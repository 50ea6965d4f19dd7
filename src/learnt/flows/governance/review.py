"""What waits for a person, in one queue: the worst first, each with the reasons and the choices."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

from msgspec.structs import replace

from learnt.core.events import Actor, Origin
from learnt.core.governance.proposals import OF_SKILLS, Proposal, Status, text_hash
from learnt.core.governance.review import SORT_OF, ReviewChoice, ReviewSigns, ReviewSort, worth
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.confidence import Trust
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import REASONS
from learnt.core.knowledge.kinds import RULE
from learnt.core.records import APART, Record
from learnt.errors import LearntError
from learnt.flows.governance.decisions import recorded
from learnt.flows.governance.listing import ProposalTexts, listed
from learnt.flows.health.evaluate import WindowComparison, comparisons
from learnt.flows.knowledge.relating import Dispute, disputes, stands
from learnt.flows.knowledge.standing import (
    LATELY_MS,
    Fresh,
    Lately,
    Unproven,
    candidates,
    freshness,
    lately,
)
from learnt.flows.recall.search import entry_of, note_of
from learnt.formats.injection import Note, cited, day
from learnt.formats.saved import WAITS
from learnt.ports import Outside, Reader

Found = WindowComparison | Dispute | ProposalTexts | list[Unproven] | tuple[Fresh, ...] | Fresh


class ReviewPart(Record):
    """An entry that is decided on: what it says, whose it is, and what was said for it."""

    id: EntryId
    text: str
    trust: str
    kept_ms: int
    kept_by: str
    said_for: tuple[str, ...] = ()


class ReviewItem(Record):
    """Something that waits for a person's decision.

    `id` is an entry's, a proposal's, an import's, a skill's name, `rules`, or of a dispute the two
    entries' with `+` between them. `worth` orders it, `reasons` say in words why it is looked at,
    `choices` are what may be decided. `parts` are the entries that it is about: of a dispute the
    older side first. `found` is what it was made of.
    """

    id: str
    sort: ReviewSort
    subject: str
    worth: int
    reasons: tuple[str, ...]
    choices: tuple[ReviewChoice, ...]
    since_ms: int
    found: Annotated[Found, APART]
    parts: tuple[ReviewPart, ...] = ()


_SORTS: Final = tuple(ReviewSort)
_OF_ENTRIES: Final = (
    ReviewChoice.ACCEPT, ReviewChoice.EDIT, ReviewChoice.MERGE, ReviewChoice.REJECT
)  # fmt: skip
_OF_DISPUTES: Final = (
    ReviewChoice.ACCEPT, ReviewChoice.BOTH, ReviewChoice.EDIT, ReviewChoice.MERGE
)  # fmt: skip
_OF_REGRESSIONS: Final = (ReviewChoice.ROLL_BACK, ReviewChoice.KEEP, ReviewChoice.INVESTIGATE)
_DECIDED: Final[tuple[ReviewChoice, ...]] = (ReviewChoice.ACCEPT, ReviewChoice.REJECT)


def queue(outside: Outside, folder: str) -> list[ReviewItem]:
    """All that waits for a person, as seen from a folder: by worth, sort, and newest first.

    A disputed entry waits as its dispute alone, the candidates of one import as one item.
    """
    now = outside.clock.now_ms()
    with outside.ledger.reading() as reader:
        late = lately(reader, now)
    in_dispute = [_dispute(each, late) for each in disputes(outside, folder)]
    named = {part.id for item in in_dispute for part in item.parts}
    fresh = [each for each in freshness(outside, folder) if each.id not in named]
    items = [
        *map(_regression, comparisons(outside, waiting=True)),
        *in_dispute,
        *(_proposal(outside, each, now) for each in listed(outside, [Status.PENDING])),
        *_candidates(outside, folder, late, named),
    ]
    with outside.ledger.reading() as reader:
        items += [*_validated(reader, fresh, late), *_rules(outside, reader, fresh)]
    items.sort(key=lambda item: item.id, reverse=True)
    return sorted(items, key=lambda i: (-i.worth, _SORTS.index(i.sort), -i.since_ms))


def pieces(item: ReviewItem) -> list[ReviewItem]:
    """The candidates of an import one by one, for whoever would rather look at each."""
    unproven = item.found if item.sort is ReviewSort.IMPORT else []
    assert isinstance(unproven, list)
    alone = replace(item, sort=ReviewSort.CANDIDATE, choices=_OF_ENTRIES)
    return [
        replace(alone, id=part.id, subject=part.text, parts=(part,), found=[each])
        for part, each in zip(item.parts, unproven, strict=True)
    ]


def waits(outside: Outside, folder: str) -> Mapping[str, int]:
    """How much of each sort waits for a person, in the order of the sorts."""
    counts = Counter(item.sort for item in queue(outside, folder))
    return {str(sort): counts[sort] for sort in _SORTS if counts[sort]}


def still_waits(outside: Outside, item: ReviewItem) -> bool:
    """Whether it waits still: somebody may have decided on it meanwhile."""
    with outside.ledger.reading() as reader:
        match item.found:
            case Dispute(older=older, newer=newer):
                return stands(reader, older.id, newer.id)
            case ProposalTexts():
                proposal = recorded(item.id, reader)
                return bool(proposal and proposal.status is Status.PENDING and proposal.draft)
            case WindowComparison():
                return True  # deciding looks again
            case Fresh(entry=was):
                entry = entry_of(reader, was.id)
                return bool(entry and entry.live and entry.standing == was.standing)
            case each_one:
                entries = [entry_of(reader, each.entry.id) for each in each_one]
                if item.sort is ReviewSort.RULES:
                    return any(entry and may_be_rule(entry) for entry in entries)
                return any(e and e.live and e.stage is Stage.CANDIDATE for e in entries)


def may_be_rule(entry: Entry) -> bool:
    """Whether its person may be asked if it is a rule: a fact that they typed, not asked about."""
    typed = entry.actor is Actor.HUMAN and entry.origin is Origin.USER and entry.text is not None
    asked = entry.kind == RULE or entry.classed
    return typed and not asked and entry.live and entry.stage is Stage.VALIDATED


def _part(note: Note, said_for: tuple[str, ...] = ()) -> ReviewPart:
    return ReviewPart(note.id, note.said, note.trust, note.kept_ms, note.kept_by, said_for)


def _standing(reader: Reader, fresh: Fresh) -> ReviewPart:
    return replace(_part(note_of(reader, fresh.entry)), trust=fresh.trust)


def _in_words(signs: ReviewSigns) -> Iterator[str]:
    """The signs in words."""
    if signs.moved:
        yield "the file that it would change is another one by now"
    if signs.argued:
        yield f"{signs.argued} argument(s) for a side"
    if signs.wanted:
        yield f"{signs.wanted} prompt(s) looked for it"
    if signs.given:
        yield f"shown {signs.given} time(s) of late"


def _regression(shown: WindowComparison) -> ReviewItem:
    return ReviewItem(
        id=shown.skill,
        sort=ReviewSort.REGRESSION,
        subject=f"{shown.skill}: {shown.parent} → {shown.version}",
        worth=worth(ReviewSort.REGRESSION, ReviewSigns()),
        reasons=("its new text did no better than the one before",),
        choices=_OF_REGRESSIONS,
        since_ms=shown.begun_ms,
        found=shown,
    )


def _dispute(dispute: Dispute, late: Lately) -> ReviewItem:
    older, newer = dispute.older, dispute.newer
    argued = len(dispute.for_older) + len(dispute.for_newer)
    signs = ReviewSigns(given=late.given[older.id] + late.given[newer.id], argued=argued)
    return ReviewItem(
        id=f"{older.id}+{newer.id}",
        sort=ReviewSort.DISPUTE,
        subject=f"{older.said} / {newer.said}",
        worth=worth(ReviewSort.DISPUTE, signs),
        reasons=(
            "both may say the same" if dispute.same else "both may not hold",
            *_in_words(signs),
        ),
        choices=_OF_DISPUTES,
        since_ms=newer.kept_ms,
        parts=(_part(older, dispute.for_older), _part(newer, dispute.for_newer)),
        found=dispute,
    )


def _proposal(outside: Outside, texts: ProposalTexts, now_ms: int) -> ReviewItem:
    proposal, sort = texts.proposal, SORT_OF.get(texts.proposal.kind, ReviewSort.SKILL)
    evidence = proposal.evidence
    wanted = evidence.count if evidence.last_ms and now_ms - evidence.last_ms <= LATELY_MS else 0
    signs = ReviewSigns(wanted=wanted, moved=_moved(outside, proposal, texts.target))
    choices = _DECIDED
    if sort is ReviewSort.DRAFT and proposal.bundle is None:
        choices = (ReviewChoice.ACCEPT, ReviewChoice.EDIT, ReviewChoice.REJECT)
    return ReviewItem(
        id=proposal.id,
        sort=sort,
        subject=texts.target,
        worth=worth(sort, signs),
        reasons=(texts.rationale, *_in_words(replace(signs, wanted=0))),  # the rationale has counts
        choices=choices,
        since_ms=proposal.proposed_ms,
        found=texts,
    )


def _moved(outside: Outside, proposal: Proposal, target: str) -> bool:
    """Whether the file of a skill is no longer the text that a proposal was written for."""
    if proposal.kind not in OF_SKILLS:
        return False
    try:
        return text_hash(outside.documents.read(target)) != proposal.base
    except LearntError:
        return True  # whatever is there now, it is no text


def _candidates(
    outside: Outside, folder: str, late: Lately, in_dispute: set[EntryId]
) -> Iterator[ReviewItem]:
    groups: defaultdict[str, list[Unproven]] = defaultdict(list)
    for unproven in candidates(outside, folder):
        if unproven.note.id not in in_dispute:
            groups[unproven.brought or unproven.note.id].append(unproven)
    for name, group in groups.items():
        parts = tuple(_part(unproven.note) for unproven in group)
        signs = ReviewSigns(
            given=sum(late.given[part.id] for part in parts),
            wanted=sum(late.wanted[part.id] for part in parts),
        )
        since, many = max(part.kept_ms for part in parts), len(parts) > 1
        sort = ReviewSort.IMPORT if many else ReviewSort.CANDIDATE
        brought = f"An import of {len(parts)} pieces, brought {parts[0].kept_by} on {day(since)}"
        yield ReviewItem(
            id=name if many else parts[0].id,
            sort=sort,
            subject=brought if many else parts[0].text,
            worth=worth(sort, signs),
            reasons=(
                WAITS.get(group[0].entry.doubt, "nobody has vouched for it"),
                *_in_words(signs),
            ),
            choices=_DECIDED if many else _OF_ENTRIES,
            since_ms=since,
            parts=parts,
            found=group,
        )


def _rules(outside: Outside, reader: Reader, fresh: Sequence[Fresh]) -> Iterator[ReviewItem]:
    """A person's own notes that read as standing rules, all together; none that weakens a guard."""
    says, typed = outside.language, (fact for fact in fresh if may_be_rule(fact.entry))
    rules = [e for e in typed if says.lays_down(e.text) and not says.weakens(e.text)]
    if not rules:
        return
    parts = tuple(_standing(reader, fact) for fact in rules)
    yield ReviewItem(
        id=str(ReviewSort.RULES),
        sort=ReviewSort.RULES,
        subject=f"{len(rules)} note(s) of yours read as standing rules",
        worth=worth(ReviewSort.RULES, ReviewSigns()),
        reasons=("a rule is shown whole at each session's start, and before what it governs",),
        choices=_DECIDED,
        since_ms=max(fact.entry.remembered_ms for fact in rules),
        parts=parts,
        found=tuple(rules),
    )


def _validated(reader: Reader, fresh: Sequence[Fresh], late: Lately) -> Iterator[ReviewItem]:
    """What is not to be relied on as it stands, and a person's words that the gates doubted."""
    for fact in fresh:
        entry = fact.entry
        stale = fact.trust != Trust.TRUST and not (fact.rivals or entry.picked)
        if not (stale or entry.doubt):
            continue
        sort = ReviewSort.STALE if stale else ReviewSort.AS_IT_STANDS
        signs = ReviewSigns(given=late.given[fact.id])
        why = [text for cite in fact.cites if (text := cited(cite))]
        if stale and not why:
            why = [f"its confidence has faded to {fact.confidence or 0:.2f}"]
        if entry.picked:
            why.append("the agent picked it out of your words, and you have not confirmed it")
        elif entry.doubt:
            why.append(f"kept as it stands: {REASONS.get(entry.doubt, entry.doubt)}")
        part = _standing(reader, fact)
        yield ReviewItem(
            id=fact.id,
            sort=sort,
            subject=part.text,
            worth=worth(sort, signs),
            reasons=(*why, *_in_words(signs)),
            choices=_OF_ENTRIES,
            since_ms=entry.remembered_ms,
            parts=(part,),
            found=fact,
        )
