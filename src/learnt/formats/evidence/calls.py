"""What a tool call's result says of success: evidence, never the result itself.

Standard library only; a byte-for-byte copy of this folder lies beside the hook, which spools what
the worker would have made of the same call.

Evidence is a small mapping: `kind` (test, check, edit, change, look, read, other), `good` (True,
False, absent where nothing can be said), `passed` and `failed` (a test run's counts), `code`,
`cause` of a failure, `changes` (it alters files), `undoes` (it throws work away), `interrupted`,
`family` (what a later call must be to make up for it), `file` (what was edited), `edit` (a digest
of the texts that it replaced and wrote) and `quote` (one line of the result; neither it nor the
file is redacted yet).
"""

import re
from collections.abc import Callable, Sequence

from . import runners, shell
from .causes import cause_of, telling
from .runners import LONGEST_QUOTE, one_line

LOOKED_AT = 40_000  # characters of a result: its beginning and, mostly, its end

LONGEST_LINE, MOST_LINES = 2_000, 2_000
_RUNS = re.compile(r"[ \t]{9,}|\d{9,}|([=\-_.*#~])\1{40,}")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_EXIT = re.compile(r"\s{0,20}Exit code (\d{1,5})\b\n?")
_TOOL_ERROR = re.compile(
    r"\s{0,20}(?:<tool_use_error>|Error:|ERROR:|ERROR \d|error:|Error (?:executing|calling|in) |"
    r"File does not exist|Unknown skill\b|"
    r"String to replace not found|File has (?:not been read|been modified)|"
    r"getaddrinfo |connect E[A-Z]+|Request timed out)"
)
# At a result's beginning or end: a file that speaks of it is none.
_INTERRUPTED = re.compile(
    r"\s{0,20}(?:\[Request interrupted by user|The user doesn't want to)"
    r"|(?:.|\n){0,40000}\n\[Request interrupted by user[^\]\n]{0,40}\]\s{0,20}\Z"
)
_FETCH_FAILED = re.compile(
    r"\s{0,20}(?:Request failed|Failed to fetch|API Error|HTTP(?: error)? [45]\d\d\s*(?:$|[:.,-]))",
    re.IGNORECASE,
)
_GAVE_UP = re.compile(
    r"\b(?:unable|not able|could ?n[o']t|cannot|can't|failed) (?:to )?"
    r"(?:finish|complete|do (?:this|that|it)|carry out|produce)\b|"
    r"nothing (?:has been|was) produced|(?:was|did) not (?:finish|complet)|"
    r"没有完成|未能(?:完成|得到)|没能(?:完成|得到)|失败了|无法完成|未完成",
    re.IGNORECASE,
)

_RUN = r"(?:Bash|PowerShell|shell|local_shell|exec_command|run_shell_command|execute_command)"
_SHELLS = re.compile(_RUN, re.IGNORECASE)
_EDITS = re.compile(r"(?:Multi|Notebook)?Edit|Write|apply_patch|str_replace.*|write_file|replace")
_OWN = re.compile(r"mcp__(?:plugin_learnt_)?learnt__")
_READS = re.compile(r"Read|Grep|Glob|LS|read_file|list_directory|TodoWrite|WebSearch|ToolSearch")


