"""What a tool call's result says of success: evidence, never the result itself.

Standard library only; a byte-for-byte copy of this folder lies beside the hook, which spools what
the worker would have made of the same call.

Evidence is a small mapping: `kind` (test, check, edit, change, look, read, other), `good` (True,
False, absent where nothing can be said), `passed` and `failed` (a test run's counts), `code`,
`cause` of a failure, `changes` (it alters files), `undoes` (it throws work away), `interrupted`,
`family` (what a later call must be to make up for it) and `quote` (one line of the result, not yet
redacted).
"""

import re
from collections.abc import Callable

from . import runners, shell
from .causes import cause_of, telling
from .runners import LONGEST_QUOTE, one_line

LOOKED_AT = 40_000  # characters of a result: its beginning and, mostly, its end

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_EXIT = re.compile(r"\s*Exit code (\d+)\b\n?")
_TOOL_ERROR = re.compile(
    r"\s*(?:<tool_use_error>|Error[ :]|ERROR[ :]|error:|File does not exist|Unknown skill\b|"
    r"String to replace not found|File has (?:not been read|been modified)|"
    r"getaddrinfo |connect E[A-Z]+|Request timed out)"
)
_INTERRUPTED = re.compile(r"\[Request interrupted by user|^The user doesn't want to", re.MULTILINE)
_FETCH_FAILED = re.compile(r"\s*(?:Request failed|Failed to fetch|API Error|HTTP [45]\d\d\b)", re.I)
_GAVE_UP = re.compile(
    r"\b(?:unable|not able|could ?n[o']t|cannot|can't|failed) (?:to )?"
    r"(?:finish|complete|get|do|find|produce|work out)|"
    r"nothing (?:has been|was) produced|(?:was|did) not (?:finish|complet)|"
    r"没有完成|未能|没能|失败了|无法完成|未完成",
    re.IGNORECASE,
)

_RUN = r"(?:Bash|PowerShell|shell|local_shell|exec_command|run_shell_command|execute_command)"
_SHELLS = re.compile(_RUN, re.IGNORECASE)
_EDITS = re.compile(r"(?:Multi|Notebook)?Edit|Write|apply_patch|str_replace.*|write_file|replace")
_READS = re.compile(r"Read|Grep|Glob|LS|read_file|list_directory|TodoWrite|WebSearch|ToolSearch")


def _shown(response: object) -> str:
    text = response if isinstance(response, str) else ""
    if isinstance(response, dict):
        text = "\n".join(str(response.get(key) or "") for key in ("stdout", "stderr", "content"))
    elif isinstance(response, list):
        text = "\n".join(str(p.get("text") or "") for p in response if isinstance(p, dict))
    if len(text) > LOOKED_AT:
        text = text[: LOOKED_AT // 8] + "\n" + text[-LOOKED_AT:]
    return _ANSI.sub("", text)


def of_call(tool: str, tool_input: object, response: object) -> dict[str, object]:
    """The evidence of one call; `good` is absent where its result says nothing either way.

    >>> of_call("Bash", {"command": "pytest"}, "1 passed in 0.1s")["good"]
    True
    >>> of_call("Bash", {"command": "grep x y"}, "Exit code 1")["kind"]
    'look'
    """
    output = _shown(response)
    if _INTERRUPTED.search(output):
        return {"kind": "other", "interrupted": True, "quote": "[Request interrupted by user]"}
    if _SHELLS.fullmatch(tool) and isinstance(tool_input, dict):
        command = tool_input.get("command")
        return _of_shell(command if isinstance(command, str) else "", output)
    failed = bool(_TOOL_ERROR.match(output) or _EXIT.match(output))
    kind, family = "other", tool
    if _EDITS.fullmatch(tool):
        kind = "edit"
    elif _READS.fullmatch(tool):
        kind = "read"
    elif tool in {"Task", "Agent"}:
        failed = failed or bool(_GAVE_UP.search(output))
    elif tool.startswith(("WebFetch", "mcp__")):
        failed = failed or bool(_FETCH_FAILED.match(output))
    found: dict[str, object] = {"kind": kind, "family": family, "good": not failed}
    if failed:
        found["quote"] = telling(output)
        # A skill that is not there was asked for by a wrong name.
        found["cause"] = "input" if tool == "Skill" else cause_of(output, None)
    return found


def redacting(
    excerpt: Callable[[str, int], str],
) -> Callable[[str, object, object], dict[str, object]]:
    """`of_call` with its quotes cut and redacted by a function of text and length."""

    def evidence(tool: str, tool_input: object, response: object) -> dict[str, object]:
        found = of_call(tool, tool_input, response)
        if "quote" in found:
            found["quote"] = excerpt(str(found["quote"]), LONGEST_QUOTE)
        return found

    return evidence


def _of_shell(command: str, output: str) -> dict[str, object]:
    exit_code = _EXIT.match(output)
    code = int(exit_code[1]) if exit_code else 0
    output = output[exit_code.end() :] if exit_code else output
    kind, family = shell.kind_of(command)
    parts = shell.segments(command)
    found: dict[str, object] = {"kind": kind, "family": family}
    if code:
        found["code"] = code
    if any(map(shell.UNDOES.match, parts)):
        found["undoes"] = True
    if any(shell.CHANGING.match(part) or shell.INSTALLS.match(part) for part in parts):
        found["changes"] = True
    counted = runners.counts(output) if kind != "look" else None
    if counted is not None and (kind in {"test", "check"}):
        return _of_test(found, code, output, counted)
    if kind == "test":
        return _of_uncounted(found, code, output)
    if kind == "look" or (code == 1 and parts and shell.program(parts[-1]) in shell.ANSWERS):
        if code and kind != "look":
            found["good"] = True
        return found
    broken = shell.hidden(command) and kind == "check" and runners.broken_build(output)
    found["good"] = code == 0 and not broken
    if code or broken:
        found["quote"] = telling(output) or f"exit code {code}"
        found["cause"] = cause_of(output, code)
    elif kind == "check":
        found["quote"] = f"exit code 0: {one_line(parts[-1])}"
    return found


def _of_test(
    found: dict[str, object], code: int, output: str, counted: tuple[int, int, str]
) -> dict[str, object]:
    passed, failed, quote = counted
    bad = failed > 0 or code > 0
    if bad and not failed:
        passed, failed, quote = runners.counts(output, all_runs=True) or counted
    found.update(kind="test", family="test", good=not bad, quote=quote)
    found.update(passed=passed, failed=failed or (0 if passed or not bad else 1))
    if bad:
        found["cause"] = cause_of(output, code)
    return found


def _of_uncounted(found: dict[str, object], code: int, output: str) -> dict[str, object]:
    """A test run without counts: its exit code, and what its lines say where that was swallowed."""
    broken = [match[0] for pattern in runners.BROKEN for match in pattern.finditer(output)]
    fine = [match[0] for pattern in runners.OK for match in pattern.finditer(output)]
    bad = code > 0 or bool(broken)
    found["good"] = not bad
    told = broken or ([] if bad else fine)
    found["quote"] = one_line(told[-1]) if told else telling(output) or f"exit code {code}"
    if bad:
        named_good = len(re.findall(r"^ *--- PASS", output, re.MULTILINE))
        named_bad = len(re.findall(r"^ *--- FAIL", output, re.MULTILINE))
        if named_good and named_bad:
            found.update(passed=named_good, failed=named_bad)
        found["cause"] = cause_of(output, code)
    return found
