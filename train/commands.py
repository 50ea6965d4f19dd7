"""What the commands of `train/` share: fit and write, `--check`, `--unseen`; figures by author."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from benchmarks.report import table
from learnt.core.health.executions import interval
from train.corpora import digest
from train.fitting import Fitted, encoded, finish

ALL: Final = "all"
Item = TypeVar("Item")
Figures = dict[str, Any]
Weights = Mapping[str, Mapping[str, Any]]  # documents by the name of their file


def run(description: str | None, made: Callable[[], Weights], unseen: Callable[[], None]) -> int:
    """Write the weights that `made` gives, or compare them, or measure on the authors set aside.

    The exit code is 1 where shipped weights differ.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fail where shipped weights differ")
    parser.add_argument("--unseen", action="store_true", help="measure on the authors set aside")
    given = parser.parse_args(sys.argv[1:])
    if given.unseen:
        unseen()
        return 0
    return max(finish(name, model, check=given.check) for name, model in made().items())


def document(
    fitted: Fitted,
    texts: Iterable[str],
    figures: Figures,
    shift: Sequence[float],
    *,
    measures: Sequence[str] = (),
    thresholds: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """What is shipped of a fit: the weights, a hash of its texts, its figures and thresholds."""
    return encoded(fitted, shift, {
        "data": digest(texts),
        "figures": figures,
        "measure_names": list(measures),
        "thresholds": dict(thresholds or {}),
    })  # fmt: skip


def by_author(
    title: str,
    items: Sequence[Item],
    author_of: Callable[[Item], str],
    measured: Callable[[Sequence[Item]], Figures],
) -> Figures:
    """Print what is measured of each author's items and of all, and give the latter."""
    authors = sorted(set(map(author_of, items)))
    shown = [
        {"author": author, **measured([one for one in items if author in {author_of(one), ALL}])}
        for author in [*authors, ALL]
    ]
    table(title, shown)
    return shown[-1]


def span(hits: int, count: int) -> str:
    """The 95 % interval of a share, by Wilson."""
    return "{:.3f} to {:.3f}".format(*interval(hits / count, count))
