"""How an agent is spoken with: its files, its hooks by their names, and what it lets be seen."""

import json
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import field

from learnt.core.records import Record, Row

PROMPT: Final = "UserPromptSubmit"
EXPANSION: Final = "UserPromptExpansion"
STEP: Final = "PostToolBatch"
STARTS: Final = "SessionStart"
ACT: Final = "PreToolUse"
Form = Literal["groups", "list", "plugin"]


class Answer(Row):
    """What a hook answers: a `context` for the model, and a `notice` for the person's screen."""

    context: str = ""
    notice: str = ""


NOTHING: Final = Answer()


def joined(first: Answer, second: Answer) -> Answer:
    """Two answers as one.

    >>> joined(Answer("a"), Answer("b", "c"))
    Answer(context='a\\nb', notice='c')
    """
    contexts, notices = zip(first, second, strict=True)
    return Answer("\n".join(filter(None, contexts)), " ".join(filter(None, notices)))


class Sees(Record):
    """What an agent lets be seen and told: `yes`, or `no` or `part` with a colon and why.

    `start`, `prompt`, `act`, `failure` and `file` are the moments at which a text reaches its
    model, `screen` whether a line reaches the person's screen; `outcomes` how calls and episodes
    came out; `skills` that a skill was launched; `sessions` what was said; `person` whether it
    tells that a person typed a prompt.
    """

    start: str = "yes"
    prompt: str = "yes"
    act: str = "yes"
    failure: str = "yes"
    file: str = "yes"
    screen: str = "yes"
    outcomes: str = "yes"
    skills: str = "yes"
    sessions: str = "yes"
    person: str = "no: a prompt counts as an agent's, so what it says waits as a candidate"


class Dialect(Record, kw_only=True):
    """One agent.

    `events` has its names of events by those of Claude Code, which the registered commands name.
    `form` is that of its settings: groups of handlers, a list of them, or a file of code; `reads`
    what it passes over in their JSON, and `switches` the keys in them that keep hooks from
    running, each with the value that does. `own` is
    a project's settings file that no team shares; empty where there is none. `deaf` has the
    sources of a session's start at which it drops what is put before its model.
    `servers` is its file of MCP servers, below its folder, and `servers_key` where in it. Tools are
    allowed by name, each a `tool`, at `allow` in its settings, or by a `policy`, a file of its own,
    or beside the server; `tool` is empty where they are not. `call_id` is how its calls of servers
    name the call that its hooks see.
    """

    name: str  # as `--agent` takes it
    id: str  # as its sessions are named
    title: str
    tried: str  # the version that was tried, or by what it was written
    folder: str  # below the user's own folder
    in_project: str
    variable: str  # of the environment, which names its folder elsewhere
    settings: str
    events: Mapping[str, tuple[str, ...]]
    own: str = ""
    form: Form = "groups"
    reads: frozenset[str] = frozenset()
    switches: tuple[tuple[str, bool], ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)  # what its handlers have besides
    timeout: int = 5  # as its settings count; the hook's own deadline is far below
    servers: str
    servers_key: str = "mcpServers"
    allow: tuple[str, ...] = ()
    policy: str = ""
    tool: str = ""
    call_id: str = ""
    links: str = ""  # where it looks for skills, if not in `.agents/skills`
    resume: str = ""  # the command that goes on with a session
    sees: Sees
    deaf: frozenset[str] = frozenset()
    todo: str = ""  # what a person must do besides

    def named(self, event: str) -> str:
        """Its own name of an event of Claude Code's."""
        return self.events.get(event, (event,))[0]

    def argument(self, event: str) -> str:
        """How its registered command names the event."""
        return event if self.id == "claude-code" else f"{self.id}/{event}"

    def hears(self, event: str) -> bool:
        """Whether an answer to an event reaches its model: else nothing is looked up for it."""
        sees = self.sees
        moments = {STARTS: (sees.start,), ACT: (sees.act,)}
        told = moments.get(event, (sees.prompt, sees.failure, sees.file))
        return not all(moment.startswith("no") for moment in told)

    def output(self, event: str, answer: Answer) -> bytes:
        """What its hook prints: the context for the model, the notice for the person's screen."""
        printed: dict[str, object] = {}
        if answer.context and self.form == "list":
            printed["additional_context"] = answer.context
        elif answer.context:
            context = {"hookEventName": self.named(event), "additionalContext": answer.context}
            printed["hookSpecificOutput"] = context
        if answer.notice and not self.sees.screen.startswith("no"):
            printed["systemMessage"] = answer.notice
        return json.dumps(printed, ensure_ascii=False).encode() if printed else b""


def same(*events: str) -> dict[str, tuple[str, ...]]:
    """Events whose names are Claude Code's.

    >>> same("Stop")
    {'Stop': ('Stop',)}
    """
    return {event: (event,) for event in events}
