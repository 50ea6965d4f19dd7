"""A session's start shows the user's rules and a line a note, once, and prompts repeat no line."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId, entry_subject, handle, session_subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.payloads.entry_events import EntryDecided, Recalled
from learnt.core.recall.eligibility import MOST_CHARACTERS, MOST_RULES
from learnt.core.sessions.observations import LATE
from learnt.core.sessions.sessions import Session
from learnt.core.tokens import estimate
from learnt.errors import LedgerBusy
from learnt.flows.governance.decisions import Decider
from learnt.flows.knowledge.capture import Offer
from learnt.flows.knowledge.relating import settle
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.contents import show_contents
from learnt.flows.recall.offering import session_at
from learnt.flows.sessions.answer import answer
from learnt.flows.stored import append
from learnt.language.shipped import ShippedLanguage
from learnt.settings import Settings
from learnt.stores.stemming import porter
from tests.flows.stage import ELSEWHERE, HERE, PROBLEM, Stage
from tests.flows.test_knowledge_recall import COMMANDING
from tests.support import in_memory
from tests.support.kept_unseen import capture_many

LINT = "Always run make lint before you push"
ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
LINKER = ("The linker of the firmware runs out of memory", "Link with lld and two threads")
WHY = "why does the linker of the firmware run out of memory?"
VAGUE = "the stripe dashboard is empty, how do I raise its retention"


def start(stage: Stage, source: str = "startup", **given: Any) -> str:
    """What a session's start puts before the agent."""
    seen = stage.observation("SessionStart", detail={"source": source}, **given)
    printed = answer(stage.outside, seen, "", lambda: False)
    if not printed:
        return ""
    context = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert isinstance(context, str)
    return context


def rule(stage: Stage, text: str = LINT, **more: Any) -> EntryId:
    """A rule that a person typed."""
    return stage.learn(text, "rule", actor=Actor.HUMAN, session="", **more).entry


def state(stage: Stage, name: str = "s1") -> Session:
    """A session as it is now."""
    with stage.outside.ledger.reading() as reader:
        return session_at(reader, session_subject("claude-code", name))


def starts(stage: Stage) -> list[Recalled]:
    """What is recorded of the starts that showed something."""
    recalls = (payload_of(Recalled, event) for event in stage.events(Kind.RECALLED))
    return [recall for recall in recalls if recall.mode == "start"]


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_each_start_shows_rules_whole_and_a_line_a_note(source: str) -> None:
    """However the session began; what was shown is recorded, and no use of it is counted."""
    stage = Stage()
    law, note = rule(stage), stage.remember().entry

    shown = start(stage, source)

    assert f"\n- {LINT}\n" in shown and f"\n{handle(note)} {PROBLEM}\n" in shown
    assert shown.index(LINT) < shown.index(PROBLEM)
    (recall,) = starts(stage)
    assert ((law,), (note,), ()) == (recall.shown, recall.hinted, recall.counted)
    assert estimate(shown) == recall.tokens <= stage.outside.contents_tokens
    assert ((law,), (note,)) == (state(stage).rules, state(stage).listed)
    assert 0 == stage.reused(note) == stage.reused(law)


def test_nothing_is_shown_of_nothing() -> None:
    """Neither where nothing is known, nor of what a hook may not show."""
    stage = Stage()
    assert "" == start(stage)
    stage.remember(actor=Actor.AGENT)
    stage.remember("Another project's port is taken", folder=ELSEWHERE)

    assert "" == start(stage, "compact")
    assert [] == starts(stage)


def test_it_can_be_turned_off() -> None:
    """Of the size 0 nothing is shown, looked up or recorded; prompts have their lines then."""
    plain = in_memory.outside(porter, ShippedLanguage())
    stage = Stage(replace(plain, contents_tokens=0))
    rule(stage)
    note = stage.remember().entry

    assert "" == start(stage)
    assert [] == starts(stage)
    assert f"\n{handle(note)} " in stage.prompt(VAGUE)


def test_a_start_reported_twice_is_answered_once() -> None:
    """A plug-in and the settings may both be registered."""
    stage = Stage()
    stage.remember()

    assert [True, False] == [bool(start(stage)) for _ in range(2)]
    assert 1 == len(starts(stage))


