"""An agent writes a skill again: its text becomes a proposal of a new version, and nothing else."""

from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.governance.skill_drafts import SkillDraft, tidied, unfit
from learnt.core.identifiers import ProjectId
from learnt.core.skills.skills import Skill
from learnt.errors import NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.decisions import proposal_of, proposals
from learnt.flows.governance.draft_skill import Drafted
from learnt.flows.skills.catalogue import subject_of
from learnt.flows.skills.keep_in_step import revised_notes
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.skills.versions import Revision, propose
from learnt.formats import skill_text
from learnt.formats.front_matter import edited
from learnt.ports import Outside


def revise(
    outside: Outside,
    library: SkillLibrary,
    skill: Skill,
    draft: SkillDraft,
    project: ProjectId | None,
) -> Drafted:
    """Propose another description and body of a skill; all else of its front matter stays.

    Raises Refused where nobody should have to review it, NotFound where the file was deleted
    meanwhile, and as `propose` does.
    """
    draft, redacted = tidied(draft)
    if reason := unfit(draft):
        raise Refused(f"Not drafted: {reason}. Nothing was kept.")
    text = library.text(skill.file)
    if text is None:
        raise NotFound(f"{skill.file} was deleted a moment ago. Nothing was changed.")
    body = skill_text.read(text, skill.name).body
    front = edited(text.removesuffix(body), "description", draft.description)
    new = f"{front.rstrip()}\n\n{draft.body}\n"
    refuse_threats(outside, new, skill.name)
    # Whoever writes a skill again that is out of date knows its notes as they are.
    notes = revised_notes(outside, skill.file)
    revision = Revision(ProposalKind.NEW_VERSION, new, notes=notes)
    subject = subject_of(outside, skill, project)
    with outside.ledger.reading() as reader:
        before = {each.id for each in proposals(reader)}
    own = propose(outside, skill.file, subject, revision, Actor.AGENT, (skill,))
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, own)
    return Drafted(proposal=proposal, new=own not in before, redacted=redacted)
