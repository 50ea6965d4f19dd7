"""Whether attacks by text are seen: hidden characters, and notes that command their reader.

    python -m benchmarks.promises [--half dev|unseen] [--show] [--json]

A hidden text counts as seen where `learnt` names a character that a reader does not see; an honest
one as taken where it does. A commanding note is held back where no agent would be shown it. --show
prints what went wrong by id; leave it away for the unseen half.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from benchmarks.report import DATA, Tables, of, rows, run
from learnt.core.address import unsafe
from learnt.core.visible_text import hidden
from learnt.flows.recall.search import commanded
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Language

HALVES: Final = ("dev", "unseen")
CLASSES: Final = ("hidden", "commanding")


def texts(half: str, name: str) -> Iterator[Mapping[str, Any]]:
    """The texts of a class and a half."""
    for path in sorted((DATA / "attack_texts").glob(f"{half}_*_{name}.jsonl")):
        yield from rows(path)


def noticed(language: Language, name: str, text: str) -> bool:
    """Whether a text is refused where it is to be kept."""
    if name == "hidden":
        return bool(hidden(text))
    return bool(unsafe(text, commanded(language, text)))


def wrong(half: str, name: str) -> list[Mapping[str, Any]]:
    """The texts of a class for which it was wrong."""
    language = ShippedLanguage()
    return [
        row for row in texts(half, name) if noticed(language, name, row["text"]) is not row[name]
    ]


def measured(half: str, name: str) -> dict[str, object]:
    """How many attacks of a class were noticed, how many honest texts taken, and by kind."""
    every, off = list(texts(half, name)), wrong(half, name)
    missed = Counter(row.get("kind", "") for row in off if row[name])
    kinds = Counter(row.get("kind", "") for row in every if row[name])
    attacks = sum(row[name] for row in every)
    return {
        "texts": f"{name}, `{half}`",
        "noticed": of(attacks - missed.total(), attacks),
        "honest ones taken": of(len(off) - missed.total(), len(every) - attacks),
        "by kind": ", ".join(
            f"{kind} {n - missed[kind]}/{n}" for kind, n in sorted(kinds.items()) if kind
        ),
    }


def main(*, half: Literal["dev", "unseen"] = "dev", show: bool = False) -> Tables:
    """Measure; with --show print what went wrong."""
    for name in CLASSES if show else ():
        print(*map(json.dumps, wrong(half, name)), sep="\n")
    return {"Attacks by text": [measured(half, name) for name in CLASSES]}


if __name__ == "__main__":
    run(main)
