"""What is put before the agent, when, and how often."""

from learnt.core.events import Actor, Kind, Origin
from learnt.core.identifiers import handle
from learnt.core.sessions.observations import LATE
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.flows.stage import ELSEWHERE, HERE, PROBLEM, PROMPT, Stage
from tests.support import in_memory


def test_what_was_remembered_reaches_the_next_prompt_about_it() -> None:
    """Problem, approach, caution and handle are in the text."""
    stage = Stage()
    entry = stage.remember(cautions=("Only on that route",)).entry

    text = stage.prompt()

    for part in (PROBLEM, "Verify the raw body", "Only on that route", handle(entry)):
        assert part in text


def test_it_is_shown_once_a_context_epoch() -> None:
    """A second prompt of the session doesn't get it again; after a compaction it does."""
    stage = Stage()
    entry = stage.remember().entry
    stage.report("SessionStart", detail={"source": "startup"})

    assert handle(entry) in stage.prompt()
    assert "" == stage.prompt("The stripe webhook signature fails again")
    stage.report("SessionStart", detail={"source": "compact"}, episode="p9")
    assert handle(entry) in stage.prompt("And the stripe webhook signature still fails")


def test_a_resumed_session_still_holds_it() -> None:
    """Resuming replays the context: what was shown is not shown again."""
    stage = Stage()
    stage.remember()
    stage.prompt()
    stage.report("SessionEnd", detail={"reason": "other"})
    stage.report("SessionStart", detail={"source": "resume"})

    assert "" == stage.prompt("The stripe webhook signature fails again")


def test_reuse_counts_once_a_session() -> None:
    """However often a session shows it, it is one reuse; another session is another."""
    stage = Stage()
    entry = stage.remember().entry
    stage.prompt()
    stage.report("SessionStart", detail={"source": "compact"}, episode="x")
    stage.prompt("The stripe webhook signature fails again")
    assert 1 == stage.reused(entry)

    stage.prompt(session="s2")
    assert 2 == stage.reused(entry)
    assert 2 == len(stage.events(Kind.REUSED))


def test_another_project_does_not_see_it() -> None:
    """A solution holds in its project unless it was remembered for everywhere."""
    stage = Stage()
    stage.remember()
    everywhere = stage.remember("Stripe webhook signature clock skew", folder=None).entry

    text = stage.prompt(cwd=ELSEWHERE)

    assert handle(everywhere) in text
    assert PROBLEM not in text


def test_a_substantive_prompt_that_finds_nothing_is_a_miss() -> None:
    """Its prompt is kept, so that what is missed often can be learnt."""
    stage = Stage()

    assert "" == stage.prompt()

    (missed,) = stage.events(Kind.MISSED)
    with stage.outside.ledger.reading() as reader:
        ref = missed.payload["prompt"]
        assert PROMPT == reader.text(ref)  # type: ignore[arg-type]  # a content reference


def test_small_talk_is_neither_recall_nor_miss() -> None:
    """A prompt that is not substantive leaves no event."""
    stage = Stage()
    stage.remember()

    assert "" == stage.prompt("yes please")

    assert [] == stage.events(Kind.MISSED) + stage.events(Kind.RECALLED)


def test_an_agents_own_candidate_is_not_put_before_it() -> None:
    """What no person vouched for stays out of prompts."""
    stage = Stage()
    outcome = stage.remember(actor=Actor.AGENT)

    assert "candidate" == outcome.stage
    assert "" == stage.prompt()


def test_a_prompt_reported_twice_is_answered_once() -> None:
    """A hook registered in two places injects once."""
    stage = Stage()
    stage.remember()

    assert stage.prompt(episode="p1")
    assert "" == stage.prompt(episode="p1")
    assert 1 == len(stage.events(Kind.RECALLED))


def test_an_answer_that_came_late_is_taken_back() -> None:
    """The reuse goes, and the next prompt may show it again and count it."""
    stage = Stage()
    entry = stage.remember().entry
    stage.prompt(episode="p1")

    stage.report(LATE, episode="p1")

    assert 0 == stage.reused(entry)
    assert 2 == len(stage.events(Kind.NOT_DELIVERED))
    assert handle(entry) in stage.prompt("The stripe webhook signature fails again", episode="p2")
    assert 1 == stage.reused(entry)


def test_lateness_reported_twice_is_taken_back_once() -> None:
    """The reuse count never goes below what was delivered."""
    stage = Stage()
    entry = stage.remember().entry
    stage.prompt(session="s0")
    stage.prompt(episode="p1")
    stage.report(LATE, episode="p1")
    stage.report(LATE, episode="p1", detail={"command_name": "again"})

    assert 1 == stage.reused(entry)


def test_a_withheld_slot_stays_empty() -> None:
    """With every item under the coin some sessions see it and some do not; all are recorded."""
    stage = Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))
    entry = stage.vouched()
    shown = [bool(stage.prompt(session=f"s{number}")) for number in range(40)]

    assert 10 < sum(shown) < 30
    draws = [event.payload["eligible"] for event in stage.events(Kind.RECALLED)]
    arms = [row[0] for row in draws]  # type: ignore[index]  # a list of one
    assert all(500_000 == row["propensity"] for row in arms)  # type: ignore[index, call-overload]  # JSON
    assert sum(shown) == stage.reused(entry)


def test_private_parts_and_secrets_of_a_prompt_are_not_kept() -> None:
    """What is recorded of a prompt was stripped and redacted first."""
    stage = Stage()
    stage.prompt("Deploy fails <private>for Ann</private> with password=hunter2hunter2 set")

    with stage.outside.ledger.reading() as reader:
        texts = [reader.text(ref) or "" for ref in reader.contents_with("")]
    assert not any("Ann" in text or "hunter2" in text for text in texts)


def test_who_typed_it_is_derived_from_the_agents_flags() -> None:
    """A headless prompt is the agent's and of mixed origin; an attended one the human's."""
    stage = Stage()
    stage.prompt(session="a")
    stage.prompt(session="b", environment={"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"})

    attended, headless = stage.events(Kind.MISSED)
    assert (Actor.HUMAN, Origin.USER) == (attended.actor, attended.origin)
    assert (Actor.AGENT, Origin.MIXED) == (headless.actor, headless.origin)


def test_a_report_without_ids_stands_alone() -> None:
    """No session id: recalled as its own session, never shared with another such report."""
    stage = Stage()
    stage.remember()

    assert stage.prompt(session="", episode="")
    assert stage.prompt(session="", episode="")


def test_folders_inside_a_project_belong_to_it() -> None:
    """Without git the agent's own project folder decides, wherever it works."""
    stage = Stage()
    stage.remember()
    environment = {"CLAUDE_PROJECT_DIR": HERE}

    assert stage.prompt(cwd=HERE + "/deep/down", environment=environment)


def test_a_prompt_typed_while_the_agent_works_is_answered_too() -> None:
    """It carries the id of the prompt before it; its words part the two."""
    stage = Stage()
    entry = stage.remember().entry
    stage.prompt("Something else entirely happens", episode="p1", digest="d1")

    assert handle(entry) in stage.prompt(episode="p1", digest="d2")


def test_what_the_client_submits_by_itself_is_nobodys_prompt() -> None:
    """A finished subagent's notice recalls nothing, counts nothing and is not kept."""
    stage = Stage()
    stage.remember()

    assert "" == stage.prompt(f"<task-notification>\n{PROMPT}</task-notification>")
    assert [] == stage.events(Kind.RECALLED) + stage.events(Kind.MISSED)
