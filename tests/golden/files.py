"""The golden files: what is recorded, and where it lies.

`python -m tests.golden.files` records them again; what changed is then to be seen in the diff, and
each intended change stands in `changelog.d/`.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.golden.calls import asked_by_mcp
from tests.golden.script import ACTS
from tests.golden.stage import Stage
from tests.support.homes import throwaway

FOLDER = Path(__file__).parents[1] / "data" / "golden"


def recorded(scratch: Path) -> dict[str, str]:
    """What every command and tool answers today: the files' texts by their names."""
    found: dict[str, str] = {}
    for kind, as_json in (("json", True), ("text", False)):
        with throwaway(_below(scratch, kind)) as home:
            stage = Stage(home, as_json=as_json)
            for act in ACTS:
                act(stage)
        found |= {
            f"{kind}/{noun}.json": _rendered(calls) for noun, calls in _by_noun(stage.kept).items()
        }
    with throwaway(_below(scratch, "mcp")) as home:
        stage = Stage(home, as_json=True)
        asked_by_mcp(stage)
    return found | {"mcp/tools.json": _rendered(stage.kept)}


def _below(scratch: Path, name: str) -> Path:
    folder = scratch / name
    folder.mkdir()
    return folder


def _by_noun(calls: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found = defaultdict(list)
    for call in calls:
        found[call["call"].split()[0]].append(call)
    return found


def _rendered(calls: list[dict[str, Any]]) -> str:
    return json.dumps(calls, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def held() -> dict[str, str]:
    """The files as they are."""
    paths = sorted(FOLDER.rglob("*.json"))
    return {path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in paths}


def main() -> int:
    """Record them again."""
    sys.path.append(str(FOLDER.parent / "tiny_domain"))  # as pytest has it
    with tempfile.TemporaryDirectory() as scratch:
        texts = recorded(Path(scratch))
    for gone in set(held()) - set(texts):
        (FOLDER / gone).unlink()
    for name, text in texts.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
