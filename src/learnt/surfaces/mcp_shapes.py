"""What an MCP client may send: checked by type and size before anything is done.

It gets the records of `answers`, as commands do.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from learnt.core.knowledge.kinds import KINDS
from learnt.surfaces.agent_calls import LONGEST_TEXT, MOST_ITEMS

LONGEST_WORD: Final = 200
MOST_FOUND: Final = 10
MOST_OPENED: Final = 20

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Word = Annotated[str, Field(max_length=LONGEST_WORD)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_WORD, description="The id, as shown.")]
Evidence = Annotated[
    str,
    Field(
        max_length=LONGEST_WORD,
        description="The tool call that shows it: its id, or `last` for the one before this call. "
        "Leave it out where it is your own judgement.",
    ),
]
Everywhere = Annotated[bool, Field(description="For every project, not this one alone.")]
FACT_KINDS: Final = tuple(kind for kind in KINDS if kind not in {"solution", "rule"})


class Arguments(BaseModel):
    """Nothing is guessed: another type, or a field that is not known, is refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Recall(Arguments):
    """Notes to open, or words to search for."""

    query: Text = Field("", description="What you look for, with the names it is about.")
    handles: list[Word] = Field(
        [], max_length=MOST_OPENED, description="Notes to open, by the handles that were shown."
    )
    limit: int = Field(5, ge=1, le=MOST_FOUND, description="How many at most.")


class RecallSessions(Arguments):
    """A question to what was said in earlier sessions."""

    query: str = Field(min_length=1, max_length=LONGEST_TEXT, description="What you look for.")
    limit: int = Field(5, ge=1, le=MOST_FOUND, description="How many at most.")


class Propose(Arguments):
    """Knowledge for the gates: `text` and `kind` of a fact, or a `problem` and its `approach`."""

    text: Text = Field("", description="A fact in a sentence or two.")
    kind: str = Field(
        "",
        max_length=40,
        description=f"A fact's kind: {', '.join(FACT_KINDS)}; or one of a domain that the user "
        "enabled.",
    )
    entities: list[Word] = Field(
        [], max_length=MOST_ITEMS, description="What a fact is about: tables, files, functions."
    )
    problem: Text = Field("", description="What went wrong, or was to be done.")
    approach: Text = Field("", description="What worked.")
    cautions: list[Text] = Field([], max_length=MOST_ITEMS, description="What to beware of.")
    tags: list[Word] = Field([], max_length=MOST_ITEMS)
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
        "",
        max_length=40,
        description="rule for how to work here; else a fact's, or none.",
    )
    entities: list[Word] = Field(
        [], max_length=MOST_ITEMS, description="Names in it that it is about."
    )


class ProposeSkill(Arguments):
    """A skill (agentskills.io), for a person to review."""

    name: str = Field(
        min_length=1, max_length=64, description="Lower-case words joined by hyphens: its folder."
    )
    description: Text = Field(
        min_length=1, description="What it does and when to use it, in 1,000 characters."
    )
    body: Text = Field(min_length=1, description="Markdown after the front matter: what to do.")
    everywhere: Everywhere = False
    revises: bool = Field(
        default=False,
        description="A new version of the skill of that name; its other keys stay.",
    )
    rewrites: str = Field(
        "",
        max_length=LONGEST_WORD,
        description="The id of a waiting draft of that name: its new text.",
    )


class Confirm(Arguments):
    """An entry held."""

    id: Name
    evidence: Evidence = ""


class Feedback(Confirm):
    """An entry proved true or false."""

    result: Literal["success", "failure", "invalidate", "reset", "argue"] = Field(
        description="success: it held; failure: not; invalidate: it is wrong, reset: true anew "
        "(both need evidence); argue: of two in dispute this holds, evidence quotes why."
    )


class Relate(Arguments):
    """How a newer note stands to an older one."""

    new: Name
    old: Name
    relation: Literal["same", "contradicts", "narrows", "different"] = Field(
        description="contradicts: both cannot hold now; narrows: new holds of a part."
    )


class NoArguments(Arguments):
    """Nothing is asked for."""


class Why(Arguments):
    """An entry, a proposal, a project, a session, an episode or an event."""

    id: Name
