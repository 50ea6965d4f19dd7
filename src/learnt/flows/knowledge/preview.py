"""What another memory brings, looked at piece by piece: new, known, in dispute or refused.

Nothing is written. Pieces are compared with what is known here, and with those before them.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from shlex import quote
from typing import Final, Literal, assert_never

from msgspec import field
from msgspec.structs import replace

from learnt.core.events import Actor, Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.brought import Brought, is_of
from learnt.core.knowledge.entries import Stage, Suspicion
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Neighbour, Reject
from learnt.core.records import Record
from learnt.core.tokens import terms as terms_of
from learnt.flows.knowledge.capture import (
    MOST_TERMS,
    Offer,
    appraise,
    fingerprint,
    neighbours,
    ruled,
    tidied,
)
from learnt.flows.recall.search import entry_of, new_entries
from learnt.flows.sessions.locate import Located, find, look
from learnt.formats.seed_health import in_utc
from learnt.ports import Outside, Reader

State = Literal["new", "double", "disputed", "refused"]
NEAR: Final = 4  # pieces before it that each is compared with
ALIKE: Final = 0.3  # the least part of what a piece says that those have in common with it
COMMON: Final = 100  # pieces that a word is in which tells nothing
COMMANDS: Final = "it may tell your agent what to do"
WAITS: Final = "it waits here as a candidate: to take it is to confirm it"


class Appraised(Record, kw_only=True):
    """A piece, what would become of it and `why`; `entry` is what it would be, or doubles.

    `rivals` disputed it there, `against` says where these are from; `suspects` are here.
    """

    piece: Brought
    state: State
    offer: Offer
    entry: EntryId
    why: str = ""
    topic: str = ""
    rivals: tuple[EntryId, ...] = ()
    against: tuple[str, ...] = ()
    suspects: tuple[Suspicion, ...] = ()
    moment: tuple[int, ...] = ()


class Whither(Record, kw_only=True):
    """Where pieces are to hold, if a person `read` them; pieces `of` that project are ours."""

    folder: str
    read: bool = False
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
    done = list[Appraised]()
    with outside.ledger.reading() as reader:
        ids = entries or new_entries(outside, reader, len(pieces))
        located = None if to.everywhere else find(reader, look(outside, to.folder))
        drafts = dict(zip((piece.id for piece in pieces), ids, strict=True))
        known = _Known(outside, reader, to, located, drafts)
        for piece, draft in zip(pieces, ids, strict=True):
            done.append(replace(known.appraised(piece, draft), moment=reader.moment()))
            progress(len(done))
    return done


class _Known(Record):
    """What is known here, and the pieces that were looked at: `drafts` by their ids there."""

    outside: Outside
    reader: Reader
    to: Whither
    located: Located | None
    drafts: dict[str, EntryId]
    same: dict[tuple[bool, str], EntryId] = field(default_factory=dict)
    seen: list[Neighbour] = field(default_factory=list)
    places: dict[EntryId, str] = field(default_factory=dict)
    having: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def appraised(self, piece: Brought, draft: EntryId) -> Appraised:
        outside, to, located, piece = self.outside, self.to, self.located, piece.bounded()
        what, here = tidied(outside, piece.what)[0], not (to.everywhere or piece.everywhere)
        offer = Offer(
            what=what,
            actor=Actor.HUMAN,  # for whom it is looked at
            folder=to.folder if here else None,
            quoted=replace(piece.source, date=in_utc(piece.source.date or "") or None),
            came_from=Origin.MIXED,  # whoever runs the import did not write these
        )
        found = Appraised(piece=piece, state="refused", offer=offer, entry=draft)
        if why := piece.gone or self._strange(piece, what.kind):
            return replace(found, why=why)
        text, about = fingerprint(outside, what), what.subject
        same = self.same.get((here, text))
        if located or not here:
            scope = located.project if located and here else None
            same = self.reader.same_entry(text, scope) or same
        terms = set(list(dict.fromkeys(terms_of(about, outside.stem)))[:MOST_TERMS])
        near: list[Neighbour] = []
        if same is None:  # what is known word by word needs no comparing
            scopes = located.household if located else ()
            near = neighbours(outside, self.reader, about, scopes, everywhere=not here)
            near += self._before(terms)
        known = appraise(outside, offer, brought=True)
        found = replace(found, why=COMMANDS if known.commands.doubted else "")
        ruling = ruled(outside, offer, known, same, near)
        rivals = [self.drafts[name] for name in piece.disputes if name in self.drafts]
        match ruling.decision:
            case Reject(reason=reason):
                return replace(found, why=REASONS[reason])
            case Merge(into=into):
                old = entry_of(self.reader, into)
                waits = old is not None and old.stage is Stage.CANDIDATE
                why = (found.why or WAITS) * waits
                return replace(found, state="double", entry=into, why=why)
            case Admit(topic=topic) | Correct(topic=topic):  # whose words they are nobody saw
                pass
            case _:
                assert_never(ruling.decision)
        self._add(piece, Neighbour(
            id=draft,
            text=about,
            approach="" if what.is_fact else what.approach,
            fact=what.is_fact,
        ), terms)  # fmt: skip
        self.same[here, text] = draft
        return replace(
            found,
            state="disputed" if rivals else "new",
            topic=topic,
            rivals=tuple(dict.fromkeys(rivals)),
            against=tuple(self.places.get(rival, rival) for rival in dict.fromkeys(rivals)),
            suspects=ruling.suspects,
        )

    def _strange(self, piece: Brought, kind: str) -> str:
        if not self.outside.kinds.knows(kind):
            return f"no kind {kind[:60]} is known: a domain that has it is not enabled"
        if self.to.everywhere or piece.everywhere or piece.project in {"", self.to.of}:
            return ""
        if is_of(piece.project, str(self.outside.folders.facts(self.to.folder).root)):
            return ""
        name = quote(piece.project[:60])
        return f"it is of another project, {name}: import it there, or with `--of {name}` here"

    def _add(self, piece: Brought, one: Neighbour, terms: set[str]) -> None:
        self.places[one.id] = piece.place
        for term in terms:
            self.having[term].append(len(self.seen))
        self.seen.append(one)

    def _before(self, terms: set[str]) -> list[Neighbour]:
        """The pieces before that share most with one, the rarer the words the more."""
        places = {term: self.having.get(term, ()) for term in terms}
        rarity = {t: math.log(1 + len(self.seen) / max(1, len(places[t]))) for t in terms}
        shared: defaultdict[int, float] = defaultdict(float)
        for term in terms:
            for place in places[term] if len(places[term]) <= COMMON else ():
                shared[place] += rarity[term]
        least = ALIKE * sum(rarity.values())
        nearest = sorted(shared, key=lambda at: -shared[at])[:NEAR]
        return [self.seen[at] for at in nearest if shared[at] >= least]
