"""The act that a shell command is: commit, push, deploy, install, test, migrate, and so on."""

import re
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Final

from learnt.core import shell

LONGEST: Final = 2_000  # characters of a line that are looked at
_OPTION: Final = re.compile(r"-[\w-]*")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_WRAPPERS: Final = shell.WRAPPERS - {"npx", "pnpx", "bunx", "uvx"}  # which install what they run
# By the words of a command without its options. What a person calls their own scripts tells, too.
_ACTS: Final = {
    "commit": r"git (?:\S*[/.]\S* )?commit\b",  # a folder may stand before it
    "push": r"(?:git|docker|podman|hg) (?:\S*[/.]\S* )?push\b",
    "deploy": r".*\b(?:deploy|rollout|ship)\b|kubectl (?:apply|set|create|delete)\b"
    r"|helm (?:upgrade|install)\b|terraform apply\b|ansible-playbook\b",
    "install": r"(?:pip3?|uv|npm|pnpm|yarn|bun|cargo|go|gem|bundle|composer|apt(?:-get)?|brew"
    r"|poetry|pipx|conda|dotnet)(?: pip| tool)? (?:install|add|i|get|update|upgrade|sync|lock)\b"
    r"|npx\b|python3? pip install\b",
    "test": r".*\b(?:pytest|tox|nox|jest|vitest|rspec|phpunit|ctest|tests?)\b",
    "migrate": r".*\b(?:alembic|migrate|migrations?|makemigrations|flyway|liquibase)\b",
    "release": r".*\b(?:publish|release|twine|semantic-release)\b|git tag\b|bump2?version\b",
    "format": r".*\b(?:fmt|format|black|prettier|gofumpt|gofmt|rustfmt|isort|clang-format|lint)\b",
    "delete": r"(?:rm|rmdir|dropdb|shred|truncate)\b|git (?:rm|clean|branch)\b"
    r"|.*\b(?:delete|destroy|prune)\b",
}
_COMPILED: Final = {act: re.compile(rf"(?:{form})", re.IGNORECASE) for act, form in _ACTS.items()}
_SQL: Final = re.compile(
    r"\b(?:drop|truncate) (?:table|database|schema)|delete from\b", re.IGNORECASE
)
_PROGRAM: Final = re.compile(r"[a-z][\w.-]{1,30}", re.IGNORECASE)


def acts_of(line: str) -> frozenset[str]:
    """The acts of a shell line.

    >>> sorted(acts_of("git add -A && git commit -m 'tests' && git push"))
    ['commit', 'push']
    """
    line = line[:LONGEST]
    commands = [_words(command) for command in shell.read(line).commands]
    acts = {act for act, form in _COMPILED.items() if any(map(form.match, commands))}
    return frozenset(acts | {"delete"} if _SQL.search(line) else acts)


def programs_of(line: str) -> frozenset[str]:
    """The programs that a shell line runs, by name.

    >>> sorted(programs_of("sudo ./ship.sh --to staging"))
    ['ship.sh']
    """
    commands = (_own(command.words) for command in shell.read(line[:LONGEST]).commands)
    names = (words[0].rpartition("/")[2] for words in commands if words)
    return frozenset(name.casefold() for name in names if _PROGRAM.fullmatch(name))


def governs(rule: str, of_rule: Collection[str], line: str) -> bool:
    """Whether a rule about some acts governs a shell line; one about none, what its words name.

    >>> governs("lint before you push", {"push"}, "git push"), governs("use uv", (), "uv sync")
    (True, True)
    """
    if of_rule:
        return not acts_of(line).isdisjoint(of_rule)
    words = {word.casefold() for word in _PROGRAM.findall(rule)}
    return not programs_of(line).isdisjoint(words)


def _own(words: Sequence[str]) -> Sequence[str]:
    """A command's words without what it is run by: `sudo`, `env` and the like, and variables."""
    before = takewhile(
        lambda word: word in _WRAPPERS or word[:1] == "-" or _ASSIGNMENT.match(word), words
    )
    return words[sum(1 for _ in before) :]


def _words(command: shell.ShellCommand) -> str:
    """A command's words without its options and what is quoted, its program without a path."""
    bare = [w for w in _own(command.bare) if w != "''" and not _OPTION.fullmatch(w)]
    return " ".join([bare[0].rpartition("/")[2], *bare[1:]]) if bare else ""
