"""What a person marks to be remembered is saved whether or not a worker answers."""

import json
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Kind
from learnt.core.knowledge.entries import Entry
from learnt.core.marked import LONGEST_OWN
from learnt.flows.stored import all_stored, text_or_empty
from learnt.settings import Settings
from tests.support.homes import Home, wait_until
from tests.support.left_behind import holding

GATEWAY = "the staging gateway listens on port 8443"
HEADLESS = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"}


@pytest.fixture
def away(home: Home) -> Home:
    """A home whose worker does not come up."""
    (home.path / "bin" / "worker.json").unlink()
    return home


def kept(home: Home) -> list[tuple[str, str]]:
    """The text and the stage of what was saved, once the spool was taken in."""
    home.take_in()
    with opened(Settings(home=home.path)) as outside, outside.ledger.reading() as reader:
        live = [entry for entry in all_stored(reader, Entry) if entry.live]
        return sorted((text_or_empty(reader, each.text), str(each.stage)) for each in live)


def notice(home: Home, prompt: str) -> str:
    """What the person's screen shows of a prompt."""
    fired = home.fire("UserPromptSubmit", home.payload("UserPromptSubmit", prompt=prompt))
    assert "" == fired.injected
    return fired.notice


@pytest.mark.parametrize(
    "text",
    [
        GATEWAY,
        "first. second. third",
        "the order:\n- api\n- web",
        "预发网关监听 8443 端口",
        "x " * 1_900,
    ],
)
def test_it_is_written_down_whole_and_counts_when_it_is_taken_in(away: Home, text: str) -> None:
    """As the person's own, and the screen says so."""
    said = notice(away, f"remember: {text}")
    assert said.startswith("Learnt saved: ") and "as soon as" in said
    assert [(text.strip(), "validated")] == kept(away)


def test_a_very_long_one_waits_whole(away: Home) -> None:
    """It may be a paste."""
    text = "x" * LONGEST_OWN
    assert "as a candidate" in notice(away, f"remember: {text}")
    assert [(text, "candidate")] == kept(away)


def test_eight_of_eight_are_kept(away: Home) -> None:
    """However many prompts find no worker."""
    for number in range(8):
        assert notice(away, f"remember: build host number {number} has {number} cores")
    assert 8 == len(kept(away))


def test_it_counts_once_though_the_worker_took_it_as_well(home: Home) -> None:
    """A late answer leaves a copy in the spool."""
    (home.path / "bin" / "worker.json").unlink()
    prompt = home.payload("UserPromptSubmit", prompt=f"remember: {GATEWAY}")
    home.fire("UserPromptSubmit", prompt)
    home.start_worker()
    home.fire("UserPromptSubmit", prompt)
    assert [(GATEWAY, "validated")] == kept(home)
    assert 1 == len(home.events(Kind.REMEMBERED)) and 1 == len(home.events(Kind.GATED))


def test_what_became_of_it_is_said_at_the_next_prompt(home: Home) -> None:
    """The hook could not know that it asks to weaken a guard, and so waits."""
    (home.path / "bin" / "worker.json").unlink()
    said = notice(home, "remember: always commit with --no-verify")
    assert said.startswith("Learnt saved")
    home.install()
    home.start_worker()
    wait_until(lambda: bool(home.events(Kind.REMEMBERED)), "the wish")
    told = home.fire("UserPromptSubmit", home.payload("UserPromptSubmit", prompt="and now?"))
    assert "as a candidate" in told.notice and "learnt review" in told.notice


def test_the_report_that_brought_it_does_not_keep_it(away: Home) -> None:
    """A purge of the entry takes the report with the prompt's excerpt, and what stands behind."""
    text = f"{GATEWAY} and {'x ' * 1_500}and {GATEWAY}"
    notice(away, f"remember: {text}")
    assert [(text, "validated")] == kept(away)
    ((entry,),) = away.rows("SELECT subject FROM events WHERE kind = 'remembered'")
    assert away.purge("--entry", str(entry).removeprefix("entry:")).exit_code == 0
    assert [] == holding(away, GATEWAY)


def test_where_nobody_sits_it_waits_as_a_candidate(away: Home) -> None:
    """The line says how to confirm it."""
    payload = away.payload("UserPromptSubmit", prompt=f"remember: {GATEWAY}")
    said = away.fire("UserPromptSubmit", payload, environment=HEADLESS)
    assert "as a candidate" in said.notice and "learnt review" in said.notice
    assert [(GATEWAY, "candidate")] == kept(away)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("the key is AKIAIOSFODNN7EXAMPLE", "it contains a secret (token)"),
        (f"{GATEWAY} <private>on x9</private>", "a part of it is marked private"),
        (f"{GATEWAY}\u200b now", "it contains a character that a reader cannot see"),
        ("x" * (LONGEST_OWN + 1), "it is too long"),
    ],
)
def test_what_is_refused_is_not_written_down(away: Home, text: str, why: str) -> None:
    """The screen says why."""
    said = notice(away, f"remember: {text}")
    assert said.startswith("Learnt did not save this: ") and why in said
    spooled = "".join(path.read_text("utf-8") for path in (away.path / "spool").glob("*.json"))
    assert '"marked"' not in spooled and "AKIA" not in spooled
    assert [] == kept(away)


def test_a_subagents_prompt_marks_nothing(away: Home) -> None:
    """Nobody typed it, and nobody is told that it was saved."""
    payload = away.payload("UserPromptSubmit", prompt=f"remember: {GATEWAY}", agent_id="sub-1")
    assert "" == away.fire("UserPromptSubmit", payload).notice
    assert [] == kept(away)


def test_a_prompt_that_marks_nothing_is_told_nothing(away: Home) -> None:
    """As ever."""
    assert "" == notice(away, f"why does {GATEWAY}?")
    assert [] == kept(away)


@pytest.mark.parametrize("marked", [7, "x", [["a"]], [[1, 2]], [["a", "b", "c"]], [[None, ""]]])
def test_a_spool_file_that_makes_no_sense_costs_itself_alone(away: Home, marked: object) -> None:
    """It is taken in without what it cannot mean."""
    notice(away, f"remember: {GATEWAY}")
    (path,) = (away.path / "spool").glob("*.json")
    odd = {**json.loads(path.read_text("utf-8")), "marked": marked}
    Path(path).write_text(json.dumps(odd), "utf-8")
    notice(away, "remember: the CI uses node 20")
    assert ("the CI uses node 20", "validated") in kept(away)
