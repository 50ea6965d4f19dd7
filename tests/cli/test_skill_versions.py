"""A skill's texts over time: recorded, compared, proposed again, put back."""

from pathlib import Path

import pytest
import yaml

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.identifiers import Subject
from learnt.flows.skills.versions import Revision, propose
from learnt.settings import Settings
from tests.cli.test_domains_enabled import enable
from tests.support.homes import Home

TEXT = "---\nname: locks\ndescription: Frees waiting queues\n---\n\n# Locks\n\n{body}\n"


@pytest.fixture
def file(home: Home) -> Path:
    """A skill of the project."""
    path = home.project / ".agents" / "skills" / "locks" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT.format(body="Stop the consumers."), "utf-8")
    return path


def proposed(home: Home, *words: str) -> str:
    """The proposal that a command makes."""
    said = home.here("skills", *words, "--project", str(home.project), "--json")
    assert 0 == said.exit_code, said.errors
    return str(said.json["proposal"])


def revised(home: Home, file: Path, body: str) -> str:
    """A proposal of another text."""
    new = home.folder / "new.md"
    new.write_text(TEXT.format(body=body), "utf-8")
    return proposed(home, "revise", "locks", "--text", str(new))


def accepted(home: Home, name: str) -> None:
    """A person accepts."""
    code, said = home.accept(name, "--project", str(home.project))
    assert 0 == code, said


def versions(home: Home, *words: str) -> list[tuple[str, str]]:
    """The numbers of the versions, and how each came."""
    said = home.here("skills", "history", "locks", "--project", str(home.project), "--json")
    return [(row["version"], row["cause"].split("-")[0]) for row in said.json["versions"]]


def test_a_new_version_is_written_when_a_person_accepts(home: Home, file: Path) -> None:
    """Not before; the text that was there is the first version, and the diff shows the change."""
    name = revised(home, file, "Stop the producers.")
    assert "consumers" in file.read_text("utf-8")
    accepted(home, name)
    assert "producers" in file.read_text("utf-8")
    assert [("1.0.0", "found"), ("1.1.0", "version")] == versions(home)
    shown = home.here("skills", "diff", "locks", "1.0.0", "--project", str(home.project)).output
    assert "-Stop the consumers." in shown and "+Stop the producers." in shown


def test_a_rollback_gives_the_earlier_text_back(home: Home, file: Path) -> None:
    """By a proposal like any other, byte for byte; by default the text before."""
    before = file.read_bytes()
    accepted(home, revised(home, file, "Stop the producers."))
    accepted(home, proposed(home, "rollback", "locks"))
    assert before == file.read_bytes()
    assert ["1.0.0", "1.1.0", "1.2.0"] == [number for number, _ in versions(home)]


def test_a_rollback_after_an_undo_goes_further_back(home: Home, file: Path) -> None:
    """What was undone is not proposed again; history tells which text the file has."""
    before = file.read_text("utf-8")
    accepted(home, revised(home, file, "Stop the producers."))
    name = revised(home, file, "Stop everything.")
    accepted(home, name)
    assert 0 == home.typed("evolve", "undo", name)[0]
    words = ("skills", "history", "locks", "--project", str(home.project))
    rows = home.here(*words, "--json").json["versions"]
    assert ["1.1.0"] == [row["version"] for row in rows if row["current"]]
    assert 'current_version: "1.1.0"' in home.here(*words, "--adaptation").output
    accepted(home, proposed(home, "rollback", "locks"))
    assert before == file.read_text("utf-8")


def test_what_changed_is_compared_with_the_text_before(home: Home, file: Path) -> None:
    """Where no version is named; a skill that was never changed has none recorded."""
    at = ("--project", str(home.project))
    assert "No text of it is recorded" in home.here("skills", "history", "locks", *at).output
    accepted(home, revised(home, file, "Stop the producers."))
    shown = home.here("skills", "diff", "locks", *at).output
    assert "-Stop the consumers." in shown and "+Stop the producers." in shown


