"""Whether the tables and columns that a person speaks of are found, with 95 % intervals by Wilson.

    python -m benchmarks.spoken_tables [--unseen]

Of sentences about tables: of how many a later statement can speak, since a table of theirs is found
and nothing beside that is none (every name of a fact must be among a statement's), and of how many
all names are found. Of sentences about other tables: how many are taken for a database's. Each with
a structure kept of all tables of the half (in one database, so that each is taken for another's
where it can be), and without any, where spelling alone tells. Totals alone: the unseen half stays
unseen.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from benchmarks.report import DATA, Tables, rows, run
from learnt.core.health.executions import interval
from learnt.core.knowledge.drafts import MOST_ENTITIES, mentioned
from learnt.domains.database.domain import DOMAIN
from tests.support.kept_structure import Kept
from tests.support.kept_structure import table as kept_table

WAYS: Final = ("structure kept", "none kept")
MEASURES: Final = (
    "a statement can speak of it",
    "all names found",
    "another table taken for one",
)
Sentence = dict[str, Any]
Way = Callable[[str], tuple[str, ...]]


def measured(half: str) -> list[dict[str, str]]:
    """For each of WAYS a row for each of MEASURES, in their order."""
    told = rows(DATA / "spoken_tables" / f"spoken_{half}.jsonl")
    about = [one for one in told if one["about"] == "table"]
    others = [one for one in told if one["about"] == "none"]
    with_it = structure(told).home
    ways: dict[str, Way] = {
        WAYS[0]: lambda text: DOMAIN.text_extractors[0](text, with_it).entities,
        WAYS[1]: lambda text: (),
    }
    listed = []
    for name, way in ways.items():
        found = [
            _folded(way(one["text"])[:MOST_ENTITIES] or mentioned(one["text"])) for one in about
        ]
        both = list(zip(about, found, strict=True))
        listed += [
            _row(f"{name}: {MEASURES[0]}", [_speakable(*one) for one in both]),
            _row(f"{name}: {MEASURES[1]}", [_complete(*one) for one in both]),
            _row(f"{name}: {MEASURES[2]}", [bool(way(one["text"])) for one in others]),
        ]
    return listed


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


def main(*, unseen: bool = False) -> Tables:
    """Measure one half."""
    half = "unseen" if unseen else "dev"
    return {f"{half}, sentences on tables and on other things": measured(half)}


if __name__ == "__main__":
    run(main)
