"""Projects as a person orders them: listed, linked, split, named, and turned off and on."""

from collections import Counter
from typing import Literal

from msgspec.structs import replace

from learnt.core.identifiers import ProjectId, project_subject
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.session_events import ProjectLinked, ProjectNamed, ProjectSwitched
from learnt.core.projects import Project, household, twin
from learnt.core.records import Record
from learnt.core.safety import clean
from learnt.errors import NotFound, UsageError
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.sessions.locate import find, located_at, look
from learnt.flows.stored import all_stored, append, stored, text_behind
from learnt.ports import Outside, Reader

LONGEST_NAME = 100


class ProjectRow(Record):
    """A project: how many notes hold there, and which projects share what it knows."""

    id: ProjectId
    name: str
    notes: int
    here: bool = False
    off: bool = False
    shares_with: tuple[ProjectId, ...] = ()


def projects(outside: Outside, folder: str) -> list[ProjectRow]:
    """Every project, the one of the folder first, then by name."""
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        here = find(reader, place)
        every = list(all_stored(reader, Project))
        counts = Counter(entry.scope for entry in all_stored(reader, Entry) if entry.live)
        rows = [
            ProjectRow(
                project.id,
                name_of(reader, project),
                counts[project.id],
                here is not None and here.project == project.id,
                project.off,
                tuple(sorted(household(project.id, every) - {project.id})),
            )
            for project in every
        ]
    return sorted(rows, key=lambda row: (not row.here, row.name, row.id))


def name_of(reader: Reader, project: Project) -> str:
    """What a person calls it, else its folder's name; its id where neither is left."""
    return text_behind(reader, project.label) or project.id


def moved_notice(outside: Outside, folder: str, seconds: float = 20) -> str:
    """One line where a folder seems to be a moved project; git has these seconds to answer."""
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        here = find(reader, place)
        known = here and stored(reader, Project, project_subject(here.project))
        if not (known and known.root_commits):  # the worker has yet to ask
            claims = outside.folders.claims(folder, seconds)
            root = look(outside, folder, claims).folder.root_commit
            known = replace(
                known or Project(id=ProjectId("")), root_commits=(root,) if root else ()
            )
        other = twin(known, list(all_stored(reader, Project)))
        if other is None:
            return ""
        name, old = name_of(reader, other), other.id
    return (
        f"This folder has the history of the project {name}: `learnt project link {old}` shares "
        f"what is known there, `learnt project split {old}` keeps them apart."
    )


def link(
    outside: Outside, folder: str, old: str, decider: Decider, verdict: Literal["same", "apart"]
) -> str:
    """A person says that two projects are one, or not. Raises Refused, NotFound, UsageError."""
    word = "link" if verdict == "same" else "split"
    refuse_others(decider, f"learnt project {word} {old}")
    here = located_at(outside, look(outside, folder)).project
    with outside.ledger.durably_writing() as writer:
        one = stored(writer, Project, project_subject(here)) or Project(id=here)
        other = _project_named(writer, old)
        if one.id == other.id:
            raise UsageError("A project is linked with another one. Nothing was recorded.")
        pairs = [(one, other)]
        if verdict == "apart" and other.same_as == one.id:
            pairs.append((other, one))
        for each, its in pairs:
            linked = ProjectLinked(other=its.id, verdict=verdict)
            append(writer, project_subject(each.id), decider.actor, linked)
        names = name_of(writer, one), name_of(writer, other)
    said = "share what they know" if verdict == "same" else "share nothing"
    back = "split" if verdict == "same" else "link"
    return f"{names[0]} and {names[1]} {said} now. `learnt project {back} {old}` takes it back."


def rename(outside: Outside, folder: str, name: str, decider: Decider) -> str:
    """A person names a folder's project. Raises Refused for anybody but a person, UsageError."""
    refuse_others(decider, f"learnt project rename {name}")
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A name is one line of at most {LONGEST_NAME} characters.")
    here = located_at(outside, look(outside, folder)).project
    with outside.ledger.durably_writing() as writer:
        label = writer.keep("folder", clean(name.strip()))
        append(writer, project_subject(here), decider.actor, ProjectNamed(label=label))
    return f"This project is called {name.strip()} now."


def switch(outside: Outside, folder: str, decider: Decider, *, off: bool) -> str:
    """A person turns Learnt off or on in a folder's project. Raises Refused for anybody else."""
    refuse_others(decider, f"learnt project {'off' if off else 'on'}")
    here = located_at(outside, look(outside, folder)).project
    switched = ProjectSwitched(turned="off" if off else "on")
    with outside.ledger.durably_writing() as writer:
        append(writer, project_subject(here), decider.actor, switched)
    if off:
        return (
            "Learnt is off in this project: nothing is recalled or saved there. What is known "
            "stays. `learnt project on` turns it on."
        )
    return "Learnt is on in this project."


def _project_named(reader: Reader, named: str) -> Project:
    """The project of an id, or of a name that no other has. Raises NotFound, UsageError."""
    every = list(all_stored(reader, Project))
    fitting = [project for project in every if named in {project.id, name_of(reader, project)}]
    if not fitting:
        raise NotFound(f"There is no project {named}. `learnt project list` names all.")
    if len(fitting) > 1:
        ids = ", ".join(sorted(project.id for project in fitting))
        raise UsageError(f"Several projects are called {named}: give one of {ids}.")
    return fitting[0]
