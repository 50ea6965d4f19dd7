"""Asking a text model: a question, a reply, and what it may cost.

A call is reserved at its greatest cost before it is made: a token for each byte that is sent, and
all that may come back. Once it is answered it counts what it cost.
"""

from typing import Final, NamedTuple

MOST_REPLY_TOKENS: Final = 1_024
MICRO: Final = 1_000_000  # micro-dollars in a dollar, and tokens that a price is told of


class Question(NamedTuple):
    """What a model is asked. `schema` is the JSON schema that its reply is wanted in, if any."""

    system: str
    text: str
    schema: str = ""
    most_tokens: int = MOST_REPLY_TOKENS


class Completion(NamedTuple):
    """What came back: a text, whether it was cut off at the limit, and the tokens it is billed at.

    `micro_usd` is the cost that the program itself told, in millionths of a dollar; None where it
    told none.
    """

    text: str
    cut: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    micro_usd: int | None = None


class Cost(NamedTuple):
    """Tokens, and millionths of a dollar."""

    tokens: int = 0
    micro_usd: int = 0

    def plus(self, other: "Cost") -> "Cost":
        """Both together."""
        return Cost(self.tokens + other.tokens, self.micro_usd + other.micro_usd)


class Budget(NamedTuple):
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
        sent = sum(len(part.encode("utf-8", "replace")) for part in question[:3])
        return self.cost(sent, question.most_tokens)

    def cost(self, tokens_in: int, tokens_out: int) -> Cost:
        """What so many tokens cost, rounded up."""
        micro = tokens_in * self.micro_usd_in + tokens_out * self.micro_usd_out
        return Cost(tokens_in + tokens_out, -(-micro // MICRO))

    def allows(self, spent: Cost, more: Cost) -> bool:
        """Whether a day that cost `spent` may cost `more`.

        >>> Budget(100, 0).allows(Cost(90), Cost(10)), Budget(100, 0).allows(Cost(91), Cost(10))
        (True, False)
        """
        both = spent.plus(more)
        return both.tokens <= self.tokens_a_day and both.micro_usd <= self.micro_usd_a_day
