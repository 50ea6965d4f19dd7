"""What `doctor` tries of the hooks: those that are registered, as they are registered."""

import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import asdict, replace

import learnt
from learnt.core.records import Record, member
from learnt.formats.agents import hook_settings, settings_text
from learnt.formats.agents.dialects import BY_NAME, CODEX, DIALECTS, Dialect
from learnt.formats.agents.settings_text import BadSettings
from learnt.settings import INSIDE_VARIABLE
from learnt.stores.hook_files import interpreter
from learnt.stores.plain_files import bytes_of, whole
from learnt.stores.text_files import text_of
from learnt.surfaces import agent_files
from learnt.surfaces.answers.home import Probe
from learnt.surfaces.hook import DOCTOR
from learnt.surfaces.registering import served_by

_LEVELS: Final = {"problem": 0, "warning": 1, "ok": 2}
_SILENCED: Final = " 2>/dev/null"
_ANEW: Final = "`learnt init` registers this one; `learnt uninstall` takes it out."


class RegisteredHook(Record):
    """A hook of Learnt's in a settings file of an agent; `event` is by the agent's own name."""

    event: str
    command: str
    matcher: str
    file: Path
    agent: Dialect


def registered(project: Path) -> tuple[list[RegisteredHook], list[Probe]]:
    """Every hook of Learnt's in the agents' settings, and which settings cannot be read."""
    found, broken = list[RegisteredHook](), list[Probe]()
    for agent in DIALECTS:
        own = agent_files.settings_files(project, agent)
        for file in (*own, *agent_files.plugin_hooks(agent)):
            try:
                text = text_of(whole(file))
                if agent.form == "plugin":
                    names = zip(agent.events, hook_settings.plugged(text), strict=False)
                    hooks = [(agent.named(event), line, "") for event, line in names]
                else:
                    hooks = hook_settings.registered(settings_text.parse(text, agent))
                found += [RegisteredHook(*hook, file, agent) for hook in hooks]
            except (OSError, ValueError, BadSettings) as error:
                missing = isinstance(error, FileNotFoundError)
                if file in own and agent.form != "plugin" and not missing:
                    todo = f"Mend the file, then `learnt init --agent {agent.name}`."
                    text = f"{agent.title}'s settings cannot be read, {file}: {error}"
                    broken.append(Probe("registration", "problem", text, todo))
    return found, broken


def registrations(hooks: Sequence[RegisteredHook], *, at_files: bool) -> Iterator[Probe]:
    """Of each agent that calls Learnt whether each event is reported, and once; what it sees."""
    if not hooks:
        todo = f"`learnt init --agent NAME`: {', '.join(BY_NAME)}"
        yield Probe("registration", "problem", "no agent calls Learnt", todo)
    for agent in DIALECTS:
        own = [hook for hook in hooks if hook.agent is agent]
        if own:
            yield _registration(own, agent, at_files=at_files)
            yield Probe(agent.name, "ok", seen_by(agent))
        elif hooks and agent_files.user_folder(agent).is_dir():
            text = f"{agent.title} is here and does not call Learnt"
            yield Probe(agent.name, "ok", text)


def _registration(hooks: list[RegisteredHook], agent: Dialect, *, at_files: bool) -> Probe:
    times = Counter(hook.event for hook in hooks)
    files = ", ".join(sorted({str(hook.file) for hook in hooks}))
    wanted = [agent.named(event) for event in agent.events]
    if agent.form != "plugin":
        wanted = [name for names in agent.events.values() for name in names]
    missing = [event for event in wanted if not times[event]]
    register, name = f"`learnt init --agent {agent.name}`", "registration"
    if missing:
        text = f"{agent.title} does not call Learnt at {', '.join(missing)}"
        return Probe(name, "warning", text, register)
    doubled = [event for event, count in times.items() if count > 1]
    if doubled:
        todo = "Take all but one out of them; until then each second report is dropped."
        text = f"{agent.title} calls Learnt twice at {', '.join(doubled)}, by {files}"
        return Probe(name, "warning", text, todo)
    told = {
        agent.named(e): hook_settings.matcher(agent, e, at_files=at_files) for e in agent.events
    }
    if any(hook.matcher != told.get(hook.event, "") for hook in hooks):
        text = f"`[recall] at_files` is {'on' if at_files else 'off'} since hooks were registered"
        return Probe(name, "warning", text, f"{register} has it take effect")
    return Probe(name, "ok", f"{agent.title} calls Learnt at each event once, by {files}")


def servers(home: Path, hooks: Sequence[RegisteredHook]) -> Iterator[Probe]:
    """Whether the agents that call Learnt by the user's settings know its MCP server."""
    found: dict[str, list[str]] = {}
    for agent in DIALECTS:
        users = agent_files.settings_file(agent, None, shared=False)
        if not any(hook.agent is agent and hook.file == users for hook in hooks):
            continue
        file = agent_files.servers_file(agent)
        try:
            how = served_by(home, agent, text_of(bytes_of(file, 1 << 24) or b""))
        except (ValueError, BadSettings):
            how = "unreadable"
        found.setdefault(how, []).append(agent.title)
    texts = {
        "there": "it is registered with {}",
        "plugged": "{} has it by a plug-in",
        "another's": "{} has a server `learnt` that `init` did not write",
        "unreadable": "{}'s file of servers cannot be read",
        "nobody": "it is not registered with {}",
    }
    parts = [how.format(", ".join(found[key])) for key, how in texts.items() if key in found]
    wrong = found.keys() & {"nobody", "unreadable"}
    if wrong:
        yield Probe("mcp server", "warning", "; ".join(parts), "`learnt init` registers it")
    elif parts:
        yield Probe("mcp server", "ok", "; ".join(parts))


