"""An agent's settings file: our hooks put in and taken out, all else as it was."""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any, Final

from learnt.formats.agents.dialects import ACT, CLAUDE_CODE, STARTS, TOUCHING, Dialect
from learnt.formats.agents.settings_text import BadSettings, Settings, parse, render
from learnt.formats.own_texts import own_text

BROKEN: Final = "broken.json"  # what a session's start prints where the hook does not run
_MARK: Final = "learnt_hook"
MARK: Final = _MARK.encode()  # what every settings file with a hook of ours holds
_BOOT: Final = (
    'import sys; sys.path.insert(0, sys.argv[3] + "/bin"); '
    "import learnt_hook; learnt_hook.main(sys.argv[1], sys.argv[3])"
)
_EVENT: Final = re.compile(r" (?:[\w-]+/)?\w+(?= --home | 2>/dev/null; exit 0)")
# Where a home's hook lies by default, as a shell finds it.
LAUNCHER: Final = (
    'h="${LEARNT_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/learnt}/bin/hook"; '
    '[ -x "$h" ] || [ -n "$LEARNT_HOME" ] || h="$HOME/Library/Application Support/learnt/bin/hook"'
)


def command(interpreter: str, home: str, event: str) -> str:
    """The command of one event: silent and exit 0 whatever is missing.

    Exit 2 would erase the user's prompt, so a shell stands around the interpreter, never `exec`.
    When a session starts, one line tells that it does not run.
    """
    words = [interpreter, "-I", "-S", "-c", _BOOT, event, "--home", home]
    told = f" || cat {shlex.quote(f'{home}/bin/{BROKEN}')} 2>/dev/null"
    starts = event.rpartition("/")[2] == STARTS
    return f"{shlex.join(words)} 2>/dev/null{told if starts else ''}; exit 0"


def asking(line: str, event: str) -> str:
    """A registered command that names this event instead.

    >>> asking(shared_command("codex/Stop"), "Doctor") == shared_command("Doctor")
    True
    """
    return _EVENT.sub(lambda _: f" {event}", line, count=1)


def launcher(interpreter: str, home: str) -> str:
    """The script that a shared entry runs: the event is its first argument."""
    words = shlex.join([interpreter, "-I", "-S", "-c", _BOOT])
    return f'{words} "$1" --home {shlex.quote(home)} 2>/dev/null\nexit 0'


def shared_command(event: str) -> str:
    """The command of a shared entry: no path of any one machine; nothing where Learnt is absent.

    >>> shared_command("Stop").endswith('[ -x "$h" ] && "$h" Stop 2>/dev/null; exit 0')
    True
    """
    return f': {_MARK}; {LAUNCHER}; [ -x "$h" ] && "$h" {event} 2>/dev/null; exit 0'


def _as_list(groups: Any) -> list[Any]:
    return groups if isinstance(groups, list) else []


def _handlers(group: Any) -> list[Settings]:
    """A group's handlers, or the one that stands alone."""
    handlers = group.get("hooks", [group]) if isinstance(group, dict) else None
    return [handler for handler in _as_list(handlers) if isinstance(handler, dict)]


def _line(handler: Settings) -> str:
    command = handler.get("command")
    return command if isinstance(command, str) else ""


def _commands(group: Any) -> list[str]:
    return list(filter(None, map(_line, _handlers(group))))


def matcher(dialect: Dialect, event: str, *, at_files: bool) -> str:
    """Which tools' calls a hook is called at: before a call the shell's, and what needs a proof.

    After a call it is the skill's, and with `at_files` those that touch files.

    >>> [matcher(CLAUDE_CODE, event, at_files=False) for event in ("PostToolUse", ACT, "Stop")]
    ['Skill', 'Bash|mcp__.*learnt.*__(remember|relate)', '']
    """
    if event == ACT:
        return "Bash|mcp__.*learnt.*__(remember|relate)" if dialect.call_id else "Bash"
    done = dialect is CLAUDE_CODE and event == "PostToolUse"
    return "|".join(["Skill", *(TOUCHING if at_files else ())]) if done else ""


def registered(settings: Settings) -> list[tuple[str, str, str]]:
    """Every hook of Learnt's that its agent asks: event, command, matcher or nothing.

    It asks none that runs beside it, on a condition, or as a prompt.

    >>> handler = {"type": "command", "command": command("/p", "/h", "Stop")}
    >>> [len(registered({"hooks": {"Stop": [{"hooks": [h]}]}}))
    ...  for h in (handler, handler | {"async": True}, handler | {"type": "prompt"})]
    [1, 0, 0]
    """
    return [
        (event, line, str(group.get("matcher", "")))
        for event, groups in (settings.get("hooks") or {}).items()
        for group in _as_list(groups)
        for handler in _handlers(group)
        if _MARK in (line := _line(handler))
        and handler.get("type", "command") == "command"
        and not (handler.get("if") or handler.get("async") is True)
    ]


