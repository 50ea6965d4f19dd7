"""The tests themselves: each says what it specifies, and none patches our own code."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import ROOT, imported

FILES = sorted((ROOT / "tests").rglob("*.py"))


def trees(*words: str) -> Iterator[tuple[Path, ast.Module]]:
    """The files of the tests that hold one of the words, parsed."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in words):
            yield path, ast.parse(text)


def functions(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Those of a module and of its classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node)


def test_every_test_says_what_it_specifies() -> None:
    """In a docstring of its own, which begins with one sentence."""
    silent = [
        f"{path.name}:{node.name}"
        for path, tree in trees("def test_")
        for node in functions(tree)
        if node.name.startswith("test_")
        if not (ast.get_docstring(node) or "").split("\n\n")[0].endswith((".", ":", "?"))
    ]

    assert [] == silent


def test_nothing_of_ours_is_patched() -> None:
    """A double is a small real part that a port asks for."""
    mocked = [path.name for path, tree in trees("mock") if "unittest.mock" in set(imported(tree))]
    patched = [
        path.name
        for path, tree in trees("setattr")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "setattr"
        if ast.unparse(node) == "monkeypatch.setattr"
    ]

    assert ([], []) == (mocked, patched)


def test_no_test_file_hides_another() -> None:
    """Without packages a file's name is its module: each is there once."""
    names = [path.name for path in FILES if path.name.startswith("test_")]

    assert sorted(set(names)) == sorted(names)


def test_a_file_of_tests_is_readable_too() -> None:
    """The limit of the source holds for its tests."""
    long = [path.name for path in FILES if path.read_text(encoding="utf-8").count("\n") > 700]

    assert [] == long
