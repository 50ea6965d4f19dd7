"""An agent's call for a skill that is installed already: an update, which a person decides on."""

from pathlib import Path

import pytest

from tests.cli.test_skills_install import SOUND, offered, place, put
from tests.support.homes import Home


@pytest.fixture
def source(home: Home) -> str:
    return str(put(home.folder / "elsewhere" / "forms"))


@pytest.fixture
def updated(home: Home, source: str) -> str:
    """The id of an agent's proposal to update an installed skill: a text, a file more, one less."""
    put(Path(source), fill_py="print('filled')\n")
    assert 0 == home.typed("skills", "install", source, answers=["y"])[0]
    (Path(source) / "fill.py").unlink()
    put(Path(source), "Fill them in with qpdf.", check_py="print('checked')\n")
    said = offered(home, source, "--json")
    (skill,) = said.json["skills"]
    assert (0, "proposed") == (said.exit_code, skill["status"]), said
    assert skill["proposal"] == offered(home, source, "--json").json["skills"][0]["proposal"]
    return str(skill["proposal"])


def files(home: Home) -> dict[str, str]:
    """The installed files, by name."""
    return {file.name: file.read_text("utf-8") for file in place(home).parent.iterdir()}


def test_an_agents_update_of_an_installed_skill_is_proposed(home: Home, updated: str) -> None:
    """All files are shown against those that are there; accepting replaces them, undo restores."""
    before = files(home)
    shown = home.here("evolve", "show", updated).output
    for line in (f"-{SOUND}", "+Fill them in with qpdf.", "-print('filled')", "+print('checked')"):
        assert line in shown, shown
    assert "an update of what was installed from" in shown
    assert 0 == home.accept(updated)[0]
    after = files(home)
    assert {"SKILL.md", "check.py"} == set(after) and "qpdf" in after["SKILL.md"]
    (listed,) = [s for s in home.here("skills", "list", "--json").json["skills"]
                 if s["name"] == "pdf-forms"]  # fmt: skip
    assert "" == listed["withheld"]

    assert 0 == home.typed("evolve", "undo", updated)[0]

    assert before == files(home)
    link = home.project / ".claude" / "skills" / "pdf-forms"
    assert link.resolve() == place(home).parent
    assert 0 == home.accept(updated)[0] and after == files(home)
    (place(home).parent / "check.py").write_text("mine\n", "utf-8")
    assert 4 == home.typed("evolve", "undo", updated)[0]


def test_the_later_of_two_is_undone_first(home: Home, source: str) -> None:
    """A first installation is not undone with an update that was accepted over it."""
    names = []
    for text in (SOUND, "Fill them in with qpdf."):
        put(Path(source), text)
        said = offered(home, source, "--json")
        names.append(said.json["skills"][0]["proposal"])
        assert 0 == home.accept(names[-1])[0]
    code, output = home.typed("evolve", "undo", names[0])
    assert (4, True) == (code, "is undone first" in output), output
    assert "qpdf" in files(home)["SKILL.md"]
    for name in reversed(names):
        assert 0 == home.typed("evolve", "undo", name)[0]
    assert not place(home).exists()


def test_an_update_of_files_alone_is_undone_too(home: Home, source: str) -> None:
    """SKILL.md is the same before and after it; and so is one that is there by now."""
    put(Path(source), fill_py="print(1)\n")
    home.typed("skills", "install", source, answers=["y"])
    put(Path(source), fill_py="print(2)\n")
    name = offered(home, source, "--json").json["skills"][0]["proposal"]
    home.typed("skills", "install", source, "--force", answers=["y"])
    assert 0 == home.accept(name)[0] and "print(2)\n" == files(home)["fill.py"]
    assert 0 == home.typed("evolve", "undo", name)[0]
    assert "print(1)\n" == files(home)["fill.py"]


def test_an_update_is_bound_to_what_it_replaces(home: Home, source: str, updated: str) -> None:
    """What was edited since is a conflict, and neither it nor another source's is replaced."""
    other = put(home.folder / "other" / "forms", "Another way.")
    said = offered(home, str(other), "--json")
    assert (1, "refused") == (said.exit_code, said.json["skills"][0]["status"])
    (place(home).parent / "fill.py").write_text("mine\n", "utf-8")
    code, output = home.accept(updated)
    assert (4, True) == (code, "changed since version-" in output), output
    assert "mine\n" == files(home)["fill.py"]
    again = home.cli("skills", "install", source)
    assert (1, True) == (again.exit_code, "was changed since it was installed" in again.output)


def test_a_name_that_was_taken_meanwhile_is_a_conflict(home: Home, source: str) -> None:
    """Accepting looks again at the skills that are there by then; nothing is written."""
    said = offered(home, source, "--json")
    proposed = said.json["skills"][0]["proposal"]
    theirs = put(home.project / ".cursor" / "skills" / "pdf-forms") / "SKILL.md"
    code, output = home.accept(proposed)
    assert (4, True) == (code, "has that name already" in output), output
    assert not place(home).exists() and not (home.project / "skills-lock.json").exists()
    theirs.unlink()
    assert 0 == home.accept(proposed)[0] and place(home).exists()


def test_a_clone_withholds_what_its_lock_does_not_fit(home: Home, source: str) -> None:
    """Another machine's ledger knows nothing of it; doctor says so, and a person may keep it."""
    assert 0 == home.typed("skills", "install", source, answers=["y"])[0]
    fresh = Home(home.folder, "fresh")

    def withheld() -> str:
        listed = home.here("skills", "list", "--json", home=fresh.path).json["skills"]
        return str(next(one["withheld"] for one in listed if one["name"] == "pdf-forms"))

    assert "" == withheld()
    (place(home).parent / "more.md").write_text("Obey.\n", "utf-8")
    assert "skills-lock.json" in withheld()
    doctor = home.here("doctor", "--json", home=fresh.path).output
    assert "differs from what skills-lock.json says" in doctor
    code, output = fresh.typed("skills", "install", "--keep", "pdf-forms", answers=["y"])
    assert (0, "") == (code, withheld()), output


def test_a_skill_without_a_version_gets_a_number_like_any_other(home: Home, source: str) -> None:
    """The first is 1.0.0."""
    file = Path(source) / "SKILL.md"
    file.write_text(file.read_text("utf-8").replace("---\n\n", "team: red\n---\n\n"), "utf-8")
    assert 0 == home.typed("skills", "install", source, answers=["y"])[0]
    rows = home.here("skills", "history", "pdf-forms", "--json").json["versions"]
    assert [("1.0.0", "install")] == [(row["version"], row["cause"]) for row in rows]
