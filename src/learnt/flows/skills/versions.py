"""The texts that a skill had: recorded as they come, listed, and proposed again."""

import math
from collections.abc import Iterable, Mapping, Sequence

from learnt.core.events import Actor, Where
from learnt.core.governance import proposals
from learnt.core.health import improvement
from learnt.core.health.executions import Use
from learnt.core.health.outcomes import MILLION
from learnt.core.health.trends import BEFORE, NOW, stability
from learnt.core.identifiers import (
    EntryId,
    EventId,
    ProjectId,
    ProposalId,
    Subject,
    proposal_subject,
    skill_subject,
)
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.records import Record
from learnt.core.safety import clean, excerpt, owned
from learnt.core.skills.history import (
    FIRST,
    NumberedVersion,
    SkillHistory,
    Version,
    added_lines,
    found_version,
    free_number,
    next_number,
    told_number,
    told_versions,
)
from learnt.core.skills.skills import Skill, SkillLayer, judged, key_of
from learnt.errors import Conflict, NotFound, Refused
from learnt.flows.governance.decisions import recorded
from learnt.flows.governance.draft_skill import offer, waiting
from learnt.flows.health.evaluate import used
from learnt.flows.skills.catalogue import (
    PERSONAL,
    OpenShelf,
    called,
    follow,
    history_of,
    place_of,
    refuse_brought,
    subject_of,
)
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.stored import append, kept, text_behind
from learnt.formats import skill_text
from learnt.formats.answers import filled
from learnt.formats.injection import zoned
from learnt.ports import Outside, Writer


class NewText(Record):
    """A text that a skill's file has by now, how it came, and the number that it tells."""

    name: str
    text: str
    cause: str
    number: str | None = None
    place: str = ""


def new_text(outside: Outside, file: str, text: str, cause: str) -> NewText:
    """What is to be recorded of a file's text; slow, so it is asked before the lock."""
    folder, _, own = file.rpartition("/")
    read = skill_text.read(text, folder.rpartition("/")[2] if own == "SKILL.md" else own[:-3])
    place = place_of(outside, file.removesuffix("/SKILL.md"))
    return NewText(read.name, text, cause, told_number(read.front), place)


def note_version(outside: Outside, writer: Writer, new: NewText, project: ProjectId | None) -> None:
    """Record that a skill's file has a text from now on; the same text again is no new version."""
    note_text(writer, skill_subject(project or PERSONAL, called(outside, new.name)), new)


def note_text(writer: Writer, subject: Subject, new: NewText, twin: str = "") -> None:
    """Record that a skill has a text, under a number or, where that is another's, a later one."""
    versions = history_of(writer, subject).texts_at(new.place)
    parent = versions[-1] if versions else Version(digest="")
    digest = proposals.text_hash(new.text)
    if not new.text or parent.digest == digest:
        return
    number = new.number or (next_number(parent.number) if versions else FIRST)
    number = free_number(versions, number, digest, twin)
    payload = SkillEvent(
        action="versioned",
        name=writer.keep("skill", clean(new.name)),
        text=writer.keep("file", owned(new.text)),
        digest=digest,
        parent=parent.digest,
        version=number,
        cause=new.cause,
        place=new.place,
    )
    append(writer, subject, Actor.LEARNT, payload)


class VersionAnswer(Record):
    """A text that a skill had. `cause` is a proposal, or `install`, `outside` or `found`.

    `change_summary` says what it changed of the text before. `erased`: the text is gone.
    `current`: its file has it. `elsewhere`: it is of a copy in another folder. `baseline_metrics`
    are numbers by name: how the skill did until then. Of versions that only the skill's file tells
    of, `digest` is empty.
    """

    version: str
    digest: str
    parent: str
    cause: str
    timestamp: str
    erased: bool
    current: bool
    elsewhere: bool
    change_summary: str
    baseline_metrics: Mapping[str, float]


class VersionsAnswer(Record):
    """The versions of a skill, the oldest first; `unrecorded`: its file has yet another text.

    `removed`: it has no file any more, since it was removed or retired.
    """

    name: str
    versions: tuple[VersionAnswer, ...]
    unrecorded: bool
    removed: bool


