"""One key of a front matter changed: what stands beside it stays byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.errors import Refused
from learnt.formats import skill_text
from learnt.formats.front_matter import edited
from learnt.surfaces.api.skills import renewed

FILE = (
    "---\n# ours\nname:   locks # kept\ndescription: >\n  Waits,\n  folded\n\n# about tags\n"
    "tags: [a, b]\nunknown: {x: 1}\n---\n\n# Locks\n---\nA --- rule.\n"
)


def test_a_changed_key_leaves_the_rest() -> None:
    """Comments, order, unknown keys, odd spacing and the body."""
    expected = FILE.replace("description: >\n  Waits,\n  folded\n", 'description: "Now --- this"\n')
    assert expected == edited(FILE, "description", "Now --- this")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_stay(end: str, mark: str) -> None:
    """What is added has the file's own line ends."""
    text = mark + FILE.replace("\n", end)
    changed = edited(text, "license", "MIT")
    assert text == edited(changed, "license", None)
    assert f'license: "MIT"{end}---{end}' in changed


@given(st.text(max_size=60), st.sampled_from(["name", "description", "tags", "license"]))
def test_any_value_is_read_back(value: str, key: str) -> None:
    """Whatever it means to YAML; the body is untouched."""
    text = edited(FILE, key, value)
    read = skill_text.read(text, "locks")
    assert value == read.front[key]
    assert text.endswith(FILE[FILE.index("---\n\n# Locks") :])


@pytest.mark.parametrize("text", ["", "# none", "---\nname: [a\n---\n", "---\n{name: a}\n---\n"])
def test_what_cannot_be_told_apart_is_refused(text: str) -> None:
    """No guess where a value ends."""
    with pytest.raises(Refused, match="Nothing was changed"):
        edited(text, "name", "b")


def test_a_file_that_ends_with_its_front_matter_gets_a_body() -> None:
    """On lines of its own; a byte after the last mark would make it none."""
    front = "---\nname: a\ndescription: b\n---"
    assert f"{front}\n# A\n" == renewed(front, "a", {}, "b", "# A")
