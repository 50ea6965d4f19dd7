"""An agent writes a skill: it becomes a proposal that waits for a person, and nothing else."""

from dataclasses import dataclass

from learnt.core.events import Actor, Draft, Kind, Origin, Where
from learnt.core.governance.proposals import Evidence, Proposal, ProposalKind, Status, proposal_id
from learnt.core.governance.skill_drafts import REASONS, SkillDraft, tidied, unfit
from learnt.core.identifiers import (
    ProjectId,
    ProposalId,
    plain_or_hashed,
    proposal_subject,
)
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.proposal_events import Proposed
from learnt.errors import Refused
from learnt.flows.governance.decisions import proposal_of, proposals
from learnt.flows.knowledge.evidence import seen_session
from learnt.flows.sessions.locate import located_at, look
from learnt.flows.stored import stored
from learnt.formats import draft_md
from learnt.ports import Outside, Reader, Writer

_ONCE = 1  # how often a draft is asked for says nothing for it: an agent can ask at will


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """The proposal a draft became, or was before; `redacted` are kinds of secret taken out."""

    proposal: Proposal
    new: bool
    redacted: tuple[str, ...] = ()


def draft_skill(
    outside: Outside, draft: SkillDraft, *, folder: str | None, actor: Actor, session: str = ""
) -> Drafted:
    """Propose a skill for a folder's project (None: for every project).

    A name is one proposal: while it waits a new text takes the old one's place, and what a person
    decided on stays decided. Raises Refused where nobody should have to review it.
    """
    draft, redacted = tidied(draft)
    if reason := unfit(draft, outside.language.commands):
        raise Refused(f"Not drafted: {REASONS[reason]}. Nothing was kept.")
    located = None if folder is None else located_at(outside, look(outside, folder))
    scope = None if located is None else located.project
    with outside.ledger.reading() as reader:
        session = seen_session(reader, session)
    where = Where(
        project=scope,
        session=plain_or_hashed(outside.ledger.key, session) if session else None,
    )
    target = f"skills/{draft.name}/SKILL.md"
    about = f"{scope or 'everywhere'}:{target}"
    own = proposal_id(outside.ledger.key, ProposalKind.NEW_SKILL, "drafted", about)
    text = draft_md.drafted(own, draft)
    with outside.ledger.writing() as writer:
        _refuse_taken(writer, own, target, scope)
        new = _propose(outside, writer, own, text, (actor, where, target))
        return Drafted(proposal=proposal_of(writer, own), new=new, redacted=redacted)


def _refuse_taken(reader: Reader, own: ProposalId, target: str, scope: ProjectId | None) -> None:
    """Raise Refused where another proposal is about a skill of that name."""
    for other in proposals(reader):
        same = other.target is not None and reader.text(other.target) == target
        stands = other.draft is not None and other.status is not Status.REJECTED
        if same and stands and other.scope == scope and other.id != own:
            raise Refused(
                f"{other.id} is about a skill of that name already ({other.status}): choose "
                "another name. Nothing was kept."
            )


def _propose(
    outside: Outside,
    writer: Writer,
    own: ProposalId,
    text: str,
    place: tuple[Actor, Where, str],
) -> bool:
    """Record the draft, unless it was decided on, or waits in these very words."""
    subject = proposal_subject(own)
    before = stored(writer, Proposal, subject)
    if before is not None and before.status is not Status.PENDING:
        return False
    if before is not None and before.draft and writer.text(before.draft) == text:
        return False
    actor, where, target = place
    payload = Proposed(
        kind=ProposalKind.NEW_SKILL,
        about=actor,
        target=writer.keep("target", target),
        draft=writer.keep("draft", text),
        scope=where.project,
        evidence=Evidence(count=_ONCE, distinct=_ONCE),
    )
    said = len(list(writer.events(subject=subject, kind=Kind.PROPOSED)))
    recorded = writer.append(
        Draft(
            subject=subject,
            actor=actor,
            origin=Origin.ASSISTANT if actor is Actor.AGENT else None,
            where=where,
            payload=payload,
            natural_key=natural_key(outside.ledger.key, "drafted", own, said),
        )
    )
    return recorded is not None
