"""`learnt knowledge capture --cite`: what shows a fact, looked at whenever it is asked for."""

from pathlib import Path

import pytest

from tests.support.homes import Home

ROOM = "t_room.room_no is unique within hotel_id only"
ASKED = ("which columns make t_room unique?",)
CODE = "def find_room(hotel_id, room_no):\n    return ROOMS[hotel_id, room_no]\n"


@pytest.fixture
def rooms(home: Home) -> Path:
    """A file of the project."""
    path = home.project / "src" / "rooms.py"
    path.parent.mkdir(parents=True)
    path.write_text(CODE, encoding="utf-8")
    return path


def capture(home: Home, *cited: str) -> str:
    """What a person's capture on a terminal said."""
    given = [word for one in cited for word in ("--cite", one)]
    code, output = home.typed("knowledge", "capture", "--kind", "schema", ROOM, *given)
    assert 0 == code, output
    return output[output.index("e-") :][:16]


def test_drift_is_told_in_every_list(home: Home, rooms: Path) -> None:
    """As text and as JSON; `freshness` exits with 1 as for anything to verify."""
    name = capture(home, "src/rooms.py#find_room", "table:t_room")
    assert "changed" not in home.here("knowledge", "query", *ASKED).output
    assert 0 == home.here("knowledge", "freshness").exit_code

    rooms.write_text(CODE.replace("[hotel_id", "[0"), encoding="utf-8")

    said = "src/rooms.py#find_room changed since: check it again"
    for words in (("knowledge", "query", *ASKED), ("recall", *ASKED), ("recall",)):
        assert said in home.here(*words).output, words
    found = home.here("knowledge", "freshness")
    assert (1, True) == (found.exit_code, said in found.output)
    (one,) = home.here("knowledge", "query", *ASKED, "--json").json["entries"]
    assert (name, "VERIFY") == (one["id"], one["trust"])
    assert [
        {"cites": "src/rooms.py#find_room", "state": "drifted", "now": None},
        {"cites": "table:t_room", "state": "not checked", "now": None},
    ] == one["cites"]
    (listed,) = home.here("recall", *ASKED, "--json").json["entries"]
    assert one["cites"] == listed["cites"]


def test_a_person_confirms_what_drifted(home: Home, rooms: Path) -> None:
    """It counts as it is now; a program's own word changes nothing."""
    name = capture(home, "src/rooms.py:1-2")
    rooms.write_text(CODE.replace("[hotel_id", "[0"), encoding="utf-8")
    said = home.here("knowledge", "confirm", "--id", name)
    assert "VERIFY" in said.output and "changed since" in said.output
    code, output = home.typed("knowledge", "confirm", "--id", name)
    assert (0, True, False) == (code, "TRUST" in output, "changed since" in output)


def test_a_moved_file_is_told_and_a_deleted_one_as_well(home: Home, rooms: Path) -> None:
    """Where it is now; or that it is gone."""
    capture(home, "src/rooms.py")
    rooms.rename(home.project / "hotel_rooms.py")
    assert "src/rooms.py is hotel_rooms.py now" in home.here("knowledge", "query", *ASKED).output
    (home.project / "hotel_rooms.py").unlink()
    found = home.here("knowledge", "query", *ASKED)
    assert "src/rooms.py is gone: check it again" in found.output


def test_a_citation_that_leads_out_is_refused(home: Home, rooms: Path) -> None:
    """Exit 1, why, and what to do; nothing is captured."""
    (home.folder / "beside.py").write_text(CODE, encoding="utf-8")
    (rooms.parent / "link.py").symlink_to(home.folder / "beside.py")
    for cited in ("../beside.py", str(rooms), "src/link.py", "src/none.py", "src"):
        words = ("--kind", "schema", ROOM, "--cite", cited)
        said = home.here("knowledge", "capture", *words)
        assert (1, True) == (said.exit_code, "Nothing was captured." in said.errors), said
    assert 1 == home.here("recall", *ASKED).exit_code


def test_a_path_may_be_given_from_where_one_stands(home: Home, rooms: Path) -> None:
    """It is kept from the root."""
    (home.project / ".git").mkdir()
    words = ("--kind", "schema", ROOM, "--cite", "rooms.py:1", "--project", str(rooms.parent))
    assert 0 == home.here("knowledge", "capture", *words).exit_code
    (one,) = home.here("knowledge", "query", *ASKED, "--json").json["entries"]
    assert ["src/rooms.py:1"] == [cited["cites"] for cited in one["cites"]]


def test_the_worker_and_the_hook_tell_of_drift_too(home: Home, rooms: Path) -> None:
    """In the text that is put before the agent."""
    capture(home, "src/rooms.py")
    rooms.write_text("ROOMS = {}\n", encoding="utf-8")
    home.start_worker()
    changed = "(src/rooms.py changed since: check it again)"
    assert "VERIFY" in home.answered(f"{ASKED[0]} Please look.", awaited=changed)[-1].injected
