"""Installing skills into a program's own folder, as seed 004 names it.

Agents' folders are for `learnt skills install`: a person decides there.
"""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learnt.errors import Refused
from learnt.settings import load
from learnt.surfaces.agent_files import skill_sources

if TYPE_CHECKING:
    from learnt.core.skills.shadowing import Shadowing
    from learnt.file_ports import Fetched

_AGENTS: Final = {".agents", ".claude", ".codex", ".cursor", ".gemini", ".github", ".opencode"}
_LOG: Final = logging.getLogger("learnt.skills")


class SkillInstaller:
    """Copies seed skills, and skills of a registry, into a folder of a program that embeds Learnt.

    Without a `dest` that is `skills` in Learnt's home, which `SkillRegistry` reads. `shadowing` has
    by name what each skill that this installed displaces for recorded prompts.
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
        from learnt.flows.skills.install import install, look, replayed

        root = (dest or self._settings.home / "skills").expanduser().resolve()
        if not _AGENTS.isdisjoint(root.parts):
            raise Refused(
                f"{root} is an agent's: `learnt skills install` asks a person. Nothing was written."
            )
        done, sources = [], skill_sources(None, root)
        with (
            opened(self._settings) as outside,
            skill_library(self._settings, sources) as library,
        ):
            root.mkdir(parents=True, exist_ok=True)
            where, known = Destination(root=str(root), skills=""), catalogue(outside, library, None)
            for each in fetched:
                looked = look(outside, each, where, force=force)
                if not looked.verdict.refused and not looked.settled:
                    looked = replayed(looked, outside, known, library)
                told = [f for f in looked.findings if f.rule == "displaces-used"]
                for finding in (*looked.verdict.refused, *told):
                    _LOG.warning("%s: %s: %s", looked.name, finding.rule, finding.message)
                if not looked.verdict.refused:
                    install(outside, looked, Actor.TOOL)
                    done.append(looked.name)
                if looked.shadowing is not None:
                    self.shadowing[looked.name] = looked.shadowing
        return done
