"""An agent picks what its user typed; Learnt proves it, or has it wait, or refuses it."""

import json

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Origin
from learnt.core.governance.review import ReviewChoice
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.recall.eligibility import injectable
from learnt.errors import Refused, UsageError
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.review import queue
from learnt.flows.governance.review_choices import ReviewAnswer, choose
from learnt.flows.governance.survey import survey
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.remembering import MOST_QUOTES, Pick, PickedQuote, pick, shell_session
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.answer import respond
from learnt.formats.wire import Frame
from tests.support.in_memory import FixedClock
from tests.support.sessions_told import FOLDER, Home, said, told
from tests.support.transcripts import session_frames

SHARED = "credit notes share the number range with invoices, they don't have one of their own."
PROMPT = f"the invoice pdf needs a new footer. {SHARED} so print the number on both"
RULE = "we never push to main"
GATEWAY = "the staging gateway listens on port 8443"


@pytest.fixture
def home() -> Home:
    return Home()


def typed(home: Home, *prompts: str, session: str = "s1", attended: bool = True) -> None:
    """Prompts of a session that goes on."""
    home.session(session, [said(prompt) for prompt in prompts], attended=attended, ended=False)


def quoted(
    home: Home, quote: str, session: str = "s1", kind: str = "", *, claimed: str = ""
) -> PickedQuote:
    """What becomes of a quote that an agent of a session picks."""
    picked = Pick(quote=quote, kind=kind, folder=FOLDER, session=session, claimed=claimed)
    return pick(home.outside, picked)


def only(home: Home) -> Entry:
    """The one entry that is live."""
    (entry,) = home.entries()
    return entry


# --- what is proved ---------------------------------------------------------------------------


def test_a_quote_of_a_typed_prompt_counts_and_is_to_be_verified(home: Home) -> None:
    """The person's own words, validated; picked by the agent until they confirm it."""
    typed(home, "hello there", PROMPT)
    answer = quoted(home, SHARED)

    entry, (note,) = only(home), home.notes()
    assert (Stage.VALIDATED, Actor.AGENT, Origin.USER) == (entry.stage, entry.actor, entry.origin)
    assert (SHARED, "VERIFY", True) == (note.text, note.trust, entry.picked)
    assert "it counts as VERIFY until the user confirms it" in answer.said
    assert injectable(entry)


@pytest.mark.parametrize(
    ("quote", "whole"),
    [
        ("credit notes share the  number\nrange with invoices", SHARED),
        ("push to main", "We never push to main."),
        ("never push to main", "We never push to main."),
        ("push to main. Thanks", "We never push to main. Thanks."),
        ("deploy on Fridays", "don't\ndeploy on Fridays"),
        ("use pnpm", "our rules:\n- use pnpm\n- no console.log in lib/"),
        ("store the CVC", "In the payment module never:\n- store the CVC\n- log card numbers"),
        ("题目的难度是 1 到 5", "题目的难度是 1 到 5，数字越大越简单。"),
    ],
)
def test_a_quote_is_widened_to_whole_sentences(home: Home, quote: str, whole: str) -> None:
    """White space is folded; what was cut off comes back, a negation first of all."""
    typed(
        home,
        PROMPT,
        "We never push to main. Thanks.\n\ndon't\ndeploy on Fridays",
        "our rules:\n- use pnpm\n- no console.log in lib/",
        "In the payment module never:\n- store the CVC\n- log card numbers\n\nThe rest is free.",
        "先看看。题目的难度是 1 到 5，数字越大越简单。之前写反了",
    )
    assert whole == quoted(home, quote).text


