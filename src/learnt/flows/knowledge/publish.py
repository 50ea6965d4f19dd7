"""Validated facts become topic files for agents to read: each change of a file is a proposal."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from learnt.core.events import Actor, Draft, Kind
from learnt.core.governance.proposals import (
    Proposal,
    ProposalKind,
    Status,
    proposal_id,
    text_hash,
)
from learnt.core.identifiers import EntryId, ProjectId, ProposalId, proposal_subject
from learnt.core.knowledge.confidence import VERIFY_AT
from learnt.core.knowledge.entries import Entry, level
from learnt.core.knowledge.topics import Published, Topic, lay_out
from learnt.core.natural_keys import natural_key
from learnt.flows.governance.analyze import proposals
from learnt.flows.governance.decisions import Caller, proposal_of, record
from learnt.flows.knowledge.accepted_edits import take_in
from learnt.flows.knowledge.freshness import validated
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.locate import locate, look
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
    with outside.ledger.writing() as writer:
        located = None if everywhere else locate(outside, writer, look(outside, folder))
        scope = located.project if located else None
        scopes = set(located.household) if located else {None}
        accepted = _accepted(writer, within, scope, gone)
        corrected, findings = take_in(
            outside, writer, accepted.values(), _named_anywhere(writer, gone)
        )
        held = [entry for entry in validated(writer, scopes) if entry.text is not None]
        now = outside.clock.now_ms()
        policies = outside.kinds.policies
        fresh = [one for one in held if (level(one, now, policies) or 0.0) >= VERIFY_AT]
        texts = {name: _text(writer, one) for name, one in accepted.items()}
        layout = lay_out((_published(writer, entry) for entry in fresh), texts)
        files = _files(layout.topics, texts)
        changed = [file for file in files if file.text != file.before]
        new = [
            own
            for file in changed
            if (own := _propose(outside, writer, file, f"{within}{file.name}.md", (scope, actor)))
        ]
    return Publication(
        new=tuple(new),
        unchanged=tuple(file.name for file in files if file.text == file.before),
        corrected=tuple(corrected),
        waiting=tuple(fact.id for fact in layout.waiting),
        stale=tuple(entry.id for entry in held if entry not in fresh),
        findings=(*findings, *layout.findings),
    )


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


def _propose(
    outside: Outside,
    writer: Writer,
    file: _File,
    target: str,
    by: tuple[ProjectId | None, Actor],
) -> ProposalId | None:
    """Propose a text for a file; each text for each state of it once. None where it was before."""
    scope, actor = by
    base, key = text_hash(file.before), outside.ledger.key
    drawn_up = f"{scope or 'everywhere'}:{target} {base} {text_hash(file.text)}"
    own = _free(writer, key, file.name, drawn_up)
    _withdraw_others(writer, own, target, scope)
    held = writer.view(proposal_subject(own))
    again = 0 if held is None else _withdrawals(writer, own)
    recorded = writer.append(
        Draft(
            subject=proposal_subject(own),
            kind=Kind.PROPOSED,
            actor=actor,
            payload={
                "kind": ProposalKind.TOPIC,
                "about": file.name,
                "target": writer.keep("target", target),
                "draft": writer.keep("draft", file.text),
                "scope": scope,
                "base": base,
                "count": file.facts,
                "distinct": file.new,
            },
            natural_key=natural_key(key, "published", own, again),
        )
    )
    return None if recorded is None else own


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
    return sum(event.payload.get("verdict") == "withdrawn" for event in events)


def _withdraw_others(writer: Writer, own: ProposalId, target: str, scope: ProjectId | None) -> None:
    """What waits for the same file is overtaken: a person is asked about one text of it."""
    for other in _waiting(writer, scope):
        if other.id != own and other.target and writer.text(other.target) == target:
            nothing: dict[str, None] = {"note": None}
            record(writer, other, "withdrawn", Caller(actor=Actor.LEARNT), nothing)


def _waiting(reader: Reader, scope: ProjectId | None) -> Iterable[Proposal]:
    return [
        proposal_of(reader, one.id)
        for one in proposals(reader)
        if one.kind is ProposalKind.TOPIC
        and one.status is Status.PENDING
        and one.scope == scope
        and one.draft is not None
    ]