def test_what_hurts_commands_or_lost_a_dispute_has_no_line() -> None:
    """Only what a hook may show, of this project, and in use."""
    stage = Stage()
    older = stage.learn("The upload limit is 10 MB", "business_rule", actor=Actor.HUMAN).entry
    newer = stage.learn(
        "The upload limit is 25 MB", "business_rule", actor=Actor.HUMAN, insisted=True
    ).entry
    stage.relate(newer, older)
    settle(stage.outside, newer, older, Decider(actor=Actor.HUMAN))
    gone = stage.learn("The old gateway listens on port 8443", actor=Actor.HUMAN).entry
    stage_by_hand(stage.outside, gone, Actor.HUMAN, Stages.RETIRED)
    held = stage.learn(COMMANDING[0], actor=Actor.HUMAN, insisted=True).entry
    hurts = stage.remember().entry
    with stage.outside.ledger.writing() as writer:
        append(writer, entry_subject(hurts), Actor.LEARNT, EntryDecided(action="masked"))
    other = stage.remember("Port 8080 is taken", "Stop it", folder=ELSEWHERE).entry
    everywhere = stage.remember(
        "The linker of the firmware runs out of memory",
        "Link with lld and two threads",
        folder=None,
    ).entry

    lines = [line[:5] for line in start(stage, "resume").split("\n")]

    assert {handle(newer), handle(everywhere)} <= {*lines}
    assert {*lines}.isdisjoint(map(handle, (older, gone, held, hurts, other)))


def test_what_the_coin_withholds_from_a_session_is_not_listed_there() -> None:
    """The contents say no more than the prompts of that session."""
    stage = Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))
    entry = stage.vouched()
    names = [f"s{number}" for number in range(20)]
    listed = [handle(entry) in start(stage, session=name) for name in names]

    assert {True, False} == {*listed}
    assert listed == [bool(stage.prompt(session=name)) for name in names]


def test_a_listed_note_has_no_line_at_a_prompt() -> None:
    """Given whole it is where it surely bears; after a compaction that lists it not, by a line."""
    stage = Stage()
    note = stage.remember().entry
    assert f"\n{handle(note)} " in stage.prompt(VAGUE, session="s0")
    start(stage)

    assert "" == stage.prompt(VAGUE)
    assert f"\n{handle(note)} TRUST" in stage.prompt()
    stage.report("SessionStart", detail={"source": "compact"}, episode="p9")
    assert f"\n{handle(note)} " in stage.prompt(VAGUE)


def test_words_of_trust_are_explained_once_a_context() -> None:
    """The contents do it, else the first block that gives a note whole."""
    stage = Stage()
    stage.remember()
    start(stage)

    assert "answer from it" not in stage.prompt()
    assert "answer from it" in stage.prompt(session="s2")


def test_another_projects_start_lists_its_own() -> None:
    """And what holds everywhere."""
    stage = Stage()
    here, there = stage.remember().entry, stage.remember(folder=ELSEWHERE).entry

    assert handle(here) not in (shown := start(stage, cwd=ELSEWHERE))
    assert handle(there) in shown


@pytest.mark.parametrize("episode", ["", "p1"])
def test_a_start_that_came_too_late_is_taken_back(episode: str) -> None:
    """Its lines and rules may be given again; no prompt loses what it was given."""
    stage = Stage()
    rule(stage)
    note = stage.remember().entry
    other = stage.remember(*LINKER).entry
    assert handle(other) in stage.prompt(WHY, episode="p1")
    start(stage, "compact", episode=episode)
    assert {note, other} == {*state(stage).listed}
    reused = stage.reused(other)

    stage.report(LATE, episode=episode, detail={"source": "compact"})

    assert ((), ()) == (state(stage).listed, state(stage).rules)
    assert reused == stage.reused(other)
    assert f"\n{handle(note)} " in stage.prompt(VAGUE, episode="p2")


def test_a_late_prompt_takes_no_start_back() -> None:
    """Each answer is taken back by itself."""
    stage = Stage()
    stage.remember()
    start(stage)
    listed = state(stage).listed
    stage.report(LATE, detail={"command_name": "x"})

    assert listed == state(stage).listed != ()


def test_an_objection_is_to_what_a_prompt_was_given() -> None:
    """Not to the rules that a start showed since."""
    stage = Stage()
    law = rule(stage)
    note = stage.learn("The staging gateway listens on port 8443", actor=Actor.HUMAN).entry
    assert handle(note) in stage.prompt("which port does the staging gateway listen on?")
    start(stage, "compact")

    stage.prompt("that note is out of date", episode="p8")

    assert ["invalidate"] == [e.payload["result"] for e in stage.events(Kind.FEEDBACK)]
    assert {entry_subject(note)} == {event.subject for event in stage.events(Kind.FEEDBACK)}
    assert Stages.VALIDATED is stage.entry(law).stage


