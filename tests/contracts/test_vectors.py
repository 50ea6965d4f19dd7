"""What any place for vectors promises, and any embedder."""

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from learnt.core.recall.vectors import VectorPlace
from learnt.errors import VectorsUnusable
from learnt.ports import Vectors
from learnt.stores.lance_vectors import LanceVectors
from learnt.stores.sqlite_vectors import SqliteVectors
from learnt.stores.traces import FileTraces
from tests.support.in_memory_vectors import InMemoryVectors

HERE, THERE = "p-1", "p-2"


def placed(item: str, scope: str = HERE, stage: str = "validated", digest: str = "") -> VectorPlace:
    return VectorPlace(item, digest or f"d-{item}", scope, stage)


def towards(degrees: float) -> list[float]:
    """A vector of length 1 in a plane of eight dimensions."""
    angle = math.radians(degrees)
    return [math.cos(angle), math.sin(angle), *[0.0] * 6]


@pytest.fixture(params=["in memory", "sqlite", "sqlite by signs", "lancedb"])
def vectors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vectors]:
    """Vectors of one model, none yet."""
    match request.param:
        case "in memory":
            yield InMemoryVectors()
        case "lancedb":
            pytest.importorskip("lancedb", reason="LanceDB is not installed: the extra `lancedb`")
            yield LanceVectors(tmp_path / "vectors", "a model")
        case kind:
            exact = 0 if kind == "sqlite by signs" else 100_000
            yield SqliteVectors(tmp_path / "vectors", "a model", exact=exact)


def test_nothing_is_held_at_first(vectors: Vectors) -> None:
    """An empty place, or an empty question, gives nothing; an empty place can be emptied."""
    vectors.clear()
    assert (frozenset(), {}) == (vectors.held(), vectors.known(["d-a"]))
    assert ([], {}) == ([*vectors.nearest(towards(0), [HERE], 3)], vectors.cosines(towards(0), "a"))
    vectors.drop(["a"])
    vectors.drop([])
    vectors.put([])
    vectors.put([(placed("a"), towards(0))])
    assert ({}, {}) == (vectors.known([]), vectors.cosines(towards(0), []))
    assert [] == [*vectors.nearest(towards(0), [], 3)]


def test_the_nearest_come_first_with_their_cosines(vectors: Vectors) -> None:
    """Of the scopes that are asked for alone, whatever their stages, at most so many."""
    vectors.put([
        (placed("far"), towards(80)),
        (placed("near", stage="candidate"), towards(10)),
        (placed("everywhere", scope=""), towards(30)),
        (placed("elsewhere", scope=THERE), towards(0)),
    ])  # fmt: skip
    found = [*vectors.nearest(towards(0), ["", HERE], 2)]

    assert ["near", "everywhere"] == [item for item, _ in found]
    assert [math.cos(math.radians(a)) for a in (10, 30)] == pytest.approx([c for _, c in found])
    cosines = vectors.cosines(towards(0), ["far", "elsewhere", "unknown"])
    assert {"far": math.cos(math.radians(80)), "elsewhere": 1} == pytest.approx(cosines)


def test_an_item_has_one_vector(vectors: Vectors) -> None:
    """A new one takes the old one's place, also where its scope and stage are others."""
    vectors.put([(placed("a", stage="candidate"), towards(0)), (placed("b"), towards(90))])
    vectors.put([(placed("a", scope=THERE, digest="new"), towards(45))])

    assert {placed("a", scope=THERE, digest="new"), placed("b")} == vectors.held()
    assert ["b"] == [item for item, _ in vectors.nearest(towards(0), [HERE], 9)]
    assert {} == vectors.known(["d-a"])
    assert towards(45) == pytest.approx([*vectors.known(["new", "other"])["new"]])


def test_what_is_dropped_is_gone(vectors: Vectors) -> None:
    """The others stay; emptied, nothing does, and it can be filled again."""
    vectors.put([(placed(item), towards(0)) for item in ("a", "b's", "c")])
    vectors.drop(["a", "b's", "unknown"])
    assert {placed("c")} == vectors.held()
    vectors.clear()
    assert frozenset() == vectors.held()
    vectors.put([(placed("d"), towards(0))])
    assert {placed("d")} == vectors.held()


