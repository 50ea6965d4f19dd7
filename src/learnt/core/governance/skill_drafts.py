"""A skill that an agent drafted: what it may hold before a person even looks at it.

Its shape is judged here; what it may do to its reader is for the scanner of skills.
"""

import re
import unicodedata
from typing import Final

from learnt.core import safety
from learnt.core.knowledge.gates import LEAST_WORDS
from learnt.core.records import Record
from learnt.core.skills.hidden_text import skeleton
from learnt.core.skills.skills import is_name
from learnt.core.tokens import words

LONGEST_DESCRIPTION: Final = 1_000  # of its 1,024
LONGEST_BODY: Final = 20_000

_FRONT: Final = re.compile(r"\s*---[ \t]*(?:\n|$)")


class SkillDraft(Record):
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
        name=unicodedata.normalize("NFKC", draft.name.strip()),
        description=" ".join(clean(draft.description).split()),
        body=clean(draft.body),
    )
    return kept, tuple(kinds)


def looks_like(target: str, other: str) -> bool:
    """Whether a hasty reader takes one skill's path for the other, in whichever script it is.

    >>> looks_like("skills/сор/SKILL.md", "skills/cop/SKILL.md"), looks_like("a/b/c", "a/d/c")
    (True, False)
    """
    return skeleton(target) == skeleton(other)


def unfit(draft: SkillDraft) -> str:
    """Why it can't become a proposal, in words; empty where it can.

    >>> unfit(SkillDraft(name="a-b", description="Locked queues", body="Stop the consumers."))
    ''
    >>> unfit(SkillDraft(name="a-b", description="Locked queues", body=" "))
    'its body must say what to do'
    """
    described, body = draft.description, draft.body
    reasons = {
        "its name must be lower-case words and digits joined by hyphens, 64 characters at most": (
            not is_name(draft.name)
        ),
        f"its description may have {LONGEST_DESCRIPTION:,} characters and its body "
        f"{LONGEST_BODY:,}": len(described) > LONGEST_DESCRIPTION or len(body) > LONGEST_BODY,
        "its description must say in a few words what it does and when to use it": (
            len(words(described)) < LEAST_WORDS
        ),
        "its body must say what to do": len(words(body)) < LEAST_WORDS,
        "its body brings front matter of its own: a draft asks for no permissions": (
            _FRONT.match(body)
        ),
        "it holds a slot for arguments": "$ARGUMENTS" in described + body,
    }
    return next((reason for reason, applies in reasons.items() if applies), "")
