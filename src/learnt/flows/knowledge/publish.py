"""Validated facts become topic files for agents to read: each change of a file is a proposal."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from learnt.core.events import Actor, Draft, Kind, payload_of
from learnt.core.governance.proposals import (
    Evidence,
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    text_hash,
)
from learnt.core.identifiers import (
    EntryId,
    ProjectId,
    ProposalId,
    Subject,
    entry_subject,
    proposal_subject,
)
from learnt.core.knowledge.confidence import VERIFY_AT
from learnt.core.knowledge.entries import Entry, level
from learnt.core.knowledge.topics import Published, Topic, lay_out
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.proposal_events import Decided, Proposed
from learnt.flows.governance.decisions import Decider, proposals, record
from learnt.flows.knowledge.accepted_edits import take_in
from learnt.flows.knowledge.freshness import validated
from learnt.flows.plans import PATIENT_LOOKS, Plan, Snapshot, carry_out
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import located_at, look
from learnt.formats import topic_md
from learnt.ports import Outside, Reader, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What publishing gave: new proposals, topics whose file is as it should be, and the rest.

    `corrected` are entries that an accepted edit of a topic put right, `waiting` facts too few for
    a topic, `stale` those to be found out anew first.
    """

    new: tuple[ProposalId, ...] = ()
    unchanged: tuple[str, ...] = ()
    corrected: tuple[EntryId, ...] = ()
    waiting: tuple[EntryId, ...] = ()
    stale: tuple[EntryId, ...] = ()
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A topic's file as it should be, and as it was accepted last (None: there is none)."""

    name: str
    text: str
    before: str | None
    facts: int = 0
    new: int = 0