def test_vectors_of_another_length_are_refused(vectors: Vectors) -> None:
    """What a model gave before another took its name is not compared with what it gives now."""
    vectors.put([(placed("a"), towards(0))])
    with pytest.raises(VectorsUnusable):
        vectors.put([(placed("b"), [1.0, 0.0])])
    with pytest.raises(VectorsUnusable):
        vectors.put([(placed("c", stage="candidate"), [1.0, 0.0])])
    with pytest.raises(VectorsUnusable):
        vectors.nearest([1.0, 0.0], [HERE], 1)
    assert {placed("a")} == vectors.held()


STORES: dict[str, Callable[[Path, str], Vectors]] = {
    "sqlite": SqliteVectors,
    "lancedb": LanceVectors,
}


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest) -> Callable[[Path, str], Vectors]:
    """Makes a place on the disk."""
    if request.param == "lancedb":
        pytest.importorskip("lancedb", reason="LanceDB is not installed: the extra `lancedb`")
    return STORES[str(request.param)]


def test_each_model_has_vectors_of_its_own(
    place: Callable[[Path, str], Vectors], tmp_path: Path
) -> None:
    """Another model begins with none; emptied, those of every model are gone."""
    one, other = place(tmp_path / "v", "one"), place(tmp_path / "v", "other")
    one.put([(placed("a"), towards(0))])
    assert (frozenset(), 1) == (other.held(), len(place(tmp_path / "v", "one").held()))
    other.put([(placed("a"), [1.0, 0.0])])
    other.clear()
    assert (frozenset(), frozenset()) == (one.held(), other.held())


def test_after_a_purge_a_place_is_empty_and_can_be_filled(
    place: Callable[[Path, str], Vectors], tmp_path: Path
) -> None:
    """A place that was opened before is as good as a new one."""
    vectors = place(tmp_path / "vectors", "one")
    vectors.put([(placed("a"), towards(0)), (placed("b", stage="candidate"), towards(0))])
    FileTraces(tmp_path).drop_caches()
    assert (frozenset(), []) == (vectors.held(), [*vectors.nearest(towards(0), [HERE], 1)])
    vectors.put([(placed("a"), towards(0))])
    assert {placed("a")} == vectors.held()


def test_emptied_the_vectors_of_every_store_are_gone(
    place: Callable[[Path, str], Vectors], tmp_path: Path
) -> None:
    """Those that were made while another store was chosen as well."""
    for other in ("one.lance/validated.lance/data.bin", "one.db"):
        (tmp_path / "v" / other).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "v" / other).write_bytes(b"as good as a text")
    place(tmp_path / "v", "a model").clear()
    assert [] == [*(tmp_path / "v").glob("*")]


def test_without_numpy_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unusable, as any trouble with vectors: the search goes on by words."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    vectors = SqliteVectors(tmp_path / "v", "one")
    for ask in (
        lambda: vectors.put([(placed("a"), towards(0))]),
        lambda: vectors.nearest(towards(0), [HERE], 1),
        lambda: vectors.cosines(towards(0), ["a"]),
    ):
        with pytest.raises(VectorsUnusable, match="need numpy: install Learnt with"):
            ask()


def test_a_damaged_place_says_so_and_is_made_anew(
    place: Callable[[Path, str], Vectors], tmp_path: Path
) -> None:
    """Whatever lies there: each question is unusable, and emptied it works again."""
    vectors = place(tmp_path / "v", "one")
    vectors.put([(placed("a"), towards(0))])
    for path in (tmp_path / "v").rglob("*"):
        if path.is_file():
            path.write_bytes(b"\x00damaged\xff" * 400)
    with pytest.raises(VectorsUnusable, match="rebuild --vectors"):
        vectors.nearest(towards(0), [HERE], 1)
    with pytest.raises(VectorsUnusable, match="rebuild --vectors"):
        vectors.held()
    vectors.clear()
    vectors.put([(placed("a"), towards(0))])
    assert {placed("a")} == vectors.held()
