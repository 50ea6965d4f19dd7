"""Run a command of this skill: python3 scripts/knowledge.py COMMAND."""

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
