"""A skill as an engine drafts it, whichever engine it was: rules, the agent, or a model."""

import hashlib
import re
from typing import Final, NamedTuple

from learnt.core.events import Origin

_SESSION: Final = 8  # characters of a session's name in the name of a skill
_MARK: Final = 6
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Matter(NamedTuple):
    """One matter: `when` it arises, the `steps` to take in order, the `pitfalls` to avoid."""

    when: str
    steps: tuple[str, ...]
    pitfalls: tuple[str, ...] = ()


class DistilledSkill(NamedTuple):
    """A drafted skill. `title` is empty where the engine found none better than its session's name.

    `quotes` are pieces of the evidence, word for word. `origin` is the least trusted place that any
    of it came from.
    """

    title: str
    description: str
    parts: tuple[Matter, ...]
    example: str = ""
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    origin: Origin = Origin.TOOL

    @property
    def text(self) -> str:
        """All that it says to do."""
        texts = [text for part in self.parts for text in (part.when, *part.steps, *part.pitfalls)]
        return "\n".join((self.title, self.description, *texts, self.example))


def name_of(title: str, session: str, text: str) -> str:
    """The name of a skill: its title's where that is one already, else made of its session's.

    The same text of the same session has the same name, so that it is proposed once.

    >>> name_of("flash-with-cmsis-dap", "0f3a55c2-11", "Use openocd.")
    'flash-with-cmsis-dap'
    >>> name_of("", "0F3A55C2-11", "Use openocd.")
    'distilled-0f3a55c2-3de655'
    """
    if len(title) <= 60 and _NAME.fullmatch(title):
        return title
    own = "".join(c for c in session.casefold() if c.isascii() and c.isalnum())[:_SESSION]
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"distilled-{own or 'session'}-{mark}"
