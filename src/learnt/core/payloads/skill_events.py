"""What is recorded of a skill. Texts are content references."""

from typing import Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef

Action = Literal["versioned", "installed", "removed", "pinned", "unpinned", "graded"]


class SkillEvent(NamedTuple):
    """Something happened to a skill.

    `versioned`: its file has the text `text`, whose SHA-256 is `digest`, under the number
    `version`, after `parent`, the digest before; `cause` is the proposal that it came by, or
    `install`, `outside` or `rollback`. `installed`: `source` says from where, `digest` is the whole
    folder's.
    `graded`: a use went well or not.
    """

    event: Literal[Kind.SKILL] = Kind.SKILL
    action: Action | None = None
    name: ContentRef | None = None
    text: ContentRef | None = None
    digest: str = ""
    parent: str = ""
    version: str = ""
    cause: str = ""
    source: ContentRef | None = None
    success: bool | None = None
