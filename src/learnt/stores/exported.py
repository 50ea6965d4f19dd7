"""A folder of knowledge that works where Learnt is not installed, written all or none."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import learnt
from learnt.errors import EnvironmentTrouble, Refused

# What folder mode is made of: it goes along as it is, under its own names.
PARTS: Final = """
    errors.py core/__init__.py core/knowledge/__init__.py core/knowledge/kinds.py
    core/knowledge/confidence.py core/visible_text.py formats/__init__.py formats/fences.py
    formats/decay_tags.py flows/__init__.py flows/knowledge/__init__.py
    flows/knowledge/folder.py stores/__init__.py stores/atomic.py stores/topic_files.py
    surfaces/__init__.py surfaces/folder_mode.py
    """.split()
_STARTS: Final = '''"""Run a command of this skill: python3 scripts/knowledge.py COMMAND."""

import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)  # its own files, whatever else is installed
sys.dont_write_bytecode = True
for stream in (sys.stdout, sys.stderr):
    if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
        stream.reconfigure(encoding="utf-8")  # Windows would write what its code page has, or fail

from learnt.surfaces import folder_mode  # noqa: E402  # after its place is known

words = sys.argv[1:]
if not words or words[0] not in folder_mode.COMMANDS:
    sys.exit("usage: knowledge.py " + "|".join(folder_mode.COMMANDS) + " ... (-h after one)")
place = "--path" in words or "--file" in words or words[0] == "scan"
more = [] if place else ["--path", os.path.join(os.path.dirname(here), "references")]
sys.exit(folder_mode.main([*words, *more], "knowledge.py"))
'''


def scripts() -> dict[str, str]:
    """The script of an exported folder and all that it needs, by path below the folder."""
    package = Path(learnt.__file__).parent
    parts = {f"scripts/learnt/{p}": (package / p).read_text("utf-8") for p in PARTS}
    return {"scripts/knowledge.py": _STARTS, "scripts/learnt/__init__.py": "", **parts}


def write_folder(place: str, files: Mapping[str, str]) -> None:
    """Write a folder whole.

    Raises Refused where one is there already, which is left as it is; EnvironmentTrouble where it
    cannot be written.
    """
    target = Path(place)
    if os.path.lexists(target):
        raise Refused(f"{place} exists and was left as it is.")
    building = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        for name, text in files.items():
            path = building / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        building.rename(target)
    except OSError as error:
        raise EnvironmentTrouble(
            f"{place} cannot be written ({error}). Nothing is there."
        ) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)
