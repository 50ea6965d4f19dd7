"""Skills as resources of an MCP client: their list, the text of each, its other files one by one.

What is withheld is neither listed nor given. Every text that goes out is neutralised.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from learnt.bootstrap import skill_library
from learnt.core.safety import neutralise
from learnt.core.skills.skills import Skill
from learnt.errors import NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.sessions.locate import located_at, look
from learnt.flows.skills.catalogue import Catalogue, catalogue
from learnt.flows.skills.disclose import disclosed
from learnt.flows.skills.record import named_skill
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.surfaces.agent_files import skill_sources

SCHEME: Final = "skill://"
MOST_LISTED: Final = 200  # of one page


class SkillPage(NamedTuple):
    """Some skills by name; `after` asks for the next ones, and is empty after the last."""

    skills: tuple[Skill, ...]
    after: str


@contextmanager
def shelf(
    outside: Outside, settings: Settings, folder: str
) -> Iterator[tuple[Catalogue, SkillLibrary]]:
    """The skills of a folder's project and of its user."""
    sources = skill_sources(Path(folder), settings.home / "skills")
    with skill_library(settings, sources) as library:
        project = located_at(outside, look(outside, folder)).project
        yield catalogue(outside, library, project), library


def skills_after(outside: Outside, settings: Settings, folder: str, after: str) -> SkillPage:
    """The skills that an agent there can have, a page of them."""
    with shelf(outside, settings, folder) as (known, _):
        keys = [key for key, skill in known.skills.items() if key > after and not skill.withheld]
    page = keys[:MOST_LISTED]
    skills = tuple(
        known.skills[key]._replace(description=neutralise(known.skills[key].description))
        for key in page
    )
    return SkillPage(skills, page[-1] if len(keys) > len(page) else "")


def uri_of(name: str, path: str = "") -> str:
    """The address of a skill, or of one of its files.

    >>> uri_of("drains", "scripts/x.py")
    'skill://drains/scripts/x.py'
    """
    return f"{SCHEME}{quote(name)}" + (f"/{quote(path)}" if path else "")


def texts_at(outside: Outside, settings: Settings, folder: str, uri: str) -> list[tuple[str, str]]:
    """The addresses and texts that an address stands for: of a skill also the list of its files.

    Raises NotFound for none, Refused for what is withheld, no text or too large.
    """
    if not uri.startswith(SCHEME):
        raise NotFound(f"There is nothing at {uri[:200]!r}: skills are at {SCHEME}NAME.")
    name, _, path = uri.removeprefix(SCHEME).partition("/")
    with shelf(outside, settings, folder) as (known, library):
        skill = named_skill(known, unquote(name))
        if skill.withheld:
            raise Refused(f"{skill.name} is withheld: {skill.withheld} (`learnt doctor`).")
        shown = disclosed(library, skill, unquote(path))
    texts = [(uri, neutralise(shown.text))]
    if shown.files and not path:
        listed = (f"- {uri_of(skill.name, f.path)} ({f.size:,} bytes)" for f in shown.files)
        texts.append((f"{uri_of(skill.name)}/", "\n".join(["Its other files:", *listed])))
    return texts
