"""A skill that an agent drafted: what it may hold before a person even looks at it.

What is refused here would act by being read, or could not be seen by whoever reviews it. All else
is for the person to judge.
"""

import re
from dataclasses import dataclass
from typing import Final

from learnt.core import safety
from learnt.core.address import Commands, unsafe
from learnt.core.knowledge import gates
from learnt.core.tokens import words

LONGEST_NAME: Final = 64  # as the Agent Skills specification has it
LONGEST_DESCRIPTION: Final = 1_000  # of its 1,024
LONGEST_BODY: Final = 20_000

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ACTS: Final = re.compile(r"!`|```!|\$ARGUMENTS")
_FRONT: Final = re.compile(r"\s*---[ \t]*(?:\n|$)")

REASONS: Final = {
    "bad-name": "its name must be lower-case words and digits joined by hyphens, 64 characters at "
    "most",
    "no-description": "its description must say in a few words what it does and when to use it",
    "no-body": "its body must say what to do",
    "too-long": f"its description may have {LONGEST_DESCRIPTION:,} characters and its body "
    f"{LONGEST_BODY:,}",
    "runs-by-itself": "it holds a command that runs when it is loaded, or a slot for arguments",
    "front-matter": "its body brings front matter of its own: a draft asks for no permissions",
    "hidden-text": gates.REASONS["hidden-text"],
    "hidden-instruction": gates.REASONS["hidden-instruction"],
    "pipe-to-shell": gates.REASONS["pipe-to-shell"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDraft:
    """A skill as it is offered: its folder's name, when to use it, and what to do."""

    name: str
    description: str
    body: str


def tidied(draft: SkillDraft) -> tuple[SkillDraft, tuple[str, ...]]:
    """It as it would be written, and the kinds of secret that were taken out of it.

    >>> offered = SkillDraft(name="a", description=" b ", body="password=hunter2hunter2")
    >>> tidied(offered)[0].body, tidied(offered)[1]
    ('password=[redacted:secret]', ('secret',))
    """
    kinds: list[str] = []

    def clean(text: str) -> str:
        text, secrets = safety.redact_secrets(safety.strip_private(text).replace("\r\n", "\n"))
        kinds.extend(secrets)
        return text.strip()

    kept = SkillDraft(
        name=draft.name.strip(),
        description=" ".join(clean(draft.description).split()),
        body=clean(draft.body),
    )
    return kept, tuple(kinds)


def unfit(draft: SkillDraft, commands: Commands) -> str:
    """Why it can't become a proposal, by its name in REASONS; empty where it can.

    >>> fit = SkillDraft(name="a-b", description="Locked queues", body="Stop the consumers.")
    >>> from learnt.core.address import Address
    >>> plain = lambda _: Address.NONE
    >>> unfit(fit, plain), unfit(SkillDraft(name="../a", description="", body=""), plain)
    ('', 'bad-name')
    """
    if len(draft.name) > LONGEST_NAME or not _NAME.fullmatch(draft.name):
        return "bad-name"
    if len(draft.description) > LONGEST_DESCRIPTION or len(draft.body) > LONGEST_BODY:
        return "too-long"
    if len(words(draft.description)) < gates.LEAST_WORDS:
        return "no-description"
    if len(words(draft.body)) < gates.LEAST_WORDS:
        return "no-body"
    if _FRONT.match(draft.body):
        return "front-matter"
    return _unsafe(draft.description, commands) or _unsafe(draft.body, commands)


def _unsafe(text: str, commands: Commands) -> str:
    return unsafe(text, commands(text)) or ("runs-by-itself" if _ACTS.search(text) else "")
