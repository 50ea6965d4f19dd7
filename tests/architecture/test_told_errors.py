"""What can go wrong is told where it is raised, and a union is matched to its end."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import Function, Source, sources


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What a function does itself: nothing of functions within it, or of what it tries."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Try) and child.handlers:
            for rest in (*child.handlers, *child.orelse, *child.finalbody):
                yield rest
                yield from _own(rest)
        elif not isinstance(child, Function | ast.ClassDef | ast.Lambda):
            yield child
            yield from _own(child)


def _raised(function: Function) -> set[str]:
    """The classes of errors that a function makes, and the functions that make one for it."""
    made = (node.exc for node in _own(function) if isinstance(node, ast.Raise))
    return {ast.unparse(error.func) for error in made if isinstance(error, ast.Call)}


def _untold(function: Function) -> set[str]:
    doc = ast.get_docstring(function) or ""
    told = doc[match.start() :] if (match := re.search(r"\bRaises?\b", doc)) else ""
    names = {name.rpartition(".")[2] for name in _raised(function)}
    # What another function makes is told by its class, which only a reader sees.
    return {name for name in names if not (name in told if name[0].isupper() else told)}


def _public(source: Source) -> Iterator[tuple[str, Function]]:
    for name, node in source.definitions():
        of_a_store = source.name.startswith("stores/") and "." in name  # told by its port
        # A command's docstring is its help; its errors are sentences that end it.
        if isinstance(node, Function) and not of_a_store and "command(" not in _decorators(node):
            yield name, node


def _decorators(function: Function) -> str:
    return " ".join(map(ast.unparse, function.decorator_list))


def test_what_a_public_function_raises_is_in_its_docstring() -> None:
    """Each class of error by name, after the word Raises."""
    assert {} == {
        f"{source.name}:{name}": untold
        for source in sources()
        for name, node in _public(source)
        if (untold := _untold(node))
    }


def _records(match: ast.Match) -> set[str]:
    """The classes that a match tells apart."""
    parts = [part for case in match.cases for part in ast.walk(case.pattern)]
    return {ast.unparse(part.cls) for part in parts if isinstance(part, ast.MatchClass)}


def _ended(match: ast.Match) -> bool:
    """Whether the last case takes all that is left."""
    last = match.cases[-1]
    return last.guard is None and isinstance(last.pattern, ast.MatchAs) and not last.pattern.pattern


def test_a_match_of_records_has_an_end() -> None:
    """What is left is named: by `assert_never`, or by what all others have in common."""
    assert [] == [
        f"{source.name}:{node.lineno}"
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Match) and _records(node) and not _ended(node)
    ]