def publish(
    outside: Outside,
    folder: str,
    actor: Actor,
    *,
    skill: str = "",
    everywhere: bool = False,
    gone: Collection[ProposalId] = (),
) -> Publication:
    """Propose each topic file that differs from what was accepted; nothing else is written.

    The facts are those of the folder's project, or with `everywhere` those of no project; they go
    beside the skill of that name, where one is given. What is `gone` from the disk is proposed
    again.
    """
    within = f"skills/{skill}/references/" if skill else "knowledge/"
    located = None if everywhere else located_at(outside, look(outside, folder))
    scope = located.project if located else None
    scopes = set[ProjectId | None](located.household) if located else {None}
    with outside.ledger.reading() as reader:
        accepted = _accepted(reader, within, scope, gone)
        named = _named_anywhere(reader, gone)
    corrected, findings = take_in(outside, accepted.values(), named)
    shelf = _Shelf(within=within, scope=scope, scopes=frozenset(scopes), gone=frozenset(gone))
    published = carry_out(
        outside.ledger,
        partial(_planned, outside, shelf, actor),
        "What is to be published, or a proposal of it,",
        looks=PATIENT_LOOKS,
    )
    return replace(published, corrected=tuple(corrected), findings=(*findings, *published.findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shelf:
    """Where topics are published: below which folder, of which projects' facts."""

    within: str
    scope: ProjectId | None
    scopes: frozenset[ProjectId | None]
    gone: frozenset[ProposalId]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proposed:
    """A text for a topic's file as it is to be proposed; `overtaken` waited for the same file.

    `again` is how often the same was withdrawn before.
    """

    id: ProposalId
    file: _File
    target: str
    base: str
    again: int
    overtaken: tuple[Proposal, ...]


def _planned(outside: Outside, shelf: _Shelf, actor: Actor) -> Plan[Publication]:
    now, policies = outside.clock.now_ms(), outside.kinds.policies
    with outside.ledger.reading() as reader:
        moment = reader.moment()
        accepted = _accepted(reader, shelf.within, shelf.scope, shelf.gone)
        facts = [entry for entry in validated(reader, shelf.scopes) if entry.text is not None]
        fresh = [one for one in facts if (level(one, now, policies) or 0.0) >= VERIFY_AT]
        texts = {name: _text(reader, one) for name, one in accepted.items()}
        published = [_published(reader, entry) for entry in fresh]
    layout = lay_out(published, texts)
    files = _files(layout.topics, texts)
    changed = [file for file in files if file.text != file.before]
    with outside.ledger.reading() as reader:
        proposed = _drawn_up(outside, reader, shelf, changed)
    publication = Publication(
        unchanged=tuple(file.name for file in files if file.text == file.before),
        waiting=tuple(fact.id for fact in layout.waiting),
        stale=tuple(entry.id for entry in facts if entry not in fresh),
        findings=layout.findings,
    )

    def write(writer: Writer) -> Publication:
        new = [one.id for one in proposed if _propose(outside, writer, one, (shelf.scope, actor))]
        return replace(publication, new=tuple(new))

    own = frozenset(entry_subject(entry.id) for entry in fresh)
    rests_on = Snapshot(ask=partial(_moved, moment, own), seen=frozenset[Subject](), moment=moment)
    return Plan(rests_on=rests_on, write=write)


# Each may change what is published; a recall of an entry does not.
_MOVES = frozenset(Kind) - {Kind.REUSED, Kind.NOT_DELIVERED, Kind.RECALLED, Kind.MISSED}


def _moved(since: tuple[int, ...], own: frozenset[Subject], reader: Reader) -> frozenset[Subject]:
    """The published entries, and all proposals, of which anything was recorded since."""
    touched = reader.touched(since, _MOVES)
    return frozenset(one for one in touched if one in own or one.startswith("proposal:"))


def _applied(reader: Reader) -> list[Proposal]:
    """The topics that have a file, and a text that is not erased, the oldest first."""
    return [
        proposal
        for proposal in proposals(reader)
        if proposal.kind is ProposalKind.TOPIC
        and proposal.status is Status.APPLIED
        and proposal.after is not None
        and reader.text(proposal.after) is not None
    ]


def _named_anywhere(reader: Reader, gone: Collection[ProposalId]) -> frozenset[EntryId]:
    """The entries that any published file names: of each file what was applied last."""
    newest = {proposal.path: proposal for proposal in _applied(reader)}
    texts = (_text(reader, held) for held in newest.values() if held.id not in gone)
    return frozenset[EntryId]().union(*map(topic_md.named_in, texts))


def _accepted(
    reader: Reader, within: str, scope: ProjectId | None, gone: Collection[ProposalId]
) -> dict[str, Proposal]:
    """The topics that have a file: for each name what was applied last."""
    found = {}
    for proposal in _applied(reader):
        target = reader.text(proposal.target) if proposal.target else None
        if proposal.scope == scope and target is not None and target.startswith(within):
            found[proposal.about] = proposal
    return {name: held for name, held in found.items() if held.id not in gone}


def _text(reader: Reader, held: Proposal) -> str:
    return (reader.text(held.after) if held.after else None) or ""


def _published(reader: Reader, entry: Entry) -> Published:
    note = note_of(reader, entry)
    return Published(
        id=entry.id, layer=entry.topic, kind=entry.kind, text=note.text, entities=note.entities
    )


def _files(topics: Sequence[Topic], accepted: Mapping[str, str]) -> list[_File]:
    """Every topic's file, those left behind by their facts, and the index of all."""
    files = []
    for topic in topics:
        before = accepted.get(topic.name)
        there = topic_md.facts_in(before or "")
        files.append(
            _File(
                name=topic.name,
                text=topic_md.rendered(topic, before),
                before=before,
                facts=len(topic.facts),
                new=sum(fact.id not in there for fact in topic.facts),
            )
        )
    for name in sorted(set(accepted) - {topic.name for topic in topics} - {topic_md.INDEX}):
        files.append(_File(name=name, text=topic_md.moved(accepted[name]), before=accepted[name]))
    if topics or topic_md.INDEX in accepted:
        before = accepted.get(topic_md.INDEX)
        count = sum(len(topic.facts) for topic in topics)
        text = topic_md.index(topics, before)
        files.append(_File(name=topic_md.INDEX, text=text, before=before, facts=count))
    return files


def _drawn_up(
    outside: Outside, reader: Reader, shelf: _Shelf, changed: Iterable[_File]
) -> list[_Proposed]:
    """What is to be proposed for these files, as proposals stand now."""
    scope, key = shelf.scope, outside.ledger.key
    waiting = [
        (one, reader.text(one.target))
        for one in proposals(reader)
        if one.kind is ProposalKind.TOPIC
        and one.status is Status.PENDING
        and one.scope == scope
        and one.draft is not None
        and one.target is not None
    ]
    drawn_up = []
    for file in changed:
        target, base = f"{shelf.within}{file.name}.md", text_hash(file.before)
        words = f"{scope or 'everywhere'}:{target} {base} {text_hash(file.text)}"
        own = _free(reader, key, file.name, words)
        others = (one for one, path in waiting if path == target and one.id != own)
        again = _withdrawals(reader, own)
        drawn_up.append(
            _Proposed(
                id=own, file=file, target=target, base=base, again=again, overtaken=tuple(others)
            )
        )
    return drawn_up


def _propose(
    outside: Outside, writer: Writer, this: _Proposed, by: tuple[ProjectId | None, Actor]
) -> bool:
    """Propose a text for a file; each text for each state of it once. False where it was before."""
    scope, actor = by
    for other in this.overtaken:  # a person is asked about one text of a file
        record(writer, other, Decider(actor=Actor.LEARNT), Decided(verdict="withdrawn"))
    recorded = writer.append(
        Draft(
            subject=proposal_subject(this.id),
            actor=actor,
            payload=Proposed(
                kind=ProposalKind.TOPIC,
                about=this.file.name,
                target=writer.keep("target", this.target),
                draft=writer.keep("draft", this.file.text),
                scope=scope,
                evidence=Evidence(count=this.file.facts, distinct=this.file.new),
                base=this.base,
            ),
            natural_key=natural_key(outside.ledger.key, "published", this.id, this.again),
        )
    )
    return recorded is not None


def _free(reader: Reader, key: bytes, name: str, drawn_up: str) -> ProposalId:
    """The proposal of a text: another one, where it was applied before and its file is gone."""
    own, number = proposal_id(key, ProposalKind.TOPIC, name, drawn_up), 1
    while (state := reader.view(proposal_subject(own))) and state["status"] == Status.APPLIED:
        number += 1
        own = proposal_id(key, ProposalKind.TOPIC, name, f"{drawn_up} {number}")
    return own


def _withdrawals(reader: Reader, own: ProposalId) -> int:
    """How often it was withdrawn: what was overtaken and fits again is proposed again."""
    events = reader.events(subject=proposal_subject(own), kind=Kind.DECIDED)
    return sum(payload_of(Decided, event).verdict == "withdrawn" for event in events)
