"""Whether the tables and columns that a person speaks of are found, with 95 % intervals by Wilson.

    python -m benchmarks.spoken_tables [--unseen]

Of sentences about tables: of how many a later statement can speak, since a table of theirs is found
and nothing beside that is none (every name of a fact must be among a statement's), with the names
of the database's domain and without; and of how many all names are found. Of sentences about other
tables: how many are taken for a database's. Totals alone, so that the unseen half stays unseen.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import table
from learnt.core.health.executions import interval
from learnt.core.knowledge.drafts import MOST_ENTITIES, mentioned
from learnt.domains.database.observed.spoken import spoken

SENTENCES: Final = Path(__file__).resolve().parent.parent / "tests" / "data" / "spoken_tables"
Sentence = dict[str, Any]


def main() -> None:
    """Print the table of one half."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--unseen", action="store_true", help="the half that nothing was tuned by")
    half = "unseen" if parser.parse_args().unseen else "dev"
    lines = (SENTENCES / f"spoken_{half}.jsonl").read_text("utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    about = [one for one in told if one["about"] == "table"]
    others = [one for one in told if one["about"] == "none"]
    shares = {
        "a statement can speak of it": [_speakable(one, _found(one)) for one in about],
        "… by any text's names alone": [_speakable(one, _named(one)) for one in about],
        "all its names found": [_complete(one, _found(one)) for one in about],
        "another table taken for one": [bool(spoken(one["text"]).entities) for one in others],
    }
    table(f"{half}: {len(told)} sentences", [_row(name, found) for name, found in shares.items()])


def _row(name: str, found: Sequence[bool]) -> dict[str, str]:
    share = sum(found) / len(found)
    low, high = interval(share, len(found))
    of = f"{sum(found)} of {len(found)}"
    return {"": name, "share": f"{share:.1%}", "of": of, "95 %": f"{low:.1%} to {high:.1%}"}


def _found(one: Sentence) -> set[str]:
    """What a fact of the sentence is about, as it is kept."""
    return _folded(spoken(one["text"]).entities[:MOST_ENTITIES]) or _named(one)


def _named(one: Sentence) -> set[str]:
    return _folded(mentioned(one["text"]))


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