def test_a_file_that_changed_since_is_left(home: Home, file: Path) -> None:
    """What was proposed for another text is a conflict."""
    name = revised(home, file, "Stop the producers.")
    file.write_text(TEXT.format(body="Mine."), "utf-8")
    code, said = home.accept(name, "--project", str(home.project))
    assert 4 == code and "changed since" in said
    assert "Mine." in file.read_text("utf-8")


def test_a_retired_skill_is_out_of_use_until_it_is_undone(home: Home, file: Path) -> None:
    """Its file is kept beside, under a name that no agent reads."""
    before = file.read_bytes()
    name = proposed(home, "retire", "locks")
    accepted(home, name)
    assert not file.exists() and before == Path(f"{file}.retired").read_bytes()
    assert 3 == home.here("skills", "show", "locks", "--project", str(home.project)).exit_code
    assert 0 == home.typed("evolve", "undo", name)[0]
    assert before == file.read_bytes() and not Path(f"{file}.retired").exists()


def test_a_merged_skill_goes_out_of_use(home: Home, file: Path) -> None:
    """One gets the new text, the other is kept beside; undo brings both back."""
    other = file.parent.parent / "queues" / "SKILL.md"
    other.parent.mkdir()
    other.write_text(TEXT.replace("locks", "queues").format(body="Drain them."), "utf-8")
    before = file.read_bytes()
    new = home.folder / "new.md"
    new.write_text(TEXT.format(body="Stop and drain."), "utf-8")
    name = proposed(home, "merge", "locks", "queues", "--text", str(new))
    accepted(home, name)
    assert "Stop and drain." in file.read_text("utf-8") and not other.exists()
    assert 0 == home.typed("evolve", "undo", name)[0]
    assert before == file.read_bytes() and other.exists()


def test_the_adaptation_block_is_written_and_read(home: Home, file: Path) -> None:
    """A file that carries the block of seeds 001 and 003 has its versions told."""
    accepted(home, revised(home, file, "Stop the producers."))
    words = ("skills", "history", "locks", "--project", str(home.project))
    block = home.here(*words, "--adaptation").output
    assert 'current_version: "1.1.0"' in block and "rollback_available: true" in block
    file.write_text(TEXT.replace("---\n\n", f"{block}---\n\n").format(body="x"), "utf-8")
    told = home.here(*words, "--json").json["versions"]
    assert ["1.0.0", "1.1.0", "1.0.0", "1.1.0"] == [row["version"] for row in told]


def test_each_version_says_what_it_changed(home: Home, file: Path) -> None:
    """By the texts: a line that came, one that went, an earlier text again."""
    accepted(home, revised(home, file, "Stop the consumers.\nThen drain.\nThen start."))
    accepted(home, revised(home, file, "Stop the consumers."))
    words = ("skills", "history", "locks", "--project", str(home.project))
    told = [row["change_summary"] for row in home.here(*words, "--json").json["versions"]]
    assert ["First recorded", "Added: Then drain. (and 1 more)", "Back to 1.0.0"] == told
    accepted(home, revised(home, file, "Stop."))
    assert "Added: Stop." in home.here(*words, "--adaptation").output


def test_baseline_metrics_are_read_and_written(home: Home, file: Path) -> None:
    """The numbers; words are none."""
    rows = """adaptation:
  version_history:
  - version: "0.9.0"
    timestamp: "2026-02-15T04:00:00Z"
    baseline_metrics: {success_rate: 0.85, stability_gap: 1.5e-1, note: good}
  current_version: "0.9.0"
"""
    file.write_text(TEXT.format(body="x").replace("---\n\n", f"{rows}---\n\n"), "utf-8")
    words = ("skills", "history", "locks", "--project", str(home.project))
    (row,) = home.here(*words, "--json").json["versions"]
    assert {"success_rate": 0.85, "stability_gap": 0.15} == row["baseline_metrics"]
    block = yaml.safe_load(home.here(*words, "--adaptation").output)["adaptation"]
    assert [row["baseline_metrics"]] == [
        each["baseline_metrics"] for each in block["version_history"]
    ]


