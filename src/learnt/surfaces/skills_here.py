"""The skills that are seen from a folder, opened for whoever shows or changes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from learnt.core.records import Record
from learnt.core.skills.skills import Finding, Skill
from learnt.formats.answers import filled

if TYPE_CHECKING:
    from learnt.flows.skills.catalogue import OpenShelf
    from learnt.ports import Outside
    from learnt.settings import Settings


@contextmanager
def open_shelf(outside: "Outside", settings: "Settings", folder: str) -> "Iterator[OpenShelf]":
    """The skills of a folder's project and of its user."""
    from learnt.bootstrap import skill_library
    from learnt.flows.sessions.locate import located_at, look
    from learnt.flows.skills.catalogue import shelf_of
    from learnt.surfaces.agent_files import skill_sources

    sources = skill_sources(Path(folder), settings.home / "skills")
    with skill_library(settings, sources) as library:
        yield shelf_of(outside, library, located_at(outside, look(outside, folder)).project)


class SkillAnswer(Record):
    """A skill. `withheld` says why it is not offered to agents, and is empty where it is."""

    name: str
    description: str
    layer: str
    file: str
    version: str
    tags: tuple[str, ...]
    agent_roles: tuple[str, ...]
    pipeline_stages: tuple[str, ...]
    source: str
    pinned: bool
    usage_count: int
    success_rate: float | None
    failures: str
    withheld: str
    findings: tuple[Finding, ...]


def skill_answer(on: "OpenShelf", skill: Skill) -> SkillAnswer:
    """A skill as it is printed."""
    return filled(
        SkillAnswer,
        skill,
        layer=skill.layer.name.lower(),
        agent_roles=skill.roles,
        pipeline_stages=skill.stages,
        pinned=any(on.known.skills.get(key) is skill for key in on.known.pinned),
        findings=tuple(replace(finding, path=skill.file) for finding in skill.findings),
    )
