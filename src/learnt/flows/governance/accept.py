"""A person decides on a proposal: accepts it, turns it down, or takes a decision back.

What is accepted is written to the file that was shown to them. The decision is recorded before the
file is written, and the writing after it. Where a run is cut short in between, `finish` completes
it or says why it stays open.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.governance.proposals import (
    IN_SHARED_FILES,
    OF_SKILLS,
    RETIRED,
    Proposal,
    ProposalKind,
    Status,
    text_hash,
)
from learnt.core.identifiers import ProjectId, proposal_subject
from learnt.core.payloads.proposal_events import Applied, Decided
from learnt.core.records import Record
from learnt.core.safety import excerpt, owned
from learnt.core.skills.skills import Finding, Skill
from learnt.errors import Conflict, Refused
from learnt.flows.governance.analyze import own_text, shared_file
from learnt.flows.governance.decisions import (
    Decider,
    became_skill,
    count_as_accepted,
    proposal_of,
    record,
    refuse_others,
    text_of_ref,
)
from learnt.flows.governance.outdated import erased_notes
from learnt.flows.plans import snapshot
from learnt.flows.skills.catalogue import follow, refuse_brought
from learnt.flows.skills.packing import threats
from learnt.flows.stored import append, kept, text_behind, texts_behind
from learnt.formats.draft_md import INSTRUCTIONS, ROUTES, with_route, without_route
from learnt.ports import Outside, Reader, Writer

if TYPE_CHECKING:
    from learnt.flows.skills.install import InstallPlan


class Destination(Record, kw_only=True):
    """Where texts go: `within` stands before each target below the root."""

    root: str
    within: str = ""
    skills: str = "skills/"  # the folder in which they lie
    project: ProjectId | None = None  # for which skills are installed
    links: tuple[tuple[str, str], ...] = ()  # to a skill: pairs of a root and a folder below it
    routes: str = ROUTES  # the file that holds routes
    instructions: tuple[str, ...] = INSTRUCTIONS  # rules go into the first there, or a new last one


class FileChange(Record, kw_only=True):
    """What accepting a proposal would do to one file. `before` is None where there is none."""

    proposal: Proposal
    path: str
    before: str | None
    after: str  # with `adopts` and of a shared file Learnt's part alone
    adopts: bool = False  # the file has the text already: nothing is written
    links: tuple[str, ...] = ()
    not_linked: tuple[str, ...] = ()  # where no link may be put, and why
    in_the_way: bool = False  # a file that is not ours stands where the text would go
    findings: tuple[Finding, ...] = ()  # what the scanner says of a skill
    looked: "InstallPlan | None" = None  # a skill that would be installed, with all its files

    @property
    def base(self) -> str:
        """The hash of what it changes."""
        return text_hash(self.before)

    @property
    def written(self) -> str:
        """The hash of what the file holds afterwards."""
        return self.base if self.adopts else text_hash(self.after)

    @property
    def seal(self) -> str:
        """What a `--yes` is bound to: the place, what is there, and what would be there."""
        digest = (self.looked.digest,) if self.looked else ()
        return text_hash("\x00".join((self.path, self.base, self.after, *digest)))[:16]


# What gives a skill another text.
SKILL_TEXTS = OF_SKILLS - {ProposalKind.RETIRE} | {ProposalKind.NEW_SKILL}
_TARGETS = {
    ProposalKind.NEW_SKILL: re.compile(r"skills/[^\W_][\w-]{0,63}/SKILL\.md"),
    ProposalKind.ROUTING: re.compile(re.escape(ROUTES)),
    ProposalKind.RULE: re.compile(re.escape(INSTRUCTIONS[0])),
    ProposalKind.TOPIC: re.compile(
        r"(?:knowledge|skills/[^\W_][\w-]{0,63}/references)/[a-z0-9_]{1,120}\.md"
    ),
}


def plan(
    outside: Outside,
    proposal: Proposal,
    where: Destination,
    skills: Callable[[], Iterable[Skill]] = tuple,
) -> FileChange:
    """What accepting would write now; `skills` gives all there are. Raises Refused, Conflict."""
    if proposal.kind is ProposalKind.OUTSIDE_EDIT:
        return _adoption(outside, proposal)
    if proposal.bundle is not None:
        return _installation(outside, proposal, where, skills)
    if proposal.kind in OF_SKILLS:
        return _revision(outside, proposal, skills())
    with outside.ledger.reading() as reader:
        target = text_of_ref(reader, proposal.target)
        draft = text_of_ref(reader, proposal.draft)
    bare = "".join(c for c in target if unicodedata.category(c) not in {"Mn", "Mc"})
    if not _TARGETS[proposal.kind].fullmatch(bare):
        raise Refused(f"{target[:200]!r} is no place for a {proposal.kind}. Nothing was written.")
    if shared := proposal.kind in IN_SHARED_FILES:
        files = where.instructions if proposal.kind is ProposalKind.RULE else (where.routes,)
        target = shared_file(outside, where.root, where.within, files)
    path = outside.documents.whole(where.root, where.within + target)
    before = outside.documents.read(path)
    # A topic is drawn up for the text that was accepted before it, a skill for no file at all.
    foreign = not shared and text_hash(before) != proposal.base
    change = FileChange(
        proposal=proposal,
        path=path,
        before=before,
        after=with_route(before, draft, marked=target != ROUTES) if shared else draft,
        in_the_way=foreign and before is not None,
    )
    if proposal.kind is not ProposalKind.NEW_SKILL:
        return change
    name = target.split("/")[1]
    links, not_linked = links_to(outside, where, name, path.removesuffix("/SKILL.md"))
    others = {skill.name for skill in skills()} - {name}
    findings = threats(outside, {"SKILL.md": draft}, name, others, ours=True)
    return replace(change, links=links, not_linked=not_linked, findings=findings)


def links_to(
    outside: Outside, where: Destination, name: str, folder: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The links that may be put to a skill's folder, and why others may not."""
    links, refused = [], []
    for root, below in where.links:
        try:
            links.append(outside.documents.whole(root, below + name))
        except Refused as error:
            if outside.shelf.real(f"{root}/{below}{name}") != folder:  # else it leads there already
                refused.append(str(error))
    return tuple(links), tuple(refused)


