"""Which skills there are, which texts of them were accepted, and what is said of them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.governance.proposals import text_hash
from learnt.core.health.executions import UseTotals
from learnt.core.health.outcomes import MILLION
from learnt.core.identifiers import ProjectId, Subject, plain_or_hashed, skill_subject
from learnt.core.payloads.skill_events import Action, SkillEvent
from learnt.core.records import Record, decode
from learnt.core.safety import clean, owned
from learnt.core.skills.history import REMEMBERED, Copy, SkillHistory, rate_of
from learnt.core.skills.skills import Skill, SkillLayer, effective, key_of
from learnt.errors import EnvironmentTrouble, NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.stored import append, legible
from learnt.formats import skill_lock
from learnt.ports import Outside, Reader

UNLOCKED: Final = f"it differs from what {skill_lock.NAME} says was installed"
UNREADABLE: Final = f"{skill_lock.NAME} cannot be read, which may say otherwise"


class FolderLocks(Record):
    """The hashes of a folder's locks, if one is `broken`, and the names that are `links`."""

    hashes: Mapping[str, str]
    broken: bool
    links: Collection[str]


def _lock_files(outside: Outside, above: str) -> list[str]:
    """Where the lock of a folder of skills may lie: there, or one of two folders above it."""
    folders = dict.fromkeys((outside.shelf.real(above), above))
    roots = (one.rsplit("/", up)[0] for one in folders for up in (2, 1, 0))
    return [f"{root}/{skill_lock.NAME}" for root in dict.fromkeys(roots)]


def locked_out(outside: Outside, file: str, read: dict[str, FolderLocks]) -> str:
    """Why a lock keeps a skill back; else empty. `read` holds the locks read so far."""
    folder, _, own = file.rpartition("/")
    above, _, key = folder.rpartition("/")
    if own != "SKILL.md":
        return ""
    if (locks := read.get(above)) is None:
        hashes, broken = dict[str, str](), False
        for path in _lock_files(outside, above):
            try:
                hashes |= skill_lock.hashes(outside.documents.read(path))
            except (EnvironmentTrouble, Refused):
                broken = True
        locks = read[above] = FolderLocks(hashes, broken, outside.shelf.links(above))
    if hashed := locks.hashes.get(key):
        with suppress(EnvironmentTrouble):  # what cannot be read is not what was installed
            if hashed == skill_lock.hash_of(outside.shelf.files(folder) or {}):
                return ""
        return UNLOCKED
    if locks.broken:
        return UNREADABLE
    there = outside.shelf.real(folder) if key in locks.links else folder
    return "" if there == folder else locked_out(outside, f"{there}/{own}", read)


def broken_locks(outside: Outside, files: Iterable[str]) -> dict[str, str]:
    """The locks of skills that cannot be read, and why: by them nothing can be checked."""
    broken = {}
    folders = {file.rsplit("/", 2)[0] for one in files for file in (one, outside.shelf.real(one))}
    for path in sorted({path for one in folders for path in _lock_files(outside, one)}):
        try:
            skill_lock.hashes(outside.documents.read(path))
        except (EnvironmentTrouble, Refused) as error:
            broken[path] = str(error).removesuffix(" Nothing was changed.")
    return broken


def follow(outside: Outside, file: str, before: str | None, text: str) -> None:
    """Have each lock that fitted a skill's folder fit its new text, if nothing else differs."""
    own = file.rpartition("/")[2]
    folder = outside.shelf.real(file.removesuffix(f"/{own}"))
    above, _, key = folder.rpartition("/")
    if own != "SKILL.md" or before is None:
        return
    for path in _lock_files(outside, above):
        lock, entry = None, None
        with suppress(EnvironmentTrouble, Refused):  # what is no lock locks nothing
            lock = outside.documents.read(path)
            entry = skill_lock.entry(lock, key)
        if entry is None:
            continue
        files = outside.shelf.files(folder) or {}
        if entry.hash == skill_lock.hash_of({**files, own: before.encode()}):
            hashed = skill_lock.hash_of({**files, own: text.encode()})
            source = skill_lock.portable(entry.source, path.rpartition("/")[0])
            new = skill_lock.changed(lock, key, replace(entry, hash=hashed, source=source))
            outside.documents.write(path, owned(new), text_hash(lock))


