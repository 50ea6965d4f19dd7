"""Homes in any state: told in a line, with a documented exit code, and never as if new."""

import json
import time
from contextlib import suppress

from tests.support.attacks.scripts import played, variables
from tests.support.attacks.sets import Case
from tests.support.homes import APPROACH, LEARNT, PROMPT, Home

_SECONDS = 20  # a busy machine; a lock that a case holds for fifteen seconds
_WORDS = {
    "recall": ("recall", "gradle class file version"),
    "remember": ("remember", "--problem", "npm ci fails", "--approach", "Delete the lock file"),
    "status": ("status",),
    "doctor": ("doctor",),
    "init": ("init",),
    "uninstall": ("uninstall",),
    "review": ("review",),
    "rebuild": ("rebuild",),
    "purge_dry": ("purge", "--everything", "--dry-run"),
    "import": ("import", "notes.jsonl"),
    "export": ("knowledge", "export", "out"),
}


def breaks(home: Home, case: Case) -> list[str]:
    """What went wrong after the damage: a traceback, a hang, a strange code, a silent loss."""
    entry = str(home.remember())
    home.here("init")
    note = json.dumps({"problem": "Cargo is slow", "approach": "Use sccache"})
    (home.project / "notes.jsonl").write_text(f"{note}\n", encoding="utf-8")
    given = variables(home)
    played(home, case["damage"], given)
    wrong = []
    if case["then"] == "worker":
        wrong += _ran(home, ("worker", "status"))
    if case["then"] in {"hook", "worker"}:
        wrong += _hooked(home, given)
    else:
        words = ("why", entry) if case["then"] == "why" else _WORDS[case["then"]]
        wrong += _ran(home, words)
    return [*wrong, *_forgot(home)]


def _ran(home: Home, words: tuple[str, ...]) -> list[str]:
    began = time.monotonic()
    with suppress(AssertionError):  # a traceback, which is looked for here
        said = home.cli(*words)
        took = time.monotonic() - began
        wrong = [f"{words[0]} took {took:.0f} s"] if took > _SECONDS else []
        if said.exit_code not in range(6) or said.exit_code == 4:
            wrong.append(f"{words[0]} ended with {said.exit_code}: {said.errors[-200:]}")
        if said.exit_code > 1 and not said.errors.strip():
            wrong.append(f"{words[0]} ended with {said.exit_code} and said nothing")
        return wrong
    return [f"{words[0]} showed a traceback"]


def _hooked(home: Home, given: dict[str, str]) -> list[str]:
    home_given = {**home.agents_environment, "HOOK": given["HOOK"], "PAYLOAD": given["PAYLOAD"]}
    script = 'printf %s "$PAYLOAD" | sh -c "$HOOK" 2>"$PWD/../hook.err"; echo "=$?"'
    began = time.monotonic()
    printed = played(home, script, home_given)
    took = time.monotonic() - began
    output, _, code = printed.rpartition("=")
    errors = (home.folder / "hook.err").read_text("utf-8", "replace")
    wrong = [f"a hook took {took:.0f} s"] if took > _SECONDS / 2 else []
    if code.strip() != "0" or errors:
        wrong.append(f"a hook ended with {code.strip()} and said {errors[-200:]}")
    try:
        json.loads(output or "{}")
    except ValueError:
        wrong.append(f"a hook printed {output[-100:]}")
    return wrong


def _forgot(home: Home) -> list[str]:
    """Whether the note is neither given nor anything said of why."""
    with suppress(AssertionError):
        said = home.cli("recall", PROMPT)
        if said.exit_code == 0 and APPROACH not in said.output and not said.errors.strip():
            return [f"nothing is said of a lost note: {said.output[-300:]}"]
        return []
    return [f"recall showed a traceback ({LEARNT.name})"]
