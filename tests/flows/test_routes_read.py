"""An accepted route stands where agents read: in the project's own instructions, between marks."""

from dataclasses import replace

import pytest

from learnt.core.governance.proposals import Status
from learnt.core.identifiers import ProposalId
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import Destination, FileChange, accept
from learnt.flows.governance.decide import undo
from learnt.flows.governance.notice import notice
from learnt.formats.draft_md import BEGIN, END, INSTRUCTIONS, ROUTES
from tests.flows.proposing import PERSON, Play, planned

ROOT = "/projects/here"
WHERE = Destination(root=ROOT, routes=(ROUTES, *INSTRUCTIONS, "CLAUDE.md"))
OWN = "# Mine\n\nRun the tests.\n"


@pytest.fixture
def play() -> Play:
    return Play()


def change(play: Play, name: ProposalId) -> FileChange:
    """What accepting the route would write, as it is shown."""
    return planned(play.outside, name, WHERE)


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ({}, "CLAUDE.md"),
        ({"CLAUDE.md": OWN}, "CLAUDE.md"),
        ({"AGENTS.md": OWN}, "AGENTS.md"),
        ({".claude/CLAUDE.md": OWN}, ".claude/CLAUDE.md"),
        ({"CLAUDE.md": OWN, "AGENTS.md": OWN}, "CLAUDE.md"),
        ({"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": OWN}, "AGENTS.md"),
        ({"CLAUDE.md": "See @AGENTS.md\n"}, "CLAUDE.md"),
        ({ROUTES: "# Rules\n", "CLAUDE.md": OWN}, ROUTES),
    ],
)
def test_it_goes_where_the_users_agents_read(
    play: Play, there: dict[str, str], chosen: str
) -> None:
    """Into what is there; into what a file brings in; the seed's rules where one has them."""
    name = play.routed()
    play.disk.files.update({f"{ROOT}/{file}": text for file, text in there.items()})
    shown = change(play, name)

    assert (f"{ROOT}/{chosen}", there.get(chosen)) == (shown.path, shown.before)
    assert (chosen != ROUTES) is (BEGIN in shown.after and END in shown.after)
    assert accept(play.outside, shown, PERSON)
    assert play.disk.files[shown.path].startswith(there.get(chosen, ""))
    undo(play.outside, name, PERSON)
    assert {f"{ROOT}/{file}": text for file, text in there.items()} == play.disk.files


def test_edits_of_the_rest_are_nobodys_question(play: Play) -> None:
    """Before and behind the section: the route stays as accepted, and its undo leaves them."""
    file, name = f"{ROOT}/CLAUDE.md", play.routed()
    play.disk.files[file] = OWN
    accept(play.outside, change(play, name), PERSON)
    play.disk.files[file] = f"A word.\n\n{play.disk.files[file]}\nAnother, without a heading.\n"

    assert ["ours"] == [one.ownership for one in notice(play.outside, []).files]
    undo(play.outside, name, PERSON)
    assert f"A word.\n\n{OWN}\nAnother, without a heading.\n" == play.disk.files[file]
    assert Status.PENDING is play.held(name).status
    assert [] == list(play.outside.ledger.verify())


def test_a_file_that_changed_since_it_was_shown_is_left(play: Play) -> None:
    """A person accepts what they saw."""
    file, name = f"{ROOT}/CLAUDE.md", play.routed()
    play.disk.files[file] = OWN
    shown = change(play, name)
    play.disk.files[file] = "# Other\n"

    with pytest.raises(Conflict, match="changed since it was shown"):
        accept(play.outside, shown, PERSON)
    assert {file: "# Other\n"} == play.disk.files


def test_an_edited_block_is_proposed_alone(play: Play) -> None:
    """Routed to an agent as its note says: the edit is the block, without marks or neighbours."""
    file, name = f"{ROOT}/CLAUDE.md", play.routed()
    accept(play.outside, change(play, name), PERSON)
    made = play.disk.files[file]
    play.disk.files[file] = f"{made.replace('TODO-agent', 'flag-agent', 1)}\nMine.\n"
    (edit,) = notice(play.outside, []).proposed

    adoption = change(play, edit)
    assert adoption.after.startswith("### flag-agent")
    assert END not in adoption.after and "Mine." not in adoption.after


def test_nothing_is_written_through_links(play: Play) -> None:
    """A link among them is passed over for what it leads to; where nothing else is, refused."""
    name = play.routed()
    play.disk.links[f"{ROOT}/CLAUDE.md"] = f"{ROOT}/AGENTS.md"
    with pytest.raises(Refused, match="link"):
        change(play, name)
    play.disk.files[f"{ROOT}/AGENTS.md"] = OWN

    assert f"{ROOT}/AGENTS.md" == change(play, name).path
    other = replace(WHERE, routes=("CLAUDE.md",))
    with pytest.raises(Refused, match="link"):
        planned(play.outside, name, other)