def seen_by(agent: Dialect) -> str:
    """What an agent lets be seen, on one line; why something is not stands in the docs."""
    sees = asdict(agent.sees)
    sorted_out = {
        how: [name for name, told in sees.items() if told.partition(":")[0] == how]
        for how in ("yes", "part", "no")
    }
    words = {"yes": "sees", "part": "in part", "no": "not"}
    parts = [f"{words[how]} {', '.join(names)}" for how, names in sorted_out.items() if names]
    return f"{agent.title} {'; '.join(parts)}"


def trust(hooks: Sequence[RegisteredHook], project: Path) -> Iterator[Probe]:
    """Whether the agents that call Learnt run its hooks, by their own switches and trust."""
    for agent in DIALECTS:
        if not any(hook.agent is agent for hook in hooks):
            continue
        text, todo = agent_files.hooks_off(agent, project)
        if text:
            yield Probe("hook switch", "problem", f"{agent.title} runs no hooks here: {text}", todo)
    own = [hook for hook in hooks if hook.agent is CODEX]
    if not own:
        return
    file = agent_files.user_folder(CODEX) / CODEX.servers
    try:
        settings = agent_files.read_settings(CODEX, file) if file.exists() else {}
    except (OSError, ValueError) as error:
        text = f"{file} cannot be read ({error}): whether Codex trusts the hooks is not known"
        yield Probe("codex trust", "warning", text, "Mend that file.")
        return
    known = member(member(settings, "hooks"), "state")
    trusted = [key for key in known if ":" in key] if isinstance(known, dict) else []
    files = {str(hook.file) for hook in own}
    told = sum(key.rpartition("hooks.json")[0] + "hooks.json" in files for key in trusted)
    if told < len(own):
        text = f"{told} of {len(own)} hooks are trusted; Codex skips the others"
        yield Probe("codex trust", "warning", text, CODEX.todo)
    else:
        yield Probe("codex trust", "ok", f"{told} hooks are trusted, as far as {file} tells")


def hook_runs(home: Path, hooks: Sequence[RegisteredHook]) -> Probe:
    """Whether each hook that is registered runs, for this home and this installation."""
    users = {agent_files.settings_file(agent, None, shared=False) for agent in DIALECTS}
    trusted = users.union(*map(agent_files.plugin_hooks, DIALECTS))
    found, tried = list[Probe](), dict[tuple[str, Path], None]()
    for hook in hooks:
        events = [hook.agent.argument(event) for event in hook.agent.events]
        written = {hook_settings.command(interpreter(), str(home), event) for event in events}
        ours = written.union(map(hook_settings.shared_command, events))
        if hook.file in trusted or hook.command in ours:
            tried[hook_settings.asking(hook.command, DOCTOR), hook.file] = None
        elif not found:  # a project may bring anything along
            unlike = f"{hook.file} calls what `init` did not write; it was not run"
            found.append(Probe("hook", "warning", unlike))
    found += [_ran(command, file, home) for command, file in tried]
    found.sort(key=lambda each: _LEVELS[each.level])
    if not found:
        text = "what agents call leads to no hook of this home"
        return Probe("hook", "warning", text, "`learnt init`")
    alike = {each.said.partition(" in ")[0]: each.said for each in found}
    if found[0].level != "ok":
        alike = {each.said: each.said for each in found if each.level == found[0].level}
    return replace(found[0], said="; ".join(alike.values()), todo=_ANEW)


def _ran(command: str, file: Path, home: Path) -> Probe:
    """What came of one command, run as the agent runs it."""
    started = time.monotonic()
    code, output, errors = _run(command)
    took = (time.monotonic() - started) * 1000
    leads_to, _, package = output.partition("\n")
    if code or errors:
        return Probe(
            "hook",
            "problem",
            f"the hook in {file} ended with code {code} and this error: {errors[:200]}",
        )
    if not package:
        _, _, errors = _run(command.replace(_SILENCED, "", 1))
        why = (errors.strip().splitlines() or ["nothing is where it leads"])[-1]
        text = f"{file} calls a hook that does nothing: {why}"
        return Probe("hook", "warning" if hook_settings.is_shared(command) else "problem", text)
    if leads_to != str(home):
        return Probe("hook", "warning", f"{file} calls the hook of another home, {leads_to[:200]}")
    if package != learnt.__file__:
        gone = not Path(package).exists()
        text = f"{file} calls a hook of an installation {'that is gone' if gone else 'elsewhere'}"
        return Probe("hook", "problem" if gone else "warning", f"{text}: {package[:200]}")
    return Probe("hook", "ok", f"runs silently in {took:.0f} ms")


def _run(command: str) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", f"unset {INSIDE_VARIABLE}; {command}"],
            input=b"{}",
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return 1, "", str(error)
    output, errors = (told.decode("utf-8", "replace") for told in (done.stdout, done.stderr))
    return done.returncode, output, errors
