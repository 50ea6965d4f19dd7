"""One sentence is enough to be remembered; what it is, is guessed and said."""

from pathlib import Path

import pytest

from learnt.core.digest.lessons import kind_of
from tests.support.homes import Home

PORT = "The staging gateway listens on port 8443"


def kept(home: Home) -> list[str]:
    """What is remembered."""
    return [entry["text"] for entry in home.here("recall", "--json").json["entries"]]


def test_one_sentence_is_enough(home: Home) -> None:
    """A person's, validated, and told as what it was taken for."""
    said = home.here("remember", PORT, typed="")

    assert 0 == said.exit_code, said.output
    assert "for this project, as a tool experience." in said.output
    assert [PORT] == kept(home)


def test_without_anything_a_person_is_asked(home: Home) -> None:
    """For a sentence, or a problem and what worked."""
    assert 0 == home.here("remember", typed=f"{PORT}\n").exit_code
    solved = home.here("remember", typed="\nThe proxy drops uploads\nRaise its body limit\n")

    assert 0 == solved.exit_code, solved.output
    assert ["The proxy drops uploads\nRaise its body limit", PORT] == kept(home)


@pytest.mark.parametrize("words", [(), ("--problem", "x y"), (PORT, "--approach", "x y")])
def test_half_of_a_solution_is_refused(home: Home, words: tuple[str, ...]) -> None:
    """With what to give; nothing is kept."""
    said = home.here("remember", *words)

    assert (2, True) == (
        said.exit_code,
        "Give one sentence, or --problem and --approach" in said.errors,
    )


def test_the_kind_of_a_fact_is_guessed(home: Home) -> None:
    """And said, with how to name another."""
    said = home.here("knowledge", "capture", "Invoices must never be deleted once sent", typed="")

    assert "Taken for a business_rule; --kind says otherwise." in said.output


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The default branch is develop", ""),
        ("The API retries a failed call 3 times", ""),
        ("be careful", "it says nothing"),
        ("SELECT * FROM t_booking WHERE id = ?", "it is"),
        ("Always test your code", "it is an order to whoever reads it"),
        ("We should perhaps move to Redis some day, to be discussed", "it is"),
        ("Query pattern: find bookings: SELECT * FROM t_booking WHERE guest_id = ?", "it is"),
    ],
)
@pytest.mark.parametrize("by", [("remember",), ("knowledge", "capture")])
def test_a_persons_own_words_are_not_refused_for_their_worth(
    home: Home, by: tuple[str, ...], text: str, why: str
) -> None:
    """They are kept as they stand, with the reason."""
    said = home.here(*by, text, typed="")

    assert 0 == said.exit_code, said
    assert f"kept as it stands: {why}" in said.output.casefold() or not why
    assert [text] == kept(home)


@pytest.mark.parametrize(
    ("text", "why"), [("the", "it says nothing"), ("be careful " * 1_500, "too long")]
)
def test_what_is_empty_or_too_long_is_refused_of_a_person_as_well(
    home: Home, text: str, why: str
) -> None:
    """With the reason; nothing is kept."""
    said = home.here("remember", text, typed="")

    assert (1, True) == (said.exit_code, why in said.errors), said
    assert [] == kept(home)


def test_an_agents_words_are_judged_as_before(home: Home) -> None:
    """What says nothing is none of the knowledge that it may offer."""
    assert 1 == home.here("remember", "be careful").exit_code


@pytest.mark.parametrize(
    "query",
    [
        "Open invoices: SELECT * FROM invoices WHERE paid_at IS NULL",
        "select count(*) from rooms where status = 7 counts the blocked rooms",
        "Release a room with UPDATE rooms SET status = 1 WHERE room_no = ?",
    ],
)
def test_what_reads_like_a_query_is_taken_for_one(home: Home, query: str) -> None:
    """Of a sentence that `remember` is given as of one that `capture` is."""
    assert "as a query pattern." in home.here("remember", query, typed="").output
    assert "query_pattern" == kind_of(query)


def test_prose_that_selects_and_updates_is_no_query() -> None:
    """The same words, without a sign of a statement."""
    assert "tool_experience" == kind_of("We select a room from the list of the front desk")


def test_a_sentence_without_words_is_refused(home: Home) -> None:
    """Rather than asked for as if none had been given."""
    said = home.here("remember", "  ", typed="")

    assert (2, True) == (said.exit_code, "Nothing was remembered." in said.errors)


