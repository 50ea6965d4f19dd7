"""`learnt knowledge` in folder mode: the seed's seven commands, without its faults."""

import json
import multiprocessing
import subprocess
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from learnt.flows.knowledge.folder import FactPlace, feedback
from learnt.stores.topic_files import DiskTopics
from learnt.surfaces.folder_mode import today
from tests.support.homes import LEARNT, Home

TODAY = today()


def tag(kind: str = "schema", days: int = 0, more: str = "", c0: float = 1.0) -> str:
    """A tag that was confirmed so many days ago."""
    day = TODAY - timedelta(days)
    return f"<!-- decay: type={kind} confirmed={day} C0={c0}{more} -->"


@pytest.fixture
def topics(home: Home) -> Path:
    """A folder of topics in the project."""
    folder = home.project / "references"
    folder.mkdir()
    return folder


def page(folder: Path, name: str, *facts: tuple[str, str, str]) -> Path:
    """A topic of these facts: tag, entities, words."""
    lines = ["# Rooms"]
    for own, entities, words in facts:
        lines += ["", own, *([f"<!-- entities: {entities} -->"] if entities else []), f"- {words}"]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def scanned(home: Home, *words: str) -> tuple[int, dict[str, Any]]:
    said = home.here("knowledge", "scan", *words, "--json")
    return said.exit_code, json.loads(said.output) if said.output else {}


@pytest.mark.parametrize(
    ("ages", "code"), [((0, 10), 0), ((0, 100), 1), ((0, 100, 400), 2), ((), 0)]
)
def test_a_scan_tells_the_worst_trust_by_its_exit_code(
    home: Home, topics: Path, ages: tuple[int, ...], code: int
) -> None:
    """Least trusted first; 0, 1 and 2 as scripts of the seed expect."""
    page(topics, "a.md", *((tag(days=days), "", f"fact {days}") for days in ages))
    assert code == home.here("knowledge", "scan", "--path", "references").exit_code
    found, told = scanned(home, "--file", "references/a.md")
    assert code == found
    levels = [entry["confidence"] for entry in told["entries"]]
    assert sorted(levels) == levels
    assert [f"fact {days}" for days in sorted(ages, reverse=True)] == [
        entry["text"] for entry in told["entries"]
    ]


def test_a_scan_without_a_place_is_an_error(home: Home, topics: Path) -> None:
    """As are a file and a folder that are not there: exit 1 and why."""
    for words in ((), ("--file", "none.md"), ("--path", "nowhere")):
        said = home.here("knowledge", "scan", *words)
        assert (1, True) == (said.exit_code, said.errors.startswith("learnt: ")), said


def test_the_contract_of_an_entry(home: Home, topics: Path) -> None:
    """Every field, unrounded; what is wrong stands beside it."""
    page(topics, "a.md", (tag(days=100, more=" beta=1 s=0.5 id=k-9"), "t_room, T_B", "status 3"),
         ("<!-- decay: type=schema -->", "", "bad"))  # fmt: skip
    _, told = scanned(home, "--path", "references")
    (entry,) = told["entries"]
    level = entry.pop("confidence")
    assert {
        "id": "k-9", "kind": "schema", "text": "status 3", "trust": "REVALIDATE",
        "confirmed": str(TODAY - timedelta(100)), "alpha": 0.0, "beta": 1.0, "c0": 1.0,
        "shock": 0.5, "entities": ["t_room", "T_B"], "file": "a.md", "line": 3,
    } == entry  # fmt: skip
    assert abs(level - 0.472366552741) < 1e-9
    assert [("a.md", 7)] == [(one["file"], one["line"]) for one in told["findings"]]
    _, classic = scanned(home, "--path", "references", "--confidence", "classic")
    assert abs(classic["entries"][0]["confidence"] - 0.548811636) < 1e-9


def test_a_search_finds_whole_names_and_at_least_a_trust(home: Home, topics: Path) -> None:
    """Most trusted first; a level outweighs a number; nothing found is exit 1."""
    for number, c0 in enumerate((0.9, 0.6, 0.3)):
        page(topics, f"{number}.md", (tag(c0=c0), "T_ROOM, t_x", f"fact {c0}"))

    def found(*words: str) -> list[float]:
        said = home.here("knowledge", "search", *words, "--json")
        entries = json.loads(said.output)["entries"]
        assert said.exit_code == (0 if entries else 1)
        return [entry["c0"] for entry in entries]

    assert [0.9, 0.6] == found("--level", "VERIFY")
    assert [0.9, 0.6, 0.3] == found("--level", "REVALIDATE")
    assert [0.9] == found("--min-confidence", "0.8", "--entities", "nope,t_room")
    assert [0.9, 0.6] == found("--level", "VERIFY", "--min-confidence", "0.95")
    assert [] == found("--entities", "room")


def test_feedback_by_line_and_by_id(home: Home, topics: Path) -> None:
    """A success confirms today; by id a check counts as much as the seed's second phase says."""
    path = page(topics, "a.md", (tag(days=50, more=" id=k-1"), "", "fact"))

    def said(*words: str) -> dict[str, Any]:
        done = home.here("knowledge", *words, "--json")
        assert done.exit_code == 0, done
        (entry,) = json.loads(done.output)["entries"]
        return dict(entry)

    by_line = ("--file", "references/a.md", "--line", "3")
    failed = said("feedback", *by_line, "--result", "failure")
    assert (1.0, str(TODAY - timedelta(50))) == (failed["beta"], failed["confirmed"])
    won = said("feedback", *by_line, "--result", "success", "--weight", "0.3")
    assert (0.3, str(TODAY)) == (won["alpha"], won["confirmed"])
    by_id = said("feedback", "--id", "k-1", "--result", "failure")
    assert (2.5, 0.3) == (by_id["beta"], by_id["alpha"])
    assert 0.6 == said("feedback", "--id", "k-1", "--result", "success")["alpha"]
    invalid = said("invalidate", "--id", "k-1")
    assert (0.1, 0.0, "REVALIDATE") == (invalid["c0"], invalid["alpha"], invalid["trust"])
    assert 1.0 == said("reset", *by_line)["confidence"]
    assert path.read_text("utf-8").endswith(" -->\n- fact\n")


