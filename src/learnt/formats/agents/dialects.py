"""How each agent is spoken with: its files, its hooks by their names, and what it lets be seen.

Claude Code is the agent in whose words the others' reports are given. Cursor is known by its
documents alone; it was not run.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from msgspec import field

from learnt.core.records import JsonObject, JsonValue, Record, Row, member, text_of
from learnt.core.sessions.turns import ToldCall
from learnt.formats.agents import reports
from learnt.formats.observations import failed

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

    def accepts_context(self, event: str) -> bool:
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


EVENTS: Final = (
    "SessionStart UserPromptSubmit UserPromptExpansion PreToolUse PostToolUse PostToolUseFailure"
    " PostToolBatch Stop StopFailure SubagentStop SessionEnd"
).split()
CLAUDE_CODE: Final = Dialect(
    name="claude",
    id="claude-code",
    title="Claude Code",
    tried="2.1.332",
    folder=".claude",
    in_project=".claude",
    variable="CLAUDE_CONFIG_DIR",
    settings="settings.json",
    own="settings.local.json",
    events=same(*EVENTS),
    reads=frozenset({"mark", "odd bytes", "odd members"}),
    switches=(("disableAllHooks", True),),
    servers=".claude.json",
    allow=("permissions", "allow"),
    tool="mcp__learnt__{}",
    call_id="claudecode/toolUseId",
    links="skills",
    resume="claude --resume",
    sees=Sees(person="yes"),
)
CODEX: Final = Dialect(
    name="codex",
    id=reports.CODEX,
    title="Codex",
    tried="0.171.0",
    folder=".codex",
    in_project=".codex",
    variable="CODEX_HOME",
    settings="hooks.json",
    events={**same(STARTS, "UserPromptSubmit", ACT, "Stop", "SessionEnd"), STEP: ("PostToolUse",)},
    switches=(("features.codex_hooks", False), ("features.hooks", False)),
    timeout=3,  # more it cuts, and says so at each start
    servers="config.toml",
    servers_key="mcp_servers",
    tool="{}",
    call_id="callId",
    resume="codex resume",
    deaf=frozenset({""}),  # its PostCompact, which was registered once, takes no text
    sees=Sees(
        failure="yes: the exit code is read from the session's rollout",
        file="part: a file that it edits; it reads files by shell commands",
        outcomes="yes: from the session's rollout",
        skills="yes: by the command that reads SKILL.md",
    ),
    todo="Codex runs a hook only once you trust it: start `codex`, type /hooks, and trust those "
    "that name learnt_hook. Until then it skips them without a word.",
)
GEMINI_CLI: Final = Dialect(
    name="gemini",
    id=reports.GEMINI,
    title="Gemini CLI",
    tried="0.61.0",
    folder=".gemini",
    in_project=".gemini",
    variable="",
    settings="settings.json",
    # PreCompress comes before every request: it tells of no compaction.
    events={
        **same("SessionStart", "SessionEnd"),
        PROMPT: ("BeforeAgent",),
        STEP: ("AfterTool",),
        "Stop": ("AfterAgent",),
    },
    reads=frozenset({"odd bytes", "odd members", "comments"}),
    switches=(("hooksConfig.enabled", False),),
    marks={"name": "Learnt"},  # which it shows behind a line, in place of the command
    timeout=5_000,
    servers="settings.json",
    policy="policies/learnt.toml",
    tool="mcp_learnt_{}",
    resume="gemini --resume",
    sees=Sees(
        start="part: after `/clear` beside the next prompt; it tells of no compaction, so nothing "
        "is shown again after one",
        act="no: its hook before a call can stop or change the call, and put nothing beside it",
    ),
    deaf=frozenset({"clear"}),
)
# No hooks of the shell, but a plug-in, which hands each event to the hook.
OPENCODE: Final = Dialect(
    name="opencode",
    id=reports.OPENCODE,
    title="opencode",
    tried="1.18.33",
    folder=".config/opencode",
    in_project=".opencode",
    variable="OPENCODE_CONFIG_DIR",
    settings="plugins/learnt.js",
    form="plugin",
    reads=frozenset({"mark", "odd bytes", "odd members", "comments", "commas"}),
    events={
        **same("Stop"),
        STARTS: ("session.created", "session.compacted"),
        PROMPT: ("chat.message",),
        STEP: ("tool.execute.after",),
    },
    servers="opencode.json",
    servers_key="mcp",
    allow=("permission",),
    tool="learnt_{}",
    resume="opencode --session",
    sees=Sees(
        start="yes: beside the first prompt",
        act="no: its plug-in can change a call before it is made, and put nothing beside it",
        screen="part: a message that fades, in its terminal; `opencode run` shows none",
        failure="part: a command that exits otherwise than with 0; of a tool that breaks off "
        "it tells nothing",
        outcomes="part: of commands and files; a tool that breaks off is not told",
        skills="part: a skill that was read; one that could not be is not told",
        sessions="no: it keeps them in a store of its own",
    ),
)
CURSOR: Final = Dialect(
    name="cursor",
    id=reports.CURSOR,
    title="Cursor",
    tried="its documents of 2026; not run",
    folder=".cursor",
    in_project=".cursor",
    variable="",
    settings="hooks.json",
    form="list",
    reads=frozenset({"odd members"}),
    events={
        STARTS: ("sessionStart", "preCompact"),
        PROMPT: ("beforeSubmitPrompt",),
        STEP: ("postToolUse", "postToolUseFailure"),
        "Stop": ("stop",),
        "SessionEnd": ("sessionEnd",),
    },
    servers="mcp.json",
    links="skills",
    sees=Sees(
        start="part: by its documents at a session's start, not after a compaction",
        act="no: its hook before a call allows or denies it, and puts nothing beside it",
        screen="no: by its documents only a prompt that is stopped shows a line",
        prompt="no: its hook can let a prompt through or stop it, and put nothing beside it; only "
        "a session's start can, before there is a prompt",
        failure="no: its hook of a failed call answers nothing",
        file="no: by its documents a hook after a call may add context, but users report that it "
        "does not reach the model",
        skills="yes: by the read of SKILL.md",
        sessions="no: it keeps them in a store of its own",
    ),
    deaf=frozenset({"compact"}),
    todo="Beside a prompt no note can be put before Cursor's model by a hook: it asks Learnt's MCP "
    "server.",
)
DIALECTS: Final = (CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, CURSOR)
BY_NAME: Final = {dialect.name: dialect for dialect in DIALECTS}
# What Claude Code obeys in settings that an administrator wrote alone.
_MANAGED: Final = ("allowManagedHooksOnly", "strictPluginOnlyCustomization")
_BY_ID: Final = {dialect.id: dialect for dialect in DIALECTS}


def dialect_of(agent: str) -> Dialect:
    """The dialect of a session's agent; Claude Code's for one that nobody knows.

    >>> dialect_of("gemini-cli").title, dialect_of("import").title
    ('Gemini CLI', 'Claude Code')
    """
    return _BY_ID.get(agent, CLAUDE_CODE)


def switched_off(
    agent: Dialect, layers: Iterable[tuple[str, JsonObject]], managed: Iterable[str] = ()
) -> tuple[str, str]:
    """The switch of an agent's own that keeps its hooks from running, and its file; or nothing.

    `layers` are the settings that hold, each with its file; what a later one says counts.
    `managed` are the files that an administrator wrote.

    >>> switched_off(CLAUDE_CODE, [("u", {"disableAllHooks": True})])
    ('"disableAllHooks": true', 'u')
    >>> switched_off(GEMINI_CLI, [("u", {"hooksConfig": {"enabled": False}}), ("p", {})])
    ('"hooksConfig.enabled": false', 'u')
    """
    found = barred = ("", "")
    for file, told in layers:
        for key, off in agent.switches:
            section, _, name = key.rpartition(".")
            value = member(told.get(section) if section else told, name)
            if isinstance(value, str):
                value = {"true": True, "false": False}.get(value, value)
            if isinstance(value, bool):
                found = (f'"{key}": {str(off).lower()}', file) if value is off else ("", "")
        if agent is CLAUDE_CODE and file in managed:
            wholly = [key for key in _MANAGED if (v := told.get(key)) is True or _has(v, "hooks")]
            barred = (f'"{wholly[0]}"', file) if wholly else barred
        if _has(member(told.get("hooksConfig"), "disabled"), agent.marks.get("name", "")):
            barred = ('"Learnt" in "hooksConfig.disabled"', file)
    return barred if barred[0] else found


def _has(value: JsonValue, what: str) -> bool:
    return isinstance(value, list) and what in value


TOUCHING: Final = ("Read", "Edit", "Write")  # the tools whose calls are reported for their files


def reported_call(event: str, payload: Mapping[str, JsonValue]) -> ToldCall | None:
    """The call that a report tells of; None for any other report.

    One that a person interrupted tells nothing. A step of several calls tells of none: each of
    them was told of by itself.

    >>> reported_call("PostToolUseFailure", {"error": "Exit code 1", "is_interrupt": True})
    ToldCall(error='', path='', changed='')
    >>> reported_call("PostToolUse", {"tool_name": "Read", "tool_input": {"file_path": "/a"}}).path
    '/a'
    """
    alone = event == STEP and "tool_name" in payload  # by an agent that reports each call once
    if not alone and event not in {"PostToolUseFailure", "PostToolUse"}:
        return None
    if event == "PostToolUseFailure":
        stopped = payload.get("is_interrupt") is True
        return ToldCall(error="" if stopped else text_of(payload.get("error")))
    response = payload.get("tool_response")
    if alone and isinstance(response, str) and failed(response):
        return ToldCall(error=response)
    if payload.get("tool_name") not in TOUCHING:
        return None
    given = payload.get("tool_input")
    changed = (text_of(member(given, name)) for name in ("old_string", "new_string"))
    path = text_of(member(given, "file_path"))
    return ToldCall(path=path, changed="\n".join(filter(None, changed)))
