"""The files that `init` puts beside an agent's settings: commands, subagents and skills."""

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from learnt.flows.setup import companions
from learnt.formats.agents import claude_companions
from learnt.formats.agents.claude_code import CLAUDE_CODE
from learnt.formats.agents.dialects import Dialect
from learnt.surfaces import agent_files


def beside_settings(
    agents: Iterable[Dialect], project: Path | None, *, shared: bool
) -> list[companions.Companion]:
    """Commands, subagents and skills; in what a team shares no path of this machine."""
    # The folders of an agent that `init` just began to use: it has them from now on.
    script = Path(sys.executable).with_name("learnt")
    program = "learnt" if shared or not script.is_file() else str(script)
    learnt = shlex.quote(program)
    wanted = []
    for agent in agents:
        own = agent_files.agent_folder(agent, project)
        if agent is CLAUDE_CODE:
            texts = {f"commands/{n}": t for n, t in claude_companions.commands(learnt).items()}
            texts |= {f"agents/{n}": t for n, t in claude_companions.agents(learnt).items()}
            wanted += [companions.Companion(path=str(own / n), text=t) for n, t in texts.items()]
        for name, text in claude_companions.skills(learnt).items():
            folder = agent_files.canonical_root(project) / "skills" / name
            wanted.append(companions.Companion(path=str(folder / "SKILL.md"), text=text))
            if agent.links:
                link = str(own / agent.links / name)
                wanted.append(companions.Companion(path=link, to=str(folder)))
    return list({each.path: each for each in wanted}.values())
