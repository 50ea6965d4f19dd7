"""What a worker's first prompt needs is loaded before it comes: a hook waits 150 ms at most."""

import json
import os
import signal
import subprocess
import sys

from learnt.core.events import Kind
from tests.support.homes import PROMPT, Home, wait_until

CODE = """
import json, sys
from pathlib import Path
from learnt.bootstrap import opened
from learnt.formats.wire import Frame
from learnt.settings import Settings
from learnt.flows.sessions.answer import respond

home, folder, prompt = sys.argv[1:]
with opened(Settings(home=Path(home))) as outside:
    next(outside.language.warm_up())
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


def test_a_wish_whose_answer_came_too_late_is_told_later(home: Home) -> None:
    """The worker is held up while the hook waits; the session's next prompt is told, once."""
    home.install()
    worker = home.start_worker()
    home.fire("SessionStart", home.payload("SessionStart", source="startup"))
    os.kill(worker, signal.SIGSTOP)
    try:
        late = home.prompt("remember: the staging gateway listens on port 8443")
    finally:
        os.kill(worker, signal.SIGCONT)
    assert b"Learnt saved" in late.output  # by the hook itself, in the spool
    wait_until(lambda: bool(home.events(Kind.REMEMBERED)), "the wish")

    told = [home.prompt(said).output for said in ("Thanks, that is all", "And what now?")]
    assert [True, False] == [b"Saved [" in each for each in told]
    home.here("worker", "stop")
