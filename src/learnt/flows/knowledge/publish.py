"""Validated facts become topic files for agents to read: each change of a file is a proposal."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, natural_key, payload_of
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
from learnt.core.knowledge.confidence import DISPUTED_C0, VERIFY_AT
from learnt.core.knowledge.entries import Entry, belief, day, level
from learnt.core.knowledge.topics import Published, Topic, lay_out
from learnt.core.payloads.proposal_events import Decided, Proposed
from learnt.core.records import Record
from learnt.core.safety import clean, owned
from learnt.flows.governance.decisions import Decider, proposals, record
from learnt.flows.knowledge.rewording import take_in
from learnt.flows.knowledge.standing import validated
from learnt.flows.plans import PATIENT_LOOKS, Plan, Snapshot, carry_out
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import find, located_at, look
from learnt.flows.stored import append, text_behind, text_or_empty
from learnt.formats import topic_md
from learnt.formats.answers import filled
from learnt.ports import Outside, Reader, Writer

# Each may change what is published; a recall of an entry does not.
_MOVES = frozenset(Kind) - {Kind.REUSED, Kind.NOT_DELIVERED, Kind.RECALLED, Kind.MISSED}


class Publication(Record, kw_only=True):
    """What publishing gave: each validated fact is in a topic's `facts`, `waiting` or `stale`."""

    new: tuple[ProposalId, ...] = ()
    facts: int = 0
    unchanged: tuple[str, ...] = ()
    corrected: tuple[EntryId, ...] = ()  # by an accepted edit of a topic
    waiting: tuple[EntryId, ...] = ()  # facts too few for a topic
    stale: tuple[EntryId, ...] = ()  # to be found out again first
    findings: tuple[str, ...] = ()


class _Shelf(Record):
    """Where topics are published: the folder, and whose facts."""

    within: str
    scope: ProjectId | None
    scopes: frozenset[ProjectId | None]
    gone: frozenset[ProposalId]  # from the disk: these count as not published


class _File(Record):
    """A topic's file as it should be, and as it was accepted last (None: there is none)."""

    name: str
    text: str
    before: str | None
    facts: int = 0
    new: int = 0


class _Proposing(Record):
    """A topic's file, and the proposal of its text as proposals stand now."""

    id: ProposalId
    file: _File
    target: str
    base: str
    again: int  # how often the same was withdrawn before
    overtaken: tuple[Proposal, ...]  # what waited for the same file


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

    The facts are of the folder's project, or of none (`everywhere`); beside a `skill`, if named.
    What is `gone` from the disk is proposed again. Raises Conflict.
    """
    located = None if everywhere else located_at(outside, look(outside, folder))
    shelf = _Shelf(
        within=f"skills/{skill}/references/" if skill else "knowledge/",
        scope=located.project if located else None,
        scopes=frozenset(located.household if located else {None}),
        gone=frozenset(gone),
    )
    with outside.ledger.reading() as reader:
        accepted = _accepted(reader, shelf)
        newest = {proposal.path: proposal for proposal in _applied(reader)}
        there = (proposal for proposal in newest.values() if proposal.id not in shelf.gone)
        texts = (text_or_empty(reader, proposal.after) for proposal in there)
        named = frozenset[EntryId]().union(*map(topic_md.named_in, texts))
    corrected, findings = take_in(outside, accepted.values(), named)
    published = carry_out(
        outside.ledger,
        partial(_planned, outside, shelf, actor),
        "What is to be published, or a proposal of it,",
        looks=PATIENT_LOOKS,
    )
    return replace(published, corrected=tuple(corrected), findings=(*findings, *published.findings))


def as_folder(outside: Outside, folder: str) -> dict[str, str]:
    """The files of a project's facts by name, with numbers and small topics, and the index."""
    place, today = look(outside, folder), day(outside.clock.now_ms())
    with outside.ledger.reading() as reader:
        located = find(reader, place)
        facts_here = validated(reader, {None, *(located.household if located else ())})
        entries = [entry for entry in facts_here if entry.text is not None]
        facts = [_published(reader, entry) for entry in entries]
    beliefs = {entry.id: belief(entry.standing, entry.kind, today) for entry in entries}
    for fact in (fact for fact in facts if fact.rivals):
        # Nothing but its numbers tells folder mode that it is not to be trusted yet.
        known = beliefs[fact.id]
        beliefs[fact.id] = known._replace(c0=min(known.c0, DISPUTED_C0))
    topics = lay_out(facts, {fact.layer for fact in facts}).topics
    files = {f"{topic.name}.md": topic_md.with_numbers(topic, beliefs) for topic in topics}
    return {**files, f"{topic_md.INDEX}.md": topic_md.index(topics)} if files else {}


def _planned(outside: Outside, shelf: _Shelf, actor: Actor) -> Plan[Publication]:
    now, policies = outside.clock.now_ms(), outside.kinds.policies
    with outside.ledger.reading() as reader:
        moment = reader.moment()
        accepted = _accepted(reader, shelf)
        texts = {name: text_or_empty(reader, topic.after) for name, topic in accepted.items()}
        facts = [entry for entry in validated(reader, shelf.scopes) if entry.text is not None]
        fresh = [fact for fact in facts if (level(fact, now, policies) or 0.0) >= VERIFY_AT]
        published = [_published(reader, entry) for entry in fresh]
    layout = lay_out(published, texts)
    files = _files(layout.topics, texts)
    with outside.ledger.reading() as reader:
        changed = (file for file in files if file.text != file.before)
        proposing = _drawn_up(outside, reader, shelf, changed)
    publication = Publication(
        facts=sum(len(topic.facts) for topic in layout.topics),
        unchanged=tuple(file.name for file in files if file.text == file.before),
        waiting=tuple(fact.id for fact in layout.waiting),
        stale=tuple(entry.id for entry in facts if entry not in fresh),
        findings=layout.findings,
    )

    def write(writer: Writer) -> Publication:
        new = [p.id for p in proposing if _propose(outside, writer, p, shelf.scope, actor)]
        return replace(publication, new=tuple(new))

    own = frozenset(entry_subject(entry.id) for entry in fresh)
    rests_on = Snapshot(ask=partial(_moved, moment, own), seen=frozenset[Subject](), moment=moment)
    return Plan(rests_on=rests_on, write=write)


