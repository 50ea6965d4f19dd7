"""Whether a call used what an entry says."""

import pytest

from learnt.core.knowledge.admission import applied, touched


@pytest.mark.parametrize(
    ("approach", "cautions", "command", "does"),
    [
        ("Run `mix firmware -v`", [], "mix firmware -v", True),
        ("Run `mix firmware -v`", [], "cd app && mix -v firmware | tee log", True),
        ("Run `mix firmware -v`", [], "mix firmware", False),
        ("Run mix firmware", [], "mix firmware", False),
        ("先运行 `mix firmware`，再刷写", [], "mix firmware && flash", True),
        ("Run `firmware`", [], "firmware", False),
        ("Run `firmware`, then `mix flash`", [], "mix flash", True),
        ("In a.py: `x = 1` became `y = 22`", [], "mix flash", False),
        ("`mix firmware -v`", ["`mix firmware` fails"], "mix firmware -v", True),
        ("`mix firmware`", ["`mix firmware -v` fails"], "mix firmware -v", False),
        ("`mix firmware`", ["a", "`make` fails", "`mix firmware` fails"], "mix firmware", False),
        ("`mix firmware`, `mix flash`", ["`mix firmware` fails"], "mix firmware flash", True),
        ("`git commit -m <text>`", [], "git commit -m 'Fix the gate'", True),
        ("`load --day <date> now`", [], "load --day 2024-05-01 now", True),
        ("`load <date>`", [], "load 2024-05-01", False),
        ("`load --all --fast\u2026`", [], "load --all --fast --more", True),
        ("`mix firmware`", [], "", False),
        ("", [], "mix firmware", False),
    ],
)
def test_a_command_does_what_an_approach_says(
    approach: str, cautions: list[str], command: str, does: bool
) -> None:
    """Where it holds all of a command in it that did not fail before."""
    assert does is applied(approach, cautions, command)


@pytest.mark.parametrize(
    ("names", "text", "does"),
    [
        (["src/rooms.py"], "pytest SRC/rooms.py", True),
        (["SRC/Rooms.py"], "pytest src/rooms.py", True),
        (["rooms.py"], "pytest src/rooms.py", False),
        (["rooms.py"], "pytest rooms.py-old", False),
        (["t_room"], "select 1 from t_room", True),
        (["t_room"], "select 1 from t_room;", True),
        (["t_room"], "select 1 from t_room_2", False),
        (["t_room"], "select 1 from old.t_room", False),
        (["t_room"], "select 1 from t_bed", False),
        (["t_bed", "t_room"], "select 1 from t_room", True),
        (["id"], "select id", False),
        (["uid"], "select uid", True),
        (["a.b"], "axb", False),
        (["room.b"], "room.b", True),
        (["room.b"], "roomxb", False),
        (["房态表"], "查询 房态表", True),
        ([], "select 1", False),
    ],
)
def test_a_call_touches_what_an_entry_is_about(names: list[str], text: str, does: bool) -> None:
    """By a whole name of it, in any case, that is long enough to mean something."""
    assert does is touched(names, text)
