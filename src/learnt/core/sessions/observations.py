"""An observation: a raw hook fact. Kept some days, no part of a rebuild; events come of it."""

from collections.abc import Mapping
from typing import Final

from msgspec import field
from msgspec.structs import replace

from learnt.core.events import Actor, Sight
from learnt.core.governance.actors import in_hook
from learnt.core.records import JsonObject, JsonValue, Record, decode, member, text_of, whole
from learnt.core.safety import Clean, owned

DAYS_KEPT: Final = 7
LONGEST_PATH: Final = 4_096  # no system has longer ones; a longer name is nonsense
NO_TEXT: Final = owned("")
LATE: Final = "Late"  # the hook's word that an answer came after it had gone

# What parts one of a kind from the next, where the agent gives it no name of its own.
_WORK: Final = frozenset({"UserPromptSubmit", "PostToolBatch"})
_REST: Final = frozenset({"PostToolBatch", "SessionStart", "Stop", "StopFailure"})
STOPS: Final = frozenset({"Stop", "StopFailure", "SubagentStop"})

# The reports that an episode may be made of, or end by.
OF_EPISODES: Final = frozenset({*_WORK, *_REST, *STOPS, "UserPromptExpansion", "SessionEnd"})


class Observation(Record, kw_only=True):
    """One report of a hook.

    `id` names its spool file; `excerpt` holds a prompt only when no worker answered, and `marked`
    what it marks to be remembered, with why that waits; `digest` is the keyed hash of what the
    excerpt would hold; `environment` is the hook's allow-list.
    """

    id: str
    ms: int
    event: str
    agent: str = "claude-code"
    session: str = ""
    subagent: str = ""
    episode: str = ""
    cwd: str = ""
    transcript: str = ""
    size: int = 0
    detail: JsonObject = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    excerpt: Clean = NO_TEXT
    marked: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    seen: JsonObject = field(default_factory=dict)  # a `Sight`, as who took it in looked

    @property
    def sight(self) -> Sight:
        """What was seen of the process that sent it."""
        return decode(Sight, self.seen)

    @property
    def actor(self) -> Actor:
        """Who is at the agent's keyboard, by the agent's own flags and its word on the prompt."""
        prompted = self.event == "UserPromptSubmit" and self.detail.get("source", "user") != "user"
        return Actor.AGENT if prompted else in_hook(self.environment)

    @property
    def folder(self) -> str:
        """The folder that decides the project: where the agent started or is; or empty."""
        named = self.environment.get("CLAUDE_PROJECT_DIR") or self.cwd
        return "" if "\x00" in named or len(named) > LONGEST_PATH else named

    @property
    def process(self) -> str:
        """The agent's process, as it named it."""
        return self.environment.get("CLAUDE_PID", "")

    @property
    def calls(self) -> tuple[JsonObject, ...]:
        """The tool calls of a step."""
        calls = self.detail.get("calls")
        if not isinstance(calls, list):
            return ()
        return tuple(call for call in calls if isinstance(call, dict))

    @property
    def parted_by(self) -> frozenset[str]:
        """The events that lie between it and the next of its kind; none where it has a name."""
        if self.event in STOPS or self.event == "SessionStart":
            return _WORK
        named = self.episode or (self.event == "PostToolBatch" and self.calls)
        return frozenset() if named else _REST

    def key_parts(self, activity: int) -> tuple[str, ...]:
        """The tuple of its natural key, as `core.natural_keys` tables it."""
        where = (self.agent, self.session, self.subagent, self.event)
        if not self.session:
            return (*where, "", "", self.id)  # nothing tells it from another: it stands alone
        if self.event == "PostToolBatch":
            first = text_of(member(self.calls[0], "id")) if self.calls else ""
            return (*where, first or f"{self.episode}/{activity}")
        if self.event in STOPS:
            return (*where, self.episode, str(activity))
        if self.event == "SessionStart":
            again = str(activity) if text_of(self.detail.get("source")) == "compact" else ""
            source = text_of(self.detail.get("source"))
            return (*where, source, self.process, self.episode, again)
        if self.event == "SessionEnd":
            return (*where, text_of(self.detail.get("reason")), self.process)
        return (*where, self.episode or f"/{activity}", self.of_skill, self.digest)

    @property
    def of_skill(self) -> str:
        """What tells the call of a skill from others: the command that was typed, or its own id."""
        return text_of(self.detail.get("command_name") or self.detail.get("tool_use_id"))


def from_json(value: JsonValue, spooled_as: str) -> Observation | None:
    """The observation that a spool file holds, or None if it holds none."""
    if not isinstance(value, Mapping) or not text_of(value.get("event")):
        return None
    observation = decode(Observation, {**value, "id": spooled_as, "ms": whole(value.get("ms"))})
    return observation if observation.agent else replace(observation, agent="claude-code")


class Response(Record):
    """What a prompt says of what came before it: kept beside its observation.

    `verdict` is its word on the episode before, empty where it has none, and `quote` says it in
    the prompt's words; `objects`: something that was shown does not hold.
    """

    verdict: str = ""
    quote: str = ""
    objects: bool = False


NO_RESPONSE: Final = Response()


class Observed(Record):
    """An observation in the inbox; `closed` once its episode was."""

    observation: Observation
    closed: bool = False
    response: Response = NO_RESPONSE
