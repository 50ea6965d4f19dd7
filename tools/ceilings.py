"""What the package may have at most: lines of Python, files, records, late imports, unclear names.

    python -m tools.ceilings            # fails where a measured value is above its ceiling
    python -m tools.ceilings --lower    # writes lower ceilings where the tree is below them

Late imports stand within functions; unclear names say nothing alone (`docs/glossary.tsv`).
The ceilings lie in `ceilings.toml`: of the whole package, and of each ring. Files of data do not
count. Nothing here raises a ceiling: a person edits the file, and gives the reason there.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = ROOT / "src" / "learnt"
CEILINGS: Final = ROOT / "ceilings.toml"
WHOLE, TOP = "package", "top"  # all of it; the files in no ring's folder
MEASURES: Final = ("lines", "files", "records", "late_imports", "unclear_names")
_RECORDS: Final = frozenset({"Record", "Row", "Struct", "NamedTuple", "BaseModel"})
UNCLEAR: Final = frozenset(
    row.split("\t")[1]
    for row in (ROOT / "docs" / "glossary.tsv").read_text(encoding="utf-8").splitlines()
    if row.startswith("never alone\t")
)
_VALUE: Final = re.compile(r"(\w+) = [\d_]+(.*)", re.DOTALL)


def measured(package: Path) -> dict[str, Counter[str]]:
    """What the package has, and each of its rings."""
    found: dict[str, Counter[str]] = {WHOLE: Counter(dict.fromkeys(MEASURES, 0))}
    for path in sorted(package.rglob("*.py")):
        ring, *below = path.relative_to(package).parts
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        counted = {
            "lines": text.count("\n"),
            "files": 1,
            "records": sum(map(_is_record, ast.walk(tree))),
            "late_imports": len(set(_late(tree))),
            "unclear_names": sum(name.strip("_") in UNCLEAR for name in _named(tree)),
        }
        for place in (WHOLE, ring if below else TOP):
            found.setdefault(place, Counter()).update(counted)
    return found


def _is_record(node: ast.AST) -> bool:
    if not isinstance(node, ast.ClassDef):
        return False
    decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    names = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    decorated = {ast.unparse(decorator).rpartition(".")[2] for decorator in decorators}
    return "dataclass" in decorated or not _RECORDS.isdisjoint(names)


def _named(tree: ast.AST) -> Iterator[str]:
    """The names that a module gives: to variables, parameters, functions and classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def _late(tree: ast.AST) -> Iterator[int]:
    """The lines of imports within functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (
                each.lineno
                for each in ast.walk(node)
                if isinstance(each, ast.Import | ast.ImportFrom)
            )


def above(
    found: Mapping[str, Mapping[str, int]], most: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """Each ring that has more of something than its ceiling allows; one without a ceiling too."""
    return [
        f"{ring}: {count:,} {name.replace('_', ' ')}, the ceiling is {most.get(ring, {}).get(name)}"
        for ring, counts in found.items()
        for name, count in counts.items()
        if count > most.get(ring, {}).get(name, -1)
    ]


def lowered(text: str, found: Mapping[str, Mapping[str, int]]) -> str:
    """The text of the ceilings, lower where the tree is below; its remarks stay."""
    ring, lines = "", []
    most = tomllib.loads(text)
    for line in text.splitlines(keepends=True):
        ring = line.strip(" []\n") if line.startswith("[") else ring
        if (value := _VALUE.fullmatch(line)) is not None:
            least = min(most[ring][value[1]], found.get(ring, {}).get(value[1], 0))
            lines.append(f"{value[1]} = {least}{value[2]}")
        else:
            lines.append(line)
    return "".join(lines)


def main(given: Sequence[str] | None = None) -> int:
    """Compare, or lower."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--lower", action="store_true", help="write lower ceilings, no higher ones")
    parser.add_argument("--package", type=Path, default=PACKAGE)
    parser.add_argument("--ceilings", type=Path, default=CEILINGS)
    words = parser.parse_args(given)
    found, text = measured(words.package), words.ceilings.read_text(encoding="utf-8")
    if words.lower:
        words.ceilings.write_text(lowered(text, found), encoding="utf-8")
    for line in (wrong := above(found, tomllib.loads(text))):
        print(line)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
