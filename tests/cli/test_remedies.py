"""What a remedy names exists: the source or the wheel that this Learnt was installed from."""

import json
from pathlib import Path

import pytest

from learnt.installed import installing, source_of


def test_a_source_and_a_wheel_that_are_there_are_named(tmp_path: Path) -> None:
    """With an extra, quoted; one that is gone, or a note that is none, is named by nobody."""
    wheel = tmp_path / "a b" / "learnt-0.1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    note = json.dumps({"url": wheel.as_uri(), "archive_info": {}})
    assert None is source_of(note)
    wheel.touch()

    assert f"'{wheel}'" == source_of(note)
    assert f"'{wheel}[mcp]'" == source_of(note, "mcp")
    folder = json.dumps({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    assert f"-e {tmp_path}" == source_of(folder)
    assert "'learnt[mcp] @ https://x.org/l.whl'" == source_of(
        '{"url": "https://x.org/l.whl"}', "mcp"
    )


@pytest.mark.parametrize(
    "note", ["{", "[]", '"x"', '{"url": "git", "vcs_info": {}, "x": 1, "vcs_info": [1]}']
)
def test_a_note_that_cannot_be_read_names_nothing(note: str) -> None:
    """Better no command than one that fails."""
    assert None is source_of(note)


def test_this_installation_is_named() -> None:
    """By the note of its own installer, which is what a hook's last word says, too."""
    assert installing("mcp").startswith("`pip install ") and installing("mcp").endswith("[mcp]'`")
