"""The hook as it lies in a home: copies of the package's own files, and how to start a worker."""

import hashlib
import json
import os
import py_compile
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import learnt
from learnt.core.words import MARKED, SECRETS
from learnt.errors import EnvironmentTrouble
from learnt.formats.agents.hook_settings import BROKEN, launcher
from learnt.installed import installing
from learnt.stores.atomic import write_atomically
from learnt.stores.plain_files import bytes_of

_BESIDE_THE_HOOK: Final = """
    surfaces/hook surfaces/hook_slow core/safety core/marked core/secrets core/secret_places
    core/secret_prefixes core/secret_values core/late_patterns core/visible_text
    formats/observations formats/agents/reports
    """.split()
_EVIDENCE: Final = "__init__ calls causes runners shell".split()
# By their names in a home, the package's files that are copied there.
COPIES: Final = {
    **{f"learnt_{path.rpartition('/')[2]}.py": f"{path}.py" for path in _BESIDE_THE_HOOK},
    **{f"learnt_evidence/{name}.py": f"formats/evidence/{name}.py" for name in _EVIDENCE},
    # In the package `evidence/lines.py` leads there.
    "learnt_evidence/lines.py": "core/shell.py",
}
WORKER: Final = "worker.json"
LAUNCHER: Final = "hook"
WRITTEN: Final = "written.json"  # by name, the digest of what was written
_LARGEST: Final = 1 << 24
# The hook imports nothing of the package: what a copy needs of it is written into the copy.
_IMPORTED: Final = {
    f"from learnt.core.words import {name}\n": f"{name} = {words!r}\n"
    for name, words in (("SECRETS", SECRETS), ("MARKED", MARKED))
}
# Nor does it believe a file that names the interpreter: it knows which one installed it.
_NO_PYTHON: Final = 'PYTHON = ""\n'
_NO_PACKAGE: Final = 'PACKAGE = ""'
_NO_WAY_BACK: Final = 'AGAIN = ""'
_BESIDE: Final = re.compile(
    r"^from learnt\.core\.(secret_\w+|secrets|safety|late_patterns|visible_text) import", re.M
)
_WHOLE: Final = re.compile(r"^from learnt\.core import (\w+) as", re.M)


def copy_of(source: str) -> str:
    """The text of a file of the package as it lies beside the hook."""
    text = (Path(learnt.__file__).parent / source).read_text("utf-8")
    text = _WHOLE.sub(r"import learnt_\1 as", _BESIDE.sub(r"from learnt_\1 import", text))
    for line, words in _IMPORTED.items():
        text = text.replace(line, words)
    text = text.replace(_NO_PACKAGE, f"PACKAGE = {learnt.__file__!r}", 1)
    if _NO_WAY_BACK in text:
        text = text.replace(_NO_WAY_BACK, f"AGAIN = {installing()!r}", 1)
    return text.replace(_NO_PYTHON, f"PYTHON = {sys.executable!r}\n")


def interpreter() -> str:
    """The real binary of the running interpreter: a shim costs more than the whole hook."""
    return os.path.realpath(sys.executable)


def worker_command(home: Path) -> str:
    """How a worker of the home is started, as its file says it."""
    words = [sys.executable, "-I", "-m", "learnt.surfaces.worker", "--home", str(home)]
    return json.dumps(words, ensure_ascii=False)


def broken(home: Path) -> str:
    """What a session's start tells its user where the hook cannot run at all."""
    said = (
        f"Learnt's hooks do not run any more: {interpreter()} or the files in {home / 'bin'} are "
        "missing or damaged. `learnt doctor` tells more, `learnt init` puts them back, `learnt "
        f"uninstall` takes them out. Where there is no `learnt`: {installing()}, or delete the "
        "hooks that name learnt_hook in your agent's settings."
    )
    return json.dumps({"systemMessage": said}, ensure_ascii=False)


def install(home: Path, *, only_present: bool = False) -> list[str]:
    """Bring the home's hook files up to date; the names of those that changed.

    With `only_present` a home without a hook stays so. Raises EnvironmentTrouble for a link.
    """
    folder = home / "bin"
    if only_present and not (folder / "learnt_hook.py").exists():
        return []
    if folder.is_symlink():
        raise EnvironmentTrouble(
            f"{folder} is a link. What a home runs lies in the home itself: put a folder there. "
            "Nothing was changed."
        )
    wanted = {name: copy_of(source) for name, source in COPIES.items()}
    wanted[WORKER] = worker_command(home)
    wanted[BROKEN] = broken(home)
    _keep_edited(home)
    changed = []
    for name, text in wanted.items():
        path = folder / name
        for each in (path.parent, path.parent / "__pycache__"):
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_symlink():
            path.unlink()  # what it leads to is somebody else's
        if bytes_of(path, 1 << 20) != text.encode():
            write_atomically(path, text)
            changed.append(name)
        if name.endswith(".py"):
            compiled = py_compile.compile(str(path), doraise=True)
            Path(compiled or path).chmod(0o600)
    _note(home, wanted)
    return changed


def edited(home: Path) -> list[str]:
    """The hook files that differ from what was written, if known, and those never written."""
    folder, written = home / "bin", _written(home)
    files = (path for path in folder.rglob("*") if path.parent.name != "__pycache__")
    names = {str(path.relative_to(folder)) for path in files if not path.is_dir()} - {WRITTEN}
    return sorted(n for n in names if written and _digest(folder / n) != written.get(n))


def kept_aside(home: Path) -> list[str]:
    """The names of edited hook files that were replaced, as they lie in `aside`."""
    return sorted(path.name for path in (home / "aside").glob("hook-*"))


def _keep_edited(home: Path) -> None:
    """Keep a copy of what is replaced and was not written by Learnt; what is strange goes."""
    for name in edited(home):
        path = home / "bin" / name
        content = bytes_of(path, _LARGEST)
        if content is not None:
            aside = f"hook-{name.replace('/', '-')}-{_digest(path)[:8]}"
            write_atomically(home / "aside" / aside, content.decode("utf-8", "surrogateescape"))
        if name not in _written(home):
            path.unlink()


def _written(home: Path) -> dict[str, str]:
    try:
        written = json.loads(bytes_of(home / "bin" / WRITTEN, _LARGEST) or b"{}")
    except ValueError:
        return {}
    return written if isinstance(written, dict) else {}


def _note(home: Path, texts: Mapping[str, str]) -> None:
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    noted = json.dumps({**_written(home), **digests}, indent=1)
    if bytes_of(home / "bin" / WRITTEN, _LARGEST) != noted.encode():
        write_atomically(home / "bin" / WRITTEN, noted)


def _digest(path: Path) -> str:
    return hashlib.sha256(bytes_of(path, _LARGEST, os.O_NOFOLLOW) or b"").hexdigest()


def set_up(home: Path) -> None:
    """Put the hook's files there, and the script that a shared entry or a plug-in looks for."""
    install(home)
    text = f"#!/bin/sh\n{launcher(interpreter(), str(home))}\n"
    write_atomically(home / "bin" / LAUNCHER, text, mode=0o700)
    _note(home, {LAUNCHER: text})


def remove(home: Path) -> bool:
    """Take the hook files out of a home; False where there were none."""
    folder = home / "bin"
    there = folder.exists() and any(folder.iterdir())
    if there:
        _keep_edited(home)
        shutil.rmtree(folder)
        folder.mkdir(mode=0o700)
    return there