def _moved(since: tuple[int, ...], own: frozenset[Subject], reader: Reader) -> frozenset[Subject]:
    touched = reader.touched(since, _MOVES)
    return frozenset(name for name in touched if name in own or name.startswith("proposal:"))


def _applied(reader: Reader) -> list[Proposal]:
    """The topics that have a file, and a text that is not erased, the oldest first."""
    return [
        topic
        for topic in proposals(reader)
        if topic.kind is ProposalKind.TOPIC
        and topic.status is Status.APPLIED
        and text_behind(reader, topic.after) is not None
    ]


def _accepted(reader: Reader, shelf: _Shelf) -> dict[str, Proposal]:
    """The topics that have a file on this shelf: for each name what was applied last."""
    newest = {
        topic.about: topic
        for topic in _applied(reader)
        if topic.scope == shelf.scope
        and text_or_empty(reader, topic.target).startswith(shelf.within)
    }
    return {name: topic for name, topic in newest.items() if topic.id not in shelf.gone}


def _published(reader: Reader, entry: Entry) -> Published:
    note = note_of(reader, entry)
    rivals = tuple(rival.id for rival in note.rivals)
    return filled(Published, note, layer=entry.topic, rivals=rivals)


def _files(topics: Sequence[Topic], accepted: Mapping[str, str]) -> list[_File]:
    """Every topic's file, those left behind by their facts, and the index of all."""
    files = []
    for topic in topics:
        before = accepted.get(topic.name)
        there = topic_md.facts_in(before or "")
        new = sum(fact.id not in there for fact in topic.facts)
        text = topic_md.rendered(topic, before)
        files.append(_File(topic.name, text, before, facts=len(topic.facts), new=new))
    for name in sorted(set(accepted) - {topic.name for topic in topics} - {topic_md.INDEX}):
        files.append(_File(name, topic_md.moved(accepted[name]), accepted[name]))
    if topics or topic_md.INDEX in accepted:
        before = accepted.get(topic_md.INDEX)
        count = sum(len(topic.facts) for topic in topics)
        files.append(_File(topic_md.INDEX, topic_md.index(topics, before), before, facts=count))
    return files


def _drawn_up(
    outside: Outside, reader: Reader, shelf: _Shelf, changed: Iterable[_File]
) -> list[_Proposing]:
    """What is to be proposed for these files, as proposals stand now."""
    waiting = [
        (topic, text_behind(reader, topic.target))
        for topic in proposals(reader)
        if topic.kind is ProposalKind.TOPIC
        and topic.status is Status.PENDING
        and topic.scope == shelf.scope
        and topic.draft is not None
    ]
    drawn_up = []
    for file in changed:
        target, base = f"{shelf.within}{file.name}.md", text_hash(file.before)
        words = f"{shelf.scope or 'everywhere'}:{target} {base} {text_hash(file.text)}"
        own = _free(reader, outside.ledger.key, file.name, words)
        decided = reader.events(subject=proposal_subject(own), kind=Kind.DECIDED)
        drawn_up.append(
            _Proposing(
                id=own,
                file=file,
                target=target,
                base=base,
                # What was overtaken, and so withdrawn, and fits again is proposed again.
                again=sum(payload_of(Decided, e).verdict == "withdrawn" for e in decided),
                overtaken=tuple(p for p, path in waiting if path == target and p.id != own),
            )
        )
    return drawn_up


def _propose(
    outside: Outside, writer: Writer, this: _Proposing, scope: ProjectId | None, actor: Actor
) -> bool:
    """Propose a text for a file; each text for each state of it once. False where it was before."""
    for other in this.overtaken:  # a person is asked about one text of a file
        record(writer, other, Decider(actor=Actor.LEARNT), Decided(verdict="withdrawn"))
    payload = Proposed(
        kind=ProposalKind.TOPIC,
        about=this.file.name,
        target=writer.keep("target", owned(this.target)),
        draft=writer.keep("draft", clean(this.file.text)),
        scope=scope,
        evidence=Evidence(count=this.file.facts, distinct=this.file.new),
        base=this.base,
    )
    subject = proposal_subject(this.id)
    key = natural_key(outside.ledger.key, "published", this.id, this.again)
    return append(writer, subject, actor, payload, key=key) is not None


def _free(reader: Reader, key: bytes, name: str, drawn_up: str) -> ProposalId:
    """The proposal of a text: another one, where it was applied before and its file is gone."""
    own, number = proposal_id(key, ProposalKind.TOPIC, name, drawn_up), 1
    while (state := reader.view(proposal_subject(own))) and state["status"] == Status.APPLIED:
        number += 1
        own = proposal_id(key, ProposalKind.TOPIC, name, f"{drawn_up} {number}")
    return own