def test_rules_beyond_a_dozen_have_a_line() -> None:
    """The newest stand whole; a line that is cut counts as listed, and not as given."""
    stage = Stage()
    tail = "and tell me in a sentence or two why you did it in just this way, each time, please"
    offers = [
        Offer(
            what=Draft(text=f"Always tag release {number} by hand {tail}", kind="rule"),
            actor=Actor.HUMAN,
            folder=HERE,
        )
        for number in range(MOST_RULES + 3)
    ]
    capture_many(stage.outside, offers, gated=False)

    shown = start(stage)

    assert MOST_RULES == shown.count(f"{tail}\n") and 3 == shown.count("\u2026\n")
    (recall,) = starts(stage)
    assert (MOST_RULES, 3) == (len(recall.shown), len(recall.hinted))


def test_long_rules_leave_room_for_notes() -> None:
    """The agent would replace a longer text by a preview; what does not stand whole has a line."""
    stage = Stage(replace(Stage().outside, contents_tokens=9_000))
    note = stage.remember().entry
    offers = [
        Offer(
            what=Draft(text=f"Never {number} " + f"word{number} " * 250, kind="rule"),
            actor=Actor.HUMAN,
            folder=HERE,
        )
        for number in range(MOST_RULES)
    ]
    capture_many(stage.outside, offers, gated=False)

    shown = start(stage)

    assert handle(note) in shown and len(shown) <= MOST_CHARACTERS
    (recall,) = starts(stage)
    assert recall.shown and len(recall.shown) + len(recall.hinted) == MOST_RULES + 1


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A stage on a disk's ledger, with 5,000 rules."""
    home = tmp_path_factory.mktemp("crowded")
    offers = [
        Offer(
            what=Draft(text=f"Always run check{number} before you push", kind="rule"),
            actor=Actor.HUMAN,
            folder=HERE,
        )
        for number in range(5_000)
    ]
    with opened(Settings(home=home), durable=False) as outside:
        capture_many(outside, offers, gated=False)
        yield Stage(outside)


def test_five_thousand_rules_stay_within_the_budget_and_are_quick(crowded: Stage) -> None:
    """Neither a start nor a command is to wait."""
    began = time.perf_counter()
    shown = start(crowded, session="quick")
    took = time.perf_counter() - began

    assert MOST_RULES < shown.count("\n- ")
    assert estimate(shown) <= crowded.outside.contents_tokens
    assert took < 2


def test_a_busy_ledger_gives_nothing(crowded: Stage) -> None:
    """Nobody waits any more: nothing is shown, and nothing is recorded."""
    before = len(starts(crowded))
    with pytest.raises(LedgerBusy):
        show_contents(crowded.outside, crowded.observation("SessionStart"), lambda: True)
    assert before == len(starts(crowded))


def test_many_notes_stand_by_topic_and_some_are_left() -> None:
    """Lines are shortened first; the rest is a search away, as it says."""
    stage = Stage()
    offers = [
        Offer(
            what=Draft(
                text=f"part{n} of the house has {'a very long description ' * 5}", kind=kind
            ),
            actor=Actor.HUMAN,
            folder=HERE,
        )
        for kind in ("schema", "procedure")
        for n in range(300)
    ]
    capture_many(stage.outside, offers, gated=False)

    shown = start(stage)
    (recall,) = starts(stage)

    assert estimate(shown) <= stage.outside.contents_tokens
    assert f"\nand {600 - len(recall.hinted)} more: recall WORDS\n" in shown
    assert 1 == shown.count("\nschema:\n") == shown.count("\nprocedure:\n")


def test_what_nobody_opens_makes_room() -> None:
    """A used note stands before one that was listed ever so often."""
    stage = Stage()
    first, second = stage.remember().entry, stage.learn(ROOM, actor=Actor.HUMAN).entry
    for number in range(12):
        start(stage, session=f"t{number}")
        stage.prompt("How is t_room.room_no to be joined across hotels?", session=f"t{number}")

    shown = start(stage, session="last")
    assert shown.index(handle(second)) < shown.index(handle(first))
