"""Shell commands: what they run, what of it would differ the next time, and which acts they are."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import dropwhile
from typing import Final

from learnt.core import safety, shell, tokens

LONGEST: Final = 320
LOOKED_AT: Final = 8_000
_SAYS_MUCH: Final = 4  # words of a text in quotes, which are a question then
REMEMBERED: Final = 2_048  # commands: each is compared with many others

_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_WRAPPERS: Final = shell.WRAPPERS | {"export"}
_RUNNERS: Final = frozenset("bundle uv poetry pipenv pdm hatch rye mise direnv".split())
_RUN_WORDS: Final = frozenset(("run", "exec", "dlx"))
# These look or lead somewhere, and are not what a command is about.
_BY_THE_WAY: Final = frozenset(
    """cd ls cat echo grep egrep rg head tail sleep true false pwd set . source which sed awk
    find wc sort uniq cut tr tee test [ mkdir rm cp mv touch chmod for in done fi while pushd popd
    printf
    export unset kill wait less file stat diff jq xargs""".split()
)
_PLAIN: Final = re.compile(r"[a-z][\w:.-]*$")
SUBCOMMANDS: Final = frozenset(
    """git terraform pod npm yarn pnpm cargo go docker kubectl helm aws gcloud az gh brew apt
    apt-get pip pip3 conda mix flutter dart dotnet rails rake make gradle mvn systemctl
    ansible-playbook
    bundle composer php artisan alembic flask django-admin nix bazel deno bun swift""".split()
)
# Ends processes, which are others the next time; what only shows which, and what takes files away.
_ENDS: Final = frozenset("kill pkill killall taskkill fuser".split())
_SHOWS: Final = frozenset("lsof ps pgrep pidof netstat ss".split())
_REMOVES: Final = frozenset("rm mv unlink".split())
# Throws away what was there: work, data, a branch's history. It passed once, at a price.
_THROWS_AWAY: Final = re.compile(
    r"\bgit\b.* (?:push\b.* (?:-f|--force)(?!-)|reset\b.* --hard|clean\b.* -\w*f|"
    r"(?:checkout|restore)\b.* (?:--|\.)(?: |$))|\b(?:drop|truncate) (?:database|schema|table)\b|"
    r"\bdropdb\b|\bmysqladmin\b.* drop\b|\bkubectl delete\b.* (?:ns|namespaces?|--all)\b|"
    r"\bs3 (?:rm\b.* --recursive|rb\b)|\bdocker\b.* (?:--volumes|volume (?:rm|prune))\b|"
    r"\biptables -F|\bterraform destroy\b|\brm\b.* -\w*r.* (?:~|/(?!tmp/))",
    re.IGNORECASE,
)
_OF_ONE_TIME: Final = re.compile(r"<(?:id|hash|tmp|number)>")
_NUMBERED: Final = re.compile(r"\d{3}")
_VOLATILE: Final = (
    (re.compile(r"(?<=\s)(-[a-z]*m|--message|--body|--title|--notes?)(\s+|=)(\"[^\"]*\"|"
    r"'[^']*')"), r"\1\2<text>"),
    (re.compile(r"\b\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?\b"), "<date>"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{13,}\b"), "<id>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b"), "<hash>"),
    (re.compile(r"(?<![\w./:-])/(?:tmp|var/folders|private/tmp)/[\w./-]+"), "<tmp>"),
    (re.compile(r"(?<![\w.])\d{7,}(?![\w.])"), "<number>"),
)  # fmt: skip


def parts(command: str) -> list[list[str]]:
    """The commands that a line runs, each as its words; documents that it feeds in are left out."""
    return [part.raw for part in shell.read(command[:LOOKED_AT]).commands]


@lru_cache(maxsize=REMEMBERED)
def programs(command: str) -> tuple[str, ...]:
    """What a command line is about, in order, each once: programs, with their first word.

    >>> programs("cd ios && sudo FOO=1 pod install --repo-update | tail -3")
    ('pod install',)
    """
    return tuple(dict.fromkeys(filter(None, map(_program, parts(command)))))


@lru_cache(maxsize=REMEMBERED)
def question(command: str) -> frozenset[str]:
    """The words of what a line asks of a program: texts of several words, but for messages.

    >>> sorted(question("jq '.rooms | map(.beds) | add'")), question("git commit -m 'a b'")
    (['add', 'beds', 'map', 'rooms'], frozenset())
    """
    message, general = _VOLATILE[0]
    line = shell.read(message.sub(general, command[:LOOKED_AT]))
    texts = [text for part in line.commands for text in (*part.words, part.fed or "")]
    asked = frozenset(word for text in texts if " " in text for word in tokens.words(text))
    return asked if len(asked) >= _SAYS_MUCH else frozenset()


def repeatable(command: str) -> str:
    """A line without commands that help once: they end a process, name a thing, throw work away.

    >>> repeatable("lsof -ti:3000 | xargs kill -9"), repeatable("rm run/app-40122.pid; npm ci")
    ('', 'npm ci')
    """
    every = parts(command)
    lines = [part for part in every if _ENDS.isdisjoint(w.rpartition("/")[2] for w in part[:3])]
    ended = len(lines) < len(every)
    kept = [
        line
        for words in lines
        if not (ended and _SHOWS & {*words[:1]})
        and not (_REMOVES & {*words[:2]} and _NUMBERED.search(" ".join(words)))
        and not _OF_ONE_TIME.search(pattern(line := " ".join(words)))
        and not _THROWS_AWAY.search(line)
    ]
    return command if len(kept) == len(every) else " && ".join(kept)


def _program(words: list[str]) -> str:
    rest = list(words)
    while rest:
        word = rest[0].rpartition("/")[2]
        if (
            _ASSIGNMENT.match(rest[0])
            or word in _WRAPPERS
            or rest[0].startswith("-")
            or word.replace(".", "").isdigit()
        ):
            rest.pop(0)
        elif word in _RUNNERS and len(rest) > 1 and rest[1] in _RUN_WORDS:
            del rest[:2]
        else:
            break
    if not rest:
        return ""
    word = rest[0].rpartition("/")[2].strip("\"'")
    if word in _BY_THE_WAY or not word:
        return ""
    if word in {"python", "python3", "node", "ruby", "java", "bash", "sh"}:
        return _script(word, rest[1:])
    follows = next((w for w in rest[1:] if not w.startswith("-") and "=" not in w), "")
    if word in SUBCOMMANDS and _PLAIN.match(follows):
        return f"{word} {follows}"
    return word


def _script(interpreter: str, rest: list[str]) -> str:
    for at, word in enumerate(rest):
        if word == "-m" and at + 1 < len(rest):
            return f"{interpreter} -m {rest[at + 1]}"
        if not word.startswith("-"):
            return word.rpartition("/")[2]
    return interpreter


@lru_cache(maxsize=REMEMBERED)
def things(command: str) -> frozenset[str]:
    """The files and other long names that a command speaks of.

    >>> sorted(things("convert -size 9x9 'data/s_2022.png' out"))
    ['data/s_2022.png']
    """
    return frozenset(name.casefold() for name in _THING.findall(command[:LOOKED_AT]))


# Its lengths are bounded: a command may hold any data.
_THING: Final = re.compile(
    r"(?<![\w~-])[\w~-]*(?:/[\w.~-]{1,80}){1,24}\w"
    r"|\b\w[\w-]{2,60}\.(?!com\b|org\b|net\b)[a-z]\w{1,7}\b"
)


def pattern(command: str, unlike: Iterable[str] = ()) -> str:
    """A command with its volatile parts made general, but for those that no `unlike` command has.

    >>> pattern("git commit -am 'Fix the gate' && ./load.sh 2024-05-01")
    'git commit -am <text> && ./load.sh <date>'
    """
    # A comment runs nothing: it is there for whoever reads it.
    text = shell.read(command[:LOOKED_AT]).text
    others = "\n".join(unlike)
    for volatile, general in _VOLATILE:

        def swap(match: re.Match[str], general: str = general) -> str:
            point = bool(others) and match[0] not in others and general != r"\1\2<text>"
            return match[0] if point else match.expand(general)

        text = volatile.sub(swap, text)
    text = " ".join(safety.redact(safety.strip_private(text)).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"


LONGEST_LINE: Final = 2_000  # characters of a line that are looked at
_OPTION: Final = re.compile(r"-[\w-]*")
_RUN_BY: Final = shell.WRAPPERS - {"npx", "pnpx", "bunx", "uvx"}  # which install what they run
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
_PROGRAM_NAME: Final = re.compile(r"[a-z][\w.-]{1,30}", re.IGNORECASE)


def acts_of(line: str) -> frozenset[str]:
    """The acts of a shell line.

    >>> sorted(acts_of("git add -A && git commit -m 'tests' && git push"))
    ['commit', 'push']
    """
    line = line[:LONGEST_LINE]
    commands = [_words(command) for command in shell.read(line).commands]
    acts = {act for act, form in _COMPILED.items() if any(map(form.match, commands))}
    return frozenset(acts | {"delete"} if _SQL.search(line) else acts)


def programs_of(line: str) -> frozenset[str]:
    """The programs that a shell line runs, by name."""
    commands = (_own(command.words) for command in shell.read(line[:LONGEST_LINE]).commands)
    names = (words[0].rpartition("/")[2] for words in commands if words)
    return frozenset(name.casefold() for name in names if _PROGRAM_NAME.fullmatch(name))


def governs(rule: str, of_rule: Collection[str], line: str) -> bool:
    """Whether a rule about some acts governs a shell line; one about none, what its words name.

    >>> governs("lint before you push", {"push"}, "git push"), governs("use uv", (), "uv sync")
    (True, True)
    """
    if of_rule:
        return not acts_of(line).isdisjoint(of_rule)
    words = {word.casefold() for word in _PROGRAM_NAME.findall(rule)}
    return not programs_of(line).isdisjoint(words)


def _own(words: Sequence[str]) -> list[str]:
    """A command's words without what it is run by: `sudo`, `env` and the like, and variables."""
    return [*dropwhile(lambda w: w in _RUN_BY or w[:1] == "-" or _ASSIGNMENT.match(w), words)]


def _words(command: shell.ShellCommand) -> str:
    """A command's words without its options and what is quoted, its program without a path."""
    bare = [w for w in _own(command.bare) if w != "''" and not _OPTION.fullmatch(w)]
    return " ".join([bare[0].rpartition("/")[2], *bare[1:]]) if bare else ""
