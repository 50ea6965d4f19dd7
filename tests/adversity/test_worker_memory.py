"""What a worker remembers does not grow with what it was told."""

import gc
import tracemalloc

import pytest

from learnt.bootstrap import opened
from learnt.flows.sessions.answer import respond
from learnt.settings import Settings
from tests.support.homes import PROMPT, Home
from tests.support.sessions_told import edited, ran, said
from tests.support.transcripts import session_frames

TURN = said(PROMPT, ran("python check.py", "ok"), edited("main.py", "a", "b"), ran("make test"))
A_REPORT = 150  # bytes: fifteen megabytes in a hundred thousand


@pytest.mark.slow
def test_a_thousand_reports_leave_next_to_nothing_in_memory(home: Home) -> None:
    """Besides SQLite's pages, whose number its setting bounds."""
    home.remember()
    reports = 0
    with opened(Settings(home=home.path), durable=False) as outside:

        def talk(*numbers: int) -> int:
            nonlocal reports
            for number in numbers:
                frames = session_frames(
                    [TURN] * 5, f"s{number}", folder=str(home.project), transcript="/t.jsonl"
                )
                for frame in frames:
                    respond(outside, frame, lambda: False, {})
                    reports += 1
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        tracemalloc.start()
        try:
            before, first = talk(*range(10)), reports
            grown = talk(*range(10, 50)) - before
        finally:
            tracemalloc.stop()

    assert reports - first > 1_000
    assert A_REPORT * (reports - first) > grown