def _installation(
    outside: Outside, proposal: Proposal, where: Destination, skills: Callable[[], Iterable[Skill]]
) -> FileChange:
    """The folder that installing a proposed skill would write, if nothing speaks against it."""
    from learnt.flows.skills.install import look, replaces  # yaml takes long
    from learnt.flows.skills.packing import unpacked

    with outside.ledger.reading() as reader:
        draft, files = text_of_ref(reader, proposal.draft), text_of_ref(reader, proposal.bundle)
        there = text_behind(reader, proposal.words)
    where = replace(where, project=proposal.scope)
    update = proposal.kind is ProposalKind.NEW_VERSION
    looked = look(outside, unpacked(draft, files), where, skills=skills, update=update)
    if update and not (looked.path and replaces(outside, looked, there or "")):
        raise Conflict(f"{looked.path} changed since {proposal.id} was drawn up. It was left.")
    for finding in looked.verdict.refused:
        kind = Conflict if finding.rule == "name-taken" else Refused
        raise kind(f"{looked.name} cannot be installed: {finding.message} Nothing was written.")
    links, not_linked = links_to(outside, where, looked.name, looked.path)
    return FileChange(
        proposal=proposal,
        path=f"{looked.path}/SKILL.md",
        before=outside.documents.read(f"{looked.path}/SKILL.md"),
        after=looked.text,
        links=links,
        not_linked=not_linked,
        findings=looked.findings,
        looked=looked,
    )


def _adoption(outside: Outside, edit: Proposal) -> FileChange:
    """Taking an edit for the accepted text: nothing is written."""
    with outside.ledger.reading() as reader:
        path, draft = text_of_ref(reader, edit.target), text_of_ref(reader, edit.draft)
        edited = proposal_of(reader, edit.about)
        applied_to = None if edited.path is None else reader.text(edited.path)
    if edited.status is not Status.APPLIED:
        raise Refused(f"{edited.id} was taken back; its file at {path} is yours. Nothing changed.")
    if applied_to != path:
        raise Refused(f"{edited.id} was not applied to {path!r}. Nothing changed.")
    before = outside.documents.read(path)
    if before is None or own_text(edited, before) != draft:
        raise Conflict(f"{path} was edited again. Run `learnt evolve analyze`, then look.")
    return FileChange(proposal=edit, path=path, before=before, after=draft, adopts=True)


