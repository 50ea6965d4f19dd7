"""What an MCP client may send: checked by type and size before anything is done.

It gets the records of `answers`, as commands do.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Final, Literal, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator

from learnt.core.knowledge.kinds import KINDS
from learnt.surfaces.agent_calls import LONGEST_TEXT, MOST_ITEMS

LONGEST_WORD: Final = 200
MOST_FOUND: Final = 10
MOST_OPENED: Final = 20

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Word = Annotated[str, Field(max_length=LONGEST_WORD)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_WORD, description="Id or handle.")]
Evidence = Annotated[Word, Field(description="Tool call that shows it; `last`: the one before.")]
Words = Annotated[list[Word], Field(max_length=MOST_ITEMS)]
Everywhere = Annotated[bool, Field(description="In every project.")]
FACT_KINDS: Final = tuple(kind for kind in KINDS if kind not in {"solution", "rule"})


class Arguments(BaseModel):
    """Arguments as clients send them: null for absent, and numbers, switches and lists as text.

    Nothing else is guessed: another type, or a field that is not known, is refused.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _as_sent(cls, sent: object) -> object:
        if not isinstance(sent, Mapping):
            return sent
        fields = cls.model_fields
        wanted = {name: fields[name].annotation if name in fields else None for name in sent}
        return {
            name: _coerce(value, get_origin(wanted[name]) or wanted[name])
            for name, value in sent.items()
            if value is not None
        }


def _coerce(value: object, wanted: object) -> object:
    """A value of the wanted type where what was sent says no other; else as it was sent.

    >>> _coerce("5", int), _coerce(5.0, int), _coerce('["a"]', list), _coerce("yes", bool)
    (5, 5, ['a'], 'yes')
    """
    if wanted in {int, bool, list} and isinstance(value, str):
        with suppress(ValueError, RecursionError):
            read = json.loads(value)
            value = read if read.__class__ in {wanted, float} else value
    return (
        int(value) if wanted is int and isinstance(value, float) and value == value // 1 else value
    )


class Recall(Arguments):
    """Notes to open, or words to search for."""

    handles: list[Word] = Field(
        [], max_length=MOST_OPENED, description="Notes to open, all that fit in one call."
    )
    query: Text = Field("", description="Words to search for, with names.")
    limit: int = Field(5, ge=1, le=MOST_FOUND)


class RecallSessions(Arguments):
    """A question to what was said in earlier sessions."""

    query: str = Field(min_length=1, max_length=LONGEST_TEXT)
    limit: int = Field(5, ge=1, le=MOST_FOUND)


class Propose(Arguments):
    """Knowledge for the gates: `text` and `kind` of a fact, or a `problem` and its `approach`."""

    text: Text = Field("", description="A fact in a sentence or two.")
    kind: str = Field(
        "",
        max_length=40,
        description=f"Of a fact: {', '.join(FACT_KINDS)}, or an enabled domain's.",
    )
    entities: Words = Field([], description="Names that a fact is about.")
    problem: Text = Field("", description="What went wrong, or had to be done.")
    approach: Text = Field("", description="What worked.")
    cautions: list[Text] = Field([], max_length=MOST_ITEMS)
    tags: Words = Field([])
    evidence: Evidence = ""
    everywhere: Everywhere = False


class Remember(Arguments):
    """Words of the user's that are meant to last."""

    quote: str = Field(
        min_length=1,
        max_length=LONGEST_TEXT,
        description="Whole sentences or list items, exactly as the user typed them here.",
    )
    kind: str = Field(
        "", max_length=40, description="`rule` for how to work here; else a fact's kind or none."
    )
    entities: Words = Field([], description="Names in the quote; a rule's acts (commit, push).")


class ProposeSkill(Arguments):
    """A skill (agentskills.io), for a person to review."""

    name: str = Field(min_length=1, max_length=64, description="lower-case-words.")
    description: Text = Field(min_length=1, description="What it does, and when to use it.")
    body: Text = Field(min_length=1, description="Markdown, no front matter.")
    everywhere: Everywhere = False
    revises: bool = Field(default=False, description="New version of that skill.")
    rewrites: Word = Field("", description="Waiting draft that it replaces.")


class SkillNamed(Arguments):
    """A skill."""

    skill: Word


class Confirm(Arguments):
    """An entry held."""

    id: Name
    evidence: Evidence = ""


class Feedback(Confirm):
    """An entry proved true or false."""

    result: Literal["success", "failure", "invalidate", "reset", "argue", "explain"] = Field(
        description="success: it held; failure: it did not; invalidate: it is wrong; reset: it "
        "holds again (both need evidence); argue: of two in dispute it holds, evidence quotes why; "
        "explain: why a skill failed."
    )


class Relate(Arguments):
    """How a newer note stands to an older one."""

    new: Name
    old: Name
    relation: Literal["same", "contradicts", "narrows", "different"] = Field(
        description="same: one says what the other says; contradicts: they cannot both hold now; "
        "narrows: new is about a part or an exception; different: both hold."
    )


class NoArguments(Arguments):
    """Nothing is asked for."""


class Why(Arguments):
    """An entry, a proposal, a project, a session, an episode or an event."""

    id: Name
