"""What a shell command is for: a test, a check, a change, or a mere look; and what it undoes.

Standard library only; a byte-for-byte copy of this folder lies beside the hook, which spools what
the worker would have made of the same call.
"""

import re

from . import lines

LOOKED_AT = 8_000  # characters of a command
_WRAPPERS = lines.WRAPPERS | frozenset(
    """
    xargs uv poetry pipenv pdm hatch rye bundle python pnpm python3 py yarn npm bun deno dlx run -m
    docker compose docker-compose direnv mise
    """.split()
)
_RUNS_TEXT = re.compile(r"(?:ba|z|da)?sh -\w*c")
# These run what follows only after a word that says so.
_RUNNERS = frozenset(("npm", "pnpm", "yarn", "bun", "deno", "python", "python3", "docker"))
_RUNS = frozenset(("run", "exec", "dlx", "compose"))
_TEST_PROGRAMS = frozenset(
    """
    pytest py.test tox nox unittest jest vitest mocha ava karma nosetests behave rspec
    parallel_rspec phpunit pest paratest ctest prove bats nextest busted gotestsum ginkgo
    minitest robot codecept stestr cucumber testthat trial
    """.split()
)
# Of these a word that follows says that they run tests: the first, or for builders any.
_TEST_WORD = re.compile(
    r"^(?:go|cargo|dotnet|mix|swift|flutter|dart|bazel|sbt|lein|rails|rake|ng|stack|cabal|zig|"
    r"meson|ninja|composer|xcodebuild|lerna|nx|turbo|invoke|just|task|hatch|manage\.py|deno|bun|"
    r"npm|pnpm|yarn|playwright|cypress)\s+(?:-\S+\s+)*(?:(?:run|run-script|build|exec)\s+)?"
    r"(?:-\S+\s+)*[\w:.-]*(?:test|tests|spec|e2e|verify)\b"
    r"|^make\s+(?:-\S+\s+(?:\S+/\S*\s+)?)*(?:\S+=\S+\s+)*[\w-]*(?:test|tests|check|verify)\b"
    r"|^(?:mvnw?|\./mvnw)\s.{0,200}?\b(?:test|verify|integration-test)\b"
    r"|^(?:gradlew?|\./gradlew)\s(?:.{0,200}?\s)?:?[\w:]*\b(?:test|check)\b"
    r"|^(?:cypress run|npm t|node --test|deno test|cargo nextest)\b"
)
_NOT_TESTS = re.compile(r"--(?:skip-?tests|no-tests)|-DskipTests|collect-only|--list-?tests")
_LOOKS = frozenset(
    """
    ls ll cat bat head tail less more grep egrep fgrep rg ag ack find fd wc du df stat file
    tree pwd echo printf which type whereis env printenv date ps top htop whoami id uname
    hostname jq yq awk sed diff cmp sort uniq cut tr column xxd hexdump od strings md5sum
    sha256sum true false sleep cd pushd popd export set source . alias man history free
    uptime lscpu lsof ss netstat ping dig nslookup host test [ [[ basename dirname realpath
    readlink seq tee hey ab wrk nproc ip curl wget hyperfine tokei cloc exit return
    read wait trap nl tac rev fold open explain
    """.split()
)
_LOOKING = re.compile(
    r"\s(?:--version|-V|--help|-h|version)\s*$|^(?:docker|podman|kubectl|helm|gh|glab|systemctl|npm|"
    r"pnpm|yarn|pip3?|cargo|conda|brew|apt|apt-cache|dpkg|rpm|terraform|aws|gcloud|az|launchctl|"
    r"redis-cli|git)\s+(?:-\S+\s+\S+\s+)*(?:(?!rollout)\S+\s+)?"
    r"(?:ps|logs?|get|describe|images|inspect|list|ls|view|show|status|"
    r"info|top|search|outdated|tree|why|audit|checks|diff|policy|metadata|"
    r"config(?!\s+(?:set|use|use-\S+|add|unset)\b|\s+(?:--(?:global|local|system|add)\s+)*[\w.]+\s+[^\s|;&]))\b"
    r"|manage\.py show\w+|"
    r"\b(?:rails|rake|flask|alembic) (?:\w+:version|routes|stats|current|history)\b"
)
_VCS = frozenset(("git", "hg", "svn", "jj"))
# What moves files, processes or an editor: that it went well says nothing of the work.
_TRIFLES = frozenset(
    """
    kill pkill killall chmod chown vim vi nvim nano emacs rm cp mv mkdir rmdir touch ln tar zip
    unzip gzip gunzip scp rsync ssh screen tmux systemctl service crontab up down stop start
    restart code xdg-open say clear reset stty patch
    """.split()
)
UNDOES = re.compile(
    r"^git\s+(?:-C\s+\S+\s+)?(?:checkout\s+(?!-[bB]\b)(?:\S+\s+)?"
    r"(?:--\s+\S|-f\b|\.(?:\s|$)|[\w./-]{0,200}[A-Za-z_-]\.[A-Za-z]{1,5}(?:\s|$))"
    r"|restore\s+(?!--staged\b(?!.*--worktree))\S|reset\s+(?:\S+\s+)*--hard\b|clean\s+-\S*f"
    r"|revert\s+(?!--(?:abort|continue|quit|skip))\S|stash\s*(?:$|push|save|-u|drop)"
    r"|apply\s+(?:-R|--reverse)\b)|^(?:hg|svn)\s+(?:revert|update\s+-C)\b"
)
RESTORES = re.compile(r"^git\s+stash\s+(?:pop|apply)\b")
CHANGING = re.compile(
    r"^(?:git\s+(?:-C\s+\S+\s+)?(?:commit|merge|rebase|cherry-pick|am|apply|mv|rm|pull|add)|mv|cp|rm|"
    r"sed\s+-i|patch|touch|mkdir|ln|perl\s+-\S*i)\b"
)
INSTALLS = re.compile(
    r"^(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|composer|bundle|cargo|go|apt(?:-get)?|brew|gem|conda|i)\s+"
    r"(?:pip\s+)?(?:i|install|add|require|get|update|upgrade|remove|uninstall)\b|^(?:i|install|add)\s"
)
# Exit 1 of these is an answer, not a failure.
ANSWERS = frozenset("grep egrep fgrep rg ag ack diff cmp test [ [[".split())
# What Learnt says of itself; a test holds this list to the command line's own.
OWN_COMMANDS = frozenset(
    """
    init uninstall doctor status demo why recall remember import export review evolve health
    knowledge rebuild purge worker hook mcp dashboard skills sessions config project
    """.split()
)
_OF_LEARNT = re.compile(r"^\S+(?:\s+--home(?:=|\s+)\S+)?\s+([a-z][a-z0-9-]*)")


