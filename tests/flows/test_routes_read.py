"""What is accepted stands between marks: a route in the chosen file, a rule where agents read."""

import pytest
from msgspec.structs import replace

from learnt.core.governance.proposals import Status
from learnt.core.identifiers import ProposalId
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import Destination, FileChange, accept, undo
from learnt.flows.governance.notice import notice
from learnt.formats.draft_md import BEGIN, END, INSTRUCTIONS, ROUTES
from tests.flows.proposing import PERSON, Play, planned
from tests.flows.test_contents_at_a_start import LINT

ROOT = "/projects/here"
WHERE = Destination(root=ROOT, instructions=(*INSTRUCTIONS, "CLAUDE.md"))
OWN = "# Mine\n\nRun the tests.\n"


@pytest.fixture
def play() -> Play:
    return Play()


def change(play: Play, name: ProposalId) -> FileChange:
    """What accepting it would write, as it is shown."""
    return planned(play.outside, name, WHERE)


@pytest.mark.parametrize("chosen", [ROUTES, "docs/routing.md"])
def test_a_route_goes_into_the_chosen_file(play: Play, chosen: str) -> None:
    """Whatever instructions are there: what names no agent is nothing for them to read."""
    name = play.routed()
    play.disk.files[f"{ROOT}/CLAUDE.md"] = OWN
    shown = planned(play.outside, name, replace(WHERE, routes=chosen))

    assert f"{ROOT}/{chosen}" == shown.path
    assert (chosen != ROUTES) is (BEGIN in shown.after and END in shown.after)
    assert accept(play.outside, shown, PERSON)
    assert OWN == play.disk.files[f"{ROOT}/CLAUDE.md"]
    undo(play.outside, name, PERSON)
    assert {f"{ROOT}/CLAUDE.md": OWN} == play.disk.files


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
    ],
)
def test_a_rule_goes_where_the_users_agents_read(
    play: Play, there: dict[str, str], chosen: str
) -> None:
    """Into what is there, or into what a file brings in; between marks, in the person's words."""
    name = play.ruled()
    play.disk.files.update({f"{ROOT}/{file}": text for file, text in there.items()})
    shown = change(play, name)

    assert (f"{ROOT}/{chosen}", there.get(chosen)) == (shown.path, shown.before)
    assert BEGIN in shown.after and END in shown.after and f"\n\n{LINT}\n" in shown.after
    assert accept(play.outside, shown, PERSON)
    assert play.disk.files[shown.path].startswith(there.get(chosen, ""))
    undo(play.outside, name, PERSON)
    assert {f"{ROOT}/{file}": text for file, text in there.items()} == play.disk.files


def test_edits_of_the_rest_are_nobodys_question(play: Play) -> None:
    """Before and behind the section: the rule stays as accepted, and its undo leaves them."""
    file, name = f"{ROOT}/CLAUDE.md", play.ruled()
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
    file, name = f"{ROOT}/CLAUDE.md", play.ruled()
    play.disk.files[file] = OWN
    shown = change(play, name)
    play.disk.files[file] = "# Other\n"

    with pytest.raises(Conflict, match="changed since it was shown"):
        accept(play.outside, shown, PERSON)
    assert {file: "# Other\n"} == play.disk.files


def test_an_edited_block_is_proposed_alone(play: Play) -> None:
    """The edit is the block, without marks or neighbours."""
    file, name = f"{ROOT}/CLAUDE.md", play.ruled()
    accept(play.outside, change(play, name), PERSON)
    made = play.disk.files[file]
    play.disk.files[file] = f"{made.replace(LINT, 'Run it.', 1)}\nMine.\n"
    (edit,) = notice(play.outside, []).proposed

    adoption = change(play, edit)
    assert adoption.after.endswith("Run it.")
    assert END not in adoption.after and "Mine." not in adoption.after


def test_nothing_is_written_through_links(play: Play) -> None:
    """A link among them is passed over for what it leads to; where nothing else is, refused."""
    name = play.ruled()
    play.disk.links[f"{ROOT}/CLAUDE.md"] = f"{ROOT}/AGENTS.md"
    with pytest.raises(Refused, match="link"):
        change(play, name)
    play.disk.files[f"{ROOT}/AGENTS.md"] = OWN

    assert f"{ROOT}/AGENTS.md" == change(play, name).path
    other = replace(WHERE, instructions=("CLAUDE.md",))
    with pytest.raises(Refused, match="link"):
        planned(play.outside, name, other)