def _revision(outside: Outside, proposal: Proposal, skills: Iterable[Skill]) -> FileChange:
    """What becomes of the file of a skill, if it is as it was when it was proposed."""
    with outside.ledger.reading() as reader:
        target, draft = text_of_ref(reader, proposal.target), text_of_ref(reader, proposal.draft)
        merged = text_behind(reader, proposal.gone)
    refuse_brought((target, merged), skills)
    if not target.endswith(".md") or outside.documents.whole("/", target.lstrip("/")) != target:
        raise Refused(f"{target[:200]!r} is no file of a skill. Nothing was written.")
    before = outside.documents.read(target)
    if text_hash(before) != proposal.base:
        raise Conflict(f"{target} changed since {proposal.id} was drawn up. Nothing was written.")
    if proposal.kind is ProposalKind.RETIRE:
        target, before = target + RETIRED, outside.documents.read(target + RETIRED)
    from learnt.formats.skill_text import changed_settings  # it needs a reader of YAML

    findings = threats(outside, {"SKILL.md": draft}, target.split("/")[-2], ours=True)
    findings = (*changed_settings(before or "", draft), *findings)
    return FileChange(proposal=proposal, path=target, before=before, after=draft, findings=findings)


def accept(
    outside: Outside, change: FileChange, decider: Decider, *, overwrite: bool = False
) -> bool:
    """Do what a person saw and accepted; False if done before. Raises Refused, Conflict."""
    if accepted_before(outside, change.proposal, decider):
        return False
    if not overwrite:
        refuse_in_the_way(change)
    there = outside.documents.read(change.path)
    if change.looked is not None:
        from learnt.flows.skills.install import install

        with outside.ledger.reading() as reader:
            refuse_outdated(reader, change, there)
        # It records what is to be there before it moves the folder in; again it completes that.
        install(outside, change.looked, decider.actor)
    with outside.ledger.durably_writing() as writer:
        proposal = refuse_outdated(writer, change, there)
        if proposal.status is Status.PENDING:
            decide(writer, change, decider)
    if accepted_before(outside, proposal, decider):
        return False  # by somebody else, since it was shown
    carry_out(outside, change)
    return True


def refuse_outdated(reader: Reader, change: FileChange, there: str | None) -> Proposal:
    """The proposal as it is now. Raises Conflict where it, or its file, is not what was shown."""
    proposal, name = proposal_of(reader, change.proposal.id), change.proposal.id
    if proposal.status is Status.PENDING:
        if text_hash(there) != change.base:
            raise Conflict(
                f"{change.path} changed since it was shown. Nothing was written; look at it "
                f"again with `learnt evolve show {name}`."
            )
        if proposal.draft is None:
            raise Conflict(
                f"A note of {name} was purged, and its text with it. Nothing was written."
            )
        if (proposal.draft, proposal.bundle) != (change.proposal.draft, change.proposal.bundle):
            raise Conflict(f"{name} was renewed meanwhile. Nothing was written.")
    return proposal


def accepted_before(outside: Outside, proposal: Proposal, decider: Decider) -> bool:
    """Whether a person accepted it before; if so it is applied now. Raises Refused, Conflict."""
    name = proposal.id
    refuse_others(decider, f"learnt evolve accept {name}")
    if proposal.status is Status.REJECTED:
        raise Refused(f"{name} was rejected. `learnt evolve undo {name}` brings it back first.")
    if proposal.status is Status.PENDING:
        return False
    if obstacle := finish(outside, proposal):
        raise Conflict(obstacle)
    return True


def refuse_in_the_way(change: FileChange) -> None:
    """Raise Refused where a file stands in the way."""
    if change.in_the_way:
        raise Refused(f"{change.path} exists and was left as it is; --overwrite replaces it.")


def decide(writer: Writer, change: FileChange, decider: Decider) -> None:
    """Record that a change is accepted, by whom."""
    if change.adopts:
        # What it takes the place of is the text that counted as accepted until now.
        before = proposal_of(writer, change.proposal.about).after
        after = change.proposal.draft
    else:
        before = None if change.before is None else writer.keep("file", owned(change.before))
        after = writer.keep("file", owned(change.after))
        if before and erased_notes(writer, change.proposal):
            writer.erase([before])  # it has their words
    accepted = Decided(
        verdict="accepted",
        path=writer.keep("path", owned(change.path)),
        before=before,
        after=after,
        base=change.base,
        written=change.written,
        links=tuple(writer.keep("path", owned(link)) for link in change.links),
    )
    record(writer, change.proposal, decider, accepted)


