"""What a home's logs have at their ends, for whoever looks after it."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Final

from learnt.stores.transcripts import DiskTranscripts

_END: Final = 1 << 16  # bytes of a log, whatever its size
_LOGS: Final = {
    "hook-errors.log": "{error} on {event}, line {line}",
    "worker.log": "{error} at {at} {said}",
}
_TOLD: Final = 3  # lines of each


def last_errors(home: Path) -> list[str]:
    """The last errors that hooks and the worker wrote down, a line each."""
    texts: list[str] = []
    for name, form in _LOGS.items():
        end = DiskTranscripts().tail(str(home / "logs" / name), _END)
        lines = end.decode("utf-8", "replace").splitlines()
        texts += [f"{name}: {_error_of(line, form)}" for line in lines[-_TOLD:]]
    return texts


def _error_of(line: str, form: str) -> str:
    try:
        return form.format_map(defaultdict(lambda: None, json.loads(line))).strip()
    except (ValueError, TypeError):  # somebody else's line
        return line[:200]