def test_the_number_that_a_file_tells_is_that_of_its_text(home: Home, file: Path) -> None:
    """In `show` as in `history`; without one it is 1.0.0 in both, and one told twice is another."""
    tells = "---\nname: {}\ndescription: d\nmetadata:\n  version: '2.0'\n---\n\n# L\n"

    def shown() -> str:
        said = home.here("skills", "show", "locks", "--project", str(home.project), "--json")
        return str(said.json["skill"]["version"])

    assert "1.0.0" == shown()
    file.write_text(tells.format("locks"), "utf-8")
    new = home.folder / "new.md"
    new.write_text(tells.format("locks") + "More.\n", "utf-8")
    accepted(home, proposed(home, "revise", "locks", "--text", str(new)))
    assert "2.0" == shown()
    assert [("2.0", "found"), ("2.1.0", "version")] == versions(home)


def test_the_texts_of_a_skill_that_is_gone_are_told(home: Home, file: Path) -> None:
    """Removed or retired; a name of which nothing is recorded is not known."""
    accepted(home, revised(home, file, "Stop the producers."))
    name = proposed(home, "retire", "locks")
    accepted(home, name)
    assert [("1.0.0", "found"), ("1.1.0", "version")] == versions(home)
    at = ("--project", str(home.project))
    said = home.here("skills", "history", "Locks", *at).output
    assert "no file any more" in said and "its file" not in said
    changes = home.here("skills", "diff", "locks", "1.0.0", "1.1.0", *at).output
    assert "+Stop the producers." in changes
    assert "There is no skill" in home.here("skills", "history", "lock", *at).errors
    assert 0 == home.typed("evolve", "undo", name)[0]
    assert "← its file" in home.here("skills", "history", "locks", *at).output


def test_copies_of_one_name_have_each_their_own_texts(home: Home, file: Path) -> None:
    """What another folder's had is told as such, and neither rolled back to nor diffed unasked."""
    accepted(home, revised(home, file, "Stop the producers."))
    other = home.project / ".cursor" / "skills" / "locks" / "SKILL.md"
    other.parent.mkdir(parents=True)
    other.write_text(TEXT.format(body="Wait."), "utf-8")
    aside = file.parent.rename(home.folder / "aside")
    at = ("--project", str(home.project))
    assert "No earlier text" in home.here("skills", "rollback", "locks", *at).errors
    accepted(home, revised(home, other, "Wait longer."))
    rows = home.here("skills", "history", "locks", *at, "--json").json["versions"]
    assert [("1.0.0", True), ("1.1.0", True), ("1.0.0", False), ("1.1.0", False)] == [
        (row["version"], row["elsewhere"]) for row in rows
    ]
    assert "-Wait.\n+Wait longer." in home.here("skills", "diff", "locks", "1.0.0", *at).output
    aside.rename(file.parent)
    said = home.here("skills", "list", *at).output
    assert f"hidden by another of its name: {other}" in said
    assert "+Stop the producers." in home.here("skills", "diff", "locks", "1.0.0", *at).output


def test_a_text_that_is_no_sound_skill_is_refused(home: Home, file: Path) -> None:
    """With the line; nothing is proposed."""
    bad = home.folder / "bad.md"
    bad.write_text("---\nname: other\n---\n", "utf-8")
    words = ("skills", "revise", "locks", "--text", str(bad), "--project", str(home.project))
    said = home.here(*words)
    assert 2 == said.exit_code and "line 2: The name differs" in said.errors
    assert "No proposals" in home.here("evolve", "list").output


def test_a_purged_text_is_in_no_version_and_no_index(home: Home, file: Path) -> None:
    """Every copy in the home goes; the file itself is the person's, and is named."""
    word = "zanzibarquux"
    accepted(home, revised(home, file, f"Stop the {word} producers."))
    assert "locks" in home.here("skills", "search", word, "--project", str(home.project)).output
    assert 0 == home.purge("--text", word).exit_code
    holding = [p for p in home.path.rglob("*") if p.is_file() and word.encode() in p.read_bytes()]
    assert [] == holding
    assert home.here("skills", "history", "locks", "--project", str(home.project)).exit_code == 0
    home.verify()