def carry_out(outside: Outside, change: FileChange) -> None:
    """Write the file, and record that the proposal is applied and its entry a skill."""
    if change.written != change.base and change.looked is None:
        outside.documents.write(change.path, owned(change.after), change.base)
    if change.proposal.gone is not None:
        with outside.ledger.reading() as reader:
            other = text_of_ref(reader, change.proposal.gone)
        retire(outside, other)
    folder = change.path.rpartition("/")[0]
    linked = [link for link in change.links if outside.documents.link(link, folder)]
    from learnt.flows.health.evaluate import begin, lacked
    from learnt.flows.skills.versions import new_text, note_version  # yaml takes the longest

    name, of, new = change.proposal.id, change.proposal, None
    edit = of.kind is ProposalKind.OUTSIDE_EDIT
    with outside.ledger.reading() as reader:
        of = proposal_of(reader, of.about) if edit else of
        text_before = text_behind(reader, proposal_of(reader, name).before)
        before = lacked(reader, change.proposal)
    if of.kind in SKILL_TEXTS:
        new = new_text(outside, change.path, change.after, name)
        follow(outside, change.path, text_before, change.after)
    with outside.ledger.durably_writing() as writer:
        proposal = proposal_of(writer, name)
        if proposal.status is not Status.ACCEPTED:
            return  # somebody else finished it, or a person took it back meanwhile
        links = tuple(writer.keep("path", owned(link)) for link in linked)
        applied = Applied(written=proposal.written, links=links)
        append(writer, proposal_subject(name), Actor.LEARNT, applied)
        if edit:
            edited = proposal_of(writer, proposal.about)
            count_as_accepted(writer, edited, proposal.after, proposal.written)
        if new:
            note_version(outside, writer, new, of.scope)
        if before is not None:
            begin(writer, proposal, "window", before)
        became_skill(writer, proposal, name)


def retire(outside: Outside, file: str, *, back: bool = False) -> None:
    """Take a skill's file out of use, or put it `back`. Raises Conflict."""
    now, then = (file + RETIRED, file) if back else (file, file + RETIRED)
    if (text := outside.documents.read(now)) is None:
        return
    there = outside.documents.read(then)
    if there is not None and there != text:
        raise Conflict(f"{then} is in the way of {now}. Both were left as they are.")
    if there is None:
        outside.documents.write(then, owned(text), text_hash(None))
    outside.documents.remove(now, text_hash(text))


def finish(outside: Outside, proposal: Proposal) -> str:
    """Complete an accept that was cut short; why it stays open, or nothing where it is applied."""
    if proposal.status is not Status.ACCEPTED:
        return ""
    with outside.ledger.reading() as reader:
        path, after = text_of_ref(reader, proposal.path), text_of_ref(reader, proposal.after)
        links = tuple(text_of_ref(reader, link) for link in proposal.links)
    there = outside.documents.read(path)
    if text_hash(there) not in {proposal.written, proposal.base}:  # a person is to look
        again = f"`learnt evolve show {proposal.id}`"
        return f"{path} was changed before it could be written; see {again}"
    change = FileChange(proposal=proposal, path=path, before=there, after=after, links=links)
    carry_out(outside, replace(change, adopts=text_hash(there) == proposal.written))
    return ""


LONGEST_NOTE = 1_000


def reject(outside: Outside, name: str, note: str, decider: Decider) -> bool:
    """Turn a pending proposal down until its evidence doubles; False if it was. Raises Refused."""
    with outside.ledger.reading() as reader:
        proposal_of(reader, name)
    refuse_others(decider, f"learnt evolve reject {name}")
    note = excerpt(note, LONGEST_NOTE)
    with outside.ledger.durably_writing() as writer:
        proposal = proposal_of(writer, name)
        if proposal.status is Status.REJECTED:
            return False
        if proposal.status is not Status.PENDING:
            raise Refused(
                f"{name} is {proposal.status}, not pending. `learnt evolve undo {name}` takes that "
                "back first."
            )
        decision = Decided(verdict="rejected", note=kept(writer, "note", note))
        record(writer, proposal, decider, decision)
    return True


def undo(outside: Outside, name: str, decider: Decider) -> str:
    """Take a decision and what it wrote back; what was done. Raises Refused, Conflict."""
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, name)
        refuse_others(decider, f"learnt evolve undo {name}")
        if proposal.status is Status.PENDING:
            raise Refused(f"{name} is pending: nothing was decided that could be undone.")
        edited = _edited(reader, proposal)
        stands = snapshot(reader, partial(_decided_on, proposal))
        accepted = _Accepted(
            proposal=proposal,
            path=text_behind(reader, proposal.path),
            before=text_behind(reader, proposal.before),
            block=text_behind(reader, proposal.after if proposal.adopted else proposal.draft),
            links=texts_behind(reader, proposal.links),
            gone=text_behind(reader, proposal.gone),
        )
    done = f"{name} waits for a decision again"
    if proposal.status in {Status.APPLIED, Status.ACCEPTED}:
        if proposal.kind is ProposalKind.NEW_VERSION:
            from learnt.flows.health.trial import rejoin  # few decisions need it

            rejoin(outside, name)
        done = f"{done}; {accepted.take_back(outside)}"
    with outside.ledger.durably_writing() as writer:
        if not stands.holds(writer):
            raise Conflict(f"{name} was decided on meanwhile. Look at it again.")
        became_skill(writer, proposal, "")
        if edited is not None:
            count_as_accepted(writer, edited, proposal.before, text_hash(accepted.before))
        record(writer, proposal, decider, Decided(verdict="undone"))
    return done


