"""What people do to accepted files, and what is left of it after an undo."""

import pytest

from learnt.core.events import Actor, NewEvent
from learnt.core.governance.proposals import Status
from learnt.core.identifiers import EntryId, ProposalId, skill_subject
from learnt.core.payloads.skill_events import SkillEvent
from learnt.errors import Conflict, EnvironmentTrouble, Refused
from learnt.flows.governance.accept import Destination, accept, finish, reject, undo
from learnt.flows.governance.listing import listed, shown
from learnt.flows.governance.notice import notice
from learnt.flows.governance.survey import OpenQuestion, settle
from learnt.flows.sessions.locate import find, look
from learnt.formats.draft_md import ROUTES
from tests.flows.proposing import FILE, LINKS, PERSON, ROOT, SLUG, Play, planned
from tests.flows.stage import ELSEWHERE, HERE

RULES = f"{ROOT}/{ROUTES}"
BASE = "# Rules\n\ntext\n"


def applied() -> tuple[Play, ProposalId]:
    """An accepted skill."""
    stage = Play()
    name = stage.proposed()
    stage.accept(name)
    return stage, name


def same_project(stage: Play, one: str, other: str) -> None:
    """Declare two folders' projects the same."""
    stage.prompt("What stands in the other copy of it?", session="other", cwd=other)
    with stage.outside.ledger.reading() as reader:
        here, there = (find(reader, look(stage.outside, folder)) for folder in (one, other))
    assert here is not None
    assert there is not None
    question = OpenQuestion(project=here.project, name="", other=there.project, other_name="")
    settle(stage.outside, question, same=True, actor=Actor.HUMAN)


def routed(rules: str = BASE) -> tuple[Play, ProposalId]:
    """An accepted route in these rules."""
    stage = Play()
    if rules:
        stage.disk.files[RULES] = rules
    name = stage.routed()
    stage.accept(name)
    return stage, name


def edited(stage: Play, text: str, file: str = FILE) -> ProposalId:
    """The proposal that comes of a file's new text."""
    stage.disk.files[file] = text
    (edit,) = notice(stage.outside, []).proposed
    return edit


@pytest.mark.parametrize("rules", [BASE, "", "# Rules\n\n## Proposed by Learnt\n\nmine\n"])
def test_a_route_goes_out_of_rules_that_were_changed_since(rules: str) -> None:
    """Its own block alone goes, and the section with it where that was made for it."""
    stage, name = routed(rules)
    made = stage.disk.files[RULES]
    stage.disk.files[RULES] = (
        made.replace("# Rules\n", "# Rules\n\nnew above\n") + "\n## New below\n"
    )

    assert "taken out" in undo(stage.outside, name, PERSON)

    left = stage.disk.files[RULES]
    assert (False, True) == (name in left, left.endswith("\n## New below\n"))
    assert ("Proposed by Learnt" in rules) == ("Proposed by Learnt" in left)
    assert all(line in left for line in rules.split("\n"))


def test_a_rules_file_made_for_a_route_goes_with_it() -> None:
    """Nothing else was ever in it."""
    stage, name = routed("")
    undo(stage.outside, name, PERSON)
    assert {} == stage.disk.files


def test_of_two_routes_one_is_taken_out() -> None:
    """The other stays in their section, byte for byte."""
    stage, first = routed()
    alone = stage.disk.files[RULES]
    stage.missed("kafka consumer lags", "why does the kafka consumer lag", "kafka consumer again")
    (second,) = stage.analyze().new
    stage.accept(second)

    undo(stage.outside, first, PERSON)
    assert (False, True) == (first in stage.disk.files[RULES], second in stage.disk.files[RULES])
    stage.accept(first)
    undo(stage.outside, second, PERSON)
    assert alone == stage.disk.files[RULES]


def test_a_block_that_was_changed_is_left_until_it_is_deleted() -> None:
    """Routed to an agent as its note says: the undo names the line, then believes what is gone."""
    stage, name = routed()
    made = stage.disk.files[RULES]
    stage.disk.files[RULES] = made.replace("TODO-agent", "build-agent", 1)

    with pytest.raises(Conflict, match=r"line \d+"):
        undo(stage.outside, name, PERSON)
    assert Status.APPLIED == stage.held(name).status
    stage.disk.files[RULES] = BASE

    assert "nothing of it" in undo(stage.outside, name, PERSON)
    assert (BASE, Status.PENDING) == (stage.disk.files[RULES], stage.held(name).status)


def test_an_edit_of_a_route_is_of_its_block_alone() -> None:
    """Other lines are anybody's; the changed block is proposed, adopted, and then taken out."""
    stage, name = routed()
    stage.disk.files[RULES] += "\n## Mine\n\nelsewhere\n"
    assert () == notice(stage.outside, []).proposed
    edit = edited(stage, stage.disk.files[RULES].replace("TODO-agent", "build-agent", 1), RULES)

    (told,) = listed(stage.outside, [Status.PENDING])
    assert told.draft.startswith("### build-agent")
    assert "elsewhere" not in told.draft
    assert (told.accepted or "").startswith("### TODO-agent")

    before = dict(stage.disk.files)
    stage.accept(edit)
    assert before == stage.disk.files
    assert ["ours"] == [one.ownership for one in notice(stage.outside, []).files]
    undo(stage.outside, name, PERSON)
    assert f"{BASE}\n## Mine\n\nelsewhere\n" == stage.disk.files[RULES]


