"""`recall --sessions`, `sessions`, and what `doctor` and the worker's child say and do of them."""

import json
from typing import Any

from tests.support.homes import Home, wait_until
from tests.support.past_talks import talk, talked

ANSI = {"prompt": "Show \x1b[31mheron\u202e red", "steps": [{"say": "The heron\x07 is red."}]}


def probe(home: Home) -> dict[str, Any]:
    """What doctor says of the sessions."""
    probes = json.loads(home.here("doctor", "--json").output)["probes"]
    return next(each for each in probes if each["name"] == "sessions")


def test_doctor_says_what_waits_and_what_is_gone(home: Home) -> None:
    """A session that ended and is not read in; one of which the transcript went."""
    path = talked(home, "s1", talk("heron"))
    (home.path / "bin" / "worker.json").unlink()  # no child of a worker reads it meanwhile
    waits = probe(home)
    assert ("warning", True) == (waits["level"], "0 can be searched, 1 wait" in waits["said"])
    home.here("sessions", "list")
    path.unlink()

    found = probe(home)
    assert ("ok", True) == (found["level"], "1 can be searched, 0 wait to be" in found["said"])
    assert "the agent deleted the transcripts of 1, which were read before" in found["said"]
    assert "1 can be searched" in home.here("status").output
    assert "its transcript is gone" in home.here("recall", "--sessions", "heron").output
    assert "its transcript is gone" in home.here("sessions", "show", "s1").output
    assert "its transcript is gone" in home.here("sessions", "list").output


def test_the_worker_reads_in_what_ended(home: Home) -> None:
    """Without any command: a hook reports the end, a child of the worker does the rest."""
    talked(home, "s1", talk("heron"))
    home.start_worker()
    home.fire("SessionEnd", home.payload("SessionEnd", "s2", reason="other"))

    def found() -> bool:
        return home.here("recall", "--sessions", "heron").exit_code == 0

    wait_until(found, f"the session to be searchable\n{home.worker_log()}")


def test_what_would_steer_a_terminal_is_not_printed(home: Home) -> None:
    """Neither in what is found, nor in what is shown or listed."""
    talked(home, "s1", ANSI)
    listed = home.here("sessions", "list").output
    found = home.here("recall", "--sessions", "heron").output
    shown = home.here("sessions", "show", "s1").output

    for output in (listed, found, shown):
        assert "heron" in output and not {"\x1b", "\x07", "\u202e"} & {*output}


def test_nothing_found_is_said_with_its_exit_code(home: Home) -> None:
    """And a home that saw nothing has nothing."""
    assert (0, True) == (
        home.here("sessions", "list").exit_code,
        "nothing of it in sessions" in home.here("sessions", "list").output,
    )
    told = home.here("recall", "--sessions", "heron")
    assert (1, True) == (told.exit_code, "nothing of it in sessions" in told.output)
    assert 3 == home.here("sessions", "show", "s1").exit_code
