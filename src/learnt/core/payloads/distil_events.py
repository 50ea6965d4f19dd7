"""What is recorded of distillation: what became of a session, and what a text model was asked."""

from typing import Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, EventId, ProposalId

Engine = Literal["rules", "model"]
Purpose = Literal["distil", "repair", "improve", "test", "embed"]


class Distilled(NamedTuple):
    """A session was distilled, up to that byte of its transcript.

    `failures` are the keyed hashes of the novel ones, `successes` how many went well, `drafts` how
    many skills were drafted, `proposals` what was proposed, `calls` which calls of a model it took.
    """

    event: Literal[Kind.HARVESTED] = Kind.HARVESTED
    engine: Engine = "rules"
    until: int = 0
    failures: tuple[str, ...] = ()
    successes: int = 0
    drafts: int = 0
    proposals: tuple[ProposalId, ...] = ()
    calls: tuple[EventId, ...] = ()


class ModelCalled(NamedTuple):
    """A text model was asked, or has answered or failed.

    `asked` reserves the greatest cost; the other two name that event as `call` and tell the cost
    that takes its place. `trouble` is a short name of what went wrong.
    """

    event: Literal[Kind.HARVESTED] = Kind.HARVESTED
    action: Literal["asked", "answered", "failed"] = "asked"
    purpose: Purpose = "distil"
    model: ContentRef | None = None
    question: ContentRef | None = None
    reply: ContentRef | None = None
    call: EventId | None = None
    tokens: int = 0
    micro_usd: int = 0
    trouble: str = ""
