"""Issues on GitHub, by the `gh` program and its login. Little of what it says is believed."""

import json
import os
import re
import subprocess
from contextlib import suppress
from typing import Final

from learnt.core.payloads.skill_events import ExportTrouble
from learnt.exchanges.programs import run
from learnt.file_ports import Exported, PublicIssue

SECONDS: Final = 30.0  # for each call
_LARGEST: Final = 20_000_000  # bytes of a file that it may write
_URL: Final = re.compile(r"https://[\w.:-]+/[\w.-]+/[\w.-]+/issues/[0-9]+")
_ENVIRONMENT: Final = {
    "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "GH_PAGER": "cat", "NO_COLOR": "1",
}  # fmt: skip


class _TroubledError(Exception):
    """It gave nothing to use."""

    def __init__(self, trouble: ExportTrouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


def exported(repository: str, issue: PublicIssue, seconds: float = SECONDS) -> Exported:
    """The issue of a repository that bears the mark, whatever became of it; else a new one."""
    where = ("--repo", repository)
    label = ("--label", issue.label)
    try:
        known = _gh(
            "issue", "list", *where, *label, "--state", "all", "--limit", "500",
            "--json", "url,body", seconds=seconds,
        )  # fmt: skip
        try:
            found = [str(one["url"]) for one in json.loads(known) if issue.mark in str(one["body"])]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise _TroubledError("garbled") from error
        url = min(found, default="")
        if not url:
            with suppress(_TroubledError):  # it is there already
                _gh("label", "create", issue.label, *where, seconds=seconds)
            title = ("--title", issue.title)
            more = (*where, *label, *title, "--body-file", "-")
            said = _gh("issue", "create", *more, said=issue.body, seconds=seconds).split()
            url = said[-1] if said else ""
    except _TroubledError as error:
        return Exported(trouble=error.trouble)
    return Exported(url) if _URL.fullmatch(url) else Exported(trouble="garbled")


def _gh(*words: str, said: str = "", seconds: float) -> str:
    try:
        done = run(["gh", *words], os.environ | _ENVIRONMENT, seconds, _LARGEST, said)
    except OSError as error:
        raise _TroubledError("missing") from error
    except subprocess.TimeoutExpired as error:
        raise _TroubledError("late") from error
    if done.code:
        raise _TroubledError("failed")
    return done.output
