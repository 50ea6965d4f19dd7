"""The shape of the source: small files, small functions, and exceptions with their reasons."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import learnt
from tests.architecture.source import ROOT, Function, Source, sources

LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS = 700, 60, 7
# What is over a limit, and why it is left so: none yet. A limit is lowered, never raised.
TOO_LONG: dict[str, str] = {}


def _decorators(function: Function) -> str:
    return " ".join(ast.unparse(decorator) for decorator in function.decorator_list)


def _over_the_limits(source: Source) -> list[str]:
    found = []
    if source.text.count("\n") > LONGEST_FILE:
        found.append(source.name)
    for function in source.functions():
        lines = (function.end_lineno or 0) - function.lineno + 1
        arguments = function.args
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parameters = [p for p in parameters if p.arg not in {"self", "cls"}]
        many = len(parameters) > MOST_PARAMETERS and "command(" not in _decorators(function)
        if lines > LONGEST_FUNCTION or many:
            found.append(f"{source.name}:{function.name}")
    return found


def test_files_and_functions_are_small() -> None:
    """So many lines a file and a function, so many parameters; a command's are its options."""
    assert sorted(TOO_LONG) == [name for source in sources() for name in _over_the_limits(source)]
    assert all(TOO_LONG.values())


def test_package_files_are_empty() -> None:
    """Names are imported from where they live; the root offers ten at most, and no other."""
    packages = {s.name: s for s in sources() if s.name.endswith("__init__.py")}
    root = packages.pop("__init__.py")
    own = {
        name.asname or name.name if isinstance(name, ast.alias) else name.id
        for name in ast.walk(root.tree)
        if isinstance(name, ast.alias)
        or (isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store))
    }
    private = {name for name in own if name.startswith("_") and not name.endswith("__")}

    assert [] == [name for name, source in packages.items() if source.text]
    assert {*learnt.__all__} == own - private - {"__all__", "TYPE_CHECKING", "import_module"}
    assert 10 >= len(learnt.__all__)


# Whose methods are told elsewhere: by their ports, or by the class that they are of.
TOLD_ELSEWHERE = ("stores/", "domains/database/servers/")


def test_all_that_is_public_says_what_it_is() -> None:
    """Every module, class, function and method; a store's methods are told by their ports."""
    silent = [
        f"{source.name}:{name}"
        for source in sources()
        if not source.name.startswith(TOLD_ELSEWHERE)
        for name, node in source.definitions()
        if not ast.get_docstring(node)
    ]
    untitled = [s.name for s in sources() if s.text and not ast.get_docstring(s.tree)]

    assert ([], []) == (silent, untitled)


def test_the_stores_say_what_is_theirs_alone() -> None:
    """Classes and functions of the stores have their docstrings, too."""
    silent = [
        f"{source.name}:{name}"
        for source in sources()
        if source.name.startswith(TOLD_ELSEWHERE)
        for name, node in source.definitions()
        if "." not in name and not ast.get_docstring(node)
    ]

    assert [] == silent


# Where whatever goes wrong is caught: the edges of a process, and nowhere else.
BOUNDARIES = {
    "exchanges/providers.py": 1,  # a server's answer, read by a library
    "domains/loader.py": 3,  # a plug-in that can't be loaded, or fails, costs its own answer
    "surfaces/embedding.py": 1,  # what a model's runtime raises, in a process of its own
    "surfaces/api/evolver.py": 1,  # a program's own score counts as none where it fails
    "surfaces/hook.py": 2,  # the prompt goes through, and noting why may fail as well
    "surfaces/inline.py": 1,  # likewise
    "surfaces/mcp_server.py": 1,  # one bad call costs that call
    "surfaces/web/dashboard.py": 1,  # one bad page costs that page
    "surfaces/worker.py": 1,  # one bad report costs that report
}


def _broad(handler: ast.ExceptHandler) -> bool:
    caught = ast.unparse(handler.type) if handler.type is not None else "BaseException"
    return re.search(r"\b(?:Base)?Exception\b", caught) is not None


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_broad_excepts_stand_at_the_boundaries() -> None:
    """Elsewhere one only cleans up, and raises what it caught."""
    found: Counter[str] = Counter()
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ExceptHandler) and _broad(node) and not _raises_again(node):
                found[source.name] += 1

    assert BOUNDARIES == dict(found)


