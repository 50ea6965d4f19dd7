"""Sessions with transcripts on the disk, reported by hooks to a home on the disk."""

from pathlib import Path
from typing import Any

from learnt.bootstrap import opened
from learnt.flows.sessions.answer import answer, observation_of
from learnt.settings import Settings
from tests.support.homes import Home
from tests.support.transcripts import session_frames, session_lines


def talk(word: str) -> dict[str, Any]:
    """A turn in which both say a word."""
    return {"prompt": f"Tell me of {word} please", "steps": [{"say": f"The {word} is a bird."}]}


def talked(home: Home, name: str, *turns: dict[str, Any], folder: Path | None = None) -> Path:
    """A session that hooks reported and that ended; its transcript, outside of the home."""
    path, place = home.folder / f"{name}.jsonl", str(folder or home.project)
    lines = session_lines(turns, name, folder=place)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with opened(Settings(home=home.path)) as outside:
        for frame in session_frames(turns, name, folder=place, transcript=str(path)):
            observation, prompt = observation_of(outside.clock, outside.random, frame)
            answer(outside, observation, prompt, lambda: False)
    return path


def in_a_session(home: Home, word: str) -> None:
    """A session in which a word was said, and which can be searched."""
    talked(home, "talked", talk(word))
    assert home.here("sessions", "list").exit_code == 0
