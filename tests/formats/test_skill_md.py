"""SKILL.md: names that are folders anywhere, and front matter that says what was meant."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.skills.skills import LONGEST_DESCRIPTION, is_name
from learnt.formats import front_matter, skill_md
from learnt.formats.skill_md import slug

MISREAD = [
    "fix: x",
    "yes",
    "no",
    "null",
    "~",
    "1.0",
    "0x1F",
    "2026-11-01",
    "12:30:45",
    "- item",
    "[a, b]",
    "{a: b}",
    "# no comment",
    "text # no comment",
    "&anchor",
    "*alias",
    "!tag",
    "%directive",
    "@at",
    "`tick`",
    "| literal",
    "> folded",
    "--- a mark",
    "a --- b",
    "...",
    'say "hi"',
    "it's",
    "\\n is no line end",
    "C:\\Users\\new",
    "🙂 emoji 👩‍💻",
    "数据库死锁：怎么办？",
    "trailing space ",
    " leading space",
    "",
    "x" * 5_000,
    "word " * 2_000,
    "锁" * 3_000,
]
LINES = ["a\nb", "a\r\nb", "a\n---\nb", "\n", "a\n\n\nb", "\ta", "a\x85b", "a\u2028b", "\ufeffa"]


def read_back(text: str, key: str = "description") -> object:
    """What a reader of YAML makes of a text that was written."""
    return front_matter.read(f"---\n{front_matter.render({key: text})}---\n\n# Body\n")[key]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World! 2026", "hello-world-2026"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "untitled"),
        ("   ", "untitled"),
        ("!?…", "untitled"),
        ("--a--b--", "a-b"),
        ("C:\\Windows\\system32", "c-windows-system32"),
        ("a\x00b\nc", "a-b-c"),
        ("Café crème", "cafe-creme"),
        ("ﬁle Ⅷ", "file-viii"),
        ("under_score.dot", "under-score-dot"),
        ("x" * 100, "x" * 60),
        ("CON", "con"),
        ("锁" * 40, "锁" * 20),
        ("long " * 30 + "锁", "-".join(["long"] * 12)),
    ],
)
def test_a_name_is_plain_words(text: str, expected: str) -> None:
    """Lower-case letters, digits and single hyphens; nothing that leads elsewhere."""
    assert expected == slug(text)


def test_a_long_name_is_cut() -> None:
    """At sixty bytes, and not so that it ends in a hyphen."""
    name = slug("a" * 59 + " b c")

    assert "a" * 59 == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("数据库死锁", "内存泄漏"),
        ("数据库死锁", "数据库死锁了"),
        ("PostgreSQL 死锁", "PostgreSQL 超时"),
        ("ошибка", "сбой"),
    ],
)
def test_what_ascii_cannot_spell_is_told_apart(one: str, other: str) -> None:
    """In its own script."""
    assert slug(one) != slug(other)


@pytest.mark.parametrize("text", ["Café 锁", "デプロイがガクッと", "빌드가 실패한다"])
def test_one_text_has_one_name_however_it_is_encoded(text: str) -> None:
    """With its accents in letters of their own, or beside them."""
    assert slug(text) == slug(unicodedata.normalize("NFD", text))


_any = st.text(st.characters(), max_size=100)


@given(_any | st.text("ab-_/. 锁é", max_size=100))
def test_any_text_has_a_name(text: str) -> None:
    """One that the specification takes, whatever the text."""
    name = slug(text)

    assert is_name(name)
    assert len(name.encode()) <= skill_md.LONGEST_NAME


@pytest.mark.parametrize("text", [*MISREAD, *LINES])
def test_no_text_is_misread(text: str) -> None:
    """A number, a flag, a comment, a list or a mark in a text is a part of the text."""
    assert text == read_back(text)


@given(st.text(max_size=80))
def test_any_text_comes_back(text: str) -> None:
    """The same characters, whatever they mean to YAML."""
    assert text == read_back(text)


@pytest.mark.parametrize("text", MISREAD)
def test_a_description_comes_back(text: str) -> None:
    """On one line, cut to what the specification allows."""
    told = " ".join(text.split())
    written = skill_md.render("locks", text, {"version": "1.0", "on": "yes"}, "# Body")
    front = front_matter.read(written)

    assert ["name", "description", "metadata"] == list(front)
    assert {"version": "1.0", "on": "yes"} == front["metadata"]
    found = str(front["description"])
    assert told == found or (told.startswith(found[:-1].rstrip()) and found.endswith("…"))
    assert len(found) <= LONGEST_DESCRIPTION
    assert written.endswith("---\n\n# Body\n")


def test_a_description_of_lines_is_one_line() -> None:
    """Line ends and tabs become spaces."""
    front = front_matter.read(skill_md.render("locks", " a\r\n\n---\n\tb ", {}, "# Body"))

    assert {"name": "locks", "description": "a --- b"} == front


@pytest.mark.parametrize(
    ("length", "expected"),
    [(1_023, "x" * 1_023), (1_024, "x" * 1_024), (1_025, "x" * 1_023 + "…")],
)
def test_a_description_is_cut_to_what_is_allowed(length: int, expected: str) -> None:
    """1,024 characters, the last of which says that there was more."""
    front = front_matter.read(skill_md.render("locks", "x" * length, {}, "# Body"))

    assert expected == front["description"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# no front matter",
        "---\nname: [a\n---\n",
        "---\nno end",
        "---\n- a\n---\n",
        "---\njust text\n---\n",
        "---\n\t a: b\n---\n",
        "---\n!!python/object:os.system {}\n---\n",
        "\n---\nname: a\n---\n",
        "---\na: 2026-99-99\n---\n",
    ],
)
def test_broken_front_matter_is_none(text: str) -> None:
    """A file of anybody's is read without an error, and nothing in it is run."""
    assert {} == front_matter.read(text)


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: a\n---\nb",
        "---\r\nname: a\r\n---\r\nb",
        "---  \nname: a\n---\t\n",
        "---\nname: a\n---",
    ],
)
def test_front_matter_of_other_hands_is_read(text: str) -> None:
    """With Windows' line ends, spaces behind the marks, and nothing after them."""
    assert {"name": "a"} == front_matter.read(text)
