"""A session as a conversation, turn by turn, and one call as its own hook reports it."""

from dataclasses import dataclass, field

from learnt.core.records import JsonValue, Record


@dataclass(slots=True)
class Made:
    """A tool call and its result; `response` is None while there is none."""

    tool: str
    id: str
    input: JsonValue
    response: JsonValue = None
    failed: bool = False


class SaidLine(Record):
    """A person's prompt or a paragraph of the agent's, as a line of a transcript has it.

    `line` is its number, from 0; `prompt` the id of the prompt that it is, or answers.
    """

    text: str
    by_agent: bool
    ms: int
    prompt: str
    line: int


@dataclass(slots=True)
class Turn:
    """A prompt and what the agent did until the next. `tokens` are those the model wrote and read.

    Times are milliseconds since 1970, 0 where the record has none. `line` is the number, from 0, of
    the line at which it begins, `last` of the last one that is of it; `folder` where the agent was.
    """

    prompt: str
    id: str = ""
    at_ms: int = 0
    ended_ms: int = 0
    calls: list[Made] = field(default_factory=list)
    interrupted: bool = False
    tokens: int = 0
    index: int = 0  # of the session's turns, as the client counts them
    line: int = 0
    last: int = 0
    folder: str = ""
    session: str = ""

    @property
    def took_ms(self) -> int | None:
        """From the prompt to the last record of its turn; None where either has no time."""
        return self.ended_ms - self.at_ms if 0 < self.at_ms <= self.ended_ms else None


class ToldCall(Record):
    """What a call failed with, or the file that it read or changed, and the text that it changed.

    All empty: nothing is known of it.
    """

    error: str = ""
    path: str = ""
    changed: str = ""