@pytest.mark.parametrize(
    "words",
    [
        ("feedback", "--result", "success"),
        ("feedback", "--file", "references/a.md", "--line", "3", "--result", "success",
         "--weight", "0"),
        ("feedback", "--file", "references/a.md", "--line", "4", "--result", "success"),
        ("feedback", "--file", "references/gone.md", "--line", "3", "--result", "success"),
        ("feedback", "--id", "k-nope", "--result", "success"),
        ("feedback", "--id", "k-2", "--result", "success"),
        ("reset", "--file", "references/a.md"),
        ("invalidate", "--id", "k-1", "--line", "3"),
    ],
)  # fmt: skip
def test_what_names_no_fact_changes_nothing(
    home: Home, topics: Path, words: tuple[str, ...]
) -> None:
    """No place, no weight, a line without a tag, a file or an id that is gone or there twice."""
    page(topics, "a.md", (tag(more=" id=k-1"), "", "fact"), (tag(more=" id=k-2"), "", "x"),
         (tag(more=" id=k-2"), "", "y"))  # fmt: skip
    before = (topics / "a.md").read_bytes()
    said = home.here("knowledge", *words)
    assert (1, True) == (said.exit_code, said.errors.startswith("learnt: ")), said
    assert before == (topics / "a.md").read_bytes()


def test_a_fact_is_injected_and_can_be_found(home: Home) -> None:
    """Made with its topic; paths are stripped; the index and other files are no topics."""
    assert home.here("knowledge", "init").exit_code == 0
    assert "already exists" in home.here("knowledge", "init").output
    words = ("--type", "schema", "--entities", "t_room", "--content", "状态 3\n--> 是维修中")
    done = home.here("knowledge", "inject", *words, "--target", "../../x/rooms.md", "--json")
    assert "stripped path" in done.errors
    placed = json.loads(done.output)
    assert ("references/rooms.md", 5) == (placed["file"], placed["line"])
    said = home.here("knowledge", "search", "--entities", "T_ROOM", "--json")
    (entry,) = json.loads(said.output)["entries"]
    assert ("状态 3 --&gt; 是维修中", placed["id"]) == (entry["text"], entry["id"])
    for target in ("_index.md", "a.txt", ".hidden.md", ".."):
        assert home.here("knowledge", "inject", *words, "--target", target).exit_code == 1
    for wrong in (("--type", "novel", "--content", "x"), ("--type", "schema", "--content", " ")):
        assert home.here("knowledge", "inject", *wrong, "--target", "a.md").exit_code == 1
    assert ["_index.md", "rooms.md"] == sorted(
        path.name for path in (home.project / "references").iterdir()
    )


def test_no_home_is_made_or_needed(home: Home, topics: Path) -> None:
    """The files are all there is; and a cloned folder's numbers are believed as they stand."""
    page(topics, "a.md", (tag(days=300, more=" alpha=99"), "", "forged"))
    words = [str(LEARNT), "knowledge", "scan", "--path", "references"]
    gone = home.folder / "nowhere"
    env = {**home.environment, "LEARNT_HOME": str(gone)}
    done = subprocess.run(words, env=env, cwd=home.project, capture_output=True, check=False)
    assert (0, False) == (done.returncode, gone.exists())


def _confirm(path: str, times: int) -> None:
    for _ in range(times):
        feedback(DiskTopics(), FactPlace(file=path, line=3), "success", TODAY, 1.0)


def test_two_processes_on_one_file_lose_nothing(topics: Path) -> None:
    """Each feedback of each is in it, and a third may read at any moment."""
    path = page(topics, "a.md", (tag(), "", "fact"))
    spawn = multiprocessing.get_context("fork")
    both = [spawn.Process(target=_confirm, args=(str(path), 60)) for _ in range(2)]
    for one in both:
        one.start()
    seen: list[bool] = []

    def look() -> None:
        while any(one.is_alive() for one in both):
            seen.append("- fact" in path.read_text("utf-8"))

    looking = threading.Thread(target=look)
    looking.start()
    for one in both:
        one.join()
    looking.join()
    assert all(seen)
    assert " alpha=120 " in path.read_text("utf-8")
    assert ["a.md"] == [one.name for one in topics.iterdir()]


def test_a_file_that_went_between_scan_and_feedback_is_told(home: Home, topics: Path) -> None:
    """It is not made again."""
    path = page(topics, "a.md", (tag(), "", "fact"))
    assert scanned(home, "--path", "references")[0] == 0
    path.unlink()
    said = home.here("knowledge", "feedback", "--file", "references/a.md", "--line", "3",
                     "--result", "success")  # fmt: skip
    assert (1, True) == (said.exit_code, "There is no file" in said.errors)
    assert not path.exists()


def test_days_are_those_of_utc(tmp_path: Path) -> None:
    """Wherever the machine stands."""
    words = [str(LEARNT), "knowledge", "inject", "--type", "schema", "--content", "x",
             "--target", "a.md", "--path"]  # fmt: skip
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        folder = tmp_path / zone.replace("/", "-")
        done = subprocess.run([*words, str(folder)], env={"TZ": zone, "PATH": "/usr/bin:/bin"},
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert f"confirmed={TODAY}" in (folder / "a.md").read_text("utf-8")
