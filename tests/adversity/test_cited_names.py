"""The names of what an entry cites are texts like any other: a purge leaves nothing of them."""

import pytest

from tests.adversity.test_canary import WORD, keep_another, purge, still_there
from tests.support.cases import first
from tests.support.homes import Home
from tests.support.left_behind import holding


@pytest.mark.parametrize("by", first(1, ["entry", "text"]))
def test_no_cited_name_escapes_a_purge(home: Home, by: str) -> None:
    """Paths, symbols and tables, and what was put before an agent of their drift."""
    other = keep_another(home)
    path = home.project / f"{WORD}.py"
    path.write_text(f"def {WORD}():\n    return 1\n", encoding="utf-8")
    cited = ("--cite", f"{WORD}.py#{WORD}", "--cite", f"table:{WORD}")
    said = "t_room.room_no is unique within hotel_id only"
    captured = home.cli("knowledge", "capture", "--kind", "schema", said, "--json", *cited).json
    path.write_text("x = 1\n", encoding="utf-8")
    assert f"{WORD}.py" in home.here("knowledge", "query", "t_room").output
    assert holding(home, WORD)

    purge(home, f"--{by}", captured["id"] if by == "entry" else WORD)

    assert [] == holding(home, WORD)
    still_there(home, other)
