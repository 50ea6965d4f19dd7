"""Asking a text model: a question, a reply, and what it may cost.

A call is reserved at its greatest cost before it is made: a token for each byte that is sent, and
all that may come back. Once it is answered it counts what it cost.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from learnt.core.identifiers import EventId
from learnt.core.local_time import local
from learnt.core.payloads.skill_events import ModelCalled
from learnt.core.records import Record, Row

MOST_REPLY_TOKENS: Final = 1_024
MICRO: Final = 1_000_000  # micro-dollars in a dollar, and tokens that a price is told of
OVERBILLED: Final = "overbilled"  # the trouble of a call that cost more than was reserved
_BYTES_A_TOKEN: Final = 4  # about, where nobody counted


class Question(Record):
    """What a model is asked. `schema` is the JSON schema that its reply is wanted in, if any."""

    system: str
    text: str
    schema: str = ""
    most_tokens: int = MOST_REPLY_TOKENS

    @property
    def instructions(self) -> str:
        """The system's text, and the schema where one is wanted."""
        wanted = f"Reply with one JSON object of this schema: {self.schema}" if self.schema else ""
        return "\n\n".join(filter(None, (self.system, wanted)))


class Completion(Record):
    """What came back: a text, whether it was cut off at the limit, and the tokens billed."""

    text: str
    cut: bool = False
    tokens_in: int = 0
    tokens_out: int = 0


class Cost(Row):
    """Tokens, and millionths of a dollar."""

    tokens: int = 0
    micro_usd: int = 0


class Budget(Row):
    """What a day may cost, and the prices of a million tokens sent and received."""

    tokens_a_day: int
    micro_usd_a_day: int
    micro_usd_in: int = 0
    micro_usd_out: int = 0

    def greatest(self, question: Question) -> Cost:
        """The most that a question can cost: no text has more tokens than bytes.

        >>> Budget(1000, 10, micro_usd_in=1_000_000).greatest(Question("", "abcd", most_tokens=6))
        Cost(tokens=10, micro_usd=4)
        """
        return self.cost(_bytes(question.instructions, question.text), question.most_tokens)

    def billed(self, question: Question, reply: Completion) -> tuple[Cost, bool]:
        """What an answer costs, and whether that is more than could be reserved for it.

        The greater counts of what was reported and what the texts' length speaks for; a length
        alone takes no more than was reserved.

        >>> Budget(100, 0).billed(Question("", "abcd" * 4, most_tokens=9), Completion("abcd"))
        (Cost(tokens=5, micro_usd=0), False)
        """
        most = self.greatest(question)
        reported = self.cost(reply.tokens_in, reply.tokens_out)
        sent, received = _bytes(question.instructions, question.text), _bytes(reply.text)
        by_length = self.cost(-(-sent // _BYTES_A_TOKEN), -(-received // _BYTES_A_TOKEN))
        over = any(a > b for a, b in zip(reported, most, strict=True))
        return Cost(*map(max, reported, map(min, by_length, most))), over

    def cost(self, tokens_in: int, tokens_out: int) -> Cost:
        """What so many tokens cost, rounded up."""
        micro = tokens_in * self.micro_usd_in + tokens_out * self.micro_usd_out
        return Cost(tokens_in + tokens_out, -(-micro // MICRO))

    def left(self, spent: Cost) -> Cost:
        """What is left of a day that cost `spent`."""
        return Cost(
            max(0, self.tokens_a_day - spent.tokens), max(0, self.micro_usd_a_day - spent.micro_usd)
        )

    def allows(self, spent: Cost, more: Cost) -> bool:
        """Whether a day that cost `spent` may cost `more`.

        >>> Budget(100, 0).allows(Cost(90), Cost(10)), Budget(100, 0).allows(Cost(91), Cost(10))
        (True, False)
        """
        both = map(sum, zip(spent, more, strict=True))
        return all(cost <= most for cost, most in zip(both, self, strict=False))


def _bytes(*texts: str) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


class Spent(Record):
    """What a day's calls cost or still reserve; `overbilled`: one cost more than was reserved."""

    cost: Cost = Cost()
    overbilled: bool = False


def spent(calls: Iterable[tuple[EventId, ModelCalled]]) -> Spent:
    """What a day's events add up to: the reservation of a call counts until it is settled."""
    costs: dict[EventId, Cost] = {}
    overbilled = False
    for event, call in calls:
        costs[call.call or event] = Cost(call.tokens, call.micro_usd)
        overbilled |= call.trouble == OVERBILLED
    tokens, micro_usd = (sum(cost[part] for cost in costs.values()) for part in (0, 1))
    return Spent(Cost(tokens, micro_usd), overbilled)


def day_of(wall_ms: int) -> str:
    """The local day of a moment.

    >>> day_of(1_700_000_000_000)
    '2023-11-14'
    """
    return local(wall_ms).date().isoformat()


def why_not(budget: Budget, had: Spent, more: Cost, day: str) -> str:
    """Why a call of at most that cost may not be made on a day, and until when; else nothing."""
    if not had.overbilled and budget.allows(had.cost, more):
        return ""
    until = f"It begins again on {date.fromisoformat(day) + timedelta(days=1)} at midnight."
    if had.overbilled:
        return (
            "A call cost more than its question could: no other is made today, since nothing would "
            f"keep the budget. Look at [models] usd_per_million. {until}"
        )
    return (
        f"Today's budget for models has {in_words(budget.left(had.cost))} left of "
        f"{in_words(Cost(*budget[:2]))}, and this call may take {in_words(more)}. {until} "
        "[models] tokens_a_day and usd_a_day of config.toml set it."
    )


def in_words(cost: Cost) -> str:
    """A cost in words.

    >>> in_words(Cost(1234, 5_600))
    '1,234 tokens and $0.0056'
    """
    return f"{cost.tokens:,} tokens and ${cost.micro_usd / MICRO:.4f}"