def _decided_on(proposal: Proposal, reader: Reader) -> object:
    """What an undo rests on: the decision, and what became of the file that was edited."""
    edited = _edited(reader, proposal)
    return proposal_of(reader, proposal.id).status, edited and edited.after


def _edited(reader: Reader, edit: Proposal) -> Proposal | None:
    """The applied proposal whose accepted text an edit became; raises Refused for an older edit."""
    if edit.kind is not ProposalKind.OUTSIDE_EDIT or edit.status is not Status.APPLIED:
        return None
    edited = proposal_of(reader, edit.about)
    if edited.status is not Status.APPLIED:
        return None
    if edited.after != edit.after:
        raise Refused(f"A later edit of {edited.id} was accepted since: undo that one first.")
    return edited


class _Accepted(Record):
    """What accepting a proposal did to a file; a text is None where it was erased."""

    proposal: Proposal
    path: str | None
    before: str | None
    block: str | None
    links: tuple[str, ...]
    gone: str | None  # the file that went out of use with it

    def take_back(self, outside: Outside) -> str:
        """Make the file what it was before, if it was written; what was done, in words."""
        if self.proposal.kind is ProposalKind.OUTSIDE_EDIT:
            return "the file is as you edited it"
        if self.proposal.path is None:
            return "no file was written"
        if self.path is None:
            return "where its file lies was erased; if it is still there, it is yours to delete"
        if self.proposal.kind in IN_SHARED_FILES:
            return self._remove_block(outside, self.path)
        if self.gone is not None:
            retire(outside, self.gone, back=True)
            if self.proposal.kind is ProposalKind.RETIRE:
                return f"{self.gone} is in use again"
        # The file first: where that is refused, nothing else is touched.
        done = self._restore(outside, self.path)
        folder = self.path.rpartition("/")[0]
        for link in self.links:
            outside.documents.unlink(link, folder)
        return done

    def _restore(self, outside: Outside, path: str) -> str:
        there, written = outside.documents.read(path), self.proposal.written
        # What was cut short before the writing, or after an earlier undo, has nothing to restore.
        installed = self.proposal.bundle is not None
        if there is None or (there == self.before and not installed):
            return f"{path} is as it was before" if there else "its file is gone already"
        if self.proposal.status is Status.ACCEPTED and text_hash(there) != written:
            return f"{path} was never written by Learnt, and is kept as it is"
        if self.proposal.adopted:
            raise Refused(
                f"{path} holds an edit of yours that was taken for the accepted text; undoing "
                "would lose it. It was left as it is: keep a copy, delete the file, undo again."
            )
        if self.before is None and self.proposal.before is not None:
            raise Refused(f"What {path} was before is erased. It was left: delete it, undo again.")
        if installed:
            from learnt.flows.skills.install import take_back  # yaml takes longer than the rest

            return take_back(outside, self.proposal, path)
        done = _become(outside, path, self.before, written, f"{path} is what it was before")
        if self.before is not None:
            follow(outside, path, there, self.before)
        return done

    def _remove_block(self, outside: Outside, path: str) -> str:
        there, name = outside.documents.read(path), self.proposal.id
        if there is None or name not in there:
            return f"{path} holds nothing of it"
        now = text_hash(there)
        not_erased = self.before is not None or self.proposal.before is None
        if not_erased and now == self.proposal.written and not self.proposal.adopted:
            without = self.before  # to the byte
        elif self.block is None or there.count(self.block) != 1:
            line = there[: there.index(name)].count("\n") + 1
            raise Conflict(
                f"The block of {name} in {path} (line {line}) changed since it was accepted. It "
                "was left as it is: delete it there if you want it gone, then undo again."
            )
        else:
            without = without_route(there, self.block, self.before)
        return _become(outside, path, without, now, f"its block is taken out of {path}")


def _become(outside: Outside, path: str, text: str | None, now: str, done: str) -> str:
    """Write a file's text, or remove it where it had none; what was done, in words."""
    if text is None:
        # A file of agents' instructions lies among a project's own.
        among = path.endswith(tuple(f"/{name}" for name in INSTRUCTIONS))
        outside.documents.remove(path, now, folder=not among)
        return f"{path} is removed"
    outside.documents.write(path, owned(text), now)
    return done
