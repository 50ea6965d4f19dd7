"""A skill from outside comes to where agents look: looked at first, shown, then moved in whole.

`look` reads and judges and writes nothing. `install` stages the files, records what is to be there,
and moves the folder with one rename. A run that was cut short leaves the folder whole or not at
all, and the same command again completes it. Ours is what the ledger, or a lock file that still
fits, says was installed; nothing else is ever written to.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from learnt.core.events import Actor, Draft
from learnt.core.governance.proposals import text_hash
from learnt.core.identifiers import ProjectId, Subject, plain_or_hashed, skill_subject
from learnt.core.json_values import member
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.skills.admission import UNJUDGED, Verdict, judged
from learnt.core.skills.findings import Finding, Severity
from learnt.core.skills.history import SkillHistory
from learnt.core.skills.shadowing import Shadowing
from learnt.core.skills.skills import Layer, Skill, key_of
from learnt.errors import Conflict, NotFound, Refused
from learnt.file_ports import Fetched, SkillLibrary, SkillShelf
from learnt.flows.skills.catalogue import PERSONAL, Catalogue, as_agreed, history_of
from learnt.flows.skills.replay import Candidate, displaced_by
from learnt.flows.stored import text_or_empty
from learnt.formats import skill_lock, skill_md, skill_text
from learnt.ports import Outside, Writer

Scan = Callable[[Mapping[str, bytes], str, Iterable[str]], tuple[Finding, ...]]
SKILL: Final = "SKILL.md"


class Target(NamedTuple):
    """Where skills go: below a root, the lock file in it, with links from these (root, below)."""

    root: str
    below: str = "skills/"
    links: tuple[tuple[str, str], ...] = ()
    project: ProjectId | None = None


class Tools(NamedTuple):
    """What installing needs beside the ledger. `skills` are all that are there now."""

    outside: Outside
    shelf: SkillShelf
    scan: Scan
    skills: tuple[Skill, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A skill that was looked at: what it would be, what is there, and what speaks against it.

    `files` are as they would be written, `original` is its SKILL.md as it was fetched. `there` has
    the files in its place now; None for none. `shadowing`: what it displaces, once that was asked.
    """

    name: str
    fetched: Fetched
    target: Target
    subject: Subject
    history: SkillHistory
    files: Mapping[str, bytes]
    original: str = ""
    path: str = ""
    there: Mapping[str, bytes] | None = None
    findings: tuple[Finding, ...] = ()
    verdict: Verdict = UNJUDGED
    shadowing: Shadowing | None = None

    @property
    def text(self) -> str:
        """The SKILL.md that would be written."""
        return self.files.get(SKILL, b"").decode("utf-8", "replace")

    @property
    def same(self) -> bool:
        """Whether it is there already, as it would be."""
        return self.there == self.files


