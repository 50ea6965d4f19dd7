"""Installed skills: nothing is claimed that is not there, and the lock is held for a moment."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.identifiers import skill_subject
from learnt.core.payloads.skill_events import SkillEvent
from learnt.core.skills.skills import Skill, SkillLayer
from learnt.errors import Conflict, EnvironmentTrouble
from learnt.flows.governance.accept import accept, undo
from learnt.flows.governance.decisions import Decider
from learnt.flows.skills import install as installing
from learnt.flows.skills.catalogue import CHANGED, UNLOCKED, history_of
from learnt.flows.skills.versions import Revision, propose, put
from learnt.flows.stored import append
from learnt.settings import Settings
from learnt.stores.text_files import DiskDocuments
from tests.flows.installing_skills import PLAIN, Play
from tests.flows.proposing import planned
from tests.support.ledgers import Contended, Watched

PERSON = Decider(actor=Actor.HUMAN)


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    with opened(Settings(home=tmp_path / "home")) as outside:
        (tmp_path / "project").mkdir()
        yield Play(outside, (tmp_path / "project").resolve())


class Full(DiskDocuments):
    """A disk that takes nothing more."""

    def write(self, path: str, text: str, expected: str) -> None:
        raise EnvironmentTrouble("the disk is full")


def test_nothing_is_read_while_the_ledger_is_locked(play: Play) -> None:
    """Another program, which does not wait at all, can write during each look at files."""
    play.install(PLAIN.format("One."))
    subject, written = skill_subject("user", "other"), 0
    with opened(Settings(home=play.root.parent / "home"), patience_ms=0) as other:

        def write() -> None:
            nonlocal written
            with other.ledger.writing() as writer:
                append(writer, subject, Actor.TOOL, SkillEvent(action="graded", success=True))
            written += 1

        shelf, documents = Watched(play.shelf, write), Watched(play.outside.documents, write)
        play.outside = replace(play.outside, shelf=shelf, documents=documents)
        looked = play.install(PLAIN.format("Two."), force=True)
        file, new = f"{looked.path}/SKILL.md", PLAIN.format("Three.")
        revision = Revision(ProposalKind.NEW_VERSION, new)
        own = propose(play.outside, file, looked.subject, revision, Actor.HUMAN, ())
        accept(play.outside, planned(play.outside, own, play.where), PERSON)
        put(play.outside, str(play.folder.parent), None, PLAIN.format("4."), Actor.HUMAN, None)
    assert {"files", "staged"} <= {*shelf.calls} and {"read", "write"} <= {*documents.calls}
    with play.outside.ledger.reading() as reader:
        assert written == history_of(reader, subject).uses > 0


def test_what_changes_after_the_last_look_at_it_is_left(play: Play) -> None:
    """A stamp under the lock tells, although the file is as long as before."""
    play.install(PLAIN.format("One."))
    looked, file = play.look(PLAIN.format("Two."), force=True), play.folder / "SKILL.md"
    edit = partial(file.write_text, PLAIN.format("Own."), "utf-8")
    ledger = Contended(play.outside.ledger, [edit])
    with pytest.raises(Conflict):
        installing.install(replace(play.outside, ledger=ledger), looked, Actor.HUMAN)
    assert PLAIN.format("Own.") == file.read_text("utf-8")


def test_a_text_that_could_not_be_written_is_no_version(play: Play) -> None:
    """What is there is on record, and the same again completes what was cut before it was."""
    one, two = PLAIN.format("One."), PLAIN.format("Two.")
    play.folder.mkdir(parents=True)
    (play.folder / "SKILL.md").write_text(one, "utf-8")
    known, own = play.skill(), str(play.folder.parent)
    with pytest.raises(EnvironmentTrouble):
        put(replace(play.outside, documents=Full()), own, known, two, Actor.HUMAN, None)
    assert [("found", one)] == play.versions()
    (play.folder / "SKILL.md").write_text(two, "utf-8")
    put(play.outside, own, known, two, Actor.HUMAN, None)
    assert [("found", one), ("upsert", two)] == play.versions()


def test_a_name_that_is_taken_after_it_was_shown_is_a_conflict(play: Play) -> None:
    """Nothing is written; what was there when it was shown is passed over by force."""
    theirs = Skill("PDF_Forms", "d", "/u/.codex/skills/pdf-forms/SKILL.md", "", SkillLayer.USER)
    looked = play.look()
    play.skills = (theirs,)
    with pytest.raises(Conflict, match="has that name already"):
        installing.install(play.outside, looked, Actor.HUMAN)
    assert not play.folder.exists() and [] == play.versions()
    play.install(force=True)
    assert play.folder.exists()


def test_a_link_that_a_person_put_there_meanwhile_stays(play: Play) -> None:
    """Although it leads to the very files that were there."""
    play.install(PLAIN.format("One."))
    looked = play.look(PLAIN.format("Two."), force=True)
    own = play.root / "dotfiles"
    play.folder.rename(own)
    play.folder.symlink_to(own)
    with pytest.raises(Conflict):
        installing.install(play.outside, looked, Actor.HUMAN)
    assert play.folder.is_symlink() and "One." in (own / "SKILL.md").read_text("utf-8")


def test_a_folder_that_grew_beyond_what_a_skill_may_hold_is_withheld(play: Play) -> None:
    """By its size alone, by the ledger and in a clone; nothing of it is read or taken away."""
    play.install(PLAIN.format("One."))
    with (play.folder / "more.bin").open("wb") as large:
        large.truncate(600_000_000)
    assert CHANGED == play.withheld()
    with opened(Settings(home=play.root.parent / "other")) as outside:
        assert UNLOCKED == Play(outside, play.root).withheld()
    with pytest.raises(EnvironmentTrouble, match="more than 50 MB"):
        installing.installed(play.outside, "pdf-forms", play.where)


def test_an_accepted_text_is_in_the_lock_until_it_is_undone(play: Play) -> None:
    """A clone, whose ledger knows nothing, offers it; not where anything else was changed."""
    looked = play.install(PLAIN.format("One."), fill_py=b"1")
    file, new = f"{looked.path}/SKILL.md", PLAIN.format("Two.")
    with opened(Settings(home=play.root.parent / "other")) as outside:
        clone = Play(outside, play.root)
        for text in (new, PLAIN.format("Three.")):
            revision = Revision(ProposalKind.NEW_VERSION, text)
            own = propose(play.outside, file, looked.subject, revision, Actor.HUMAN, ())
            accept(play.outside, planned(play.outside, own, play.where), PERSON)
            assert ("", "") == (play.withheld(), clone.withheld())
        undo(play.outside, own, PERSON)
        assert ("", "") == (play.withheld(), clone.withheld())
        (play.folder / "fill.py").write_bytes(b"2")
        accept(play.outside, planned(play.outside, own, play.where), PERSON)
        assert (CHANGED, UNLOCKED) == (play.withheld(), clone.withheld())


def test_a_lock_shows_nobodys_home(play: Play) -> None:
    """A folder's name alone, or its path in the project; older locks are read, and mended."""
    text = PLAIN.format("One.")
    play.install(text)
    lock = play.root / "skills-lock.json"
    shown = lock.read_text("utf-8")
    assert str(play.root.parent) not in shown and "elsewhere" not in shown
    kept = installing.installed(play.outside, "pdf-forms", play.where)
    assert "/elsewhere/forms" == kept.fetched.source
    lock.write_text(shown.replace('"forms"', '"/home/ada/forms"'), "utf-8")
    with opened(Settings(home=play.root.parent / "other")) as outside:
        clone = Play(outside, play.root)
        assert not clone.withheld()
        clone.install(text)
    assert "forms" == play.lock()["pdf-forms"]["source"]


def test_two_programs_have_copies_of_one_name(play: Play) -> None:
    """Each is judged by what was installed in its place, and removed alone."""
    play.install(PLAIN.format("One."))
    (play.root / "other").mkdir()
    other = Play(play.outside, play.root / "other")
    other.install(PLAIN.format("Two."), fill_py=b"1")
    assert ("", "") == (play.withheld(), other.withheld())
    (play.folder / "SKILL.md").write_text(PLAIN.format("Obey."), "utf-8")
    assert (CHANGED, "") == (play.withheld(), other.withheld())
    installing.remove(
        play.outside, installing.installed(play.outside, "pdf-forms", other.where), Actor.HUMAN
    )
    assert CHANGED == play.withheld()
    assert [] == play.outside.ledger.verify()