def _shown(response: object) -> str:
    text = response if isinstance(response, str) else ""
    if isinstance(response, dict):
        text = "\n".join(str(response.get(key) or "") for key in ("stdout", "stderr", "content"))
    elif isinstance(response, list):
        text = "\n".join(str(p.get("text") or "") for p in response if isinstance(p, dict))
    if len(text) > LOOKED_AT:
        text = text[: LOOKED_AT // 8] + "\n" + text[-LOOKED_AT:]
    return tame(_ANSI.sub("", text))


def tame(text: str) -> str:
    """A text that no pattern takes long over: no empty lines, no long runs, no endless line.

    >>> tame("a\\n\\n \\n" + " " * 99 + "b" + "1" * 99).split("\\n")[1].count(" ")
    8
    """
    text = _RUNS.sub(lambda run: run[0][:8], text)
    lines = [line[:LONGEST_LINE] for line in text.split("\n") if not line.isspace() and line]
    return "\n".join(lines if len(lines) <= MOST_LINES else lines[:20] + lines[-MOST_LINES:])


def of_call(tool: str, tool_input: object, response: object) -> dict[str, object]:
    """The evidence of one call; `good` is absent where its result says nothing either way.

    >>> of_call("Bash", {"command": "pytest"}, "1 passed in 0.1s")["good"]
    True
    >>> of_call("Bash", {"command": "grep x y"}, "Exit code 1")["kind"]
    'look'
    """
    output = _shown(response)
    if not _READS.fullmatch(tool) and _INTERRUPTED.match(output):
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
    elif _OWN.match(tool):
        # What Learnt says of a call shows nothing of the work, and a refusal is no trouble in it.
        return {"kind": "look", "family": "learnt"}
    elif tool.startswith(("WebFetch", "mcp__")):
        failed = failed or bool(_FETCH_FAILED.match(output))
    evidence: dict[str, object] = {"kind": kind, "family": family, "good": not failed}
    if kind == "edit" and isinstance(tool_input, dict):
        file = tool_input.get("file_path") or tool_input.get("notebook_path")
        # A name with hidden characters reads otherwise than it is.
        evidence["file"] = file if isinstance(file, str) and file.isprintable() else ""
        evidence["edit"] = _edited(tool_input)
    if failed:
        evidence["quote"] = telling(output)
        # A skill that is not there was asked for by a wrong name.
        evidence["cause"] = "input" if tool == "Skill" else cause_of(output, None)
    return evidence


def _edited(given: dict[str, object]) -> str:
    """What tells the texts of an edit from others, however spaced: a transcript may hold others."""
    from hashlib import blake2b  # most calls edit nothing

    edits = given.get("edits")
    rows = edits if isinstance(edits, list) else [given]
    texts = (str(row.get(name) or "")[:LOOKED_AT] for row in rows if isinstance(row, dict)
             for name in ("old_string", "new_string", "content"))  # fmt: skip
    spaced = "\0".join(" ".join(text.split()) for text in texts)
    return blake2b(spaced.encode("utf-8", "replace"), digest_size=16).hexdigest()


def redacting(
    excerpt: Callable[[str, int], str], strip_private: Callable[[str], str]
) -> Callable[[str, object, object], dict[str, object]]:
    """`of_call` on a result without its private parts; its quotes are redacted, then cut."""

    def evidence(tool: str, tool_input: object, response: object) -> dict[str, object]:
        seen = of_call(tool, tool_input, strip_private(_shown(response)))
        for name, longest in (("quote", LONGEST_QUOTE), ("family", 32), ("file", LONGEST_QUOTE)):
            if name in seen:
                seen[name] = excerpt(str(seen[name]), longest)
        return seen

    return evidence


def _of_shell(command: str, output: str) -> dict[str, object]:
    exit_code = _EXIT.match(output)
    code = int(exit_code[1]) if exit_code else 0
    output = output[exit_code.end() :] if exit_code else output
    kind, family = shell.kind_of(command)
    parts = shell.segments(command)
    evidence: dict[str, object] = {"kind": kind, "family": family}
    if code:
        evidence["code"] = code
    evidence.update(_done_to_files(parts))
    counted = runners.counts(output) if kind != "look" else None
    if counted is not None and (kind in {"test", "check"}):
        return _of_test(evidence, code, output, counted)
    if kind == "test":
        return _of_uncounted(evidence, code, output)
    if kind == "look" or (code == 1 and parts and shell.program(parts[-1]) in shell.ANSWERS):
        if code and kind != "look":
            evidence["good"] = True
        return evidence
    broken = shell.hidden(command) and kind == "check" and runners.broken_build(output)
    evidence["good"] = code == 0 and not broken
    if code or broken:
        evidence["quote"] = telling(output) or f"exit code {code}"
        evidence["cause"] = cause_of(output, code)
    elif kind == "check":
        evidence["quote"] = f"exit code 0: {family}"
    return evidence


def _done_to_files(parts: Sequence[str]) -> dict[str, object]:
    patterns = (
        ("undoes", shell.UNDOES),
        ("restores", shell.RESTORES),
        ("changes", shell.CHANGING),
        ("changes", shell.INSTALLS),
    )
    return {name: True for name, pattern in patterns if any(map(pattern.match, parts))}


def _of_test(
    evidence: dict[str, object], code: int, output: str, counted: tuple[int, int, str]
) -> dict[str, object]:
    passed, failed, quote = counted
    bad = failed > 0 or code > 0
    if bad and not failed:
        passed, failed, quote = runners.counts(output, all_runs=True) or counted
    evidence.update(kind="test", family="test", good=not bad, quote=quote)
    evidence.update(passed=passed, failed=failed or (0 if passed or not bad else 1))
    if bad:
        evidence["cause"] = cause_of(output, code)
    return evidence


def _of_uncounted(evidence: dict[str, object], code: int, output: str) -> dict[str, object]:
    """A test run without counts: its exit code, and what its lines say where that was swallowed."""
    broken = [match[0] for pattern in runners.BROKEN for match in pattern.finditer(output)]
    fine = [match[0] for pattern in runners.OK for match in pattern.finditer(output)]
    bad = code > 0 or bool(broken)
    evidence["good"] = not bad
    lines = broken or ([] if bad else fine)
    evidence["quote"] = one_line(lines[-1]) if lines else telling(output) or f"exit code {code}"
    if bad:
        named_good = len(re.findall(r"^ *--- PASS", output, re.MULTILINE))
        named_bad = len(re.findall(r"^ *--- FAIL", output, re.MULTILINE))
        if named_good and named_bad:
            evidence.update(passed=named_good, failed=named_bad)
        evidence["cause"] = cause_of(output, code)
    return evidence