PERSONAL = "user"  # the owner of every skill that is not a project's
CHANGED = "it differs from what was installed"


class Catalogue(Record):
    """The skills that count, by key, those that another of the same name hides, the pinned keys."""

    skills: Mapping[str, Skill]
    shadowed: tuple[Skill, ...]
    pinned: tuple[str, ...]


class OpenShelf(Record):
    """The skills that a project sees, and what reads and records them."""

    outside: Outside
    library: SkillLibrary
    project: ProjectId | None
    known: Catalogue

    def named(self, name: str) -> Skill:
        """The skill of a name. Raises NotFound, which names those that are alike."""
        known = self.known.skills
        if (skill := known.get(key_of(name))) is None:
            from difflib import get_close_matches

            alike = get_close_matches(key_of(name), known, n=3)
            hint = f" Did you mean {', '.join(alike)}?" if alike else ""
            raise NotFound(f"There is no skill {name!r}.{hint} `learnt skills list` has all.")
        return skill

    def text(self, skill: Skill) -> str:
        """A skill's text. Raises NotFound where its file was deleted meanwhile."""
        if (text := self.library.text(skill.file)) is None:
            raise NotFound(f"{skill.file} was deleted a moment ago. Nothing was changed.")
        return text


def shelf_of(
    outside: Outside, library: SkillLibrary, project: ProjectId | None = None
) -> OpenShelf:
    """The skills of a library, with what is known of them."""
    return OpenShelf(outside, library, project, catalogue(outside, library, project))


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
            skill = replace(skill, withheld=why)
        if not history:
            known.append(skill)
            continue
        # A seed of that name was not installed: it is as its package brought it.
        tampered = bool(copy.digest and skill.layer >= SkillLayer.USER) and not (
            as_agreed(history, copy, skill.digest, partial(library.folder_digest, skill.file))
        )
        known.append(
            replace(
                skill,
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
    before = None
    if skill.usage_count and results:
        for event in reader.events(subject=subject, kind=Kind.SKILL):
            told = payload_of(SkillEvent, event)
            if told.action == "counted" and told.gap is not None:
                before = told.gap / MILLION
            elif told.action == "graded":
                results.append((event.wall_ms, float(bool(told.success))))
    ordered = (result for _, result in sorted(results))
    rate = rate_of(ordered, before) if results else skill.success_rate
    counted = skill.usage_count + seen.executions
    return replace(skill, usage_count=counted, success_rate=rate, failures=seen.failures)


def place_of(outside: Outside, folder: str) -> str:
    """A skill's folder, or its flat file, as it is recorded: whatever links lead there."""
    return plain_or_hashed(outside.ledger.key, outside.shelf.real(folder))


def as_agreed(history: SkillHistory, copy: Copy, text: str, folder: Callable[[str], str]) -> bool:
    """Whether a folder is as installed, but for accepted texts; `folder` gives its digest."""
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


def pin(
    outside: Outside, skill: Skill, project: ProjectId | None, decider: Decider, *, pinned: bool
) -> bool:
    """A person has a skill chosen first, or no longer; False if so before. Raises Refused."""
    refuse_others(decider, f"learnt skills pin {skill.name}{'' if pinned else ' --off'}")
    subject = subject_of(outside, skill, project)
    with outside.ledger.writing() as writer:
        if history_of(writer, subject).pinned == pinned:
            return False
        action: Action = "pinned" if pinned else "unpinned"
        payload = SkillEvent(action=action, name=writer.keep("skill", clean(skill.name)))
        append(writer, subject, decider.actor, payload)
    return True


def grade(
    outside: Outside, skill: Skill, project: ProjectId | None, actor: Actor, *, success: bool
) -> None:
    """Count a use of a skill. No file is touched."""
    subject = subject_of(outside, skill, project)
    with outside.ledger.writing() as writer:
        name = writer.keep("skill", clean(skill.name))
        append(writer, subject, actor, SkillEvent(action="graded", name=name, success=success))
