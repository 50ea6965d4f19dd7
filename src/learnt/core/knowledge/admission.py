"""Whether a candidate has proved itself, whether it is worth keeping, and whether it was used.

Seed 000 v2: score = Σ credibility · relevance · e^(−0.01·days); validated from 2.0, expired below
0.1. Beside the score a candidate needs a witness that is more than an agent's judgement, two
sessions, and for a business rule the user's word. Two weeks nothing expires.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final

from learnt.core.events import Actor
from learnt.core.knowledge.entries import CREDIBILITY, CREDIBLE, THOUSAND, Confirmation, Stage, day
from learnt.core.records import Record

FADES: Final = 0.01  # a day
PROMOTE_AT: Final = 2.0
EXPIRE_BELOW: Final = 0.1
LEAST_SESSIONS: Final = 2
GRACE_DAYS: Final = 14

NEEDS: Final = {
    "score": "its witnesses do not add up to 2.0 yet",
    "credible": "nothing but an agent's judgement speaks for it",
    "sessions": "all its witnesses are of one session",
    "user": "a business rule needs the user's confirmation",
    "checks": "what an agent says needs the user's confirmation, or tool calls of two sessions",
}


class Judgement(Record):
    """What is to become of a candidate: its next stage; one that stays has `needs`, as in NEEDS."""

    stage: Stage
    needs: tuple[str, ...] = ()


def score(confirmations: Iterable[Confirmation], now_ms: int) -> float:
    """What the witnesses add up to on a day; whole days in UTC, as everywhere.

    >>> both = [Confirmation(ms=0, credibility=1_000, relevance=1_000)] * 2
    >>> score(both, 0), round(score(both, 100 * 86_400_000), 6)
    (2.0, 0.735759)
    """
    today = day(now_ms)
    return math.fsum(
        witness.credibility
        * witness.relevance
        / (THOUSAND * THOUSAND)
        * math.exp(-FADES * max(0, (today - day(witness.ms)).days))
        for witness in confirmations
    )


def classify(reached: float) -> Stage:
    """The stage that a score alone leads to (seed 000 v2).

    >>> str(classify(2.0)), str(classify(1.99)), str(classify(0.09))
    ('validated', 'candidate', 'retired')
    """
    if reached >= PROMOTE_AT:
        return Stage.VALIDATED
    return Stage.RETIRED if reached < EXPIRE_BELOW else Stage.CANDIDATE


def judge(
    confirmations: Sequence[Confirmation],
    kind: str,
    since_ms: int,
    now_ms: int,
    *,
    spoken: bool = False,
) -> Judgement:
    """What is to become of a candidate that was captured at `since_ms`.

    `spoken`: an agent worded it, who may have read it anywhere.
    """
    reached = classify(score(confirmations, now_ms))
    old = (day(now_ms) - day(since_ms)).days >= GRACE_DAYS
    if reached is Stage.RETIRED and old:
        return Judgement(Stage.RETIRED)
    by_user = any(witness.actor is Actor.HUMAN for witness in confirmations)
    checks = {w.session for w in confirmations if w.credibility >= CREDIBILITY["tool"]} - {""}
    missing = {
        "score": reached is not Stage.VALIDATED,
        "credible": not any(witness.credibility >= CREDIBLE for witness in confirmations),
        # A session that nobody saw is none: its name may be made up.
        "sessions": len({witness.session for witness in confirmations} - {""}) < LEAST_SESSIONS,
        "user": kind == "business_rule" and not by_user,
        "checks": spoken and not by_user and len(checks) < LEAST_SESSIONS,
    }
    needs = tuple(name for name, is_missing in missing.items() if is_missing)
    return Judgement(Stage.CANDIDATE if needs else Stage.VALIDATED, needs)


LEAST_TOKENS: Final = 2
SHORTEST_NAME: Final = 3

_CODE: Final = re.compile(r"`([^`\n]{4,400})`")
_TOKEN: Final = re.compile(r"[^\s\"'`;|&()<>]{2,}")
_EDITED: Final = re.compile(
    r"^(?:Changed .*?: )?[+-] .*$", re.MULTILINE
)  # a line of a file, and no command
_GENERAL: Final = re.compile(r"<(?:text|date|id|hash|tmp|number)>|\u2026")


def applied(approach: str, cautions: Iterable[str], command: str) -> bool:
    """Whether a command holds all tokens of an approach's command that no caution's holds too.

    >>> approach = "What worked: `TARGET=rpi3a mix firmware`"
    >>> applied(approach, ["`mix firmware` fails"], "TARGET=rpi3a mix firmware && mix upload")
    True
    >>> applied(approach, ["`mix firmware` fails"], "mix firmware")
    False
    """
    given, approach = set(_TOKEN.findall(command)), _EDITED.sub("", approach)
    failing = [set(_TOKEN.findall(code)) for text in cautions for code in _CODE.findall(text)]
    parts = (set(_TOKEN.findall(_GENERAL.sub(" ", code))) for code in _CODE.findall(approach))
    return any(
        len(tokens) >= LEAST_TOKENS and tokens <= given and not any(map(tokens.issubset, failing))
        for tokens in parts
    )


def touched(names: Sequence[str], text: str) -> bool:
    """Whether a call's text names what an entry is about: a file, a table, an identifier.

    >>> touched(["src/rooms.py"], '{"command": "pytest tests/test_rooms.py SRC/rooms.py"}')
    True
    >>> touched(["id"], "identity"), touched(["t_room"], "open t_room_2")
    (False, False)
    """
    plain = text.casefold()
    return any(
        len(name) >= SHORTEST_NAME
        and re.search(rf"(?<![\w./-]){re.escape(name.casefold())}(?![\w-])", plain)
        for name in names
    )


# The sorts of statement that nobody needs weeks later; the language room tells them apart.
WORTHLESS: Final[dict[str, str]] = {
    "says-nothing": "it says nothing: two meaningful words at least",
    "session": "it tells what was done in a session, not what holds afterwards",
    "transient": "it holds only now, and is out of date in some days",
    "general": "it is general knowledge, true of any project",
    "vague": "it is vague: nothing in it can be acted on",
    "plan": "it is a plan or an open question, not a fact",
    "speculation": "it is a guess that nobody verified",
    "output": "it is the raw output of a program, without what it means",
    "praise": "it is courtesy, and says nothing about the project",
    "instruction": "it is an order to whoever reads it, not knowledge",
    "obvious": "it is evident from the names in it",
}
# Chosen after these figures were seen: a tool call lets in 12 % of the junk then, 17 % at 1; 7 %
# come in without one.
SHOWN: Final = 0.5  # how far what a tool call shows may speak for junk
VOUCHED: Final = 2.0  # how far what a person vouches for may speak for junk


class Worth(Record):
    """How a statement was judged.

    `junk` is how far it speaks for junk: above 0 an agent's own offer is turned away, above
    VOUCHED (2) one that a person vouches for. `sort` is the likeliest sort of junk,
    a name in WORTHLESS. What says nothing at all has the sort "says-nothing" and is junk for
    certain.
    """

    junk: float
    sort: str

    def rejected(self, margin: float = 0.0) -> str:
        """The sort of junk that it is; empty where it is worth keeping, or below the `margin`.

        >>> Worth(0.5, "plan").rejected(), Worth(0.5, "plan").rejected(2.0)
        ('plan', '')
        """
        return self.sort if self.junk > margin else ""


SOUND: Final = Worth(float("-inf"), "")
"""The answer for what is not judged by its wording."""
