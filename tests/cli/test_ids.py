"""Of an id the beginning is enough; the shell completes it, and a slip is noticed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.core.events import Kind
from tests.support.homes import Home, throwaway

GATEWAY = "The staging gateway listens on port 8443"
BACKUP = "Nightly backups are written to the bucket cold-archive-eu"
POOL = "db7 is reached through pgbouncer, which drops prepared statements"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Home, list[str]]]:
    """A home with three facts, and their ids, the oldest first."""
    with throwaway(tmp_path_factory.mktemp("ids")) as home:
        for text in (GATEWAY, BACKUP, POOL):
            assert 0 == home.here("remember", text, typed="").exit_code
        found = home.here("recall", "-k", "9", "--json").json["entries"]
        yield home, [entry["id"] for entry in reversed(found)]


def shortest(name: str, others: list[str]) -> str:
    """As much of an id as no other begins with."""
    lengths = range(1, len(name) + 1)
    clear = (n for n in lengths if sum(other.startswith(name[:n]) for other in others) == 1)
    return name[: next(clear)]


@pytest.mark.parametrize("words", [("why",), ("recall",)])
def test_a_beginning_is_enough(kept: tuple[Home, list[str]], words: tuple[str, ...]) -> None:
    """Where only one entry's id begins so."""
    home, names = kept
    said = home.here(*words, shortest(names[1], names))

    assert 0 == said.exit_code, said.errors
    assert BACKUP in said.output and GATEWAY not in said.output


def test_a_word_of_a_person_on_a_beginning(kept: tuple[Home, list[str]]) -> None:
    """Options take one as well, of the ledger's form of folder mode's commands too."""
    home, names = kept
    start = shortest(names[0], names)
    for words in (("feedback", "--result", "success", "--id"), ("confirm", "--id")):
        said = home.here("knowledge", *words, start, "--json", typed="")
        assert (0, names[0]) == (said.exit_code, said.json["id"]), said


@pytest.mark.parametrize(
    "words",
    [("why",), ("recall",), ("knowledge", "expire"), ("purge", "--dry-run", "--entry")],
)
def test_what_several_begin_with(kept: tuple[Home, list[str]], words: tuple[str, ...]) -> None:
    """Nothing is done; a person is told which they are, each with its first words."""
    home, names = kept
    said = home.here(*words, "e-0", typed="")

    assert (2, "") == (said.exit_code, said.output)
    assert "e-0 is the beginning of 3 ids:" in said.errors
    assert all(
        f"{name}  {text}" in said.errors
        for name, text in zip(names, (GATEWAY, BACKUP), strict=False)
    )


def test_an_agent_is_told_ids_alone(kept: tuple[Home, list[str]]) -> None:
    """What no agent is to be shown may be among the texts."""
    home, names = kept
    said = home.here("why", "e-0")

    assert 2 == said.exit_code
    assert names[0] in said.errors and GATEWAY not in said.errors


def test_a_slip_is_told_with_what_may_be_meant(kept: tuple[Home, list[str]]) -> None:
    """A letter too few, and another in its place; nothing like it is no guess."""
    home, names = kept
    said = home.here("knowledge", "expire", names[2][:-2] + "!", typed="")
    none = home.here("knowledge", "expire", "nothing-like-it", typed="")

    assert (3, 3) == (said.exit_code, none.exit_code)
    assert f"{names[2]} ({POOL[:20]}" in said.errors
    assert "Did you mean" not in none.errors


def test_what_is_there_is_no_slip(kept: tuple[Home, list[str]]) -> None:
    """Of two ids the one that nothing has is asked about, not the other, however like a third."""
    home, names = kept
    said = home.here("knowledge", "settle", names[0], "--over", "e-zzzzzzzzzzzzzz", typed="")

    assert (3, True) == (said.exit_code, "are in no dispute" in said.errors)
    assert "Did you mean" not in said.errors


def test_proposals_sessions_and_events(home: Home) -> None:
    """Each is found by a beginning, by `why` and by the commands of its own."""
    for number in range(3):
        home.told("How do I roll out a feature flag gradually?", f"{number}7c2d-session")
        home.told("Which feature flag percent is safe?", f"{number}7c2d-session")
    new = home.here("evolve", "analyze", "--json").json["proposals"][0]["id"]

    assert new in home.here("evolve", "show", new[:9]).output
    assert 0 == home.here("why", new[:9]).exit_code
    assert "27c2d-session" in home.here("why", "27").output.splitlines()[0]
    assert "No session 27c2d-session" in home.here("sessions", "show", "27").errors
    [missed] = home.rows("SELECT max(id) FROM events WHERE kind = ?", str(Kind.MISSED))
    assert home.here("why", missed[0][:35]).output == home.here("why", missed[0]).output


def test_what_is_typed_in_full_is_meant(home: Home) -> None:
    """Though another id begins with it."""
    for session in ("s1", "s10"):
        home.told("How do I roll out a feature flag gradually?", session)
    said = home.here("why", "s1")

    assert "session:claude-code:s1" == said.output.splitlines()[0]


def completed(home: Home, words: str, shell: str) -> str:
    """What a shell is told that the last word may become."""
    given = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    environment = given | {"_LEARNT_COMPLETE": f"{shell}_complete"}
    return home.cli(environment=environment).output


def test_the_shell_completes_ids(kept: tuple[Home, list[str]]) -> None:
    """With their first words, where the shell shows any; also of what folder mode has as well."""
    home, names = kept
    told = completed(home, "learnt why e-", "zsh")

    assert all(name in told for name in names)
    assert GATEWAY[:30] in told
    assert names[0] in completed(home, "learnt knowledge feedback --id e-0", "bash")


def test_completion_makes_no_home(tmp_path: Path) -> None:
    """Where there is none it knows of no ids."""
    home = Home(tmp_path)

    assert "" == completed(home, "learnt why e-", "bash").strip()
    assert not home.path.exists()


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("statsu",), "'status'"),
        (("query",), "'knowledge query' or 'db query'"),
        (("helth", "status"), "'health'"),
        (("health", "expirences"), "'experiences'"),
        (("knowledge", "captur"), "'capture'"),
    ],
)
def test_a_mistyped_command(home: Home, words: tuple[str, ...], meant: str) -> None:
    """Is told with what may have been meant; one of a group is named with its group."""
    said = home.here(*words)

    assert (2, True) == (said.exit_code, f"Did you mean {meant}?" in said.errors), said.errors
