"""Installing skills into a program's own folder, and renewing a file by a program's record.

Agents' folders are for `learnt skills install`: a person decides there.
"""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learnt.core.skills.skills import judged, key_of
from learnt.errors import Refused
from learnt.formats import skill_md, skill_text
from learnt.formats.front_matter import beneath_metadata, edited
from learnt.settings import load
from learnt.surfaces.agent_files import is_agents, skill_sources

if TYPE_CHECKING:
    from learnt.core.skills.replay import Shadowing
    from learnt.file_ports import Fetched


_LOG: Final = logging.getLogger("learnt.skills")


class SkillInstaller:
    """Copies seed skills, and skills of a registry, into a folder of a program that embeds Learnt.

    Without a `dest` that is `skills` in Learnt's home, which `SkillRegistry` and `learnt skills
    inject` read: there only a person at a terminal installs. For others it is proposed, as the log
    `learnt.skills` says. `shadowing` has by name what each of them displaces for recorded prompts.
    """

    def __init__(self, *, home: Path | None = None) -> None:
        self._settings = load(os.environ, None if home is None else str(home))
        self.shadowing: dict[str, Shadowing] = {}

    def install_seed_skills(self, dest: Path | None = None, force: bool = False) -> list[str]:
        """Copy all seed skills; the names of those that are there now as they come with Learnt.

        A copy that differs is kept unless `force` is set.
        """
        from learnt.bootstrap import seed_skills

        return self._install(seed_skills(self._settings, ""), dest, force=force)

    def install_from_hub(self, name: str, dest: Path | None = None) -> bool:
        """Install OWNER/NAME of ClawHub, or any other source; False where a finding refuses it.

        The findings are in the log `learnt.skills`. Raises Refused, NotFound, EnvironmentTrouble.
        """
        from learnt.bootstrap import fetch_skill

        return bool(self._install([fetch_skill(self._settings, name)], dest, force=False))

    def _install(self, fetched: "list[Fetched]", dest: Path | None, *, force: bool) -> list[str]:
        from learnt.bootstrap import opened, skill_library
        from learnt.core.events import Actor
        from learnt.flows.governance.accept import Destination
        from learnt.flows.skills.catalogue import catalogue
        from learnt.flows.skills.install import install, look, propose_it, replayed
        from learnt.surfaces.cli.context import caller

        home = self._settings.home.expanduser()
        given = (dest or home / "skills").expanduser()
        root, person = given.resolve(), caller(str(home)).actor is Actor.HUMAN
        within = {home.resolve(), (home / "skills").resolve()}
        proposes = not person and not within.isdisjoint((root, *root.parents))
        if is_agents(given):
            raise Refused(
                f"{root} is an agent's: `learnt skills install` asks a person. Nothing was written."
            )
        done, sources = [], skill_sources(None, root)
        with opened(self._settings) as outside, skill_library(self._settings, sources) as library:
            where, known = Destination(root=str(root), skills=""), catalogue(outside, library, None)
            for each in fetched:
                looked = look(
                    outside, each, where, skills=library.skills, force=force and not proposes
                )
                if not looked.verdict.refused and not looked.settled:
                    looked = replayed(looked, outside, known, library)
                told = [f for f in looked.findings if f.rule == "displaces-used"]
                for finding in (*looked.verdict.refused, *told):
                    _LOG.warning("%s: %s: %s", looked.name, finding.rule, finding.message)
                if not looked.verdict.refused and proposes and not looked.settled:
                    proposal = propose_it(outside, looked, Actor.TOOL, "")
                    _LOG.warning("%s waits for a person as %s.", looked.name, proposal)
                elif not looked.verdict.refused:
                    root.mkdir(parents=True, exist_ok=True)
                    install(outside, looked, Actor.TOOL)
                    done.append(looked.name)
                if looked.shadowing is not None:
                    self.shadowing[looked.name] = looked.shadowing
        return done


def renewed(
    text: str, name: str, changes: Mapping[str, str], description: str, content: str
) -> str:
    """The text with these values (empty: without the key), description and Markdown.

    A text that the specification refuses is written fresh: with all its keys, unknown ones too.
    """
    read = skill_text.read(text, name)
    metadata = read.front.get("metadata")
    inner = metadata if isinstance(metadata, dict) else {}
    try:
        if judged(read.findings, force=False).refused or changes.keys() & read.front.keys():
            raise Refused("Nothing of it can be kept as it is.")
        new = text
        if content.strip() != read.body.strip():
            head = text.removesuffix(read.body)
            end = "" if head.endswith("\n") else "\n"
            new = f"{head}{end}{content.strip()}\n"
        if description != read.description:
            new = edited(new, "description", description)
        if changes and not inner:
            return edited(new, "metadata", {key: value for key, value in changes.items() if value})
        for key, value in changes.items():
            new = beneath_metadata(new, key, value or None)
        return new
    except Refused:
        front = {key: value for key, value in read.front.items() if key not in changes}
        kept = {key: value for key, value in {**inner, **changes}.items() if value}
        return skill_md.strict({**front, "metadata": kept}, key_of(name), description, content)
