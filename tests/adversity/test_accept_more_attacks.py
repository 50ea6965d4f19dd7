"""Accepting while others finish it, undo it, or keep files and folders from being written."""

import subprocess
from contextlib import suppress

import pytest
from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import Kind
from learnt.errors import LearntError
from learnt.flows.governance.accept import Destination, accept, finish, undo
from learnt.flows.governance.listing import shown
from learnt.settings import Settings
from learnt.stores.text_files import DiskDocuments
from tests.adversity.accepting import (
    PERSON,
    TARGET,
    accepted,
    files,
    missed,
    recorded,
    route,
    skill,
    status,
    typed,
)
from tests.flows.proposing import planned
from tests.support.disks import small_disk
from tests.support.homes import Home


@pytest.mark.parametrize("by", ["another that finishes", "an undo"])
def test_an_accept_that_is_overtaken_is_recorded_as_it_ended(home: Home, by: str) -> None:
    """Between the write and its record another ends it: one record, or none and no skill."""
    name, root = skill(home), home.folder / "root"

    class Overtaken(DiskDocuments):
        def write(self, path: str, text: str, expected: str) -> None:
            super().write(path, text, expected)
            with opened(Settings(home=home.path)) as other:
                proposal = shown(other, name).proposal
                undo(other, name, PERSON) if by == "an undo" else finish(other, proposal)

    with opened(Settings(home=home.path)) as outside, suppress(LearntError):
        taken = replace(outside, documents=Overtaken())
        accept(taken, planned(taken, name, Destination(root=str(root))), PERSON)
    ((state,),) = home.rows("SELECT state FROM views WHERE subject LIKE 'entry:%'")
    ended = (status(home, name), recorded(home, name, Kind.APPLIED), name in state)
    assert (("pending", 0, False) if by == "an undo" else ("applied", 1, True)) == ended


def test_an_undo_that_conflicts_does_nothing_at_all(home: Home) -> None:
    """The file was edited: it stays, and so does the link through which agents read it."""
    name = skill(home)
    accepted(home, name)
    (home.project / ".agents" / TARGET).write_text("mine\n", "utf-8")
    before = files(home)
    assert 4 == typed(home, "evolve", "undo", name)[0]
    assert ("applied", before) == (status(home, name), files(home))


@pytest.mark.parametrize("place", ["rules", "skill"])
def test_bytes_that_are_no_text_are_kept(home: Home, place: str) -> None:
    """A Latin-1 file is not written to, said to be no text, and stays byte for byte."""
    name, file = skill(home), home.project / ".agents" / TARGET
    if place == "rules":
        name, file = route(home, b"# R\xe9gles\n")
    code, said = accepted(home, name)
    assert (place == "rules") == (code == 1) == ("not text in UTF-8" in said)
    if place != "rules":
        file.write_bytes(b"# R\xe9gles\n")
    for words in ("analyze", f"show {name}", "list --json"):
        assert 0 == typed(home, "evolve", *words.split())[0]
    assert b"# R\xe9gles\n" == file.read_bytes()


@pytest.mark.parametrize("place", [".agents", ".claude/skills"])
def test_a_project_whose_own_folders_lead_out_writes_nothing_there(home: Home, place: str) -> None:
    """A cloned repository's link carries neither a skill nor a link out of the project."""
    name, out = skill(home), home.folder / "out"
    out.mkdir()
    (home.project / place).parent.mkdir(exist_ok=True)
    (home.project / place).symlink_to(out)
    said = accepted(home, name)[1]
    assert [] == list(out.iterdir()), said


def test_overlapping_misses_propose_nothing_twice(home: Home) -> None:
    """Two pairs share prompts: the same evidence grows nothing, and a rejected one stays so."""
    both = [f"alpha beta yolk zeta q{n}z" for n in range(4)]
    missed(home, [*both, *(f"yolk zeta r{n}z" for n in range(5)),
                  *(f"alpha beta s{n}z" for n in range(4))])  # fmt: skip
    first = home.here("evolve", "analyze", "--json").json["proposals"]
    (less,) = [shown["id"] for shown in first if shown["evidence"]["count"] == 4]
    assert 0 == typed(home, "evolve", "reject", less)[0]
    again = home.here("evolve", "analyze", "--json").json
    assert ([], [], "rejected") == (again["new"], again["grown"], status(home, less))


def test_a_read_only_place_waits(home: Home) -> None:
    """On a file system that is read-only: exit 5 and accepted; undone without a trace."""
    name = skill(home)
    with small_disk(home.folder, 512) as root:
        subprocess.run(["mount", "-o", "remount,ro", str(root)], check=True)
        code, said = accepted(home, name, "--root", str(root))
        assert (5, "accepted") == (code, status(home, name)), said
        assert 0 == typed(home, "evolve", "undo", name)[0]
    assert "pending" == status(home, name)
