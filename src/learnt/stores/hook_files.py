"""The hook as it lies in a home: copies of the package's own files, and how to start a worker."""

import json
import os
import py_compile
import re
import shutil
import sys
from pathlib import Path
from typing import Final

import learnt
from learnt.core.words import SECRETS
from learnt.stores.atomic import write_atomically
from learnt.stores.plain_files import bytes_of

COPIES: Final = {
    "learnt_hook.py": "surfaces/hook.py",
    "learnt_hook_slow.py": "surfaces/hook_slow.py",
    "learnt_safety.py": "core/safety.py",
    "learnt_secrets.py": "core/secrets.py",
    "learnt_secret_places.py": "core/secret_places.py",
    "learnt_secret_prefixes.py": "core/secret_prefixes.py",
    "learnt_visible_text.py": "core/visible_text.py",
    "learnt_observations.py": "formats/observations.py",
    **{
        f"learnt_evidence/{name}.py": f"formats/evidence/{name}.py"
        for name in ("__init__", "calls", "causes", "runners", "shell")
    },
    # In the package `evidence/lines.py` leads there.
    "learnt_evidence/lines.py": "core/shell.py",
}
WORKER: Final = "worker.json"
LAUNCHER: Final = "hook"
# The hook imports nothing of the package: what a copy needs of it is written into the copy.
_IMPORTED: Final = "from learnt.core.words import SECRETS\n"
_BESIDE: Final = re.compile(r"^from learnt\.core\.(secret_\w+|secrets|visible_text) import", re.M)
_WHOLE: Final = re.compile(r"^from learnt\.core import (\w+) as", re.M)


def copy_of(source: str) -> str:
    """The text of a file of the package as it lies beside the hook."""
    text = (Path(learnt.__file__).parent / source).read_text("utf-8")
    text = _WHOLE.sub(r"import learnt_\1 as", _BESIDE.sub(r"from learnt_\1 import", text))
    return text.replace(_IMPORTED, f"SECRETS = {SECRETS!r}\n")


def interpreter() -> str:
    """The real binary of the running interpreter: a shim costs more than the whole hook."""
    return os.path.realpath(sys.executable)


def worker_command(home: Path) -> str:
    """How a worker of the home is started, as its file says it."""
    words = [sys.executable, "-I", "-m", "learnt.surfaces.worker", "--home", str(home)]
    return json.dumps(words, ensure_ascii=False)


def install(home: Path, *, only_present: bool = False) -> list[str]:
    """Bring the home's hook files up to date; the names of those that changed.

    With `only_present` a home without a hook stays without: the worker refreshes after an upgrade
    what `init` put there, and nothing else.
    """
    folder = home / "bin"
    if only_present and not (folder / "learnt_hook.py").exists():
        return []
    wanted = {name: copy_of(source) for name, source in COPIES.items()}
    wanted[WORKER] = worker_command(home)
    changed = []
    for name, text in wanted.items():
        path = folder / name
        (path.parent / "__pycache__").mkdir(mode=0o700, parents=True, exist_ok=True)
        if bytes_of(path, 1 << 20) != text.encode():
            write_atomically(path, text)
            changed.append(name)
        if name.endswith(".py"):
            compiled = py_compile.compile(str(path), doraise=True)
            Path(compiled or path).chmod(0o600)
    return changed


def install_launcher(home: Path, command: str) -> None:
    """Put the shell script there that a project's shared entry looks for."""
    write_atomically(home / "bin" / LAUNCHER, f"#!/bin/sh\n{command}\n", mode=0o700)


def remove(home: Path) -> bool:
    """Take the hook files out of a home; False where there were none."""
    folder = home / "bin"
    there = folder.exists() and any(folder.iterdir())
    if there:
        shutil.rmtree(folder)
        folder.mkdir(mode=0o700)
    return there
