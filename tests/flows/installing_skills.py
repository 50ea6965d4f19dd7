"""A home, a project's folder, and a skill from outside that is installed there."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from learnt.bootstrap import skill_library
from learnt.core.events import Actor
from learnt.core.skills.skills import Skill, SkillLayer, SkillSource
from learnt.errors import EnvironmentTrouble
from learnt.file_ports import Fetched
from learnt.flows.governance.accept import Destination
from learnt.flows.skills import install as installing
from learnt.flows.skills.catalogue import catalogue, history_of
from learnt.flows.skills.install import InstallPlan
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.skill_shelf import DiskSkillShelf

FOREIGN = """---
name: PDF_Forms
version: 1.2  # of theirs
description: Fills forms in PDF files. Use when a form is to be filled.
metadata:
  openclaw:
    requires: [pypdf, qpdf]
---
# Fill

Read the fields with pypdf, then fill them in.
"""
PLAIN = "---\nname: pdf-forms\ndescription: Fills forms in PDF files.\n---\n# Fill\n\n{0}\n"


class Shelf(DiskSkillShelf):
    """A shelf that fails where it is told to."""

    failing = ""

    @contextmanager
    def staged(self, folder: str, files: Mapping[str, bytes]) -> Iterator[Callable[[], None]]:
        with super().staged(folder, files) as move:
            if self.failing == "staged":
                raise EnvironmentTrouble("the disk is full")

            def moved() -> None:
                if self.failing == "before the move":
                    raise EnvironmentTrouble("the machine went down")
                move()
                if self.failing == "after the move":
                    raise EnvironmentTrouble("the machine went down")

            yield moved


@dataclass
class Play:
    """A home, a project's folder, and what is there already."""

    outside: Outside
    root: Path
    shelf: Shelf = field(default_factory=Shelf)
    skills: tuple[Skill, ...] = ()

    def __post_init__(self) -> None:
        self.outside = replace(self.outside, shelf=self.shelf)

    @property
    def where(self) -> Destination:
        links = ((str(self.root), ".claude/skills/"),)
        return Destination(root=str(self.root), within=".agents/", links=links)

    @property
    def folder(self) -> Path:
        return self.root / ".agents" / "skills" / "pdf-forms"

    def look(self, text: str = FOREIGN, *, force: bool = False, **files: bytes) -> InstallPlan:
        """A skill with that text is looked at."""
        given = {name.replace("_py", ".py"): content for name, content in files.items()}
        fetched = Fetched(
            "/elsewhere/forms", "local", "forms", {"SKILL.md": text.encode(), **given}, "7"
        )
        return installing.look(
            self.outside, fetched, self.where, skills=lambda: self.skills, force=force
        )

    def install(self, text: str = FOREIGN, *, force: bool = False, **files: bytes) -> InstallPlan:
        """And installed."""
        looked = self.look(text, force=force, **files)
        installing.install(self.outside, looked, Actor.HUMAN)
        return looked

    def lock(self) -> dict[str, dict[str, str]]:
        """The lock's entries."""
        path = self.root / "skills-lock.json"
        entries: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8"))["skills"]
        return entries

    def versions(self) -> list[tuple[str, str]]:
        """Cause and text of each version, oldest first."""
        subject = self.look().subject
        with self.outside.ledger.reading() as reader:
            history = history_of(reader, subject)
            return [(v.cause, reader.text(v.text) or "") for v in history.versions if v.text]

    def withheld(self) -> str:
        """Why the registry withholds it; empty where it does not."""
        return self.skill().withheld

    def skill(self) -> Skill:
        """As the registry has it."""
        sources = [SkillSource(str(self.folder.parent), SkillLayer.USER)]
        home = Settings(home=self.root.parent / "home")
        with skill_library(home, sources, seeds=False) as library:
            return catalogue(self.outside, library, None).skills["pdf-forms"]

    def left_aside(self) -> list[str]:
        """What a run left beside the skills."""
        return [path.name for path in (self.root / ".agents").iterdir() if path.name != "skills"]
