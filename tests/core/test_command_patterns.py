"""Shell commands as patterns."""

import pytest

from learnt.core.digest.commands import LONGEST, parts, pattern, programs, things


@pytest.mark.parametrize(
    ("command", "about"),
    [
        ("cd ios && pod install --repo-update", ["pod install"]),
        ("RAILS_ENV=test bin/rails db:migrate", ["rails db:migrate"]),
        ("sudo -E apt-get install -y x && cargo build -p y", ["apt-get install", "cargo build"]),
        ("uv run pytest -q", ["pytest"]),
        ("python -m app.compare --month 2024-05", ["python -m app.compare"]),
        ("python tools/run.py", ["run.py"]),
        ("ls | grep x; cat y", []),
        ("python - <<'PY'\nimport os\nPY", ["python"]),
        ("./build.sh android", ["build.sh"]),
        ("timeout 5 picocom -b 1 /dev/x", ["picocom"]),
        ("", []),
        ("'unclosed", ["unclosed"]),
    ],
)
def test_what_a_command_is_about(command: str, about: list[str]) -> None:
    """Programs with their first word; what only looks or leads somewhere is left out."""
    assert about == programs(command)


def test_quotes_and_documents_are_one_word_or_none() -> None:
    """A separator inside quotes separates nothing."""
    assert [["echo", "'a && b'"], ["x", 'c"d e"']] == parts("echo 'a && b' | x c\"d e\"")
    assert "b" not in [word for words in parts("cat <<EOF\na && b\nEOF") for word in words]


@pytest.mark.parametrize(
    ("command", "general"),
    [
        ("git commit -m 'Fix it' -q", "git commit -m <text> -q"),
        ("load --day 2024-05-01", "load --day <date>"),
        ("show 1a2b3c4d5e", "show <hash>"),
        ("cp /tmp/x/y.txt a", "cp <tmp> a"),
        ("kill 12345678", "kill <number>"),
        ("serve --port 19092", "serve --port 19092"),
        ("a\n  b", "a b"),
    ],
)
def test_what_differs_each_time_is_made_general(command: str, general: str) -> None:
    """Messages, dates, hashes, temporary files; a port stays."""
    assert general == pattern(command)


def test_what_made_the_difference_stays() -> None:
    """Against the commands that failed."""
    assert "run --at 2024-01-01" == pattern("run --at 2024-01-01", ["run --at noon"])
    assert "run --at <date> -f" == pattern("run --at 2024-01-01 -f", ["run --at 2024-01-01"])


def test_a_pattern_has_a_length() -> None:
    """Whatever was run."""
    assert LONGEST == len(pattern("x " * 9_000))


def test_long_names_tie_commands_together() -> None:
    """Files and paths, not words."""
    assert {"data/a.csv"} == things("cat data/a.csv | wc -l")
    assert not things("make all")