def test_a_folder_that_is_not_there_is_named(home: Home) -> None:
    """By every command that takes one: nothing is answered of a project that nobody has."""
    said = home.here("recall", "gateway", "--project", "/nowhere/at/all")

    assert 2 == said.exit_code
    assert "/nowhere/at/all" in said.errors and "does not exist" in said.errors


def test_a_folder_that_was_never_seen_is_told(home: Home, tmp_path: Path) -> None:
    """Where nothing is found in it, so that it is not taken for a project without that note."""
    home.here("remember", PORT, typed="")
    elsewhere, here = tmp_path / "other", home.here("recall", "zebra")
    elsewhere.mkdir()
    told = home.here("recall", "gateway", "--project", str(elsewhere))

    assert (1, 1) == (told.exit_code, here.exit_code)
    assert "Learnt has not seen this folder before" in told.output
    assert "not seen this folder" not in here.output


def test_status_tells_a_homes_counts_from_a_projects(home: Home, tmp_path: Path) -> None:
    """Each under its own heading."""
    home.here("remember", PORT, typed="")
    elsewhere = tmp_path / "other"
    elsewhere.mkdir()
    told = home.here("status", "--project", str(elsewhere)).output

    whole, own = told.split("In this project\n")
    assert whole.startswith("In this home, of all projects\n") and "1 validated" in whole
    assert "0 hold here" in own and "0 validated" in own


def test_a_purge_names_what_it_leaves_before_it_asks(home: Home) -> None:
    """The files with copies that it may not erase; nothing goes without the phrase."""
    home.here("remember", PORT, typed="")
    page = home.project / "notes.md"
    page.write_text(PORT, encoding="utf-8")
    said = home.here("purge", "--text", PORT, typed="no\n")
    everything = said.errors + said.output

    assert 1 == said.exit_code
    assert f"every copy in {home.path}, in the ledger" in everything
    assert everything.index(str(page)) < everything.index("Type `purge text`")
    assert [PORT] == kept(home)


def test_a_setting_that_nothing_reads_is_named(home: Home) -> None:
    """With what may be meant; all else works as before."""
    home.install()
    (home.path / "config.toml").write_text("[recall]\nat_fles = true\n[recal]\n", encoding="utf-8")
    probes = home.here("doctor", "--json").json["probes"]
    (probe,) = (probe for probe in probes if probe["name"] == "settings")

    assert "warning" == probe["level"]
    assert "[recall] at_fles (it has at_files, " in probe["said"] and "[recal] (" in probe["said"]


@pytest.mark.parametrize("value", ['"model.onnx"', '""', "3"])
def test_a_setting_of_a_removed_feature_does_no_harm(home: Home, value: str) -> None:
    """Whatever its value: one line names it, and no command is refused or exits otherwise."""
    home.here("init")
    (home.path / "config.toml").write_text(f"[language]\njudge = {value}\n", encoding="utf-8")
    doctor, other = home.here("doctor"), home.here("status")
    line = "`[language] judge` names a feature that was removed; it has no effect. Delete the line."

    assert [line in said for said in doctor.output.splitlines()].count(True) == 1
    assert "what nothing reads" not in doctor.output
    assert (doctor.exit_code, other.exit_code) == (0, 0)


def test_recall_says_what_to_do_with_what_it_found(home: Home) -> None:
    """Answer from it, or see whether it bears; of nothing there is nothing to be done."""
    home.here("remember", "the staging gateway listens on port 8443", typed="")

    sure = home.here("recall", "on which port does the staging gateway listen").output
    assert "What is trusted here may be answered from; name its id." in sure
    unsure = home.here("recall", "gateway of the printer upstairs").output
    assert "None of these surely answers it" in unsure
    newest, nothing = home.here("recall").output, home.here("recall", "zebra").output
    assert "answer" not in newest and "answer" not in nothing


def test_what_is_pasted_behind_the_first_line_is_of_it(home: Home) -> None:
    """Of a sentence and of an answer to a question: no shell is given the rest."""
    pasted = "the staging gateway listens on 8443\nand its broker on 5672"
    code, said = home.typed("remember", answers=[pasted])
    (kept,) = home.here("recall", "-k", "9", "--json").json["entries"]

    assert (0, pasted) == (code, kept["text"]), said
    code, said = home.typed(
        "remember", answers=["", "Uploads drop\nbehind the proxy", "Raise its limit\nand restart"]
    )
    (latest, _) = home.here("recall", "-k", "9", "--json").json["entries"]
    assert ("Uploads drop\nbehind the proxy", "Raise its limit\nand restart") == (
        latest["problem"], latest["approach"]
    ), said  # fmt: skip
