"""Accepting proposals while somebody forges, races, edits, kills, or stands in the way."""

import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial

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
    EVIL,
    FORGED,
    PERSON,
    SLUG,
    TARGET,
    UNSEEN,
    accepted,
    dies,
    files,
    forge,
    missed,
    recorded,
    route,
    skill,
    status,
    typed,
)
from tests.flows.proposing import planned
from tests.support.cases import chosen, first
from tests.support.disks import small_disk
from tests.support.homes import APPROACH, LEARNT, Home
from tests.support.terminal import Terminal


def said_since(terminal: Terminal, seen: int, expected: str) -> bool:
    return expected in terminal.output[seen:]


@contextmanager
def reviewing(home: Home) -> Iterator[Terminal]:
    with home.terminal("review") as terminal:
        terminal.wait_until(partial(said_since, terminal, 0, "(q)uit"), "the keys")
        yield terminal


def press(terminal: Terminal, keys: str, expected: str) -> None:
    terminal.wait_for_line(after=0)
    seen = len(terminal.output)
    terminal.send(f"{keys}\n")
    terminal.wait_until(partial(said_since, terminal, seen, expected), expected)


FORGERIES = {
    "up": "../../x", "up within": "skills/../../x/SKILL.md", "absolute": "/abs/path", "nothing": "",
    "NUL": "skills/a\0b/SKILL.md", "folder leads out": "leads/x/SKILL.md", "no folder": "SKILL.md",
    "file is a link": "skills/final/SKILL.md", "case": "SKILLS/x/SKILL.md",
    "no slug": "skills//x/SKILL.md", "dot": "skills/./x/SKILL.md",
    "long": f"skills/{'x' * 300}/SKILL.md", "unseen": "skills/a\nb\x1b[2J/SKILL.md",
    "edit of nothing": "/abs/path", "edit, NUL": "/abs/a\0b", "edit, long": "/" + "x" * 300,
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_target_is_refused(home: Home, forgery: str) -> None:
    """Exit 1, not a file is written or linked anywhere, and every look at it works."""
    root, out = home.folder / "user" / ".agents", home.folder / "out"
    for folder in (root / "skills" / "final", out):
        folder.mkdir(parents=True)
    (root / "leads").symlink_to(out)
    (root / "skills" / "final" / "SKILL.md").symlink_to(out / "new.md")
    kind = "outside-edit" if forgery.startswith("edit") else "new-skill"
    forge(home, FORGERIES[forgery], kind)
    before = files(home)
    for words in (("list", "--json"), ("show", FORGED), ("show", FORGED, "--json")):
        assert 0 == home.here("evolve", *words).exit_code, words
    code, said = accepted(home, FORGED, "--overwrite")
    assert code in ({1} if kind == "new-skill" else {1, 3, 4, 5}), said
    assert (before, []) == (files(home), home.events(Kind.DECIDED))


def test_what_appeared_since_it_was_shown_is_a_conflict(home: Home) -> None:
    """The seal that `show` prints for no file is refused once there is one, and taken before."""
    name, file = route(home)
    (shown,) = home.here("evolve", "show", name, "--json").json["proposals"]
    seal = ("--yes", "--seen", shown["seal"])
    file.write_text("new\n", "utf-8")
    assert 4 == typed(home, "evolve", "accept", name, *seal)[0]
    assert "new\n" == file.read_text("utf-8")
    file.unlink()
    assert 0 == typed(home, "evolve", "accept", name, *seal)[0]


@pytest.mark.parametrize("change", ["file", "link"])
def test_what_changes_while_review_waits_is_left(home: Home, change: str) -> None:
    """A new text, or a folder that begins to lead out: said so, nothing is decided or written."""
    name, file = route(home, b"# Rules\n")
    with reviewing(home) as terminal:
        if change == "link":
            file.parent.rename(home.folder / "out")
            file.parent.symlink_to(home.folder / "out")
        else:
            file.write_text("# Mine\n", "utf-8")
        press(terminal, "a", "Which file")
        press(terminal, "", "changed since" if change == "file" else "link")
    assert ("pending", False) == (status(home, name), "TODO-agent" in file.read_text("utf-8"))


def test_two_people_accept_at_once(home: Home) -> None:
    """Both confirm: written once, decided once, recorded once; the other hears of it."""
    name = skill(home)
    with ExitStack() as stack:
        new = (home.terminal("evolve", "accept", name) for _ in range(2))
        both = [stack.enter_context(one) for one in new]
        for one in both:
            one.wait_until(partial(said_since, one, 0, "[y/N]"), "the question")
        for one in both:
            one.send("y\n")
        codes = sorted([one.wait_for_exit() for one in both])
    assert codes in ([0, 0], [0, 4]), [one.output for one in both]
    assert (1, 1) == (recorded(home, name, Kind.DECIDED), recorded(home, name, Kind.APPLIED))
    assert APPROACH in (home.project / ".agents" / TARGET).read_text("utf-8")


def test_each_decision_is_taken_once(home: Home) -> None:
    """Twice accepted, undone, rejected, or out of turn: clear words, and one event for each."""
    name = skill(home)
    for word, code, expected in (
        ("undo", 1, "is pending"), ("accept", 0, "applied"), ("accept", 0, "accepted before"),
        ("reject", 1, "not pending"), ("undo", 0, "is removed"), ("undo", 1, "is pending"),
        ("reject", 0, "rejected"), ("reject", 0, "rejected before"), ("accept", 1, "was rejected"),
    ):  # fmt: skip
        done = accepted(home, name) if word == "accept" else typed(home, "evolve", word, name)
        assert (code, True) == (done[0], expected in done[1]), (word, done)
    assert ["accepted", "undone", "rejected"] == [e["verdict"] for e in home.events(Kind.DECIDED)]
    assert not (home.project / ".agents" / TARGET).exists()


OURS = "WHERE subject LIKE 'proposal:%'"
EDITS = {
    "proposed deleted": "DELETE FROM events WHERE kind = 'proposed'",
    "decided deleted": "DELETE FROM events WHERE kind = 'decided'",
    "verdict": f"UPDATE events SET payload = json_set(payload, '$.verdict', 'maybe') {OURS}",
    "kind": f"UPDATE events SET payload = json_set(payload, '$.kind', 'evil') {OURS}",
    "no JSON": f"UPDATE events SET payload = 'x' {OURS}",
    "views deleted": f"DELETE FROM views {OURS}",
    "view's status": f"UPDATE views SET state = json_set(state, '$.status', 'evil') {OURS}",
    "texts deleted": "DELETE FROM contents WHERE kind <> 'problem'",
}


@pytest.mark.parametrize("edit", chosen(EDITS, "verdict", "no JSON", "texts deleted"))
def test_an_edited_history_is_no_traceback(home: Home, edit: str) -> None:
    """Whatever was deleted or altered in the file: clear words, and `rebuild --verify` tells."""
    name, file = skill(home), home.project / ".agents" / TARGET
    accepted(home, name)
    with closing(sqlite3.connect(home.path / "ledger.db", isolation_level=None)) as ledger:
        assert ledger.execute(EDITS[edit]).rowcount > 0
    text = file.read_text("utf-8")
    for words in ("list", f"show {name}", "stats"):
        assert home.here("evolve", *words.split()).exit_code in {0, 1, 3, 5}
    told = home.here("rebuild", "--verify")
    assert edit == "texts deleted" or told.exit_code in {1, 5}, told
    for done in (accepted(home, name), typed(home, "evolve", "undo", name)):
        assert done[0] in {0, 1, 3, 4, 5}
    assert not file.exists() or text == file.read_text("utf-8")
    for words in ("evolve analyze", "rebuild"):
        assert home.here(*words.split()).exit_code in {0, 5}


@pytest.mark.parametrize("how", first(1, ["marked", "yes piped", "no terminal", "output piped"]))
def test_an_agent_accepts_nothing(home: Home, how: str) -> None:
    """Exit 1 whatever it types and passes; no event of a decision; nothing is written."""
    name = skill(home)
    before = files(home)
    for words in (("evolve", "accept", name, "--yes"), ("evolve", "accept", name), ("review",)):
        if how in {"no terminal", "yes piped"}:
            fed = "" if how == "no terminal" else "y\na\n" * 1_000
            assert 1 == home.cli(*words, stdin=fed).exit_code
            continue
        pipe = "" if how == "marked" else "| cat"
        shell = ["/bin/sh", "-c", f'("$@"; echo "code $?") {pipe}', "sh", str(LEARNT), *words]
        env = {**home.environment, "CLAUDECODE": "1" if how == "marked" else ""}
        with Terminal(shell, env=env, cwd=home.project) as terminal:
            terminal.wait_for_exit()
            assert "code 1" in terminal.output
    assert (before, []) == (files(home), home.events(Kind.DECIDED))


# Each moment and each finisher once; `make test-all` has all their pairs.
KILLS = {
    "before write": ("evolve accept",),
    "after write": ("evolve analyze", "doctor"),
    "after link": ("review",),
}


@pytest.mark.parametrize(
    ("moment", "finisher"),
    [
        pytest.param(moment, finisher, marks=() if finisher in quick else pytest.mark.slow)
        for moment, quick in KILLS.items()
        for finisher in ("evolve analyze", "review", "evolve accept", "doctor")
    ],
)
def test_a_kill_while_accepting_is_finished_once(home: Home, moment: str, finisher: str) -> None:
    """Between decision, file, link and record: the next call ends it, and exactly once."""
    name, root = skill(home), home.folder / "root"
    dies(home, name, moment, root)
    assert (1, 0) == (recorded(home, name, Kind.DECIDED), recorded(home, name, Kind.APPLIED))
    for _ in range(2):
        typed(home, *finisher.split(), *[name] * finisher.endswith("accept"))
    assert ("applied", 1) == (status(home, name), recorded(home, name, Kind.APPLIED))
    assert APPROACH in (root / TARGET).read_text("utf-8")
    assert (root / TARGET).parent == (home.folder / "links" / SLUG).resolve()
    home.verify()


@pytest.mark.parametrize(
    "moment", first(1, ["before write, edited", "before write", "undo: after write"])
)
def test_undo_ends_what_a_kill_left_of_an_overwriting(home: Home, moment: str) -> None:
    """Killed before the new text, or after the old one was put back: undo keeps the old text."""
    name, root = skill(home), home.folder / "root"
    file = root / TARGET
    file.parent.mkdir(parents=True)
    file.write_text("mine\n", "utf-8")
    words = (name, "--root", str(root), "--overwrite")
    if moment.startswith("undo"):
        assert 0 == accepted(home, *words)[0]
    dies(home, name, moment.removesuffix(", edited"), root)
    if moment.endswith("edited"):
        file.write_text("mine too\n", "utf-8")
        assert 4 == accepted(home, *words)[0]
    before = files(home)
    code, said = typed(home, "evolve", "undo", name)
    assert (0, "pending", before) == (code, status(home, name), files(home)), said


def test_a_place_that_cannot_be_written_waits(home: Home) -> None:
    """Exit 5, accepted, and every call says so; once it can be written, the next call does."""
    name, root = skill(home), home.folder / "root"
    root.mkdir()
    (root / "skills").write_text("in the way", "utf-8")
    words = (name, "--root", str(root))
    assert (5, "accepted") == (accepted(home, *words)[0], status(home, name))
    for looked in (("evolve", "analyze"), ("review",)):
        assert str(root) in typed(home, *looked)[1], looked
    (root / "skills").unlink()
    code, said = accepted(home, *words)
    assert (0, True) == (code, (root / TARGET).is_file())
    assert "Nothing was written" not in said


@pytest.mark.parametrize("what", first(1, ["link", "folder", "dangling link"]))
def test_what_stands_where_the_link_would_go_is_kept(home: Home, what: str) -> None:
    """The skill is written beside it, it is said that nothing was linked, and undo keeps it."""
    name, place = skill(home), home.project / ".claude" / "skills" / SLUG
    place.parent.mkdir(parents=True)
    if what == "folder":
        place.mkdir()
        (place / "SKILL.md").write_text("mine", "utf-8")
    else:
        place.symlink_to(home.folder / ("user" if what == "link" else "nowhere"))
    before = files(home)
    code, said = accepted(home, name)
    assert (0, True) == (code, "not linked" in said), said
    assert 0 == typed(home, "evolve", "undo", name)[0]
    assert before == files(home)


@pytest.mark.parametrize(
    "source", first(2, ["forged", "cloned skill", "rules file", "edited skill"])
)
def test_a_terminal_gets_no_control_characters(home: Home, source: str) -> None:
    """Escapes, and what hides or reverses text, are never printed as they are."""
    name = FORGED
    if source == "forged":
        forge(home, f"skills/{EVIL}/SKILL.md", text=f"---\n{EVIL}\r{'x' * 5_000}\n")
    elif source == "rules file":
        name = route(home, f"# Rules\n{EVIL}\n".encode())[0]
    else:
        name, file = skill(home), home.project / ".claude" / "skills" / "cloned" / "SKILL.md"
        if source == "edited skill":
            accepted(home, name)
            file = home.project / ".agents" / TARGET
        file.parent.mkdir(parents=True, exist_ok=True)
        claim = 'metadata: {learnt-proposal: "\\e[2J\\a\\u202e\\x9b"}'
        file.write_text(EVIL if source == "edited skill" else f"---\n{claim}\n---\n", "utf-8")
    looks = (("analyze",), ("list",), ("show", name), ("show", name, "--json"))
    said = "".join(typed(home, "evolve", *words)[1] for words in looks)
    with reviewing(home) as terminal:
        press(terminal, "q", "still wait")
        assert [] == UNSEEN.findall(said + terminal.output)


@pytest.mark.slow
def test_ten_thousand_misses_are_analyzed_in_time(home: Home) -> None:
    """Under fifteen seconds, with words that many prompts share."""
    missed(home, (
        " ".join(f"word{(n * step * step + n // 7) % 40}x" for step in range(1, 13)) + f" q{n}z"
        for n in range(10_000)
    ))  # fmt: skip
    began = time.monotonic()
    assert 0 == home.cli("evolve", "analyze").exit_code
    assert time.monotonic() - began < 15


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
