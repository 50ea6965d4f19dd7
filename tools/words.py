"""Writes the words that the core needs into `core/words.py`, from the language room's data files.

python -m tools.words            write them
python -m tools.words --check    fail where the file holds others
"""

import json
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import learnt
from learnt.language.data import PatternEntry, entries

TARGET: Final = Path(learnt.__file__).parent / "core" / "words.py"
HEAD: Final = '''"""Words of human languages that the core needs: stop words, secrets' names, signs.

Written by `python -m tools.words` from `language/*/core.txt`, which is where to change them.
"""

from typing import Final

'''
SECRET: Final = "secret "
MARKED: Final = "marked "
WIDTH: Final = 90


def written() -> str:
    """The text of `core/words.py`."""
    sections = dict(entries("core"))
    parts = []
    for name in ("stop words", "stop pairs"):
        words = textwrap.wrap(" ".join(_words(sections.pop(name))), WIDTH)
        listed = "\n".join(f"    {line}" for line in words)
        parts.append(
            f'{_constant(name)}: Final = frozenset(\n    """\n{listed}\n    """.split()\n)\n'
        )
    pairs = "".join(_words(sections.pop("simplified")))
    parts.append(f'SIMPLIFIED: Final = "{pairs}"\n')
    stems = "|".join(_words(sections.pop(f"{SECRET}stems")))
    patterns = {name: "|".join(e.pattern for e in listed) for name, listed in sections.items()}
    secrets = _named(SECRET, patterns)
    marked = _named(MARKED, patterns)
    signs = {name: p for name, p in patterns.items() if not name.startswith((SECRET, MARKED))}
    parts.append("# Patterns by what they stand for, of all languages together.\n")
    kinds = {"secrets": {"stems": stems, **secrets}, "marked": marked, "signs": signs}
    for name, some in kinds.items():
        rows = "".join(
            f"    {json.dumps(key)}: {json.dumps(pattern, ensure_ascii=False)},\n"
            for key, pattern in some.items()
        )
        parts.append(f"{_constant(name)}: Final = {{\n{rows}}}\n")
    return HEAD + "".join(parts)


def kept(target: Path, text: str, words: Sequence[str]) -> int:
    """Write the file, or with `--check` only compare it; the exit code."""
    if "--check" in words:
        return 0 if target.read_text("utf-8") == text else 1
    target.write_text(text, "utf-8")
    return 0


def _named(kind: str, patterns: Mapping[str, str]) -> dict[str, str]:
    """The patterns of a kind, by their names without it."""
    return {n.removeprefix(kind): p for n, p in patterns.items() if n.startswith(kind)}


def _constant(name: str) -> str:
    return name.upper().replace(" ", "_")


def _words(listed: Iterable[PatternEntry]) -> list[str]:
    return sorted({word for entry in listed for word in entry.pattern.split()})


if __name__ == "__main__":
    raise SystemExit(kept(TARGET, written(), sys.argv[1:]))