# Who reads the environment, and what for.
READERS = {
    "exchanges/providers.py": "the key, under the name that the settings tell",
    "exchanges/sources.py": "git gets the environment, without git's own variables",
    "exchanges/github_issues.py": "gh gets the environment, where its login may be",
    "stores/git_program.py": "git gets the environment, without git's own variables",
    "surfaces/agent_files.py": "where the agent keeps its settings",
    "surfaces/api/agents_home.py": "settings and session of a program that embeds Learnt",
    "surfaces/api/skills.py": "settings of a program that embeds Learnt",
    "surfaces/cli/context.py": "settings and actor of every command",
    "surfaces/cli/resident.py": "whether a browser can be opened",
    "surfaces/cli/demo.py": "the demo's own processes",
    "surfaces/embedding.py": "settings of an embedder's process",
    "surfaces/hook.py": "the hook's allow-list",
    "surfaces/hook_slow.py": "likewise, and what a worker is started with",
    "surfaces/inline.py": "settings and the hook's allow-list",
    "surfaces/jobs.py": "settings of a job",
    "surfaces/mcp_server.py": "settings, the project and the session of an MCP client",
    "surfaces/worker.py": "settings of the worker, and its mark for its children",
}


def test_the_environment_is_read_in_few_places() -> None:
    """Those that are listed; everything else is given what it needs."""
    found = {
        source.name
        for source in sources()
        for node in ast.walk(source.tree)
        if (isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv"})
        or (isinstance(node, ast.alias) and node.name in {"environ", "environb", "getenv"})
    }

    assert set(READERS) == found


def _comments(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        tokens = tokenize.tokenize(file.readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


def test_every_exception_from_a_tool_has_its_reason() -> None:
    """A silenced rule says which, and why, in its own comment."""
    silencing = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma|mypy:|ruff:|fmt:)")
    reasoned = re.compile(
        r"# (?:noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\])  # \w.{3,}|# fmt: skip"
    )
    ours = [path for name in ("src", "tests", "tools") for path in (ROOT / name).rglob("*.py")]

    silent = [
        f"{path.relative_to(ROOT)}: {comment}"
        for path in sorted(ours)
        if silencing.search(path.read_text(encoding="utf-8"))
        for comment in _comments(path)
        if silencing.match(comment) and not reasoned.fullmatch(comment)
    ]

    assert [] == silent


FORBIDDEN = {"utils", "util", "helpers", "common", "base", "manager", "service", "models", "misc"}


def test_modules_are_named_for_what_they_hold() -> None:
    """No name that fits everything."""
    names = {part for source in sources() for part in re.split(r"[/_.]", source.name)}

    assert set() == FORBIDDEN & names


def comments(source: Source) -> list[str]:
    """The comments in a source, and the texts that stand by themselves: docstrings."""
    read = tokenize.generate_tokens(io.StringIO(source.text).readline)
    docs = [
        ast.get_docstring(node) or ""
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    return docs + [token.string for token in read if token.type == tokenize.COMMENT]


def test_nothing_is_left_for_later_in_a_comment() -> None:
    """What is to be done stands where it is seen, not in the source.

    `TODO-agent` is a word of the product: the place-holder in a drafted route.
    """
    later = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b(?!-agent)")
    assert [] == [
        source.name
        for source in sources()
        if later.search(source.text) and any(map(later.search, comments(source)))
    ]


def test_nothing_counts_on_a_clock_or_chance_of_its_own() -> None:
    """Time and randomness come from their ports; a monotonic clock measures, it tells no time."""
    # Folder mode has no ports: it runs where nothing of the rest is.
    allowed = {"stores/system.py", "surfaces/folder_mode.py", "surfaces/hook_slow.py"}
    asked = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "os.urandom"}
    last = {name.rpartition(".")[2] for name in asked}
    found = {
        source.name
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute) and node.attr in last and ast.unparse(node) in asked
    }

    assert allowed == found