def segments(command: str) -> list[str]:
    """The commands that a shell line runs one after another or in a pipe, without their wrappers.

    >>> segments("cd app && FOO=1 npx jest -x | tail -3")
    ['cd app', 'jest -x', 'tail -3']
    """
    return [bare for part in _parts(command) if (bare := _unwrapped(part))]


def _parts(command: str) -> list[str]:
    """The commands of a line as they stand; a quoted text is none, unless a shell runs it."""
    return [" ".join(each.bare) for each in _commands(command)]


def _commands(command: str) -> list[lines.ShellCommand]:
    commands = lines.read(command[:LOOKED_AT]).commands
    words = commands[0].words if len(commands) == 1 else []
    if len(words) == 3 and _RUNS_TEXT.fullmatch(" ".join(words[:2])):
        return lines.read(words[2]).commands
    return commands


_CONTAINED = re.compile(
    r"^docker(?:-compose|\s+compose)?\s+(?:-\S+\s+)*(?:run|exec)\s+(?:-\S+\s+)*[\w./:-]+\s+(?=\S)"
)


def _unwrapped(part: str) -> str:
    words = _CONTAINED.sub("", part).split()
    at = 0
    while at + 1 < len(words):
        first, second = words[at], words[at + 1]
        if first in _RUNNERS and not (second.startswith("-m") or second in _RUNS):
            break
        if not (first in _WRAPPERS or re.match(r"\w+=|\d+[smh]?$|-it?$", first)):
            break
        at += 1
    return " ".join(words[at:])


def program(segment: str) -> str:
    """The name of the program that a command starts."""
    return segment.split()[0].rpartition("/")[2]


def _is_look(segment: str) -> bool:
    name = program(segment)
    if name == "sed":
        return not re.search(r"\s-\w*i", segment)
    return name in _LOOKS or bool(_LOOKING.search(segment))


def _is_test(part: str) -> bool:
    bare = _unwrapped(part)
    if not bare or _is_look(bare) or program(bare) in _VCS or INSTALLS.match(bare):
        return False
    named = program(bare) in _TEST_PROGRAMS or _TEST_WORD.match(bare) or _TEST_WORD.match(part)
    return bool(named) and not _NOT_TESTS.search(part)


def hidden(command: str) -> bool:
    """Whether the exit code is not that of the command that counts: it feeds a mere look.

    >>> hidden("make 2>&1 | tail -3"), hidden("make && ls")
    (True, False)
    """
    for each in _commands(command):
        if each.before == "||" and each.words[0] in {"true", ":", "echo"}:
            return True  # it makes up for a failure
        begins_pipe = each.after in lines.PIPES and each.before not in lines.PIPES
        if begins_pipe and not _is_look(_unwrapped(" ".join(each.bare)) or "true"):
            return True
    return False


def kind_of(command: str) -> tuple[str, str]:
    """The kind of a shell command and its family: the strongest of what it runs.

    >>> kind_of("pytest -q"), kind_of("git push"), kind_of("ls -l | wc")
    (('test', 'test'), ('change', 'git'), ('look', 'ls'))
    >>> kind_of("git commit -m 'repair the jest tests'")
    ('change', 'git')
    """
    if any(map(_is_test, _parts(command))):
        return "test", "test"
    parts = segments(command)
    if not parts:
        return "look", ""
    changes = []
    for part in parts:
        if _is_look(part):
            continue
        if program(part) not in _VCS | _TRIFLES and not CHANGING.match(part):
            return "check", family(part)
        changes.append(part)
    return ("change", family(changes[0])) if changes else ("look", family(parts[0]))


def family(segment: str) -> str:
    """What tells a retry from another command: its program, and of Learnt a domain's command.

    >>> family("curl https://me:secret@host/x"), family("./deploy.sh token")
    ('curl', 'deploy.sh')
    >>> family("learnt recall x"), family("learnt --home /h arms arm-1")
    ('learnt', 'learnt-arms')
    """
    name = program(segment)
    called = _OF_LEARNT.match(segment) if name == "learnt" else None
    if called and called[1] not in OWN_COMMANDS:
        return f"learnt-{called[1]}"[:32]
    return name if re.fullmatch(r"[A-Za-z][\w.+-]{0,31}", name) else "command"
