"""An agent writes a skill: it becomes a proposal that waits for a person, and nothing else."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Origin, Where, natural_key
from learnt.core.governance.proposals import Evidence, Proposal, ProposalKind, Status, proposal_id
from learnt.core.governance.skill_drafts import SkillDraft, looks_like, tidied, unfit
from learnt.core.identifiers import ProjectId, ProposalId, proposal_subject
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.records import Record
from learnt.core.safety import clean, owned
from learnt.errors import Conflict, Refused
from learnt.flows.governance.decisions import proposal_of, proposals, recorded
from learnt.flows.knowledge.feedback import seen_session
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.sessions.locate import located_at, look
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.stored import append, kept, named, text_behind, text_or_empty
from learnt.formats import draft_md
from learnt.formats.answers import filled
from learnt.ports import Outside, Reader, Writer

_ONCE = Evidence(count=1, distinct=1)  # asking again says nothing for it: an agent can ask at will


class Drafted(Record, kw_only=True):
    """The proposal a draft became, or was before; `redacted` are kinds of secret taken out."""

    proposal: Proposal
    new: bool
    redacted: tuple[str, ...] = ()


def draft_skill(
    outside: Outside, draft: SkillDraft, *, folder: str | None, actor: Actor, session: str = ""
) -> Drafted:
    """Propose a skill for a folder's project (None: for every one). Raises Refused."""
    draft, redacted = _fit(outside, draft)
    scope = None if folder is None else located_at(outside, look(outside, folder)).project
    text = partial(draft_md.drafted, draft=draft)
    offered = offer(outside, draft.name, text, scope=scope, actor=actor, session=session)
    return replace(offered, redacted=redacted)


def _fit(outside: Outside, draft: SkillDraft) -> tuple[SkillDraft, tuple[str, ...]]:
    draft, redacted = tidied(draft)
    if reason := unfit(draft):
        raise Refused(f"Not drafted: {reason}. Nothing was kept.")
    # As it was written: what would be kept of the description has no hidden characters left.
    front = f"---\nname: {draft.name}\ndescription: {draft.description}\n---\n"
    refuse_threats(outside, front + draft.body, draft.name)
    return draft, redacted


def rewrite(outside: Outside, name: str, draft: SkillDraft, actor: Actor = Actor.AGENT) -> Drafted:
    """Replace the text of a skill's draft that waits, by an agent or its person.

    What was decided stays. Raises NotFound; Refused for another kind or name, and an unfit text.
    """
    draft, redacted = _fit(outside, draft)
    subject = proposal_subject(ProposalId(name))

    def planned() -> Plan[Drafted]:
        with outside.ledger.reading() as reader:
            stands, before = snapshot(reader, partial(recorded, name)), proposal_of(reader, name)
            target = text_behind(reader, before.target)
            count = sum(1 for _ in reader.events(subject=subject, kind=Kind.PROPOSED))
        if before.kind is not ProposalKind.NEW_SKILL or before.bundle is not None:
            raise Refused(f"{name} is no draft of a skill. Nothing was kept.")
        if target != f"skills/{draft.name}/SKILL.md":
            raise Refused(f"{name} would be written to {target}: keep that name. Nothing was kept.")

        def write(writer: Writer) -> Drafted:
            text, new = draft_md.drafted(before.id, draft, before.notes_used), None
            ref = writer.keep("draft", clean(text))
            if before.status is Status.PENDING and ref != before.draft:
                payload = filled(Proposed, before, draft=ref, rewritten=True)
                key = natural_key(outside.ledger.key, "drafted", name, count)
                who = Origin.ASSISTANT if actor is Actor.AGENT else None
                where = Where(project=before.scope)
                new = append(writer, subject, actor, payload, where=where, origin=who, key=key)
            return Drafted(proposal=proposal_of(writer, name), new=bool(new), redacted=redacted)

        return Plan(rests_on=stands, write=write)

    return carry_out(outside.ledger, planned, f"Proposal {name}")


def offer(
    outside: Outside,
    name: str,
    text: Callable[[ProposalId], str],
    *,
    scope: ProjectId | None,
    actor: Actor,
    session: str = "",
    bundle: str = "",
) -> Drafted:
    """Propose a new skill's text; with `bundle`, a fetched skill packed, its installation.

    A name is one proposal: while it waits a new text takes the old one's place, and what a person
    decided on stays decided. Raises Refused for a name that another proposal has.
    """
    key = outside.ledger.key
    target = f"skills/{name}/SKILL.md"
    about = f"{scope or 'everywhere'}:{target}"
    own = proposal_id(key, ProposalKind.NEW_SKILL, "drafted", about)
    draft, subject = text(own), proposal_subject(own)
    with outside.ledger.reading() as reader:
        session = seen_session(reader, session)
    where = Where(project=scope, session=named(key, session))

    def planned() -> Plan[Drafted]:
        with outside.ledger.reading() as reader:
            stands = snapshot(reader, partial(_alike, own, target, scope))
            before = _refuse_others(own, stands.seen)
            repeats = before is not None and (
                before.status is not Status.PENDING
                or (text_or_empty(reader, before.draft), text_or_empty(reader, before.bundle))
                == (draft, bundle)
            )
            count = sum(1 for _ in reader.events(subject=subject, kind=Kind.PROPOSED))

        def write(writer: Writer) -> Drafted:
            new = False
            if not repeats:
                payload = Proposed(
                    kind=ProposalKind.NEW_SKILL,
                    about=actor,
                    target=writer.keep("target", owned(target)),
                    draft=writer.keep("draft", clean(draft)),
                    bundle=kept(writer, "bundle", owned(bundle)),
                    scope=scope,
                    evidence=_ONCE,
                )
                origin = Origin.ASSISTANT if actor is Actor.AGENT else None
                once = natural_key(key, "drafted", own, count)
                event = append(
                    writer, subject, actor, payload, where=where, origin=origin, key=once
                )
                new = event is not None
            return Drafted(proposal=proposal_of(writer, own), new=new)

        return Plan(rests_on=stands, write=write)

    return carry_out(outside.ledger, planned, f"The skill {name}")


def waiting(offered: Drafted) -> ProposalId:
    """The id of a proposal that waits for a person. Raises Conflict where it was decided on."""
    proposal = offered.proposal
    if proposal.status is not Status.PENDING:
        raise Conflict(f"{proposal.id} was {proposal.status} before: `learnt evolve undo` it.")
    return proposal.id


def _alike(own: ProposalId, target: str, scope: ProjectId | None, reader: Reader) -> list[Proposal]:
    return [
        proposal
        for proposal in proposals(reader)
        if proposal.id == own
        or (proposal.scope == scope and looks_like(text_or_empty(reader, proposal.target), target))
    ]


def _refuse_others(own: ProposalId, alike: list[Proposal]) -> Proposal | None:
    """The proposal itself. Raises Refused where another one is about a skill of that name."""
    before = None
    for proposal in alike:
        if proposal.id == own:
            before = proposal
        elif proposal.draft is not None and proposal.status is not Status.REJECTED:
            raise Refused(
                f"{proposal.id} is about a skill of that name, or of one that looks like it "
                f"({proposal.status}): choose another name. Nothing was kept."
            )
    return before