def belongs_to(home: str) -> Callable[[str], bool]:
    """Whether a command is the hook of this home.

    >>> belongs_to("/h")(command("/p", "/h", "Stop")), belongs_to("/h")(shared_command("Stop"))
    (True, False)
    """
    mark = f" --home {shlex.quote(home)} 2>/dev/null"
    return lambda line: _MARK in line and mark in line


def is_shared(line: str) -> bool:
    """Whether a command is a project's shared entry.

    >>> is_shared(shared_command("Stop"))
    True
    """
    return line.startswith(f": {_MARK};")


def with_hooks(
    settings: Settings,
    of_event: Callable[[str], str],
    *,
    at_files: bool = False,
    dialect: Dialect = CLAUDE_CODE,
) -> Settings:
    """The settings with one handler an event, appended; what is there already stays once."""
    result = deepcopy(settings)
    if dialect.form == "list":
        result.setdefault("version", 1)
    hooks = result["hooks"] = result.get("hooks") or {}
    for event, names in dialect.events.items():
        line = of_event(dialect.argument(event))
        handler: Settings = {"command": line}
        of_calls = matcher(dialect, event, at_files=at_files)
        tells = {"matcher": of_calls} if of_calls else {}
        if dialect.form == "groups":
            handler = {**dialect.marks, "type": "command", **handler, "timeout": dialect.timeout}
        for name in names:
            groups = hooks.get(name) if hooks.get(name) is not None else []
            if not isinstance(groups, list):
                continue  # the agent passes it over
            hooks[name] = groups
            there = [group for group in groups if line in _commands(group)]
            if any(group.get("matcher") != tells.get("matcher") for group in there):
                groups = [left for group in groups for left in _without(group, line.__eq__)]
                hooks[name], there = groups, []
            if not there:
                alone = dialect.form == "list"
                groups.append(handler if alone else {**tells, "hooks": [handler]})
    return result


def edited(
    text: str,
    ours: Callable[[str], bool],
    of_event: Callable[[str], str],
    *,
    at_files: bool = False,
    dialect: Dialect,
) -> str:
    """A settings file's text with today's hooks in it; stale commands of ours give way to them.

    Raises BadSettings where the text is not what the agent reads, or of another's plug-in.
    """
    if dialect.form == "plugin":
        if text.strip() and _MARK not in text:
            raise BadSettings("a plug-in of another's")
        commands = {event: of_event(dialect.argument(event)) for event in dialect.events}
        code = own_text("agents/opencode_plugin.js")
        return code.replace("{/* commands */}", json.dumps(commands, indent=2))
    settings = parse(text, dialect)
    names = ((name, event) for event, told in dialect.events.items() for name in told)
    today = {name: of_event(dialect.argument(event)) for name, event in names}
    fresh = without_hooks(settings, ours, today)
    wanted = with_hooks(fresh, of_event, at_files=at_files, dialect=dialect)
    return text if text.strip() and wanted == settings else render(wanted, text)


def restored(text: str, ours: Callable[[str], bool], dialect: Dialect) -> str:
    """A settings file's text without our hooks; a plug-in of ours is nothing without them.

    Raises BadSettings where it is not what the agent reads.
    """
    if dialect.form == "plugin":
        return "" if any(map(ours, plugged(text))) else text
    settings = parse(text, dialect)
    without = without_hooks(settings, ours)
    return text if without == settings else render(without, text)


def plugged(text: str) -> list[str]:
    """The commands that a plug-in of ours names; none where it is another's."""
    lines = text.split("\n") if _MARK in text else []
    commands = []
    for line in lines:
        with suppress(ValueError):
            named = json.loads("{" + line.strip().rstrip(",") + "}")
            commands += [told for told in named.values() if isinstance(told, str)]
    return [told for told in commands if _MARK in told]


def without_hooks(
    settings: Settings, ours: Callable[[str], bool], today: Mapping[str, str] | None = None
) -> Settings:
    """The settings without the handlers that are ours; groups and events left empty go too.

    But for the command that `today` has for an event by the agent's name of it.
    """
    result = deepcopy(settings)
    hooks = result.get("hooks") or {}
    for event, groups in list(hooks.items()):
        if not isinstance(groups, list):
            continue
        stays = (today or {}).get(event)
        stale = partial(lambda stays, line: ours(line) and line != stays, stays)
        hooks[event] = [left for group in groups for left in _without(group, stale)]
        if groups and not hooks[event]:
            del hooks[event]
    if not hooks and settings.get("hooks"):
        del result["hooks"]
    return result


def _without(group: Any, ours: Callable[[str], bool]) -> list[Any]:
    removed = list(filter(ours, _commands(group)))
    if not removed:
        return [group]
    if "hooks" not in group:
        return []
    kept = [h for h in group["hooks"] if not (isinstance(h, dict) and _line(h) in removed)]
    return [{**group, "hooks": kept}] if kept else []
