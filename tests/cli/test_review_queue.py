"""`learnt review` is one queue, the worst first, with one way to decide, edit, merge and undo."""

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