@pytest.mark.parametrize(
    ("above", "stage"),
    [
        ("Fix it.\nBoth.", Stage.VALIDATED),
        ("Fix these:\n- a\n- b\n3. c\n\nAll.", Stage.VALIDATED),
        ("Fix it.\nBoth.\nNow.", Stage.CANDIDATE),
        ("Fix these:\n- a\n\nBoth.\n\nNow.", Stage.CANDIDATE),
    ],
)
def test_a_quote_of_a_long_prompt_waits(home: Home, above: str, stage: Stage) -> None:
    """Of more than three lines, items of lists aside, nobody can tell which were pasted."""
    typed(home, f"{above}\n\n{SHARED}")
    answer = quoted(home, SHARED)
    assert (SHARED, stage) == (answer.text, answer.stage)


def test_what_waited_gives_way_to_what_was_picked(home: Home) -> None:
    """A marked paragraph with a request in it is replaced by its lasting part."""
    typed(home, f"remember: {GATEWAY}. now fix the test")
    assert Stage.CANDIDATE is only(home).stage
    answer = quoted(home, GATEWAY)

    assert [answer.text] == [note.text for note in home.notes()]
    assert (Stage.VALIDATED, True) == (only(home).stage, only(home).picked)


def test_where_the_agent_picked_the_harvest_picks_nothing(home: Home) -> None:
    """Rules are for sessions in which no agent answered."""
    lasting = "all our prices are gross, never net"
    home.session("s0", [said(lasting)])
    home.harvest("s0")
    assert 1 == len(home.entries())
    other = Home()
    typed(other, PROMPT, lasting)
    quoted(other, SHARED)
    other.session("s1", [said(PROMPT), said(lasting)])
    other.harvest("s1")
    assert [SHARED] == [note.text for note in other.notes()]


@pytest.mark.parametrize(
    ("prompt", "rule"),
    [
        (RULE, True),
        ("use pnpm, not npm", True),
        ("if we ever sell to Norway we need three more tax codes", False),
        ("the vendor says that retries are always safe", False),
        ("should we always squash?", False),
        ("now fix the login page", False),
        ("maybe we use pnpm from next week on", False),
    ],
)
def test_only_what_lays_something_down_is_a_rule(home: Home, prompt: str, rule: bool) -> None:
    """Questions, conditions, tasks and what others say are facts at most."""
    typed(home, prompt)
    assert rule is (quoted(home, prompt, kind="rule").kind == "rule")


def test_an_agent_adds_no_name_of_its_own(home: Home) -> None:
    """An entry is about what its words name."""
    typed(home, PROMPT)
    picked = Pick(quote=SHARED, folder=FOLDER, session="s1", entities=("credit notes", "EVIL"))
    pick(home.outside, picked)
    assert [("credit notes",)] == [note.entities for note in home.notes()]


# --- what waits -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt",
    [
        f"what do you make of it?\n```\n{GATEWAY}\n```",
        f"look:\n> {GATEWAY}",
        f'they wrote "{GATEWAY} from now on" in the mail',
        f"the log says: {GATEWAY}",
        f"translate this\n\n{GATEWAY}",
        f"2026-01-01 10:00:00 INFO {GATEWAY}",
        f"{GATEWAY}\n\n{'log ' * 1_500}",
    ],
)
def test_what_stands_in_a_paste_waits(home: Home, prompt: str) -> None:
    """A fence, a quotation, a log, a text to work on: nobody knows whose it is."""
    typed(home, prompt)
    answer = quoted(home, GATEWAY)

    entry = only(home)
    assert (Stage.CANDIDATE, Origin.MIXED, False) == (entry.stage, entry.origin, injectable(entry))
    assert "candidate" in answer.said and "learnt review" in answer.said


def test_a_headless_session_proves_nothing(home: Home) -> None:
    """Its prompts may be anybody's."""
    typed(home, PROMPT, attended=False)
    answer = quoted(home, SHARED)
    assert (Stage.CANDIDATE, Origin.MIXED) == (only(home).stage, only(home).origin)
    assert "this session is not interactive" in answer.said


