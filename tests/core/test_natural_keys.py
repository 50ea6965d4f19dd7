"""Natural keys: the table in the module's docstring is what the code uses."""

import ast
import re
from pathlib import Path

import pytest

import learnt
from learnt.core import events
from learnt.core.events import natural_key
from learnt.core.identifiers import keyed_hash
from learnt.core.sessions.observations import Observation

SOURCES = sorted(Path(learnt.__file__).parent.rglob("*.py"))


def table() -> dict[str, list[str]]:
    """The docstring's rows: a happening's name, and the names of its parts."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", events.__doc__ or "", re.MULTILINE)
    return {name.split(" (")[0]: parts.split(", ") for name, parts in rows if name != "happening"}


def uses() -> list[tuple[str, int | None]]:
    """Every call in the source: the happening, and its parts' number where it can be read."""
    found: list[tuple[str, int | None]] = []
    texts = [path.read_text(encoding="utf-8") for path in SOURCES]
    for text in (text for text in texts if "natural_key" in text):
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            called = [getattr(part, "id", "") for part in (node.func, *node.args[:1])]
            later = called == ["partial", "natural_key"]  # its last parts are given elsewhere
            if later or called[0] == "natural_key":
                name, *parts = node.args[2 if later else 1 :]
                assert isinstance(name, ast.Constant)
                open_ended = later or any(isinstance(part, ast.Starred) for part in parts)
                found.append((str(name.value), None if open_ended else len(parts)))
    return found


def test_every_happening_in_the_source_is_tabled() -> None:
    """No key is made of a tuple that nobody wrote down, and no row is left over."""
    tabled = {name.split(" of ")[0] for name in table()}

    assert tabled == {name for name, _ in uses()}


def test_every_use_has_as_many_parts_as_its_row() -> None:
    """What is hashed is what the table says."""
    rows = table()

    counted = [(name, count) for name, count in uses() if count is not None]

    assert counted
    assert [(name, len(rows[name])) for name, _ in counted] == counted


SEEN = {
    "tool step": {"event": "PostToolBatch", "detail": {"calls": [{"id": "toolu_1"}]}},
    "stop": {"event": "Stop"},
    "start": {"event": "SessionStart", "detail": {"source": "compact"}},
    "an end": {"event": "SessionEnd", "detail": {"reason": "clear"}},
    "anything else": {"event": "UserPromptSubmit"},
}


@pytest.mark.parametrize("what", SEEN)
def test_every_observation_has_the_parts_of_its_row(what: str) -> None:
    """Each kind of observation has a row, and as many parts as the row names."""
    rows = {name.split(" of a ")[-1].split(" of ")[-1]: parts for name, parts in table().items()}
    observation = Observation(id="1", ms=1, session="s", **SEEN[what])  # type: ignore[arg-type]  # a table

    assert len(rows[what]) == len(observation.key_parts(1))


def test_nothing_and_the_empty_text_are_one() -> None:
    """A part that is not known is the same whether it is left out or empty."""
    assert natural_key(b"k", "reused", None, 1) == natural_key(b"k", "reused", "", "1")


@pytest.mark.parametrize("other", [("reused", "e", 1), ("missed", "e", 0), ("reused", "e", 0, "")])
def test_other_happenings_have_other_keys(other: tuple[str, *tuple[str | int, ...]]) -> None:
    """Another part, another happening or one part more is another key."""
    assert natural_key(b"k", "reused", "e", 0) != natural_key(b"k", *other)


def test_keys_stay_what_they_are() -> None:
    """They are kept in the ledger: another way to make them would let every double in again."""
    expected = keyed_hash(b"k", "natural key", "reused", "e", "0")

    assert expected == natural_key(b"k", "reused", "e", 0)


def test_another_home_has_other_keys() -> None:
    """Nothing can be compared across homes."""
    assert natural_key(b"k", "reused", "e") != natural_key(b"l", "reused", "e")


def test_an_entry_is_counted_once_a_session() -> None:
    """However often it is put into one session's context the key is the same; elsewhere not."""
    here = {natural_key(b"k", "reused", "e-1", "claude-code", "s1", 0) for _ in range(10)}
    anywhere = {natural_key(b"k", "reused", "e-1", "claude-code", f"s{n}", 0) for n in range(3)}

    assert (1, 3) == (len(here), len(anywhere))
