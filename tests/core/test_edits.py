"""How an edit is shown: as the lines of a diff, and nothing in them speaks to anybody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.digest.lessons import LONGEST_EDITS, MOST_FILES, edits_shown, lines_of, plain
from learnt.core.digest.steps import Change, changes_of
from learnt.core.sessions.turns import Made
from tests.core.talks import change


def test_an_edit_is_shown_as_the_lines_that_it_took_away_and_put_in() -> None:
    """Lines that stayed are left out; what is common to all in indentation is, too."""
    edit = change("pyproject.toml", "[tool]\n  a = 1\n  b = 2", "[tool]\n  a = 1\n  b = 3\n  c = 4")
    assert ["Changed pyproject.toml: - b = 2", "+ b = 3", "+ c = 4"] == edits_shown([edit], ())
    assert ["+ x()"] == lines_of(change("a.py", "try:", "try:\n    x()"))
    assert ["-   a: 1", "+ a: 1"] == lines_of(change("a.yml", "  a: 1", "a: 1"))


def test_what_a_block_was_moved_by_is_not_shown_where_something_was_put_in() -> None:
    """The line around it is."""
    edit = change("a.py", "load()\nsave()", "with lock:\n    load()\n    save()")
    assert ["+ with lock:"] == lines_of(edit)


@pytest.mark.parametrize(
    "line",
    [
        'httpx==0.27, respx>=0.21',
        '    "build": "NODE_OPTIONS=--openssl-legacy-provider webpack --mode production",',
        "#[derive(Debug, Clone, PartialEq, Serialize)]",
        "for item in items if item.ok and not item.done",
        "public PasswordHasher passwordHasher(BCrypt strength) throws IOException {",
        "CREATE EXTENSION IF NOT EXISTS pgcrypto;",
        "RUN apt-get install -y gcc make curl unzip",
        "import x  # noqa: E402",
        "y = f(x)  # type: ignore[arg-type]",
        "url = https://jitpack.io//a",
        "moduleNameMapper: { '\\\\.(css|less)$': 'identity-obj-proxy' },",
        "spring.jpa.hibernate.ddl-auto=update",
        "<PackageReference Include=\"Polly\" Version=\"8.4.1\" />",
        "_ \"github.com/mattn/go-sqlite3\"",
    ],
)  # fmt: skip
def test_code_stays_as_it_is(line: str) -> None:
    """Names, versions, paths, keys, commands and directives in comments."""
    assert line == plain(line)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("x = 1  # never lower this in production", "x = 1"),
        ("x = 1  // push, then deploy", "x = 1"),
        ("<!-- ask the owner first -->", ""),
        ("  * ask the owner first", ""),
        ('log("ask the owner first", level=2)', 'log("…", level=2)'),
        ("log('ask, the, owner')", "log('…')"),
        ("Push straight to production", ""),
        ("name: Push everything straight to production", "name: …"),
        ("总是先推送到主分支再说", ""),
        ("def always_push_to_the_main_branch_before_you_ask(x):", "def … …"),
    ],
)
def test_sentences_are_left_out(line: str, shown: str) -> None:
    """In comments, in strings, in plain text, and joined to a name."""
    assert shown.replace("… …", "…") == plain(line).replace("…(x):", "…")


def test_of_an_edit_that_no_hook_saw_the_file_alone_is_named() -> None:
    """So it is with private parts, and where nothing is left that may be shown."""
    unseen = Change(path="a.py", old="x", new="y")
    for edit in (unseen, change("a.py", "x", "<private>"), change("a.py", "", "# ask the owner")):
        assert ["Changed: a.py"] == edits_shown([edit], ())
    assert ["Changed: a.py"] == edits_shown([change("a.py", "x", "y")], {"- x", "+ y"})
    assert [] == edits_shown([change("a.py", "x", "y")], {"a.py"})
    assert [] == edits_shown([change("always-push-to-main-first.md", "x", "y")], ())


def test_a_secret_is_taken_out_before_a_line_is_cut() -> None:
    """Of half a secret nobody could tell what it is."""
    token = "ghp_" + "A1b2C3d4E5" * 3
    lines = edits_shown([change("a.py", "x", "v" * 150 + f" t={token}")], ())
    assert token[:8] not in "\n".join(lines)


def test_edits_have_a_length_together() -> None:
    """The last ones are shown first, and of these what was put in; other files are named."""
    many = [change(f"f{n}.py", f"{n} was {'x' * 60}1", f"{n} is {'y' * 60}2") for n in range(9)]
    lines = edits_shown(many, ())
    assert (
        any(line.startswith("Changed f8.py: - 8 was") for line in lines)
        and len("\n".join(lines[1:])) <= LONGEST_EDITS
    )
    assert f"Changed: {', '.join(f'f{n}.py' for n in range(6))}" == lines[0] and MOST_FILES == 6
    gone, come = edits_shown(
        [change("a.js", "a" * 300 + "1" + "b" * 300, "a" * 300 + "2" + "b" * 300)], ()
    )
    assert "1" in gone and "2" in come and len(gone) < 220


def test_a_patch_is_read_as_the_edits_that_it_makes() -> None:
    """As Codex gives it, in one text for several files."""
    patch = (
        "*** Begin Patch\n*** Update File: a.toml\n@@ [tool]\n x = 1\n-y = 2\n+y = 3\n"
        "*** Add File: b.txt\n+new\n*** End Patch"
    )
    made = Made("Edit", "c", {"file_path": "/w/a.toml", "new_string": patch})
    assert [
        Change(path="a.toml", old="x = 1\ny = 2", new="x = 1\ny = 3", seen=True),
        Change(path="b.txt", old="", new="new", seen=True),
    ] == [*changes_of(made, seen=True)]


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_edit_is_shown_within_its_length(old: str, new: str) -> None:
    """And each line of it begins as a line of a diff."""
    lines = lines_of(change("a", old, new))
    assert all(line[:2] in {"+ ", "- "} and "\n" not in line for line in lines)
    assert len("\n".join(edits_shown([change("a", old, new)], ()))) <= LONGEST_EDITS
