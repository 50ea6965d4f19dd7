"""Resources of an MCP client: skills with their files, and what a tool answers of an id.

A skill that is withheld is neither listed nor given. Every text that goes out is neutralised.
Entries are not listed, since there may be many: `recall` finds them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from learnt.bootstrap import skill_library
from learnt.core.identifiers import ENTRY_ID
from learnt.core.safety import neutralise
from learnt.core.skills.skills import Skill
from learnt.errors import NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.sessions.locate import located_at, look
from learnt.flows.skills.catalogue import Catalogue, catalogue, named_skill
from learnt.flows.skills.disclose import disclosed
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.surfaces.agent_files import skill_sources

SCHEME: Final = "skill://"
ENTRY_FILE: Final = "SKILL.md"
_MARKDOWN: Final = "text/markdown"
# Name, address, what it is, and its type.
TEMPLATES: Final = (
    ("entry", "learnt://entry/{id}", "An entry, as `recall` answers its id.", "application/json"),
    ("why", "learnt://why/{id}", "The story of an id, as `why` tells it.", "application/json"),
    ("skill", "skill://{name}/SKILL.md", "A skill's text, and the list of its files.", _MARKDOWN),
    ("skill file", "skill://{name}/{+path}", "A file of a skill.", "text/plain"),
)
LONGEST_ADDRESS: Final = 2_000
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


def uri_of(name: str, path: str = ENTRY_FILE) -> str:
    """The address of a skill, or of one of its files.

    >>> uri_of("drains"), uri_of("drains", "scripts/x.py")
    ('skill://drains/SKILL.md', 'skill://drains/scripts/x.py')
    """
    return f"{SCHEME}{quote(name)}/{quote(path)}"


def call_at(uri: str) -> tuple[str, dict[str, str]] | None:
    """The tool that answers an address, and its arguments; None where no tool does.

    >>> call_at("learnt://why/e-1"), call_at("learnt://entry/a word"), call_at("skill://drains")
    (('why', {'id': 'e-1'}), None, None)
    """
    _, _, name = uri.removeprefix("learnt://").partition("/")
    if uri.startswith("learnt://why/") and name:
        return "why", {"id": unquote(name)}
    if uri.startswith("learnt://entry/") and ENTRY_ID.fullmatch(name):
        return "recall", {"query": name}
    return None


def texts_at(outside: Outside, settings: Settings, folder: str, uri: str) -> list[tuple[str, str]]:
    """The addresses and texts that an address stands for: of a skill also the list of its files.

    Raises NotFound for none, Refused for what is withheld, no text or too large.
    """
    if not uri.startswith(SCHEME) or len(uri) > LONGEST_ADDRESS:
        addresses = ", ".join(template for _, template, _, _ in TEMPLATES)
        raise NotFound(f"There is nothing at {uri[:200]!r}: addresses are {addresses}.")
    name, _, path = uri.removeprefix(SCHEME).partition("/")
    path = "" if path == ENTRY_FILE else path
    with shelf(outside, settings, folder) as (known, library):
        skill = named_skill(known, unquote(name))
        if skill.withheld:
            raise Refused(f"{skill.name} is withheld: {skill.withheld} (`learnt doctor`).")
        shown = disclosed(library, skill, unquote(path))
    texts = [(uri, neutralise(shown.text))]
    if shown.files and not path:
        listed = (f"- {uri_of(skill.name, f.path)} ({f.size:,} bytes)" for f in shown.files)
        texts.append((f"{SCHEME}{quote(skill.name)}/", "\n".join(["Its other files:", *listed])))
    return texts
