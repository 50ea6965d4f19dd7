"""The texts that a skill had: recorded as they come, listed, and proposed anew."""

from collections.abc import Iterable
from typing import NamedTuple

from learnt.core.events import Actor, Where
from learnt.core.governance.proposals import (
    Evidence,
    ProposalKind,
    Status,
    proposal_id,
    reopens,
    text_hash,
)
from learnt.core.identifiers import (
    ProjectId,
    ProposalId,
    Subject,
    proposal_subject,
    skill_subject,
)
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.skills.history import Version
from learnt.core.skills.skill_verdict import judged
from learnt.core.skills.skills import Skill, SkillLayer, key_of
from learnt.core.skills.versions import FIRST, NumberedVersion, next_number, told_versions
from learnt.errors import Conflict, NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.decisions import recorded
from learnt.flows.governance.draft_skill import offer, waiting
from learnt.flows.skills.catalogue import (
    PERSONAL,
    called,
    history_of,
    refuse_brought,
    subject_of,
)
from learnt.flows.skills.locked import follow
from learnt.flows.skills.scanning import refuse_threats
from learnt.flows.stored import append, kept, text_behind
from learnt.formats import skill_text
from learnt.ports import Outside, Writer


def name_in(file: str, text: str) -> str:
    """The name of the skill that a file's text holds; slow, so it is asked before the lock."""
    folder, _, own = file.rpartition("/")
    return skill_text.read(text, folder.rpartition("/")[2] if own == "SKILL.md" else own[:-3]).name


def note_version(
    outside: Outside, writer: Writer, name: str, project: ProjectId | None, text: str, cause: str
) -> None:
    """Record that a skill's file has a text from now on; the same text again is no new version."""
    subject = skill_subject(project or PERSONAL, called(outside, name))
    note_text(writer, subject, name, text, cause)


def note_text(
    writer: Writer,
    subject: Subject,
    name: str,
    text: str,
    cause: str,
    number: str | None = None,
    twin: str = "",
) -> None:
    """Record that a skill has a text, under a number or, where that is another's, a later one."""
    versions = history_of(writer, subject).versions
    parent = versions[-1] if versions else Version(digest="")
    digest = text_hash(text)
    if not text or parent.digest == digest:
        return
    number = number or (next_number(parent.number) if versions else FIRST)
    taken = {version.number for version in versions if version.digest not in {digest, twin}}
    while number in taken:
        number = next_number(number)
    payload = SkillEvent(
        action="versioned",
        name=writer.keep("skill", name),
        text=writer.keep("file", text),
        digest=digest,
        parent=parent.digest,
        version=number,
        cause=cause,
    )
    append(writer, subject, Actor.LEARNT, payload)


class History(NamedTuple):
    """A skill's recorded versions, the oldest first; the texts of those that were not erased.

    `told` are versions that its file tells of without their texts. `digest` is its text's on disk.
    """

    versions: tuple[Version, ...]
    texts: tuple[str | None, ...]
    told: tuple[NumberedVersion, ...]
    digest: str

    @property
    def current(self) -> int:
        """The place of the latest version whose text its file has; -1 for none."""
        digests = [version.digest for version in self.versions]
        return max((at for at, digest in enumerate(digests) if digest == self.digest), default=-1)


def history(
    outside: Outside, library: SkillLibrary, skill: Skill, project: ProjectId | None
) -> History:
    """What is known of a skill's texts. Raises NotFound where its file was deleted meanwhile."""
    current = library.text(skill.file)
    if current is None:
        raise NotFound(f"{skill.file} was deleted a moment ago. Nothing was changed.")
    with outside.ledger.reading() as reader:
        versions = history_of(reader, subject_of(outside, skill, project)).versions
        texts = tuple(text_behind(reader, version.text) for version in versions)
    told = told_versions(skill_text.read(current, skill.name).front)
    return History(versions, texts, told, text_hash(current))


