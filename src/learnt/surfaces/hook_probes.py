"""What `doctor` tries of the hooks: those that are registered, as they are registered."""

import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import learnt
from learnt.formats.agents import claude_settings
from learnt.formats.agents.claude_settings import BadSettings
from learnt.settings import INSIDE_VARIABLE
from learnt.stores.hook_files import interpreter
from learnt.stores.plain_files import whole
from learnt.surfaces import agent_files
from learnt.surfaces.hook import DOCTOR
from learnt.surfaces.model_probes import Probe

_LEVELS: Final = {"problem": 0, "warning": 1, "ok": 2}
_SILENCED: Final = " 2>/dev/null"
_ANEW: Final = "`learnt init` registers this one; `learnt uninstall` takes it out."


class RegisteredHook(NamedTuple):
    """A hook of Learnt's in a settings file of the agent."""

    event: str
    command: str
    matcher: str
    file: Path


def registered(project: Path) -> list[RegisteredHook]:
    """Every hook of Learnt's in the agent's settings."""
    hooks = []
    for file in (*agent_files.settings_files(project), *agent_files.plugin_hooks()):
        with suppress(OSError, ValueError, BadSettings):
            settings = claude_settings.parse(whole(file).decode("utf-8"))
            hooks += [RegisteredHook(*hook, file) for hook in claude_settings.registered(settings)]
    return hooks


def registration(hooks: list[RegisteredHook], *, at_files: bool) -> Probe:
    """Whether each event is reported, and once."""
    times = Counter(hook.event for hook in hooks)
    files = ", ".join(sorted({str(hook.file) for hook in hooks}))
    missing = [event for event in claude_settings.EVENTS if not times[event]]
    if len(missing) == len(claude_settings.EVENTS):
        return Probe("registration", "problem", "Claude Code does not call Learnt", "`learnt init`")
    if missing:
        text = f"Claude Code does not call Learnt at {', '.join(missing)}"
        return Probe("registration", "warning", text, "`learnt init`")
    doubled = [event for event, count in times.items() if count > 1]
    if doubled:
        todo = "Take all but one out of them; until then each second report is dropped."
        said = f"Claude Code calls Learnt twice at {', '.join(doubled)}, by {files}"
        return Probe("registration", "warning", said, todo)
    wanted = claude_settings.matcher(at_files=at_files)
    if any(hook.event == "PostToolUse" and hook.matcher != wanted for hook in hooks):
        text = f"`[recall] at_files` is {'on' if at_files else 'off'} since hooks were registered"
        return Probe("registration", "warning", text, "`learnt init` has it take effect")
    return Probe("registration", "ok", f"Claude Code calls Learnt at each event once, by {files}")


def hook_runs(home: Path, hooks: Sequence[RegisteredHook]) -> Probe:
    """Whether each hook that is registered runs, for this home and this installation."""
    trusted = {agent_files.user_settings(), *agent_files.plugin_hooks()}
    found, tried = list[Probe](), dict[tuple[str, Path], None]()
    for hook in hooks:
        if hook.file in trusted or _is_ours(hook, home):
            tried[hook.command.replace(f" {hook.event} ", f" {DOCTOR} ", 1), hook.file] = None
        elif not found:  # a project may bring anything along
            unlike = f"{hook.file} calls what `init` did not write; it was not run"
            found.append(Probe("hook", "warning", unlike))
    found += [_ran(command, file, home) for command, file in tried]
    found.sort(key=lambda each: _LEVELS[each.level])
    if not found:
        return Probe(
            "hook",
            "warning",
            "what Claude Code calls leads to no hook of this home",
            "`learnt init`",
        )
    if found[0].level == "ok":
        return found[0]
    said = dict.fromkeys(each.said for each in found if each.level == found[0].level)
    return found[0]._replace(said="; ".join(said), todo=_ANEW)


def _is_ours(hook: RegisteredHook, home: Path) -> bool:
    written = claude_settings.command(interpreter(), str(home), hook.event)
    return hook.command in {written, claude_settings.shared_command(hook.event)}


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
        said = f"{file} calls a hook that does nothing: {why}"
        return Probe("hook", "warning" if claude_settings.is_shared(command) else "problem", said)
    if leads_to != str(home):
        return Probe("hook", "warning", f"{file} calls the hook of another home, {leads_to[:200]}")
    if package != learnt.__file__:
        gone = not Path(package).exists()
        said = f"{file} calls a hook of an installation {'that is gone' if gone else 'elsewhere'}"
        return Probe("hook", "problem" if gone else "warning", f"{said}: {package[:200]}")
    return Probe("hook", "ok", f"what Claude Code calls runs without an error, in {took:.0f} ms")


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