def test_another_description_leaves_the_rest(home: Home, file: Path) -> None:
    """Comments, unknown keys, line ends and the body stay byte for byte."""
    text = TEXT.format(body="x").replace("---\n\n", "# mine\nversion: 1.0  # ours\n---\n\n")
    file.write_text(text.replace("\n", "\r\n"), "utf-8", newline="")
    before = file.read_bytes()
    accepted(home, proposed(home, "revise", "locks", "--description", "When rows wait --- long"))
    changed = b'description: "When rows wait --- long"'
    assert before.replace(b"description: Frees waiting queues", changed) == file.read_bytes()
    words = ("skills", "revise", "locks", "--project", str(home.project))
    assert 2 == home.here(*words).exit_code


def test_a_new_text_that_is_no_utf_8_is_refused(home: Home, file: Path) -> None:
    """With its file's name; nothing is proposed."""
    enable(home, "database")
    bad = home.folder / "bad.md"
    bad.write_bytes(TEXT.format(body="caf\u00e9").encode("latin-1"))
    for words in (("revise", "locks"), ("merge", "locks", "db-investigator")):
        at = ("--text", str(bad), "--project", str(home.project))
        said = home.here("skills", *words, *at)
        assert 2 == said.exit_code and f"{bad} is no text" in said.errors, said


def test_a_description_is_held_to_the_specification(home: Home, file: Path) -> None:
    """As a whole text is; nothing is proposed."""
    words = ("skills", "revise", "locks", "--project", str(home.project))
    said = home.here(*words, "--description", "long " * 360)
    assert 2 == said.exit_code and "1,024" in said.errors, said
    assert "No proposals" in home.here("evolve", "list").output


def test_a_skill_does_not_go_into_itself(home: Home, file: Path) -> None:
    """However its name is spelt: it would be gone."""
    words = ("skills", "merge", "locks", "Locks", "--text", str(file))
    said = home.here(*words, "--project", str(home.project))
    assert 1 == said.exit_code and "into itself" in said.errors, said
    assert "No proposals" in home.here("evolve", "list").output


def test_what_came_with_a_package_is_changed_as_a_copy_only(home: Home, file: Path) -> None:
    """No change of its files is proposed, nor that it goes into another skill."""
    enable(home, "database")
    seed, at = "db-investigator", ("--project", str(home.project))
    for words in (
        ("retire", seed),
        ("revise", seed, "--description", "Mine."),
        ("merge", "locks", seed, "--text", str(file)),
    ):
        said = home.here("skills", *words, *at)
        assert 1 == said.exit_code and "`learnt skills install`" in said.errors, said
    assert 0 == home.typed("skills", "install", answers=["y"])[0]
    accepted(home, proposed(home, "retire", seed))
    assert (file.parent.parent / seed / "SKILL.md.retired").exists()


def test_no_proposal_writes_into_a_package(home: Home, file: Path) -> None:
    """One that was made all the same cannot be applied, and says why."""
    enable(home, "database")
    skills = home.here("skills", "list", "--json").json["skills"]
    (seed,) = [skill["file"] for skill in skills if skill["name"] == "db-investigator"]
    before = Path(seed).read_bytes()
    retired, merged = Revision(ProposalKind.RETIRE, "x"), Revision(ProposalKind.MERGE, "x", seed)
    for revision, target in ((retired, seed), (merged, file)):
        with opened(Settings(home=home.path)) as outside:
            about = Subject("skill:user:db-investigator")
            name = propose(outside, str(target), about, revision, Actor.AGENT, ())
        shown = home.here("evolve", "show", name, "--json").json
        assert "never written" in shown["proposals"][0]["cannot_apply_here"], shown
    assert before == Path(seed).read_bytes()


def test_a_persons_own_skill_is_revised_for_all_projects(home: Home) -> None:
    """What Learnt did not install is written where it lies, once its person accepts."""
    file = home.config / "skills" / "locks" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT.format(body="Stop the consumers."), "utf-8")
    accepted(home, revised(home, file, "Stop the producers."))
    assert "producers" in file.read_text("utf-8")