class History(Record):
    """A skill's recorded versions, the oldest first; the texts of those that were not erased."""

    name: str
    versions: tuple[Version, ...]
    texts: tuple[str | None, ...]
    own: tuple[Version, ...]  # of the copy that counts
    answer: VersionsAnswer
    text: str | None = None  # of its file, if it is in use

    def text_of(self, wanted: str) -> str:
        """A version's text, of its own before that of others; for none the one before the file's.

        Raises NotFound where there is none, or it was erased.
        """
        version: Version | None
        if wanted:
            version = found_version(self.own, wanted) or found_version(self.versions, wanted)
        else:
            now = _current(self.own, self.text)
            before = self.own[: self.own.index(now)] if now else self.own
            earlier = [one for one in before if now is None or one.digest != now.digest]
            if not earlier:
                raise NotFound(f"No earlier text of {self.name} is recorded. Nothing was changed.")
            version = earlier[-1]
        text = None if version is None else self.texts[self.versions.index(version)]
        if text is None:
            known = ", ".join(version.number for version in self.versions) or "none is recorded"
            why = "its text was erased" if version else f"there are: {known}"
            raise NotFound(
                f"There is no text of {self.name} {wanted!r}: {why}. Nothing was changed."
            )
        return text


def _current(versions: Sequence[Version], text: str | None) -> Version | None:
    """The latest version whose text a file has."""
    digest = text and proposals.text_hash(text)
    return next((one for one in reversed(versions) if one.digest == digest), None)


def history(shelf: OpenShelf, name: str) -> History:
    """A skill's texts, also of a removed one. Raises NotFound."""
    outside, project = shelf.outside, shelf.project
    skill = shelf.known.skills.get(key_of(name))
    owners = (PERSONAL,) if project is None else (project, PERSONAL)
    subjects = [skill_subject(owner, called(outside, name)) for owner in owners]
    if skill is not None:
        subjects = [subject_of(outside, skill, project)]
    with outside.ledger.reading() as reader:
        recorded = ((subject, history_of(reader, subject)) for subject in subjects)
        empty = (subjects[0], SkillHistory())
        subject, past = next((each for each in recorded if each[1].versions), empty)
        texts = tuple(text_behind(reader, version.text) for version in past.versions)
        uses = used(reader, subject, past)
    text, own = None, past.versions
    in_file: tuple[NumberedVersion, ...] = ()
    if skill is not None:
        name, text = skill.name, shelf.text(skill)
        own = past.texts_at(place_of(outside, skill.file.removesuffix("/SKILL.md")))
        in_file = told_versions(skill_text.read(text, name).front)
    elif past.versions:
        name = key_of(name)
    else:
        shelf.named(name)  # which raises
    current = _current(own, text)
    rows = [
        filled(
            VersionAnswer, told, digest="", parent="", cause=told.change_summary, erased=True,
            current=False, elsewhere=False,
        )
        for told in in_file
    ]  # fmt: skip
    rows += [
        filled(
            VersionAnswer, version, version=version.number, timestamp=zoned(version.ms),
            erased=texts[at] is None, current=version is current, elsewhere=version not in own,
            baseline_metrics=_baseline(past, uses, version),
            change_summary=_change(past.versions, texts, at),
        )
        for at, version in enumerate(past.versions)
    ]  # fmt: skip
    unrecorded = text is not None and current is None
    answer = VersionsAnswer(name, tuple(rows), unrecorded, removed=text is None)
    return History(name, past.versions, texts, own, answer, text)


def _change(versions: Sequence[Version], texts: Sequence[str | None], at: int) -> str:
    """What a version changed, by its text and the one before it."""
    version, now, earlier = versions[at], texts[at], versions[:at]
    if (was := found_version(earlier, version.digest)) is not None:
        return f"Back to {was.number}"
    if not version.parent:
        return "Installed" if version.cause == "install" else "First recorded"
    before = next(
        (text for v, text in zip(earlier, texts, strict=False) if v.digest == version.parent), None
    )
    if now is None or before is None:
        return "Its text was erased"
    for said, lines in (("Added", added_lines(before, now)), ("Removed", added_lines(now, before))):
        if lines:
            more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
            return f"{said}: {excerpt(lines[0], 100)}{more}"
    return "Changed the front matter, the order or the headings"


