"""`learnt knowledge relate`, `unrelate` and `tidy`, and the tool `relate`, as they are called."""

import json

from learnt.core.identifiers import EntryId, handle
from tests.support.homes import Home
from tests.support.mcp_client import SESSION, served, served_here

OLD, NEW = "The debug console listens on port 9229", "The debug console listens on port 9230"


def kept(home: Home, text: str) -> str:
    """A note that its person typed on a terminal."""
    said = home.here("knowledge", "capture", "--kind", "tool_experience", text, "--json", typed="")
    return str(said.json["id"])


def test_what_an_agent_proposes_names_the_notes_near_to_it(home: Home) -> None:
    """By handle and text, so that it can say how they stand; the answer says what it did."""
    old = kept(home, OLD)
    with served_here(home) as server:
        said = server("propose", text=NEW, kind="tool_experience", evidence="").typed
        if said["verdict"] == "reject":  # a fact of an agent's alone may be of no worth
            new = kept(home, NEW)
        else:
            assert [{"id": handle(EntryId(old)), "text": OLD}] == said["unsure"]
            new = said["id"]
        names = {"new": handle(EntryId(new)), "old": handle(EntryId(old))}
        done = server("relate", **names, relation="contradicts").typed
        assert ("disputed", new, old) == (done["outcome"], done["newer"], done["older"])
        assert f"learnt knowledge unrelate {names['new']} {names['old']}" == done["undo"]
        again = server("relate", **names, relation="contradicts").typed
        assert ("known", False) == (again["outcome"], "undo" in again)
        assert "Both are the same note" in server("relate", new=new, old=new, relation="same").text
        assert "is called zzzzz" in server("relate", new="zzzzz", old=old, relation="same").text
    assert 1 == len(home.here("knowledge", "disputes", "--json").json["disputes"])
    home.verify()


def test_what_was_typed_in_a_session_supersedes_in_that_session(home: Home) -> None:
    """A hook saw the call in it; the same answer without that is a dispute. The screen says so."""
    home.start_worker()
    for text in (OLD, NEW):
        home.fire("SessionStart", home.payload("SessionStart", SESSION, source="startup"))
        home.prompt(f"remember: {text}", SESSION)
        home.drained()
    entries = home.here("knowledge", "freshness", "--json").json["entries"]
    ids = {entry["text"]: EntryId(entry["id"]) for entry in entries}
    names = {"new": handle(ids[NEW]), "old": handle(ids[OLD]), "relation": "contradicts"}
    call = {"tool_name": "mcp__learnt__relate", "tool_use_id": "toolu_1", "tool_input": names}
    home.fire("PreToolUse", home.payload("PreToolUse", SESSION, **call))
    with served(home) as server:
        done = server.called("toolu_1", "relate", **names)
    assert ("superseded", ids[OLD]) == (done["outcome"], done["older"])
    told = home.prompt("and now the linter", SESSION)
    assert f'Learnt replaced "{OLD}" with "{NEW}"; to take it back: {done["undo"]}' in told.notice


def test_a_person_takes_back_what_an_agent_said(home: Home) -> None:
    """With the command that the answer named; an agent may not."""
    old, new = kept(home, OLD), kept(home, NEW)
    said = home.here("knowledge", "relate", handle(EntryId(new)), old, "contradicts")
    assert "are in dispute: `learnt review` asks the user which one holds." in said.output
    back = ("knowledge", "unrelate", handle(EntryId(new)), handle(EntryId(old)))
    refused = home.here(*back)
    assert (1, True) == (refused.exit_code, "Only a person may decide" in refused.errors)
    assert "is undone." in home.here(*back, typed="").output
    assert [] == home.here("knowledge", "disputes", "--json").json["disputes"]
    assert 3 == home.here(*back, typed="").exit_code
    assert 1 == home.here("status", "--json").json["suspicions_here"]


def test_a_person_who_says_that_it_contradicts_retires_the_older(home: Home) -> None:
    """It is a note of theirs, and they sit at the terminal."""
    old, new = kept(home, OLD), kept(home, NEW)
    said = home.here("knowledge", "relate", new, old, "contradicts", typed="")
    assert f"[{handle(EntryId(new))}] replaces [{handle(EntryId(old))}]" in said.output
    assert "9229" not in home.told("on which port does the debug console listen?")
    home.here("knowledge", "unrelate", new, old, typed="")
    assert "9229" in home.told("on which port does the debug console listen?", "s2")


def test_a_note_of_a_suspected_pair_names_the_other(home: Home) -> None:
    """In one short line; neither is trusted less."""
    old, new = kept(home, OLD), kept(home, NEW)
    told = json.loads(home.told("on which port does the debug console listen?"))
    text = told["hookSpecificOutput"]["additionalContext"]
    assert f'may conflict with [{handle(EntryId(old))}] "{OLD}"' in text
    assert f'may conflict with [{handle(EntryId(new))}] "{NEW}"' in text
    assert 2 == text.count(" TRUST ") and " VERIFY " not in text.partition("\n")[2]


def test_a_batch_is_shown_and_then_there_is_none(home: Home) -> None:
    """For an agent to relate, as text and as JSON."""
    assert "No pairs of notes are left to compare." in home.here("knowledge", "tidy").output
    old, new = kept(home, OLD), kept(home, NEW)
    shown = home.here("knowledge", "tidy")
    assert f"{handle(EntryId(new))} {NEW}\n{handle(EntryId(old))} {OLD}" in shown.output
    (pair,) = home.here("knowledge", "tidy", "--json").json["pairs"]
    assert {
        "new": handle(EntryId(new)), "old": handle(EntryId(old)), "new_text": NEW, "old_text": OLD,
        "suspected": "contradicts",
    } == pair  # fmt: skip
    home.here("knowledge", "relate", pair["new"], pair["old"], "different")
    assert [] == home.here("knowledge", "tidy", "--json").json["pairs"]
