"""Sessions in which a skill is used, as the hooks of the agent report them."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.flows.sessions.answer import respond
from learnt.formats.wire import Frame
from learnt.settings import Settings
from learnt.stores.system import SystemClock
from tests.support.transcripts import session_frames

FAILED, PASSED = "Exit code 1\n4 failed in 1s", "4 passed in 1s"


class Ahead:
    """A clock that each session sets an hour on: what was swapped before was there for long."""

    hours = 0

    def now_ms(self) -> int:
        return SystemClock().now_ms() + Ahead.hours * 3_600_000


def reported(
    home: Path, project: Path, name: str, result: Callable[[], str], skill: str = "audit"
) -> None:
    """A skill is launched, a file edited, and tests run, whose result is asked for at the start."""

    def steps(came: str) -> list[dict[str, object]]:
        calls = (
            ("Skill", {"skill": skill}, "ok"),
            ("Edit", {"file_path": "a.py"}, "updated"),
            ("Bash", {"command": "pytest"}, came),
        )
        return [{"tool": t, "input": i, "result": r, "failed": False} for t, i, r in calls]

    def frames(came: str) -> list[Frame]:
        turns = [{"prompt": f"please {skill} the module now", "steps": steps(came)}]
        return list(session_frames(turns, name, folder=str(project), transcript=""))

    Ahead.hours += 1
    with opened(Settings(home=home)) as real:
        outside = replace(real, clock=Ahead())
        came = result()  # by the text that the client reads before it reports its start
        respond(outside, frames("")[0], lambda: False)
        for frame in frames(came)[1:]:
            respond(outside, frame, lambda: False)
