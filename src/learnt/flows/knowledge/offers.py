"""An offer of knowledge: what is found out of it before the gates, and what became of it."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from learnt.core.address import Commanded
from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId, ProjectId
from learnt.core.knowledge.admission import SOUND, Worth
from learnt.core.knowledge.brought import Quoted
from learnt.core.knowledge.comparing import compare, corrects
from learnt.core.knowledge.drafts import MOST_ENTITIES, Fact, Offered, mentioned, tidy
from learnt.core.knowledge.entries import CREDIBILITY, Entry, Stage
from learnt.core.knowledge.gates import Compared, Decision, Neighbour, Ruling, Voucher, decide
from learnt.core.records import Record
from learnt.core.tokens import terms as terms_of
from learnt.flows.recall.search import commanded, entry_of, note_of
from learnt.formats.injection import Rival
from learnt.ports import Outside, Reader


class Offer(Record, kw_only=True):
    """Knowledge on its way in: whose it is, and where it is to hold."""

    what: Offered
    actor: Actor
    folder: str | None = None  # None: everywhere
    quoted: Quoted | None = None
    witness: str = ""  # who vouches for it, a name in CREDIBILITY; empty for whoever acts
    session: str = ""  # the agent's, as it named it
    evidence: str = ""  # the id of a tool call that shows it
    repeats: EntryId | None = None  # by the word of the program that extracted it
    insisted: bool = False  # by a person, on what it is worth
    cites: tuple[str, ...] = ()  # what in the folder's project it can be seen by
    # Of what Learnt found itself:
    lesson: str = ""  # its sort
    episode: str = ""  # the prompt that it was found in
    came_from: Origin | None = None
    utterance: str = ""  # names one prompt of a person's
    at_once: bool = False  # marked to be remembered, and decided while that prompt is answered
    waits: str = ""  # why a person has yet to look at it: it stays a candidate
    picked: bool = False  # an agent picked it, and it was proved that a person typed it

    @property
    def origin(self) -> Origin:
        """A person at a terminal speaks for themselves; any other caller is the agent."""
        if self.came_from is not None:
            return self.came_from
        return Origin.USER if self.actor is Actor.HUMAN else Origin.ASSISTANT

    @property
    def credibility(self) -> int:
        """How far the witness is believed, in thousandths."""
        own = "human" if self.actor is Actor.HUMAN else "agent"
        return CREDIBILITY["tool" if self.evidence else self.witness or own]


class OfferOutcome(Record, kw_only=True):
    """What became of an offer."""

    entry: EntryId
    ruling: Ruling
    stage: Stage
    redacted: tuple[str, ...] = ()  # the kinds of secret that were taken out
    upward: str = ""  # the kind of entry that this session's facts on it call for next
    unsure: tuple[Rival, ...] = ()  # notes that it may repeat or contradict
    counted: bool = True  # False where it repeats what its witness said before

    @property
    def decision(self) -> Decision:
        """What the gates decided."""
        return self.ruling.decision


NEAR = 8
MOST_TERMS = 64
PERSONS_KINDS = frozenset({"business_rule", "rule"})  # only a person changes these


def tidied(outside: Outside, offered: Offered) -> tuple[Offered, tuple[str, ...]]:
    """An offer as it would be written, with names found in it, and the secrets taken out."""

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
    """The entries that share most with a text; `everywhere`: it is to hold in every project."""
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


class Appraisal(Record):
    """What is known of an offer by itself: who vouches for it, its worth, and what it demands."""

    by: Voucher
    worth: Worth
    said: Commanded


def appraise(outside: Outside, offer: Offer, *, brought: bool = False) -> Appraisal:
    """An offer by itself. No rule judges a solution's wording, or what a person `brought`."""
    what = offer.what
    by = Voucher(
        credibility=offer.credibility,
        person=offer.actor is Actor.HUMAN,
        insisted=offer.insisted and offer.origin is Origin.USER,
        own=offer.actor is Actor.HUMAN and offer.origin is Origin.USER,
        marked=offer.at_once,
        waits=bool(offer.waits),
    )
    worth = SOUND
    if isinstance(what, Fact) and not brought:
        worth = outside.language.worth(what.text)
    return Appraisal(by=by, worth=worth, said=commanded(outside.language, "\n".join(what.texts)))


def ruled(
    outside: Outside,
    offer: Offer,
    known: Appraisal,
    duplicate: EntryId | None,
    near: Iterable[Neighbour],
) -> Ruling:
    """What the gates decide on an offer beside the entries that are near to it."""
    what = offer.what
    is_fact, same = isinstance(what, Fact), duplicate or offer.repeats
    compared = [_compared(outside, offer, each) for each in near if each.fact is is_fact]
    return decide(
        what, known.by, same, compared, worth=known.worth, said=known.said, kinds=outside.kinds
    )


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
    return Compared(near, replace(problems, sort="same" if same else None))
