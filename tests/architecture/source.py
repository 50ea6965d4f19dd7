"""The package's own source, parsed: what the rules about its shape look at."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import learnt

PACKAGE = Path(learnt.__file__).parent
ROOT = Path(__file__).parents[2]
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@dataclass(frozen=True)
class Source:
    """One file of the package: its path in it, its text and its tree."""

    name: str
    text: str
    tree: ast.Module

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones too."""
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    def definitions(
        self, node: ast.AST | None = None, name: str = ""
    ) -> Iterator[tuple[str, Definition]]:
        """Every public function, class and method, by its name within the file."""
        for child in ast.iter_child_nodes(node or self.tree):
            if isinstance(child, Definition) and not child.name.startswith("_"):
                full = f"{name}.{child.name}".lstrip(".")
                yield full, child
                if isinstance(child, ast.ClassDef):
                    yield from self.definitions(child, full)


@cache
def sources() -> tuple[Source, ...]:
    """All of them, by name."""
    return tuple(
        Source(path.relative_to(PACKAGE).as_posix(), text, ast.parse(text))
        for path in sorted(PACKAGE.rglob("*.py"))
        for text in [path.read_text(encoding="utf-8")]
    )


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a tree imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