def test_a_session_that_nobody_knows_proves_nothing(home: Home) -> None:
    """What an agent says of itself is no proof."""
    typed(home, PROMPT)
    answer = quoted(home, SHARED, session="", claimed="s1", kind="rule")
    assert (Stage.CANDIDATE, Origin.ASSISTANT) == (only(home).stage, only(home).origin)
    assert "does not know which session" in answer.said and "rule" != answer.kind


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("the production gateway listens on port 443", "No prompt that was typed"),
        ("share the number range with credit notes", "No prompt that was typed"),
        ("x" * 10_000, "4,000 characters at most"),
        (f"{SHARED[:20]}\u200b{SHARED[20:]}", "a character that a reader cannot see"),
        ("the key is AKIAIOSFODNN7EXAMPLE", "a secret"),
        ("<private>x</private> on 8443", "private"),
        ("...", "t says nothing"),
        ("so", "No prompt that was typed"),
    ],
)
def test_a_bad_quote_is_refused(home: Home, quote: str, why: str) -> None:
    """In no prompt, too long, hidden, secret, empty: nothing is kept."""
    typed(home, PROMPT)
    with pytest.raises(Refused, match=why):
        quoted(home, quote)
    assert [] == home.entries()


def test_a_quote_of_another_session_is_refused(home: Home) -> None:
    """What was typed there was typed there."""
    typed(home, PROMPT, session="s1")
    typed(home, "hello", session="s2")
    with pytest.raises(Refused, match="No prompt that was typed"):
        quoted(home, SHARED, session="s2")


@pytest.mark.parametrize(
    "prompt",
    [
        f"<task-notification>\n{GATEWAY}",
        f"the key of it is AKIAIOSFODNN7EXAMPLE and {GATEWAY}",
        f"on <private>x9</private> {GATEWAY}",
        f"so it\u200b is. {GATEWAY}",
    ],
)
def test_injected_and_secret_prompts_prove_nothing(home: Home, prompt: str) -> None:
    """What the client submits, what was not kept as typed, what holds something unseen."""
    typed(home, prompt)
    with pytest.raises(Refused, match="No prompt that was typed"):
        quoted(home, GATEWAY)


def test_nothing_is_proved_once_the_session_is_over(home: Home) -> None:
    """Its prompts are forgotten."""
    home.session("s1", [said(PROMPT)])
    assert [] == list(home.outside.prompts.of("s1"))
    with pytest.raises(Refused, match="No prompt that was typed"):
        quoted(home, SHARED)


def test_a_kind_that_is_not_known_is_refused(home: Home) -> None:
    """As everywhere."""
    typed(home, PROMPT)
    with pytest.raises(UsageError, match="none that is known"):
        quoted(home, SHARED, kind="wish")


def test_an_agent_that_saves_everything_is_stopped(home: Home) -> None:
    """After so many of a session; and of sessions that nobody knows, together."""
    typed(home, *(f"server number {n} has {n} cores" for n in range(MOST_QUOTES + 1)))
    for number in range(MOST_QUOTES):
        quoted(home, f"server number {number} has {number} cores")
    with pytest.raises(Refused, match="This session has saved 8 quotes"):
        quoted(home, f"server number {MOST_QUOTES} has {MOST_QUOTES} cores")
    assert 1 == survey(home.outside, FOLDER).quotes_full
    for number in range(MOST_QUOTES):
        quoted(home, f"client number {number} has {number} cores", session="")
    with pytest.raises(Refused, match="This session has saved 8 quotes"):
        quoted(home, "client number 9 has 9 cores", session="")


# --- what a person makes of it ----------------------------------------------------------------


def test_confirming_makes_it_trusted(home: Home) -> None:
    """By a word on it."""
    typed(home, PROMPT)
    name = quoted(home, SHARED).id
    tell(home.outside, name, Word(result="confirmed", actor=Actor.AGENT, session="s1"))
    assert only(home).picked
    tell(home.outside, name, Word(result="confirmed", actor=Actor.HUMAN))
    assert ("TRUST", False) == (trust(home), only(home).picked)
    assert Actor.HUMAN is only(home).actor


