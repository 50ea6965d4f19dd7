"""What is found out of an offer before the gates decide: its subject, its neighbours, its worth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.confidence import TRUST_AT
from learnt.core.knowledge.drafts import MOST_ENTITIES, Fact, Offered, mentioned, tidy
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import Compared, Neighbour, Ruling, Voucher, both_halves, decide
from learnt.core.knowledge.relations import Relation
from learnt.core.knowledge.worth import SOUND
from learnt.core.tokens import terms as terms_of
from learnt.flows.knowledge.offers import Offer
from learnt.flows.recall.held import commanded
from learnt.flows.recall.search import entry_of, note_of
from learnt.ports import Outside, Reader

NEAR = 8
MOST_TERMS = 64


def tidied(outside: Outside, offered: Offered) -> tuple[Offered, tuple[str, ...]]:
    """It as it would be written, and the kinds of secret that were taken out of it.

    A fact that names nothing is about the things of enabled domains that its text names, or where
    no domain knows one, about whatever has a name in it.
    """

    def named_in(text: str) -> tuple[str, ...]:
        names = dict.fromkeys(name for about in outside.about(text) for name in about.entities)
        return tuple(names)[:MOST_ENTITIES] or mentioned(text)

    return tidy(offered, named_in)


def of_its_kind(outside: Outside, offered: Offered) -> Offered:
    """A fact that nobody named the kind of, with the kind by which a domain knows it."""
    if not isinstance(offered, Fact) or offered.entities:
        return offered
    kinds = (about.kind for about in outside.about(offered.text))
    kind = next((kind for kind in kinds if outside.kinds.knows(kind)), offered.kind)
    return replace(offered, kind=kind)


def neighbours(
    outside: Outside,
    reader: Reader,
    text: str,
    scopes: Sequence[ProjectId],
    *,
    everywhere: bool = True,
) -> list[Neighbour]:
    """The entries that these projects see and that share most with a text, nearest first.

    With `everywhere` the text is to hold in every project: what does so is of its own scope.
    """
    terms = list(dict.fromkeys(terms_of(text, outside.stem)))[:MOST_TERMS]
    if not terms:
        return []
    entries = (entry_of(reader, match.entry) for match in reader.match(terms, scopes, NEAR).best)
    return [
        _neighbour(outside, reader, entry, here=entry.scope in ({None} if everywhere else scopes))
        for entry in entries
        if entry is not None and entry.live
    ]


def _neighbour(outside: Outside, reader: Reader, entry: Entry, *, here: bool) -> Neighbour:
    note = note_of(reader, entry, outside.clock.now_ms(), outside.kinds)
    is_fact, validated = entry.text is not None, entry.stage is Stage.VALIDATED
    return Neighbour(
        id=entry.id,
        text=note.text if is_fact else note.problem,
        approach=note.approach,
        trusted=note.level is not None and note.level >= TRUST_AT,
        fact=is_fact,
        here=here,
        persons=validated and (entry.actor is Actor.HUMAN or entry.kind == "business_rule"),
    )


def ruled(
    outside: Outside, offer: Offer, duplicate: EntryId | None, near: Iterable[Neighbour]
) -> Ruling:
    """What the gates decide on an offer, by what the language room says of it."""
    what = offer.what
    by = Voucher(
        credibility=offer.credibility,
        person=offer.actor is Actor.HUMAN,
        insisted=offer.insisted and offer.origin is Origin.USER,
        own=offer.actor is Actor.HUMAN and offer.origin is Origin.USER,
        marked=offer.at_once,
        waits=bool(offer.waits),
    )
    is_fact, judged = isinstance(what, Fact), dict(offer.judged)
    compared = [
        _compared(outside, what, neighbour, judged)
        for neighbour in near
        if neighbour.fact is is_fact
    ]
    # A solution is not judged by its wording.
    worth = outside.language.worth(what.text) if isinstance(what, Fact) else SOUND
    said = commanded(outside, "\n".join(what.texts))
    return decide(what, by, duplicate, compared, worth=worth, said=said, kinds=outside.kinds)


def _compared(
    outside: Outside, offered: Offered, near: Neighbour, judged: Mapping[EntryId, Relation]
) -> Compared:
    """How an offer stands to an entry of its own form."""
    compare = outside.language.compare
    if isinstance(offered, Fact):
        comparison = compare(near.text, offered.text)
    else:
        problem = compare(near.text, offered.problem)
        comparison = both_halves(problem, compare(near.approach, offered.approach))
    # Where rules are not certain, the offer's own judgement decides.
    answer = judged.get(near.id)
    if answer is None or comparison.certain:
        return Compared(entry=near, comparison=comparison)
    return Compared(entry=near, comparison=replace(comparison, certain=False), judged=answer)
