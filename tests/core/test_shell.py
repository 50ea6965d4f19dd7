"""One reader of shell lines: commands, what is fed to them, where their output goes."""

import time

import pytest

from learnt.core.shell import UNSEEN, ShellCommand, read


def only(line: str) -> ShellCommand:
    """The one command of a line, without those of substitutions."""
    (command,) = [one for one in read(line).commands if not one.inner]
    return command


def test_a_command_has_its_words_as_they_come_as_written_and_bare() -> None:
    """Quotes are gone, there, or empty."""
    one = only("git commit -m 'mend it' \"$now\" a\\ b $(date)x")
    assert ["git", "commit", "-m", "mend it", UNSEEN, "a b", f"{UNSEEN}x"] == one.words
    assert ["git", "commit", "-m", "'mend it'", '"$now"', "a\\ b", "$(date)x"] == one.raw
    assert ["git", "commit", "-m", "''", "''", "a\\ b", "''x"] == one.bare


@pytest.mark.parametrize(
    ("line", "printed", "complains"),
    [
        ("a", True, True),
        ("a >f", False, True),
        ("a 2>f", True, False),
        ("a &>f", False, False),
        ("a >f 2>&1", False, False),
        ("a 2>&1 >f", False, True),
        ("a 1>&2", True, True),
    ],
)
def test_where_output_goes(line: str, *, printed: bool, complains: bool) -> None:
    """A redirection is no word of the command."""
    one = only(line)
    assert (["a"], printed, complains) == (one.words, one.printed, one.complains)


def test_what_a_line_feeds_to_a_command() -> None:
    """A document, a text, a file that nobody sees; with a variable it is not known either."""
    assert "one\ntwo" == only("a <<'EOF'\none\ntwo\nEOF").fed
    assert "x y" == only("a <<< 'x y'").fed
    assert UNSEEN == only("a < file").fed
    assert UNSEEN == only("a <<EOF\n$one\nEOF").fed
    assert [["a"], ["b"]] == [one.words for one in read("a <<E; b\nx\nE").commands]


def test_a_substitutions_commands_are_read_too() -> None:
    """They are marked, and the line is clear unless one holds another."""
    inner, outer = read("out=$(make test | tail -1)").commands[-2:]
    assert (["tail", "-1"], True, False) == (inner.words, inner.inner, outer.inner)
    assert read("echo $(date)").clear
    assert not read("echo $(cat $(ls))").clear
    assert ["ls"] in [one.words for one in read("echo $(cat $(ls))").commands]


@pytest.mark.parametrize(
    "line",
    ["(a; b)", "f() { a; }", "a 'x", 'a "x', "a $(x", "a `x", "a <<E\nx", "a >", "| a", "b\\\nc"],
)
def test_what_is_not_understood_is_unclear(line: str) -> None:
    """Its commands are read all the same, as far as they can be told."""
    found = read(line)
    assert (False, True) == (found.clear, bool(found.commands))


def test_a_lines_text_is_without_comments_and_documents() -> None:
    """A sign in quotes or within a word begins no comment."""
    assert "make a " == read("make a # always").text
    assert "echo '# b' a#b" == read("echo '# b' a#b").text
    assert "cat <<\u2026\nmake b" == read("cat <<EOF > a # c\none\nEOF\nmake b").text


@pytest.mark.parametrize("piece", ["$(", "`", "'", '"', "${", "<<a ", "<", "\\", '"`', "$(a;", "("])
def test_long_lines_are_read_at_once(piece: str) -> None:
    """Whatever data they hold."""
    began = time.process_time()
    assert read(piece * (20_000 // len(piece))) is not None
    # A busy machine takes twice its time; one that takes the square of it, minutes.
    assert time.process_time() - began < 2
