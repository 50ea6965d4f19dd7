"""What another memory brings, looked at piece by piece: new, known, in dispute or refused.

Nothing is written. Pieces are compared with what is known here, and with those before them.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId, ProjectId, entry_id
from learnt.core.knowledge.brought import Brought, is_of
from learnt.core.knowledge.drafts import Fact, Offered, normalised, subject
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Neighbour, Reject
from learnt.core.tokens import terms as terms_of
from learnt.flows.knowledge.appraising import MOST_TERMS, neighbours, ruled, tidied
from learnt.flows.knowledge.offers import Offer
from learnt.flows.knowledge.recording import fingerprint
from learnt.flows.sessions.locate import find, look
from learnt.formats.seed_health import in_utc
from learnt.ports import Outside, Reader

State = Literal["new", "double", "disputed", "refused"]
NEAR: Final = 4  # pieces before it that each is compared with
ALIKE: Final = 0.3  # the least part of what a piece says that those have in common with it
COMMON: Final = 100  # pieces that a word is in which tells nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Appraised:
    """A piece, and what would become of it.

    `entry` is what it would be, or the entry that it doubles; `rivals` are those in dispute with
    it, and `against` says where these are from; `why` a reason in words; `moment` when this was
    looked at.
    """

    piece: Brought
    state: State
    offer: Offer
    entry: EntryId
    why: str = ""
    topic: str = ""
    rivals: tuple[EntryId, ...] = ()
    against: tuple[str, ...] = ()
    moment: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Whither:
    """Where pieces are to hold, and who brings them.

    `of` is the name of another project whose pieces are taken for this one's.
    """

    folder: str
    actor: Actor
    everywhere: bool = False
    of: str = ""


def preview(
    outside: Outside,
    pieces: Sequence[Brought],
    to: Whither,
    *,
    entries: Sequence[EntryId] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> list[Appraised]:
    """What would become of each piece; `entries` are the ids that they were to have before."""
    now, root = outside.clock.now_ms(), str(outside.folders.facts(to.folder).root)
    drafts = entries or [
        entry_id(now + number, outside.random.bytes(3)) for number in range(len(pieces))
    ]
    with outside.ledger.reading() as reader:
        located = None if to.everywhere else find(reader, look(outside, to.folder))
        known = _Known(
            outside=outside,
            reader=reader,
            scope=located.project if located else None,
            scopes=located.household if located else (),
            ids=dict(zip((piece.id for piece in pieces), drafts, strict=True)),
        )
        done = []
        for piece, draft in zip(pieces, drafts, strict=True):
            done.append(replace(known.appraised(piece, draft, to, root), moment=reader.moment()))
            progress(len(done))
    return done


class _Known:
    """What is known here, and the pieces that were looked at."""

    def __init__(
        self,
        *,
        outside: Outside,
        reader: Reader,
        scope: ProjectId | None,
        scopes: Sequence[ProjectId],
        ids: dict[str, EntryId],
    ) -> None:
        self._outside, self._reader, self._scopes, self._ids = outside, reader, scopes, ids
        self._scope = scope
        self._same: dict[tuple[bool, str], EntryId] = {}
        self._seen: list[Neighbour] = []
        self._places: dict[EntryId, str] = {}
        self._with: defaultdict[str, list[int]] = defaultdict(list)

    def appraised(self, piece: Brought, draft: EntryId, to: Whither, root: str) -> Appraised:
        outside, here = self._outside, not (to.everywhere or piece.everywhere)
        what, _ = tidied(outside, piece.what)
        human = to.actor is Actor.HUMAN
        offer = Offer(
            what=what,
            actor=to.actor,
            folder=to.folder if here else None,
            quoted=replace(piece.source, date=in_utc(piece.source.date or "") or None),
            witness="" if human else "indirect",  # whoever runs the import did not write these
            came_from=Origin.MIXED,
        )
        found = Appraised(piece=piece, state="refused", offer=offer, entry=draft)
        if why := piece.gone or self._strange(piece, to, root):
            return replace(found, why=why)
        text = fingerprint(outside, normalised(what))
        scope = self._scope if here else None
        known_as = self._reader.same_entry(text, scope) if scope or not here else None
        same = known_as or self._same.get((here, text))
        terms = set(list(dict.fromkeys(terms_of(subject(what), outside.stem)))[:MOST_TERMS])
        near: list[Neighbour] = []
        if same is None:  # what is known word by word needs no comparing
            about = subject(what)
            near = neighbours(outside, self._reader, about, self._scopes, everywhere=not here)
            near += self._before(terms)
        ruling = ruled(outside, offer, same, near)
        rivals = tuple(self._ids[name] for name in piece.disputes if name in self._ids)
        match ruling.decision:
            case Reject(reason=reason):
                return replace(found, why=REASONS[reason])
            case Merge(into=into):
                return replace(found, state="double", entry=into)
            case Correct(entry=other, topic=topic):
                # What is older than the import may be newer than what it brings: a person settles.
                rivals = (other, *ruling.disputes, *rivals)
            case Admit(topic=topic):
                rivals = (*ruling.disputes, *rivals)
            case _:
                assert_never(ruling.decision)
        self._same[here, text] = draft
        self._add(piece, what, draft, terms)
        rivals = tuple(dict.fromkeys(rivals))
        against = tuple(self._places.get(rival, rival) for rival in rivals)
        state: State = "disputed" if rivals else "new"
        return replace(found, state=state, topic=topic, rivals=rivals, against=against)

    def _strange(self, piece: Brought, to: Whither, root: str) -> str:
        if not self._outside.kinds.knows(piece.what.kind):
            return f"no kind {piece.what.kind[:60]} is known: a domain that has it is not enabled"
        if piece.project in {"", to.of} or to.everywhere or piece.everywhere:
            return ""
        if is_of(piece.project, root):
            return ""
        name = piece.project[:60]
        return f"it is of another project, {name}: import it there, or with `--of {name}` here"

    def _add(self, piece: Brought, what: Offered, draft: EntryId, terms: set[str]) -> None:
        self._places[draft] = piece.place
        fact = isinstance(what, Fact)
        approach = "" if isinstance(what, Fact) else what.approach
        one = Neighbour(id=draft, text=subject(what), approach=approach, trusted=True, fact=fact)
        self._seen.append(one)
        for term in terms:
            self._with[term].append(len(self._seen) - 1)

    def _before(self, terms: set[str]) -> Iterator[Neighbour]:
        """The pieces before that share most with one, the rarer the words the more."""
        rarity = {
            term: math.log(1 + len(self._seen) / max(1, len(self._with.get(term, ()))))
            for term in terms
        }
        shared: defaultdict[int, float] = defaultdict(float)
        for term in terms:
            places = self._with.get(term, ())
            for place in places if len(places) <= COMMON else ():
                shared[place] += rarity[term]
        least = ALIKE * sum(rarity.values())
        nearest = sorted(shared, key=lambda at: -shared[at])[:NEAR]
        yield from (self._seen[at] for at in nearest if shared[at] >= least)