def digest_of(files: Mapping[str, bytes], instead: str = "") -> str:
    """The digest by which a folder is known again, as the registry computes it from the disk.

    `instead` is taken for that of SKILL.md.
    """
    own = {path: hashlib.sha256(file).hexdigest() for path, file in files.items()}
    if instead:
        own[SKILL] = instead
    parts = (f"{path}\0{own[path]}\n" for path in sorted(own))
    return hashlib.sha256("".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def look(tools: Tools, fetched: Fetched, target: Target, *, force: bool = False) -> Looked:
    """A fetched skill with all that speaks against installing it. Writes nothing."""
    raw = fetched.files.get(SKILL, b"")
    original = raw.decode("utf-8", "replace")
    findings = list(fetched.findings)
    if raw != original.encode():
        findings.append(Finding(rule="not-text", message="It is not text in UTF-8."))
    # The folder is to have the name that the text says: where it lay before does not matter.
    name = key_of(skill_text.read(original, key_of(fetched.name)).name)
    read = skill_text.read(original, name)
    text = original
    if any(finding.severity is Severity.ERROR for finding in read.findings):
        text = skill_md.strict(read.front, name, read.description, read.body)
    if fetched.files:
        still = skill_text.read(text, name).findings
        rules = {finding.rule for finding in still}
        mended = (f for f in read.findings if f.rule not in rules)
        findings += [*still, *(replace(f, severity=Severity.WARNING) for f in mended)]
        others = {skill.name for skill in tools.skills if key_of(skill.name) != name}
        findings += tools.scan(fetched.files, name, others)
    looked = placed(tools, name, fetched, target)
    looked = replace(looked, original=original, files={**fetched.files, SKILL: text.encode()})
    findings += _in_the_way(tools, looked)
    listed = tuple(dict.fromkeys(findings))
    return replace(looked, findings=listed, verdict=judged(listed, force=force))


def placed(tools: Tools, name: str, fetched: Fetched, target: Target) -> Looked:
    """A skill's place, and what the ledger and the disk have of it."""
    outside = tools.outside
    key = plain_or_hashed(outside.ledger.key, name)
    subject = skill_subject(target.project or PERSONAL, key)
    with outside.ledger.reading() as reader:
        history = history_of(reader, subject)
    try:
        path = outside.documents.whole(target.root, f"{target.below}{name}")
        there = tools.shelf.files(path)
        findings: tuple[Finding, ...] = ()
    except Refused as error:
        path, there = "", None
        findings = (Finding(rule="no-place", message=str(error)),)
    return Looked(
        name=name, fetched=fetched, target=target, subject=subject, history=history, files={},
        path=path, there=there, findings=findings,
    )  # fmt: skip


def replayed(looked: Looked, outside: Outside, known: Catalogue, library: SkillLibrary) -> Looked:
    """It with what it displaces for recorded prompts; a warning where that was of use there."""
    file = f"{looked.path}/{SKILL}"
    candidate = Candidate(looked.name, looked.text, file, looked.target.project)
    shadows = displaced_by(outside, known, library, candidate)
    findings = looked.findings
    if shadows.used:
        message = (
            f"It takes the place of what was used for recorded prompts: {', '.join(shadows.used)}."
        )
        warning = Finding(rule="displaces-used", message=message, severity=Severity.WARNING)
        findings = (*findings, warning)
    return replace(looked, shadowing=shadows, findings=findings)


def _in_the_way(tools: Tools, looked: Looked) -> Iterable[Finding]:
    """What is there already under its name."""
    yield from looked.findings
    if looked.there is not None and not _ours(tools, looked):
        message = f"{looked.path} is there, and Learnt did not install it."
        yield Finding(rule="not-ours", message=message)
    elif looked.there is not None and not looked.same:
        state = (
            "is installed already" if _unchanged(looked) else "was changed since it was installed"
        )
        yield Finding(rule="already-there", message=f"{looked.path} {state}.")
    own = looked.path and tools.shelf.real(f"{looked.path}/{SKILL}")
    for skill in tools.skills:
        seed = skill.layer <= Layer.DOMAIN and looked.fetched.kind == "seed"
        if key_of(skill.name) == looked.name and not seed and tools.shelf.real(skill.file) != own:
            message = f"{skill.file} has that name already: one would hide the other."
            yield Finding(rule="name-taken", message=message)


def _unchanged(looked: Looked) -> bool:
    there = looked.there
    if there is None:
        return True
    text = hashlib.sha256(there.get(SKILL, b"")).hexdigest()
    return as_agreed(looked.history, text, partial(digest_of, there))


def _ours(tools: Tools, looked: Looked) -> bool:
    if looked.history.installed or looked.there is None:
        return True
    entry = skill_lock.entry(tools.outside.documents.read(_lock(tools, looked)), looked.name)
    return entry is not None and entry.hash == skill_lock.hash_of(looked.there)


def _lock(tools: Tools, looked: Looked) -> str:
    return tools.outside.documents.whole(looked.target.root, skill_lock.NAME)


def install(tools: Tools, looked: Looked, actor: Actor) -> list[str]:
    """Put it where agents look, as it was shown; where no link could be put, in words.

    Raises Refused where something speaks against it, Conflict where anything changed since.
    """
    if looked.verdict.refused or not looked.path:
        raise Refused(f"{looked.name} is not installed: {looked.verdict.refused[0].message}")
    # A lock that cannot be kept is said before anything is written.
    skill_lock.entry(tools.outside.documents.read(_lock(tools, looked)), looked.name)
    if looked.same and looked.history.installed == digest_of(looked.files):
        return _settle(tools, looked)
    with tools.shelf.staged(looked.path, looked.files) as move:
        with tools.outside.ledger.durably_writing() as writer:
            if history_of(writer, looked.subject) != looked.history:
                raise Conflict(f"{looked.name} was changed meanwhile. Nothing was installed.")
            if tools.shelf.files(looked.path) != looked.there:
                raise Conflict(f"{looked.path} changed since it was looked at. It was left.")
            _record(writer, looked, actor)
        if not looked.same:
            move()
    return _settle(tools, looked)


def _record(writer: Writer, looked: Looked, actor: Actor) -> None:
    """Each text that it has, and had, as a version; then what the whole folder is to be."""
    before = (looked.there or {}).get(SKILL, b"").decode("utf-8", "replace")
    parent = looked.history.versions[-1].digest if looked.history.versions else ""
    name = writer.keep("skill", looked.name)
    for text, cause in (
        (before, "outside" if looked.same else "found"),
        (looked.original, "install"),
        (looked.text, "install"),
    ):
        digest = hashlib.sha256(text.encode()).hexdigest()
        if text and digest != parent:
            event = SkillEvent(
                action="versioned", name=name, text=writer.keep("file", text), digest=digest,
                parent=parent, version=_number(text), cause=cause,
            )  # fmt: skip
            writer.append(Draft(subject=looked.subject, actor=actor, payload=event))
            parent = digest
    at = f"@{looked.fetched.version}" if looked.fetched.version else ""
    source = writer.keep("source", f"{looked.fetched.source}{at}")
    event = SkillEvent(action="installed", name=name, source=source, digest=digest_of(looked.files))
    writer.append(Draft(subject=looked.subject, actor=actor, payload=event))


def _number(text: str) -> str:
    front = skill_text.read(text, "").front
    return skill_text.word(front.get("version") or member(front.get("metadata"), "version"))


def _settle(tools: Tools, looked: Looked) -> list[str]:
    """The lock file and the links, where they are not there yet."""
    fetched, documents = looked.fetched, tools.outside.documents
    entry = skill_lock.Entry(
        fetched.source, fetched.kind, skill_lock.hash_of(looked.files), fetched.version
    )
    _relock(tools, looked, entry)
    not_linked = []
    for root, below in looked.target.links:
        link = f"{root}/{below}{looked.name}"
        if tools.shelf.real(link) == looked.path:
            continue  # as an earlier run left it
        try:
            there = not documents.link(documents.whole(root, f"{below}{looked.name}"), looked.path)
        except Refused:  # no link is put through a link
            there = True
        if there:
            not_linked.append(f"something else is there, not linked: {link}")
    return not_linked


def _relock(tools: Tools, looked: Looked, entry: skill_lock.Entry | None) -> None:
    lock, documents = _lock(tools, looked), tools.outside.documents
    before = documents.read(lock)
    if skill_lock.entry(before, looked.name) != entry:
        text = skill_lock.changed(before, looked.name, entry)
        documents.write(lock, text, text_hash(before))


def installed(tools: Tools, name: str, target: Target) -> Looked:
    """What was installed under a name there. Raises NotFound where Learnt installed none."""
    looked = placed(tools, key_of(name), Fetched("", "", name), target)
    if not looked.history.installed or not looked.path:
        raise NotFound(f"Learnt installed no skill {name!r} below {target.root}.")
    with tools.outside.ledger.reading() as reader:
        source = text_or_empty(reader, looked.history.source)
    entry = skill_lock.entry(tools.outside.documents.read(_lock(tools, looked)), looked.name)
    entry = entry or skill_lock.Entry(source, "", "")
    there = looked.there or {}
    fetched = Fetched(entry.source, entry.kind, looked.name, there, entry.version)
    findings = tools.scan(there, looked.name, ())
    return replace(looked, fetched=fetched, files=there, findings=findings)


def keep(tools: Tools, looked: Looked, actor: Actor) -> None:
    """Take what a person made of an installed skill for what was installed."""
    if SKILL not in looked.files:
        raise NotFound(f"{looked.path} is gone; `learnt skills remove {looked.name}` ends it.")
    install(tools, looked, actor)


def remove(tools: Tools, looked: Looked, actor: Actor) -> None:
    """Take away exactly what was installed. Raises Refused where its files were changed."""
    if not _unchanged(looked):
        raise Refused(
            f"{looked.path} was changed since it was installed, and is left as it is. `learnt "
            f"skills install --keep {looked.name}` makes the change the installed text."
        )
    for root, below in looked.target.links:
        tools.outside.documents.unlink(f"{root}/{below}{looked.name}", looked.path)
    if looked.there is not None:
        tools.shelf.take_away(looked.path)
    _relock(tools, looked, None)
    with tools.outside.ledger.durably_writing() as writer:
        name = writer.keep("skill", looked.name)
        event = SkillEvent(action="removed", name=name)
        writer.append(Draft(subject=looked.subject, actor=actor, payload=event))
