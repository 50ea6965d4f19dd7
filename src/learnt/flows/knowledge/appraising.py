"""What is found out of an offer before the gates decide: its subject, its neighbours, its worth."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.comparing import compare, corrects
from learnt.core.knowledge.drafts import MOST_ENTITIES, Fact, Offered, mentioned, tidy
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import Compared, Neighbour, Ruling, Voucher, decide
from learnt.core.knowledge.worth import SOUND
from learnt.core.tokens import terms as terms_of
from learnt.flows.knowledge.offers import Offer
from learnt.flows.recall.held import commanded
from learnt.flows.recall.search import entry_of, note_of
from learnt.ports import Outside, Reader

NEAR = 8
MOST_TERMS = 64
PERSONS_KINDS = frozenset({"business_rule", "rule"})  # only a person changes these


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
        _neighbour(reader, entry, here=entry.scope in ({None} if everywhere else scopes))
        for entry in entries
        if entry is not None and entry.live
    ]


def _neighbour(reader: Reader, entry: Entry, *, here: bool) -> Neighbour:
    note, is_fact = note_of(reader, entry), entry.text is not None
    validated = entry.stage is Stage.VALIDATED
    return Neighbour(
        id=entry.id,
        text=note.text if is_fact else note.problem,
        approach=note.approach,
        fact=is_fact,
        here=here,
        persons=validated and (entry.actor is Actor.HUMAN or entry.kind in PERSONS_KINDS),
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
    is_fact, same = isinstance(what, Fact), duplicate or offer.repeats
    compared = [_compared(outside, offer, each) for each in near if each.fact is is_fact]
    # A solution is not judged by its wording.
    worth = outside.language.worth(what.text) if isinstance(what, Fact) else SOUND
    said = commanded(outside.language, "\n".join(what.texts))
    return decide(what, by, same, compared, worth=worth, said=said, kinds=outside.kinds)


def _compared(outside: Outside, offer: Offer, near: Neighbour) -> Compared:
    """How an offer stands to an entry of its own form."""
    what, stem = offer.what, outside.stem
    if isinstance(what, Fact):
        own = offer.origin is Origin.USER
        corrected = own and corrects(what.text, near.text, stem)
        return Compared(near, compare(near.text, what.text, stem), corrected)
    problems = compare(near.text, what.problem, stem)
    # One problem may have many approaches: a solution contradicts none.
    same = problems.sort == compare(near.approach, what.approach, stem).sort == "same"
    return Compared(near, problems._replace(sort="same" if same else None))
