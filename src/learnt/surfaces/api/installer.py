"""Installing skills into a program's own folder, as seed 004 names it.

Agents' folders are for `learnt skills install`: a person decides there.
"""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learnt.errors import Refused
from learnt.settings import load

if TYPE_CHECKING:
    from learnt.file_ports import Fetched

_AGENTS: Final = {".agents", ".claude", ".codex", ".cursor", ".gemini", ".github", ".opencode"}
_LOG: Final = logging.getLogger("learnt.skills")


class SkillInstaller:
    """Copies seed skills, and skills of a registry, into a folder of a program that embeds Learnt.

    Without a `dest` that is `skills` in Learnt's home, which `SkillRegistry` reads.
    """

    def __init__(self, *, home: Path | None = None) -> None:
        self._settings = load(os.environ, None if home is None else str(home))

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
        from learnt.bootstrap import opened
        from learnt.core.events import Actor
        from learnt.flows.governance.accept import Destination
        from learnt.flows.skills.install import install, look

        root = (dest or self._settings.home / "skills").expanduser().resolve()
        if not _AGENTS.isdisjoint(root.parts):
            raise Refused(
                f"{root} is an agent's: `learnt skills install` asks a person. Nothing was written."
            )
        done = []
        with opened(self._settings) as outside:
            root.mkdir(parents=True, exist_ok=True)
            where = Destination(root=str(root), skills="")
            for each in fetched:
                looked = look(outside, each, where, force=force)
                for finding in looked.verdict.refused:
                    _LOG.warning("%s: %s: %s", looked.name, finding.rule, finding.message)
                if not looked.verdict.refused:
                    install(outside, looked, Actor.TOOL)
                    done.append(looked.name)
        return done
