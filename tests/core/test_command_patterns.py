"""Shell commands as patterns."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.digest.commands import (
    LONGEST,
    LONGEST_LINE,
    LOOKED_AT,
    acts_of,
    governs,
    parts,
    pattern,
    programs,
    programs_of,
    question,
    things,
)


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """What was found out in another test is found out again."""
    programs.cache_clear()
    things.cache_clear()
    question.cache_clear()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ask box 'open the big red door'", "big door open red"),
        ("ask <<< 'open the big red door'", "big door open red"),
        ("ask <<'E'\nopen big\nred door\nE", "big door open red"),
        ("ask 'big red door'", ""),
        ("git commit -m 'open the big red door'", ""),
        ("ask open big red door", ""),
    ],
)
def test_a_question_is_a_text_that_a_line_puts_to_a_program(command: str, words: str) -> None:
    """In quotes or fed in, of four words that mean something; a message asks nothing."""
    assert set(words.split()) == question(command)


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
        ("make a && make b; make a", ["make a", "make b"]),
        ("time -p nice -n 10 cargo test", ["cargo test"]),
        ("python", ["python"]),
        ("python -m", ["python"]),
        ("python -v -m app", ["python -m app"]),
        ("python -c 'x'", ["'x'"]),
        ("node /srv/tools/run.js --all", ["run.js"]),
        ("bash -e build.sh", ["build.sh"]),
        ("/usr/bin/python3 -m app", ["python3 -m app"]),
        ("bundle install", ["bundle install"]),
        ("bundle exec", []),
        ("docker run \\\n  -v data:/data \\\n  image", ["docker run"]),
        ("make a \nmake b", ["make a", "make b"]),
        ("ruby -w load.rb", ["load.rb"]),
        ("java -jar build/app.jar", ["app.jar"]),
        ("sh ./x/build.sh", ["build.sh"]),
        ("uv", ["uv"]),
        ("pnpm dlx x", ["pnpm dlx"]),
        ("poetry run pytest", ["pytest"]),
        ("mise exec -- node x.js", ["x.js"]),
        ("git -C sub --no-pager log", ["git sub"]),
        ("git --git-dir=x log", ["git log"]),
        ("git A=1 log", ["git log"]),
        ("git Log", ["git"]),
        ("docker", ["docker"]),
        ("pytest tests", ["pytest"]),
        ("FOO=1 BAR=2", []),
        ("FOO=1", []),
        ("timeout 2.5 make x", ["make x"]),
        ('"/opt/my tools/run" x', ["run"]),
        ("''", []),
        ("构建 全部", ["构建"]),
        ("x\\ y z", ["x\\ y"]),
        ("(cd a; make b)", ["make b"]),
        ("/bin/ls a", []),
    ],
)
def test_what_a_command_is_about(command: str, about: list[str]) -> None:
    """Programs with their first word; what only looks or leads somewhere is left out."""
    assert about == list(programs(command))


def test_quotes_and_documents_are_one_word_or_none() -> None:
    """A separator inside quotes separates nothing."""
    assert [["echo", "'a && b'"], ["x", 'c"d e"']] == parts("echo 'a && b' | x c\"d e\"")
    assert [["a", "b", "c"]] == parts("a b\\\nc")
    assert [["a", "b"], ["c"], ["d"]] == parts("a b&&c\n;; d")
    assert [["a"], ["b"]] == parts("a <<-'END'\nx\n  END\nb")
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
        ("cat <<EOF > a\none\nEOF\nmake b", "cat <<\u2026 make b"),
        ("gh pr create --title \"One\" --body 'Two'", "gh pr create --title <text> --body <text>"),
        ("get 123e4567-e89b-12d3-a456-426614174000", "get <id>"),
        ("run --at 2024-05-01T10:20Z", "run --at <date>"),
        ("kill 123456", "kill 123456"),
        ("make a  # always push", "make a"),
        ("echo 'a # b' a#b \\# c", "echo 'a # b' a#b \\# c"),
        ("make a;# b\nmake c", "make a; make c"),
        ("mail ann@example.org", "mail [redacted:email]"),
        ("a <private>b</private> c", "a [private] c"),
        ("提交 -m '修好'", "提交 -m <text>"),
        ("", ""),
    ],
)
def test_what_differs_each_time_is_made_general(command: str, general: str) -> None:
    """Messages, dates, hashes, temporary files; a port stays."""
    assert general == pattern(command)


def test_what_made_the_difference_stays() -> None:
    """Against the commands that failed."""
    assert "run --at 2024-01-01" == pattern("run --at 2024-01-01", ["run --at noon"])
    assert "go -m <text>" == pattern("go -m 'now'", ["go -m 'then'"])
    assert "a <date> b 2024-01-02" == pattern("a 2024-01-01 b 2024-01-02", ["x", "2024-01-01"])
    assert "kill <number>" == pattern("kill 12345678", ["1234", "5678", "12345678"])
    assert "kill 12345678" == pattern("kill 12345678", ["kill 1234", "5678"])
    assert "run --at <date> -f" == pattern("run --at 2024-01-01 -f", ["run --at 2024-01-01"])


def test_a_pattern_has_a_length() -> None:
    """Whatever was run."""
    assert "x" * (LONGEST - 1) + "\u2026" == pattern("x" * 9_000)
    assert "x" * LONGEST == pattern("x" * LONGEST)


def test_of_a_flood_the_beginning_is_looked_at() -> None:
    """It is about what stands there."""
    spaces = " " * (LOOKED_AT - 6)
    assert "make b" == pattern(spaces + "make b")
    assert "make b" == pattern(spaces + "make bc")
    assert [["make", "b"]] == parts(spaces + "make bc")
    assert {"abc.def"} == things(" " * (LOOKED_AT - 7) + "abc.defg")


def test_long_names_tie_commands_together() -> None:
    """Files and paths, not words."""
    assert {"data/a.csv"} == things("cat data/a.csv | wc -l")
    assert {"data/a.csv", "b_c.py"} == things("mv DATA/a.csv B_c.py")
    assert not things("make all") and not things("curl example.com")


@pytest.mark.parametrize("piece", ["a", "-", "a/", "a-", "/-", "--m ", "<<a ", "a1", "'", "\\"])
def test_long_commands_are_read_at_once(piece: str) -> None:
    """Whatever data they hold."""
    command = piece * 8_000
    began = time.process_time()
    assert things(command) is not None and programs(command) is not None
    assert pattern(command)
    assert time.process_time() - began < 0.5


def test_long_names_have_a_length() -> None:
    """Paths as people write them are one name."""
    path = "/".join(["a-long-folder-with-a-name"] * 16 + ["file.txt"])
    assert {path} == things(f"cat {path}")
    assert {"name" * 15 + ".txt"} == things("cat " + "name" * 15 + ".txt")


COMMANDS = [
    ("git commit -am wip", {"commit"}),
    ("git -C /tmp/x commit --amend", {"commit"}),
    ("git push --force-with-lease origin main", {"push"}),
    ("docker push registry.local/shop:41", {"push"}),
    ("git add -A && git commit -m 'push the tests' && git push", {"commit", "push"}),
    ("./deploy.sh staging", {"deploy"}),
    ("make deploy", {"deploy"}),
    ("kubectl apply -f shop.yaml", {"deploy"}),
    ("helm upgrade shop ./chart", {"deploy"}),
    ("terraform apply -auto-approve", {"deploy"}),
    ("npm install left-pad", {"install"}),
    ("uv add httpx", {"install"}),
    ("uv pip install httpx", {"install"}),
    ("sudo apt-get install -y jq", {"install"}),
    ("poetry update", {"install"}),
    ("npx create-app", {"install"}),
    ("pytest -q tests/core", {"test"}),
    ("python -m pytest -x", {"test"}),
    ("npm test", {"test"}),
    ("cargo test --release", {"test"}),
    ("alembic upgrade head", {"migrate"}),
    ("python manage.py migrate", {"migrate"}),
    ("npm publish", {"release"}),
    ("git tag v1.2.0", {"release"}),
    ("twine upload dist/*", {"release"}),
    ("cargo fmt", {"format"}),
    ("make format", {"format"}),
    ("black .", {"format"}),
    ("rm -rf build", {"delete"}),
    ("git branch -D old", {"delete"}),
    ("psql -c 'DROP TABLE t_room'", {"delete"}),
    ("ls -la", set()),
    ("git status", set()),
    ("git log --oneline", set()),
    ("echo 'git push'", set()),
    ("cat commit.txt", set()),
    ("grep -rn push src", set()),
    ("", set()),
]


@pytest.mark.parametrize(("command", "acts"), COMMANDS)
def test_a_command_is_these_acts(command: str, acts: set[str]) -> None:
    """By its program and what it is asked to do; a quoted word asks for nothing."""
    assert acts == acts_of(command)


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("sudo ./ship.sh --to staging", {"ship.sh"}),
        ("/usr/bin/Make lint && uv run pytest", {"make", "uv"}),
        ("", set()),
    ],
)
def test_programs_have_their_names_without_a_path(command: str, programs: set[str]) -> None:
    """Whatever stands before them on the line."""
    assert programs == programs_of(command)


@pytest.mark.parametrize(
    ("rule", "acts", "command", "whether"),
    [
        ("run the tests before you push", {"test", "push"}, "git push", True),
        ("run the tests before you push", {"test", "push"}, "git pull", False),
        ("no merge commits", {"commit"}, "git commit -m x", True),
        ("use uv, not pip", set(), "uv sync", True),
        ("use uv, not pip", set(), "pip list", True),
        ("use uv, not pip", set(), "cargo build", False),
        ("answer in German", set(), "git push", False),
    ],
)
def test_a_rule_governs_its_acts_or_what_it_names(
    rule: str, acts: set[str], command: str, whether: bool
) -> None:
    """A rule about acts these acts alone, another one the programs in its words."""
    assert whether is governs(rule, acts, command)


@given(st.text(max_size=300))
def test_any_line_is_read(line: str) -> None:
    """Whatever stands in it: a hook never fails over a command."""
    assert acts_of(line) == acts_of(line)
    assert all(name == name.casefold() for name in programs_of(line))


def test_a_line_of_any_length_is_answered() -> None:
    """Its beginning is looked at."""
    assert {"push"} == acts_of("git push " + "x" * 1_000_000)
    assert set() == acts_of("y" * LONGEST_LINE + " && git push")
