"""What a worker's first prompt needs is loaded before it comes: a hook waits 150 ms at most."""

import json
import subprocess
import sys

from tests.support.homes import PROMPT, Home

CODE = """
import json, sys
from pathlib import Path
from learnt.bootstrap import opened
from learnt.formats.wire import Frame
from learnt.settings import Settings
from learnt.surfaces.respond import respond

home, folder, prompt = sys.argv[1:]
with opened(Settings(home=Path(home))) as outside:
    outside.language.warm_up(offers=False)
    before = set(sys.modules)
    body = json.dumps({"session_id": "s1", "cwd": folder, "prompt": prompt}).encode()
    place = {"CLAUDE_PROJECT_DIR": folder}
    frame = Frame(event="UserPromptSubmit", size=len(body), environment=place, body=body)
    answer = respond(outside, frame, lambda: False)
    print(json.dumps([len(answer), sorted(set(sys.modules) - before)]))
"""


def test_the_first_answer_loads_no_language(home: Home) -> None:
    """The patterns and weights that look at a note are there: they took longer than all else."""
    home.remember()
    words = [sys.executable, "-c", CODE, str(home.path), str(home.project), PROMPT]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True)
    length, loaded = json.loads(done.stdout)

    assert 0 < length
    assert [] == [name for name in loaded if name.startswith("learnt.language")]