def trust(home: Home) -> str:
    """How far the one note is to be trusted."""
    entry = only(home)
    with home.outside.ledger.reading() as reader:
        return note_of(reader, entry, home.outside.clock.now_ms()).trust


def test_typing_it_behind_a_marker_makes_it_trusted(home: Home) -> None:
    """The same words, asked for."""
    typed(home, PROMPT)
    quoted(home, SHARED)
    assert "VERIFY" == trust(home)
    typed(home, f"remember: {SHARED}", session="s2")
    assert ("TRUST", False) == (trust(home), only(home).picked)


def test_it_waits_in_review_and_one_decision_confirms_it(home: Home) -> None:
    """With the reason."""
    typed(home, PROMPT)
    quoted(home, SHARED)
    (item,) = queue(home.outside, FOLDER)
    assert "picked it out of your words" in item.reasons[0]
    person = Decider(actor=Actor.HUMAN)
    choose(home.outside, item, ReviewAnswer(choice=ReviewChoice.ACCEPT), person, FOLDER)
    assert ("TRUST", []) == (trust(home), queue(home.outside, FOLDER))


def test_the_screen_says_so_with_the_next_prompt(home: Home) -> None:
    """Once; of a call of no known session with whichever prompt comes next."""
    typed(home, PROMPT)
    quoted(home, SHARED)
    typed(home, PROMPT, "thanks", "and now?")
    assert 1 == sum("The agent picked this out of your words" in text for text in home.prompts)
    quoted(home, GATEWAY, session="")
    typed(home, "hello", "thanks", session="s9")
    assert 1 == sum("does not know which session" in text for text in home.prompts)


# --- how a session is known -------------------------------------------------------------------


def before(session: str, tool: str, call: str, **given: str) -> Frame:
    """What a hook reports before a call."""
    first = next(session_frames([said("x")], session, folder=FOLDER, transcript="/t/x.jsonl"))
    body = {
        "session_id": session,
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_use_id": call,
        "tool_input": given,
        "cwd": FOLDER,
    }
    return replace(first, event="PreToolUse", body=json.dumps(body).encode())


@pytest.mark.parametrize(
    "tool",
    ["mcp__learnt__remember", "mcp__plugin_learnt_learnt__remember", "mcp__learnt__relate"],
)
def test_a_hook_sees_the_call_of_the_tool(home: Home, tool: str) -> None:
    """Its id tells the session, whatever the server was started with."""
    respond(home.outside, before("s7", tool, "toolu_1", quote=SHARED), lambda: False)
    assert "s7" == home.outside.prompts.session_of("toolu_1")
    respond(home.outside, before("s7", "mcp__other__recall", "toolu_2"), lambda: False)
    assert ["", ""] == [home.outside.prompts.session_of(call) for call in ("toolu_2", "")]


@pytest.mark.parametrize(
    "command",
    [f"learnt remember --quote '{SHARED}'", "learnt knowledge relate abcde vwxyz contradicts"],
)
def test_a_hook_sees_the_command_of_a_shell(home: Home, command: str) -> None:
    """For some minutes; a session that is only named is not known."""
    respond(home.outside, before("s7", "Bash", "toolu_1", command=command), lambda: False)
    respond(home.outside, before("s8", "Bash", "toolu_2", command="ls"), lambda: False)
    seen = [shell_session(home.outside, name) for name in ("s7", "s8", "")]
    assert ["s7", "", ""] == seen
    assert isinstance(home.outside.clock, FixedClock)
    home.outside.clock.ms += 10 * 60_000
    assert "" == shell_session(home.outside, "s7")


def test_what_the_agent_says_itself_is_no_quote(home: Home) -> None:
    """It is for `propose`."""
    home.session("s1", [said("hello", told(GATEWAY))], ended=False)
    with pytest.raises(Refused, match="`propose`"):
        quoted(home, GATEWAY)