class Revision(NamedTuple):
    """Another text for a skill's file, and why. `merged` is the file that goes into it.

    Of an installed skill `files` are those that would be there and `merged` those that are, packed.
    """

    kind: ProposalKind
    text: str
    merged: str = ""
    files: str = ""
    evidence: Evidence = Evidence(count=1, distinct=1)


def propose(
    outside: Outside,
    file: str,
    subject: Subject,
    revision: Revision,
    actor: Actor,
    skills: Iterable[Skill],
) -> ProposalId:
    """Propose it: nothing is written until a person accepts. The same again is one proposal.

    Raises Refused where a file is of those of `skills` that came with a package, NotFound where it
    was deleted.

    One that was turned down comes back with twice the evidence; else that raises Conflict.

    The text that the skill has now becomes a version, so that it can be had again.
    """
    refuse_brought((file, revision.merged), skills)
    if revision.merged == file:
        raise Refused("A skill does not go into itself. Nothing was proposed.")
    now = outside.documents.read(file)
    if now is None:
        raise NotFound(f"{file} was deleted a moment ago. Nothing was changed.")
    owner = ProjectId(subject.split(":")[1])
    scope = None if owner == PERSONAL else owner
    change = f"{text_hash(now)} {text_hash(revision.text)} {revision.merged}{revision.files}"
    target = f"{file} {change}"
    own, name = proposal_id(outside.ledger.key, revision.kind, subject, target), name_in(file, now)
    with outside.ledger.writing() as writer:
        before = recorded(own, writer)
        if before is None or reopens(before, revision.evidence.count):
            note_version(outside, writer, name, scope, now, "found")
            payload = Proposed(
                kind=revision.kind,
                about=subject,
                words=kept(writer, "bundle" if revision.files else "path", revision.merged),
                target=writer.keep("path", file),
                draft=writer.keep("draft", revision.text),
                bundle=kept(writer, "bundle", revision.files),
                scope=scope,
                evidence=revision.evidence,
                base=text_hash(now),
            )
            append(writer, proposal_subject(own), actor, payload, where=Where(project=scope))
        elif before.status is not Status.PENDING:
            raise Conflict(f"{own} was {before.status} before: `learnt evolve undo {own}`.")
    return own


def put(
    outside: Outside,
    own: str,
    known: Skill | None,
    text: str,
    actor: Actor,
    project: ProjectId | None,
) -> ProposalId | None:
    """Give a skill a text: at once in the folder `own` for a person, else by a proposal.

    `known` is the skill that bears the name now. What lies in another folder of the user's or the
    project's is never written to but by a proposal, and never hidden by another of its name.

    Raises Refused for what the specification or the scanner calls an error.
    """
    read = skill_text.read(text, "")
    name = key_of(read.name)
    if errors := judged(read.findings, force=False).refused:
        raise Refused(f"{name!r} is no sound skill: {errors[0].message} Nothing was written.")
    refuse_threats(outside, text, name)
    mine = known is not None and known.file.startswith(f"{own}/")
    theirs = known is not None and known.layer >= SkillLayer.USER
    if known is not None and theirs and not (mine and actor is Actor.HUMAN):
        if outside.documents.read(known.file) == text:
            return None
        subject = subject_of(outside, known, project)
        revision = Revision(ProposalKind.NEW_VERSION, text)
        return propose(outside, known.file, subject, revision, actor, (known,))
    if actor is not Actor.HUMAN:
        return waiting(offer(outside, name, lambda _: text, scope=project, actor=actor))
    file = known.file if known and mine else outside.documents.whole(own, f"{name}/SKILL.md")
    before = outside.documents.read(file)
    if before is not None and before != text:
        was = name_in(file, before)
        with outside.ledger.durably_writing() as writer:
            note_version(outside, writer, was, None, before, "found")
    # The file first: a version is recorded of what is there. Again completes what was cut here.
    outside.documents.write(file, text, text_hash(before))
    follow(outside, file, before, text)
    with outside.ledger.durably_writing() as writer:
        note_version(outside, writer, read.name, None, text, "upsert")
    return None
