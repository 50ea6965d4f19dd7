"""Which skills there are: those on disk, with what the ledger knows of each."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from learnt.core.events import Kind, payload_of
from learnt.core.health.executions import UseTotals
from learnt.core.health.outcomes import MILLION
from learnt.core.identifiers import ProjectId, Subject, plain_or_hashed, skill_subject
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.records import decode
from learnt.core.skills.history import REMEMBERED, Copy, SkillHistory, rate_of
from learnt.core.skills.skills import Skill, SkillLayer, effective, key_of
from learnt.errors import Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.skills.locked import FolderLocks, locked_out
from learnt.flows.stored import legible
from learnt.ports import Outside, Reader

PERSONAL = "user"  # the owner of every skill that is not a project's
CHANGED = "it differs from what was installed"


class Catalogue(NamedTuple):
    """The skills that count, by key, those that another of the same name hides, the pinned keys."""

    skills: Mapping[str, Skill]
    shadowed: tuple[Skill, ...]
    pinned: tuple[str, ...]


def catalogue(outside: Outside, library: SkillLibrary, project: ProjectId | None) -> Catalogue:
    """All skills that a project sees, with their statistics; a tampered one is withheld."""
    owners = (PERSONAL, *([project] if project else []))
    with outside.ledger.reading() as reader:
        histories = {
            view.subject: decode(SkillHistory, view.state)
            for owner in owners
            for view in reader.views(f"skill:{owner}:")
        }
        seen = {key_of(legible(reader, total.skill)): total for total in reader.use_totals()}
    known, pinned = [], set()
    locks: dict[str, FolderLocks] = {}
    for skill in library.skills():
        # A name's hash costs more than all else here, and most homes have no history.
        history = histories and histories.get(subject_of(outside, skill, project))
        copy = Copy()
        if history and history.installed:
            copy = history.at(place_of(outside, skill.file.removesuffix("/SKILL.md")))
        judged = skill.layer < SkillLayer.USER or copy.digest
        if not judged and (why := locked_out(outside, skill.file, locks)):
            skill = skill._replace(withheld=why)
        if not history:
            known.append(skill)
            continue
        # A seed of that name was not installed: it is as its package brought it.
        tampered = bool(copy.digest and skill.layer >= SkillLayer.USER) and not (
            as_agreed(history, copy, skill.digest, partial(library.folder_digest, skill.file))
        )
        known.append(
            skill._replace(
                usage_count=history.uses,
                success_rate=history.success_rate,
                withheld=CHANGED if tampered else skill.withheld,
            )
        )
        if history.pinned:
            pinned.add(key_of(skill.name))
    counting = dict(effective(known))
    files = {skill.file for skill in counting.values()}
    with outside.ledger.reading() as reader:
        for key in counting.keys() & seen.keys():
            subject = subject_of(outside, counting[key], project)
            counting[key] = _with_executions(reader, counting[key], subject, seen[key])
    shadowed = tuple(skill for skill in known if skill.file not in files)
    return Catalogue(counting, shadowed, tuple(sorted(pinned)))


def _with_executions(reader: Reader, skill: Skill, subject: Subject, seen: UseTotals) -> Skill:
    """A skill with the executions that Learnt saw beside the results that were told, by time."""
    graded = [(u.wall_ms, u.own_grade) for u in reader.uses(seen.skill, REMEMBERED)]
    results = [(ms, grade / MILLION) for ms, grade in graded if grade is not None]
    if skill.usage_count and results:
        for event in reader.events(subject=subject, kind=Kind.SKILL):
            told = payload_of(SkillEvent, event)
            if told.action == "graded":
                results.append((event.wall_ms, float(bool(told.success))))
    rate = rate_of(result for _, result in sorted(results)) if results else skill.success_rate
    return skill._replace(usage_count=skill.usage_count + seen.executions, success_rate=rate)


def place_of(outside: Outside, folder: str) -> str:
    """A skill's folder, or its flat file, as it is recorded: whatever links lead there."""
    return plain_or_hashed(outside.ledger.key, outside.shelf.real(folder))


def as_agreed(history: SkillHistory, copy: Copy, text: str, folder: Callable[[str], str]) -> bool:
    """Whether a folder is as installed, but for texts of SKILL.md that a person accepted.

    `text` is the digest of that file, `folder` the folder's with another in place of it.
    """
    if folder("") == copy.digest:
        return True
    agreed = {version.digest for version in history.versions if version.cause != "found"}
    return text in agreed and any(
        folder(version.digest) == copy.digest for version in history.versions
    )


def refuse_brought(files: Collection[str | None], skills: Iterable[Skill]) -> None:
    """Raise Refused where one of the files is a skill's that came with Learnt or a domain."""
    for skill in skills:
        if skill.layer < SkillLayer.USER and skill.file in files:
            raise Refused(
                f"{skill.name} came with a package, whose files are never written. `learnt skills "
                "install`, with no source, copies it first. Nothing was changed."
            )


def subject_of(outside: Outside, skill: Skill, project: ProjectId | None) -> Subject:
    """The subject under which a skill's events are recorded."""
    owner = project if skill.layer is SkillLayer.PROJECT and project else PERSONAL
    return skill_subject(owner, called(outside, skill.name))


def histories(reader: Reader) -> dict[str, SkillHistory]:
    """What is recorded of every skill, by the last part of its subject; a user's before others."""
    found: dict[str, SkillHistory] = {}
    for view in reader.views(SkillHistory.prefix):
        _, owner, key = view.subject.split(":", 2)
        if key not in found or owner == PERSONAL:
            found[key] = decode(SkillHistory, view.state)
    return found


def called(outside: Outside, name: str) -> str:
    """The last part of the subject of a skill of that name."""
    return plain_or_hashed(outside.ledger.key, key_of(name))


def history_of(reader: Reader, subject: Subject) -> SkillHistory:
    """What is recorded of a skill; an empty history where nothing is."""
    state = reader.view(subject)
    return SkillHistory() if state is None else decode(SkillHistory, state)
