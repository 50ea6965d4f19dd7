"""What a command loads and defines before it does its work: that is most of its time."""

import json
import subprocess
import sys
from typing import Final

import pytest

from tests.support.homes import Home

# Modules of ours, and records defined, at most.
BUDGET: Final = {"status": (190, 290), "recall port": (170, 265), "review": (222, 360)}
COUNT: Final = """
import json, sys
from learnt.surfaces.cli.commands import learnt_command
from learnt.core.records import Record
def all_of(kind): return {k for sub in kind.__subclasses__() for k in {sub, *all_of(sub)}}
try: learnt_command()(sys.argv[1:])
except SystemExit: pass
print(json.dumps([sum(m.startswith("learnt") for m in sys.modules), len(all_of(Record))]))
"""


@pytest.mark.parametrize("words", BUDGET)
def test_a_command_loads_and_defines_no_more(home: Home, words: str) -> None:
    """Above the number think first: who called needs it, or it is imported where it is used."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *words.split()],
        env=home.environment, cwd=home.project, capture_output=True, text=True, check=True,
    )  # fmt: skip
    modules, records = json.loads(done.stdout.splitlines()[-1])
    most = BUDGET[words]
    assert (modules <= most[0], records <= most[1]) == (True, True), (modules, records)
