"""Which act a shell command is, and which rules govern it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.acts import LONGEST, acts_of, governs, programs_of

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
    assert set() == acts_of("y" * LONGEST + " && git push")
