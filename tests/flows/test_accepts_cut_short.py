"""Accepts that were cut short, undone, and files that somebody changed since."""

import pytest

from learnt.core.governance.proposals import Status
from learnt.errors import EnvironmentTrouble
from learnt.flows.governance.accept import accept, finish, undo
from learnt.flows.governance.notice import notice
from learnt.formats.draft_md import ROUTES
from tests.flows.proposing import FILE, LINKS, PERSON, ROOT, SLUG, Play


def test_a_cut_before_the_write_is_finished() -> None:
    """Decided, not written: `finish` writes the text, the link and the state."""
    stage = Play()
    name = stage.proposed()
    stage.cut(name, "write")
    assert ({}, Status.ACCEPTED) == (stage.disk.files, stage.held(name).status)

    assert not finish(stage.outside, stage.held(name))
    assert not finish(stage.outside, stage.held(name))

    assert [FILE] == stage.disk.written
    assert [f"{LINKS}/{SLUG}"] == list(stage.disk.links)
    assert ["proposed", "accepted", "applied"] == stage.audit(name)


def test_a_cut_before_the_record_is_finished() -> None:
    """Written, not recorded: it is not written again."""
    stage = Play()
    name = stage.proposed()
    stage.cut(name, "link")
    assert ([FILE], Status.ACCEPTED) == (stage.disk.written, stage.held(name).status)

    assert not finish(stage.outside, stage.held(name))

    assert [FILE] == stage.disk.written
    assert [f"{LINKS}/{SLUG}"] == list(stage.disk.links)
    assert ["proposed", "accepted", "applied"] == stage.audit(name)


@pytest.mark.parametrize("at", ["write", "link"])
def test_a_strangers_change_meanwhile_is_left(at: str) -> None:
    """It is neither what was nor what should be: a person is told, and nothing is overwritten."""
    stage = Play()
    name = stage.proposed()
    stage.cut(name, at)
    stage.disk.files[FILE] = "a stranger's"

    assert "was changed before it could be written" in finish(stage.outside, stage.held(name))
    (said,) = notice(stage.outside, [f"{ROOT}/skills"]).unfinished
    assert "was changed" in said
    assert ("a stranger's", Status.ACCEPTED) == (stage.disk.files[FILE], stage.held(name).status)


@pytest.mark.parametrize("at", ["write", "link"])
def test_a_cut_into_a_shared_file_is_finished(at: str) -> None:
    """The rules hold the block once, whenever the machine went down."""
    stage = Play()
    path = f"{ROOT}/{ROUTES}"
    stage.disk.files[path] = "# Rules\n"
    name = stage.routed()
    change = stage.plan(name)
    stage.disk.failing = "write"
    with pytest.raises(EnvironmentTrouble):
        accept(stage.outside, change, PERSON)
    stage.disk.failing = ""
    if at == "link":
        stage.disk.files[path] = change.after

    assert () == notice(stage.outside, []).unfinished
    assert (change.after, Status.APPLIED) == (stage.disk.files[path], stage.held(name).status)


@pytest.mark.parametrize("rules", [None, "# Rules\n"])
def test_what_was_cut_can_be_undone(rules: str | None) -> None:
    """Nothing had been written, so nothing is taken back; it waits again."""
    stage = Play()
    path = f"{ROOT}/{ROUTES}"
    if rules is not None:
        stage.disk.files[path] = rules
    name = stage.routed()
    stage.cut(name, "write")

    undo(stage.outside, name, PERSON)

    assert (rules, Status.PENDING) == (stage.disk.files.get(path), stage.held(name).status)


def test_an_undo_that_was_cut_can_be_repeated() -> None:
    """The file was given back, and that was not recorded: the second time records it."""
    stage = Play()
    path = f"{ROOT}/{ROUTES}"
    stage.disk.files[path] = "# Rules\n"
    name = stage.routed()
    stage.accept(name)
    stage.disk.failing = "after writing"
    with pytest.raises(EnvironmentTrouble):
        undo(stage.outside, name, PERSON)
    stage.disk.failing = ""
    assert ("# Rules\n", Status.APPLIED) == (stage.disk.files[path], stage.held(name).status)

    undo(stage.outside, name, PERSON)

    assert ("# Rules\n", Status.PENDING) == (stage.disk.files[path], stage.held(name).status)


def test_a_file_that_only_claims_to_be_ours_is_foreign() -> None:
    """A copy elsewhere is named and left; a skill that claims nothing is nobody's business."""
    stage = Play()
    name = stage.proposed()
    stage.accept(name)
    copy = f"{ROOT}/skills/copied/SKILL.md"
    stage.disk.files[copy] = stage.disk.files[FILE]
    stage.disk.files[f"{ROOT}/skills/own/SKILL.md"] = "---\nname: own\n---\n"

    found = notice(stage.outside, [f"{ROOT}/skills", f"{ROOT}/skills"])

    assert [(FILE, "ours"), (copy, "foreign")] == [(o.path, o.ownership) for o in found.files]
    assert ((), ()) == (found.proposed, found.unfinished)


def test_a_file_that_is_gone_is_said_to_be() -> None:
    """It is not written again, and an undo has nothing to take away."""
    stage = Play()
    name = stage.proposed()
    stage.accept(name)
    del stage.disk.files[FILE]

    assert ["gone"] == [one.ownership for one in notice(stage.outside, []).files]
    assert "gone already" in undo(stage.outside, name, PERSON)
    assert ({}, Status.PENDING) == (stage.disk.files, stage.held(name).status)


def test_an_edit_is_proposed_once_and_adopted() -> None:
    """A changed file is somebody's work: it is kept, and from a person's accept on it is ours."""
    stage = Play()
    name = stage.proposed()
    stage.accept(name)
    stage.disk.files[FILE] += "\nrefined\n"

    (edit,) = notice(stage.outside, []).proposed
    assert () == notice(stage.outside, []).proposed
    assert ["edited"] == [one.ownership for one in notice(stage.outside, []).files]
    assert stage.accept(edit)

    assert ["ours"] == [one.ownership for one in notice(stage.outside, []).files]
    assert [FILE] == stage.disk.written
    assert stage.disk.files[FILE].endswith("\nrefined\n")
    assert [] == stage.outside.ledger.verify()