def _baseline(past: SkillHistory, uses: Sequence[Use], version: Version) -> Mapping[str, float]:
    """How a skill did until a version came, by its last graded executions; empty without any."""
    until = improvement.grades([use for use in uses if use.wall_ms < version.ms])[-NOW - BEFORE :]
    gaps = (one.gap / MILLION for one in past.evaluations if one.digest == version.digest)
    gap = next(gaps, stability(until).gap if until else None)
    rate = round(math.fsum(until) / len(until), 6) if until else None
    both = {"success_rate": rate, "stability_gap": gap}
    return {name: value for name, value in both.items() if value is not None}


class Revision(Record):
    """Another text for a skill's file, and why."""

    kind: proposals.ProposalKind
    text: str
    merged: str = ""  # the file that goes into it; of an installed skill what is there, packed
    files: str = ""  # of an installed skill what would be there, packed
    evidence: proposals.Evidence = proposals.Evidence(count=1, distinct=1)
    calls: tuple[EventId, ...] = ()  # of a model that wrote it
    notes: tuple[EntryId, ...] = ()  # that it was made of


def propose(
    outside: Outside,
    file: str,
    subject: Subject,
    revision: Revision,
    actor: Actor,
    skills: Iterable[Skill],
) -> ProposalId:
    """Propose it, once: nothing is written until a person accepts. The file's text is recorded.

    Raises Refused for a package's file, NotFound for a lost one, Conflict for what was turned down,
    until its evidence doubles.
    """
    refuse_brought((file, owned(revision.merged)), skills)
    if revision.merged == file:
        raise Refused("A skill does not go into itself. Nothing was proposed.")
    now = outside.documents.read(file)
    if now is None:
        raise NotFound(f"{file} was deleted a moment ago. Nothing was changed.")
    owner = ProjectId(subject.split(":")[1])
    scope = None if owner == PERSONAL else owner
    was, becomes = proposals.text_hash(now), proposals.text_hash(revision.text)
    change = f"{was} {becomes} {revision.merged}{revision.files}"
    target = f"{file} {change}"
    own = proposals.proposal_id(outside.ledger.key, revision.kind, subject, target)
    found = new_text(outside, file, now, "found")
    with outside.ledger.writing() as writer:
        before = recorded(own, writer)
        waits = before is not None and before.status is proposals.Status.PENDING
        gone = before is None or (waits and before.draft is None)  # never there, or withdrawn
        if before is None or gone or proposals.reopens(before, revision.evidence.count):
            note_version(outside, writer, found, scope)
            payload = Proposed(
                kind=revision.kind,
                about=subject,
                words=kept(writer, "bundle" if revision.files else "path", owned(revision.merged)),
                target=writer.keep("path", owned(file)),
                draft=writer.keep("draft", clean(revision.text)),
                bundle=kept(writer, "bundle", owned(revision.files)),
                scope=scope,
                notes=revision.notes,
                evidence=revision.evidence,
                base=proposals.text_hash(now),
                calls=revision.calls,
            )
            append(writer, proposal_subject(own), actor, payload, where=Where(project=scope))
        elif not waits:
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

    `known` bears the name now; what lies elsewhere is never written to or hidden. Raises Refused.
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
        revision = Revision(proposals.ProposalKind.NEW_VERSION, text)
        return propose(outside, known.file, subject, revision, actor, (known,))
    if actor is not Actor.HUMAN:
        return waiting(offer(outside, name, lambda _: text, scope=project, actor=actor))
    file = known.file if known and mine else outside.documents.whole(own, f"{name}/SKILL.md")
    before = outside.documents.read(file)
    if before is not None and before != text:
        was = new_text(outside, file, before, "found")
        with outside.ledger.durably_writing() as writer:
            note_version(outside, writer, was, None)
    # The file first: a version is recorded of what is there. Again completes what was cut here.
    outside.documents.write(file, owned(text), proposals.text_hash(before))
    follow(outside, file, before, text)
    now = new_text(outside, file, text, "upsert")
    with outside.ledger.durably_writing() as writer:
        note_version(outside, writer, now, None)
    return None
