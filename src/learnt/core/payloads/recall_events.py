"""What is recorded of recalls: what was found for a prompt, shown, withheld, counted as used."""

from typing import Final, Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, EntryId, EventId

Mode = Literal["hook", "failure", "file", "explicit", "read", "skill", "start", "act"]
MOMENTS: Final[frozenset[Mode]] = frozenset({"hook", "failure", "file"})  # nobody asked
Action = Literal["drawn", "masked", "unmasked"]


class Candidate(NamedTuple):
    """An entry that was found: its score in thousandths, its relevance in millionths."""

    entry: EntryId
    stage: str = ""
    score: int = 0
    relevance: int = 0
    shared: int = 0


class Eligible(NamedTuple):
    """An entry that might be shown, its text's version, its coin; the propensity in millionths."""

    entry: EntryId
    arm: str = ""
    propensity: int = 0
    version: int = 0


class Recalled(NamedTuple):
    """Something was found at a moment. `tokens` is the injection's length.

    The moment is its `mode`: `hook` a prompt, `failure` a tool call that failed, `file` one that
    was read or edited, `explicit` a question of somebody's, `read` that an agent read what a line
    had named at a `moment` before. `shown` are the entries that were given whole, `hinted` those
    that one line named. `counted` are the entries that count as used by it, `already` those in the
    context before, `drifted` those whose citations changed. In mode `skill` a skill was called:
    `exemplars` are the closings of the episodes that were shown as past successes, `prompt` is what
    was typed. At a session's `start` the contents were shown: `shown` are rules, `hinted` the notes
    that have a line. Before an `act` the rules in `shown` were given, which govern it.
    """

    event: Literal[Kind.RECALLED] = Kind.RECALLED
    mode: Mode | None = None
    prompt: ContentRef | None = None
    search: str = ""
    found: tuple[Candidate, ...] = ()
    eligible: tuple[Eligible, ...] = ()
    already: tuple[EntryId, ...] = ()
    shown: tuple[EntryId, ...] = ()
    counted: tuple[EntryId, ...] = ()
    drifted: tuple[EntryId, ...] = ()
    exemplars: tuple[EventId, ...] = ()
    tokens: int = 0
    hinted: tuple[EntryId, ...] = ()
    moment: Mode | None = None


class Missed(NamedTuple):
    """A question found nothing, or at a prompt nothing was given.

    `tentative`: the prompt is not missed if the agent is given or opens a note before the next one.
    """

    event: Literal[Kind.MISSED] = Kind.MISSED
    mode: Mode | None = None
    prompt: ContentRef | None = None
    tentative: bool = False


class NotDelivered(NamedTuple):
    """A recall never reached the agent. Of a session also what was given and counted by it."""

    event: Literal[Kind.NOT_DELIVERED] = Kind.NOT_DELIVERED
    recall: EventId | None = None
    reason: str = ""
    entries: tuple[EntryId, ...] = ()
    uncounted: tuple[EntryId, ...] = ()
    exemplars: tuple[EventId, ...] = ()
    hinted: tuple[EntryId, ...] = ()


class Reused(NamedTuple):
    """An entry was put before an agent in a session, by a recall."""

    event: Literal[Kind.REUSED] = Kind.REUSED
    recall: EventId | None = None


class EntryDecided(NamedTuple):
    """Whether hooks show an entry whose text has this `version`.

    `drawn`: the coin put a session that it was eligible in for the first time into an `arm`, with a
    `propensity` in millionths. `masked`: it hurts, by so much `evidence` (an e-value in
    thousandths), and no hook shows it. `unmasked`: a person wants it shown, and measured anew.
    """

    event: Literal[Kind.DECIDED] = Kind.DECIDED
    action: Action | None = None
    version: int = 0
    arm: str = ""
    propensity: int = 0
    evidence: int = 0