def test_an_edit_waits_as_long_as_the_file_holds_it() -> None:
    """A newer one takes its place; put back it is no edit; there again it is proposed again."""
    stage, _ = applied()
    made = stage.disk.files[FILE]
    first = edited(stage, made + "\none\n")
    second = edited(stage, made + "\ntwo\n")
    assert [second] == [one.proposal.id for one in listed(stage.outside, [Status.PENDING])]

    stage.disk.files[FILE] = made
    notice(stage.outside, [])
    assert [] == listed(stage.outside, [Status.PENDING])
    with pytest.raises(Refused, match="overtaken"):
        stage.plan(second)

    assert first == edited(stage, made + "\none\n")
    assert [first] == [one.proposal.id for one in listed(stage.outside, [Status.PENDING])]
    assert [] == stage.outside.ledger.verify()


def test_an_edit_that_was_rejected_is_not_proposed_again() -> None:
    """The file keeps it, and it is named; a further edit is another."""
    stage, _ = applied()
    edit = edited(stage, "mine\n")
    reject(stage.outside, edit, "", PERSON)

    again = notice(stage.outside, [])
    assert ((), ["edited"]) == (again.proposed, [one.ownership for one in again.files])
    assert edit != edited(stage, "mine too\n")


def test_what_is_undone_has_no_edits_waiting() -> None:
    """The edit of a file whose proposal was taken back is nobody's question any more."""
    stage, name = applied()
    edited(stage, "mine\n")
    del stage.disk.files[FILE]
    undo(stage.outside, name, PERSON)
    notice(stage.outside, [])

    assert [name] == [one.proposal.id for one in listed(stage.outside, [Status.PENDING])]


def test_an_adopted_edit_is_taken_back_without_touching_the_file() -> None:
    """The exact inverse: it waits again, the file stays, and the text before it is the accepted."""
    stage, name = applied()
    made = stage.disk.files[FILE]
    first = edited(stage, made + "\none\n")
    stage.accept(first)
    second = edited(stage, made + "\ntwo\n")
    stage.accept(second)

    with pytest.raises(Refused, match="A later edit"):
        undo(stage.outside, first, PERSON)
    undo(stage.outside, second, PERSON)
    assert made + "\ntwo\n" == stage.disk.files[FILE]
    assert made + "\none\n" == shown(stage.outside, second).accepted

    stage.disk.files[FILE] = made + "\none\n"
    assert ["ours"] == [one.ownership for one in notice(stage.outside, []).files]
    undo(stage.outside, first, PERSON)
    stage.disk.files[FILE] = made
    assert ["ours"] == [one.ownership for one in notice(stage.outside, []).files]
    assert not stage.held(name).adopted
    undo(stage.outside, name, PERSON)
    assert {} == stage.disk.files
    assert [] == stage.outside.ledger.verify()


def test_a_skill_below_a_folder_of_ones_own_silences_nothing() -> None:
    """No agent is known to read it there."""
    stage = Play()
    name = stage.proposed()
    accept(stage.outside, planned(stage.outside, name, Destination(root="/elsewhere")), PERSON)

    assert "raw body" in stage.prompt(session="s10")


def test_a_note_is_silent_only_where_its_skill_lies() -> None:
    """Once it was edited; in another copy of the project, or without skill or link, it speaks."""
    stage, _ = applied()
    assert "raw body" in stage.prompt(session="s9")
    stage.disk.files[FILE] += "\nTried twice.\n"
    assert "" == stage.prompt(session="s10")
    same_project(stage, HERE, ELSEWHERE)
    assert "raw body" in stage.prompt(session="s11", cwd=ELSEWHERE)

    text, link = stage.disk.files.pop(FILE), stage.disk.links
    assert "raw body" in stage.prompt(session="s12")
    stage.disk.files[FILE] = text
    assert "" == stage.prompt(session="s13")
    del link[f"{LINKS}/{SLUG}"]
    assert "raw body" in stage.prompt(session="s14")


def test_a_note_falls_silent_once_its_skill_was_used() -> None:
    """A draft that nobody touched goes on being helped; what an agent used helps by itself."""
    stage, name = applied()
    stage.recalled("s9")
    owner = stage.entry(EntryId(stage.held(name).about)).scope or ""
    used = NewEvent(
        skill_subject(owner, SLUG), Actor.LEARNT, SkillEvent(action="graded", success=True)
    )
    with stage.outside.ledger.writing() as writer:
        writer.append(used)

    assert "" == stage.prompt(session="s10")


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
    """It is neither what was nor what should be: a message says so, and nothing is overwritten."""
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
