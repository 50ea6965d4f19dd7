"""The real Claude Code posts its reports: no process a prompt, nothing lost without a worker."""

from pathlib import Path

from tests.real.test_claude_code import FIRST_PROMPT, SECOND_PROMPT, ask, injections
from tests.support.beside_client import Learnt
from tests.support.homes import wait_until
from tests.support.model_server import call, say


def posting(learnt: Learnt) -> Path:
    """A project of a client that posts, with something remembered."""
    project = learnt.client.project("alpha")
    learnt("init", "--agent", "claude", "--transport", "http")
    learnt.remember(project)
    return project


def worker(learnt: Learnt) -> int | None:
    """The worker's process id, if one answers."""
    told = learnt.json("status")["worker"]
    return told and int(told["pid"])


def test_a_prompt_that_is_posted_gets_its_note(learnt: Learnt) -> None:
    """It stands in the model's request, once a session; the whole session is on record."""
    project = posting(learnt)
    run = learnt.client.run(
        project, FIRST_PROMPT, [call("Bash", command="echo built"), say("Let me see.")]
    )

    assert run.exit_code == 0 and "hook" not in run.errors, run.errors
    assert injections(run, FIRST_PROMPT) == 1
    again = ask(learnt.client, project, SECOND_PROMPT, "--resume", run.session_id)
    assert injections(again, SECOND_PROMPT) == 0
    state = learnt.json("status", "--project", str(project))
    assert (state["sessions"], state["recalls"], state["reuses"]) == (1, 2, 1)
    assert (state["prompts_read_later"], len(state["last_episodes"])) == (0, 2)


def test_what_was_missed_without_a_worker_is_read_and_counted(learnt: Learnt) -> None:
    """The worker is killed while a session runs: the next one counts what nobody was told of."""
    project = posting(learnt)
    learnt("worker", "start")
    killed = call("Bash", command=f"kill -9 {worker(learnt)}")
    said = [killed, say("It is down."), call("Bash", command="echo built"), say("Let me see.")]
    exchanges = [("Please restart it.", "It is down."), (FIRST_PROMPT, "Let me see.")]
    first = learnt.client.run_interactive(project, exchanges, said)

    assert injections(first, FIRST_PROMPT) == 0
    assert worker(learnt) is None
    before = learnt.json("status", "--project", str(project))
    assert (before["sessions"], before["prompts_read_later"]) == (1, 0)
    ask(learnt.client, project, SECOND_PROMPT)

    def counted() -> bool:
        return bool(learnt.json("status")["prompts_read_later"] == 1)

    wait_until(counted, "the prompt that nobody was told of")
    assert "1 prompts were read from transcripts" in learnt("status")
    assert "1 prompts were read from transcripts" in learnt("doctor")
