"""What the hooks of other agents report, told as Claude Code's own hooks would tell it.

Standard library only and no import of the package: a byte-for-byte copy of this file lies beside
the hook. The registered command names the event in Claude Code's word. These agents report each
call by itself: it is told as a step of one call, and stays beside it by its own names.
"""

from __future__ import annotations

import json
import re
import zlib

STEP, ACT = "PostToolBatch", "PreToolUse"
CODEX, GEMINI, OPENCODE, CURSOR = "codex", "gemini-cli", "opencode", "cursor"
# By agent, how it calls what Claude Code calls otherwise. An agent that is not here is taken as
# one that reports in Claude Code's form.
_NAMES: dict[str, dict[str, str]] = {
    CODEX: {"prompt_id": "turn_id"},
    GEMINI: {},
    OPENCODE: {},
    CURSOR: {"session_id": "conversation_id", "prompt_id": "generation_id"},
}
# Nothing else is looked at: a payload may hold a person's mail address.
_KEPT = (
    "session_id", "transcript_path", "cwd", "prompt", "prompt_id", "source", "reason", "agent_id",
    "agent_type", "tool_use_id", "permission_mode", "stop_hook_active", "unreadable",
)  # fmt: skip
_WITHOUT_SKILL_TOOL = {CODEX, CURSOR}  # there a skill is launched by reading its file
_TOOLS = {
    theirs: ours
    for ours, named in {
        "Bash": "shell local_shell exec_command run_shell_command bash Shell",
        "Read": "read_file read",
        "Edit": "replace edit apply_patch",
        "Write": "write_file write",
        "Skill": "activate_skill skill",
    }.items()
    for theirs in named.split()
}
_INPUT = {
    "cmd": "command", "filePath": "file_path", "absolute_path": "file_path", "path": "file_path",
    "oldString": "old_string", "newString": "new_string",
}  # fmt: skip
_OF_TOOLS = {"Bash", "Read", "Edit", "Write"}
_OWN = re.compile(r"(?:mcp_)?learnt_(\w+)")  # how they call the tools of Learnt's server
_CONTEXT = re.compile(r"<hook_context>.*?</hook_context>\s*", re.DOTALL)
_WRAPPED = re.compile(r"\s*<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*", re.DOTALL)
_CODE = re.compile(r"^(?:Process exited with code|Exit Code:|Exit code:) (\d{1,5})$", re.MULTILINE)
_HEADED = re.compile(r"(?:Chunk ID|Wall time|Exit code|Process exited|Command|Output)\b")
_BEHIND = re.compile(
    r"(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]{0,200})+\s*\Z"
)
_OUTPUT = re.compile(r"^Output:[ \n]", re.MULTILINE)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_SKILL_FILE = r"skills/(?:[\w.-]{1,64}/){0,8}?([\w-]{1,64})/SKILL\.md"
_READS_SKILL = re.compile(
    r"(?:^|[;&|(\n]\s{0,8})(?:cat|sed|head|tail|nl|less|more|bat)\b[^;&|\n]{0,400}?\b" + _SKILL_FILE
)


def common(agent: str, event: str, payload: dict[str, object]) -> dict[str, object]:
    """A payload as Claude Code would have sent it; that of an agent in its form is left as it is.

    >>> common("cursor", "Stop", {"conversation_id": "c", "user_email": "a@b"})
    {'session_id': 'c'}
    """
    names = _NAMES.get(agent)
    if names is None:
        return payload
    said = {key: payload[key] for key in _KEPT if key in payload}
    said |= {ours: payload[theirs] for ours, theirs in names.items() if theirs in payload}
    roots = payload.get("workspace_roots")
    if "cwd" not in said and isinstance(roots, list) and roots:
        said["cwd"] = roots[0]
    if agent == GEMINI and event == "UserPromptSubmit":
        said["prompt_id"] = payload.get("timestamp")  # it names no prompt: its moment does
    if isinstance(prompt := said.get("prompt"), str):
        said["prompt"] = without_context(prompt)
    if event == "SessionStart" and payload.get("hook_event_name") == "preCompact":
        said["source"] = "compact"
    if event == STEP:
        said |= _step(agent, payload, said.get("cwd"))
    if event == ACT:
        call = payload.get("tool_name"), payload.get("tool_input")
        said |= {"hook_event_name": ACT, **common_call(agent, *call, said.get("cwd"))}
    return said


def without_context(prompt: str) -> str:
    """A prompt without what hooks put before it.

    >>> without_context("<hook_context>known</hook_context>\\n\\nwhy?")
    'why?'
    """
    return _CONTEXT.sub("", prompt)


