"""Whether the tables and columns that a person speaks of are found, with 95 % intervals by Wilson.

    python -m benchmarks.spoken_tables [--unseen]

Of sentences about tables: of how many a later statement can speak, since a table of theirs is found
and nothing beside that is none (every name of a fact must be among a statement's), and of how many
all names are found. Of sentences about other tables: how many are taken for a database's. Each with
a structure kept of all tables of the half (in one database, so that each is taken for another's
where it can be), and without any, where spelling alone tells. Totals alone: the unseen half stays
unseen.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.report import table
from learnt.core.health.executions import interval
from learnt.core.knowledge.drafts import MOST_ENTITIES, mentioned
from learnt.domains.database.domain import DOMAIN
from tests.support.kept_structure import Kept
from tests.support.kept_structure import table as kept_table

SENTENCES: Final = Path(__file__).resolve().parent.parent / "tests" / "data" / "spoken_tables"
WAYS: Final = ("structure kept", "none kept")
MEASURES: Final = (
    "a statement can speak of it",
    "all names found",
    "another table taken for one",
)
Sentence = dict[str, Any]
Way = Callable[[str], tuple[str, ...]]


def main() -> None:
    """Print the table of one half."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--unseen", action="store_true", help="the half that nothing was tuned by")
    half = "unseen" if parser.parse_args().unseen else "dev"
    table(f"{half}, sentences on tables and on other things", measured(half))


def measured(half: str) -> list[dict[str, str]]:
    """For each of WAYS a row for each of MEASURES, in their order."""
    lines = (SENTENCES / f"spoken_{half}.jsonl").read_text("utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    about = [one for one in told if one["about"] == "table"]
    others = [one for one in told if one["about"] == "none"]
    with_it = structure(told).home
    ways: dict[str, Way] = {
        WAYS[0]: lambda text: DOMAIN.text_extractors[0](text, with_it).entities,
        WAYS[1]: lambda text: (),
    }
    rows = []
    for name, way in ways.items():
        found = [
            _folded(way(one["text"])[:MOST_ENTITIES] or mentioned(one["text"])) for one in about
        ]
        both = list(zip(about, found, strict=True))
        rows += [
            _row(f"{name}: {MEASURES[0]}", [_speakable(*one) for one in both]),
            _row(f"{name}: {MEASURES[1]}", [_complete(*one) for one in both]),
            _row(f"{name}: {MEASURES[2]}", [bool(way(one["text"])) for one in others]),
        ]
    return rows


def structure(told: Iterable[Sentence]) -> Kept:
    """All tables of the sentences in one database, each with every column told beside it."""
    columns: dict[str, set[str]] = {}
    for one in told:
        for name in one["tables"]:
            own = (told_of.rpartition(".") for told_of in one["columns"])
            columns.setdefault(name, set()).update(bare for of, _, bare in own if of in {"", name})
    kept = Kept()
    kept.structure(
        kept.database("all"), *(kept_table(name, *sorted(own)) for name, own in columns.items())
    )
    return kept


def _row(name: str, found: Sequence[bool]) -> dict[str, str]:
    share = sum(found) / len(found)
    low, high = interval(share, len(found))
    of = f"{sum(found)} of {len(found)}"
    return {"": name, "share": f"{share:.1%}", "of": of, "95 %": f"{low:.1%} to {high:.1%}"}


def _kept_as(way: Way, text: str) -> set[str]:
    """What a fact of the sentence is about."""
    return _folded(way(text)[:MOST_ENTITIES] or mentioned(text))


def _speakable(one: Sentence, found: set[str]) -> bool:
    """Whether a table is among what was found, and all of that is the table's or one."""
    tables, columns = _folded(one["tables"]), _folded(one["columns"])
    own = tables | columns | {name.rpartition(".")[2] for name in columns}
    return bool(_tables(found) & tables) and found <= own


def _complete(one: Sentence, found: set[str]) -> bool:
    tables, columns = _folded(one["tables"]), _folded(one["columns"])
    return _speakable(one, found) and columns <= found and tables <= _tables(found)


def _tables(found: set[str]) -> set[str]:
    """The names, and what stands before a dot: it may be a table, or a schema."""
    return found | {name.rpartition(".")[0] for name in found if "." in name}


def _folded(names: Iterable[str]) -> set[str]:
    return {name.casefold() for name in names}


if __name__ == "__main__":
    main()
