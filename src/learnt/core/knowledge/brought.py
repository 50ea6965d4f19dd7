"""What another memory, or a file, brings: pieces of knowledge with where and how they stood there.

All of it is claimed by a file. It counts once a person takes it, and not before.
"""

import hashlib
from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from learnt.core.digest.lessons import kind_of
from learnt.core.health.improvement import QueueEntry
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import MOST_KEPT, THOUSAND, Stage, Standing
from learnt.core.knowledge.gates import REASONS
from learnt.core.records import Record, Row, shared

LONGEST_READ: Final = 20_000  # characters of a text
MOST_COUNTED: Final = 1_000_000  # thousandths for or against an entry: a thousand proofs


class Quoted(Record):
    """Where in a conversation an offer was said: each part None where it is not known."""

    session: str | None = None
    position: int | None = None
    speaker: str | None = None
    date: str | None = None


class Brought(Draft, kw_only=True):
    """A piece of knowledge as it stood elsewhere, by the names that a line of an export has.

    `project` is whose it is there (a name, a path or seed 002's hash), `id` its name there.
    `sessions` are those that it was given to, `disputes` what it may not hold together with.
    `place` is the file and line it is from; `gone` says why it is not offered.
    """

    kind: str = ""
    id: str = ""
    project: str = ""
    everywhere: bool = False
    stage: Stage = Stage.VALIDATED
    standing: Standing | None = None
    sessions: tuple[str, ...] = ()
    disputes: tuple[str, ...] = ()
    source: Quoted = Quoted()
    place: str = ""
    gone: str = ""

    def bounded(self) -> "Brought":
        """It as it may be looked at: one with a text that nobody would keep is cut, and gone.

        >>> Brought(text="lock " * 9_999).bounded().gone
        'it is too long for one entry: split it'
        """
        most = LONGEST_READ
        if max(map(len, (self.text, self.problem, self.approach))) <= most:
            return self
        cut = replace(self, text=self.text[:most], problem=self.problem[:most])
        return replace(cut, approach=self.approach[:most], gone=self.gone or REASONS["too-long"])

    @property
    def what(self) -> Draft:
        """What it says; of a fact that nobody named the kind of, the kind is guessed."""
        if self.problem:
            return Draft(**shared(self, "problem approach cautions tags files language signs"))
        return Draft(kind=self.kind or kind_of(self.text), **shared(self, "text entities tags"))


class EarlierMiss(Record):
    """A prompt that found nothing there."""

    missed: str
    session: str = ""
    date: str = ""


class TurnedDown(Record):
    """The id there of an entry whose draft skill a person rejected."""

    turned_down: str
    note: str = ""


class Bundle(Row):
    """All that some files bring; `findings` tell of whatever in them is not taken, and why.

    `queue` are the skills that seed 001 flagged.
    """

    pieces: tuple[Brought, ...] = ()
    misses: tuple[EarlierMiss, ...] = ()
    turned_down: tuple[TurnedDown, ...] = ()
    queue: tuple[QueueEntry, ...] = ()
    findings: tuple[str, ...] = ()

    @property
    def along(self) -> dict[str, int]:
        """What comes along with the pieces, in words, and how much of it."""
        counts = {
            "prompts that found nothing": len(self.misses),
            "rejected drafts": len(self.turned_down),
            "skills flagged for improvement": len(self.queue),
        }
        return {what: count for what, count in counts.items() if count}

    def with_more(self, other: "Bundle") -> "Bundle":
        """Both as one."""
        pairs: Iterable[Any] = zip(self, other, strict=True)
        return Bundle(*(own + more for own, more in pairs))


def is_of(project: str, root: str) -> bool:
    """Whether a project as another memory names it is the one at a path: path, name or hash.

    >>> is_of("shop", "/work/shop"), is_of("/work/shop", "/work/shop"), is_of("api", "/work/shop")
    (True, True, False)
    """
    digest = hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return project.rstrip("/") in {"", root, root.rpartition("/")[2], digest}


def plausible(standing: Standing, now_ms: int) -> Standing:
    """The numbers as they may be believed: none of them negative, boundless or of the future.

    >>> plausible(Standing(confirmed_ms=9, alpha=-1, beta=10**12), 5)
    Standing(confirmations=(), confirmed_ms=5, c0=1000, alpha=0, beta=1000000, shocks=())
    """

    def counted(value: int) -> int:
        return min(max(value, 0), MOST_COUNTED)

    return replace(
        standing,
        confirmations=(),
        confirmed_ms=min(max(standing.confirmed_ms, 0), now_ms),
        c0=min(max(standing.c0, 0), THOUSAND),
        alpha=counted(standing.alpha),
        beta=counted(standing.beta),
        shocks=tuple((counted(at), counted(lost)) for at, lost in standing.shocks[:MOST_KEPT]),
    )