def _step(agent: str, payload: dict[str, object], folder: object) -> dict[str, object]:
    error = payload.get("error_message")
    told = payload.get("tool_response", payload.get("tool_output"))
    call = common_call(agent, payload.get("tool_name"), payload.get("tool_input"), folder)
    call["tool_response"] = result(told, error)
    call["tool_use_id"] = payload.get("tool_use_id")
    if not call["tool_use_id"]:  # two calls of one prompt must be told apart
        seen = zlib.crc32(repr([call["tool_name"], call["tool_input"], told, error]).encode())
        call["tool_use_id"] = f"{payload.get('timestamp', '')}-{seen:08x}"
    return {**call, "tool_calls": [call]}


def common_call(agent: str, tool: object, given: object, folder: object) -> dict[str, object]:
    """The tool and input of a call, by Claude Code's names; `skill` where it launches one.

    >>> common_call("codex", "exec_command", {"cmd": "cat .agents/skills/tidy/SKILL.md"}, "/p")
    {'tool_name': 'Bash', 'tool_input': {'command': 'cat .agents/skills/tidy/SKILL.md'}, \
'skill': 'tidy'}
    """
    name = _TOOLS.get(tool, tool) if isinstance(tool, str) else ""
    if (own := _OWN.fullmatch(name)) and agent in {GEMINI, OPENCODE}:
        name = f"mcp__learnt__{own[1]}"
    if not isinstance(given, dict):
        given = {"command": given} if isinstance(given, str) else {}
    if name == "Skill":
        given = {**given, "skill": given.get("skill", given.get("name", ""))}
    elif name in _OF_TOOLS:
        given = {_INPUT.get(key, key): value for key, value in given.items()}
    command = given.get("command")
    if isinstance(command, list):  # of which the shell and its options come first
        command = given["command"] = str(command[-1]) if command else ""
    if tool == "apply_patch" and isinstance(command, str):
        patched = _PATCHED.search(command)
        given = {"file_path": patched[1].strip() if patched else "", "new_string": command}
    path = given.get("file_path")
    if name in _OF_TOOLS and isinstance(path, str) and path and path[0] != "/":
        given["file_path"] = f"{folder}/{path}" if isinstance(folder, str) else path
    call: dict[str, object] = {"tool_name": name, "tool_input": given}
    if skill := _launched(agent, name, dict(given)):
        call["skill"] = skill
    return call


def _launched(agent: str, name: str, given: dict[str, object]) -> str:
    if name == "Skill":
        return str(given["skill"])
    if agent not in _WITHOUT_SKILL_TOOL:
        return ""
    if name == "Bash":
        found = _READS_SKILL.search(str(given.get("command", ""))[:8_000])
    else:
        read = str(given.get("file_path", "")) if name == "Read" else ""
        found = re.search(_SKILL_FILE + r"\Z", read[-400:])
    return found[1] if found else ""


def result(told: object, error: object = None) -> object:
    """A result as Claude Code tells it: what failed begins with its exit code, or with `Error`.

    >>> result({"output": "oops", "exit": 3}), result({"llmContent": "fine"})
    ('Exit code 3\\noops', 'fine')
    """
    if isinstance(told, str) and told[:12].lstrip()[:1] == "{" and '"exitCode"' in told:
        told = _json(told) or told  # as Cursor tells the result of a command
    if isinstance(told, dict):
        error = error or told.get("error")
        code = next((told[n] for n in ("exit", "exitCode", "exit_code") if n in told), None)
        parts = ("llmContent", "output", "stdout", "stderr", "content")
        told = "\n".join(text for key in parts if (text := _text(told.get(key))))
    else:
        code, told = None, _text(told) if isinstance(told, list) else told
    if isinstance(error, dict):
        error = error.get("message") or "failed"
    if not isinstance(told, str):
        return f"Error: {error}" if error else told
    if wrapped := _WRAPPED.match(told):
        told = wrapped[1]
    if code is None and _HEADED.match(told):
        exited = _CODE.findall(told)
        at = _OUTPUT.search(told)
        told = _BEHIND.sub("", told)
        # Codex tells the code before the output, Gemini CLI behind it.
        code = int(exited[-1 if told.startswith(("Command", "Output")) else 0]) if exited else None
        told = told[at.end() :] if at else told
    if isinstance(code, int) and code:
        return f"Exit code {code}\n{told}"
    return f"Error: {error}" if error else told


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(_text(each.get("text")) for each in value if isinstance(each, dict))
    return value if isinstance(value, str) else ""


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
