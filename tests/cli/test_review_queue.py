"""`learnt review` is one queue, the worst first, with one way to decide, edit, merge and undo."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.homes import Home
from tests.support.waiting import OTHER, SEVEN, dispute

KEPT = ("knowledge", "capture", "--kind", "schema")
ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
RULE = ("knowledge", "capture", "--kind", "business_rule")


def stages(home: Home) -> dict[str, str]:
    """How far each entry has come, by its text."""
    found = home.here("recall", "-k", "9", "--json").json["entries"]
    return {entry["text"]: entry["stage"] for entry in found}


def test_candidates_are_shown_to_whoever_asks(home: Home) -> None:
    """To an agent with what a person does; nothing is decided by it."""
    home.here(*KEPT, ROOM)
    said = home.here("review")

    assert 0 == said.exit_code
    assert ROOM in said.output
    assert "1 wait. Only a person at a terminal decides" in said.output
    assert "Nothing waits" not in said.output
    assert ["candidate"] == list(stages(home).values())


def test_a_person_vouches_for_one_and_retires_another(home: Home) -> None:
    """One after the other, the newest first; what is left alone waits on."""
    texts = [
        ROOM,
        "db7 listens on 6432, not 5432: a pool",
        "t_order.created_at is local time, not UTC",
    ]
    for text in texts:
        home.here(*KEPT, text)
    said = home.here("review", typed="v\nr\ns\n")

    assert 0 == said.exit_code, said.output
    assert "is validated." in said.output and "is retired." in said.output
    assert {texts[2]: "validated", texts[0]: "candidate"} == stages(home)


def test_a_dispute_comes_first(home: Home) -> None:
    """Both sides are shown; the answer settles it."""
    dispute(home)
    asked = home.here("knowledge", "query", "booking", "status", "7").output
    assert 2 == asked.count("VERIFY 1.00")

    shown = home.here("review")  # to an agent
    assert (1, False) == (shown.exit_code, "Nothing waits" in shown.output)
    said = home.here("review", typed="2\n")

    assert SEVEN in said.output and OTHER in said.output
    assert {OTHER: "validated"} == stages(home)
    assert "Nothing is in dispute." in home.here("knowledge", "disputes").output


def test_the_second_of_two_terminals_is_told(home: Home) -> None:
    """That the dispute was settled meanwhile, and how; nothing is changed by its answer."""
    dispute(home)
    [pair] = home.here("knowledge", "disputes", "--json").json["disputes"]
    with home.terminal("review") as second:
        second.wait_for_line(after=0)
        assert 0 == home.here("review", typed="1\n").exit_code
        second.send("2\n")
        assert 0 == second.wait_for_exit()

    assert (
        f"{pair['newer']} is retired, {pair['older']} is validated. Nothing was changed."
        in " ".join(second.output.split())
    )
    assert {SEVEN: "validated"} == stages(home)
    late = home.here("knowledge", "settle", pair["newer"], "--over", pair["older"], typed="")
    assert (4, True) == (late.exit_code, "was settled meanwhile" in late.errors)
    assert {SEVEN: "validated"} == stages(home)


def test_notes_that_read_as_rules_are_shown_whole_and_decided_at_once(home: Home) -> None:
    """To an agent as well, who cannot decide; accepted by one key and taken back by another."""
    texts = [
        f"We always {deed}"
        for deed in "oil bolts,wash vans,sort mail,bake bread,mow lawns,\
feed pigeons,trim hedges".split(",")
    ]
    for text in texts:
        home.here(*RULE, text, typed="")
    shown = home.here("review")
    assert 0 == shown.exit_code and all(text in shown.output for text in texts)
    assert "1 group(s) of notes that read as rules wait" in home.here("status").output
    [item] = home.here("review", "--json").json["items"]
    assert ("rules", ["accept", "reject"]) == (item["sort"], item["choices"])

    assert "7 of 7 notes are rules now." in home.here("review", typed="a\nu\ns\n").output
    assert home.here("review", "--json").json["items"][0]["parts"] == item["parts"]
    assert "7 of 7 notes stay as they are." in home.here("review", typed="r\n").output
    assert [] == home.here("review", "--json").json["items"]


def test_a_word_counts_only_as_a_whole(home: Home) -> None:
    """`help` explains every key and is not taken for (h)olds; what is no key is said to be none."""
    (home.project / "a.py").write_text("limit = 10\n", "utf-8")
    home.here("knowledge", "capture", ROOM, "--cite", "a.py", typed="")
    (home.project / "a.py").write_text("other = 'words'\n", "utf-8")
    said = home.here("review", typed="hxyz\nhelp\n?\nskip\n")

    assert "hxyz is no key here." in said.output
    assert 2 == said.output.count("h, holds: ") == said.output.count("q, quit: ")
    assert "holds, as new" not in said.output
    assert "holds, as new" in home.here("review", typed="HOLDS\n").output


VAGUE = "Be careful with it"
Editor = Callable[[str], str]


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    """An editor that puts a text in the place of what it is given."""

    def made(text: str) -> str:
        new = tmp_path / "new.md"
        new.write_text(text, "utf-8")
        return f"cp {new}"

    return made


def test_a_settled_dispute_is_taken_back(home: Home) -> None:
    """At the end of the review as well: it is asked about again, and both sides are there."""
    dispute(home)
    said = home.here("review", typed="1\nu\ns\n")

    assert "That was all." in said.output and 2 == said.output.count("1 of 1: in dispute"), said
    assert "0 decided, 1 still wait." in said.output
    assert {SEVEN: "validated", OTHER: "validated"} == stages(home)


def test_the_last_decision_is_undone_whatever_its_sort(home: Home) -> None:
    """A dispute, then a candidate: `u` twice takes both back, a third time there is nothing."""
    dispute(home)
    home.here(*KEPT, ROOM)
    home.here(*KEPT, "t_order.created_at is local time, not UTC")
    said = home.here("review", typed="1\nr\nu\nu\nu\nq\n")

    assert 2 == said.output.count("waits for a decision again"), said
    assert "Nothing was decided in this review" in said.errors
    assert {SEVEN: "validated", OTHER: "validated"}.items() <= stages(home).items()
    assert "candidate" == stages(home)[ROOM]
    assert 1 == len(home.here("knowledge", "disputes", "--json").json["disputes"])
    asked = home.here("knowledge", "query", "booking", "status", "7").output
    assert 2 == asked.count("VERIFY 1.00")
    home.verify()


def test_one_side_is_put_right(home: Home, editor: Editor) -> None:
    """Which settles the dispute; the other side is as it was."""
    dispute(home)
    right = "Booking status 8 means the room is under repair"
    said = home.here("review", typed="e\n2\n", editor=editor(right))

    assert {SEVEN: "validated", right: "validated"} == stages(home), said
    assert "Nothing is in dispute." in home.here("knowledge", "disputes").output


@pytest.mark.parametrize(("stays", "left"), [("1", SEVEN), ("e", "Status 7: no guest, or repair")])
def test_two_sides_are_made_one(home: Home, editor: Editor, stays: str, left: str) -> None:
    """With one of the texts, or one that is written of both."""
    dispute(home)
    said = home.here("review", typed=f"m\n{stays}\n", editor=editor(left))

    assert {left: "validated"} == stages(home), said
    home.verify()


def test_an_editor_that_fails_leaves_the_dispute(home: Home) -> None:
    """The question stands again."""
    dispute(home)
    said = home.here("review", typed="e\n1\nm\ne\ns\n", editor="false")

    assert 2 == said.errors.count("The editor left nothing to be read"), said
    assert 1 == len(home.here("knowledge", "disputes", "--json").json["disputes"])


def test_words_kept_as_they_stand_come_last(home: Home) -> None:
    """With what the gates had against them; accepted they are not asked about again."""
    home.here("remember", VAGUE, typed="")
    home.here(*KEPT, ROOM)
    assert "1 candidate(s), 1 kept as it stands wait for you" in home.here("status").output

    said = home.here("review", typed="s\n?\na\n")

    assert "2 of 2: kept as it stands" in said.output, said
    assert "kept as it stands: it " in said.output and "a, accept: " in said.output
    assert {"candidate": 1} == home.here("status", "--json").json["waiting"]


def test_an_import_of_an_agents_is_taken_as_a_whole(home: Home) -> None:
    """Or looked at piece by piece; undone it waits as a whole again."""
    facts = ["The cache lives in redis 7", "Invoices are numbered per year"]
    lines = "".join(json.dumps({"text": fact}) + "\n" for fact in facts)
    (home.project / "facts.jsonl").write_text(lines, "utf-8")
    home.here("import", "facts.jsonl", "--yes")

    shown = home.here("review", "--json").json["items"]
    assert [("import", 2)] == [(item["sort"], len(item["parts"])) for item in shown]
    said = home.here("review", typed="o\nv\nu\nq\n")
    assert "1 of 2: a candidate" in said.output and "again" in said.output, said
    assert ["candidate"] * 2 == list(stages(home).values())
    assert "2 of 2 pieces are validated" in home.here("review", typed="t\n").output
    assert ["validated"] * 2 == list(stages(home).values())


def test_the_queue_is_told_to_programs(home: Home) -> None:
    """In its order, each with its worth, reasons and choices; the counts of `status` agree."""
    dispute(home)
    home.here(*KEPT, ROOM)
    told = home.here("review", "--json")
    items = told.json["items"]

    assert ["dispute", "candidate"] == [item["sort"] for item in items]
    assert items[0]["worth"] > items[1]["worth"]
    assert ["accept", "both", "edit", "merge"] == items[0]["choices"]
    assert [SEVEN, OTHER] == [part["text"] for part in items[0]["parts"]]
    assert "found" not in items[0]
    assert {"dispute": 1, "candidate": 1} == home.here("status", "--json").json["waiting"]


def test_a_draft_is_edited_before_it_is_accepted(home: Home, editor: Editor) -> None:
    """It is shown again with the new text, and what is written is that."""
    home.remember()
    for session in ("s1", "s2", "s3"):
        assert home.told(session=session)
    home.here("evolve", "analyze")
    [draft] = home.here("evolve", "list", "--json").json["proposals"]
    text = draft["content"].replace("vendored zulu", "vendored temurin")
    said = home.here("review", typed="e\na\nq\n", editor=editor(text))

    assert f"{draft['id']} has your text, and waits on" in said.output, said
    [done] = home.here("evolve", "list", "--json").json["proposals"]
    assert "applied" == done["status"]
    assert "vendored temurin" in Path(done["path"]).read_text("utf-8")
    assert done["rationale"].endswith("; you wrote this text")
