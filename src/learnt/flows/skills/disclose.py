"""A skill as deep as it is asked for: its text with a list of its other files, or one of those."""

from typing import Final, NamedTuple

from learnt.core.skills.skills import Skill, SkillFile
from learnt.errors import NotFound, Refused
from learnt.file_ports import SkillLibrary

LARGEST_SHOWN: Final = 200_000  # bytes of a file; what is larger is for programs


class Disclosed(NamedTuple):
    """One text of a skill's folder: `path` is empty for its own; `files` are the others."""

    skill: Skill
    path: str
    text: str
    files: tuple[SkillFile, ...]


def disclosed(library: SkillLibrary, skill: Skill, path: str = "") -> Disclosed:
    """A skill's text, or that of one of its files.

    Raises NotFound where it is not there, Refused for a file of a skill that is withheld, for one
    that is no text and one that is too large.
    """
    files = tuple(library.files(skill.file))
    if not path:
        text = library.text(skill.file)
        if text is None:
            raise NotFound(f"{skill.file} was deleted a moment ago. Nothing was changed.")
        return Disclosed(skill, path, text, files)
    if skill.withheld:
        raise Refused(f"{skill.name} is withheld: {skill.withheld} (`learnt doctor`).")
    size = next((each.size for each in files if each.path == path), 0)
    if size > LARGEST_SHOWN:
        raise Refused(f"{path} has {size:,} bytes; {LARGEST_SHOWN:,} are shown at most.")
    content = library.part(skill.file, path)
    if content is None:
        known = ", ".join(each.path for each in files[:20]) or "none"
        raise NotFound(f"{skill.name} has no file {path!r}. Its other files: {known}.")
    try:
        return Disclosed(skill, path, content.decode("utf-8"), files)
    except UnicodeDecodeError:
        raise Refused(f"{path} is no text: {size:,} bytes.") from None
